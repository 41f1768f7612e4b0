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

// rest is text that is kept behind a splice, at so many bytes more in the new document: where it begins, and where it
// ends in its block. There is none if it begins at -1.
type rest struct{ first, last, shift int }

// checkEnds reports the first quote, list or footnote that a splice ends before the rest of what it is put into.
func (c *blockCheck) checkEnds() {
	list := c.keptAround()
	rests := make([]rest, len(c.splices))
	for i := len(rests) - 1; i >= 0; i-- {
		behind := list[i+1].Span
		if !c.dividesCode(i, c.firstText(behind)) { // the end of its own text that it only repeats
			behind.Start = c.splices[i].End
		}
		if at := c.firstText(behind); at >= 0 {
			if b := c.blockAt(at); b >= 0 {
				behind.End = min(behind.End, int(c.old.Blocks[b].End))
			}
			rests[i] = rest{at, c.lastText(markdown.Span{Start: at, End: behind.End}), list[i+1].shift}
		} else if rests[i].first = -1; i+1 < len(rests) {
			rests[i] = rests[i+1]
		}
	}
	for _, last := range []func(markdown.Span) int{c.lastMark, c.lastText} {
		for _, at := range []func(rest) int{func(r rest) int { return r.first }, func(r rest) int { return r.last }} {
			if c.checkRests(list, rests, last, at) {
				return
			}
		}
	}
}

// checkRests is checkEnds by the place that last finds in what is kept before a splice, and by one of the rest behind
// it. It reports whether there is such a quote, list or footnote.
func (c *blockCheck) checkRests(list []kept, rests []rest, last func(markdown.Span) int, of func(rest) int) bool {
	was, now := [2]around{{doc: c.old}, {doc: c.old}}, [2]around{{doc: c.new}, {doc: c.new}}
	at, by := -1, 0
	for i, rest := range rests {
		if last := last(list[i].Span); last >= 0 {
			at, by = last, list[i].shift
		}
		if at < 0 || rest.first < 0 {
			continue
		}
		before, behind := now[0].blocks(at+by), now[1].blocks(of(rest)+rest.shift)
		if n := len(before); n == len(behind) && (n == 0 || before[n-1] == behind[n-1]) {
			continue
		}
		shared, sharedNow := common(c.old, was[0].blocks(at), was[1].blocks(of(rest))), common(c.new, before, behind)
		own := common(c.new, before, before)
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
// blanks ends.
func common(doc *markdown.Document, a, b []int32) (all []int32) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		switch doc.Blocks[a[i]].Kind {
		case markdown.BlockQuote, markdown.List, markdown.FootnoteDefinition:
			all = append(all, a[i])
		}
	}
	return all
}
