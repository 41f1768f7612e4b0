package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// What goes out: answers and notifications, a line each. They wait in a queue for
// a goroutine that writes them, which exists while there are any: whoever answers
// must not wait for a client that doesn't read, or nothing would be left to note
// that the input has ended, that a call was cancelled, or that it is time to go.

// pieceBytes is how much of a line is written at once, so that a client that reads
// slowly can be told from one that doesn't.
const pieceBytes = 64 << 10

// maxErrorText is the most bytes, over HTTP characters, of the message of an error
// that is an answer.
// The library quotes all parameters in some.
const maxErrorText = 2000

// codeRejected is the code of errors of Write that tell the library that the
// message was at fault and not the connection.
const codeRejected = -32005

// Write implements mcp.Connection. It waits until a notification is written, or
// its context ends, and doesn't wait for a response. An error ends the connection
// unless it is the context's or wraps one of the library's for a message that
// can't be sent.
func (s *Stdio) Write(ctx context.Context, msg jsonrpc.Message) error {
	if response, ok := msg.(*jsonrpc.Response); ok {
		s.answer(response.ID, s.encode(response)) // even if its call was cancelled
		return s.failure()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if req, ok := msg.(*jsonrpc.Request); !ok || req.IsCall() {
		return rejected(errors.New("the server sends no calls: responses are not read"))
	}
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return rejected(err)
	}
	written := make(chan struct{})
	s.mu.Lock()
	s.put(outputLine{rest: line, loose: true, written: written})
	s.mu.Unlock()
	select {
	case <-written:
		return nil
	case <-s.done:
		return s.failure()
	case <-ctx.Done():
		return nil // the line is written in its turn
	}
}

// rejected makes an error that is about the message alone.
func rejected(err error) error {
	return fmt.Errorf("%w: %w", &jsonrpc.Error{Code: codeRejected, Message: "message not sent"}, err)
}

// encode is the line of a response; that of an error if it can't be encoded.
func (s *Stdio) encode(response *jsonrpc.Response) []byte {
	if response.Error != nil {
		response = &jsonrpc.Response{ID: response.ID, Error: coded(shortened(response.Error))}
	} else if line := resultLine(response); line != nil {
		return line
	}
	line, err := jsonrpc.EncodeMessage(response)
	if err != nil {
		s.log.Error("answer can't be encoded", "id", idText(response.ID))
		fault := &wireFault{id: response.ID, code: jsonrpc.CodeInternalError, text: "the answer can't be encoded by a fault of the program"}
		return fault.line()
	}
	return line
}

// resultLine is the line of a response with a result, or nil if the library must make it. The
// library has encoded the result, and would look through all of it again.
func resultLine(response *jsonrpc.Response) []byte {
	id, err := json.Marshal(response.ID.Raw())
	if err != nil || bytes.IndexByte(id, '\\') >= 0 || len(response.Result) == 0 || bytes.IndexByte(response.Result, '\n') >= 0 {
		return nil
	}
	const head, middle = `{"jsonrpc":"2.0","id":`, `,"result":`
	line := make([]byte, 0, len(head)+len(id)+len(middle)+len(response.Result)+len("}\n"))
	line = append(append(line, head...), id...)
	line = append(append(line, middle...), response.Result...)
	return append(line, '}')
}

// cancelledText is the error of a call that was cancelled while it waited.
const cancelledText = "the call was cancelled before it began"

// coded gives an error a code that has none, as the library's own have when a
// request comes at the wrong time or is cancelled before it is worked on: who works
// on one doesn't answer with the error of its context.
func coded(err error) error {
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok && wire.Code != 0 {
		return err
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: cancelledText}
	case errors.Is(err, context.DeadlineExceeded):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

// shortened cuts the middle out of a long error: what went wrong stands at both
// ends.
func shortened(err error) error {
	text := err.Error()
	if len(text) <= maxErrorText {
		return err
	}
	const end = maxErrorText/2 - 2
	short := &jsonrpc.Error{Message: strings.ToValidUTF8(text[:end], "") + " … " + strings.ToValidUTF8(text[len(text)-end:], "")}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		short.Code, short.Data = wire.Code, wire.Data
	}
	return short
}

// answer puts the answer of a call in the queue, or keeps it for the call's batch.
// A second answer is dropped.
func (s *Stdio) answer(id jsonrpc.ID, line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.open[id]
	if c == nil || c.answered {
		s.log.Warn("answer dropped: its call has one", "id", idText(id))
		return
	}
	s.settle(c)
	if c.batch != nil {
		s.keepAnswer(c, line)
	} else {
		// The id is free before the client can know, so that it may use it again
		// as soon as it does.
		delete(s.open, id)
		s.put(outputLine{rest: line, loose: c.isLoose()})
	}
	signal(s.wake)
}

// settle takes an answered call out of what is counted. s.mu is held.
func (s *Stdio) settle(c *stdioCall) {
	c.answered = true
	switch {
	case c.listen:
		s.listens--
	case c.delivered:
		s.inFlight--
		s.inFlightBytes -= c.size
		s.slow[c.class].end(c)
	}
}

// outputLine is a line that is to be written.
type outputLine struct {
	rest    []byte        // what of it is not written
	loose   bool          // no call that could have been held has brought it
	written chan struct{} // closed when it is written; nil if nobody waits for that
}

// done tells who waits for the line that it is written, or never will be.
func (l *outputLine) done() {
	if l.written != nil {
		close(l.written)
	}
}

// put puts a line, which has no end yet, after what is to be written. s.mu is
// held.
func (s *Stdio) put(line outputLine) {
	switch {
	case s.cause != nil:
		return
	case s.lost != nil:
		line.done()
		return
	}
	line.rest = append(line.rest, '\n')
	s.output = append(s.output, line)
	s.count(&line, len(line.rest))
	if len(s.output) == 1 {
		s.progress = time.Now()
		go s.writeOutput()
	}
}

// count counts n bytes more of a line that is to be written. s.mu is held.
func (s *Stdio) count(line *outputLine, n int) {
	s.outputBytes += n
	if line.loose {
		s.looseBytes += n
	}
}

// writeOutput writes until nothing is to be written. An error is the last: what comes after
// part of a line could not be read.
func (s *Stdio) writeOutput() {
	for piece := s.nextPiece(0); piece != nil; {
		n, err := s.out.Write(piece)
		if err == nil && n < len(piece) {
			err = io.ErrShortWrite
		}
		if err != nil {
			s.mu.Lock()
			s.lose(fmt.Errorf("standard output: %w", err))
			s.mu.Unlock()
			return
		}
		piece = s.nextPiece(n)
	}
}

// nextPiece notes that n bytes more are written, and returns what is to be written
// next; nil if nothing is or the connection is over.
func (s *Stdio) nextPiece(n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost != nil || s.cause != nil {
		return nil
	}
	if n > 0 {
		s.progress = time.Now()
	}
	line := &s.output[0]
	line.rest = line.rest[n:]
	s.count(line, -n)
	if len(line.rest) == 0 {
		line.done()
		*line = outputLine{} // so that it can be freed
		s.output = s.output[1:]
		signal(s.wake)
		signal(s.room)
		if len(s.output) == 0 {
			return nil
		}
		line = &s.output[0]
	}
	return line.rest[:min(len(line.rest), pieceBytes)]
}
