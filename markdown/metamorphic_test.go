package markdown

import (
	"bytes"
	"fmt"

	"github.com/sectile/sectile/internal/syntax"
)

// Laws about two documents: what is done to the source changes the tree in a way
// that is known beforehand. They reach the parser's short paths (top level, LF)
// and its long ones (containers, CR) with the same text, and the one has to
// agree with the other.

// shift says where the other document's tree lies: after a prefix of so many
// bytes on each line, and line endings that are longer by so many.
type shift struct {
	outer  int // blocks around the document's own
	prefix int // bytes that each line has more at its start
	ending int // bytes that each line ending has more
}

// same reports how got differs from want's blocks, shifted.
func same(want, got *Document, s shift) error {
	if len(got.Blocks) != len(want.Blocks)+s.outer {
		return fmt.Errorf("%d blocks, want %d", len(got.Blocks)-s.outer, len(want.Blocks))
	}
	for i := range want.Blocks {
		b := want.Blocks[i]
		b.Parent += int32(s.outer)
		b.Next += int32(s.outer)
		b.Start += b.StartLine*uint32(s.prefix) + (b.StartLine-1)*uint32(s.ending)
		b.End += b.EndLine*uint32(s.prefix) + (b.EndLine-1)*uint32(s.ending)
		if s.outer > 0 && b.Marker == OwnMarker { // it is one at the top level alone
			b.Kind, b.Level, b.Marker = Paragraph, 0, 0
		}
		if g := got.Blocks[i+s.outer]; g != b {
			return fmt.Errorf("block %d: %+v, want %+v", i, g, b)
		}
	}
	return nil
}

// lawSame: parsing again gives the same, and so does a parser that was used for
// something else, and a line ending at the very end changes nothing.
func lawSame(d *Document, p *Parser) error {
	again, err := p.Parse(d.Source)
	if err != nil {
		return err
	}
	if err := same(d, again, shift{}); err != nil {
		return fmt.Errorf("parsed again: %w", err)
	}
	if len(again.Sections) != len(d.Sections) || again.LineCount != d.LineCount {
		return fmt.Errorf("parsed again: %d sections, %d lines", len(again.Sections), again.LineCount)
	}
	for i, s := range d.Sections {
		if again.Sections[i] != s {
			return fmt.Errorf("parsed again: section %d %+v, want %+v", i, again.Sections[i], s)
		}
	}
	if n := len(d.Source); n == 0 || isEnding(d.Source[n-1]) {
		return nil
	}
	again, err = p.Parse(append(bytes.Clone(d.Source), '\n'))
	if err != nil {
		return err
	}
	if err := same(d, again, shift{}); err != nil {
		return fmt.Errorf("with a newline at the end: %w", err)
	}
	return nil
}

// lawEndings: it doesn't matter how lines end.
func lawEndings(d *Document, p *Parser) error {
	if bytes.IndexByte(d.Source, '\r') >= 0 {
		return nil
	}
	for _, ending := range []string{"\r\n", "\r"} {
		other, err := p.Parse(bytes.ReplaceAll(d.Source, []byte("\n"), []byte(ending)))
		if err != nil {
			return err
		}
		if err := same(d, other, shift{ending: len(ending) - 1}); err != nil {
			return fmt.Errorf("with %q: %w", ending, err)
		}
		if len(other.Sections) != len(d.Sections) || other.LineCount != d.LineCount {
			return fmt.Errorf("with %q: %d sections, %d lines", ending, len(other.Sections), other.LineCount)
		}
	}
	return nil
}

// lawQuoted: a document whose lines all have "> " before them is a block quote
// with the document in it.
func lawQuoted(d *Document, p *Parser) error {
	return lawWrapped(d, p, BlockQuote, "> ", "> ", 1)
}

// lawIndented: a document after the marker of an item, indented, is that item.
func lawIndented(d *Document, p *Parser) error {
	if len(d.Blocks) == 0 || d.Blocks[0].Start != 0 || d.Source[0] == ' ' {
		return nil // an item that begins blank, or with indented code, is another thing
	}
	return lawWrapped(d, p, List, "1. ", "   ", 2)
}

// lawWrapped: a document that has a prefix on its first line and others on the
// rest is one block with it in. Tabs would stop elsewhere, and front matter
// stands at the start alone.
func lawWrapped(d *Document, p *Parser, kind Kind, first, rest string, outer int) error {
	src := d.Source
	if len(src) == 0 || bytes.IndexByte(src, '\t') >= 0 || syntax.BOMLen(src) > 0 || d.FrontMatter() >= 0 {
		return nil
	}
	wrapped := make([]byte, 0, len(src)+len(rest)*d.LineCount)
	for i, start := range plainLines(src) {
		switch {
		case start == len(src):
		case i == 0:
			wrapped = append(wrapped, first...)
		default:
			wrapped = append(wrapped, rest...)
		}
		if i < d.LineCount {
			wrapped = append(wrapped, d.Text(d.LineSpan(Lines{i + 1, i + 1}))...)
		}
	}
	other, err := p.Parse(wrapped)
	if err != nil {
		return err
	}
	if len(other.Blocks) < outer || other.Blocks[0].Kind != kind {
		return fmt.Errorf("behind %q: no %v", first, kind)
	}
	if err := same(d, other, shift{outer: outer, prefix: len(first)}); err != nil {
		return fmt.Errorf("behind %q: %w\n%q", first, err, wrapped)
	}
	return nil
}

// lawOwnHeadings: markers of the reader's own make headings of those paragraphs that are one
// line at the top level and match, and change nothing else. Whether a line matches is not asked
// of the parser.
func lawOwnHeadings(d *Document, p *Parser) error {
	own := d.options.Headings
	if own == nil {
		return nil
	}
	p.Options.Headings = nil
	defer func() { p.Options.Headings = own }()
	without, err := p.Parse(d.Source)
	if err != nil {
		return err
	}
	if len(without.Blocks) != len(d.Blocks) || without.LineCount != d.LineCount {
		return fmt.Errorf("own headings: %d blocks in %d lines, %d in %d without", len(d.Blocks), d.LineCount, len(without.Blocks), without.LineCount)
	}
	for i, want := range without.Blocks {
		level, start, end := uint8(0), 0, 0
		if want.Kind == Paragraph && want.Parent < 0 && want.StartLine == want.EndLine {
			level, start, end = own.Match(d.Text(want.Span()))
		}
		if level > 0 {
			want.Kind, want.Level, want.Marker = Heading, level, OwnMarker
			text := (Span{int(want.Start) + start, int(want.Start) + end})
			if c := d.Content(i); c != text || len(bytes.TrimSpace(d.Text(c))) != c.Len() && bytes.ContainsAny(d.Text(c)[:1], " \t") || want.HasAnchor() || want.Setext() {
				return fmt.Errorf("own headings: block %d has the text %v, want %v", i, c, text)
			}
		}
		if d.Blocks[i] != want {
			return fmt.Errorf("own headings: block %d: %+v, want %+v", i, d.Blocks[i], want)
		}
	}
	return nil
}
