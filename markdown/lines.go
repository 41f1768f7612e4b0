package markdown

import (
	"bytes"
	"sort"
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

// bomLen returns 3 if src begins with a byte order mark in UTF-8, else 0.
func bomLen(src []byte) int {
	if len(src) >= 3 && src[0] == 0xEF && src[1] == 0xBB && src[2] == 0xBF {
		return 3
	}
	return 0
}

// lineReader finds the ends of lines. It remembers where the next LF is: looking
// for it at every line of a source without one would take quadratic time.
type lineReader struct {
	src []byte
	lf  int // offset of an LF, or len(src); none is between it and what was read
}

// next returns where the line that begins at start ends, without and with its
// line ending. Lines must be read in order.
func (r *lineReader) next(start int) (end, next int) {
	if r.lf < start || r.lf == 0 && start == 0 {
		r.lf = len(r.src)
		if i := bytes.IndexByte(r.src[start:], '\n'); i >= 0 {
			r.lf = start + i
		}
	}
	end = r.lf
	if i := bytes.IndexByte(r.src[start:end], '\r'); i >= 0 {
		end = start + i
	}
	return end, skipEnding(r.src, end)
}

// skipEnding returns the offset after the line ending at i.
func skipEnding(src []byte, i int) int {
	if i < len(src) && src[i] == '\r' {
		i++
		if i < len(src) && src[i] == '\n' {
			i++
		}
		return i
	}
	return min(i+1, len(src))
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
		starts := make([]uint32, 0, d.LineCount)
		lines := lineReader{src: d.Source}
		for pos := 0; pos < len(d.Source); {
			starts = append(starts, uint32(pos))
			_, pos = lines.next(pos)
		}
		d.lazy.lines = starts
	})
	return d.lazy.lines
}

// LineSpan returns the byte range of the lines, the line ending of the last one
// included. Lines beyond the document's are left out.
func (d *Document) LineSpan(l Lines) Span {
	starts := d.lineStarts()
	at := func(n int) int {
		n = max(n, 1)
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
	return sort.Search(len(starts), func(i int) bool { return int(starts[i]) > offset })
}
