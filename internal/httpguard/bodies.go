package httpguard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// freeBody is how many bytes of a body are read without asking whether there is room
// for them: those of nearly all calls.
const freeBody = 64 << 10

// bodyGuard reads bodies before they are worked on, so that one who sends slowly holds
// up nobody else and all bodies together fill no memory, and gives up on clients that
// don't take their answer.
type bodyGuard struct {
	limits Limits
	ending context.Context //nolint:containedctx // of the server; requests have their own
	room   *bodyRoom       // for bodies of more than freeBody
}

func newBodyGuard(ending context.Context, limits Limits) *bodyGuard {
	return &bodyGuard{limits: limits, ending: ending, room: newBodyRoom(limits.InFlight, limits.Patience)}
}

// handler is the guard before a function that answers requests whose body is there.
func (g *bodyGuard) handler(answer Answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		paced := &pacedWriter{ResponseWriter: w, control: control, limit: g.limits.Receiving}
		paced.more()
		defer paced.more() // what is still to be written is written after this
		if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
			w.Header().Set("Accept-Encoding", "identity")
			turnAway(w, http.StatusUnsupportedMediaType, "the body must be sent as it is: leave out the header Content-Encoding")
			return
		}
		if r.ContentLength > g.limits.Body {
			g.tooLong(w)
			return
		}
		body, err := g.read(control, w, r)
		defer body.place.release()
		if err != nil {
			g.unread(w, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body.text))
		answer(paced, r, body.text)
	})
}

// Answer answers a request, whose body can be read as well, and is the text.
type Answer = func(w http.ResponseWriter, r *http.Request, body []byte)

// httpBody is the body of a request, and its place in the room for bodies: nil for a
// short one.
type httpBody struct {
	text  []byte
	place *bodyPlace
}

// read returns the body, or why it can't be had; in both cases with the place that is
// to be released.
func (g *bodyGuard) read(control *http.ResponseController, w http.ResponseWriter, r *http.Request) (httpBody, error) {
	until := time.Now().Add(g.limits.Sending)
	begun := bodyBegins(r, func() {
		_ = control.SetReadDeadline(until) // a connection that has no deadlines is one of a test
	})
	if !begun {
		return httpBody{}, errEnding
	}
	ctx, cancel := context.WithDeadline(r.Context(), until)
	defer cancel()
	from := http.MaxBytesReader(w, r.Body, g.limits.Body)
	body := httpBody{text: make([]byte, 0, min(max(r.ContentLength+1, 512), freeBody))}
	for {
		n, err := from.Read(body.text[len(body.text):cap(body.text)])
		body.text = body.text[:len(body.text)+n]
		if body.place != nil {
			body.place.come.Add(int64(n))
		}
		switch {
		case errors.Is(err, io.EOF):
			return g.whole(control, r, body)
		case body.place.gaveWay():
			return body, errGivenWay
		case err != nil:
			return body, err
		case len(body.text) < cap(body.text):
			continue
		}
		larger := 2 * cap(body.text)
		if larger > freeBody {
			size := g.limits.Body
			if r.ContentLength >= 0 {
				size = r.ContentLength
			}
			abort := func() { _ = control.SetReadDeadline(longAgo) }
			if body.place, err = g.room.take(ctx, size, abort); err != nil {
				return body, err
			}
			larger = int(size) + 1 // so that its end is seen
		}
		body.text = append(make([]byte, 0, larger), body.text...)
	}
}

// whole returns a body that has come whole, unless nobody works on it any more.
func (g *bodyGuard) whole(control *http.ResponseController, r *http.Request, body httpBody) (httpBody, error) {
	if r.ContentLength < 0 { // there may be room for many times as much
		body.text = slices.Clone(body.text)
	}
	if !body.place.whole(int64(len(body.text))) {
		return body, errGivenWay
	}
	if !bodyEnds(r, func() { _ = control.SetReadDeadline(time.Time{}) }) {
		return body, errEnding
	}
	return body, nil
}

// unread answers a request whose body can't be had.
func (g *bodyGuard) unread(w http.ResponseWriter, err error) {
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		g.tooLong(w)
	case errors.Is(err, errNoRoom), errors.Is(err, errGivenWay):
		turnAway(w, http.StatusServiceUnavailable, err.Error())
	case errors.Is(err, errEnding), g.ending.Err() != nil:
		turnAway(w, http.StatusServiceUnavailable, errEnding.Error())
	case errors.Is(err, os.ErrDeadlineExceeded):
		turnAway(w, http.StatusRequestTimeout, fmt.Sprintf("the body did not come within %v", g.limits.Sending))
	default:
		turnAway(w, http.StatusBadRequest, "the body can't be read: "+err.Error())
	}
}

// tooLong answers a request whose body is too long.
func (g *bodyGuard) tooLong(w http.ResponseWriter) {
	turnAway(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes; ask for less at once", g.limits.Body))
}

// pacedWriter gives up on a client that takes nothing of what is written for too long.
// A limit on the whole answer would end subscriptions.
type pacedWriter struct {
	http.ResponseWriter

	control *http.ResponseController
	limit   time.Duration
}

// more gives the client time for what is written next.
func (p *pacedWriter) more() {
	_ = p.control.SetWriteDeadline(time.Now().Add(p.limit)) // a connection that has no deadlines is one of a test
}

// Write implements http.ResponseWriter.
func (p *pacedWriter) Write(b []byte) (int, error) {
	p.more()
	return p.ResponseWriter.Write(b)
}

// FlushError implements what http.ResponseController looks for.
func (p *pacedWriter) FlushError() error {
	p.more()
	return p.control.Flush()
}

// Unwrap implements what http.ResponseController looks for.
func (p *pacedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
