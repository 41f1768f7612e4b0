package transport

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// What comes in: lines, the messages on them, and what is refused of both.

const (
	readBuffer = 64 << 10 // bytes
	// headBytes is how much of a line that is too long is kept: its id may stand
	// there.
	headBytes = 4 << 10
)

// lineReader cuts a stream into lines.
type lineReader struct{ in *bufio.Reader }

// next returns the next line without its end, in memory of its own so that no
// buffer keeps the size of the longest. Of a line that is too long it returns the
// head. The error is that of the stream; a line may come with it.
func (r *lineReader) next() (line []byte, tooLong bool, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		part = bytes.TrimSuffix(part, []byte{'\n'})
		switch {
		case tooLong:
		case len(line)+len(bytes.TrimSuffix(part, []byte{'\r'})) > MaxLine:
			line, tooLong = bytes.Clone(line[:headBytes]), true
		default:
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// readLines reads the input to its end.
func (s *Stdio) readLines() {
	lines := lineReader{bufio.NewReaderSize(s.in, readBuffer)}
	for s.isWanted() {
		line, tooLong, err := lines.next()
		if tooLong {
			s.refuse(&wireFault{
				id: headID(line), code: jsonrpc.CodeInvalidRequest, text: "line longer than 16 MiB; send less in one message",
			}, nil)
		} else {
			s.takeLine(line)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				err = fmt.Errorf("standard input: %w", err)
			}
			s.endInput(err)
			return
		}
	}
}

// isWanted waits until there is room for more messages, and reports whether more
// are wanted at all.
func (s *Stdio) isWanted() bool {
	for {
		s.mu.Lock()
		full := len(s.waiting)-s.slowWaiting() >= maxWaiting || s.waitingBytes >= maxWaitingBytes || s.looseBytes >= maxLooseBytes
		over := s.ended != nil || s.cause != nil
		s.mu.Unlock()
		if !full || over {
			return !over
		}
		select {
		case <-s.room:
		case <-s.done:
		}
	}
}

// takeLine takes the messages that are on a line.
func (s *Stdio) takeLine(line []byte) {
	line = bytes.Trim(line, " \t\r")
	if len(line) == 0 {
		return
	}
	if fault := checkJSON(line, "line", "one message a line"); fault != nil {
		s.refuse(fault, nil)
		return
	}
	if line[0] == '[' {
		s.takeBatch(line)
		return
	}
	s.take(line, nil)
}

// take takes one message, of a batch or on its own.
func (s *Stdio) take(raw []byte, batch *stdioBatch) {
	m, fault := parseMessage(raw)
	if fault == nil {
		switch {
		case m.response:
			s.log.Debug("response ignored: the server asks nothing", "size", len(raw))
		case m.req.IsCall():
			fault = s.takeCall(m.req, len(raw), batch)
		case m.req.Method == methodCancel:
			s.takeCancel(m.req)
		case len(m.req.Method) > maxMethod:
			s.log.Debug("notification ignored: its method has a long name", "size", len(m.req.Method))
		default:
			s.push(stdioMessage{req: m.req, size: len(raw)})
		}
	}
	if fault != nil {
		s.refuse(fault, batch)
	}
}

// push puts a message at the end of the queue.
func (s *Stdio) push(m stdioMessage) {
	s.mu.Lock()
	if s.ended == nil {
		s.enqueue(m)
	}
	s.mu.Unlock()
	signal(s.wake)
}

// takeCall registers a call and puts it in the queue. The library would not answer
// a call whose id is in use, so it is refused here.
func (s *Stdio) takeCall(req *jsonrpc.Request, size int, batch *stdioBatch) *wireFault {
	c := &stdioCall{id: req.ID, size: size, class: s.classOfCall(req), listen: req.Method == methodListen, batch: batch}
	hasRoom := s.awaitSlow(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended != nil:
		return nil // Finish was called: it is as if the line had come later
	case s.open[req.ID] != nil:
		return errUsedID(req.ID)
	case c.listen && s.listens >= MaxListens:
		return &wireFault{
			id: req.ID, code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("%d subscriptions are open; cancel one first", MaxListens),
		}
	}
	if fault := checkCall(req); fault != nil {
		return fault
	}
	if !hasRoom {
		return &wireFault{id: req.ID, code: jsonrpc.CodeInternalError, text: c.class.refusal()}
	}
	if c.listen {
		s.listens++
	}
	s.open[c.id] = c
	if batch != nil {
		batch.add(c)
	}
	s.enqueue(stdioMessage{req: req, call: c, size: size})
	signal(s.wake)
	return nil
}

// takeCancel takes the cancellation of a call. One of a call that is not open is
// dropped: the library, which cancels some time later, could take it for that of
// a later call with the same id.
func (s *Stdio) takeCancel(req *jsonrpc.Request) {
	id, ok := cancelledID(req.Params)
	s.mu.Lock()
	c := s.open[id]
	waits := false
	if ok && c != nil && !c.answered {
		if waits = !c.delivered; waits {
			s.withdraw(c)
		} else {
			s.pushCancel(c)
		}
	}
	s.mu.Unlock()
	switch {
	case !ok:
		s.log.Debug("cancellation ignored: it names no call")
	case c == nil:
		s.log.Debug("cancellation ignored: its call has an answer or never was", "id", idText(id))
	case waits:
		fault := &wireFault{id: id, code: jsonrpc.CodeInternalError, text: cancelledText}
		s.answer(id, fault.line())
	default:
		signal(s.wake)
	}
}

// withdraw takes a call out of the queue. s.mu is held.
func (s *Stdio) withdraw(c *stdioCall) {
	for i := range s.waiting {
		if s.waiting[i].call == c {
			s.takeOut(i)
			return
		}
	}
}

// refuse answers what is no message. An id that is in use is left out: a client
// would take the error for the answer of the call that it belongs to.
func (s *Stdio) refuse(fault *wireFault, batch *stdioBatch) {
	s.log.Debug("message refused", "code", fault.code, "why", fault.text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[fault.id] != nil {
		fault.id = jsonrpc.ID{}
	}
	if batch != nil {
		batch.lines = append(batch.lines, nil)
		s.keep(batch, len(batch.lines)-1, fault.line())
		return
	}
	s.put(outputLine{rest: fault.line(), loose: true})
}
