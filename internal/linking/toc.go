package linking

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// A table of contents that keeps itself stands between two comments, which a document has
// once each.
var (
	tocBegin = []byte("<!-- toc -->")
	tocEnd   = []byte("<!-- /toc -->")
)

// TOCRequest asks for the table of contents of a document.
type TOCRequest struct {
	Depth int // the number of levels, 0 for all
	JSON  bool
}

// TOC returns the table of contents of the one document in docs, as Markdown or as an object
// on a line. The error is an *Error.
func TOC(docs documents.Set, req TOCRequest) ([]byte, error) {
	if err := CheckDepth(req.Depth); err != nil {
		return nil, err
	}
	doc, err := docs.Open(docs.Paths[0])
	shown := replies.DisplayPath(docs.Paths[0])
	if err != nil {
		return nil, replies.ErrorAbout(shown, err)
	}
	text := contents(doc, req.Depth)
	if !req.JSON {
		return text, nil
	}
	return replies.AppendJSON(nil, struct {
		FilePath string `json:"file_path"`
		Contents string `json:"contents"`
	}{shown, string(text)}), nil
}

// CheckDepth says what is wrong with a number of levels.
func CheckDepth(depth int) error {
	if depth < 0 {
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%d is no number of levels; 0 stands for all", depth)}
	}
	return nil
}

// contents returns the table of contents of a document as a list of links, in the document's
// style of lists and line endings: of all sections but the one that is the document's title,
// or of those behind the comment that begins such a table. Depth is the number of levels,
// 0 for all.
func contents(doc *markdown.Document, depth int) []byte {
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
	names := namesOf(doc)
	marker, ending := bullet(doc), lineEnding(doc)
	before := -1
	for i := first; i < len(doc.Sections); i++ {
		level := int(doc.Sections[i].Level - top)
		title := linkText(doc, i)
		if depth > 0 && level >= depth || title == "" { // nobody sees a link without a text
			continue
		}
		level = min(level, before+1) // a level that is left out indents nothing
		before = level
		text = append(text, strings.Repeat("  ", level)...)
		text = append(text, marker, ' ')
		if names[i] == "" {
			text = append(text, asText(title)...)
		} else {
			text = append(append(append(append(text, '['), title...), "](#"...), links.Encoded(names[i])...)
			text = append(text, ')')
		}
		text = append(text, ending...)
	}
	return text
}

// namesOf returns a name of each section by which links reach it, "" if it has none: the one
// that the dialect makes, or else one that is written down. A link can't have one that is no UTF-8.
func namesOf(doc *markdown.Document) []string {
	places := address.PlacesOf(doc)
	names := address.Anchors(doc)
	reaches := func(name string, section int) bool {
		place, _ := places.Find(name)
		return name != "" && utf8.ValidString(name) && place != nil && place.Block == int(doc.Sections[section].Heading)
	}
	written := make([]string, len(names))
	for _, place := range places.All() {
		if i := place.Section; i >= 0 && written[i] == "" && reaches(place.Name, i) {
			written[i] = place.Name
		}
	}
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "#")
		if !reaches(names[i], i) {
			names[i] = written[i]
		}
	}
	return names
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
// markup, and nothing a link.
func linkText(doc *markdown.Document, section int) string {
	title := doc.SectionTitle(section)
	title = anchors.WithoutAttributes(doc, int(doc.Sections[section].Heading), title)
	title = replies.Clip(title, maxTitle)
	var b strings.Builder
	for i, r := range title {
		rest := title[i:]
		if strings.ContainsRune("\\`*_[]<>&~!|$@", r) || strings.HasPrefix(rest, "://") || r == '.' && i >= 3 && strings.EqualFold(title[i-3:i], "www") {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// asText returns the text of a link as that of a paragraph, which begins no other block.
func asText(s string) string {
	digits := strings.TrimLeft(s, "0123456789")
	switch mark := len(s) - len(digits); {
	case digits == "":
		return s
	case mark > 0 && strings.ContainsRune(".)", rune(digits[0])):
		return s[:mark] + `\` + digits
	case mark == 0 && strings.ContainsRune("#+-=", rune(digits[0])):
		return `\` + s
	}
	return s
}

// maxTitle is the number of characters of a title that a table of contents shows.
const maxTitle = 300

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

// The codes of a document whose table of contents can't be kept.
const (
	codeNoTOC   = "toc_not_found" // it has no place for one
	codeTOCText = "toc_has_text"  // and one that has text in it that nobody makes again
)

// KeptTOC returns where a document keeps its table of contents, with the comments around it,
// and the text that has to stand there. The error is an *Error without a path.
func KeptTOC(doc *markdown.Document, depth int) (at markdown.Span, want []byte, err error) {
	at, ok := tocSpan(doc)
	if !ok {
		return at, nil, &replies.Error{Code: codeNoTOC, Message: replies.Say(
			"it keeps no table of contents; put a line <!-- toc --> and, below it, a line <!-- /toc --> where it is to stand, each once and in no list or quote")}
	}
	if line := foreignLine(doc, at); line > 0 {
		text := bytes.TrimSpace(doc.Text(doc.LineSpan(markdown.Lines{First: line, Last: line})))
		return at, nil, &replies.Error{Code: codeTOCText, Message: replies.Say(
			"line %d stands between the comments of the table of contents and is no item with a link to a section, %s; all between them is made anew, so move it above or below them, or take it out",
			line, replies.JSON(replies.Clip(replies.Safe(string(text)), replies.MaxShown)))}
	}
	ending := lineEnding(doc)
	want = append(append([]byte(nil), tocBegin...), ending+ending...)
	if toc := contents(doc, depth); len(toc) > 0 {
		want = append(append(want, toc...), ending...)
	}
	return at, append(want, tocEnd...), nil
}

// foreignLine returns the first line of what stands in a table of contents besides lists
// whose items are entries, 0 if there is nothing else.
func foreignLine(doc *markdown.Document, table markdown.Span) int {
	var content markdown.Inlines
	titles := sync.OnceValue(func() map[string]bool { return unlinkedTitles(doc) })
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if int(b.Start) <= table.Start || int(b.End) >= table.End {
			continue
		}
		isEntry := false
		switch b.Kind {
		case markdown.List:
			isEntry = true
		case markdown.Item:
			isEntry = b.Flags&markdown.Task == 0
		case markdown.Paragraph:
			content.Read(doc, i)
			isEntry = doc.Blocks[max(b.Parent, 0)].Kind == markdown.Item && (leadsToName(&content) || titles()[string(doc.Text(b.Span()))])
		}
		if !isEntry {
			return int(b.StartLine)
		}
	}
	return 0
}

// leadsToName reports whether the content is one link to a name in the document, with nothing
// beside it or in it that has a meaning of its own.
func leadsToName(content *markdown.Inlines) bool {
	for i := range content.Nodes {
		n := &content.Nodes[i]
		if n.Kind == markdown.InlineHTML || n.Kind == markdown.InlineFootnote ||
			i == 0 && (n.Kind != markdown.InlineLink || int(n.Next) != len(content.Nodes) || !bytes.HasPrefix(content.AppendDestination(nil, 0), []byte("#")) ||
				len(content.AppendTitle(nil, 0)) > 0) {
			return false
		}
	}
	return len(content.Nodes) > 0
}

// unlinkedTitles returns what stands in a table of contents for sections that no link reaches.
func unlinkedTitles(doc *markdown.Document) map[string]bool {
	titles := map[string]bool{}
	for i, name := range namesOf(doc) {
		if name == "" {
			titles[asText(linkText(doc, i))] = true
		}
	}
	return titles
}
