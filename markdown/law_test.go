package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/syntax"
	"github.com/sectile/sectile/internal/testkit"
)

// Laws hold for any bytes: they say what a document is, whatever a reference
// parser makes of it. Each is a function that returns the first breach it finds.
// What they need of the source (where lines begin, what is blank) they find out
// in the plainest way, not with the parser's own means.

// laws returns the first breach of any law on src.
func laws(src []byte, p *Parser) error {
	for _, opts := range []Options{{}, CommonMark(), {Headings: testkit.OwnHeadings()}} {
		d, err := (&Parser{Options: opts}).Parse(src)
		if err != nil {
			return err
		}
		starts := plainLines(src)
		for _, law := range slices.Concat(treeLaws, []func(*Document, []int) error{lawContent}) {
			if err := law(d, starts); err != nil {
				return fmt.Errorf("%+v: %w", opts, err)
			}
		}
		p.Options = opts
		for _, law := range []func(*Document, *Parser) error{lawSame, lawEndings, lawQuoted, lawIndented, lawOwnHeadings} {
			if err := law(d, p); err != nil {
				return fmt.Errorf("%+v: %w", opts, err)
			}
		}
	}
	return nil
}

// treeLaws are those that take linear time on any document, however deep.
var treeLaws = []func(*Document, []int) error{lawNested, lawLines, lawGaps, lawSections, lawIndex}

// checkLaws fails the test at the first breach of a law on a document.
func checkLaws(t testing.TB, d *Document) {
	t.Helper()
	starts := plainLines(d.Source)
	for _, law := range treeLaws {
		if err := law(d, starts); err != nil {
			t.Error(err)
		}
	}
}

// plainLines returns where lines begin, with the length of src at the end.
func plainLines(src []byte) []int {
	var starts []int
	begins := true
	for i, c := range src {
		if begins {
			starts = append(starts, i)
		}
		begins = c == '\n' || c == '\r' && (i+1 == len(src) || src[i+1] != '\n')
	}
	return append(starts, len(src))
}

// plainLine returns the number of the line that holds the byte at offset.
func plainLine(starts []int, offset int) int {
	n, exact := slices.BinarySearch(starts[:len(starts)-1], offset)
	if exact {
		n++
	}
	return n
}

// lawNested: blocks form a tree in pre-order whose spans and lines lie within
// those of the parent, in order and apart from each other.
func lawNested(d *Document, _ []int) error {
	var open []int
	for i := range d.Blocks {
		b := &d.Blocks[i]
		for len(open) > 0 && i >= int(d.Blocks[open[len(open)-1]].Next) {
			open = open[:len(open)-1]
		}
		parent := -1
		from, to, firstLine, lastLine := syntax.BOMLen(d.Source), len(d.Source), 1, d.LineCount
		limit := len(d.Blocks)
		if len(open) > 0 {
			parent = open[len(open)-1]
			p := &d.Blocks[parent]
			from, to, firstLine, lastLine = int(p.Start), int(p.End), int(p.StartLine), int(p.EndLine)
			limit = int(p.Next)
		}
		if first := parent + 1; i > first {
			before := &d.Blocks[i-1] // the last descendant of the sibling before
			for int(before.Parent) != parent {
				before = &d.Blocks[before.Parent]
			}
			from, firstLine = int(before.End), int(before.EndLine)
		}
		switch {
		case int(b.Parent) != parent:
			return fmt.Errorf("block %d: parent %d, want %d", i, b.Parent, parent)
		case int(b.Next) <= i || int(b.Next) > limit:
			return fmt.Errorf("block %d: next %d, want %d to %d", i, b.Next, i+1, limit)
		case int(b.Start) < from || b.End < b.Start || int(b.End) > to:
			return fmt.Errorf("block %d: span %v, want within %d:%d", i, b.Span(), from, to)
		case int(b.StartLine) < firstLine || b.EndLine < b.StartLine || int(b.EndLine) > lastLine:
			return fmt.Errorf("block %d: lines %v, want within %d-%d", i, b.Lines(), firstLine, lastLine)
		case !mayContain(d, parent, b.Kind):
			return fmt.Errorf("block %d: %v in block %d", i, b.Kind, parent)
		case b.Start == b.End && b.Kind != TableCell:
			return fmt.Errorf("block %d: %v is empty", i, b.Kind)
		}
		open = append(open, i)
	}
	return nil
}

// mayContain reports whether a block of the kind may stand in the parent.
func mayContain(d *Document, parent int, kind Kind) bool {
	if parent < 0 {
		return kind != Item && kind != TableRow && kind != TableCell
	}
	switch d.Blocks[parent].Kind {
	case List:
		return kind == Item
	case Table:
		return kind == TableRow
	case TableRow:
		return kind == TableCell
	case BlockQuote, Item, FootnoteDefinition:
		return kind != Item && kind != TableRow && kind != TableCell && kind != FrontMatter
	}
	return false
}

// lawLines: a block's first line is the one of its first byte, its last line the
// one at whose content it ends.
func lawLines(d *Document, starts []int) error {
	for i := range d.Blocks {
		b := &d.Blocks[i]
		first, last := plainLine(starts, int(b.Start)), plainLine(starts, int(b.End))
		if last == 0 || int(b.End) == len(d.Source) {
			last = len(starts) - 1
		}
		if int(b.StartLine) != first || int(b.EndLine) != last {
			return fmt.Errorf("block %d: lines %v, want %d-%d", i, b.Lines(), first, last)
		}
		if b.End > b.Start && isEnding(d.Source[b.End-1]) && !mayEndBlank(b.Kind) {
			return fmt.Errorf("block %d %v ends with a line ending", i, b.Kind)
		}
	}
	return nil
}

// mayEndBlank reports whether the last line of a block can be an empty one: if it
// is code or HTML that isn't closed, or holds such.
func mayEndBlank(kind Kind) bool {
	switch kind {
	case FencedCode, HTMLBlock, BlockQuote, List, Item, FootnoteDefinition:
		return true
	}
	return false
}

func isEnding(c byte) bool { return c == '\n' || c == '\r' }

// lawGaps: between blocks at the top level is white space alone; in containers
// there are also the marks of quotes, the marker before an item's content and
// the delimiter row of a table.
func lawGaps(d *Document, _ []int) error {
	if err := gaps(d, -1, Span{syntax.BOMLen(d.Source), len(d.Source)}); err != nil {
		return err
	}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if b.Kind != BlockQuote && b.Kind != List && b.Kind != Item && b.Kind != FootnoteDefinition {
			continue
		}
		s := b.Span()
		if b.Kind == Item || b.Kind == FootnoteDefinition {
			s.Start = markerEnd(d, b)
		}
		if err := gaps(d, i, s); err != nil {
			return err
		}
	}
	return nil
}

// markerEnd returns the offset after the marker of an item or footnote.
func markerEnd(d *Document, b *Block) int {
	text := d.Source[b.Start:b.End]
	if b.Kind == FootnoteDefinition {
		i := 2
		for text[i] != ']' {
			if text[i] == '\\' {
				i++
			}
			i++
		}
		return int(b.Start) + i + 2
	}
	return int(b.Start) + bytes.IndexAny(text, "-+*.)") + 1
}

// gaps looks at what stands in the range between the children of a block.
func gaps(d *Document, block int, s Span) error {
	allowed := " \t\r\n"
	if block >= 0 {
		allowed += ">"
	}
	check := func(start, end int) error {
		if rest := bytes.Trim(d.Source[start:max(start, end)], allowed); len(rest) > 0 {
			return fmt.Errorf("block %d: %q at %d belongs to no child", block, rest, start)
		}
		return nil
	}
	for _, c := range d.Children(block) {
		if err := check(s.Start, int(c.Start)); err != nil {
			return err
		}
		s.Start = int(c.End)
	}
	return check(s.Start, s.End)
}

// lawSections: sections are the headings at the top level in order, nested by
// their levels, and tile the document.
func lawSections(d *Document, starts []int) error {
	n := 0
	above := [7]int{-1, -1, -1, -1, -1, -1, -1} // the open section of each level
	for i, b := range d.Children(-1) {
		if b.Kind != Heading {
			continue
		}
		if n == len(d.Sections) || int(d.Sections[n].Heading) != i || d.Sections[n].Level != b.Level {
			return fmt.Errorf("section %d is not that of heading %d", n, i)
		}
		parent := slices.Max(above[:b.Level])
		for l := int(b.Level); l < len(above); l++ {
			above[l] = -1
		}
		above[b.Level] = n
		if int(d.Sections[n].Parent) != parent {
			return fmt.Errorf("section %d: parent %d, want %d", n, d.Sections[n].Parent, parent)
		}
		if s := d.SectionSpan(n); s.Start != starts[b.StartLine-1] && (b.StartLine > 1 || s.Start != syntax.BOMLen(d.Source)) {
			return fmt.Errorf("section %d begins at %d, within a line", n, s.Start)
		}
		n++
	}
	if n != len(d.Sections) {
		return fmt.Errorf("%d sections, want %d", len(d.Sections), n)
	}
	end, line := d.Preamble().End, d.PreambleLines().Last
	if d.Preamble().Start != syntax.BOMLen(d.Source) {
		return fmt.Errorf("preamble %v", d.Preamble())
	}
	for i := 0; i < n; i = int(d.Sections[i].Next) {
		if d.Sections[i].Parent != -1 || d.SectionSpan(i).Start != end || d.SectionLines(i).First != line+1 {
			return fmt.Errorf("section %d %v leaves a gap", i, d.SectionSpan(i))
		}
		end, line = d.SectionSpan(i).End, d.SectionLines(i).Last
	}
	if end != len(d.Source) || line != d.LineCount {
		return fmt.Errorf("sections end at %d, line %d", end, line)
	}
	for i := range d.Sections {
		if err := subsections(d, i); err != nil {
			return err
		}
	}
	return nil
}

// subsections: the body and the children of section i make it up.
func subsections(d *Document, i int) error {
	next := int(d.Sections[i].Next)
	if next <= i || next > len(d.Sections) {
		return fmt.Errorf("section %d: next %d", i, next)
	}
	body, all := d.BodySpan(i), d.SectionSpan(i)
	if body.Start != all.Start || d.BodyLines(i).First != d.SectionLines(i).First {
		return fmt.Errorf("section %d: body %v of %v", i, body, all)
	}
	end, line := body.End, d.BodyLines(i).Last
	for c := i + 1; c < next; c = int(d.Sections[c].Next) {
		if int(d.Sections[c].Parent) != i || d.SectionSpan(c).Start != end || d.SectionLines(c).First != line+1 {
			return fmt.Errorf("section %d is no seamless child of %d", c, i)
		}
		end, line = d.SectionSpan(c).End, d.SectionLines(c).Last
	}
	if end != all.End || line != d.SectionLines(i).Last {
		return fmt.Errorf("section %d: ends at %d, want %v", i, end, all)
	}
	return nil
}

// lawIndex: lines are numbered by their endings, and found by number and offset.
func lawIndex(d *Document, starts []int) error {
	n := len(starts) - 1
	if d.LineCount != n {
		return fmt.Errorf("%d lines, want %d", d.LineCount, n)
	}
	for i := range n {
		s := d.LineSpan(Lines{i + 1, i + 1})
		if s != (Span{starts[i], starts[i+1]}) {
			return fmt.Errorf("line %d: %v, want %d:%d", i+1, s, starts[i], starts[i+1])
		}
		for _, offset := range []int{s.Start, (s.Start + s.End) / 2, s.End - 1} {
			if got := d.LineAt(offset); got != i+1 {
				return fmt.Errorf("offset %d: line %d, want %d", offset, got, i+1)
			}
		}
	}
	if s := d.LineSpan(Lines{1, n}); s != (Span{0, len(d.Source)}) {
		return fmt.Errorf("all lines: %v", s)
	}
	return nil
}

// lawContent: what is asked of a block lies within it, and no question panics.
func lawContent(d *Document, starts []int) error {
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if c := d.Content(i); c.Start < int(b.Start) || c.End < c.Start || c.End > int(b.End) {
			return fmt.Errorf("block %d: content %v", i, c)
		}
		from, to := int(b.Start), int(b.End)
		switch b.Kind {
		case BlockQuote, List, Item, FootnoteDefinition, ThematicBreak:
			// Blanks around what they hold are in the lines and not in the span.
			from, to = starts[b.StartLine-1], starts[b.EndLine]
		}
		for l := range d.ContentLines(i) {
			if l.Start < from || l.End < l.Start || l.End > to || l.Columns < 0 || l.Columns > 3 {
				return fmt.Errorf("block %d %v %v: content line %+v", i, b.Kind, b.Span(), l)
			}
			if bytes.ContainsAny(d.Text(l.Span), "\r\n") {
				return fmt.Errorf("block %d: content line %v holds a line ending", i, l.Span)
			}
			from = l.End
		}
		d.Title(i)
		d.Info(i)
		switch b.Kind {
		case List:
			d.ListStart(i)
			d.Tight(i)
		case LinkDefinition, FootnoteDefinition:
			if len(d.Label(i)) == 0 {
				return fmt.Errorf("block %d has no label", i)
			}
		}
	}
	for i := range d.Sections {
		if len(d.SectionHash(i)) != 2*hashLen || len(d.BodyHash(i)) != 2*hashLen {
			return errors.New("a hash has another length")
		}
	}
	d.LineEnding()
	return nil
}

// TestLawsCorpus tries the laws on real documents.
func TestLawsCorpus(t *testing.T) {
	var p Parser
	for _, f := range testkit.CorpusFiles(t) {
		if err := laws(f.Data, &p); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// FuzzParse tries the laws on anything.
func FuzzParse(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s))
	}
	var p Parser
	f.Fuzz(func(t *testing.T, src []byte) {
		if err := laws(src, &p); err != nil {
			t.Errorf("%v\n%q\n%v", err, src, tree(mustParse(t, string(src), Options{})))
		}
	})
}
