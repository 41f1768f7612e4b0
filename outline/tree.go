package outline

import (
	"iter"

	"github.com/sectile/sectile/markdown"
)

// A tree is a list of section indexes. That is enough because what is kept is
// kept with all that stands above it, so who is whose child follows from the
// document's sections, which are in source order: no node is ever made.

// TreeOptions says which sections a tree has. The zero value keeps them all.
type TreeOptions struct {
	// Pattern keeps the sections whose heading contains it, and those that they
	// stand in. What stands beside or below them goes, unless it matches too.
	Pattern string
	// KeepChildren keeps all that stands below a section that matches.
	KeepChildren bool
	// MaxDepth keeps headings up to this level, after Pattern has chosen; 0 or
	// less keeps all. It is the level of the heading that counts, not how many
	// headings are above it: 1 shows H1 only, 2 leaves an H4 out that stands
	// right below an H2, and shows nothing of a document that begins with H3.
	MaxDepth int
	// From and To keep the sections from one up to another, by their numbers, if To is not 0,
	// and those that they stand in.
	From, To int
	// Raw gives sections the source text of their headings for a name.
	Raw bool
	// Safe makes names safe as AppendSafe does, in every rendering.
	Safe bool
}

// A Tree is a document's sections, or a choice of them, as they stand in each
// other. A section whose level skips one stands in the nearest section before it
// with a smaller level. It doesn't change; the document must not either.
type Tree struct {
	doc  *markdown.Document
	raw  bool
	safe bool
	kept []int32 // sections in source order, never one without its parent
}

// A Node is a section in a tree.
type Node struct {
	Entry
	// Depth is the number of sections that it stands in.
	Depth int
	// Last says that no other section of the tree follows in the same parent.
	Last bool
}

// NewTree chooses sections of the document.
func NewTree(doc *markdown.Document, opts TreeOptions) *Tree {
	t := &Tree{doc: doc, raw: opts.Raw, safe: opts.Safe}
	if len(doc.Sections) == 0 {
		return t
	}
	keep := func(int) bool { return true }
	if opts.To > 0 {
		keep = func(i int) bool {
			return opts.From <= i && i < opts.To || i < opts.From && int(doc.Sections[i].Next) > opts.From
		}
	}
	if p := newPattern(opts.Pattern); p != nil {
		chosen := choose(doc, p, opts)
		keep = func(i int) bool { return chosen[i] }
	}
	deepest := uint8(6)
	if 0 < opts.MaxDepth && opts.MaxDepth < 6 {
		deepest = uint8(opts.MaxDepth)
	}
	t.kept = make([]int32, 0, len(doc.Sections))
	for i := range doc.Sections {
		if doc.Sections[i].Level <= deepest && keep(i) {
			t.kept = append(t.kept, int32(i))
		}
	}
	return t
}

// choose says by section whether the pattern keeps it.
func choose(doc *markdown.Document, p *pattern, opts TreeOptions) []bool {
	sections := doc.Sections
	chosen := make([]bool, len(sections))
	last := len(sections)
	if opts.To > 0 {
		last = min(opts.To, last)
	}
	for i := opts.From; i < last; i++ {
		if !p.inTitle(doc, i) {
			continue
		}
		// What is above a section that is chosen already is chosen too.
		for up := int32(i); up >= 0 && !chosen[up]; up = sections[up].Parent {
			chosen[up] = true
		}
		if opts.KeepChildren {
			for end := int(sections[i].Next); i+1 < end; i++ {
				chosen[i+1] = true
			}
		}
	}
	return chosen
}

// Len returns the number of sections in the tree.
func (t *Tree) Len() int { return len(t.kept) }

// UpTo returns the tree of the sections whose headings are of this level or a
// higher one. Level 0 leaves none.
func (t *Tree) UpTo(level Level) *Tree {
	up := &Tree{doc: t.doc, raw: t.raw, safe: t.safe}
	for _, i := range t.kept {
		if Level(t.doc.Sections[i].Level) <= level {
			up.kept = append(up.kept, i)
		}
	}
	return up
}

// UpToSome is UpTo with the first n sections of the next level too.
func (t *Tree) UpToSome(level Level, n int) *Tree {
	some := &Tree{doc: t.doc, raw: t.raw, safe: t.safe}
	for _, i := range t.kept {
		of := Level(t.doc.Sections[i].Level)
		if of == level+1 {
			n--
		}
		if of <= level || of == level+1 && n >= 0 {
			some.kept = append(some.kept, i)
		}
	}
	return some
}

// Nodes yields the sections of the tree in source order, each before those that
// stand in it.
func (t *Tree) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for n := range t.nodes() {
			n.Name = nameOf(t.doc, n.Section, t.raw, t.safe)
			if !yield(n) {
				return
			}
		}
	}
}

// nodes is Nodes without names, for who appends them without making strings.
func (t *Tree) nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		var depths [7]int // of the last section seen of each level
		for k, i := range t.kept {
			s := &t.doc.Sections[i]
			depth := 0
			if s.Parent >= 0 {
				depth = depths[t.doc.Sections[s.Parent].Level] + 1
			}
			depths[s.Level] = depth
			if !yield(Node{entry(t.doc, int(i), ""), depth, t.last(k)}) {
				return
			}
		}
	}
}

// appendName appends the name of section i as AppendSafe does.
func (t *Tree) appendName(dst []byte, i int) []byte {
	if t.raw {
		return AppendSafe(dst, sectionName(t.doc, i, true))
	}
	start := len(dst)
	dst = t.doc.AppendTitle(dst, int(t.doc.Sections[i].Heading))
	for _, c := range dst[start:] {
		if c < ' ' || c >= 0x7F {
			name := string(dst[start:])
			return AppendSafe(dst[:start], name)
		}
	}
	return dst
}

// last reports whether no kept section follows the kth one in the same parent.
func (t *Tree) last(k int) bool {
	s := &t.doc.Sections[t.kept[k]]
	end := int32(len(t.doc.Sections))
	if s.Parent >= 0 {
		end = t.doc.Sections[s.Parent].Next
	}
	// Levels end at 6, so that no section is passed more than five times.
	for k++; k < len(t.kept) && t.kept[k] < s.Next; k++ {
	}
	return k == len(t.kept) || t.kept[k] >= end
}
