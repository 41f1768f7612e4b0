package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// web is a server over HTTP, on this machine alone.
type web struct {
	process

	url, token string
}

// webArguments are those of a server over HTTP, on any free port.
var webArguments = []string{"mcp", "--structured", "--http", "127.0.0.1:0"}

// whereAndToken finds in a log what clients have to know.
var whereAndToken = regexp.MustCompile(`(?s)serving (http\S+)\n.*token of this run is (\S+)\n`)

// startWeb starts a server, and waits until it says where it is.
func startWeb(cmd *exec.Cmd) (*web, error) {
	w := new(web)
	w.tell = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := w.begin(cmd, "a server over HTTP", func() {}); err != nil {
		return nil, err
	}
	for begin := time.Now(); time.Since(begin) < callLimit && !isClosed(w.gone); time.Sleep(time.Millisecond) {
		if found := whereAndToken.FindStringSubmatch(w.logged()); found != nil {
			w.url, w.token = found[1], found[2]
			return w, nil
		}
	}
	_ = w.kill() // that it does not start is said
	return nil, fmt.Errorf("a server over HTTP does not start: %s", w.logged())
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
