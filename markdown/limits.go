package markdown

import (
	"context"
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// A block takes 28 bytes and can be made of one, so that a parse can take many times
// the memory of its source, and documents come from anybody. Who parses for others
// says how much may be taken, and for how long.

// Limits bound what a parse takes. The zero value bounds nothing.
type Limits struct {
	// Memory is the number of bytes that blocks and sections, and what is needed to
	// find them, may take, the source not counted and garbage included: nobody knows
	// when that is cleared away. 0 is for any number.
	Memory int
}

// ErrTooComplex is what a parse ends with that would take more memory than its limits
// allow. The error is a *ComplexityError.
var ErrTooComplex = errors.New("markdown: the source has more blocks than the limit of memory allows")

// ComplexityError says where a parse reached its limit of memory.
type ComplexityError struct {
	Memory int // the limit, in bytes
	Blocks int // that had been found
	Offset int // in the source, in bytes, up to which they were
}

// Error names the limit and where it was reached.
func (e *ComplexityError) Error() string {
	return fmt.Sprintf("%v: %d bytes are not enough for what follows the %d blocks in the first %d bytes",
		ErrTooComplex, e.Memory, e.Blocks, e.Offset)
}

// Is reports whether the target is ErrTooComplex.
func (e *ComplexityError) Is(target error) bool { return target == ErrTooComplex }

// ParseContext is Parse with options and within limits. Its error is also that of the
// context, if it ends before the parse does, or a *ComplexityError.
func ParseContext(ctx context.Context, src []byte, opts Options, limits Limits) (*Document, error) {
	p := Parser{Options: opts}
	return p.ParseContext(ctx, src, limits)
}

// ParseContext is Parse within limits; its errors are those of the function. What the
// parser keeps for the next source stays within them too.
func (p *Parser) ParseContext(ctx context.Context, src []byte, limits Limits) (*Document, error) {
	if len(src) > MaxSize {
		return nil, ErrTooLarge
	}
	s := &p.state
	if limits.Memory > 0 && s.memory() > limits.Memory {
		*s = parser{} // it was used for a source that took more
	}
	err := s.within(ctx, limits, func() { s.parse(src, p.Options) })
	if err != nil {
		*s = parser{}
		return nil, err
	}
	return p.finish(), nil
}

// ReparseContext is Reparse within limits; its errors are those of ParseContext.
func (d *Document) ReparseContext(ctx context.Context, src []byte, limits Limits) (*Document, error) {
	if len(src) > MaxSize {
		return nil, ErrTooLarge
	}
	if d.abridged != nil { // what it has says nothing about another source
		return ParseContext(ctx, src, d.options, limits)
	}
	p := Parser{Options: d.options}
	err := p.state.within(ctx, limits, func() { p.state.reparse(d, src) })
	if err != nil {
		return nil, err
	}
	return p.finish(), nil
}

// bounds are the limits of a parse in work.
type bounds struct {
	ctx     context.Context
	memory  int    // bytes; 0 for any number
	garbage int    // bytes that lists took before they grew
	checkAt uint32 // the line at which to look whether the context has ended
}

// linesBetween and blocksBetween are how much is parsed between two looks at the
// context: some tenths of a millisecond.
const (
	linesBetween  = 1 << 14
	blocksBetween = 1 << 14
)

// stopped is what a parse panics with to end, whatever it is in the middle of.
type stopped struct{ err error }

// within calls parse, and returns why it was ended early, if it was.
func (p *parser) within(ctx context.Context, limits Limits, parse func()) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.bounds = bounds{memory: limits.Memory, checkAt: math.MaxUint32}
	if ctx.Done() != nil {
		p.bounds.ctx, p.bounds.checkAt = ctx, linesBetween
	} else if limits.Memory == 0 { // nothing ends it
		parse()
		return nil
	}
	defer func() {
		if reason := recover(); reason != nil {
			s, ok := reason.(stopped)
			if !ok {
				panic(reason)
			}
			err = s.err
		}
	}()
	parse()
	return nil
}

// checkLine looks whether the context has ended.
func (p *parser) checkLine() {
	p.bounds.checkAt = p.line + linesBetween
	if p.bounds.checkAt < p.line {
		p.bounds.checkAt = math.MaxUint32
	}
	p.checkContext()
}

func (p *parser) checkContext() {
	if p.bounds.ctx == nil {
		return
	}
	if err := p.bounds.ctx.Err(); err != nil {
		panic(stopped{err})
	}
}

// memory returns how many bytes the parse has taken.
func (p *parser) memory() int {
	return bytesOf(p.blocks) + bytesOf(p.sections) + bytesOf(p.stack) + bytesOf(p.quotes) + bytesOf(p.segments)
}

// bytesOf returns the number of bytes that a list takes.
func bytesOf[T any](list []T) int {
	var one T
	return cap(list) * int(unsafe.Sizeof(one))
}

// extrapolated is the number of elements from which on a list grows by what is to be
// expected, and maxGrowth is by how much at most.
const (
	extrapolated = 1 << 10
	maxGrowth    = 16
)

// larger returns the full list with room for more: for as many as there will be if the
// source goes on as it is up to the offset, for each copy of a long list costs time,
// and memory until somebody has cleared it away. The parse ends if that is more than
// it may take.
func larger[T any](p *parser, list []T, offset int) []T {
	want := expected(len(list), offset, len(p.src))
	if most := most[T](p); want > most {
		want = max(leastGrown(len(list)), most/2) // others need some too
	}
	return withRoom(p, list, want, offset)
}

// leastGrown is the least number of elements that a list of n grows to.
func leastGrown(n int) int { return n + n/4 + 16 }

// expected returns how many elements a list should have room for that has n at an
// offset in so many bytes.
func expected(n, offset, size int) int {
	if n < extrapolated {
		return 2*n + 16
	}
	if offset <= 0 {
		return leastGrown(n)
	}
	all := float64(n) / float64(offset) * float64(size)
	return max(leastGrown(n), int(min(all*17/16, float64(maxGrowth*n))))
}

// most returns how many elements the parse may take now.
func most[T any](p *parser) int {
	var one T
	if p.bounds.memory <= 0 {
		return math.MaxInt
	}
	return (p.bounds.memory - p.memory() - p.bounds.garbage) / int(unsafe.Sizeof(one))
}

// withRoom returns the list with room for n elements in all. The parse ends if it may
// not take them beside the old list.
func withRoom[T any](p *parser, list []T, n, offset int) []T {
	if n <= cap(list) {
		return list
	}
	if n > most[T](p) {
		panic(stopped{&ComplexityError{Memory: p.bounds.memory, Blocks: len(p.blocks), Offset: offset}})
	}
	p.bounds.garbage += bytesOf(list)
	next := make([]T, len(list), n)
	copy(next, list)
	return next
}
