package markdown

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"sync"
)

// A document of any size is read in pieces. They are cut where no block can be open but
// code and HTML at the top level: before a line that begins with text or '#', after a
// blank one (cut.go). So several can be parsed at once, each as if nothing was open. When
// the piece before has ended within code or HTML after all, the piece is parsed once
// more, as the rest of that block.

// A Piece is a part of a document that [Stream] yields.
type Piece struct {
	// Document is the piece: its offsets count from Offset, its lines from Line, and
	// its sections are those of this piece alone. It is valid until the next piece is
	// asked for.
	Document *Document
	Offset   int64 // of the piece's first byte in the stream, from 0
	Line     int64 // number of lines before the piece
	// Continues says that the first block is the rest of the last block of the piece
	// before: of fenced code or HTML at the top level.
	Continues bool
}

// Stream reads a document of any size and yields its pieces in order, each of whole
// blocks but for code and HTML at the top level, which may go on in the next piece. The
// blocks of all pieces are those that [Parse] finds in the whole.
//
// The limits hold for each piece, its source included: a paragraph, list, table or quote
// that is larger ends the stream with a *ComplexityError, and so does a first line that
// front matter may begin with, if a line that may end it is farther away. The stream ends
// too with an error of the reader, and that of the context.
//
// Pieces are read and parsed ahead, by as many goroutines as there are processors. When
// the loop over the pieces has ended, so have they, and r is no longer read.
func Stream(ctx context.Context, r io.Reader, opts Options, limits Limits) iter.Seq2[*Piece, error] {
	return streamIn(ctx, r, opts, limits, pieceSize)
}

// streamIn is Stream with pieces of so many bytes, if they can be cut there.
func streamIn(ctx context.Context, r io.Reader, opts Options, limits Limits, size int) iter.Seq2[*Piece, error] {
	return func(yield func(*Piece, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		s := stream{opts: opts, limits: limits, largest: softPieces * size}
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		s.start(ctx, cutter{from: r, size: size, limit: limits.Memory, frontMatter: !opts.NoFrontMatter}, &running)
		s.yield(ctx, yield)
	}
}

// stream is the state of a stream.
type stream struct {
	opts    Options
	limits  Limits
	largest int         // size of the memory that is kept for other slices
	todo    chan *slice // for those who parse
	order   chan *slice // the same, in their order
	free    chan *slice // memory of those that were yielded

	piece Piece  // the next one
	open  leaf   // what is open at its beginning
	held  []byte // its beginning: slices that have not ended where a piece can end
}

// slice is a part of the stream, and the parse of it.
type slice struct {
	src    []byte
	first  bool  // it begins the document
	soft   bool  // it ends after a line that may be in the middle of a block
	unread error // why it can't be read

	parser Parser
	doc    *Document
	open   leaf  // the code or HTML that is open at its end
	whole  bool  // nothing else is
	err    error // why it can't be parsed
	done   chan struct{}
}

// start starts the goroutines that read and that parse.
func (s *stream) start(ctx context.Context, cut cutter, running *sync.WaitGroup) {
	workers := runtime.GOMAXPROCS(0)
	all := 2*workers + 2
	s.todo, s.order, s.free = make(chan *slice, all), make(chan *slice, all), make(chan *slice, all)
	for range all {
		s.free <- &slice{parser: Parser{Options: s.opts}}
	}
	running.Go(func() {
		defer close(s.todo)
		defer close(s.order)
		for last := false; !last; {
			select {
			case next := <-s.free:
				last = cut.next(next)
				next.done = make(chan struct{})
				s.todo <- next // all slices have room in each channel
				s.order <- next
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		running.Go(func() {
			for next := range s.todo {
				next.parse(ctx, s.limits, leaf{})
				close(next.done)
			}
		})
	}
}

// yield yields the pieces.
func (s *stream) yield(ctx context.Context, yield func(*Piece, error) bool) {
	for next := range s.order {
		<-next.done // soon, if the context has ended
		s.join(ctx, next)
		if err := cmp.Or(next.unread, next.err); err != nil {
			yield(nil, s.located(err))
			return
		}
		if next.soft && !next.whole {
			s.held = append(s.held[:0], next.src...)
			s.release(next)
			continue
		}
		s.held = s.held[:0]
		s.piece.Document = next.doc
		if len(next.src) > 0 && !yield(&s.piece, nil) {
			return
		}
		s.open = next.open
		s.piece.Continues = s.open.kind != 0
		s.piece.Offset += int64(len(next.src))
		s.piece.Line += int64(next.doc.LineCount)
		s.release(next)
	}
	if err := ctx.Err(); err != nil {
		yield(nil, err)
	}
}

// join makes of the next slice a piece that begins where the last one ended.
func (s *stream) join(ctx context.Context, next *slice) {
	if len(s.held) == 0 && s.open.kind == 0 {
		return
	}
	if len(s.held) > 0 {
		next.first = s.piece.Offset == 0
		next.src = append(s.held, next.src...)
		s.held = nil
		if most := s.limits.Memory; most > 0 && len(next.src) > most {
			next.unread = &ComplexityError{Memory: most}
		}
	}
	next.parse(ctx, s.limits, s.open)
}

// release hands the memory of a slice to the next one, unless it is larger than most need.
func (s *stream) release(x *slice) {
	if cap(x.src) > s.largest {
		*x = slice{parser: Parser{Options: s.opts}}
	}
	s.free <- x
}

// located returns an error about the next piece as one about the stream.
func (s *stream) located(err error) error {
	if e, ok := errors.AsType[*ComplexityError](err); ok {
		moved := *e
		moved.Offset += int(s.piece.Offset)
		return &moved
	}
	return err
}

// parse parses the slice, at whose beginning a leaf may be open.
func (x *slice) parse(ctx context.Context, limits Limits, open leaf) {
	if x.unread != nil {
		return
	}
	p := &x.parser.state
	x.err = p.within(ctx, limits, func() {
		p.reset(x.src, x.parser.Options)
		pos := 0
		if x.first {
			pos = p.begin()
		}
		if open.kind != 0 {
			p.leaf = leaf{kind: open.kind, level: open.level, marker: open.marker, fence: open.fence, startLine: 1}
		}
		p.parseLines(pos)
		x.open, x.whole = leaf{}, len(p.stack) == 0 && p.leaf.kind == 0
		if len(p.stack) == 0 && (p.leaf.kind == FencedCode || p.leaf.kind == HTMLBlock) {
			x.open, x.whole = p.leaf, true
		}
		p.end()
	})
	if x.err != nil {
		*p = parser{}
		return
	}
	x.doc = x.parser.finish()
}
