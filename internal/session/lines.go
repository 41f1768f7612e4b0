package session

import (
	"slices"

	"github.com/sectile/sectile/markdown"
)

// Which lines of units were shown, and which units were shown whole.

// within returns the lines that the document has, in order and merged.
func within(doc *markdown.Document, lines []markdown.Lines) []markdown.Lines {
	var list []markdown.Lines
	for _, l := range lines {
		l.First, l.Last = max(l.First, 1), min(l.Last, doc.LineCount)
		if l.Len() > 0 {
			list = append(list, l)
		}
	}
	return merged(list)
}

// merged returns lines in order, with those that touch made one. It may change the
// list.
func merged(lines []markdown.Lines) []markdown.Lines {
	slices.SortFunc(lines, func(a, b markdown.Lines) int { return a.First - b.First })
	rest := lines[:0]
	for _, l := range lines {
		if n := len(rest); n > 0 && l.First <= rest[n-1].Last+1 {
			rest[n-1].Last = max(rest[n-1].Last, l.Last)
			continue
		}
		rest = append(rest, l)
	}
	return rest
}

// shown is which lines of units were shown; see file.
type shown map[key][]markdown.Lines

// with returns what is known of units when these lines of them were shown too. It
// changes nothing; f may be nil.
func (f *file) with(u *units, found []unit, lines []markdown.Lines) shown {
	now := shown{}
	for _, n := range found {
		parts, known := now[n.key]
		if !known && f != nil {
			parts, known = f.shown[n.key]
		}
		if known && parts == nil {
			continue // it was shown whole
		}
		first := n.lines.First
		before := len(parts)
		parts = slices.Clone(parts)
		for _, l := range lines {
			l.First, l.Last = max(l.First, first), min(l.Last, n.lines.Last)
			if l.Len() > 0 {
				parts = append(parts, markdown.Lines{First: l.First - first, Last: l.Last - first})
			}
		}
		if len(parts) == before {
			continue // blank lines at its end
		}
		if parts = merged(parts); u.isWhole(n, parts) {
			parts = nil
		}
		now[n.key] = parts
	}
	return now
}

// isWhole reports whether the parts, lines counted from the unit's first one, leave
// nothing out but blank lines.
func (u *units) isWhole(n unit, parts []markdown.Lines) bool {
	next := n.lines.First
	left := func(last int) bool {
		gap := markdown.Lines{First: next, Last: last}
		return gap.Len() > 0 && !isBlank(u.text(gap))
	}
	for _, p := range parts {
		if left(n.lines.First + p.First - 1) {
			return false
		}
		next = n.lines.First + p.Last + 1
	}
	return !left(n.lines.Last)
}

// covers reports which units of a document were shown, by what is known and what
// is known now. F may be nil.
//
// A unit that is not known may be one that has moved: as many units of a text as
// were shown elsewhere, and are not there any more, were shown.
func (f *file) covers(all []unit, now shown) []bool {
	covered := make([]bool, len(all))
	if f == nil && len(now) == 0 {
		return covered
	}
	whole := func(k key) bool {
		parts, known := now[k]
		if !known && f != nil {
			parts, known = f.shown[k]
		}
		return known && parts == nil
	}
	there := map[key]bool{}
	missing := false
	for i := range all {
		k := all[i].key
		if covered[i] = whole(k); covered[i] {
			there[k] = true
		} else {
			missing = true
		}
	}
	if !missing || f == nil || len(there) >= len(f.shown)+len(now) {
		return covered
	}
	moved := map[uint64]int{}
	for k, parts := range f.shown {
		if parts == nil && !there[k] {
			moved[k.text]++
		}
	}
	for i := range all {
		if text := all[i].text; !covered[i] && moved[text] > 0 {
			moved[text]--
			covered[i] = true
		}
	}
	return covered
}
