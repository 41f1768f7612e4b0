package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// What goes out: answers and notifications, a line each.

// maxErrorText is the most bytes of the message of an error that is an answer.
// The library quotes all parameters in some.
const maxErrorText = 2000

// codeRejected is the code of errors of Write that tell the library that the
// message was at fault and not the connection.
const codeRejected = -32005

// Write implements mcp.Connection. An error ends the connection unless it wraps
// one of the library's for a message that can't be sent.
func (s *stdio) Write(ctx context.Context, msg jsonrpc.Message) error {
	if response, ok := msg.(*jsonrpc.Response); ok {
		return s.answer(response.ID, s.encode(response)) // even if its call was cancelled
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
	return s.send(line)
}

// rejected makes an error that is about the message alone.
func rejected(err error) error {
	return fmt.Errorf("%w: %w", &jsonrpc.Error{Code: codeRejected, Message: "message not sent"}, err)
}

// encode is the line of a response; that of an error if it can't be encoded.
func (s *stdio) encode(response *jsonrpc.Response) []byte {
	if response.Error != nil {
		response = &jsonrpc.Response{ID: response.ID, Error: shortened(response.Error)}
	}
	line, err := jsonrpc.EncodeMessage(response)
	if err != nil {
		s.log.Error("answer can't be encoded", "id", idText(response.ID))
		fault := &wireFault{id: response.ID, code: jsonrpc.CodeInternalError, text: "the answer can't be encoded by a fault of the program"}
		return fault.line()
	}
	return line
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

// answer writes the answer of a call, or keeps it for the call's batch. A second
// answer is dropped.
func (s *stdio) answer(id jsonrpc.ID, line []byte) error {
	s.mu.Lock()
	c := s.open[id]
	if c == nil || c.answered {
		s.mu.Unlock()
		s.log.Warn("answer dropped: its call has one", "id", idText(id))
		return nil
	}
	s.settle(c)
	// The id is free before the client can know, so that it may use it again as
	// soon as it does.
	if c.batch == nil {
		delete(s.open, id)
		s.writing++
	} else {
		c.batch.lines[c.place] = line
		line = s.complete(c.batch)
	}
	s.mu.Unlock()
	signal(s.wake)
	if line == nil {
		return nil
	}
	return s.sendAnswer(line)
}

// settle takes an answered call out of what is counted. s.mu is held.
func (s *stdio) settle(c *stdioCall) {
	c.answered = true
	switch {
	case c.listen:
		s.listens--
	case c.delivered:
		s.inFlight--
		s.inFlightBytes -= c.size
	}
}

// sendAnswer sends a line that was counted as being written.
func (s *stdio) sendAnswer(line []byte) error {
	err := s.send(line)
	s.mu.Lock()
	s.writing--
	s.mu.Unlock()
	signal(s.wake)
	return err
}

// send writes a line in one piece. An error ends the connection: what comes after
// part of a line could not be read. The write has a goroutine of its own so that
// a client that doesn't read can't keep the server from ending.
func (s *stdio) send(line []byte) error {
	select {
	case s.turn <- struct{}{}:
	case <-s.done:
		return s.failure()
	}
	if err := s.failure(); err != nil {
		return err // and nobody has the turn again
	}
	line = append(line, '\n')
	written := make(chan error, 1)
	go func() {
		n, err := s.out.Write(line)
		if err == nil && n < len(line) {
			err = io.ErrShortWrite
		}
		written <- err
	}()
	select {
	case err := <-written:
		if err != nil {
			err = fmt.Errorf("standard output: %w", err)
			s.fail(err)
			return err
		}
	case <-s.done:
		return s.failure()
	}
	<-s.turn
	return nil
}
