package edit

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Where a text is; for an error: lines, column and an excerpt of what stands there.

// findText returns the places in the scope of src where old is, as linediff.Find does.
func findText(src []byte, scope markdown.Span, old string, limit int) ([]markdown.Span, int) {
	places, total := linediff.Find(src, linediff.Span(scope), old, limit)
	return spansOf(places), total
}

// spansOf returns ranges as those of a document.
func spansOf(list []linediff.Span) []markdown.Span {
	spans := make([]markdown.Span, len(list))
	for i, s := range list {
		spans[i] = markdown.Span(s)
	}
	return spans
}

// closestText returns the place in the scope that is closest to a text that isn't there,
// with all of its lines, and says in a noun phrase what differs, as linediff.Closest does.
func closestText(doc *markdown.Document, scope markdown.Span, old string) (p Place, what string, ok bool) {
	at, what, ok := linediff.Closest(doc.Source, linediff.Span(scope), old)
	if !ok {
		return Place{}, "", false
	}
	return passageOf(doc.Source, doc, markdown.Span(at)), what, true
}

// Lengths of the excerpts of a document in errors, in characters.
const (
	maxExcerpt  = 200 // of a line
	maxPassage  = 400 // of several lines
	beforeMatch = 60  // of what stands before the text in its line
)

// placeOf returns the place of a span in the source of doc, with the line that it
// begins in.
func placeOf(src []byte, doc *markdown.Document, span markdown.Span) Place {
	lines := textlines.Of(doc, span)
	line := doc.LineSpan(markdown.Lines{First: lines.First, Last: lines.First})
	return newPlace(src, lines, line, span.Start, maxExcerpt)
}

// passageOf returns the place of a span with all of its lines.
func passageOf(src []byte, doc *markdown.Document, span markdown.Span) Place {
	lines := textlines.Of(doc, span)
	return newPlace(src, lines, doc.LineSpan(lines), span.Start, maxPassage)
}

// newPlace returns the place at an offset, with an excerpt of the text around it,
// which begins at the start of the line.
func newPlace(src []byte, lines markdown.Lines, text markdown.Span, at, length int) Place {
	text.Start = max(text.Start, textlines.Start(src))
	before := src[text.Start:max(text.Start, at)]
	return Place{
		Lines:  lines,
		Column: utf8.RuneCount(before) + 1,
		Text:   excerpt(src[text.Start:text.End], len(before), length),
	}
}

// excerpt returns the text without its last line ending, cut to so many characters
// around the offset at. "…" stands for what is left out at an end.
func excerpt(text []byte, at, length int) string {
	text = bytes.TrimSuffix(text, []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\r"))
	at = min(at, len(text))
	if len(text) <= length || utf8.RuneCount(text) <= length {
		return string(text)
	}
	to := forward(text, at, length-beforeMatch)
	from := to
	for n := 0; n < length && from > 0; n++ {
		_, size := utf8.DecodeLastRune(text[:from])
		from -= size
	}
	to = forward(text, from, length)
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	b.Write(text[from:to])
	if to < len(text) {
		b.WriteString("…")
	}
	return b.String()
}

// forward returns the offset that is n characters after i, or the end.
func forward(text []byte, i, n int) int {
	for ; n > 0 && i < len(text); n-- {
		_, size := utf8.DecodeRune(text[i:])
		i += size
	}
	return i
}
