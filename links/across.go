package links

import (
	"path"
	"slices"

	"github.com/sectile/sectile/markdown"
)

// A section that moves to another document takes its links along, which are relative to the
// document, and those that lead to it lead to another document from then on.

// A Crossing is two documents between which a section has moved.
type Crossing struct {
	Paths         [2]string             // of the old document and of the one that it moved to
	Before, After [2]*markdown.Document // of both
	// Pairs are the blocks before, each with what it is after: those that stay, those that
	// moved, and definitions that stand in two places now, the one that counts first.
	Pairs []Pair
	// Options are those of the set that the documents belong to.
	Options Options
}

// Pair is a block of one of the two documents, and the same one after the change.
type Pair struct {
	Old, New Spot
}

// Spot is a block of one of the two documents, by their order.
type Spot struct{ Document, Block int }

// Keep returns the splices, in the sources after the change and in the order of these, that
// let the links of both documents lead where they led; and the links before the change, by
// their lines in both documents, that lead elsewhere for want of a splice.
func (c *Crossing) Keep() (splices [2][]Splice, lost [2][]int) {
	x := c.newSets()
	for pair, n := range x.pairs() {
		old, now := pair.Old.Document, pair.New.Document
		if n < 0 || n >= len(x.now.of(pair.New)) {
			lost[old] = append(lost[old], c.Before[old].Blocks[pair.Old.Block].Lines().First)
			continue
		}
		was, l := &x.was.pages[old].Links[x.was.of(pair.Old)[n]], &x.now.pages[now].Links[x.now.of(pair.New)[n]]
		want := x.meant(old, was)
		is := x.now.set.Resolve(x.now.pages[now], l)
		if !x.differ(was, old, is.Lead(), want) {
			continue
		}
		more, ok := x.lead(now, l, want)
		if !ok {
			lost[old] = append(lost[old], was.Line)
			continue
		}
		splices[now] = append(splices[now], more...)
	}
	for i := range splices {
		slices.SortFunc(splices[i], func(a, b Splice) int { return a.Span.Start - b.Span.Start })
	}
	return splices, lost
}

// Proved reports whether all links of both documents lead where they led before, when the
// documents have become what they are after the change and the splices.
func (c *Crossing) Proved() bool {
	splices, lost := c.Keep()
	return len(splices[0])+len(splices[1])+len(lost[0])+len(lost[1]) == 0
}

// Broken returns the indexes of the links of another document of the set that lead elsewhere
// after the change.
func (c *Crossing) Broken(set *Set, other *Page) []int {
	x := c.newSets()
	var broken []int
	for i := range other.Links {
		t := set.Resolve(other, &other.Links[i])
		was := t.Lead()
		d := slices.Index(c.Paths[:], was.Path)
		if was.Status != OK || d < 0 || t.Place == nil {
			continue
		}
		want := x.spots[Spot{d, was.Block}]
		if place, _ := x.now.pages[d].Places.Find(t.Place.Name); want.Document != d || place == nil || place.Block != want.Block {
			broken = append(broken, i)
		}
	}
	return broken
}

// sets are both documents before and after.
type sets struct {
	*Crossing
	was, now both
	spots    map[Spot]Spot
	names    [2]map[int]string
}

// both are the two documents in a set of their own.
type both struct {
	set    *Set
	pages  [2]*Page
	blocks map[Spot][]int // the links of each block
}

func (c *Crossing) newSets() *sets {
	x := &sets{Crossing: c, was: c.newBoth(c.Before), now: c.newBoth(c.After), spots: map[Spot]Spot{}}
	for _, p := range c.Pairs {
		if _, again := x.spots[p.Old]; !again {
			x.spots[p.Old] = p.New
		}
	}
	for i := range x.names {
		x.names[i] = namesOf(x.now.pages[i].Places)
	}
	return x
}

func (c *Crossing) newBoth(docs [2]*markdown.Document) both {
	b := both{set: NewSet(c.Options), blocks: map[Spot][]int{}}
	for i, doc := range docs {
		b.pages[i] = NewPage(c.Paths[i], doc)
		b.set.Add(b.pages[i])
		for k := range b.pages[i].Links {
			spot := Spot{i, b.pages[i].Links[k].Block}
			b.blocks[spot] = append(b.blocks[spot], k)
		}
	}
	return b
}

// of returns the indexes of the links of a block.
func (b *both) of(s Spot) []int { return b.blocks[s] }

// pairs yields each pair of blocks with the number of each link in the old one, or with -1 if
// the new one has more.
func (x *sets) pairs() func(yield func(Pair, int) bool) {
	return func(yield func(Pair, int) bool) {
		for _, p := range x.Pairs {
			n := len(x.was.of(p.Old))
			for k := range n {
				if !yield(p, k) {
					return
				}
			}
			if len(x.now.of(p.New)) > n && !yield(p, -1) {
				return
			}
		}
	}
}

// meant returns where a link is to lead after the change.
func (x *sets) meant(document int, l *Link) Lead {
	t := x.was.set.Resolve(x.was.pages[document], l)
	lead := t.Lead()
	if d := slices.Index(x.Paths[:], lead.Path); d >= 0 && lead.Block >= 0 {
		to, there := x.spots[Spot{d, lead.Block}]
		if !there {
			return Lead{Status: Broken, Path: lead.Path, Block: -1}
		}
		lead.Path, lead.Block = x.Paths[to.Document], to.Block
	}
	return lead
}

// differ reports whether a link leads elsewhere than it is to.
func (x *sets) differ(l *Link, document int, is, want Lead) bool {
	switch {
	case want.Status == External || want.Path == "":
		return false
	case is.Path != want.Path:
		return true
	}
	was := x.was.set.Resolve(x.was.pages[document], l)
	return was.Status == OK && is != want
}

// lead returns the splices that make a link of a document lead elsewhere, and whether there
// are any.
func (x *sets) lead(document int, l *Link, want Lead) ([]Splice, bool) {
	src, from := x.After[document].Source, x.Paths[document]
	d := slices.Index(x.Paths[:], want.Path)
	name := ""
	if d >= 0 && want.Block >= 0 {
		var known bool
		if name, known = x.names[d][want.Block]; !known {
			return nil, false
		}
	}
	old := ParseDestination(l.Destination)
	written := string(src[l.Written.Start:l.Written.End])
	switch {
	case l.Wiki(), old.External, want.Block >= 0 && !l.HasFragment:
		return nil, false
	case want.Path == from && name != "": // it needs no path any more
		return []Splice{{l.Written, "#" + l.encoded(written, name)}}, true
	case old.Path == "" && !old.Rooted: // it had none
		text := l.encoded("", relative(path.Dir(from), want.Path))
		splices := []Splice{{markdown.Span{Start: l.Written.Start, End: l.Written.Start}, text}}
		if s, ok := SetFragment(src, l, name); ok && name != "" && s.Text != string(src[s.Span.Start:s.Span.End]) {
			splices = append(splices, s)
		}
		return splices, true
	}
	var splices []Splice
	if s, ok := SetPath(src, l, from, want.Path, x.Options.Root); ok && s.Text != string(src[s.Span.Start:s.Span.End]) {
		splices = append(splices, s)
	}
	if s, ok := SetFragment(src, l, name); ok && name != "" && s.Text != string(src[s.Span.Start:s.Span.End]) {
		splices = append(splices, s)
	}
	return splices, len(splices) > 0
}
