package textlines

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/markdown"
)

// EndingAt returns the line ending of what is put in at an offset: that of the
// line that ends nearest before it, else nearest after it, else LF. An offset
// between CR and LF is in a CRLF.
func EndingAt(src []byte, at int) string {
	e := Endings{Src: src}
	return e.At(at)
}

// Endings answers EndingAt for offset after offset, none before the last one. It
// looks at each byte once, where many places are in one long line.
type Endings struct {
	Src    []byte
	from   int    // where the last question was
	before string // the ending nearest before it, or empty
	first  string // the first ending of all, or empty if nobody asked yet
}

// At returns the line ending for an offset.
func (e *Endings) At(offset int) string {
	offset = min(max(offset, 0), len(e.Src))
	if e.from < offset {
		if i := bytes.LastIndexAny(e.Src[e.from:offset], "\r\n"); i >= 0 {
			e.before = EndingOver(e.Src, e.from+i)
		}
		e.from = offset
	}
	if e.before != "" {
		return e.before
	}
	if e.first == "" {
		e.first = "\n"
		if i := bytes.IndexAny(e.Src[offset:], "\r\n"); i >= 0 {
			e.first = EndingOver(e.Src, offset+i)
		}
	}
	return e.first
}

// In returns the line ending that a range has, or that of its surroundings. No range
// is before the last one.
func (e *Endings) In(s markdown.Span) string {
	if i := bytes.IndexAny(e.Src[s.Start:s.End], "\r\n"); i >= 0 {
		return EndingOver(e.Src, s.Start+i)
	}
	return e.At(s.Start)
}

// EndingOver returns the line ending that the byte at i, a CR or LF, belongs to.
func EndingOver(src []byte, i int) string {
	switch {
	case src[i] == '\n' && i > 0 && src[i-1] == '\r', src[i] == '\r' && i+1 < len(src) && src[i+1] == '\n':
		return "\r\n"
	case src[i] == '\n':
		return "\n"
	}
	return "\r"
}

// EndingBefore returns the line ending that ends at i, or nothing.
func EndingBefore(src []byte, i int) []byte {
	switch {
	case i >= 2 && src[i-2] == '\r' && src[i-1] == '\n':
		return src[i-2 : i]
	case i >= 1 && (src[i-1] == '\n' || src[i-1] == '\r'):
		return src[i-1 : i]
	}
	return nil
}

// WithEnding returns the text with the ending for each LF, CRLF and CR.
func WithEnding(text, ending string) string {
	if ending == "\n" && strings.IndexByte(text, '\r') < 0 {
		return text
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if ending != "\n" {
		text = strings.ReplaceAll(text, "\n", ending)
	}
	return text
}

// WithEndings returns a text with LF as line ending with those of the lines that it takes
// the place of: lines that are the same keep theirs, and so do as many that take the place of
// as many. Others get the ending. What stands behind the last line ending of the text has none.
func WithEndings(text string, old []byte, ending string) string {
	if !bytes.ContainsAny(old, "\r\n") || IsUniform(old, ending) {
		return WithEnding(text, ending)
	}
	lines := strings.Split(text, "\n")
	before, ends := Ended(old)
	whole := lines
	if last := len(lines) - 1; lines[last] == "" && ends[len(ends)-1] != "" { // both end with a line ending
		whole = lines[:last]
	}
	var own []string
	at := 0 // in before
	for _, d := range linediff.Compare(before, whole) {
		own = append(own, ends[at:d.Start]...)
		if n := d.ReplEnd - d.ReplStart; n == d.End-d.Start {
			own = append(own, ends[d.Start:d.End]...)
		} else {
			own = append(own, slices.Repeat([]string{ending}, n)...)
		}
		at = d.End
	}
	own = append(own, ends[at:]...)
	var b strings.Builder
	last := ""
	for i, line := range lines[:len(lines)-1] {
		if end := cmp.Or(own[i], ending); last != "\r" || line+end != "\n" { // not one CRLF
			last = end
		}
		b.WriteString(line + last)
	}
	return b.String() + lines[len(lines)-1]
}

// Text returns the text from an offset to the end of the line, without its ending.
func Text(src []byte, at int) string {
	return string(bytes.TrimRight(src[at:End(src, at)], "\r\n"))
}

// Ended returns the lines of a text without their endings, and these.
func Ended(text []byte) (lines, ends []string) {
	for at := 0; at < len(text); {
		end, line := End(text, at), Text(text, at)
		lines, ends = append(lines, line), append(ends, string(text[at+len(line):end]))
		at = end
	}
	return lines, ends
}

// SameLines returns the text, which has LF as line ending, with the line endings of the old
// one, and whether a line is another one; ok is false if they have not as many lines, or if
// one begins with other blanks or marks of quotes.
func SameLines(old []byte, text string) (whole []byte, changed, ok bool) {
	lines := strings.Split(text, "\n")
	before, ends := Ended(old)
	if len(lines) != len(before) {
		return nil, false, false
	}
	for i, line := range lines {
		if leadOf(line) != leadOf(before[i]) {
			return nil, false, false
		}
		changed = changed || line != before[i]
		whole = append(append(whole, line...), ends[i]...)
	}
	return whole, changed, true
}

// leadOf returns what a line begins with that may belong to the containers around it.
func leadOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t>"))]
}

// IsUniform reports whether all lines have the ending.
func IsUniform(text []byte, ending string) bool {
	n := bytes.Count(text, []byte(ending))
	return n*len(ending) == bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r"))
}

// Apart returns a text that comes into the place of a range without that a CR and an LF become one
// line ending: of the text and what stands before or after it, or of what stands around what is
// taken out. The text that is given stays as it is, for others may share it.
func Apart(src []byte, at markdown.Span, text []byte) []byte {
	if at.Start > 0 && src[at.Start-1] == '\r' && (at.Start == len(src) || src[at.Start] != '\n') {
		text = BehindCR(text)
	}
	if at.End == len(src) || src[at.End] != '\n' {
		return text
	}
	switch n := len(text); {
	case n == 1 && text[0] == '\r' && at.Start > 0 && src[at.Start-1] == '\r':
		return []byte("\r\n")
	case n > 0 && text[n-1] == '\r':
		return append(text[:n-1:n-1], '\n')
	case n == 0 && at.Start > 0 && src[at.Start-1] == '\r' && at.Len() > 0:
		return []byte("\n")
	}
	return text
}

// BehindCR returns a text that stands behind a CR, and begins with no LF.
func BehindCR(text []byte) []byte {
	if len(text) > 0 && text[0] == '\n' {
		return append([]byte{'\r'}, text[1:]...)
	}
	return text
}
