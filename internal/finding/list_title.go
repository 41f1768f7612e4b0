package finding

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/markdown"
)

// titleOf returns what a document is called: the title in its front matter, on one line, else its
// first heading; empty if it has neither.
func titleOf(doc *markdown.Document) string {
	if title := frontTitle(doc); title != "" {
		return title
	}
	if len(doc.Sections) > 0 {
		return doc.SectionTitle(0)
	}
	return ""
}

// frontTitle returns the title in the front matter of a document; empty if it has none, or none that
// can be read.
func frontTitle(doc *markdown.Document) string {
	if doc.FrontMatter() < 0 {
		return ""
	}
	span, format := address.FrontMatterOf(doc)
	if format == frontmatter.YAML {
		span = titleEntry(doc, span)
	}
	source := doc.Text(span)
	if !bytes.Contains(source, []byte("title")) {
		return ""
	}
	text, err := frontmatter.Read(string(source), format)
	if err != nil {
		return wrongTitle(source)
	}
	title, err := text.Find(frontmatter.Path{"title"})
	if err != nil {
		return ""
	}
	written := title.Text
	switch title.Kind {
	case frontmatter.Bool, frontmatter.Int, frontmatter.Float, frontmatter.Time: // as a page shows them
		written = string(source[title.Start:title.End])
	case frontmatter.String:
	default:
		return ""
	}
	return strings.Join(strings.Fields(written), " ")
}

// titleEntry returns the lines of the title in front matter of YAML, which take less time to read
// than all of it; all of it if no line begins with that key.
func titleEntry(doc *markdown.Document, all markdown.Span) markdown.Span {
	start := -1
	for l := range doc.ContentLines(doc.FrontMatter()) {
		switch line := doc.Text(l.Span); {
		case start < 0 && isTitleKey(line):
			start = l.Start
		case start >= 0 && len(line) > 0 && bytes.IndexByte([]byte(" \t#"), line[0]) < 0:
			return markdown.Span{Start: start, End: l.Start}
		}
	}
	return markdown.Span{Start: max(all.Start, start), End: all.End}
}

// isTitleKey reports whether a line of YAML begins with the key of the title.
func isTitleKey(line []byte) bool {
	for _, key := range []string{"title", `"title"`, "'title'"} {
		if rest, ok := bytes.CutPrefix(line, []byte(key)); ok {
			return bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(":"))
		}
	}
	return false
}

// wrongTitle returns the title of a line such as "title: Shop: a guide", which is no YAML for want of
// quotes, but often written; empty for other text.
func wrongTitle(entry []byte) string {
	_, value, _ := bytes.Cut(entry, []byte(":"))
	value = bytes.TrimSpace(value)
	if first, _ := utf8.DecodeRune(value); !isTitleKey(entry) || !unicode.IsLetter(first) || !bytes.Contains(value, []byte(": ")) || bytes.ContainsAny(value, "\r\n") {
		return ""
	}
	return string(value)
}
