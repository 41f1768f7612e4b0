package view

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// An open page is told when something has happened, and asks for itself anew: what it shows is
// made in one place. Several tabs of a browser share six connections to a host, so a page that
// can't be seen closes its own.

const (
	looking     = 300 * time.Millisecond // between two looks at the journal and the document
	lookingPlan = 2 * time.Second        // … at the plan, which may start git or jj
	stillHere   = 20 * time.Second       // between two lines that keep the connection
)

// maxLive is the number of open pages that are told what happens: their connections stay, and
// others, such as clients with the token, need some too.
const maxLive = 64

// events tells a page what happens, until it is closed.
func (s *site) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.live <- struct{}{}:
		defer func() { <-s.live }()
	default:
		w.Header().Set("Retry-After", "20")
		http.Error(w, "too many pages are open; close some", http.StatusServiceUnavailable)
		return
	}
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(stillHere)) // a connection that has no deadlines is one of a test
		if _, err := fmt.Fprint(w, text); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	query := r.URL.Query()
	between, stamp := looking, func() string { return s.stamp(r.Context(), query.Get("path")) }
	if query.Get("plan") != "" {
		between, stamp = lookingPlan, func() string { return s.planStamp(r.Context()) }
	}
	before := stamp()
	if !send("retry: 1000\n\nevent: begin\ndata: " + "1\n\n") {
		return
	}
	ticks := time.NewTicker(between)
	defer ticks.Stop()
	last := time.Now()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-s.Ending.Done():
			return
		case <-ticks.C:
		}
		text := ""
		if now := stamp(); now != before {
			before, text = now, "event: change\ndata: 1\n\n"
		} else if time.Since(last) > stillHere/2 {
			text = ": still here\n\n"
		}
		if text != "" {
			last = time.Now()
			if !send(text) {
				return
			}
		}
	}
}

// stamp returns a text that is another one when something was read or changed meanwhile, or the
// document was saved by whatever program.
func (s *site) stamp(ctx context.Context, path string) string {
	text := s.History.Stamp(ctx)
	if path == "" {
		return text
	}
	docs, end := s.docs(ctx)
	defer end()
	info, err := docs.Stat(path)
	if err != nil {
		return text
	}
	return fmt.Sprint(text, info.ModTime().UnixNano(), ".", info.Size())
}

// planStamp is the same for the plan.
func (s *site) planStamp(ctx context.Context) string {
	body, _, err := s.Plans.ExportBody(ctx)
	if err != nil {
		return err.Error()
	}
	return string(body)
}
