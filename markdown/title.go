package markdown

import (
	"bytes"
	"unicode/utf8"
)

// Titles cost nothing until they are asked for: the parser reads no inline
// content.

// Title returns the plain text of heading b: emphasis, code marks, link targets
// and HTML tags are removed, images stand as their alternative text, escapes and
// entities are resolved, white space is collapsed. It is empty for an empty
// heading and for a block that is no heading. Of a heading of more than 1 MiB it is the
// text of the first MiB.
func (d *Document) Title(b int) string {
	src := bytes.Trim(d.titleSource(b), " \t\n")
	if isPlain(src) {
		return string(src)
	}
	var room [128]byte
	return string(d.AppendTitle(room[:0], b))
}

// AppendTitle appends the Title of heading b to dst, without making a string.
func (d *Document) AppendTitle(dst []byte, b int) []byte {
	return d.readTitle(dst, b, (*inlineText).appendText)
}

// AppendTextContent appends to dst the text of heading b as its element in HTML has it
// (textContent of the DOM): like Title, but white space is not collapsed, so that "a  b"
// has two spaces and what stands for "&#x20;" is one; a line ending outside of code is
// '\n', and an image has no text.
func (d *Document) AppendTextContent(dst []byte, b int) []byte {
	return d.readTitle(dst, b, (*inlineText).appendContent)
}

// readTitle appends a text of heading b to dst.
func (d *Document) readTitle(dst []byte, b int, read func(*inlineText, []byte, []byte, references) []byte) []byte {
	// Who comes while another goroutine has the memory makes some of its own.
	r := d.lazy.titles.Swap(nil)
	if r == nil {
		r = &titleReader{refs: references{link: d.definesLink, footnote: d.definesFootnote}}
	}
	dst = read(&r.text, dst, d.titleSource(b), r.refs)
	if cap(r.text.fates) <= maxKeptTitle {
		d.lazy.titles.Store(r)
	}
	return dst
}

// maxKeptTitle is the length in bytes of a title up to which the memory to read it is
// kept for the next one.
const maxKeptTitle = 16 << 10

// titleReader is what reading a title needs, kept for the next one.
type titleReader struct {
	text inlineText
	refs references // of the document
}

// titleSource returns the inline content of heading b, without the prefixes of
// its containers; nil for a block that is no heading.
func (d *Document) titleSource(b int) []byte {
	block := &d.Blocks[b]
	switch {
	case block.Kind != Heading:
		return nil
	case block.EndLine-block.StartLine <= 1:
		return beginning(d.Text(d.Content(b)))
	}
	var text []byte
	for l := range d.ContentLines(b) {
		if len(text) > maxTitle {
			break
		}
		if len(text) > 0 {
			text = append(text, '\n')
		}
		text = append(text, d.Text(l.Span)...)
	}
	return beginning(text)
}

// maxTitle is the length in bytes up to which the inline content of a heading is read:
// reading it takes some thirteen times as much memory, for each who asks.
const maxTitle = 1 << 20

// beginning returns as much of a title as is read, in whole characters.
func beginning(text []byte) []byte {
	if len(text) <= maxTitle {
		return text
	}
	end := maxTitle
	for end > maxTitle-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end:end]
}
