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
func Elsewhere(ctx context.Context, docs documents.Set, r *links.Renaming) ([]Place, error) {
	s, err := newScan(ctx, docs, alone)
	if err != nil {
		return nil, err
	}
	return s.elsewhere(ctx, s.after([]*links.Renaming{r}), links.Renamings{r.Path: r})
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

// elsewhere returns the links of documents that aren't in the set to those that are renamed, or
// renamed in, which are in it as they were, and in the other set as they are.
func (s *scan) elsewhere(ctx context.Context, is *links.Set, all links.Renamings) ([]Place, error) {
	var mu sync.Mutex
	var found []Place
	others, unread := s.others(ctx)
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
			found = append(found, Place{at, page.Links[i].Line, page.Links[i].Destination})
		}
		return dst, nil
	}}, func(part documents.Part) error {
		unread = append(unread, slices.DeleteFunc(part.Errors, isGone)...)
		return nil
	})
	if err == nil && len(found) == 0 && len(unread) > 0 {
		err = unreadable(unread)
	}
	slices.SortStableFunc(found, func(a, b Place) int { return strings.Compare(a.FilePath, b.FilePath) })
	return found, err
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

// Counterparts returns which block of a document after splices each heading before is, and each
// block in which a name stands, -1 for all others and for those that are gone: one that no splice
// touches is where it was, as is a heading of which only text was replaced, and one in a text that
// was replaced is that of the same name in the new text. What a splice writes as it was isn't
// touched: it may stand there so that the place is found.
func Counterparts(before, after *markdown.Document, splices []edit.Splice) []int32 {
	changing := make([]edit.Splice, len(splices))
	for i, s := range splices {
		n := syntax.CommonPrefix(before.Text(s.Span), s.Text)
		s.Start, s.Text = s.Start+n, s.Text[n:]
		n = syntax.CommonSuffix(before.Text(s.Span), s.Text)
		s.End, s.Text = s.End-n, s.Text[:len(s.Text)-n]
		changing[i] = s
	}
	return counterparts(before, after, changing)
}

// counterparts is Counterparts for splices that touch all that they write.
func counterparts(before, after *markdown.Document, splices []edit.Splice) []int32 {
	now := address.PlacesOf(after)
	at := map[[2]int]int{} // the blocks after, by where they begin and what they are
	for _, n := range namedIn(after, now) {
		b := &after.Blocks[n.block]
		at[[2]int{int(b.Start), int(b.Kind)}] = n.block
	}
	blocks := make([]int32, len(before.Blocks))
	for i := range blocks {
		blocks[i] = -1
	}
	isOld := map[int]bool{} // the blocks after that no splice touches
	old, by := namedIn(before, address.PlacesOf(before)), shifts(splices)
	for pass := range 2 {
		for _, was := range old {
			b := &before.Blocks[was.block]
			n := sort.Search(len(splices), func(i int) bool { return splices[i].End > int(b.Start) })
			touched := n < len(splices) && splices[n].Start < int(b.End) && !onlyRenamed(before, was.block, splices[n:])
			switch {
			case pass == 0 && !touched:
				if is, ok := at[[2]int{int(b.Start) + by[n], int(b.Kind)}]; ok {
					blocks[was.block], isOld[is] = index32(is), true
				}
			case pass == 1 && touched && blocks[was.block] < 0 && was.name != "":
				if is, _ := now.Find(was.name); is != nil && !isOld[is.Block] {
					blocks[was.block] = index32(is.Block)
				}
			}
		}
	}
	return blocks
}

// onlyRenamed reports whether those of the splices that touch a block change nothing but the text of
// a heading, on its line. None of them ends before the block.
func onlyRenamed(doc *markdown.Document, block int, splices []edit.Splice) bool {
	if doc.Blocks[block].Kind != markdown.Heading {
		return false
	}
	text := doc.Content(block)
	for _, s := range splices {
		if s.Start >= int(doc.Blocks[block].End) {
			break
		}
		if s.Start < text.Start || s.End > text.End || bytes.ContainsAny(s.Text, "\r\n") {
			return false
		}
	}
	return true
}

// named is a block with a name that stands in it, or a heading without one.
type named struct {
	block int
	name  string
}

// namedIn returns the blocks of a document in which names stand, and its headings, which may be
// led to by the names of those above them.
func namedIn(doc *markdown.Document, places *address.Places) []named {
	all := make([]named, 0, len(places.All())+len(doc.Sections))
	for i := range places.All() {
		all = append(all, named{places.All()[i].Block, places.All()[i].Name})
	}
	for i := range doc.Sections {
		all = append(all, named{block: int(doc.Sections[i].Heading)})
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
		e.Message = replies.Say("%s of this document would lead nowhere or elsewhere; send it again with %s to change them too, or with %s to leave them", count, update, leave)
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
