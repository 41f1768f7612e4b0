package view

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/httpguard"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/undoing"
	"github.com/sectile/sectile/internal/viewing"
)

// recent is what happened lately to some documents.
type recent struct {
	ctx     context.Context //nolint:containedctx // of the request that it belongs to
	shown   map[string]*undoing.Shown
	former  map[string]undoing.Former // of documents that were changed
	changes []undoing.Change

	mu  sync.Mutex
	err error // why a former text can't be had
}

// maxRecent is the number of changes that the page looks at.
const maxRecent = 200

// recently returns what happened lately to the documents.
func (s *site) recently(ctx context.Context, docs documents.Set) (r *recent, err error) {
	r = &recent{ctx: ctx}
	from := time.Now().Add(-lately)
	if r.shown, err = s.History.Shown(ctx, docs, from); err != nil {
		return nil, err
	}
	if r.changes, err = s.History.Recent(ctx, docs, from, maxRecent); err != nil {
		return nil, err
	}
	r.former, err = s.History.Before(ctx, docs, from)
	return r, err
}

// of returns what happened to a document. It is safe for concurrent use.
func (r *recent) of(path string) (l viewing.Lately) {
	if shown := r.shown[path]; shown != nil {
		l.Hashes = shown.Hashes
	}
	former, ok := r.former[path]
	if !ok {
		return l
	}
	var err error
	if l.Before, l.Changed, err = former.Text(r.ctx); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.err = err
	}
	return l
}

// survey returns documents with what happened to them.
func (r *recent) survey(docs documents.Set, names []string, sections bool) ([]viewing.Document, error) {
	list, err := viewing.Survey(r.ctx, docs, names, sections, r.of)
	return list, errors.Join(err, r.err)
}

// reads returns what was read of which document by whom, the last first.
func (r *recent) reads() []readDocument {
	var list []readDocument
	for path, shown := range r.shown {
		for by, to := range shown.By {
			list = append(list, readDocument{Path: path, Reader: by, Sections: len(to.Selectors), Last: to.Last})
		}
	}
	slices.SortFunc(list, func(a, b readDocument) int {
		return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.Path, b.Path), strings.Compare(a.Session, b.Session), strings.Compare(a.Client, b.Client))
	})
	return list
}

// changesPage is the list of what was changed and read.
type changesPage struct {
	frame

	Changes []undoing.Change
	Reads   []readDocument
	Undone  string // the change that was just taken back
}

// changes answers with the list of changes.
func (s *site) changes(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	recent, err := s.recently(r.Context(), docs)
	if err != nil {
		return nil, err
	}
	p := changesPage{frame: s.newFrame(r, "changes", "Changes"), Changes: recent.changes, Reads: recent.reads(), Undone: r.URL.Query().Get("undone")}
	p.Wide = true
	return &answer{template: "changes.html", data: p}, nil
}

// changePage is a change with its difference.
type changePage struct {
	frame
	undoing.Change

	Parts []diffPart
}

// diffPart is a line of a difference, and what it is: add, del, head, hunk or "".
type diffPart struct{ Class, Text string }

// change answers with the difference of a change.
func (s *site) change(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	id := r.URL.Query().Get("id")
	if id == "" {
		return nil, &replies.Error{Code: codeNotFound, Message: replies.Text("there is no change without an identifier")}
	}
	reply, err := s.History.List(r.Context(), docs, undoing.ListRequest{ID: id, JSON: true})
	if err != nil {
		return nil, err
	}
	p := changePage{frame: s.newFrame(r, "changes", "Change "+id)}
	p.Wide = true
	if err := json.Unmarshal(reply.Text, &p.Change); err != nil {
		return nil, err
	}
	list, err := s.History.Recent(r.Context(), docs, time.Now().Add(-lately), maxRecent)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(list, func(c undoing.Change) bool { return c.ID == p.ID }); i >= 0 { // who it was
		p.Client, p.Session, p.Command = list[i].Client, list[i].Session, list[i].Command
	}
	for text := range strings.Lines(p.Diff) {
		p.Parts = append(p.Parts, diffPart{classOf(text), replies.SafeLines(strings.TrimRight(text, "\r\n"))})
	}
	return &answer{template: "change.html", data: p}, nil
}

// classOf says what a line of a difference is.
func classOf(line string) string {
	switch {
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		return "head"
	case strings.HasPrefix(line, "@@"):
		return "hunk"
	case strings.HasPrefix(line, "+"):
		return "add"
	case strings.HasPrefix(line, "-"):
		return "del"
	}
	return ""
}

// undo takes a change back.
func (s *site) undo(r *http.Request) (*answer, error) {
	switch {
	case !s.Writes:
		return nil, &replies.Error{Code: "read_only", Message: replies.Text("this page only shows; start the server with --view-writes to take changes back here")}
	case !httpguard.HasFormToken(r):
		return nil, &replies.Error{Code: "permission", Message: replies.Text("the form is of another page, or of one that was opened before the server was started anew; reload it and try again")}
	}
	id := r.PostFormValue("id")
	if id == "" {
		return nil, &replies.Error{Code: codeNotFound, Message: replies.Text("there is no change without an identifier")}
	}
	docs, end := s.docs(r.Context())
	defer end()
	ctx := s.History.For(r.Context(), documents.Reader{}, "view", nil)
	if _, err := s.History.Undo(ctx, docs, undoing.UndoRequest{ID: id}); err != nil {
		return nil, err
	}
	return &answer{to: "/changes?undone=" + url.QueryEscape(id)}, nil
}
