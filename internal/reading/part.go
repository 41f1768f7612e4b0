package reading

import (
	"bytes"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Lines are what a reply is made of, but a line can be longer than a reply may be.
// Such a line is delivered in parts, which are counted in characters from its
// start; its line ending belongs to its last part and is never divided.

// LinePart is a part of a line.
type LinePart struct {
	Line int
	// StartChar and EndChar are its first and its last character (code points),
	// from 1.
	StartChar, EndChar int
}

// choice is what of a passage is in a reply: lines, and perhaps a part of the
// line after them, or of the first one if there are none.
type choice struct {
	lines []markdown.Lines
	part  LinePart      // Line is 0 if there is none
	span  markdown.Span // of the part
}

// part returns as much of a line as fits into so many characters and leaves
// something for another reply; nothing if that is not a character.
func (f *fitter) part(line, room int) (LinePart, markdown.Span) {
	span := f.spanOf(markdown.Lines{First: line, Last: line})
	text := f.doc.Text(span)
	content := bytes.TrimRight(text, "\r\n")
	n, end, last := 0, 0, 0
	for end < len(content) {
		_, size := utf8.DecodeRune(content[end:])
		if room -= f.size(content[end : end+size]); room < 0 {
			break
		}
		last = end
		end += size
		n++
	}
	if end == len(content) && n > 0 { // what comes next begins with a character of the line
		end = last
		n--
	}
	if n == 0 {
		return LinePart{}, markdown.Span{}
	}
	before := f.charsBefore(line)
	span.End = span.Start + end
	return LinePart{Line: line, StartChar: before + 1, EndChar: before + n}, span
}

// charsBefore counts the characters of a line that stand before the passage.
func (f *fitter) charsBefore(line int) int {
	if line > f.lines.First {
		return 0
	}
	start := f.doc.LineSpan(f.lines).Start
	return replies.Chars(f.doc.Source[start:max(start, f.span.Start)])
}

// nextChar returns the character of the first of the lines that comes after the part, 0
// if the part is none of that line.
func (p LinePart) nextChar(l markdown.Lines) int {
	if p.Line != l.First {
		return 0
	}
	return p.EndChar + 1
}

// startAt lets the passage begin inside its line: with a character, from 1.
func (p *passage) startAt(doc *markdown.Document, char int) error {
	text := doc.Text(p.span)
	offset := replies.CharOffset(text, char-1)
	if offset == len(text) {
		return &replies.Error{Code: replies.CodeInvalidArgument, Beyond: true, Message: replies.Say(
			"%s %d is after the end of line %d, which has %d characters, its line ending included",
			replies.StartChar, char, p.lines.First, replies.Chars(text))}
	}
	p.startChar = char
	p.span.Start += offset
	return nil
}

// parts returns the parts of lines that the reply has of the passage.
func (p *passage) parts(doc *markdown.Document) []LinePart {
	var parts []LinePart
	if p.startChar > 1 && len(p.kept) > 0 { // the rest of a line
		n := replies.Chars(doc.Text(p.span))
		parts = append(parts, LinePart{p.lines.First, p.startChar, p.startChar + n - 1})
	}
	if p.part.Line > 0 {
		parts = append(parts, p.part)
	}
	return parts
}
