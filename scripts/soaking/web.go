package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// web is a process that serves over HTTP, on this machine alone.
type web struct {
	cmd   *exec.Cmd
	url   string
	token string
	gone  chan struct{}

	mu  sync.Mutex
	log strings.Builder
}

// startWeb starts a server on any free port, and waits until it says where it is.
func startWeb(program, dir string) (*web, error) {
	w := &web{gone: make(chan struct{})}
	w.cmd = exec.Command(program, "mcp", "--structured", "--http", "127.0.0.1:0")
	w.cmd.Dir = dir
	log, err := w.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	go w.read(log, ready)
	select {
	case <-ready:
		return w, nil
	case <-w.gone:
	case <-time.After(callLimit):
		_ = w.kill() // that it does not start is said
	}
	return nil, fmt.Errorf("a server over HTTP does not start: %s", w.logged())
}

// read reads the log until the process ends, and closes ready when it has told what
// clients have to know.
func (w *web) read(log io.Reader, ready chan struct{}) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		line := lines.Text()
		w.mu.Lock()
		w.log.WriteString(line + "\n")
		w.mu.Unlock()
		if _, url, found := strings.Cut(line, "serving "); found && w.url == "" {
			w.url = url
		}
		if _, token, found := strings.Cut(line, "token of this run is "); found && w.token == "" {
			w.token = token
			close(ready)
		}
	}
	_ = w.cmd.Wait() // the state of the process says how it ended
	close(w.gone)
}

// logged returns the log.
func (w *web) logged() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.String()
}

// call calls a tool.
func (w *web) call(tool string, args object) (*reply, error) {
	body := request(1, "tools/call", object{"name": tool, "arguments": args})
	req, err := http.NewRequest(http.MethodPost, w.url, bytes.NewReader(body)) //nolint:noctx // the client has a time limit
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+w.token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2025-11-25")
	client := http.Client{Timeout: callLimit}
	response, err := client.Do(req)
	if err != nil {
		return nil, w.failure(err)
	}
	defer response.Body.Close() //nolint:errcheck // it is only read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, w.failure(err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s: %s", response.Status, text)
	}
	for line := range strings.Lines(string(text)) {
		data, found := strings.CutPrefix(line, "data: ")
		m := new(message)
		if found && strings.HasSuffix(line, "\n") && json.Unmarshal([]byte(data), m) == nil && m.ID != nil {
			return m.reply()
		}
	}
	return nil, w.failure(errors.New("the reply ends without an answer"))
}

// failure tells a server that is gone from one that hangs, and from one that lives and
// cuts a call short, which no server may.
func (w *web) failure(err error) error {
	if os.IsTimeout(err) {
		return errHangs
	}
	select {
	case <-w.gone:
		return errGone
	case <-time.After(lastBreath):
		return fmt.Errorf("a server over HTTP that runs on: %w; its log: %s", err, w.logged())
	}
}

// kill ends the process without a word. The error says what is wrong with its end.
func (w *web) kill() error {
	before := isClosed(w.gone)
	_ = w.cmd.Process.Kill() // it may have ended, which is found out
	<-w.gone
	return judgeKilled("a server over HTTP", before, w.cmd.ProcessState, w.logged())
}

// close tells the process to end, which it must do well.
func (w *web) close() error {
	before := isClosed(w.gone)
	if told := w.cmd.Process.Signal(os.Interrupt) == nil; !told && !before {
		return w.kill() // a system without signals, or it ended just now
	}
	select {
	case <-w.gone:
	case <-time.After(callLimit):
		return errors.Join(errors.New("a server over HTTP did not end when it was told to"), w.kill())
	}
	return judgeEnded("a server over HTTP", before, w.cmd.ProcessState, w.logged())
}
