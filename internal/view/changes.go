package view

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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
	docs    documents.Set   // as it opens them
	shown   map[string]*undoing.Shown
	former  map[string]documents.Stored // what documents that were changed held before
	before  map[string]map[string]bool  // the hashes of their sections then, of those that were looked at
	taken   documents.Taken             // by these
	changes []undoing.RecentChange
	older   bool     // there are more than maxRecent
	trouble error    // why not all of it can be told; documents are shown all the same
	left    []string // sentences of what isn't told, each without its end: it is too much, or forgotten
	tooMuch bool     // a document is among these, and the others needn't be
}

// maxRecent is the number of changes that the page looks at.
const maxRecent = 200

// recently returns what happened lately to the documents, as far as the journal can be read.
func (s *site) recently(ctx context.Context, docs documents.Set) *recent {
	r := &recent{ctx: ctx, docs: docs, before: map[string]map[string]bool{}}
	from := time.Now().Add(-lately)
	var err error
	var partly time.Time
	r.shown, partly, err = s.History.Shown(ctx, docs, from, &r.taken)
	r.missed(err)
	if !partly.IsZero() {
		if now := time.Now(); partly.After(now) {
			partly = now
		}
		r.left = append(r.left, "Only a part is told of what was read before "+clock(partly)+": it is more than is looked at, or than there is memory for")
	}
	r.changes, err = s.History.Recent(ctx, docs, from, maxRecent+1)
	if r.older = len(r.changes) > maxRecent; r.older {
		r.changes = r.changes[:maxRecent]
	}
	r.missed(err)
	var forgotten time.Time
	r.former, forgotten, err = s.History.Before(ctx, docs, from)
	r.missed(err)
	if !forgotten.IsZero() {
		r.left = append(r.left, "Changes up to "+clock(forgotten)+" may be missing: the journal no longer has all of them")
	}
	return r
}

// missed notes why something can't be told, unless something is noted already.
func (r *recent) missed(err error) {
	if r.trouble == nil {
		r.trouble = err
	}
}

// missedOf notes the same of what a document held before.
func (r *recent) missedOf(path string, err error) {
	if err == nil || undoing.IsGone(err) {
		return
	}
	switch e := replies.AsError(err); {
	case e.Code != replies.CodeTooComplex:
		r.missed(err)
	case !r.tooMuch:
		r.tooMuch = true
		r.left = append(r.left, "What "+path+" held before a change was left out: "+e.Message.String())
	}
}

// trouble is why what happened lately can't be told, or not all of it.
type trouble struct {
	Part    bool
	Message string
	Dir     string // the folder of the journal, if it can't be read
}

// troubleOf returns what a page tells of it, nil for nothing.
func (s *site) troubleOf(r *recent) *trouble {
	switch {
	case r.trouble != nil:
		return &trouble{false, replies.AsError(r.trouble).Message.String(), s.History.Dir()}
	case len(r.left) > 0:
		return &trouble{true, strings.Join(r.left, ". "), ""}
	}
	return nil
}

// of returns what happened to a document that was looked at. It is safe for concurrent use.
func (r *recent) of(path string) (l viewing.Lately) {
	if shown := r.shown[path]; shown != nil {
		l.Hashes = shown.Hashes
	}
	l.Before = r.before[path]
	return l
}

// look finds what documents held before they were changed, as far as there is memory for it. None
// of them may be open yet.
func (r *recent) look(names ...string) {
	for _, name := range names {
		former, changed := r.former[name]
		if !changed {
			continue
		}
		if r.ctx.Err() != nil {
			return
		}
		hashes, err := viewing.Hashes(r.docs.Work, former, &r.taken)
		r.missedOf(name, err)
		r.before[name] = hashes
	}
}

// survey returns documents with what happened to them.
func (r *recent) survey(docs documents.Set, names []string, sections bool) ([]viewing.Document, error) {
	r.look(names...)
	return viewing.Survey(r.ctx, docs, names, sections, r.of)
}

// What is told of the sections that were changed or read: opening documents for that costs time,
// and nobody reads all of a long list.
const (
	maxDetailed = 25  // changes, and documents that were read, whose sections are told
	maxNamed    = 8   // sections, and files of a change, that are named
	maxReads    = 200 // documents that were read
)

// toldChange is a change as it is listed.
type toldChange struct {
	undoing.Change

	Files []toldFile
	More  int // files that are not in Files
}

// toldFile is a file of a change, with the sections that it has touched.
type toldFile struct {
	Path, Change string
	Undone       bool
	toldSections
}

// toldSections are sections that are named.
type toldSections struct {
	Sections []viewing.Touched
	Others   int // that are not named
}

// namedSections returns the first of some sections, as those that are named.
func namedSections(list []viewing.Touched) toldSections {
	n := min(len(list), maxNamed)
	return toldSections{list[:n], len(list) - n}
}

// told returns changes as they are listed.
func (r *recent) told(list []undoing.RecentChange) ([]toldChange, error) {
	told := make([]toldChange, len(list))
	for i := range list {
		c := &list[i]
		t := toldChange{Change: c.Change, More: c.More + max(0, len(c.Files)-maxNamed)}
		for n, f := range c.Files[:min(len(c.Files), maxNamed)] {
			line := toldFile{Path: f.Path, Change: f.Change, Undone: f.Undone}
			if i < maxDetailed && f.Change == "change" {
				before, after := c.Texts(r.ctx, n)
				touched, err := viewing.Changes(r.docs.Work, f.Path, before, after)
				if r.ctx.Err() != nil {
					return nil, r.ctx.Err()
				}
				r.missedOf(f.Path, err)
				line.toldSections = namedSections(touched)
			}
			t.Files = append(t.Files, line)
		}
		told[i] = t
	}
	return told, nil
}

// reads returns what was read of which document by whom, the last first, and how many documents
// are left out.
func (r *recent) reads(docs documents.Set, most int) (list []readDocument, more int, err error) {
	for path, shown := range r.shown {
		for by, to := range shown.By {
			list = append(list, readDocument{Path: path, Reader: by, Count: len(to.Sections), Last: to.Last, shown: to})
		}
	}
	slices.SortFunc(list, func(a, b readDocument) int {
		return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.Path, b.Path), strings.Compare(a.Session, b.Session), strings.Compare(a.Client, b.Client))
	})
	more = max(0, len(list)-most)
	list = list[:len(list)-more]
	for i := range list[:min(len(list), maxDetailed)] {
		d := &list[i]
		hashes := map[string]bool{}
		for _, hash := range d.shown.Sections {
			hashes[hash] = true
		}
		sections, all, err := viewing.Which(r.ctx, docs, d.Path, hashes)
		switch {
		case r.ctx.Err() != nil:
			return nil, 0, r.ctx.Err()
		case err != nil: // it has gone, or can't be read any more
			continue
		case all && len(sections) > 0:
			d.All = true
		default:
			d.toldSections = namedSections(sections)
		}
		d.Since = max(0, d.Count-len(sections))
	}
	return list, more, nil
}

// changesPage is the list of what was changed and read.
type changesPage struct {
	frame

	Changes []toldChange
	Older   bool // changes of that time are left out, the oldest
	Reads   []readDocument
	More    int // documents that were read and are not listed
	// Undone is the change that the address says was taken back, as long as it is; nil for none.
	Undone   *toldChange
	Warnings []string // of what was just taken back
}

// changes answers with the list of changes.
func (s *site) changes(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	recent := s.recently(r.Context(), docs)
	p := changesPage{frame: s.newFrame(r, "changes", "Changes")}
	err := s.Workspace.FileRoots().Replaced() // whose changes are not seen
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	if p.Changes, err = recent.told(recent.changes); err != nil {
		return nil, err
	}
	if p.Reads, p.More, err = recent.reads(docs, maxReads); err != nil {
		return nil, err
	}
	undone := r.URL.Query().Get("undone")
	if i := slices.IndexFunc(p.Changes, func(c toldChange) bool { return c.ID == undone }); i >= 0 {
		if c := &p.Changes[i]; c.IsUndone() { // it may have been made again since
			p.Undone = c
		}
		p.Warnings = s.last.warningsOf(undone)
	}
	p.Wide, p.Trouble, p.Older = true, s.troubleOf(recent), recent.older
	return &answer{template: "changes.html", data: p}, nil
}

// changePage is a change with its difference.
type changePage struct {
	frame
	toldChange

	Parts        []diffPart
	First, Last  int    // of the lines of the difference that are shown, counted from 1
	Lines        int    // all of it
	Before, Next string // the addresses of those before and behind; empty for none
}

// maxDiffLines is how many lines of a difference are shown at once.
const maxDiffLines = 2000

// page notes which lines of the difference are shown: from one on, which counts from 0.
func (p *changePage) page(from int) {
	at := func(n int) string { return fmt.Sprintf("/change?id=%s&from=%d", url.QueryEscape(p.ID), n) }
	p.First, p.Last, p.Lines = from+1, from+len(p.Parts), p.Change.Lines
	if from > 0 {
		p.Before = at(max(0, from-maxDiffLines))
	}
	if p.Last < p.Lines {
		p.Next = at(p.Last)
	}
}

// diffPart is a line of a difference, and what it is: add, del, head, hunk or "".
type diffPart struct{ Class, Text string }

// change answers with the difference of a change.
func (s *site) change(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	id, from := r.URL.Query().Get("id"), numberOf(r.URL.Query().Get("from"))
	if id == "" {
		return nil, &replies.Error{Code: codeNotFound, Message: replies.Text("there is no change without an identifier")}
	}
	reply, err := s.History.List(r.Context(), docs, undoing.ListRequest{ID: id, FirstLine: from, MaxLines: maxDiffLines, JSON: true})
	if err != nil {
		return nil, err
	}
	p := changePage{frame: s.newFrame(r, "changes", "Change "+id)}
	p.Wide = true
	var c undoing.Change
	if err := json.Unmarshal(reply.Text, &c); err != nil {
		return nil, err
	}
	p.toldChange = toldChange{Change: c, More: c.More}
	for _, f := range c.Files {
		p.Files = append(p.Files, toldFile{Path: f.Path, Change: f.Change, Undone: f.Undone})
	}
	recent := s.recently(r.Context(), docs)
	if i := slices.IndexFunc(recent.changes, func(c undoing.RecentChange) bool { return c.ID == p.ID }); i >= 0 { // who it was
		one, err := recent.told(recent.changes[i : i+1])
		if err != nil {
			return nil, err
		}
		p.Client, p.Session, p.Command = one[0].Client, one[0].Session, one[0].Command
		copy(p.Files, one[0].Files)
	}
	if c.Diff != "" {
		p.Parts = partsOf(strings.Split(strings.TrimRight(c.Diff, "\r\n"), "\n"))
		p.page(from)
	}
	return &answer{template: "change.html", data: &p}, nil
}

// partsOf returns the lines of a difference.
func partsOf(lines []string) (parts []diffPart) {
	for _, line := range lines {
		parts = append(parts, diffPart{classOf(line), replies.SafeLines(strings.TrimRight(line, "\r"))})
	}
	return parts
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

// lastUndo is the change that was taken back last by the page, and what is to be told of that: it is
// kept here, for an address can be written by anybody.
type lastUndo struct {
	mu       sync.Mutex
	id       string
	warnings []string
}

func (l *lastUndo) set(id string, warnings []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.id, l.warnings = id, warnings
}

func (l *lastUndo) warningsOf(id string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.id != id {
		return nil
	}
	return l.warnings
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
	done, err := s.History.Undo(ctx, docs, undoing.UndoRequest{ID: id})
	if err != nil {
		return nil, err
	}
	s.last.set(id, done.Warnings)
	return &answer{to: "/changes?undone=" + url.QueryEscape(id)}, nil
}

// takesBack is a form that takes a change back.
type takesBack struct {
	Token, ID string
	IsUndo    bool // the change is one, so that this is a redo
	Strong    bool // the page is about that change
}

// undoForm returns the form for a change.
func undoForm(token, id string, isUndo, strong bool) takesBack {
	return takesBack{token, id, isUndo, strong}
}
