package linking

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Documents that are given back what they held, by an undo, are changed as a whole: which
// heading of the one text is which of the other, their sections say, and lines in these.

// Restored is a document that holds, or shall hold, another text.
type Restored struct {
	Path          string
	Before, After []byte // After is nil if the document is gone then
}

// LedTo returns warnings of the links that led to names in documents and lead nowhere now, or to
// something else, of the documents themselves and of others. The paths of docs are of no
// account. What can't be looked at is warned of too.
func LedTo(ctx context.Context, docs documents.Set, all []Restored) []string {
	if len(all) == 0 {
		return nil
	}
	own, others, err := ledTo(ctx, docs, all)
	var warnings []string
	if own > 0 {
		warnings = append(warnings, replies.Plural(own, "link")+" of what was changed led to what is gone, or is another's now")
	}
	if others > 0 {
		warnings = append(warnings, replies.Plural(others, "link")+" of other documents led to what is gone, or is another's now")
	}
	if err != nil {
		warnings = append(warnings, "not all documents could be looked at: links in them may lead to what is gone")
	}
	return warnings
}

func ledTo(ctx context.Context, docs documents.Set, all []Restored) (own, others int, err error) {
	docs.Paths = nil
	for _, d := range all {
		docs.Paths = append(docs.Paths, d.Path)
	}
	s, err := newScan(ctx, docs, alone)
	if err != nil {
		return 0, 0, err
	}
	var every []*links.Renaming
	for _, d := range all {
		before, err := s.parsed(d.Before)
		if err != nil {
			return own, others, err
		}
		r := &links.Renaming{Before: before, Heading: -1, Instead: -1}
		if d.After != nil {
			after, err := s.parsed(d.After)
			if err != nil {
				return own, others, err
			}
			put := splices(before, after)
			r = changed(before, after, put)
			by := 0
			for _, p := range put {
				r.PutBack = append(r.PutBack, markdown.Span{Start: p.Start + by, End: p.Start + by + len(p.Text)})
				by += len(p.Text) - p.Len()
			}
		}
		if r.Path, r.Options = s.inSet(d.Path), s.options; r.After != nil && r.Renames() {
			gone, astray := r.Strays()
			own += gone + astray
		}
		every = append(every, r)
	}
	found, among, err := s.astray(ctx, every)
	return own + among, len(found.Places) - among, err
}

// Astray returns the links that led to names in documents that change together, and lead nowhere
// after it, or to something else: links of others of them, and of all other documents. The paths of
// docs are those of the documents; a renaming has no path yet, and is as [Changed] returns it.
// The error is as that of [Elsewhere].
func Astray(ctx context.Context, docs documents.Set, all []*links.Renaming) (found Strayed, err error) {
	s, err := newScan(ctx, docs, alone)
	if err != nil {
		return found, err
	}
	size := int64(0)
	for i, r := range all {
		r.Path, r.Options = s.inSet(s.docs.Paths[i]), s.options
		size += PageBytes(r.Before) + PageBytes(r.After)
	}
	borrowed, err := docs.Work.Borrow(size, nil)
	if err != nil {
		return found, err
	}
	defer borrowed.Release()
	found, _, err = s.astray(ctx, all)
	return found, err
}

// astray returns the links that lead elsewhere than they led: those of documents that change, to
// others of them, of which it tells how many there are, and behind them those of all other documents.
func (s *scan) astray(ctx context.Context, all []*links.Renaming) (found Strayed, among int, err error) {
	renamed := links.Renamings{}
	for _, r := range all {
		if r.Renames() {
			renamed[r.Path] = r
		}
	}
	if len(renamed) == 0 {
		return found, 0, nil
	}
	is := s.after(all)
	for _, r := range all {
		page := is.Page(r.Path) // which is nil if the document is gone
		if page == nil {
			continue
		}
		stood := map[string]bool{} // the destinations before: others lead where they shall
		for _, l := range s.set.Page(r.Path).Links {
			stood[l.Destination] = true
		}
		for _, i := range renamed.Broken(s.set, is, page) {
			if stood[page.Links[i].Destination] && !r.PutsBack(&page.Links[i]) {
				t := s.set.Resolve(page, &page.Links[i])
				found.add(s.path(r.Path), &page.Links[i], &t, renamed)
			}
		}
	}
	among = len(found.Places)
	err = s.elsewhere(ctx, is, renamed, &found)
	if e, ok := errors.AsType[*fileerror.Error](err); ok && e.Code == fileerror.NoMatches { // none is left to have links
		err = nil
	}
	return found, among, err
}

// parsed parses a text, for which and for the links in which memory is reserved until the
// request ends.
func (s *scan) parsed(text []byte) (*markdown.Document, error) {
	doc, err := s.docs.Work.Retain(text)
	if err != nil {
		return nil, err
	}
	return doc, s.docs.Work.HoldBytes(2*PageBytes(doc), doc)
}

// splices returns what makes the one document the other: of sections that differ, with all that is below
// them, those of the next level, and at last their lines. Lines alone don't tell which of two headings of
// one text is gone.
func splices(before, after *markdown.Document) []edit.Splice {
	c := comparison{before: before, after: after, old: string(before.Source), now: string(after.Source)}
	for _, s := range slices.Concat(before.Sections, after.Sections) {
		c.has[s.Level] = true
	}
	c.compare(markdown.Span{End: len(c.old)}, markdown.Span{End: len(c.now)}, 1)
	return c.found
}

// comparison is a comparison of two documents in work.
type comparison struct {
	before, after *markdown.Document
	old, now      string            // their sources
	has           [deepest + 1]bool // by level: whether a section has it
	found         []edit.Splice
}

// deepest is the level of the headings below which there are no others.
const deepest = 6

// compare compares a part of each by the sections of a level and of those above it, and what differs by
// those of the next one.
func (c *comparison) compare(was, is markdown.Span, level int) {
	if was.Len() == 0 || is.Len() == 0 || level > deepest+1 {
		c.found = append(c.found, edit.Splice{Span: was, Text: []byte(c.now[is.Start:is.End])})
		return
	}
	for level <= deepest && !c.has[level] {
		level++
	}
	old, atOld := cut(c.before, c.old, was, level)
	now, atNow := cut(c.after, c.now, is, level)
	for _, d := range linediff.Compare(old, now) {
		c.compare(markdown.Span{Start: atOld[d.Start], End: atOld[d.End]}, markdown.Span{Start: atNow[d.ReplStart], End: atNow[d.ReplEnd]}, level+1)
	}
}

// cut cuts a part of a source before the headings of a level and of those above it, below the deepest one
// into lines. It returns the pieces, and where each begins and the last one ends.
func cut(doc *markdown.Document, source string, part markdown.Span, level int) (pieces []string, at []int) {
	from := part.Start
	add := func(to int) {
		if to > from {
			pieces, at, from = append(pieces, source[from:to]), append(at, from), to
		}
	}
	if level > deepest {
		for line := range strings.Lines(source[part.Start:part.End]) {
			add(from + len(line))
		}
	} else {
		first := sort.Search(len(doc.Sections), func(i int) bool { return doc.BodySpan(i).Start >= from })
		for i := first; i < len(doc.Sections) && doc.BodySpan(i).Start < part.End; i++ {
			if int(doc.Sections[i].Level) <= level {
				add(doc.BodySpan(i).Start)
			}
		}
		add(part.End)
	}
	return pieces, append(at, part.End)
}
