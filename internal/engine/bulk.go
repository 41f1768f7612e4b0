package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// A bulk is some records to write and to remove. An engine that is busy refuses some of them or
// all; these are sent again, after pauses that grow, with the same versions, so that it does no
// harm if it had done more than its answer said, or if that was lost.

// action is a record to write, or to remove.
type action struct {
	id      string
	version int64
	body    []byte // nil to remove it
	about   string // the path of its document
}

// size returns the bytes that an action takes in a request.
func (a *action) size() int { return len(a.id) + len(a.body) + 100 }

// write returns the action that writes a record.
func write(r *record) (action, error) {
	body, err := json.Marshal(r)
	return action{r.id(), r.Version, body, r.Path}, err
}

// itemAnswer is what an engine answers about one action.
type itemAnswer struct {
	Status int `json:"status"`
	Error  struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
	} `json:"error"`
}

// bulkAnswer is what it answers about all.
type bulkAnswer struct {
	Errors bool                    `json:"errors"`
	Items  []map[string]itemAnswer `json:"items"`
}

// longest is the longest pause before a repetition.
const longest = 15 * time.Second

// bulk writes and removes records until all of them are written and removed, or until the
// engine has taken none for as long as the client is patient. The error is an *Error, or that
// of the context.
func (c *Client) bulk(ctx context.Context, actions []action) error {
	pause, since := c.pause, time.Now()
	for len(actions) > 0 {
		rest, err := c.once(ctx, actions)
		if err != nil && !mayPass(err) {
			return err
		}
		if len(rest) < len(actions) {
			pause, since = c.pause, time.Now()
		}
		if actions = rest; len(actions) == 0 {
			return nil
		}
		if time.Since(since) > c.patient {
			if err == nil {
				err = errorOf(Refused, "%s is busy and takes no more records; try again later, what is missing is fed then", c.URL())
			}
			return err
		}
		if err := sleep(ctx, pause/2+rand.N(pause)); err != nil { //nolint:gosec // no secret: pauses that aren't all alike
			return err
		}
		pause = min(2*pause, longest)
	}
	return nil
}

// sleep waits, unless the context ends before.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mayPass reports whether what failed may succeed a little later.
func mayPass(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.Code == Unreachable || isBusy(e.Status))
}

// isBusy reports whether a status says that an engine has too much to do, or is just starting.
func isBusy(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// once sends actions and returns those that are to be sent again: all of them with an error that
// may pass, some if the engine was busy.
func (c *Client) once(ctx context.Context, actions []action) (rest []action, err error) {
	var body bytes.Buffer
	for i := range actions {
		a := &actions[i]
		verb := "index"
		if a.body == nil {
			verb = "delete"
		}
		fmt.Fprintf(&body, `{%q:{"_id":%q,"version":%d,"version_type":"external_gte"}}`+"\n", verb, a.id, a.version)
		if a.body != nil {
			body.Write(a.body)
			body.WriteByte('\n')
		}
	}
	var answer bulkAnswer
	if err := c.send(ctx, http.MethodPost, c.index+"/_bulk?require_alias=true", body.Bytes(), &answer); err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.Status == http.StatusRequestEntityTooLarge {
			return c.halves(ctx, actions, e)
		}
		return actions, err
	}
	if len(answer.Items) != len(actions) {
		return actions, errorOf(Strange, "%s answers with something else than an engine does; check the address", c.URL())
	}
	for i := range actions {
		for verb, item := range answer.Items[i] {
			switch {
			case item.Status >= 200 && item.Status < 300, verb == "delete" && item.Status == http.StatusNotFound:
			case isBusy(item.Status):
				rest = append(rest, actions[i])
			case item.Status == http.StatusConflict:
				return actions, errorOf(Refused, "%s holds a newer state of %q: somebody else feeds this root too; let one of the two do it", c.URL(), cut(actions[i].about))
			default:
				return actions, errorOf(Refused, "%s doesn't take %q (status %d): %s: %s", c.URL(), cut(actions[i].about), item.Status, cut(item.Error.Type), cut(item.Error.Reason))
			}
		}
	}
	return rest, nil
}

// halves sends actions that are too many bytes for the engine, or what stands before it, one
// half after the other.
func (c *Client) halves(ctx context.Context, actions []action, too *Error) (rest []action, err error) {
	if len(actions) == 1 {
		return actions, &Error{Code: Refused, Status: too.Status, Message: fmt.Sprintf("%s takes no section as large as one of %q (%d bytes); have its limit of requests raised (http.max_content_length)", c.URL(), cut(actions[0].about), len(actions[0].body))}
	}
	half := len(actions) / 2
	first, err := c.once(ctx, actions[:half])
	if err != nil {
		return actions, err
	}
	second, err := c.once(ctx, actions[half:])
	if err != nil {
		return append(first, actions[half:]...), err
	}
	return append(first, second...), nil
}
