package edit

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/markdown"
)

// endingAt returns the line ending of what is put in at an offset: that of the
// line that ends nearest before it, else nearest after it, else LF. An offset
// between CR and LF is in a CRLF.
func endingAt(src []byte, at int) string {
	e := endings{src: src}
	return e.at(at)
}

// endings answers endingAt for offset after offset, none before the last one. It
// looks at each byte once, where many places are in one long line.
type endings struct {
	src    []byte
	from   int    // where the last question was
	before string // the ending nearest before it, or empty
	first  string // the first ending of all, or empty if nobody asked yet
}

// at returns the line ending for an offset.
func (e *endings) at(offset int) string {
	offset = min(max(offset, 0), len(e.src))
	if e.from < offset {
		if i := bytes.LastIndexAny(e.src[e.from:offset], "\r\n"); i >= 0 {
			e.before = endingOver(e.src, e.from+i)
		}
		e.from = offset
	}
	if e.before != "" {
		return e.before
	}
	if e.first == "" {
		e.first = "\n"
		if i := bytes.IndexAny(e.src[offset:], "\r\n"); i >= 0 {
			e.first = endingOver(e.src, offset+i)
		}
	}
	return e.first
}

// in returns the line ending that a range has, or that of its surroundings. No range
// is before the last one.
func (e *endings) in(s markdown.Span) string {
	if i := bytes.IndexAny(e.src[s.Start:s.End], "\r\n"); i >= 0 {
		return endingOver(e.src, s.Start+i)
	}
	return e.at(s.Start)
}

// endingOver returns the line ending that the byte at i, a CR or LF, belongs to.
func endingOver(src []byte, i int) string {
	switch {
	case src[i] == '\n' && i > 0 && src[i-1] == '\r', src[i] == '\r' && i+1 < len(src) && src[i+1] == '\n':
		return "\r\n"
	case src[i] == '\n':
		return "\n"
	}
	return "\r"
}

// endingBefore returns the line ending that ends at i, or nothing.
func endingBefore(src []byte, i int) []byte {
	switch {
	case i >= 2 && src[i-2] == '\r' && src[i-1] == '\n':
		return src[i-2 : i]
	case i >= 1 && (src[i-1] == '\n' || src[i-1] == '\r'):
		return src[i-1 : i]
	}
	return nil
}

// withEnding returns the text with the ending for each LF, CRLF and CR.
func withEnding(text, ending string) string {
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

// withEndings returns a text with LF as line ending with those of the lines that it takes
// the place of: lines that are the same keep theirs, and so do as many that take the place of
// as many. Others get the ending. The last line has none.
func withEndings(text string, old []byte, ending string) string {
	if !bytes.ContainsAny(old, "\r\n") || isUniform(old, ending) {
		return withEnding(text, ending)
	}
	lines := strings.Split(text, "\n")
	before, ends := endedLines(old)
	var own []string
	at := 0 // in before
	for _, d := range linediff.Compare(before, lines) {
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

// lineText returns the text from an offset to the end of the line, without its ending.
func lineText(src []byte, at int) string {
	return string(bytes.TrimRight(src[at:lineEnd(src, at)], "\r\n"))
}

// endedLines returns the lines of a text without their endings, and these.
func endedLines(text []byte) (lines, ends []string) {
	for at := 0; at < len(text); {
		end, line := lineEnd(text, at), lineText(text, at)
		lines, ends = append(lines, line), append(ends, string(text[at+len(line):end]))
		at = end
	}
	return lines, ends
}

// isUniform reports whether all lines have the ending.
func isUniform(text []byte, ending string) bool {
	n := bytes.Count(text, []byte(ending))
	return n*len(ending) == bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r"))
}

// keepEnding gives the change the line ending that the original has, if no line of
// the draft has one any more.
func (d *draft) keepEnding(ch *change) {
	if bytes.ContainsAny(d.src, "\r\n") || !bytes.ContainsAny(d.before.Source, "\r\n") {
		return
	}
	ending := endingAt(d.before.Source, 0)
	grown := 0 // bytes, of the splices so far
	offsets := []*int{&ch.newStart, &ch.after, &ch.first, &ch.last}
	moved := [4]int{}
	shift := 0 // by which the splices so far have moved what is after them
	for i := range ch.splices {
		s := &ch.splices[i]
		begin := s.Start + shift
		for k, offset := range offsets {
			if *offset > begin {
				text := s.Text[:min(*offset-begin, len(s.Text))]
				moved[k] = grown + len(withEnding(string(text), ending)) - len(text)
			}
		}
		text := []byte(withEnding(string(s.Text), ending))
		grown += len(text) - len(s.Text)
		shift += len(s.Text) - s.Len()
		s.Text = text
	}
	for k, offset := range offsets {
		*offset += moved[k]
	}
}
