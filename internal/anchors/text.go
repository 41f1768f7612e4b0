package anchors

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// HeadingText returns the source of heading block b between its marks, on one
// line. It is no copy unless the heading has several lines.
func HeadingText(doc *markdown.Document, b int) []byte {
	block := &doc.Blocks[b]
	if !block.Setext() || block.EndLine-block.StartLine <= 1 {
		return doc.Text(doc.Content(b))
	}
	var text []byte
	for l := range doc.ContentLines(b) {
		if len(text) > 0 {
			text = append(text, ' ')
		}
		text = append(text, bytes.Trim(doc.Text(l.Span), " \t")...)
	}
	return text
}

// OwnID returns where the id of heading b stands that is written in attributes
// behind its text, "{#id}" or "{: .class #id }", and whether there is one.
func OwnID(doc *markdown.Document, b int) (id markdown.Span, ok bool) {
	at, ok := Attributes(doc, b)
	if !ok {
		return id, false
	}
	if doc.Options().Dialect == markdown.MkDocs {
		id, _ = mkDocsID(doc, at)
		return id, id.Len() > 0
	}
	text := string(doc.Text(at))
	for i := range len(text) {
		if text[i] != '#' {
			continue
		}
		if end := strings.IndexAny(text[i:], " \t}"); end > 1 {
			return markdown.Span{Start: at.Start + i + 1, End: at.Start + i + end}, true
		}
	}
	return id, false
}

// Attributes returns where the attributes of heading b stand, behind its text, and whether there are
// some: what ends a code span or emphasis is none.
func Attributes(doc *markdown.Document, b int) (at markdown.Span, ok bool) {
	if !doc.Blocks[b].HasAnchor() || bytes.IndexByte(doc.Text(doc.Blocks[b].Span()), '}') < 0 {
		return at, false
	}
	line := doc.Content(b)
	if n := doc.Blocks[b].Lines().Len(); n > 2 || n == 2 && !doc.Blocks[b].Setext() {
		for l := range doc.ContentLines(b) {
			line = l.Span
		}
	}
	text := strings.TrimRight(string(doc.Text(line)), " \t")
	at = markdown.Span{Start: line.Start, End: line.Start + len(text)}
	if doc.Options().Dialect == markdown.MkDocs {
		return mkDocsAttributes(doc, b, at)
	}
	at.Start += len(runes.CutAttributes(text))
	return at, at.Len() > 0
}

// WithoutAttributes returns the text of heading b, or its title, without the attributes behind it.
func WithoutAttributes(doc *markdown.Document, b int, text string) string {
	at, ok := Attributes(doc, b)
	if !ok {
		return text
	}
	cut := text
	for range bytes.Count(doc.Text(at), []byte("{")) {
		cut = cut[:max(strings.LastIndexByte(cut, '{'), 0)]
	}
	return strings.TrimRight(cut, " \t")
}

// Escaped returns an anchor as it stands behind '#' in an address: white space, which no address
// has, '%', and bytes that are no UTF-8, which no JSON has, are percent-encoded.
func Escaped(anchor string) string {
	var out []byte
	done := 0
	for i, r := range anchor {
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(anchor[i:])
		}
		if r != '%' && !unicode.IsSpace(r) && (r != utf8.RuneError || n > 1) {
			continue
		}
		out = append(out, anchor[done:i]...)
		done = i + n
		for _, c := range []byte(anchor[i:done]) {
			out = fmt.Appendf(out, "%%%02X", c)
		}
	}
	if done == 0 {
		return anchor
	}
	return string(append(out, anchor[done:]...))
}

// Unescaped returns an anchor as it is copied from a browser without its percent-encoding. What
// is none stays.
func Unescaped(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// Folded returns an anchor without the difference of case and of normal forms.
func Folded(anchor string) string { return Lower(norm.NFC.String(anchor)) }

// Lower returns a text in lower case.
func Lower(s string) string {
	var dst []byte
	for _, r := range s {
		dst = appendLower(dst, r)
	}
	return string(dst)
}

// appendLower appends a letter in lower case. U+0130 is the only one that has two
// characters then, as SpecialCasing.txt of Unicode says.
func appendLower(dst []byte, r rune) []byte {
	if r == '\u0130' {
		return append(dst, "i\u0307"...)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// isAlphanumeric reports whether a byte is a letter or digit of ASCII.
func isAlphanumeric(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }
