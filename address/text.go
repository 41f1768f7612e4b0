package address

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// A heading's text has two forms: the source between its marks, which is what
// "exact" compares, and its title. The first costs next to nothing.

// lineText returns the source of heading block b after its marks, closing ones
// included.
func lineText(doc *markdown.Document, b int) []byte {
	block := &doc.Blocks[b]
	if block.Marker != '#' {
		return anchors.HeadingText(doc, b)
	}
	return bytes.Trim(doc.Source[int(block.Start)+int(block.Level):block.End], " \t")
}

// HeadingOf returns the heading of section i as it is written: on one line, with its
// marks in front and without closing ones; "## Title" for an underlined one, and the
// marks alone for one without a text. As an address it stands for the section if no
// other has the same; AddressOf knows.
func HeadingOf(doc *markdown.Document, i int) string {
	return HeadingOfBlock(doc, int(doc.Sections[i].Heading))
}

// HeadingOfBlock is HeadingOf for heading block b, which may stand in a container.
func HeadingOfBlock(doc *markdown.Document, b int) string {
	marks := "######"[:doc.Blocks[b].Level]
	text := anchors.HeadingText(doc, b)
	if len(text) == 0 {
		return marks
	}
	return marks + " " + string(text)
}

// A textQuery is what a heading's text is compared with.
type textQuery struct {
	level int    // 0 for any
	text  string // as it was given, without marks
	// literal is the text with `\>` as ">", as paths need it.
	literal string

	// What the later tiers compare with, once prepare has been called: the
	// text, the literal one and the one without markup, those that differ.
	stripped, folded [][]byte
}

// newTextQuery returns the query for a text, with marks or without.
func newTextQuery(s string) *textQuery {
	q := &textQuery{}
	q.level, q.text = splitMarks(s)
	q.literal = unescape(q.text)
	return q
}

// splitMarks returns the level that the marks before a text stand for, 0 without
// marks, and the text.
func splitMarks(s string) (level int, text string) {
	text = strings.TrimLeft(s, "#")
	n := len(s) - len(text)
	if n == 0 || n > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return 0, s
	}
	return n, strings.Trim(text, " \t")
}

// escape writes '>' as `\>`, so that no " > " is left.
func escape(s string) string { return strings.ReplaceAll(s, ">", `\>`) }

func unescape(s string) string { return strings.ReplaceAll(s, `\>`, ">") }

// exact reports whether section i has the text as it is written.
func (q *textQuery) exact(doc *markdown.Document, i int) bool {
	b := int(doc.Sections[i].Heading)
	block := &doc.Blocks[b]
	if !q.fits(block) || int(block.End-block.Start) < min(len(q.text), len(q.literal)) {
		return false
	}
	text := anchors.HeadingText(doc, b)
	return string(text) == q.text || string(text) == q.literal ||
		q.level > 0 && !block.Setext() && q.text != "" && string(lineText(doc, b)) == q.text
}

// fits reports whether the query's marks allow the heading.
func (q *textQuery) fits(heading *markdown.Block) bool {
	return q.level == 0 || q.level == int(heading.Level)
}

// prepare makes what the tiers after the first need.
func (q *textQuery) prepare() {
	if q.stripped != nil || !utf8.ValidString(q.text) { // of which nobody knows what letter was meant
		return
	}
	q.add(q.text)
	if q.literal != q.text {
		q.add(q.literal)
	}
	if plain := withoutMarkup(q.text); plain != q.text {
		q.add(plain)
	}
}

func (q *textQuery) add(text string) {
	stripped := runes.AppendStripped(nil, text)
	if len(stripped) == 0 && q.text != "" { // attributes alone are no empty heading
		return
	}
	for _, s := range q.stripped {
		if bytes.Equal(s, stripped) {
			return
		}
	}
	q.stripped = append(q.stripped, stripped)
	q.folded = append(q.folded, runes.AppendFolded(nil, stripped))
}

// withoutMarkup returns the title of a heading with the text, which has one
// line.
func withoutMarkup(text string) string {
	if _, plain := runes.AppendPlain(nil, []byte(text)); plain && !strings.HasSuffix(text, "#") {
		return text
	}
	doc, err := (&markdown.Parser{Options: markdown.CommonMark()}).Parse([]byte("# " + text))
	if err != nil || len(doc.Sections) != 1 || doc.LineCount != 1 {
		return text
	}
	return doc.SectionTitle(0)
}

// Attributes returns the attributes at the end of a title, "{#id}" and the like, or "".
// Renderers take them for the anchor of the heading and its classes; they are no part of
// its text.
func Attributes(title string) string {
	return strings.TrimRight(title[len(runes.CutAttributes(title)):], " \t")
}
