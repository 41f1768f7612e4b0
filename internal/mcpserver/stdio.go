package mcpserver

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The guard on standard input and output stands where the protocol's library has
// a connection that dies of one malformed line, answers some calls never, and
// stops the work in flight when the input ends. This one answers every call once
// and goes on.
//
// A goroutine reads lines (stdio_lines.go), makes messages of them
// (stdio_message.go) and puts these in a queue; Read takes them out for the
// library, in their order. So that a client that is faster than the server fills
// neither memory nor the library's queue, Read holds calls back while too many
// are in flight. The goroutine reads on meanwhile, for a cancellation must get
// through: it overtakes the queue if its call is in flight, and takes its call
// out of the queue if that waits. Only when the queue is full too, the input
// waits, and with it cancellations. That ends by itself, for all calls have a
// deadline but subscriptions, and those have a limit of their own.

const (
	maxLine          = 16 << 20 // bytes, without the line's end
	maxInFlight      = 1024     // calls that the library has, without subscriptions
	maxInFlightBytes = 64 << 20 // of their messages; one call may always be in flight
	maxWaiting       = 1024     // messages in the queue, when the next line is read
	maxWaitingBytes  = 16 << 20
	maxListens       = 64 // subscriptions
	maxBatch         = 100
	maxNesting       = 1000 // the library refuses more, without an answer
	maxMethod        = 128  // bytes of a method's name
	// drainLimit is how long after the end of input no call was answered when
	// those that are left are given up: the library has lost them.
	drainLimit = 10 * time.Minute
)

const (
	methodListen = "subscriptions/listen"
	methodCancel = "notifications/cancelled"
)

// stdio is the transport over a pair of streams, a message a line, and its only
// connection.
type stdio struct {
	in       io.Reader
	out      io.Writer
	log      *slog.Logger
	patience time.Duration // drainLimit

	turn chan struct{} // full while a line is written
	done chan struct{} // closed when the connection is over
	wake chan struct{} // Read has something to look at
	room chan struct{} // the queue has become shorter

	mu    sync.Mutex
	stop  func() bool // ends the watch on Connect's context; nil before Connect
	cause error       // why the connection is over, nil while it isn't
	ended error       // what ended the input, io.EOF or an error of it; nil while it goes on

	open    map[jsonrpc.ID]*stdioCall // calls without an answer
	listens int                       // subscriptions in open
	writing int                       // answers that are neither in open nor written

	urgent        []*jsonrpc.Request // cancellations of calls in flight
	waiting       []stdioMessage
	waitingBytes  int
	inFlight      int
	inFlightBytes int
}

// stdioMessage is a message for the library.
type stdioMessage struct {
	req  *jsonrpc.Request
	call *stdioCall // nil for a notification
	size int        // bytes
}

// stdioCall is a call that has no answer.
type stdioCall struct {
	id        jsonrpc.ID
	size      int // bytes
	listen    bool
	delivered bool // the library has it
	cancelled bool // and its cancellation
	answered  bool // but its batch isn't complete
	batch     *stdioBatch
	place     int // of the answer in the batch
}

// newStdio returns the transport over in and out, which stay open when it is
// closed. It is used once. Its only connection sends no calls, so the server must
// not be one that pings its clients (mcp.ServerOptions.KeepAlive).
func newStdio(in io.Reader, out io.Writer, log *slog.Logger) *stdio {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &stdio{
		in: in, out: out, log: log, patience: drainLimit,
		turn: make(chan struct{}, 1), done: make(chan struct{}),
		wake: make(chan struct{}, 1), room: make(chan struct{}, 1),
		open: map[jsonrpc.ID]*stdioCall{},
	}
}

// Connect implements mcp.Transport. The end of ctx ends the connection at once:
// the library hides it from Read, and would wait for calls whose answers it then
// throws away.
func (s *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		return nil, errors.New("the transport is connected already")
	}
	s.stop = context.AfterFunc(ctx, func() { s.fail(ctx.Err()) })
	go s.readLines()
	return s, nil
}

// SessionID implements mcp.Connection: the process is the session.
func (s *stdio) SessionID() string { return "" }

// Close implements mcp.Connection. It interrupts Read and Write. The goroutine
// that reads goes on until its system call ends.
func (s *stdio) Close() error {
	s.fail(mcp.ErrConnectionClosed)
	return nil
}

// fail ends the connection, if nothing else did before.
func (s *stdio) fail(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause != nil {
		return
	}
	s.cause = cause
	close(s.done)
	if s.stop != nil {
		s.stop()
	}
}

// failure is why the connection is over, nil if it isn't.
func (s *stdio) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

// finish ends the input before its end: no more is read, and what was read is
// answered. After that the connection is over as if the client had closed it.
func (s *stdio) finish() { s.endInput(io.EOF) }

// endInput notes that no more messages come, and why. Subscriptions, which don't
// end by themselves, are cancelled in the client's name.
func (s *stdio) endInput(why error) {
	s.mu.Lock()
	if s.ended == nil {
		s.ended = why
		for _, c := range s.open {
			if c.listen && c.delivered {
				s.pushCancel(c)
			}
		}
	}
	s.mu.Unlock()
	signal(s.wake)
}

// pushCancel hands the library the cancellation of a call that it has, unless it
// was handed one before or has answered. s.mu is held.
func (s *stdio) pushCancel(c *stdioCall) {
	if !c.cancelled && !c.answered {
		c.cancelled = true
		s.urgent = append(s.urgent, cancelRequest(c.id))
	}
}

// Read implements mcp.Connection. At the end of input it returns io.EOF, or the
// error of the input, when all calls are answered.
func (s *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.mu.Lock()
		req, err := s.next()
		draining := s.ended != nil
		s.mu.Unlock()
		switch {
		case err != nil:
			return nil, err
		case req != nil:
			signal(s.room)
			return req, nil
		case !draining:
			s.await(ctx, nil)
		default:
			timer := time.NewTimer(s.patience)
			if s.await(ctx, timer.C) {
				s.giveUp()
			}
			timer.Stop()
		}
	}
}

// await waits until there is something for Read to look at, and reports whether
// late came first.
func (s *stdio) await(ctx context.Context, late <-chan time.Time) bool {
	select {
	case <-ctx.Done():
	case <-s.done:
	case <-s.wake:
	case <-late:
		return true
	}
	return false
}

// next takes the next message for the library, nil if there is none now. The
// error is the end. s.mu is held.
func (s *stdio) next() (*jsonrpc.Request, error) {
	switch {
	case errors.Is(s.cause, mcp.ErrConnectionClosed):
		return nil, io.EOF
	case s.cause != nil:
		return nil, s.cause
	case len(s.urgent) > 0:
		req := s.urgent[0]
		s.urgent = s.urgent[1:]
		return req, nil
	case len(s.waiting) > 0:
		if s.isHeld(s.waiting[0].call) {
			return nil, nil
		}
		return s.deliver(), nil
	case s.ended != nil && len(s.open) == 0 && s.writing == 0:
		return nil, s.ended
	}
	return nil, nil
}

// isHeld reports whether a call must wait until others are answered. A
// notification, nil, does so behind a call. s.mu is held.
func (s *stdio) isHeld(c *stdioCall) bool {
	return c != nil && !c.listen && s.inFlight > 0 &&
		(s.inFlight >= maxInFlight || s.inFlightBytes+c.size > maxInFlightBytes)
}

// deliver takes the first message out of the queue. s.mu is held.
func (s *stdio) deliver() *jsonrpc.Request {
	m := s.waiting[0]
	s.waiting[0] = stdioMessage{} // so that it can be freed
	s.waiting = s.waiting[1:]
	s.waitingBytes -= m.size
	c := m.call
	if c == nil {
		return m.req
	}
	c.delivered = true
	switch {
	case !c.listen:
		s.inFlight++
		s.inFlightBytes += c.size
	case s.ended != nil:
		s.pushCancel(c)
	}
	return m.req
}

// giveUp answers the calls that are open, in the place of a library that does not.
func (s *stdio) giveUp() {
	s.mu.Lock()
	s.waiting, s.waitingBytes = nil, 0
	var lost []*stdioCall
	for _, c := range s.open {
		if !c.answered {
			lost = append(lost, c)
		}
	}
	s.mu.Unlock()
	for _, c := range lost {
		s.log.Error("call without an answer is given up", "id", idText(c.id), "after", s.patience)
		fault := &wireFault{id: c.id, code: jsonrpc.CodeInternalError, text: "the server ended before the call did; try again"}
		_ = s.answer(c.id, fault.line()) // an error ends the connection, which Read sees
	}
}

// signal wakes the goroutine that waits for c, or will when it looks next.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
