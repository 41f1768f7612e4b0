package selecting

import (
	"context"
	"fmt"
	"slices"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// An inventory that is longer than its reply may be is made smaller by structure.
// Of all documents the deepest headings go first, level by level, so that what is
// left is complete down to some level; then documents go, from the end. A single
// document has no other to be like: of the first level that doesn't fit as a
// whole it shows as many headings as there is room for. What is gone is counted
// in lines in brackets, which name the call that shows it.
//
// While documents are read, no more is kept of them than the reply can still
// show, so their number and size don't matter to memory.

// indexFit collects documents for a reply of limited length.
type indexFit struct {
	limit   int // characters of the reply
	digests []*digest
	sums    [7]int // by level, the characters of all documents down to it
	depth   int    // the greatest level down to which all of them fit, or 0
	left    int    // documents of which nothing is kept
	first   int    // index of the first of them in the list
}

// add adds a document to the reply.
func (f *indexFit) add(d *digest) {
	if len(f.digests) == 0 {
		f.depth = 6
	}
	for l := range f.sums {
		f.sums[l] += d.cost(l)
	}
	before := f.depth
	for f.depth > 0 && f.sums[f.depth] > f.limit {
		f.depth--
	}
	switch {
	case len(f.digests) == 0: // it may be the only one, which shows more
		f.digests = append(f.digests, d)
		return
	case f.depth == 0:
		if f.left == 0 {
			f.first = d.file
		}
		f.left++
		return
	case f.depth < before:
		for _, d := range f.digests {
			d.prune(f.depth)
		}
	}
	d.prune(f.depth)
	f.digests = append(f.digests, d)
}

// keep forgets documents behind the first n of the list.
func (f *indexFit) keep(n int) {
	f.digests = slices.DeleteFunc(f.digests, func(d *digest) bool { return d.file >= n })
	f.left, f.sums = 0, f.costs()[len(f.digests)]
}

// digest is what is kept of a document's inventory.
type digest struct {
	file  int    // index in the list
	name  []byte // the line that names it, or empty
	text  []byte // lines of headings
	lines []digestLine
	whole int    // all headings down to this level are in text
	top   int    // the highest level, or 0 without headings
	count [7]int // headings, by level
	size  [7]int // characters of their lines
	tail  []byte // the numbers of blocks
}

// digestLine is a line of a digest.
type digestLine struct{ end, level int }

// headingsBetween is how many headings are gone over between two looks at the context.
const headingsBetween = 1 << 12

// digest returns what a reply may show of the inventory of file i. The error is that of
// the context.
func (x *indexing) digest(ctx context.Context, doc *markdown.Document, i int) (*digest, error) {
	d := &digest{file: i, name: x.appendName(nil, &x.list[i]), whole: 6, tail: countBlocks(doc).appendText(nil)}
	n := 0
	for line := range x.headingLines(doc) {
		if n++; n%headingsBetween == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l := line.level
		if d.top == 0 || l < d.top {
			d.top = l
		}
		d.count[l]++
		d.size[l] += replies.Chars(line.text)
		if d.size[l] > x.MaxChars {
			d.whole = min(d.whole, l-1)
			continue
		}
		d.text = append(d.text, line.text...)
		d.lines = append(d.lines, digestLine{len(d.text), l})
	}
	return d, nil
}

// shown returns the level down to which headings are shown if those of all
// documents are shown down to depth: its highest ones always are.
func (d *digest) shown(depth int) int { return max(depth, d.top) }

// chars returns the number of characters down to a level, without a note.
func (d *digest) chars(depth int) int {
	n := replies.Chars(d.name) + replies.Chars(d.tail)
	for _, size := range d.size[:depth+1] {
		n += size
	}
	return n
}

// cost returns the number of characters that appendTo appends.
func (d *digest) cost(depth int) int {
	depth = d.shown(depth)
	return d.chars(depth) + len(d.appendNote(nil, depth))
}

// appendTo appends the inventory as that of one of several documents.
func (d *digest) appendTo(dst []byte, depth int) []byte {
	depth = d.shown(depth)
	dst = d.appendLines(append(dst, d.name...), depth, 0)
	return append(d.appendNote(dst, depth), d.tail...)
}

// appendLines appends the lines down to a level, and the first ones of the next
// level.
func (d *digest) appendLines(dst []byte, depth, more int) []byte {
	start := 0
	for _, line := range d.lines {
		if line.level == depth+1 {
			more--
		}
		if line.level <= depth || line.level == depth+1 && more >= 0 {
			dst = append(dst, d.text[start:line.end]...)
		}
		start = line.end
	}
	return dst
}

// appendNote appends how many headings below a level are not shown, if there are
// any.
func (d *digest) appendNote(dst []byte, depth int) []byte {
	n := d.hidden(depth)
	if n == 0 {
		return dst
	}
	return fmt.Appendf(dst, "[%s below h%d not shown]\n", replies.Plural(n, "heading"), depth)
}

// hidden returns the number of headings below a level.
func (d *digest) hidden(depth int) int {
	n := 0
	for _, count := range d.count[depth+1:] {
		n += count
	}
	return n
}

// prune forgets what is not shown if documents are shown down to depth.
func (d *digest) prune(depth int) {
	depth = d.shown(depth)
	var (
		text  []byte
		lines []digestLine
		start = 0
	)
	for _, line := range d.lines {
		if line.level <= depth {
			text = append(text, d.text[start:line.end]...)
			lines = append(lines, digestLine{len(text), line.level})
		}
		start = line.end
	}
	d.text, d.lines, d.whole = text, lines, min(d.whole, depth)
}
