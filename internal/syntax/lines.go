package syntax

import "bytes"

// LineReader finds the ends of lines. It remembers where the next LF is and how far there is no
// CR: looking for one at every line of a source without it would take quadratic time, and one
// that is rare costs less than a call for each line. It doesn't look for either much farther than
// the line, for many a reader reads a few lines alone of a source that has one of them nowhere.
type LineReader struct {
	Source []byte
	lf     int  // the offset just after an LF, or one beyond the end; none is between it and what was read
	more   bool // it is where to go on to look for one, less 1
	cr     int  // the offset just after a CR, or one beyond the end; none is between it and what was looked at
	seen   int  // the offset up to which CR was looked for
}

// seenAhead is how far CR is looked for at least, and LF without a look for CR.
const seenAhead = 4 << 10

// Next returns where the line that begins at start ends, without and with its
// line ending. Lines must be read in order.
func (r *LineReader) Next(start int) (end, next int) {
	none := len(r.Source) + 1
	if r.lf <= start {
		r.lookForLF(start)
	}
	if r.cr <= start {
		r.cr = none
	}
	for {
		if r.cr == none && r.seen < r.lf {
			from := max(r.seen, start)
			r.seen = min(max(r.lf, from+seenAhead), len(r.Source))
			if i := bytes.IndexByte(r.Source[from:r.seen], '\r'); i >= 0 {
				r.cr = from + i + 1
				r.seen = r.cr
			}
		}
		if !r.more || r.cr <= r.lf {
			break
		}
		r.lookForLF(r.lf - 1)
	}
	end = min(r.lf, r.cr) - 1
	return end, SkipEnding(r.Source, end)
}

// lookForLF looks for the next LF from an offset on.
func (r *LineReader) lookForLF(from int) {
	ahead := r.Source[from:min(from+seenAhead, len(r.Source))]
	i := bytes.IndexByte(ahead, '\n')
	if r.more = i < 0; r.more {
		i = len(ahead)
	}
	r.lf = from + i + 1
	r.more = r.more && r.lf <= len(r.Source)
}
