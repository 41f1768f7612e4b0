package markdown

import (
	"bytes"
	"sort"

	"github.com/sectile/sectile/internal/syntax"
)

// Lines end at LF, CRLF or a lone CR, and a document may mix them. The parser
// counts lines as it goes; the index that finds one by its number is made when
// it is first asked for, for most documents are never asked.

// LineEnding is the way that lines end in a document.
type LineEnding uint8

// The line endings.
const (
	NoEnding    LineEnding = iota // no line ends
	LF                            // Unix
	CRLF                          // Windows
	CR                            // old Macintosh
	MixedEnding                   // more than one of them
)

// String returns "none", "LF", "CRLF", "CR" or "mixed".
func (e LineEnding) String() string {
	return [...]string{"none", "LF", "CRLF", "CR", "mixed"}[min(e, MixedEnding)]
}

// LineEnding returns how the document's lines end.
func (d *Document) LineEnding() LineEnding {
	lf := bytes.Count(d.Source, []byte{'\n'})
	if !d.hasCR {
		if lf == 0 {
			return NoEnding
		}
		return LF
	}
	cr := bytes.Count(d.Source, []byte{'\r'})
	crlf := bytes.Count(d.Source, []byte("\r\n"))
	switch {
	case crlf == cr && crlf == lf:
		return CRLF
	case lf == 0:
		return CR
	}
	return MixedEnding
}

// lineStarts returns the offsets at which lines begin.
func (d *Document) lineStarts() []uint32 {
	d.lazy.lineOnce.Do(func() {
		starts := make([]uint32, 0, d.linesHere())
		lines := syntax.LineReader{Source: d.Source}
		for pos := 0; pos < len(d.Source); {
			starts = append(starts, uint32(pos))
			_, pos = lines.Next(pos)
		}
		d.lazy.lines = starts
	})
	return d.lazy.lines
}

// linesHere returns the number of lines in the source.
func (d *Document) linesHere() int {
	if d.abridged != nil {
		return len(d.abridged.lines)
	}
	return d.LineCount
}

// LineSpan returns the byte range of the lines, the line ending of the last one
// included. Lines that the document hasn't are left out.
func (d *Document) LineSpan(l Lines) Span {
	starts := d.lineStarts()
	at := func(n int) int {
		n = max(n, 1)
		if d.abridged != nil {
			n = d.abridged.index(n) + 1
		}
		if n > len(starts) {
			return len(d.Source)
		}
		return int(starts[n-1])
	}
	start := at(l.First)
	return Span{start, max(start, at(l.Last+1))}
}

// LineAt returns the 1-based number of the line that holds the byte at offset; a
// line ending belongs to the line that it ends. Offsets beyond the source
// count as its last byte, and an empty source has line 0.
func (d *Document) LineAt(offset int) int {
	starts := d.lineStarts()
	n := sort.Search(len(starts), func(i int) bool { return int(starts[i]) > offset })
	if d.abridged != nil && n > 0 {
		return int(d.abridged.lines[n-1])
	}
	return n
}
