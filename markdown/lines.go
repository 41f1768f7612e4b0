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

// lineReader finds the ends of lines. It remembers where the next LF is and how far there
// is no CR: looking for one at every line of a source without it would take quadratic time,
// and one that is rare costs less than a call for each line.
type lineReader struct {
	src  []byte
	lf   int // the offset just after an LF, or one beyond the end; none is between it and what was read
	cr   int // the same for CR, of what was looked at
	seen int // the offset up to which CR was looked for
}

// seenAhead is how far CR is looked for at least.
const seenAhead = 4 << 10

// next returns where the line that begins at start ends, without and with its
// line ending. Lines must be read in order.
func (r *lineReader) next(start int) (end, next int) {
	none := len(r.src) + 1
	if r.lf <= start {
		r.lf = none
		if i := bytes.IndexByte(r.src[start:], '\n'); i >= 0 {
			r.lf = start + i + 1
		}
	}
	if r.cr <= start {
		r.cr = none
	}
	if r.cr == none && r.seen < r.lf {
		from := max(r.seen, start)
		r.seen = min(max(r.lf, from+seenAhead), len(r.src))
		if i := bytes.IndexByte(r.src[from:r.seen], '\r'); i >= 0 {
			r.cr = from + i + 1
			r.seen = r.cr
		}
	}
	end = min(r.lf, r.cr) - 1
	return end, syntax.SkipEnding(r.src, end)
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
		lines := lineReader{src: d.Source}
		for pos := 0; pos < len(d.Source); {
			starts = append(starts, uint32(pos))
			_, pos = lines.next(pos)
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
