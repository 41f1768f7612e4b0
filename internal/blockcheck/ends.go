package blockcheck

import (
	"fmt"
	"sort"

	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// A text that is put within a block of a quote or list may end these: its lines lack the marks or blanks that
// the lines around begin with. What stands behind it, the rest of that block, would then be outside, though no
// other block is. So what stands before a splice and what stands behind it must be together in as many quotes,
// lists and footnotes as they were, unless what stands before it is in fewer itself.

// kept is a range of the old document that the new one has, too, at so many bytes more.
type kept struct {
	markdown.Span
	shift int
}

// keptAround returns what is kept before each splice, and behind the last one: also the beginning and the end of a
// splice's old text that its new one has.
func (c *blockCheck) keptAround() []kept {
	list := make([]kept, 1, len(c.splices)+1)
	for _, s := range c.splices {
		before, behind := alike(c.old.Source[s.Start:s.End], s.Text)
		last := &list[len(list)-1]
		last.End = s.Start + before
		list = append(list, kept{markdown.Span{Start: s.End - behind}, last.shift + len(s.Text) - s.Len()})
	}
	list[len(list)-1].End = len(c.old.Source)
	return list
}

// place is an offset of the old document, and by how many bytes it is further on in the new one. There is none at -1.
type place struct{ at, shift int }

// checkEnds reports the first quote, list or footnote that a splice ends before the rest of what it is put into.
func (c *blockCheck) checkEnds() {
	list := c.keptAround()
	first, last := c.rests(list)
	broken := c.brokenCode(first, last)
	for _, before := range [][]place{before(list, c.lastMark), before(list, c.lastText)} {
		if c.checkTogether(before, first, broken) || c.checkTogether(before, last, broken) {
			return
		}
	}
}

// before returns the last place of what is kept before each splice that a function finds.
func before(list []kept, last func(markdown.Span) int) []place {
	places := make([]place, len(list)-1)
	found := place{at: -1}
	for i := range places {
		if at := last(list[i].Span); at >= 0 {
			found = place{at, list[i].shift}
		}
		places[i] = found
	}
	return places
}

// rests returns where the text that is kept behind each splice begins, and where it ends in its block.
func (c *blockCheck) rests(list []kept) (first, last []place) {
	first, last = make([]place, len(c.splices)), make([]place, len(c.splices))
	for i := len(first) - 1; i >= 0; i-- {
		behind := list[i+1].Span
		behind.Start = c.repeatedLines(c.splices[i].Span, behind.Start)
		if !c.dividesCode(i, c.firstText(behind)) { // the end of its own text that it only repeats
			behind.Start = c.splices[i].End
		}
		at := c.firstText(behind)
		switch {
		case at >= 0:
			if b := c.blockAt(at); b >= 0 {
				behind.End = min(behind.End, int(c.old.Blocks[b].End))
			}
			end := c.lastText(markdown.Span{Start: at, End: behind.End})
			first[i], last[i] = place{at, list[i+1].shift}, place{end, list[i+1].shift}
		case i+1 < len(first):
			first[i], last[i] = first[i+1], last[i+1]
		default:
			first[i], last[i] = place{at: -1}, place{at: -1}
		}
	}
	return first, last
}

// repeatedLines returns where the lines begin that a splice repeats of its old text, which it has from an offset on:
// what it repeats of one line, a word at its end, may be another one.
func (c *blockCheck) repeatedLines(old markdown.Span, from int) int {
	src := c.old.Source
	if from == old.Start || from >= old.End || src[from-1] == '\n' || src[from-1] == '\r' {
		return from
	}
	return min(textlines.End(src[:old.End], from), old.End)
}

// brokenCode reports for each splice whether it divides code or HTML, the rest of which isn't one such block any more.
func (c *blockCheck) brokenCode(first, last []place) []bool {
	broken := make([]bool, len(first))
	now := [2]around{{doc: c.new}, {doc: c.new}}
	for i, at := range first {
		if at.at < 0 || !c.dividesCode(i, at.at) {
			continue
		}
		above, below := now[0].blocks(at.at+at.shift), now[1].blocks(last[i].at+last[i].shift)
		n := len(above)
		broken[i] = n == 0 || n != len(below) || above[n-1] != below[n-1] || c.new.Blocks[above[n-1]].Kind != c.old.Blocks[c.blockAt(at.at)].Kind
	}
	return broken
}

// checkTogether reports the first quote, list or footnote that a place before a splice shared with one behind it, and
// doesn't any more, and whether there is one. An item may well be divided, but not where code is broken.
func (c *blockCheck) checkTogether(before, behind []place, broken []bool) bool {
	var was, now [2]around
	for i := range was {
		was[i].doc, now[i].doc = c.old, c.new
	}
	for i, a := range before {
		b := behind[i]
		if a.at < 0 || b.at < 0 {
			continue
		}
		above, below := now[0].blocks(a.at+a.shift), now[1].blocks(b.at+b.shift)
		if n := len(above); n == len(below) && (n == 0 || above[n-1] == below[n-1]) {
			continue
		}
		shared, sharedNow := common(c.old, was[0].blocks(a.at), was[1].blocks(b.at), broken[i]), common(c.new, above, below, broken[i])
		own := common(c.new, above, above, broken[i])
		if n := len(sharedNow); n < len(shared) && n < len(own) {
			c.report(shared[n], func() (Fate, string) {
				return Ended, fmt.Sprintf("%s on line %d", c.say("would end", "ends"), c.new.Blocks[own[n]].EndLine)
			})
			return true
		}
	}
	return false
}

// dividesCode reports whether an offset is in code or HTML that begins before a splice.
func (c *blockCheck) dividesCode(splice, at int) bool {
	if at < 0 {
		return false
	}
	b := c.blockAt(at)
	return b >= 0 && int(c.old.Blocks[b].Start) < c.splices[splice].Start && (isCode(c.old.Blocks[b]) || c.old.Blocks[b].Kind == markdown.HTMLBlock)
}

// blockAt returns the block of the old document that begins last before an offset, if that is in it, else -1.
func (c *blockCheck) blockAt(at int) int {
	b := sort.Search(len(c.old.Blocks), func(i int) bool { return int(c.old.Blocks[i].Start) > at }) - 1
	if b >= 0 && at >= int(c.old.Blocks[b].End) {
		return -1
	}
	return b
}

// lastMark returns where the last character of a range is that is not blank, or -1: it may be the mark of a quote.
func (c *blockCheck) lastMark(in markdown.Span) int {
	for i := in.End - 1; i >= in.Start; i-- {
		if !isBlank(c.old.Source[i]) {
			return i
		}
	}
	return -1
}

// lastText returns where the last character of a range is that is not blank, and no mark of a quote that stands
// around it, or -1.
func (c *blockCheck) lastText(in markdown.Span) int {
	for i := c.lastMark(in); i >= in.Start; i = c.lastMark(markdown.Span{Start: in.Start, End: i}) {
		if c.old.Source[i] != '>' {
			return i
		}
		if text := c.behindMarks(i); text <= i {
			return i
		}
		i = max(textlines.Begin(c.old.Source, i), in.Start)
	}
	return -1
}

// firstText returns where the first character of a range is that is not blank, and no mark of a quote that stands
// around it, or -1.
func (c *blockCheck) firstText(in markdown.Span) int {
	src := c.old.Source
	for i := in.Start; i < in.End; i++ {
		switch {
		case isBlank(src[i]):
		case src[i] != '>':
			return i
		default:
			text := c.behindMarks(i)
			if text <= i {
				return i
			}
			i = text - 1
		}
	}
	return -1
}

// line is one of the old document that may begin with marks of quotes.
type line struct {
	markdown.Span
	text int // where its text begins: behind the marks of the quotes around it
	run  int // where other characters than marks and blanks begin
}

// behindMarks returns where the text begins of the line that has a '>' at the offset, if that stands before other text,
// else the offset. The line is kept for the next call, for many splices may be in it.
func (c *blockCheck) behindMarks(at int) int {
	if at < c.line.Start || at >= c.line.End {
		c.line = c.lineAt(at)
	}
	if at >= c.line.run {
		return at
	}
	return c.line.text
}

// lineAt returns the line that an offset is in.
func (c *blockCheck) lineAt(at int) line {
	src := c.old.Source
	begin := textlines.Begin(src, at)
	last, end := begin, begin
	for ; end < len(src) && (src[end] == '>' || src[end] == ' ' || src[end] == '\t'); end++ {
		if src[end] == '>' {
			last = end
		}
	}
	marks := 0
	b := sort.Search(len(c.old.Blocks), func(i int) bool { return int(c.old.Blocks[i].Start) > last }) - 1
	for ; b >= 0; b = int(c.old.Blocks[b].Parent) {
		if block := &c.old.Blocks[b]; block.Kind == markdown.BlockQuote && int(block.End) > last {
			marks++
		}
	}
	found := line{markdown.Span{Start: begin, End: textlines.End(src, at)}, end, end}
	for i := begin; i < end; i++ {
		if src[i] == '>' {
			if marks--; marks < 0 {
				found.text = i
				break
			}
		}
	}
	return found
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// around knows which blocks are around one place of a document after the other.
type around struct {
	doc  *markdown.Document
	next int
	in   []int32
}

// blocks returns the blocks around an offset, outermost first. It is not before that of the last call.
func (a *around) blocks(at int) []int32 {
	for ; a.next < len(a.doc.Blocks) && int(a.doc.Blocks[a.next].Start) <= at; a.next++ {
		a.leave(int(a.doc.Blocks[a.next].Start))
		a.in = append(a.in, int32(a.next)) //nolint:gosec // there are not as many
	}
	a.leave(at)
	return a.in
}

// leave leaves the blocks that end before an offset.
func (a *around) leave(at int) {
	for n := len(a.in); n > 0 && int(a.doc.Blocks[a.in[n-1]].End) <= at; n-- {
		a.in = a.in[:n-1]
	}
}

// common returns those of the blocks around two places that are around both, and that a line without their marks or
// blanks ends; items of lists among them only if these count.
func common(doc *markdown.Document, a, b []int32, items bool) (all []int32) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		switch kind := doc.Blocks[a[i]].Kind; kind {
		case markdown.BlockQuote, markdown.List, markdown.FootnoteDefinition, markdown.Item:
			if items || kind != markdown.Item {
				all = append(all, a[i])
			}
		}
	}
	return all
}
