package syntax

import "bytes"

// LineReader finds the ends of lines. It remembers where the next LF is and how far there
// is no CR: looking for one at every line of a source without it would take quadratic time,
// and one that is rare costs less than a call for each line.
type LineReader struct {
	Source []byte
	lf     int // the offset just after an LF, or one beyond the end; none is between it and what was read
	cr     int // the same for CR, of what was looked at
	seen   int // the offset up to which CR was looked for
}

// seenAhead is how far CR is looked for at least.
const seenAhead = 4 << 10

// Next returns where the line that begins at start ends, without and with its
// line ending. Lines must be read in order.
func (r *LineReader) Next(start int) (end, next int) {
	none := len(r.Source) + 1
	if r.lf <= start {
		r.lf = none
		if i := bytes.IndexByte(r.Source[start:], '\n'); i >= 0 {
			r.lf = start + i + 1
		}
	}
	if r.cr <= start {
		r.cr = none
	}
	if r.cr == none && r.seen < r.lf {
		from := max(r.seen, start)
		r.seen = min(max(r.lf, from+seenAhead), len(r.Source))
		if i := bytes.IndexByte(r.Source[from:r.seen], '\r'); i >= 0 {
			r.cr = from + i + 1
			r.seen = r.cr
		}
	}
	end = min(r.lf, r.cr) - 1
	return end, SkipEnding(r.Source, end)
}
