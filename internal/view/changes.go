package view

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/httpguard"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/undoing"
	"github.com/sectile/sectile/internal/viewing"
)

// recent is what happened lately to all documents.
type recent struct {
	shown   map[string]*undoing.Shown
	changes []undoing.Change
	before  map[string]viewing.Lately // of documents that were changed
}

// maxRecent is the number of changes that the page looks at.
const maxRecent = 200

// recently returns what happened lately.
func (s *site) recently(ctx context.Context, docs documents.Set) (*recent, error) {
	r := &recent{before: map[string]viewing.Lately{}}
	from := time.Now().Add(-lately)
	var err error
	if r.shown, err = s.History.Shown(ctx, docs, from); err != nil {
		return nil, err
	}
	if r.changes, err = s.History.Recent(ctx, docs, from, maxRecent); err != nil {
		return nil, err
	}
	for i := range r.changes {
		for _, f := range r.changes[i].Files {
			if _, known := r.before[f.Path]; known {
				continue
			}
			text, changed, err := s.History.Before(ctx, docs, f.Path, from)
			if err != nil {
				return nil, err
			}
			r.before[f.Path] = viewing.Lately{Before: text, Changed: changed}
		}
	}
	return r, nil
}

// of returns what happened to a document.
func (r *recent) of(path string) viewing.Lately {
	l := r.before[path]
	if shown := r.shown[path]; shown != nil {
		l.Hashes = shown.Hashes
	}
	return l
}

// reads returns the documents of which something was read, the last one first.
func (r *recent) reads() []readDocument {
	var list []readDocument
	for path, shown := range r.shown {
		d := readDocument{Path: path, Sections: len(shown.Selectors)}
		for _, at := range shown.Selectors {
			if at.After(d.Last) {
				d.Last = at
			}
		}
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b readDocument) int { return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.Path, b.Path)) })
	return list
}

// happened returns what happened lately to one document.
func (s *site) happened(ctx context.Context, docs documents.Set, path string) (l viewing.Lately, err error) {
	docs.Paths = []string{path}
	from := time.Now().Add(-lately)
	shown, err := s.History.Shown(ctx, docs, from)
	if err != nil {
		return l, err
	}
	for _, of := range shown {
		l.Hashes = of.Hashes
	}
	l.Before, l.Changed, err = s.History.Before(ctx, docs, path, from)
	return l, err
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
		p.Session, p.Command = list[i].Session, list[i].Command
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
	ctx := s.History.For(r.Context(), "", "view", nil)
	if _, err := s.History.Undo(ctx, docs, undoing.UndoRequest{ID: id}); err != nil {
		return nil, err
	}
	return &answer{to: "/changes?undone=" + url.QueryEscape(id)}, nil
}
