package linking

import (
	"bytes"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A table of contents that keeps itself stands between two comments, which a document has
// once each.
var (
	tocBegin = []byte("<!-- toc -->")
	tocEnd   = []byte("<!-- /toc -->")
)

// TOC returns the table of contents of a document as a list of links, in the document's
// style of lists and line endings: of all sections but the one that is the document's title,
// or of those behind the comment that begins such a table. Depth is the number of levels,
// 0 for all.
func TOC(doc *markdown.Document, depth int) []byte {
	first := 0
	if span, ok := tocSpan(doc); ok {
		for first < len(doc.Sections) && doc.SectionSpan(first).Start < span.Start {
			first++
		}
	} else if hasTitle(doc) {
		first = 1
	}
	top := uint8(7)
	for i := first; i < len(doc.Sections); i++ {
		top = min(top, doc.Sections[i].Level)
	}
	var text []byte
	anchors := address.Anchors(doc)
	marker, ending := bullet(doc), lineEnding(doc)
	before := -1
	for i := first; i < len(doc.Sections); i++ {
		level := int(doc.Sections[i].Level - top)
		if depth > 0 && level >= depth {
			continue
		}
		level = min(level, before+1) // a level that is left out indents nothing
		before = level
		text = append(text, strings.Repeat("  ", level)...)
		text = append(text, marker, ' ')
		if title := linkText(doc, i); anchors[i] == "" {
			text = append(text, title...)
		} else {
			text = append(append(append(append(text, '['), title...), "]("...), destination(anchors[i])...)
			text = append(text, ')')
		}
		text = append(text, ending...)
	}
	return text
}

// hasTitle reports whether the document's first section is its title: the only one of the
// first level, which holds all others.
func hasTitle(doc *markdown.Document) bool {
	return len(doc.Sections) > 0 && doc.Sections[0].Level == 1 && int(doc.Sections[0].Next) == len(doc.Sections)
}

// bullet returns the marker of the document's first bullet list, '-' if it has none.
func bullet(doc *markdown.Document) byte {
	span, _ := tocSpan(doc)
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind == markdown.List && !b.Ordered() && (int(b.Start) < span.Start || int(b.Start) >= span.End) {
			return b.Marker
		}
	}
	return '-'
}

// lineEnding returns that of the document's first line.
func lineEnding(doc *markdown.Document) string {
	i := bytes.IndexAny(doc.Source, "\r\n")
	switch {
	case i < 0 || doc.Source[i] == '\n':
		return "\n"
	case i+1 < len(doc.Source) && doc.Source[i+1] == '\n':
		return "\r\n"
	}
	return "\r"
}

// linkText returns the title of a section as the text of a link, in which nothing is
// markup.
func linkText(doc *markdown.Document, section int) string {
	title := doc.SectionTitle(section)
	title = strings.TrimRight(strings.TrimSuffix(title, address.Attributes(title)), " ")
	var b strings.Builder
	for _, r := range replies.Clip(title, 300) {
		if strings.ContainsRune("\\`*_[]<>&~!|$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// destination returns an anchor as a destination.
func destination(anchor string) string {
	return strings.NewReplacer("(", "%28", ")", "%29", `\`, "%5C", "<", "%3C", ">", "%3E", "&", "%26").Replace(anchor)
}

// tocSpan returns the bytes of the table of contents that the document has, with its
// comments, and whether it has one: both comments are there once, in this order, each a
// block at the top level.
func tocSpan(doc *markdown.Document) (span markdown.Span, ok bool) {
	begin, end := -1, -1
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind != markdown.HTMLBlock || b.Parent >= 0 {
			continue
		}
		switch text := bytes.TrimSpace(doc.Text(b.Span())); {
		case bytes.Equal(text, tocBegin) && begin < 0:
			begin = i
		case bytes.Equal(text, tocEnd) && begin >= 0 && end < 0:
			end = i
		case bytes.Equal(text, tocBegin), bytes.Equal(text, tocEnd):
			return span, false
		}
	}
	if end < 0 {
		return span, false
	}
	return markdown.Span{Start: int(doc.Blocks[begin].Start), End: int(doc.Blocks[end].End)}, true
}

// KeptTOC returns the text of the table of contents that a document keeps between its
// comments, as it is and as it has to be, and whether there is one.
func KeptTOC(doc *markdown.Document, depth int) (now, want []byte, ok bool) {
	span, ok := tocSpan(doc)
	if !ok {
		return nil, nil, false
	}
	ending := lineEnding(doc)
	want = append(append([]byte(nil), tocBegin...), ending+ending...)
	if toc := TOC(doc, depth); len(toc) > 0 {
		want = append(append(want, toc...), ending...)
	}
	return doc.Text(span), append(want, tocEnd...), true
}
