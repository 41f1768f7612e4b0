package linking

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/syntax"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Place is where a link stands.
type Place struct {
	FilePath    string
	Line        int
	Destination string
}

// Locate sets the path and the options of a renaming in the one document in docs, however that
// is named: by them it is told which links lead to the document itself.
func Locate(ctx context.Context, docs documents.Set, r *links.Renaming) error {
	s, err := newScan(ctx, docs, alone)
	if err != nil {
		return err
	}
	r.Path, r.Options = s.inSet(s.docs.Paths[0]), s.options
	return nil
}

// Elsewhere returns the links of other documents that lead to the one document in docs and
// would lead elsewhere after a renaming in it, in the order of their paths: of those below
// the same root, in the same project, or in the same folder outside of it. Locate has said
// where the document lies. The error is an *Error or the context's; if there are no links, it
// names the first documents that can't be read, for any of them may hold some.
func Elsewhere(ctx context.Context, docs documents.Set, r *links.Renaming) (found Strayed, err error) {
	s, err := newScan(ctx, docs, alone)
	if err == nil {
		err = s.elsewhere(ctx, s.after([]*links.Renaming{r}), links.Renamings{r.Path: r}, &found)
	}
	return found, err
}

// Strayed are links that lead elsewhere after a change.
type Strayed struct {
	Places   []Place
	untaken  bool                                // whether a rename would not have taken all of them along
	retitled map[*links.Renaming]*links.Retitled // of the documents that they led to
}

// Retitled reports whether there are links, and renames would have taken all of them along.
func (f *Strayed) Retitled() bool { return len(f.Places) > 0 && !f.untaken }

// add adds a link of the document at a path, by its target before the change.
func (f *Strayed) add(at string, l *links.Link, t *links.Target, all links.Renamings) {
	f.Places = append(f.Places, Place{at, l.Line, l.Destination})
	if f.untaken {
		return
	}
	r := all[t.Path]
	if f.retitled == nil {
		f.retitled = map[*links.Renaming]*links.Retitled{}
	}
	if f.retitled[r] == nil {
		f.retitled[r] = r.Retitled()
	}
	f.untaken = !f.retitled[r].Takes(t.Place)
}

// after adds documents that are renamed, or renamed in, to the set as they were, and returns the
// set of them as they are.
func (s *scan) after(all []*links.Renaming) *links.Set {
	is := links.NewSet(s.options)
	for _, r := range all {
		s.set.Add(links.NewPage(r.Path, r.Before))
		if r.After != nil {
			is.Add(links.NewPage(r.Path, r.After))
		}
	}
	return is
}

// elsewhere finds the links of documents that aren't in the set to those that are renamed, or
// renamed in, which are in it as they were, and in the other set as they are.
func (s *scan) elsewhere(ctx context.Context, is *links.Set, all links.Renamings, found *Strayed) error {
	var mu sync.Mutex
	others, unread := s.others(ctx)
	n := len(found.Places)
	err := others.Each(ctx, documents.Renderer{Document: func(dst []byte, doc *markdown.Document, at string) ([]byte, error) {
		in := s.inSet(at)
		if s.set.Page(in) != nil || !mayLink(doc.Source) {
			return dst, nil
		}
		page, err := s.page(in, doc)
		if err != nil {
			return dst, err
		}
		broken := all.Broken(s.set, is, page)
		mu.Lock()
		defer mu.Unlock()
		for _, i := range broken {
			t := s.set.Resolve(page, &page.Links[i])
			found.add(at, &page.Links[i], &t, all)
		}
		return dst, nil
	}}, func(part documents.Part) error {
		unread = append(unread, slices.DeleteFunc(part.Errors, isGone)...)
		return nil
	})
	if err == nil && len(found.Places) == n && len(unread) > 0 {
		err = unreadable(unread)
	}
	slices.SortStableFunc(found.Places[n:], func(a, b Place) int { return strings.Compare(a.FilePath, b.FilePath) })
	return err
}

// isGone reports whether an error says that nothing is at the path any more, or no document in the
// folder, so that no link stands there. What has a path that the system doesn't take is there, and is
// called not found as well.
func isGone(e *replies.Error) bool {
	return e.Code == string(fileerror.NoMatches) || errors.Is(e, fs.ErrNotExist) || errors.Is(e, syscall.ENOTDIR) || errors.Is(e, syscall.ELOOP)
}

// unreadable returns the error for a renaming, when other documents can't be read.
func unreadable(all []*replies.Error) *replies.Error {
	first := all[0]
	e := &replies.Error{Code: first.Code, Path: first.Path, Err: first}
	e.Message = first.Message.Then("; links in it may lead to what is renamed, so mend this, or rename with %s", replies.Given{Arg: replies.Links, Value: LeaveLinks})
	for i, other := range all[1:] {
		if i == maxPlaces {
			e.Details = append(e.Details, "and "+replies.Plural(len(all)-1-i, "more document")+" that can't be read")
			break
		}
		e.Details = append(e.Details, replies.Safe(other.Path)+" can't be read either")
	}
	return e
}

// mayLink reports whether there may be a link in a source that leads to a document. By which name
// it does isn't to be seen, for symbolic links and indexes of folders have others.
func mayLink(src []byte) bool { return bytes.ContainsAny(src, "[<") }

// others returns all documents of the same roots, and why some can't be read that are there; or those
// of the project, and of the folder of each document that lies outside of the project.
func (s *scan) others(ctx context.Context) (all documents.Set, unread []*replies.Error) {
	all = s.docs
	if w := s.docs.Workspace; w != nil {
		all.Paths = nil
		s.mu.Lock()
		defer s.mu.Unlock()
		for path, err := range w.FileRoots().Find(ctx) {
			if err != nil {
				unread = append(unread, replies.ErrorAbout(path, err))
				continue
			}
			all.Paths = append(all.Paths, path)
			in := s.inSet(path) // which was found by no link
			s.seen[in] = sight{entry: links.File, own: in}
		}
		return all, slices.DeleteFunc(unread, isGone)
	}
	var folders []string
	for _, path := range s.docs.Paths {
		folder, abs := s.project, s.absolute(path)
		if !below(folder, abs) {
			folder = filepath.Dir(abs)
		}
		if slices.ContainsFunc(folders, func(around string) bool { return below(around, folder) }) {
			continue
		}
		folders = append(slices.DeleteFunc(folders, func(inside string) bool { return below(folder, inside) }), folder)
	}
	all.Paths = nil
	for _, folder := range folders {
		all.Paths = append(all.Paths, s.path(s.inSet(folder)))
	}
	return all, nil
}

// Changed returns a change of a document by splices as a renaming, which says what each heading before
// it is, and each block in which a name stands, if it isn't gone: one that no splice touches is where it
// was, as is a heading of which only text was replaced, in HTML too, and one in a text that was replaced
// is that of the same name in any text that was put in. What a splice writes as it was isn't touched: it
// may stand there so that the place is found.
func Changed(before, after *markdown.Document, splices []edit.Splice) *links.Renaming {
	changing := make([]edit.Splice, len(splices))
	for i, s := range splices {
		n := syntax.CommonPrefix(before.Text(s.Span), s.Text)
		s.Start, s.Text = s.Start+n, s.Text[n:]
		n = syntax.CommonSuffix(before.Text(s.Span), s.Text)
		s.End, s.Text = s.End-n, s.Text[:len(s.Text)-n]
		changing[i] = s
	}
	return changed(before, after, changing)
}

// changed is Changed for splices that touch all that they write.
func changed(before, after *markdown.Document, splices []edit.Splice) *links.Renaming {
	now := address.PlacesOf(after)
	at := map[[2]int]links.Part{} // the parts after, by their keys
	for _, n := range namedIn(after, now) {
		at[n.key(after, 0)] = n.part
	}
	r := &links.Renaming{Before: before, After: after, Heading: -1, Instead: -1, Blocks: make([]int32, len(before.Blocks)), Tagged: map[links.Part]links.Part{}}
	for i := range r.Blocks {
		r.Blocks[i] = -1
	}
	pair := func(was, is links.Part) {
		if was.Nth > 0 {
			r.Tagged[was] = is
		} else {
			r.Blocks[was.Block] = index32(is.Block)
		}
	}
	isOld := map[links.Part]bool{} // the parts after that no splice touches
	var touched []named
	by := shifts(splices)
	for _, was := range namedIn(before, address.PlacesOf(before)) {
		n := sort.Search(len(splices), func(i int) bool { return splices[i].End > was.Start })
		if n < len(splices) && splices[n].Start < was.End && !was.onlyRenamed(splices[n:]) {
			touched = append(touched, was)
		} else if is, ok := at[was.key(before, by[n])]; ok {
			isOld[is] = true
			pair(was.part, is)
		}
	}
	for _, was := range slices.Backward(touched) { // the first of several names of a block counts
		if is, _ := now.Find(was.name); is != nil && was.name != "" && !isOld[links.PartOf(is)] {
			pair(was.part, links.PartOf(is))
		}
	}
	return r
}

// named is a block with a name that stands in it, a heading in HTML, or a heading without a name.
type named struct {
	part links.Part
	name string
	// Span is where the block stands, or a heading in HTML up to the end of its text.
	markdown.Span
	text markdown.Span // of a heading
}

// key returns where it begins when what is before it gets so many bytes more, and what it is.
func (n *named) key(doc *markdown.Document, by int) [2]int {
	kind := int(doc.Blocks[n.part.Block].Kind)
	if n.part.Nth > 0 {
		kind = -1
	}
	return [2]int{n.Start + by, kind}
}

// onlyRenamed reports whether those of the splices that touch it change nothing but the text of a
// heading, on its line, and put no tag into one in HTML. None of them ends before it.
func (n *named) onlyRenamed(splices []edit.Splice) bool {
	ends := "\r\n"
	if n.part.Nth > 0 {
		ends += "<"
	}
	for _, s := range splices {
		if s.Start >= n.End {
			break
		}
		if s.Start < n.text.Start || s.End > n.text.End || bytes.ContainsAny(s.Text, ends) {
			return false
		}
	}
	return true
}

// namedIn returns the blocks of a document in which names stand, its headings in HTML, and those that
// open sections, which may be led to by the names of those above them.
func namedIn(doc *markdown.Document, places *address.Places) []named {
	all := make([]named, 0, len(places.All())+len(doc.Sections))
	var tagged map[links.Part]anchors.Spot
	for i := range places.All() {
		n := namedAt(doc, links.PartOf(&places.All()[i]), places.All()[i].Name)
		if n.part.Nth > 0 {
			if tagged == nil {
				tagged = taggedIn(doc)
			}
			at := tagged[n.part]
			n.Span, n.text = markdown.Span{Start: at.Tag.Start, End: at.Text.End}, at.Text
		}
		all = append(all, n)
	}
	for i := range doc.Sections {
		all = append(all, namedAt(doc, links.Part{Block: int(doc.Sections[i].Heading)}, ""))
	}
	return all
}

// namedAt returns a block by a name.
func namedAt(doc *markdown.Document, part links.Part, name string) named {
	n := named{part: part, name: name, Span: doc.Blocks[part.Block].Span()}
	if doc.Blocks[part.Block].Kind == markdown.Heading {
		n.text = doc.Content(part.Block)
	}
	return n
}

// taggedIn returns where the headings in HTML of a document stand.
func taggedIn(doc *markdown.Document) map[links.Part]anchors.Spot {
	all := map[links.Part]anchors.Spot{}
	for at := range anchors.Tagged(doc) {
		all[links.Part{Block: at.Block, Nth: at.Nth}] = at
	}
	return all
}

// index32 returns the index of a block as documents keep it.
func index32(block int) int32 { return int32(block) } //nolint:gosec // as many blocks as fit

// shifts returns by how many bytes splices, in the order of the source, shift what stands
// behind the first of them, the first two, and so on; from none.
func shifts(splices []edit.Splice) []int {
	by := make([]int, 1, len(splices)+1)
	for i := range splices {
		by = append(by, by[i]+len(splices[i].Text)-splices[i].Len())
	}
	return by
}

// codeWouldBreak is the code of a change after which links would lead elsewhere.
const codeWouldBreak = "links_would_break"

// maxPlaces is how many links an error names.
const maxPlaces = 5

// WouldBreak returns the error for links that lead to what a request renames: those of the
// document itself, those that stand in others, and whether the first ones can be kept.
func WouldBreak(shown string, own, elsewhere []Place, kept bool) *replies.Error {
	all := slices.Concat(own, elsewhere)
	e := &replies.Error{Code: codeWouldBreak, Path: shown}
	count := replies.Plural(len(all), "link")
	leave := replies.Given{Arg: replies.Links, Value: LeaveLinks}
	update := replies.Given{Arg: replies.Links, Value: UpdateLinks}
	switch {
	case !kept:
		e.Message = replies.Say("%s would lead nowhere, and can't be kept; do it another way, or send it again with %s", count, leave)
	case len(elsewhere) > 0:
		e.Message = replies.Say("%s would lead nowhere or elsewhere, %s of them in other documents; send it again with %s to change them too, or with %s to leave them",
			count, replies.Plural(len(elsewhere), "link"), update, leave)
	default:
		if !slices.ContainsFunc(own, func(p Place) bool { return p.FilePath != own[0].FilePath }) {
			count += " of this document"
		}
		e.Message = replies.Say("%s would lead nowhere or elsewhere; send it again with %s to change them too, or with %s to leave them", count, update, leave)
	}
	for i, p := range all {
		if i == maxPlaces {
			e.Details = append(e.Details, "and "+replies.Plural(len(all)-i, "more link"))
			break
		}
		e.Details = append(e.Details, p.Shown(maxDestination))
	}
	return e
}

// Shown returns the place as people see it, with so many characters of the destination.
func (p *Place) Shown(most int) string {
	return replies.Safe(p.FilePath + ":" + strconv.Itoa(p.Line) + " " + replies.Clip(p.Destination, most))
}

// What becomes of links that lead to what is renamed.
const (
	UpdateLinks = "update" // their destinations are changed too
	LeaveLinks  = "leave"  // they stay
)
