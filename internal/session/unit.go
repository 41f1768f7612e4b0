package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// A unit is the smallest part of a document that is read or unread: a section up
// to its first subsection, or what stands before the first section.

// key tells units apart, and says when one is the same as before.
type key struct {
	path uint64 // of the levels and titles of the headings that it stands below
	text uint64 // of its own text, heading included, as markdown.Hash makes it
}

// unit is a unit of a document.
type unit struct {
	key
	section int            // -1 for what stands before the first one
	lines   markdown.Lines // up to the last one that is not blank; where they are asked for
}

// units are those of a document.
type units struct {
	doc   *markdown.Document
	paths []uint64 // that of what stands directly below a section; 0 if it is not known yet
	buf   []byte
}

// The paths of what stands below no section.
const (
	pathTop      = 1
	pathPreamble = 2
)

func newUnits(doc *markdown.Document) *units {
	return &units{doc: doc, paths: make([]uint64, len(doc.Sections))}
}

// all returns every unit in the order of the document.
func (u *units) all() []unit {
	list := make([]unit, 0, len(u.doc.Sections)+1)
	if !isBlank(u.doc.Text(u.span(-1))) {
		list = append(list, u.unit(-1))
	}
	for i := range u.doc.Sections {
		list = append(list, u.unit(i))
	}
	return list
}

// holding returns the units that have some of the lines, which are in order.
func (u *units) holding(lines []markdown.Lines) []unit {
	var list []unit
	for i := -1; i < len(u.doc.Sections) && len(lines) > 0; i++ {
		l := u.lines(i)
		for len(lines) > 0 && lines[0].Last < l.First {
			lines = lines[1:]
		}
		if len(lines) > 0 && lines[0].First <= l.Last && !isBlank(u.doc.Text(u.span(i))) {
			list = append(list, u.withLines(u.unit(i)))
		}
	}
	return list
}

// withLines returns the unit with its lines.
func (u *units) withLines(n unit) unit {
	span := u.span(n.section)
	text := bytes.TrimRight(u.doc.Text(span), blank)
	n.lines = markdown.Lines{First: u.lines(n.section).First, Last: u.doc.LineAt(span.Start + len(text) - 1)}
	return n
}

// unit returns the unit of section i.
func (u *units) unit(i int) unit {
	n := unit{section: i}
	if n.path = pathPreamble; i >= 0 {
		n.path = u.below(int(u.doc.Sections[i].Parent))
	}
	var sum [8]byte
	// Hash returns as many hexadecimal digits as the sum has room for.
	_, _ = hex.Decode(sum[:], []byte(markdown.Hash(u.doc.Text(u.span(i)))))
	n.text = binary.BigEndian.Uint64(sum[:])
	return n
}

// below returns the path of what stands directly below section i.
func (u *units) below(i int) uint64 {
	if i < 0 {
		return pathTop
	}
	if u.paths[i] == 0 {
		s := &u.doc.Sections[i]
		parent := u.below(int(s.Parent))
		u.buf = binary.BigEndian.AppendUint64(u.buf[:0], parent)
		u.buf = u.doc.AppendTitle(append(u.buf, s.Level), int(s.Heading))
		sum := sha256.Sum256(u.buf)
		u.paths[i] = binary.BigEndian.Uint64(sum[:])
	}
	return u.paths[i]
}

// span returns the bytes of the unit of section i.
func (u *units) span(i int) markdown.Span {
	if i < 0 {
		return address.NodeOfPreamble().Span(u.doc)
	}
	return u.doc.BodySpan(i)
}

// lines returns the lines of the unit of section i, blank ones at its end included.
func (u *units) lines(i int) markdown.Lines {
	if i < 0 {
		return address.NodeOfPreamble().Lines(u.doc)
	}
	return u.doc.BodyLines(i)
}

// text returns the source of lines, without a byte order mark.
func (u *units) text(l markdown.Lines) []byte { return u.doc.Text(u.lineSpan(l)) }

// lineSpan returns the bytes of lines, without a byte order mark.
func (u *units) lineSpan(l markdown.Lines) markdown.Span {
	span := u.doc.LineSpan(l)
	span.Start = max(span.Start, u.doc.Preamble().Start)
	span.End = max(span.End, span.Start)
	return span
}

// blank are the characters that a blank line may have: those of markdown.Hash.
const blank = " \t\r\n"

// isBlank reports whether nothing but blank lines is there.
func isBlank(text []byte) bool { return len(bytes.TrimLeft(text, blank)) == 0 }
