package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// server is a running server of the Model Context Protocol. Messages are written and
// read as lines, without a library whose own work would be measured too.
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	last int // number of the last request

	patience time.Duration // with an answer
}

// patience is how long an answer may take, or a program, before it is ended and said to
// fail. Nothing that works comes near to it.
const patience = 5 * time.Minute

// call is a call of a tool.
type call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// refusal is what a tool said that did not do what it was asked for.
type refusal struct{ text string }

func (r refusal) Error() string { return r.text }

// startServer starts a server and says hello.
func startServer(ctx context.Context, command []string) (*server, error) {
	return startServerFor(ctx, command, patience)
}

// startServerFor starts a server that may take so long for an answer.
func startServerFor(ctx context.Context, command []string, patience time.Duration) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, command[0], command[1:]...), patience: patience}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = s.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"},
	})
	if err == nil {
		err = s.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	return s, nil
}

// close ends a server, whatever it is doing: what it has answered it has done.
func (s *server) close() {
	_ = s.in.Close()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

func (s *server) write(message any) error {
	line, err := json.Marshal(message)
	if err == nil {
		_, err = s.in.Write(append(line, '\n'))
	}
	return err
}

// send sends a request and returns its number.
func (s *server) send(method string, params any) (int, error) {
	s.last++
	return s.last, s.write(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params})
}

// reply is an answer to a request.
type reply struct {
	ID     *int
	Method string
	Result json.RawMessage
	Error  *struct{ Message string }
}

// answer reads the next answer, past whatever else the server has to say. A server that
// takes too long is ended.
func (s *server) answer() (*reply, error) {
	ended := time.AfterFunc(s.patience, func() { _ = s.cmd.Process.Kill() })
	defer ended.Stop()
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("the server has ended, or did not answer within %v: %w", s.patience, err)
		}
		r := &reply{}
		if err := json.Unmarshal(line, r); err != nil {
			return nil, err
		}
		if r.ID != nil && r.Method == "" {
			return r, nil
		}
	}
}

// request sends a request and returns the result.
func (s *server) request(method string, params any) (json.RawMessage, error) {
	id, err := s.send(method, params)
	if err != nil {
		return nil, err
	}
	r, err := s.answer()
	switch {
	case err != nil:
		return nil, err
	case *r.ID != id:
		return nil, errors.New("the server answered what it was not asked")
	case r.Error != nil:
		return nil, refusal{r.Error.Message}
	}
	return r.Result, nil
}

// call calls a tool and returns the text of the reply; an error of the tool is a
// refusal.
func (s *server) call(c call) (string, error) {
	result, err := s.request("tools/call", c)
	if err != nil {
		return "", err
	}
	return textOf(result)
}

// textOf returns the text of the result of a call, and an error of the tool as a
// refusal.
func textOf(result json.RawMessage) (string, error) {
	var content struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(result, &content); err != nil {
		return "", err
	}
	var text strings.Builder
	for _, c := range content.Content {
		text.WriteString(c.Text)
	}
	if content.IsError {
		return "", refusal{text.String()}
	}
	return text.String(), nil
}
