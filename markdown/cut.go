package markdown

import (
	"bytes"
	"errors"
	"io"

	"github.com/sectile/sectile/internal/syntax"
)

// pieceSize is the number of bytes of a slice, if it can be cut there: as many as stay
// in a processor's own memory from when they are read until they are parsed. A slice that
// can be cut nowhere for sure has softPieces times as many.
const (
	pieceSize  = 256 << 10
	softPieces = 16
)

// cutter cuts what it reads into slices.
type cutter struct {
	from        io.Reader
	size        int  // bytes of a slice, if it can be cut there
	limit       int  // bytes of a slice; 0 for any number
	frontMatter bool // the document may begin with some
	begun       bool
	rest        []byte // what was read after the last slice
	ended       bool   // nothing is left to be read
}

// next reads the next slice into the memory of x, and reports whether it is the last one.
func (c *cutter) next(x *slice) (last bool) {
	x.first, x.soft, x.unread = !c.begun, false, nil
	c.begun = true
	x.src = append(x.src[:0], c.rest...)
	for want, looked := c.size, 0; ; want *= 2 {
		if x.unread = c.fill(x, want); x.unread != nil {
			return true
		}
		if c.ended {
			c.rest = c.rest[:0]
			return true
		}
		if least, known := c.markdownStart(x); known {
			end := lastCut(x.src, max(looked-1, least, 0), beginsBlocks)
			soft := end == 0 && len(x.src) >= softPieces*c.size
			if soft {
				end = lastCut(x.src, least, beginsText)
			}
			if end > least {
				x.soft = soft
				c.keep(x, end)
				return false
			}
			looked = len(x.src)
		}
		if c.limit > 0 && len(x.src) >= c.limit {
			x.unread = &ComplexityError{Memory: c.limit}
			return true
		}
	}
}

// keep ends the slice, and keeps what is after it for the next one.
func (c *cutter) keep(x *slice, end int) {
	c.rest = append(c.rest[:0], x.src[end:]...)
	x.src = x.src[:end]
}

// fill reads until the slice has so many bytes, or the document has ended.
func (c *cutter) fill(x *slice, want int) error {
	if cap(x.src) < want {
		x.src = append(make([]byte, 0, want), x.src...)
	}
	for len(x.src) < want && !c.ended {
		n, err := c.from.Read(x.src[len(x.src):want])
		x.src = x.src[:len(x.src)+n]
		switch {
		case errors.Is(err, io.EOF):
			c.ended = true
		case err != nil:
			return err
		}
	}
	return nil
}

// markdownStart returns where the Markdown of a slice begins, which is not cut before,
// and whether that is known: front matter may end later.
func (c *cutter) markdownStart(x *slice) (start int, known bool) {
	if !x.first || !c.frontMatter || !startsFrontMatter(x.src) {
		return 0, true
	}
	p := parser{src: x.src, section: -1}
	begin := syntax.BOMLen(x.src)
	end := p.frontMatter(begin)
	return end, end > begin && end < len(x.src)
}

// lastCut returns the last offset after the one given at which a line begins that can
// be the first of a slice, or 0.
func lastCut(src []byte, after int, begins func(src []byte, line int) bool) int {
	for end := len(src); end > after; {
		i := bytes.LastIndexByte(src[after:end], '\n')
		if i < 0 {
			return 0
		}
		end = after + i
		if line := end + 1; line < len(src) && begins(src, line) {
			return line
		}
	}
	return 0
}

// beginsBlocks reports whether from a line on everything can be parsed by itself if
// neither code nor HTML is open there.
func beginsBlocks(src []byte, line int) bool {
	return (classes[src[line]] == classText || src[line] == '#') && syntax.EndsBlank(src[:line-1])
}

// beginsText reports whether a line surely isn't blank, which ends some HTML.
func beginsText(src []byte, line int) bool { return classes[src[line]] != classIndent }
