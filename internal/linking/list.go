package linking

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Request asks for links.
type Request struct {
	// Broken keeps links that lead nowhere, and those that fit several documents.
	Broken bool
	// External asks for the links that lead out of the documents, and for no others.
	External bool
	// Orphans asks for the documents to which no other one links, in place of links.
	Orphans bool
	// To keeps links that lead to a document, "docs/a.md", by whatever anchor, or to a place in it,
	// "docs/a.md#install", or on lines of it, "docs/a.md:5" and "docs/a.md:5-16".
	To string
	// Everywhere asks for the links of all documents of a workspace, whichever are named, and tells
	// of roots and folders whose documents can't be found.
	Everywhere bool
	// Graph asks for what links to what: "dot", "mermaid" or "json"; empty for the links.
	Graph string
	// Format is "github" for annotations of its checks, of broken links alone, empty for text.
	Format string
	JSON   bool // an object a line
	// Tells asks for documents that can't be read in the text too, before the links of the
	// first page.
	Tells bool
	// Structured asks for the links of the page as objects, beside the text.
	Structured bool

	// Cursor is where the page before ended, empty for the first; Max the largest number of
	// links of a page, 0 for all; MaxChars the largest number of characters of the reply,
	// 0 for any number.
	Cursor   string
	Max      int
	MaxChars int
}

// link is a link of a request with what it leads to.
type link struct {
	page   *links.Page
	link   *links.Link
	target links.Target
}

// Result is what was found.
type Result struct {
	Documents int              // that were read
	Links     int              // that were judged
	Broken    int              // links among them that lead nowhere, or fit several documents
	Unknown   int              // links that can't be judged
	Shown     int              // links or documents of the reply
	Failed    int              // documents that can't be read
	Unread    []*replies.Error // the first of them; if the text tells of them, those of the page
	Next      string           // the cursor of the page after this one; empty if there is none
	Items     []json.RawMessage
}

// Summary tells how many links there are, on a line without an end.
func (res *Result) Summary(req *Request) string {
	among := replies.Plural(res.Documents, "document")
	text := fmt.Sprintf("%s in %s: %d broken, %d unknown", replies.Plural(res.Links, "link"), among, res.Broken, res.Unknown)
	switch {
	case req.Orphans:
		text = replies.Plural(res.Shown, "document") + " of " + among + " without a link from another one"
	case req.External || req.To != "":
		text = replies.Plural(res.Shown, "link") + " of " + among
	}
	if res.Failed > 0 {
		text += "; " + replies.Plural(res.Failed, "document") + " can't be read"
	}
	return text
}

// check says what is wrong with a request.
func (r *Request) check() error {
	wrong := func(format string, values ...any) error {
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(format, values...)}
	}
	chosen := 0
	for _, is := range []bool{r.Broken, r.External, r.Orphans} {
		if is {
			chosen++
		}
	}
	switch {
	case r.Graph != "" && !slices.Contains(Graphs(), r.Graph):
		return wrong("there is no graph %q; it is one of %s", replies.Clip(r.Graph, replies.MaxShown), strings.Join(Graphs(), ", "))
	case r.JSON && r.Graph != "" && r.Graph != graphJSON:
		return wrong("the graph %s is no JSON; ask for the graph %s, or for %s alone", r.Graph, graphJSON, r.Graph)
	case r.Format != "" && r.Format != formatGitHub:
		return wrong("there is no format %q; the only one is %s", replies.Clip(r.Format, replies.MaxShown), formatGitHub)
	case r.Format != "" && (r.JSON || r.Graph != "" || r.Orphans || r.External):
		return wrong("the format %s is for broken links alone; leave it out, or what else was asked for", r.Format)
	case chosen > 1 || r.Graph != "" && chosen > 0:
		return wrong("only one of broken, external, orphans and graph can be asked for")
	case r.Orphans && r.To != "":
		return wrong("orphans are documents that nothing links to; ask for them without an address")
	}
	return nil
}

// Links answers a request about the documents in docs. Emit is called with the parts of the
// reply in order, failed with documents that can't be read. The error is an *Error, or that
// of emit or failed.
func Links(ctx context.Context, docs documents.Set, req *Request, emit func([]byte) error, failed func(*replies.Error) error) (*Result, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	var unlisted []*replies.Error
	if req.Everywhere {
		docs, unlisted = docs.All(ctx)
	}
	s, err := newScan(ctx, docs, together)
	if err != nil {
		return nil, err
	}
	res := &Result{}
	unread := func(e *replies.Error) error {
		if res.Failed++; res.Failed <= maxPlaces {
			res.Unread = append(res.Unread, e)
		}
		return failed(e)
	}
	for _, e := range unlisted {
		if err := unread(e); err != nil {
			return nil, err
		}
	}
	if err := s.read(ctx, unread); err != nil {
		return nil, err
	}
	res.Documents = len(s.pages)
	list, err := s.list(ctx, req, res)
	if err != nil {
		return nil, err
	}
	switch {
	case req.Orphans:
		return res, emit(s.orphans(list, req, res))
	case req.Graph != "":
		res.Shown = len(list)
		return res, emit(s.graph(list, req.Graph))
	}
	return res, s.write(list, req, res, emit)
}

// list returns the links that are asked for, in the order of documents and of each.
func (s *scan) list(ctx context.Context, req *Request, res *Result) ([]link, error) {
	to, err := s.addressed(req.To)
	if err != nil {
		return nil, err
	}
	var list []link
	only := req.Broken || req.Format == formatGitHub
	for _, page := range s.pages {
		for i := range page.Links {
			if err := ctx.Err(); err != nil { // one link may take the system a while, through symbolic links
				return nil, err
			}
			l := link{page, &page.Links[i], s.set.Resolve(page, &page.Links[i])}
			fits := to == nil || to.fits(&l.target)
			bad := fits && (l.target.Status == links.Broken || l.target.Status == links.Ambiguous)
			if l.target.Status != links.External {
				res.Links++
			}
			if bad {
				res.Broken++
			}
			if l.target.Status == links.Unknown {
				res.Unknown++
			}
			external := l.target.Status == links.External
			if external == req.External && (!only || bad) && fits {
				list = append(list, l)
			}
		}
	}
	return list, nil
}

// addressee is what links shall lead to.
type addressee struct {
	path  string
	place bool
	block int
	lines markdown.Lines // in place of one block; 0 for none
	heads map[int]bool   // the blocks of the headings on the lines, which names just before them name too
}

// fits reports whether a target is what links shall lead to.
func (a *addressee) fits(t *links.Target) bool {
	switch {
	case t.Path != a.path:
		return false
	case !a.place:
		return t.Reaches()
	case t.Status != links.OK || t.Place == nil:
		return false
	case a.lines.First > 0:
		return a.lines.First <= t.Place.Line && t.Place.Line <= a.lines.Last || a.heads[t.Place.Block]
	}
	return t.Place.Block == a.block
}

// addressed returns what an address of a document, or of a place in one, stands for; nil
// for no address.
func (s *scan) addressed(to string) (*addressee, error) {
	if to == "" {
		return nil, nil
	}
	if file, l, ok := replies.CutPlace(to); ok && !s.isDocument(to) && s.isThere(file) {
		a := &addressee{path: s.own(s.inSet(file)), place: true, lines: l, heads: map[int]bool{}}
		for _, p := range s.set.PlacesAt(a.path) {
			isHeading := p.Kind == address.HeadingPlace || p.Kind == address.AttributePlace
			if isHeading && l.First <= p.Line && p.Line <= l.Last {
				a.heads[p.Block] = true
			}
		}
		return a, nil
	}
	name, fragment, has := s.cutFragment(to)
	if name == "" {
		shown := replies.Clip(to, replies.MaxShown)
		return nil, replies.Invalid(replies.Say("%s is a place in no document; name that too, as docs/a.md%s", shown, shown))
	}
	in := s.own(s.inSet(name))
	d := links.ParseDestination("#" + fragment)
	d.HasFragment = has
	t := s.set.ResolveDestination(in, d)
	switch {
	case !s.isThere(name):
		return nil, &replies.Error{Code: replies.CodeFileNotFound, Path: replies.DisplayPath(name), Message: replies.Say("no such document; links lead to documents, or to places in them, as docs/a.md#install or docs/a.md:5")}
	case t.Status == links.Broken && t.Reason != links.OtherForm:
		e := &replies.Error{Code: codeHeadingNotFound, Path: replies.DisplayPath(name), Message: replies.Say("no heading has the anchor %q", "#"+replies.Clip(fragment, replies.MaxShown))}
		if near := s.nearest(&t, "#"+fragment); near != "" {
			e.Message = e.Message.Then("; did you mean %s?", replies.Safe(near))
		}
		return nil, e
	}
	a := &addressee{path: in}
	if t.Place != nil {
		a.place, a.block = true, t.Place.Block
	}
	return a, nil
}

// cutFragment returns the document that an addressee is or begins with, and what stands behind the '#'
// after it: names may have such signs too.
func (s *scan) cutFragment(to string) (name, fragment string, has bool) {
	if s.isDocument(to) {
		return to, "", false
	}
	for i := range len(to) {
		if to[i] == '#' && i > 0 && s.isDocument(to[:i]) {
			return to[:i], to[i+1:], true
		}
	}
	return strings.Cut(to, "#")
}

// isDocument reports whether one of the documents is at a path of the system.
func (s *scan) isDocument(path string) bool { return s.set.Page(s.inSet(path)) != nil }

// isThere reports whether something is at a path of the system, or nobody may look.
func (s *scan) isThere(path string) bool {
	return s.isDocument(path) || s.look(s.inSet(path)) != links.Nothing
}

const codeHeadingNotFound = "heading_not_found"

// orphans renders the documents to which no other one links; those that stand for their
// folder are read without a link.
func (s *scan) orphans(list []link, req *Request, res *Result) []byte {
	linked := map[string]bool{}
	for i := range list {
		if list[i].target.Path != list[i].page.Path {
			linked[list[i].target.Path] = true
		}
	}
	var text []byte
	for _, p := range s.pages {
		base := strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path))
		if linked[p.Path] || strings.EqualFold(base, "readme") || strings.EqualFold(base, "index") {
			continue
		}
		res.Shown++
		if req.JSON {
			text = replies.AppendJSON(text, map[string]string{"file_path": s.path(p.Path)})
		} else {
			text = append(append(text, replies.Safe(s.path(p.Path))...), '\n')
		}
	}
	return text
}
