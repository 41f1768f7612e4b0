package session

import (
	"slices"
	"sort"

	"github.com/sectile/sectile/markdown"
)

// What a reader has written it knows; of the rest of a unit that it has changed,
// what it was shown before. So each line of the new document is followed back to
// the old one, as far as it was not written.

// Wrote notes a write by the reader. Before is the document that it changed, as it
// was found, and written are all ranges that it changed. What follows a range in the new
// document is what followed it in the old one: so an empty one says that what stands there
// has moved.
//
// A unit was shown if all its lines but those of its heading were written, for
// whoever replaces a text has named its heading; or if what was not written was
// shown before the write. So what another hand had changed before the write, and
// nobody was shown, stays unread.
//
// It takes so much time as parsing both documents.
func (s *Session) Wrote(file string, before, after *markdown.Document, written []Written) {
	w := newWrite(before, after, written)
	was, is := s.all(w.old), s.all(w.now)
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.open(file)
	w.known = f.lines(w.old, was)
	s.drop(f, was, is)
	notes := shown{}
	for i, covered := range f.covers(is, nil) {
		k := is[i].key
		if parts, known := f.shown[k]; known && parts == nil {
			continue
		}
		if covered { // it has moved
			notes[k] = nil
			continue
		}
		if parts, some := w.parts(w.now.withLines(is[i])); some {
			notes[k] = parts
		}
	}
	for k, parts := range notes {
		s.put(f, after, k, parts)
	}
}

// drop forgets units that a write has put others in the place of.
func (s *Session) drop(f *file, was, is []unit) {
	there := map[key]bool{}
	for i := range is {
		there[is[i].key] = true
	}
	for i := range was {
		if k := was[i].key; !there[k] {
			s.remove(f, k)
		}
	}
}

// lines reports which lines of a document, from 1, were shown.
func (f *file) lines(u *units, all []unit) []bool {
	known := make([]bool, u.doc.LineCount+1)
	for i, covered := range f.covers(all, nil) {
		parts, some := f.shown[all[i].key]
		if !covered && !some {
			continue
		}
		n := u.withLines(all[i])
		if covered {
			parts = []markdown.Lines{{First: 0, Last: n.lines.Len() - 1}}
		}
		for _, p := range parts {
			for l := p.First; l <= p.Last; l++ {
				known[n.lines.First+l] = true
			}
		}
	}
	return known
}

// write is a write by the reader.
type write struct {
	old, now *units
	written  []Written // in order
	known    []bool    // the lines of the old document that were shown
}

func newWrite(before, after *markdown.Document, written []Written) *write {
	w := &write{old: newUnits(before), now: newUnits(after)}
	for _, r := range written {
		w.written = append(w.written, Written{
			clamped(r.Before, markdown.Span{End: len(before.Source)}), clamped(r.After, markdown.Span{End: len(after.Source)}),
		})
	}
	slices.SortStableFunc(w.written, func(a, b Written) int { return a.After.Start - b.After.Start })
	return w
}

// clamped returns the part of a range that lies in another.
func clamped(s, in markdown.Span) markdown.Span {
	s.Start = min(max(s.Start, in.Start), in.End)
	s.End = max(min(s.End, in.End), s.Start)
	return s
}

// parts returns which lines of a unit of the new document the reader knows, none
// for all of them, and whether it knows any.
func (w *write) parts(n unit) (parts []markdown.Lines, some bool) {
	heading := w.headingLines(n)
	others := true // all lines but those of the heading were written
	count := 0     // of them
	for l := n.lines.First; l <= n.lines.Last; l++ {
		text := w.now.lineSpan(markdown.Lines{First: l, Last: l})
		if isBlank(w.now.doc.Text(text)) {
			continue
		}
		rest, knows := w.look(text)
		if knows {
			at := l - n.lines.First
			parts = append(parts, markdown.Lines{First: at, Last: at})
		}
		if l > heading.Last {
			count++
			others = others && !rest
		}
	}
	if count == 0 {
		others = w.isAddressed(n)
	}
	if parts = merged(parts); others || w.now.isWhole(n, parts) {
		return nil, true
	}
	return parts, len(parts) > 0
}

// headingLines returns the lines of the unit's heading, which are empty before the
// first section.
func (w *write) headingLines(n unit) markdown.Lines {
	if n.section < 0 {
		return markdown.Lines{First: n.lines.First, Last: n.lines.First - 1}
	}
	return w.now.doc.Blocks[w.now.doc.Sections[n.section].Heading].Lines()
}

// isAddressed reports whether a write has made the unit what it is, which has
// nothing but a heading: its text was written, or what stood below it was taken
// away.
func (w *write) isAddressed(n unit) bool {
	heading := int(w.now.doc.Sections[n.section].Heading)
	if rest, _ := w.look(w.now.doc.Content(heading)); !rest {
		return true
	}
	start := w.back(w.now.span(n.section).Start)
	i := sort.Search(len(w.old.doc.Sections), func(i int) bool { return w.old.span(i).Start >= start })
	if i == len(w.old.doc.Sections) || w.old.span(i).Start != start {
		return false
	}
	body := markdown.Span{Start: w.old.doc.Blocks[w.old.doc.Sections[i].Heading].Span().End, End: w.old.span(i).End}
	return slices.ContainsFunc(w.written, func(r Written) bool {
		gone := clamped(r.Before, body)
		return !isBlank(w.old.doc.Text(gone))
	})
}

// look reports whether something of a range of the new document was not written,
// blanks aside, and whether the reader knows all of it.
func (w *write) look(span markdown.Span) (rest, knows bool) {
	knows = true
	first := sort.Search(len(w.written), func(i int) bool { return w.written[i].After.End > span.Start })
	at := span.Start
	old := func(end int) {
		if end <= at || isBlank(w.now.doc.Text(markdown.Span{Start: at, End: end})) {
			return
		}
		rest = true
		line := w.old.doc.LineAt(w.back(at))
		knows = knows && line >= 0 && line < len(w.known) && w.known[line]
	}
	for _, r := range w.written[first:] {
		if r.After.Start >= span.End {
			break
		}
		old(r.After.Start)
		at = max(at, r.After.End)
	}
	old(span.End)
	return rest, knows
}

// back returns where what stands at an offset of the new document, and was not
// written, stood in the old one.
func (w *write) back(at int) int {
	i := sort.Search(len(w.written), func(i int) bool { return w.written[i].After.Start > at })
	if i == 0 {
		return at
	}
	last := &w.written[i-1]
	return at - last.After.End + last.Before.End
}
