package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// The stand-in plays the model. It keeps no place in the script: a request holds
// the whole conversation, so the number of results in it says which call is next,
// and a request that a client sends twice is answered alike.

// dialect is the form that an API of a model has.
type dialect interface {
	// path begins the paths of the requests that are answered.
	path() string
	// read finds in a request what the client hands to the model.
	read(body []byte) (*request, error)
	// loading is the call that a model makes first, to be given the tools that the
	// client holds back; nil if there is none.
	loading(tools []string) *call
	// calling returns the events that make the call.
	calling(c *call) []event
	// ending returns the events of a last word, which ends the conversation.
	ending() []event
}

// event is one of the server-sent events of an answer; its type is also in the data.
type event map[string]any

// request is what matters of a request.
type request struct {
	offers  bool              // it is about our tools, and not a title for the conversation, say
	results map[string]result // by the id of the call
}

// result is what the model is handed for a call.
type result struct {
	parts  []string // its texts
	beside []string // texts of the same message that are not in the result
	failed *bool    // the error flag, where the API has one
}

// standIn answers requests with the calls of a script.
type standIn struct {
	dialect dialect
	script  []*call
	keep    string // a folder for what is received, or empty

	mu       sync.Mutex
	requests [][]byte          // those about our tools
	results  map[string]result // as they were handed over first
	changed  map[string]bool   // calls whose result was another one later
	other    []string          // requests that are answered with an error
	problem  error
}

// newStandIn returns a stand-in that has the tools loaded and then makes the calls.
func newStandIn(d dialect, tools []string, calls []*call, keep string) *standIn {
	s := &standIn{dialect: d, keep: keep, results: map[string]result{}, changed: map[string]bool{}}
	if load := d.loading(tools); load != nil {
		s.script = append(s.script, load)
	}
	s.script = append(s.script, calls...)
	for i, c := range s.script {
		c.id = fmt.Sprintf("call_%03d", i)
	}
	return s
}

// ServeHTTP answers as the API of a model does.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if r.Method != http.MethodPost || r.URL.Path != s.dialect.path() {
		s.mu.Lock()
		s.other = append(s.other, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	events, err := s.answer(body)
	if err != nil {
		s.mu.Lock()
		s.problem = err
		s.mu.Unlock()
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		data, err := json.Marshal(e)
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e["type"], data); err != nil {
			return
		}
	}
}

// answer records what the request hands over and returns the events of what comes
// next.
func (s *standIn) answer(body []byte) ([]event, error) {
	read, err := s.dialect.read(body)
	if err != nil {
		return nil, err
	}
	if !read.offers {
		return s.dialect.ending(), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, body)
	if s.keep != "" {
		name := filepath.Join(s.keep, fmt.Sprintf("request-%03d.json", len(s.requests)))
		if err := os.WriteFile(name, body, 0o600); err != nil {
			return nil, err
		}
	}
	for _, c := range s.script {
		got, ok := read.results[c.id]
		if !ok {
			return s.dialect.calling(c), nil
		}
		first, known := s.results[c.id]
		switch {
		case !known:
			s.results[c.id] = got
		case !slices.Equal(first.parts, got.parts):
			s.changed[c.id] = true
		}
	}
	return s.dialect.ending(), nil
}

// texts returns all strings of a value that was JSON, as they are.
func texts(value any, yield func(text string)) {
	switch v := value.(type) {
	case string:
		yield(v)
	case []any:
		for _, item := range v {
			texts(item, yield)
		}
	case map[string]any:
		for _, item := range v {
			texts(item, yield)
		}
	}
}

// mentions reports whether a string of the value holds the text.
func mentions(value any, text string) bool {
	found := false
	texts(value, func(s string) { found = found || strings.Contains(s, text) })
	return found
}
