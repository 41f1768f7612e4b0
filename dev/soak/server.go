package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"sync"
	"time"
)

// object is a JSON object.
type object = map[string]any

// reply is the result of a call of a tool.
type reply struct {
	IsError           bool
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
}

// text returns the text of the reply.
func (r *reply) text() string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// message is a message of the protocol that came from a server.
type message struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// reply returns the result of a call.
func (m *message) reply() (*reply, error) {
	if m.Error != nil {
		return nil, fmt.Errorf("the call was answered with error %d: %s", m.Error.Code, m.Error.Message)
	}
	r := new(reply)
	return r, json.Unmarshal(m.Result, r)
}

// request returns a call of a tool as a message.
func request(id int, method string, params any) []byte {
	raw, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		panic(err) // all that is asked is made here
	}
	return raw
}

// started is what a client has to send first.
const started = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// hello are the parameters of the first call.
var hello = object{
	"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "soaking", "version": "1"},
}

// server is a server over standard input and output. Several goroutines may call it at
// once.
type server struct {
	process

	mu      sync.Mutex
	in      io.WriteCloser
	next    int
	waiting map[int]chan *message
}

// serverArguments are those of a server.
var serverArguments = []string{"mcp", "--structured"}

// startServer starts a server.
func startServer(cmd *exec.Cmd) (*server, error) {
	s := &server{waiting: map[int]chan *message{}}
	s.tell = s.endInput
	var err error
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.begin(cmd, "a server", func() { s.read(out) }); err != nil {
		return nil, err
	}
	if _, err := s.ask("initialize", hello); err != nil {
		err = errors.Join(err, s.kill())
		return nil, fmt.Errorf("starting a server: %w; its log: %s", err, s.logged())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = io.WriteString(s.in, started)
	return s, err
}

// endInput ends the input of the server.
func (s *server) endInput() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.in.Close() // that of one that is gone may be closed
	return nil
}

// read hands answers to who waits for them until the output ends.
func (s *server) read(out io.Reader) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break // what is there without its end is no answer
		}
		m := new(message)
		var id int
		if json.Unmarshal(line, m) != nil || json.Unmarshal(m.ID, &id) != nil {
			continue // no answer to a call
		}
		s.mu.Lock()
		if answer := s.waiting[id]; answer != nil {
			delete(s.waiting, id)
			answer <- m
		}
		s.mu.Unlock()
	}
}

// ask sends a call and waits for its answer.
func (s *server) ask(method string, params any) (*message, error) {
	answer := make(chan *message, 1)
	s.mu.Lock()
	s.next++
	s.waiting[s.next] = answer
	_, _ = s.in.Write(append(request(s.next, method, params), '\n')) // if it is gone, there is no answer
	s.mu.Unlock()
	select {
	case m := <-answer:
		return m, nil
	case <-s.gone:
	case <-time.After(callLimit):
		return nil, errHangs
	}
	select { // the last words
	case m := <-answer:
		return m, nil
	default:
		return nil, errGone
	}
}

// call calls a tool.
func (s *server) call(tool string, args object) (*reply, error) {
	m, err := s.ask("tools/call", object{"name": tool, "arguments": args})
	if err != nil {
		return nil, err
	}
	return m.reply()
}

// caller is a server that tools are called of.
type caller interface {
	call(tool string, args object) (*reply, error)
	kill() error
	close() error
}

// endpoint is a server that is started again when it was killed. Several goroutines may
// use it at once.
type endpoint struct {
	start func() (caller, error)
	mu    sync.Mutex
	now   caller
}

// call calls a tool of the server that runs now.
func (e *endpoint) call(tool string, args object) (*reply, error) {
	now, err := e.current()
	if err != nil {
		return nil, err
	}
	return now.call(tool, args)
}

// current returns the server that runs now.
func (e *endpoint) current() (caller, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.now == nil {
		now, err := e.start()
		if err != nil {
			return nil, err
		}
		e.now = now
	}
	return e.now, nil
}

// kill kills the server if one runs, and the next call starts another one. The error says
// what is wrong with its end.
func (e *endpoint) kill() (killed bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.now == nil {
		return false, nil
	}
	err = e.now.kill()
	e.now = nil
	return true, err
}

// killing kills the server of an endpoint now and then.
func (r *run) killing(ctx context.Context, random *rand.Rand, e *endpoint, most time.Duration) {
	for {
		pause(ctx, random, most)
		if ctx.Err() != nil {
			return
		}
		killed, err := e.kill()
		if err != nil {
			r.fail("%v", err)
		}
		if killed {
			r.tally.add("servers killed", 1)
		}
	}
}

// close ends the server well. The next call starts another one.
func (e *endpoint) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.now == nil {
		return nil
	}
	defer func() { e.now = nil }()
	return e.now.close()
}

// closeAll ends servers well.
func (r *run) closeAll(endpoints []*endpoint) {
	for _, e := range endpoints {
		if err := e.close(); err != nil {
			r.fail("%v", err)
		}
	}
}
