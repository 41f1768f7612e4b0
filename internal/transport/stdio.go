package transport

import (
	"context"
	"errors"
	"fmt"
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
// library, in their order. Answers go through a queue as well (stdio_write.go).
// So that a client that is faster than the server, or doesn't read, fills neither
// memory nor the library's queue, Read holds calls back while too many are in
// flight or too much is to be written. The goroutine reads on meanwhile, for a
// cancellation must get through: it overtakes the queue if its call is in flight,
// and takes its call out of the queue if that waits. Only when one of the queues
// is full, the input waits, and with it cancellations. With a client that reads
// that ends by itself, for all calls have a deadline but subscriptions, and those
// have a limit of their own.
//
// What the input has brought is answered when it ends. A client that doesn't read
// the answers then is waited for, but not for ever.

// The limits of what clients may have of a server.
const (
	MaxLine    = 16 << 20 // bytes of a line, without its end, and of a body
	MaxListens = 64       // subscriptions
)

const (
	maxInFlight      = 64       // calls that the library has, without subscriptions
	maxInFlightBytes = 64 << 20 // of their messages; one call may always be in flight
	maxWaiting       = 1024     // messages in the queue, when the next line is read
	maxWaitingBytes  = 16 << 20
	maxOutputBytes   = 32 << 20 // to be written, when another call is handed over
	maxLooseBytes    = 1 << 20  // of them, of what isHeld can't hold back, when the next line is read
	maxBatch         = 100
	maxBatchBytes    = 32 << 20 // answers of batches that are not complete
	maxNesting       = 1000     // the library refuses more, without an answer
	maxMethod        = 128      // bytes of a method's name
	// answerBytes is what a call in flight counts for in maxOutputBytes: the more
	// is to be written, the fewer calls are in flight.
	answerBytes = maxOutputBytes / maxInFlight
)

// patience is how long the connection waits, mostly after the end of input.
type patience struct {
	// answers is how long no call was answered when those that are left are
	// given up: the library has lost them.
	answers time.Duration
	// reader is how long the client took nothing of what is to be written when
	// the connection fails, told the same when Finish was called: a pipeline may
	// read slowly, but who tells a server to end wants that.
	reader, told time.Duration
	// slow is how long no call of a class was begun when more of them are refused.
	slow time.Duration
}

const (
	methodListen = "subscriptions/listen"
	methodCancel = "notifications/cancelled"
)

// Stdio is the transport over a pair of streams, a message a line, and its only
// connection.
type Stdio struct {
	in  io.Reader
	out io.Writer
	log *slog.Logger

	done chan struct{} // closed when the connection is over
	wake chan struct{} // Read has something to look at
	room chan struct{} // a queue has become shorter

	mu    sync.Mutex
	stop  func() bool // ends the watch on Connect's context; nil before Connect
	cause error       // why the connection is over, nil while it isn't
	ended error       // what ended the input, io.EOF or an error of it; nil while it goes on
	lost  error       // why nobody reads the output any more, nil while somebody may
	limit patience

	open       map[jsonrpc.ID]*stdioCall // calls without an answer
	listens    int                       // subscriptions in open
	batchBytes int                       // answers in batches that are not complete

	output      []outputLine // to be written; the first is, unless the connection is over
	outputBytes int
	looseBytes  int       // of them, lines that are loose
	progress    time.Time // when the client last took something of output, or could begin to

	urgent        []*jsonrpc.Request // cancellations of calls in flight
	waiting       []stdioMessage
	waitingBytes  int // of those of the class ClassRead
	inFlight      int // calls that the library has, without subscriptions
	inFlightBytes int

	classOf func(method, name string) Class // nil if all calls are of the class ClassRead
	slow    [Classes]slowCalls              // those of the other classes
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
	class     Class
	listen    bool
	delivered bool // the library has it
	cancelled bool // and its cancellation
	answered  bool // but its batch isn't complete
	batch     *stdioBatch
	place     int // of the answer in the batch
}

// NewStdio returns the transport over in and out, which stay open when it is
// closed. It is used once. Its only connection sends no calls, so the server must
// not be one that pings its clients (mcp.ServerOptions.KeepAlive).
func NewStdio(in io.Reader, out io.Writer, log *slog.Logger) *Stdio {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Stdio{
		in: in, out: out, log: log,
		limit: patience{answers: 10 * time.Minute, reader: time.Minute, told: 5 * time.Second, slow: time.Second},
		done:  make(chan struct{}), wake: make(chan struct{}, 1), room: make(chan struct{}, 1),
		open: map[jsonrpc.ID]*stdioCall{},
	}
}

// Connect implements mcp.Transport. The end of ctx ends the connection at once:
// the library hides it from Read, and would wait for calls whose answers it then
// throws away.
func (s *Stdio) Connect(ctx context.Context) (mcp.Connection, error) {
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
func (s *Stdio) SessionID() string { return "" }

// Close implements mcp.Connection. It interrupts Read and Write, and what is not
// written yet never is. The goroutines that read and write go on until their
// system calls end.
func (s *Stdio) Close() error {
	s.fail(mcp.ErrConnectionClosed)
	return nil
}

// lose notes that nobody reads the output any more, and why, which ends the input too. Calls that
// may write are left to end, the others are cancelled in the client's name. s.mu is held.
func (s *Stdio) lose(why error) {
	if s.lost != nil || s.cause != nil {
		return
	}
	s.lost, s.ended = why, why
	for _, line := range s.output {
		line.done()
	}
	s.output, s.outputBytes, s.looseBytes = nil, 0, 0
	for _, c := range s.open {
		if c.delivered && c.class != ClassEdit {
			s.pushCancel(c)
		}
	}
	signal(s.wake)
	signal(s.room)
}

// dropWaiting takes all out of the queue: it won't be begun. s.mu is held.
func (s *Stdio) dropWaiting() {
	for len(s.waiting) > 0 {
		c := s.takeOut(0).call
		if c == nil {
			continue
		}
		s.settle(c)
		if c.batch == nil {
			delete(s.open, c.id)
		} else {
			s.complete(c.batch, true)
		}
	}
}

// fail ends the connection, if nothing else did before.
func (s *Stdio) fail(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endWith(cause)
}

// endWith is fail with s.mu held.
func (s *Stdio) endWith(cause error) {
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
func (s *Stdio) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

// Finish ends the input before its end, or in less time: no more is read, and what
// was read is answered. After that the connection is over as if the client had
// closed it.
func (s *Stdio) Finish() {
	s.mu.Lock()
	s.limit.reader = s.limit.told
	s.progress = time.Now()
	s.mu.Unlock()
	s.endInput(io.EOF)
}

// endInput notes that no more messages come, and why. Subscriptions, which don't
// end by themselves, are cancelled in the client's name.
func (s *Stdio) endInput(why error) {
	s.mu.Lock()
	if s.ended == nil {
		s.ended = why
		s.progress = time.Now()
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
func (s *Stdio) pushCancel(c *stdioCall) {
	if !c.cancelled && !c.answered {
		c.cancelled = true
		s.urgent = append(s.urgent, cancelRequest(c.id))
	}
}

// Read implements mcp.Connection. At the end of input it returns io.EOF, or the
// error of the input, when all calls are answered and the answers are written.
func (s *Stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.mu.Lock()
		req, err := s.next()
		wait, late := s.deadline()
		s.mu.Unlock()
		switch {
		case err != nil:
			return nil, err
		case req != nil:
			signal(s.room)
			return req, nil
		case late == nil:
			s.await(ctx, nil)
		default:
			timer := time.NewTimer(wait)
			if s.await(ctx, timer.C) {
				late()
			}
			timer.Stop()
		}
	}
}

// deadline is how long Read waits, and what it does if nothing has come until
// then; nil while it waits for ever. s.mu is held.
func (s *Stdio) deadline() (wait time.Duration, late func()) {
	switch {
	case s.ended == nil:
		return 0, nil
	case len(s.output) > 0:
		return time.Until(s.progress.Add(s.limit.reader)), s.leave
	}
	return s.limit.answers, s.giveUp
}

// await waits until there is something for Read to look at, and reports whether
// late came first.
func (s *Stdio) await(ctx context.Context, late <-chan time.Time) bool {
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
func (s *Stdio) next() (*jsonrpc.Request, error) {
	switch {
	case errors.Is(s.cause, mcp.ErrConnectionClosed):
		return nil, io.EOF
	case s.cause != nil:
		return nil, s.cause
	case len(s.urgent) > 0:
		req := s.urgent[0]
		s.urgent = s.urgent[1:]
		return req, nil
	}
	if s.lost != nil {
		s.dropWaiting()
	}
	if i := s.nextWaiting(); i >= 0 {
		return s.deliver(i), nil
	}
	if s.ended != nil && len(s.waiting) == 0 && len(s.open) == 0 && len(s.output) == 0 {
		if s.lost != nil {
			s.endWith(s.lost)
		}
		return nil, s.ended
	}
	return nil, nil
}

// nextWaiting is the place in the queue of the message that is the next; -1 if all must
// wait. Only calls of a class of which enough are in flight are passed over. s.mu is held.
func (s *Stdio) nextWaiting() int {
	for i := range s.waiting {
		c := s.waiting[i].call
		switch {
		case c != nil && s.slow[c.class].isHeld(c):
		case s.isHeld(c):
			return -1
		default:
			return i
		}
	}
	return -1
}

// isHeld reports whether a call must wait until others are answered, or answers
// are written. A notification, nil, does so after a call. s.mu is held.
func (s *Stdio) isHeld(c *stdioCall) bool {
	if c == nil || c.listen || s.inFlight == 0 && len(s.output) == 0 {
		return false
	}
	return s.inFlightBytes+c.size > maxInFlightBytes ||
		s.outputBytes+(s.inFlight+1)*answerBytes > maxOutputBytes
}

// deliver takes a message out of the queue. s.mu is held.
func (s *Stdio) deliver(i int) *jsonrpc.Request {
	m := s.takeOut(i)
	c := m.call
	if c == nil {
		return m.req
	}
	c.delivered = true
	s.slow[c.class].begin(c)
	switch {
	case !c.listen:
		s.inFlight++
		s.inFlightBytes += c.size
	case s.ended != nil:
		s.pushCancel(c)
	}
	return m.req
}

// leave gives up a client that doesn't read.
func (s *Stdio) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.output) > 0 && time.Since(s.progress) >= s.limit.reader {
		s.lose(fmt.Errorf("standard output: nobody has read for %v since the end of input; answers are lost", s.limit.reader))
	}
}

// giveUp answers the calls that are open, in the place of a library that does not.
func (s *Stdio) giveUp() {
	s.mu.Lock()
	for len(s.waiting) > 0 {
		s.takeOut(0)
	}
	after := s.limit.answers
	var lost []*stdioCall
	for _, c := range s.open {
		if !c.answered {
			lost = append(lost, c)
		}
	}
	s.mu.Unlock()
	for _, c := range lost {
		s.log.Error("call without an answer is given up", "id", idText(c.id), "after", after)
		fault := &wireFault{id: c.id, code: jsonrpc.CodeInternalError, text: "the server ended before the call did; try again"}
		s.answer(c.id, fault.line())
	}
}

// isLoose reports whether isHeld never held the call back.
func (c *stdioCall) isLoose() bool { return c.listen || !c.delivered }

// signal wakes the goroutine that waits for c, or will when it looks next.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
