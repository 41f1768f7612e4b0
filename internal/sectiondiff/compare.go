package sectiondiff

import (
	"bytes"
	"context"
	"hash/maphash"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/markdown"
)

// Pair is a document in both states; nil where it is not there.
type Pair struct{ Old, New *markdown.Document }

// Place is a section of one of the states.
type Place struct {
	Pair  int // index of the pair
	Index int // among the sections of its document; -1 for what stands before the first
}

// Change is what has become of a section.
type Change struct {
	// Old and New are where the section was and is: nil for one that is added or removed.
	Old, New *Place
	// Renamed says that its title is another one.
	Renamed bool
	// Moved says that it stands below another section, in another document, or after one
	// that it stood before. What stands before the first section of a document stands for
	// the document: then it has another path.
	Moved bool
	// Level says that its heading has another level, and that of the section above it
	// doesn't explain it.
	Level bool
	// Changed says that its own text, up to the first subsection, is another one, or its
	// heading is written in another way than a new level explains.
	Changed bool
	// Added and Removed are the numbers of words that its own text has more and less; of a
	// section that is added or removed, with all of Below.
	Added, Removed int
	// Below is the number of the sections below one that is added or removed which are so,
	// too. They have no Change of their own.
	Below int
}

// Compare returns what has become of the sections of the documents: in the order of the new
// documents, and those that are removed after what is left of their document. It ends with
// the context's error if that ends before.
func Compare(ctx context.Context, pairs []Pair) ([]Change, error) {
	seed := maphash.MakeSeed()
	c := &comparison{ctx: ctx, old: side{seed: seed}, now: side{seed: seed}}
	for i, p := range pairs {
		if p.Old != nil && p.New != nil && bytes.Equal(p.Old.Source, p.New.Source) {
			continue
		}
		old, now := -1, -1
		if p.Old != nil {
			old = c.old.add(i, p.Old)
		}
		if p.New != nil {
			now = c.now.add(i, p.New)
		}
		c.roots = append(c.roots, [2]int{old, now})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if err := c.match(); err != nil {
		return nil, err
	}
	return c.changes()
}

// comparison is a comparison in work.
type comparison struct {
	ctx      context.Context //nolint:containedctx // for as long as one call of Compare
	old, now side
	roots    [][2]int // of each pair that differs; -1 for a document that is not there
}

// changes returns what has become of the sections, which have been matched.
func (c *comparison) changes() ([]Change, error) {
	var list []Change
	moved := c.reordered()
	for _, roots := range c.roots {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		if roots[1] >= 0 {
			list = c.appendNew(list, roots[1], moved)
		}
		if roots[0] >= 0 {
			list = c.appendRemoved(list, roots[0])
		}
	}
	return list, nil
}

// appendNew appends the changes of a new section and of those below it.
func (c *comparison) appendNew(list []Change, at int, moved map[int]bool) []Change {
	of := &c.now.list[at]
	switch {
	case of.match >= 0:
		if change, differs := c.compared(of.match, at, moved[at]); differs {
			list = append(list, change)
		}
	case c.now.isAlone(at):
		return append(list, Change{New: of.place(), Added: c.now.allWords(at), Below: c.now.size(at) - 1})
	case !of.isEmptyRoot():
		list = append(list, Change{New: of.place(), Added: of.ownWords()})
	}
	for _, child := range of.children {
		list = c.appendNew(list, child, moved)
	}
	return list
}

// appendRemoved appends the changes of those sections that are not there any more.
func (c *comparison) appendRemoved(list []Change, at int) []Change {
	of := &c.old.list[at]
	switch {
	case of.match >= 0:
	case c.old.isAlone(at):
		return append(list, Change{Old: of.place(), Removed: c.old.allWords(at), Below: c.old.size(at) - 1})
	case !of.isEmptyRoot():
		list = append(list, Change{Old: of.place(), Removed: of.ownWords()})
	}
	for _, child := range of.children {
		list = c.appendRemoved(list, child)
	}
	return list
}

// compared returns what has become of a section that is on both sides, and whether anything
// has.
func (c *comparison) compared(old, now int, reordered bool) (change Change, differs bool) {
	a, b := &c.old.list[old], &c.now.list[now]
	change = Change{Old: a.place(), New: b.place(), Renamed: a.title != b.title}
	lift := 0 // levels by which the section above has gone down
	if a.parent < 0 {
		change.Moved = a.doc != b.doc
	} else {
		change.Moved = c.old.list[a.parent].match != b.parent || reordered
		lift = c.now.list[b.parent].level - c.old.list[a.parent].level
	}
	change.Level = b.level != a.level && b.level-a.level != lift
	sameHeading := bytes.Equal(a.heading, b.heading) || a.level != b.level && bytes.Equal(a.text, b.text)
	change.Changed = !bytes.Equal(a.body, b.body) || !change.Renamed && !sameHeading
	if a.own != b.own {
		change.Added, change.Removed = differingWords(a.body, b.body)
	}
	return change, change.Renamed || change.Moved || change.Level || change.Changed
}

// differingWords returns how many words a text has that the other hasn't.
func differingWords(old, now []byte) (added, removed int) {
	for _, d := range linediff.Compare(wordsOf(old), wordsOf(now)) {
		removed += d.End - d.Start
		added += d.ReplEnd - d.ReplStart
	}
	return added, removed
}

// place returns where the section is.
func (of *section) place() *Place { return &Place{Pair: of.doc, Index: of.index} }

// isEmptyRoot reports whether it is what stands before the first section, and that is nothing.
func (of *section) isEmptyRoot() bool { return of.index < 0 && len(of.body) == 0 }

// isAlone reports whether none of the sections below one is on the other side.
func (s *side) isAlone(at int) bool {
	for _, child := range s.list[at].children {
		if s.list[child].match >= 0 || !s.isAlone(child) {
			return false
		}
	}
	return true
}

// size returns the number of sections of one and all below it.
func (s *side) size(at int) int {
	n := 1
	for _, child := range s.list[at].children {
		n += s.size(child)
	}
	return n
}
