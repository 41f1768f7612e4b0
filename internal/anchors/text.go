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
	a := attributesOf(doc, b)
	return a.id, a.id.Len() > 0
}

// attributes are what a dialect reads behind the text of a heading, and no text of it.
type attributes struct {
	id    markdown.Span   // what is written as its id, empty for none
	spans []markdown.Span // where they stand, in order, those of elements in the heading too
}

// attributesOf returns the attributes of heading b: what ends a code span or emphasis is none.
func attributesOf(doc *markdown.Document, b int) (a attributes) {
	if !doc.Blocks[b].HasAnchor() || bytes.IndexByte(doc.Text(doc.Blocks[b].Span()), '}') < 0 {
		return a
	}
	line := doc.Content(b)
	if n := doc.Blocks[b].Lines().Len(); n > 2 || n == 2 && !doc.Blocks[b].Setext() {
		for l := range doc.ContentLines(b) {
			line = l.Span
		}
	}
	text := bytes.TrimRight(doc.Text(line), " \t")
	line.End = line.Start + len(text)
	if doc.Options().Dialect == markdown.MkDocs {
		return mkDocsAttributes(doc, b, line)
	}
	at := markdown.Span{Start: line.Start + len(runes.CutAttributes(string(text))), End: line.End}
	if at.Len() == 0 {
		return a
	}
	a.spans = []markdown.Span{at}
	for i := at.Start; i < at.End; i++ {
		if n := bytes.IndexAny(doc.Source[i:at.End], " \t}"); doc.Source[i] == '#' && n > 1 {
			a.id = markdown.Span{Start: i + 1, End: i + n}
			break
		}
	}
	return a
}

// WithoutAttributes returns the title of heading b without its attributes.
func WithoutAttributes(doc *markdown.Document, b int, title string) string {
	a := attributesOf(doc, b)
	if len(a.spans) == 0 {
		return title
	}
	words := strings.FieldsFunc(string(a.appendText(nil, doc, b, false)), func(r rune) bool { return strings.ContainsRune(" \t\n", r) })
	return strings.ReplaceAll(strings.Join(words, " "), "\x00", string(utf8.RuneError))
}

// appendText appends the text of heading b without its attributes, as the element in HTML has it, or
// with what stands for images. Its white space is not collapsed.
func (a *attributes) appendText(dst []byte, doc *markdown.Document, b int, exact bool) []byte {
	in, left := doc.Inlines(b), a.spans
	for i := 0; i < len(in.Nodes); i++ {
		n := &in.Nodes[i]
		at := n.Span()
		for len(left) > 0 && left[0].End <= at.Start {
			left = left[1:]
		}
		switch {
		case n.Kind == markdown.InlineHTML:
		case n.Kind == markdown.InlineImage && exact:
			i = int(n.Next) - 1
		case n.Kind == markdown.InlineText:
			for ; len(left) > 0 && left[0].Start < at.End; left = left[1:] {
				dst = append(dst, doc.Source[at.Start:max(at.Start, left[0].Start)]...)
				if at.Start = left[0].End; at.Start > at.End {
					break // into the nodes that follow
				}
			}
			dst = append(dst, doc.Source[min(at.Start, at.End):at.End]...)
		case len(left) == 0 || at.Start < left[0].Start:
			dst = in.AppendText(dst, i)
		}
	}
	return dst
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
