package view

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/undoing"
	"github.com/sectile/sectile/internal/viewing"
)

// homePage is the first page: all documents, and what happened lately.
type homePage struct {
	frame

	Documents int
	Totals    *totals // nil if all documents would have to be opened to know them
	Tree      *folder
	Changes   []toldChange
	Reads     []readDocument
	Unread    unread
	Readme    string // the address of what introduces the documents; empty for none
}

// totals are counts of all documents.
type totals struct {
	viewing.Tally

	Documents, Words int
}

// add counts a document.
func (t *totals) add(d *viewing.Document) {
	t.Documents++
	t.Words += d.Words
	t.All += d.Units.All
	t.Shown += d.Units.Shown
	t.Changed += d.Units.Changed
}

// totalsOf counts documents.
func totalsOf(list []viewing.Document) *totals {
	t := &totals{}
	for i := range list {
		t.add(&list[i])
	}
	return t
}

// unread are documents that can't be read, of those that were opened, and folders that can't be
// looked into: they may hold what a page says there is none of.
type unread struct {
	Count int
	First []viewing.Document
}

// add adds one.
func (u *unread) add(path, problem string) {
	if u.Count++; len(u.First) < maxFeed {
		u.First = append(u.First, viewing.Document{Path: path, Problem: problem})
	}
}

// unreadOf returns what has a problem.
func unreadOf(lists ...[]viewing.Document) (u unread) {
	for _, list := range lists {
		for i := range list {
			if list[i].Problem != "" {
				u.add(list[i].Path, list[i].Problem)
			}
		}
	}
	return u
}

// readDocument is a document of which somebody read something lately.
type readDocument struct {
	documents.Reader

	toldSections

	Path  string
	Count int  // of the sections that were read
	All   bool // the document has no others
	Since int  // sections that have changed since, or are gone
	Last  time.Time
	shown *undoing.ShownTo
}

// maxFeed is the number of lines of what happened lately.
const maxFeed = 8

// home answers with the first page.
func (s *site) home(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	names, missing, err := viewing.Names(r.Context(), docs)
	if err != nil {
		return nil, err
	}
	recent := s.recently(r.Context(), docs)
	p := homePage{frame: s.newFrame(r, "read", ""), Documents: len(names), Tree: treeOf(named(names))}
	p.Title = p.Name
	p.Tree.list(0)
	p.Tree.mark(recent)
	few := len(names) <= maxAllOpen
	if !few {
		names = p.Tree.listed()
	}
	list, err := recent.survey(docs, names, false)
	if err != nil {
		return nil, err
	}
	p.Tree.open(list)
	if few {
		p.Totals = totalsOf(list)
	}
	p.Unread = unreadOf(missing, list)
	for i := range list {
		if strings.EqualFold(list[i].Path, "README.md") {
			p.Readme = list[i].Path
		}
	}
	if p.Changes, err = recent.told(recent.changes[:min(maxFeed, len(recent.changes))]); err != nil {
		return nil, err
	}
	if p.Reads, _, err = recent.reads(docs, maxFeed); err != nil {
		return nil, err
	}
	p.Trouble = s.troubleOf(recent)
	return &answer{template: "home.html", data: p}, nil
}

// totalsPage is what all documents hold.
type totalsPage struct {
	frame

	Totals *totals
	Unread unread
}

// totals answers with counts of all documents, each of which is opened for that.
func (s *site) totals(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	list, missing, _, err := s.everything(r, docs, false)
	if err != nil {
		return nil, err
	}
	p := totalsPage{frame: s.newFrame(r, "read", "All documents"), Totals: totalsOf(list), Unread: unreadOf(missing, list)}
	p.Live, p.Wide = "", true
	return &answer{template: "totals.html", data: p}, nil
}

// everything returns all documents with what happened to them lately, and what can't be looked at.
func (s *site) everything(r *http.Request, docs documents.Set, sections bool) (list, missing []viewing.Document, lately *recent, err error) {
	names, missing, err := viewing.Names(r.Context(), docs)
	if err != nil {
		return nil, nil, nil, err
	}
	lately = s.recently(r.Context(), docs)
	list, err = lately.survey(docs, names, sections)
	return list, missing, lately, err
}

// readPage is a document with a section of it.
type readPage struct {
	frame
	*viewing.Page

	Title   string // of the page
	Content []template.HTML
	Changes []toldChange // the newest
	All     string       // how many there are
	Editor  template.URL
	Toggle  string // the address of this page with the source, or without
	Beside  bool   // the source is shown
	Links   string // the address of the links that lead here
}

// From returns the address of this page with its source from a line on.
func (p *readPage) From(line int) string { return p.Toggle + "&source=" + strconv.Itoa(line) }

// linksPage is links from elsewhere to a document or a section.
type linksPage struct {
	frame

	Path, At string
	Section  string // its title
	Links    []backlink
	More     int // links that are not listed
	Unread   unread
}

// backlink is a link from elsewhere to what is shown.
type backlink struct {
	Path string `json:"file_path"`
	Line int    `json:"line"`
}

// At returns the address of the line that the link stands on.
func (b backlink) At() string { return "L" + strconv.Itoa(b.Line) }

// maxBacklinks is the number of links that are listed.
const maxBacklinks = 20

// read answers with a section of a document.
func (s *site) read(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	query := r.URL.Query()
	path, at, beside := query.Get("path"), query.Get("at"), query.Get("source") != ""
	source := 0
	if beside {
		source = max(1, numberOf(query.Get("source")))
	}
	about := docs
	about.Paths = []string{path}
	recent := s.recently(r.Context(), about)
	recent.look(path)
	page, err := viewing.Read(r.Context(), docs, viewing.SectionRequest{Path: path, At: at, Source: source, Lately: recent.of(path), Pages: pages})
	if err != nil {
		return nil, err
	}
	p := readPage{
		frame: s.newFrame(r, "read", ""), Page: page, Title: page.Title, Beside: beside, Toggle: readPath(path, at),
		Editor: s.editorLink(page.Path, page.First),
	}
	for _, piece := range page.HTML {
		p.Content = append(p.Content, template.HTML(piece)) //nolint:gosec // package render has left no HTML of the document in it
	}
	if page.Section != nil {
		p.Title = page.Section.Title + " · " + page.Title
	}
	p.Links = strings.Replace(p.Toggle, "/read", "/links", 1)
	if !beside {
		p.Toggle += "&source=1"
	}
	p.Live += "?path=" + template.URLQueryEscaper(path)
	if p.Changes, err = recent.told(recent.changes[:min(maxFeed, len(recent.changes))]); err != nil {
		return nil, err
	}
	if p.All = count(len(recent.changes)); recent.older {
		p.All = "more than " + p.All
	}
	p.Trouble = s.troubleOf(recent)
	return &answer{template: "read.html", data: &p}, nil
}

// numberOf returns a number of an address, which is of a line or of a document; what is none is 0.
func numberOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return min(max(n, 0), 1<<30)
}

// links answers with the links from other documents to one, or to a section of it. All documents
// are read for that, so it is a page of its own, which the script puts below the other one.
func (s *site) links(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	query := r.URL.Query()
	page, err := viewing.Read(r.Context(), docs, viewing.SectionRequest{Path: query.Get("path"), At: query.Get("at")})
	if err != nil {
		return nil, err
	}
	p := linksPage{frame: s.newFrame(r, "read", "Links to "+page.Title), Path: page.Path}
	p.Live, p.Wide = "", true
	to := page.Path
	if page.Section != nil {
		p.At, p.Section = page.Section.At, page.Section.Title
		if !strings.HasPrefix(p.At, "#") { // its heading has no name that a link could have
			return &answer{template: "links.html", data: p}, nil
		}
		to += p.At
	}
	found, err := linking.Links(r.Context(), docs, &linking.Request{To: to, JSON: true, Everywhere: true}, func(text []byte) error {
		for line := range bytes.Lines(text) { // a link each
			var b backlink
			if err := json.Unmarshal(line, &b); err != nil {
				return err
			}
			switch {
			case b.Path == page.Path || slices.Contains(p.Links, b):
			case len(p.Links) == maxBacklinks:
				p.More++
			default:
				p.Links = append(p.Links, b)
			}
		}
		return nil
	}, func(*replies.Error) error { return nil })
	if err != nil {
		return nil, err
	}
	for _, e := range found.Unread {
		p.Unread.add(e.Path, e.Message.String())
	}
	p.Unread.Count = found.Failed
	return &answer{template: "links.html", data: p}, nil
}

// planPage is the plan of the project.
type planPage struct {
	frame

	Content template.HTML
	Origin  string
}

// plan answers with the plan.
func (s *site) plan(r *http.Request) (*answer, error) {
	body, origin, err := s.Plans.ExportBody(r.Context())
	if err != nil {
		return nil, err
	}
	p := planPage{frame: s.newFrame(r, "plan", "Plan"), Content: template.HTML(body), Origin: origin} //nolint:gosec // package planning has escaped all texts of the plan
	p.Live, p.Wide = "/events?plan=1", true
	return &answer{template: "plan.html", data: p}, nil
}
