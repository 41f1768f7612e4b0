package documents

import (
	"errors"
	"unicode/utf8"

	"github.com/sectile/sectile/markdown"
)

// The headings of a large document within the limit are had in less time and memory from its
// pieces than from all of it: those are read into memory that is used again, and parsed by
// all processors.

// wholeUpTo is the number of bytes up to which a document is read as a whole for its headings.
const wholeUpTo = 4 << 20

// openHeadings is open for who needs only headings: a large document is abridged.
func (w *Worker) openHeadings(path string) (*markdown.Document, error) {
	limit := w.Reader.Limit
	if w.workspace == nil && (limit == 0 || limit > wholeUpTo) {
		w.Reader.Limit = wholeUpTo
		doc, err := w.open(path)
		w.Reader.Limit = limit
		if !isTooLarge(err) {
			return doc, err
		}
		a := &Abridged{set: &Set{MaxBytes: wholeUpTo, Work: w.work}, path: path, checked: true}
		if doc, err := a.Open(); err == nil {
			return doc, nil
		}
		// Why not, or that it can be read after all, whoever reads it as a whole tells.
	}
	doc, err := w.open(path)
	if isTooLarge(err) {
		return (&Abridged{set: &Set{MaxBytes: limit, Workspace: w.workspace, Work: w.work}, path: path}).Open()
	}
	return doc, err
}

// errNoText says that a text is not UTF-8.
var errNoText = errors.New("not UTF-8")

// textCheck looks whether what comes piece by piece is UTF-8.
type textCheck struct {
	begun [utf8.UTFMax]byte // a character of which the rest has not come
	n     int
}

// add takes the next piece and reports whether all is UTF-8 so far.
func (c *textCheck) add(p []byte) bool {
	for c.n > 0 && len(p) > 0 {
		c.begun[c.n] = p[0]
		c.n++
		p = p[1:]
		if utf8.FullRune(c.begun[:c.n]) {
			if !utf8.Valid(c.begun[:c.n]) {
				return false
			}
			c.n = 0
		}
	}
	end := len(p)
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if utf8.RuneStart(p[len(p)-i]) {
			if !utf8.FullRune(p[len(p)-i:]) {
				end = len(p) - i
			}
			break
		}
	}
	c.n += copy(c.begun[c.n:], p[end:])
	return utf8.Valid(p[:end])
}

// whole reports whether nothing has begun that the end has cut off.
func (c *textCheck) whole() bool { return c.n == 0 }
