package blockcheck

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/syntax"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Splice is a range of the old document and what stands there in the new one.
type Splice struct {
	markdown.Span
	Text []byte
}

// MaxListed is the number of blocks that are told of.
const MaxListed = 10

// The second law: every block that no splice touches is in the new document, with
// its bytes, its kind and level, and in the same container and section. A splice
// touches the blocks that it has bytes of, and those in which it puts something in.
//
// A container or a heading that was touched may have become another one, but the
// blocks in it must still be together in one, and no others' neighbours.
//
// Text that is replaced may divide a section: where it has a heading with '#' that is deeper
// than that of the section, what follows in the section's own text, without subsections,
// stands below the new heading. It is still within the section that it was in. The text of
// other actions may not: who puts a text into a section by its name need not know what stands
// behind that place.
//
// So a block stays where it is or is touched, and touched blocks are compared with
// nothing. Where sections move, that is not enough: package edit compares all blocks.

// blockCheck compares two documents that differ by splices.
type blockCheck struct {
	old, new *markdown.Document
	splices  []Splice
	joined   map[int]bool // blocks that text goes on with
	Comparison

	next, shift int // the first splice that ends after the current block; what those before it shift

	containers map[int32]int32 // touched blocks and what they have become
	became     map[int32]int32 // the other way round
	sections   []int32         // by old section: the new one, unknown or lost
	taken      []bool          // by new section: it is one of the old ones
	divided    map[int32]int32 // new sections, and the old ones that they divide
	current    [2]int32        // the section of the current block, old and new
	moved      movedBlocks
	line       line // that was looked at last

	Damage
}

// Comparison says how two documents are compared.
type Comparison struct {
	Done    bool // it tells what has become of blocks, not what would
	Divides bool // the new text may divide a section
}

// movedBlocks are blocks that follow each other and stand in one other section now.
type movedBlocks struct {
	section     int32
	first, next int32 // the first of them, and the block behind the last
	behind      int   // how many follow the first
	listed      int   // where changed tells of them; none if it is behind its end
}

// Damage is what has become of blocks that no splice touches.
type Damage struct {
	Changed []string // at most MaxListed of Total
	Total   int
	First   Fate // of the first of them
}

// Fate is what has become of a block, as far as it matters for what to do about it.
type Fate int

// The fates of blocks.
const (
	Elsewhere   Fate = iota // or another block, or gone
	Swallowed               // it is a part of another block
	HalfOfFront             // it is front matter without one of its lines
	Ended                   // it is a quote or list that ends before the rest of a block in it
)

const (
	unknown = -2
	lost    = -3
)

// Compare returns what has become of blocks that the splices don't touch.
func Compare(old, now *markdown.Document, splices []Splice, joined []int, how Comparison) Damage {
	c := &blockCheck{
		old: old, new: now, splices: splices, joined: make(map[int]bool, len(joined)), Comparison: how,
		containers: map[int32]int32{}, became: map[int32]int32{},
		sections: make([]int32, len(old.Sections)), taken: make([]bool, len(now.Sections)),
		current: [2]int32{-1, -1}, divided: map[int32]int32{},
	}
	for i := range c.sections {
		c.sections[i] = unknown
	}
	for _, b := range joined {
		c.joined[b] = true
	}
	c.run()
	return c.Damage
}

func (c *blockCheck) run() {
	to := int32(0) // no block before it begins before the one that is looked for
	for i := int32(0); int(i) < len(c.old.Blocks); {
		b := &c.old.Blocks[i]
		c.enter(0, i)
		if c.touched(i, b) {
			i++
			continue
		}
		start := int(b.Start) + c.shift
		for int(to) < len(c.new.Blocks) && int(c.new.Blocks[to].Start) < start {
			c.enter(1, to)
			to++
		}
		found := c.at(to, start, b.Kind)
		if found < 0 || !Same(c.old, c.new, i, found, c.shift) {
			c.report(i, func() (Fate, string) { return c.whatBecame(i, start, found) })
			c.loseSection(i)
		} else {
			for ; to < found; to++ {
				c.enter(1, to)
			}
			c.enter(1, found)
			c.place(i, found)
		}
		i = b.Next
	}
	c.checkHeadings()
	c.checkFrontMatter()
	if c.Total == 0 {
		c.checkEnds()
	}
}

// enter notes the section of a block that is come by: in the old document (0) or
// the new one (1).
func (c *blockCheck) enter(side int, i int32) {
	doc := c.old
	if side == 1 {
		doc = c.new
	}
	if next := c.current[side] + 1; int(next) < len(doc.Sections) && doc.Sections[next].Heading == i {
		c.current[side] = next
	}
}

// touched reports whether a splice touches the block, and moves on to the splices
// around it. Blocks come in the order of their beginnings.
func (c *blockCheck) touched(i int32, b *markdown.Block) bool {
	for c.next < len(c.splices) && c.splices[c.next].End <= int(b.Start) {
		c.shift += len(c.splices[c.next].Text) - c.splices[c.next].Len()
		c.next++
	}
	return c.joined[int(i)] || c.next < len(c.splices) && c.splices[c.next].Start < int(b.End)
}

// at returns the block of the kind that begins at the offset, looking from block i
// on, or -1.
func (c *blockCheck) at(i int32, start int, kind markdown.Kind) int32 {
	for ; int(i) < len(c.new.Blocks) && int(c.new.Blocks[i].Start) == start; i++ {
		if c.new.Blocks[i].Kind == kind {
			return i
		}
	}
	return -1
}

// Same reports whether block j of the new document is what block i of the old one was, with
// all that is in it, shifted by so many bytes.
func Same(old, now *markdown.Document, i, j int32, shift int) bool {
	n := old.Blocks[i].Next - i
	if now.Blocks[j].Next-j != n {
		return false
	}
	for k := range n {
		a, b := &old.Blocks[i+k], &now.Blocks[j+k]
		if int(a.Start)+shift != int(b.Start) || int(a.End)+shift != int(b.End) || a.Kind != b.Kind || a.Level != b.Level ||
			a.Flags != b.Flags || a.Marker != b.Marker || a.Next-i != b.Next-j || k > 0 && a.Parent-i != b.Parent-j {
			return false
		}
	}
	return true
}

// place checks that block j stands where block i did.
func (c *blockCheck) place(i, j int32) {
	a, b := &c.old.Blocks[i], &c.new.Blocks[j]
	if !c.sameContainer(a.Parent, b.Parent) {
		c.report(i, func() (Fate, string) {
			return Elsewhere, c.say("would stand", "stands") + " in " + Describe(c.new, b.Parent)
		})
		return
	}
	if boxOf(c.old, i) != boxOf(c.new, j) {
		c.report(i, func() (Fate, string) { return Elsewhere, c.say("would have", "has") + " another box, or none" })
		return
	}
	if !c.sameContents(i, j) {
		c.report(i, func() (Fate, string) {
			return Elsewhere, c.say("would have", "has") + " other blanks before its lines"
		})
		return
	}
	was, is := c.current[0], c.current[1]
	if a.Kind == markdown.Heading && a.Parent < 0 {
		c.sections[was], c.taken[is] = is, true
		was, is = c.old.Sections[was].Parent, c.new.Sections[is].Parent
	}
	if !c.sameSection(was, is) && (a.Kind == markdown.Heading || a.Parent >= 0 || !c.isDivided(was, is)) {
		c.moveTo(i, is)
	}
}

// sameContents reports whether code in block i and in block j, which are the same, has the same
// lines. In a container it may not: how much of each line is indentation comes of how wide the
// containers' marks are, and of what stands before the block on its first line.
func (c *blockCheck) sameContents(i, j int32) bool {
	within := c.old.Blocks[i:c.old.Blocks[i].Next]
	if within[0].Parent < 0 || !slices.ContainsFunc(within, isCode) || c.sameIndentation(i, j) {
		return true
	}
	for k := range within {
		if !SameContent(c.old, int(i)+k, c.new, int(j)+k) {
			return false
		}
	}
	return true
}

// sameIndentation reports whether the same stands before two blocks on their first lines, in
// containers of the same widths.
func (c *blockCheck) sameIndentation(i, j int32) bool {
	a, b := int(c.old.Blocks[i].Start), int(c.new.Blocks[j].Start)
	if !bytes.Equal(c.old.Source[textlines.Begin(c.old.Source, a):a], c.new.Source[textlines.Begin(c.new.Source, b):b]) {
		return false
	}
	for i >= 0 && j >= 0 && c.old.Blocks[i].Level == c.new.Blocks[j].Level {
		i, j = c.old.Blocks[i].Parent, c.new.Blocks[j].Parent
	}
	return i < 0 && j < 0
}

// isCode reports whether a block is code.
func isCode(b markdown.Block) bool {
	return b.Kind == markdown.FencedCode || b.Kind == markdown.IndentedCode
}

// SameContent reports whether two blocks of one kind have the same lines, if they have no others in
// them and are text, code or HTML.
func SameContent(x *markdown.Document, a int, y *markdown.Document, b int) bool {
	switch x.Blocks[a].Kind {
	case markdown.Paragraph, markdown.Heading, markdown.FencedCode, markdown.IndentedCode, markdown.HTMLBlock:
		return slices.Equal(ContentOf(x, a), ContentOf(y, b))
	}
	return true
}

// ContentOf returns the lines of a block without the prefixes of its containers. Blanks before them
// matter in code and HTML alone.
func ContentOf(doc *markdown.Document, b int) []string {
	var lines []string
	for l := range doc.ContentLines(b) {
		line := string(doc.Text(l.Span))
		if isCode(doc.Blocks[b]) || doc.Blocks[b].Kind == markdown.HTMLBlock {
			line = strings.Repeat(" ", l.Columns) + line
		} else {
			line = strings.TrimLeft(line, " \t")
		}
		lines = append(lines, line)
	}
	return lines
}

// boxOf returns which box of a task block i begins with: those of the flags [markdown.Task] and
// [markdown.Done] that its item has.
func boxOf(doc *markdown.Document, i int32) markdown.Flags {
	if p := doc.Blocks[i].Parent; p >= 0 && i == p+1 {
		return doc.Blocks[p].Flags & (markdown.Task | markdown.Done)
	}
	return 0
}

// checkHeadings checks that lines of a quote or item which no splice touches begin no section:
// such lines may have no mark of it, and go on with a paragraph that isn't there any more.
func (c *blockCheck) checkHeadings() {
	next, shift, top := 0, 0, int32(0) // the first splice that ends behind the heading, and the block of the old document there
	for s := range c.new.Sections {
		h := &c.new.Blocks[c.new.Sections[s].Heading]
		var written markdown.Span
		for ; next < len(c.splices); next++ {
			if written = c.changed(&c.splices[next], shift); written.End >= int(h.Start) {
				break
			}
			shift += len(c.splices[next].Text) - c.splices[next].Len()
		}
		if c.taken[s] || next < len(c.splices) && written.Start <= int(h.End) {
			continue
		}
		was := int(h.Start) - shift
		for int(top) < len(c.old.Blocks) && int(c.old.Blocks[top].End) <= was {
			top = c.old.Blocks[top].Next
		}
		if int(top) == len(c.old.Blocks) || int(c.old.Blocks[top].Start) > was {
			continue
		}
		switch c.old.Blocks[top].Kind {
		case markdown.BlockQuote, markdown.List, markdown.FootnoteDefinition:
		default:
			continue
		}
		c.report(top, func() (Fate, string) {
			return Elsewhere, c.say("would end", "ends") + " before " + Describe(c.new, c.new.Sections[s].Heading)
		})
	}
}

// changed returns the range of the new document in which a splice has put other text than there
// was, but for blanks at its end, where those before it shift by so many bytes.
func (c *blockCheck) changed(s *Splice, shift int) markdown.Span {
	old, text := bytes.TrimRight(c.old.Source[s.Start:s.End], " \t\r\n"), bytes.TrimRight(s.Text, " \t\r\n")
	before, behind := alike(old, text)
	return markdown.Span{Start: s.Start + shift + before, End: s.Start + shift + len(text) - behind}
}

// alike returns how many bytes two texts have in common at their beginnings, and of the rest at their ends.
func alike(a, b []byte) (before, behind int) {
	before = syntax.CommonPrefix(a, b)
	return before, syntax.CommonSuffix(a[before:], b[before:])
}

// isDivided reports whether section p is divided by section q of the new document: it and all
// between them were written by splices. p is -1 for what stands before the first section.
func (c *blockCheck) isDivided(p, q int32) bool {
	if q < 0 || !c.Divides {
		return false
	}
	if of, ok := c.divided[q]; ok {
		return of == p
	}
	if c.taken[q] {
		return false
	}
	above := q
	for above >= 0 && c.written(&c.new.Blocks[c.new.Sections[above].Heading]) {
		above = c.new.Sections[above].Parent
	}
	if above == q || p < 0 && above >= 0 || p >= 0 && c.sections[p] != above {
		return false
	}
	c.divided[q], c.taken[q] = p, true
	return true
}

// written reports whether a block of the new document is a heading with '#' that a splice
// has put in, all of it.
func (c *blockCheck) written(b *markdown.Block) bool {
	if b.Marker != '#' {
		return false // a line below a paragraph makes one by accident, and a line alone may
	}
	shift := 0
	for i := range c.splices {
		s := &c.splices[i]
		start := s.Start + shift
		if int(b.Start) >= start && int(b.End) <= start+len(s.Text) {
			return true
		}
		shift += len(s.Text) - s.Len()
	}
	return false
}

// moveTo notes that block i stands in a section of the new document that is not the one that
// it was in, with those before it of which that holds too.
func (c *blockCheck) moveTo(i, section int32) {
	m := &c.moved
	if m.next != i || m.section != section || c.Total == 0 {
		*m = movedBlocks{section: section, first: i, listed: len(c.Changed)}
		c.report(i, func() (Fate, string) {
			return Elsewhere, c.say("would stand", "stands") + " in " + c.describeSection(section)
		})
	} else if m.behind++; m.listed < len(c.Changed) {
		behind, verb := "the block behind it", c.say("would stand", "stand")
		if m.behind > 1 {
			behind = fmt.Sprintf("the %d blocks behind it", m.behind)
		}
		c.Changed[m.listed] = fmt.Sprintf("%s and %s %s in %s", Describe(c.old, m.first), behind, verb, c.describeSection(section))
	}
	m.next = c.old.Blocks[i].Next
}

// sameContainer reports whether container q is what container p was. Both are -1 at
// the top level.
func (c *blockCheck) sameContainer(p, q int32) bool {
	for p >= 0 && q >= 0 {
		if known, ok := c.containers[p]; ok {
			return known == q
		}
		if _, ok := c.became[q]; ok || c.old.Blocks[p].Kind != c.new.Blocks[q].Kind {
			return false
		}
		c.containers[p], c.became[q] = q, p
		p, q = c.old.Blocks[p].Parent, c.new.Blocks[q].Parent
	}
	return p == q
}

// sameSection reports whether section q is what section p was. Both are -1 before
// the first section.
func (c *blockCheck) sameSection(p, q int32) bool {
	switch {
	case p < 0 || q < 0:
		return p == q || p >= 0 && c.sections[p] == lost
	case c.sections[p] == unknown && !c.taken[q]: // its heading was touched
		c.sections[p], c.taken[q] = q, true
		return true
	}
	return c.sections[p] == q || c.sections[p] == lost
}

// loseSection keeps what stands in a section that is gone from being reported too.
func (c *blockCheck) loseSection(i int32) {
	if s := c.current[0]; s >= 0 && c.old.Sections[s].Heading == i {
		c.sections[s] = lost
	}
}

// checkFrontMatter checks that front matter of which the splices leave some is still
// front matter. It may be changed, and it may go as a whole; what is left of it
// otherwise would become text of the document.
func (c *blockCheck) checkFrontMatter() {
	if c.old.FrontMatter() < 0 || c.new.FrontMatter() >= 0 {
		return
	}
	const first = 0 // no block stands before front matter
	span := c.old.Blocks[first].Span()
	touched, left := false, span.Len()
	for _, s := range c.splices {
		if s.Start < span.End && s.End > span.Start {
			touched = true
			left -= min(s.End, span.End) - max(s.Start, span.Start)
		}
	}
	if touched && left > 0 { // untouched, it has been reported
		c.report(first, func() (Fate, string) { return HalfOfFront, c.say("would be", "is") + " none" })
	}
}
