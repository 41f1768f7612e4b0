package transport

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdioWait is how long tests wait for what must come. What must not come they
// don't wait for: they send something whose answer comes after it would have.
const stdioWait = time.Minute

// stdioTools are the tools of the servers in these tests.
type stdioTools struct {
	server  *mcp.Server
	release chan struct{} // closed: calls of "slow" end
	running atomic.Int64  // calls of "slow"
	begun   atomic.Int64  // … that ever were
	stopped atomic.Int64  // … that were told to
}

func newStdioTools() *stdioTools {
	tools := &stdioTools{release: make(chan struct{})}
	tools.server = mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: slog.New(slog.DiscardHandler)})
	add := func(name string, handler mcp.ToolHandler) {
		tools.server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, handler)
	}
	text := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
	}
	add("echo", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(string(req.Params.Arguments)), nil
	})
	add("slow", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		tools.running.Add(1)
		tools.begun.Add(1)
		defer tools.running.Add(-1)
		select {
		case <-tools.release:
			return text("done"), nil
		case <-ctx.Done():
			tools.stopped.Add(1)
			return text("stopped"), nil
		}
	})
	add("broken", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, &jsonrpc.Error{Code: 7, Message: "broken", Data: json.RawMessage(`{`)}
	})
	add("lost", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: math.NaN()}, nil
	})
	// A panic in a handler is the business of other guards.
	tools.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (_ mcp.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("panic: %v", p)
				}
			}()
			return next(ctx, method, req)
		}
	})
	return tools
}

// waitRunning waits until so many calls of "slow" are running.
func (tools *stdioTools) waitRunning(t *testing.T, want int64) {
	t.Helper()
	for end := time.Now().Add(stdioWait); tools.running.Load() != want; {
		if time.Now().After(end) {
			t.Fatalf("%d calls are running, want %d", tools.running.Load(), want)
		}
		time.Sleep(time.Millisecond)
	}
}

// stdioPeer is the client's end of a server that is running.
type stdioPeer struct {
	*stdioTools
	t     *testing.T
	conn  *Stdio
	in    *io.PipeWriter
	lines chan string // what the server wrote
	ended chan error  // what Run returned
	log   *lockedBuffer
}

// startStdio runs a server that is initialized. setup may change its transport.
func startStdio(t *testing.T, setup func(*Stdio)) *stdioPeer {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	p := &stdioPeer{
		stdioTools: newStdioTools(), t: t, in: toServer, lines: make(chan string, 1<<14), ended: make(chan error, 1), log: &lockedBuffer{},
	}
	p.conn = NewStdio(in, out, slog.New(slog.NewTextHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	if setup != nil {
		setup(p.conn)
	}
	go func() {
		err := p.server.Run(t.Context(), p.conn)
		_ = out.Close() // it never fails
		p.ended <- err
	}()
	go func() {
		defer close(p.lines)
		r := bufio.NewReader(fromServer)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				p.lines <- line
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = toServer.Close()
		_ = fromServer.Close()
	})
	p.send(stdioInitialize, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if got := p.receive(); idOf(got) != `"init"` {
		t.Fatalf("initialize was answered with %s", got)
	}
	return p
}

const stdioInitialize = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

// send sends lines.
func (p *stdioPeer) send(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// receive returns the next line, without its end; empty at the end of output.
func (p *stdioPeer) receive() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if ok && !strings.HasSuffix(line, "\n") {
			p.t.Fatalf("a line has no end: %.200q", line)
		}
		return strings.TrimSuffix(line, "\n")
	case <-time.After(stdioWait):
		p.t.Fatal("no answer")
	}
	return ""
}

// answer is receive without what subscriptions send.
func (p *stdioPeer) answer() string {
	p.t.Helper()
	for {
		if line := p.receive(); !isNotification(line) {
			return line
		}
	}
}

// acknowledged waits until so many subscriptions are: one that is cut off before that
// fails.
func (p *stdioPeer) acknowledged(n int) {
	p.t.Helper()
	for range n {
		if line := p.receive(); !isNotification(line) {
			p.t.Fatalf("instead of an acknowledgement: %s", line)
		}
	}
}

// end ends the input and waits for the server to end; it returns what was
// answered until then.
func (p *stdioPeer) end() []string {
	p.t.Helper()
	_ = p.in.Close()
	if err := p.wait(); err != nil {
		p.t.Errorf("Run: %v", err)
	}
	return p.rest()
}

// rest are the answers until the end of output.
func (p *stdioPeer) rest() []string {
	var rest []string
	for line := range p.lines {
		if !isNotification(line) {
			rest = append(rest, strings.TrimSuffix(line, "\n"))
		}
	}
	return rest
}

// wait waits for the server to end.
func (p *stdioPeer) wait() error {
	p.t.Helper()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(stdioWait):
		p.t.Fatal("the server does not end")
		return nil
	}
}

// lockedBuffer is a buffer for several writers.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// ping is a line with a call that is answered at once.
func ping(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }

// callTool is a line with a call of a tool.
func callTool(id, name string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":{"a":1}}}`
}

// cancelCall is a line with a cancellation.
func cancelCall(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"r"}}`
}

// listen is a line with a subscription of the protocol's newest revision.
func listen(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},` +
		`"notifications":{"toolsListChanged":true}}}`
}

// wireLine is what tests look at in an answer.
type wireLine struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func parseLine(line string) (wireLine, error) {
	var m wireLine
	err := json.Unmarshal([]byte(line), &m)
	return m, err
}

func isNotification(line string) bool {
	m, err := parseLine(line)
	return err == nil && m.Method != ""
}

// idOf is the id of an answer as it is written.
func idOf(line string) string {
	m, err := parseLine(line)
	if err != nil {
		return err.Error()
	}
	return string(m.ID)
}

// codeOf is the code of an error that is an answer, 0 for a result.
func codeOf(line string) int64 {
	if m, err := parseLine(line); err == nil && m.Error != nil {
		return m.Error.Code
	}
	return 0
}

// checkWire is the law of all output: a line is a message, or an array of answers.
func checkWire(line string) error {
	raw := []json.RawMessage{json.RawMessage(line)}
	if strings.HasPrefix(line, "[") {
		if err := json.Unmarshal([]byte(line), &raw); err != nil {
			return err
		}
	}
	if len(raw) == 0 {
		return errors.New("an empty array")
	}
	for _, one := range raw {
		m, err := parseLine(string(one))
		switch {
		case err != nil:
			return err
		case m.Version != "2.0":
			return fmt.Errorf("version %q", m.Version)
		case m.Method != "":
			if len(m.ID) > 0 || len(raw) > 1 {
				return errors.New("a notification with an id, or in a batch")
			}
		case len(m.ID) == 0:
			return errors.New("an answer without an id")
		case (m.Result == nil) == (m.Error == nil):
			return errors.New("neither result nor error, or both")
		}
	}
	return nil
}

func TestStdioAnswerThatCannotBeEncoded(t *testing.T) {
	p := startStdio(t, nil)
	p.send(callTool("1", "broken"))
	if got := p.receive(); idOf(got) != "1" || codeOf(got) != jsonrpc.CodeInternalError {
		t.Errorf("answer: %s", got)
	}
	p.send(ping("1"))
	if got := p.receive(); idOf(got) != "1" || codeOf(got) != 0 {
		t.Errorf("ping after it: %s", got)
	}
}

// The library quotes all parameters that it can't use.
func TestStdioLongErrors(t *testing.T) {
	p := startStdio(t, nil)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["` + strings.Repeat("né", 100_000) + `"]}}`)
	line := p.receive()
	m, err := parseLine(line)
	if err != nil || m.Error == nil {
		t.Fatalf("%.200s: %v", line, err)
	}
	if len(m.Error.Message) > maxErrorText || m.Error.Code != jsonrpc.CodeInvalidParams || !strings.Contains(m.Error.Message, "cannot unmarshal") {
		t.Errorf("code %d, %d bytes: %s", m.Error.Code, len(m.Error.Message), m.Error.Message)
	}
}

// The client's responses and calls of the server's own come to nothing.
func TestStdioServerAsksNothing(t *testing.T) {
	p := startStdio(t, nil)
	p.send(`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`,
		`{"id":2,"result":1}`, `[{"jsonrpc":"2.0","id":3,"result":{}}]`, ping("4"))
	if got := p.receive(); idOf(got) != "4" {
		t.Errorf("a response was answered: %s", got)
	}
	for session := range p.server.Sessions() {
		if err := session.Ping(t.Context(), nil); err == nil {
			t.Error("the server pinged its client")
		}
	}
	p.send(ping("5"))
	if got := p.receive(); idOf(got) != "5" {
		t.Errorf("after a call of the server's: %s", got)
	}
	if rest := p.end(); len(rest) > 0 {
		t.Errorf("more was written: %q", rest)
	}
}

// The log has sizes, methods and ids, and nothing of what was said.
func TestStdioLogIsDiscreet(t *testing.T) {
	p := startStdio(t, nil)
	const secret = "sekret"
	p.send(secret, `{"`+secret+`":1}`, `{"jsonrpc":"2.0","id":1,"result":"`+secret+`"}`, `["`+secret+`"]`,
		`{"jsonrpc":"2.0","method":"`+strings.Repeat(secret, 100)+`"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"`+secret+`"}}`,
		`{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"`+secret+`"}}`, ping("2"))
	for idOf(p.receive()) != "2" {
	}
	p.end()
	log := p.log.String()
	if strings.Contains(log, secret) {
		t.Errorf("the log has text of the client:\n%s", log)
	}
	if !strings.Contains(log, "-32700") || !strings.Contains(log, "response ignored") {
		t.Errorf("the log does not tell what was refused:\n%s", log)
	}
}
