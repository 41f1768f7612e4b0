package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
)

// blocker is what the tools say that a test waits for.
type blocker struct {
	began     chan struct{} // for each call of "block" that has begun
	release   chan struct{} // lets one go on, or all when it is closed
	cancelled chan struct{} // for each call that was told to stop
}

// floodBytes is the length of the reply of the tool "flood": more than any buffer of
// the system holds.
const floodBytes = 16 << 20

// callOf is a call of a tool as a message.
func callOf(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// blocking returns a server of many clients that has, besides the tools for tests, one
// that ends when a test says so.
func blocking(t *testing.T, contents map[string]string) (*server, *blocker) {
	t.Helper()
	b := &blocker{began: make(chan struct{}, 100), release: make(chan struct{}), cancelled: make(chan struct{}, 100)}
	block := &tool{name: "block", title: "Block", description: "Waits.", handler: taking(func(ctx context.Context, _ *call, _ *struct{}) (*reply, error) {
		b.began <- struct{}{}
		select {
		case <-b.release:
			return &reply{text: []byte("released")}, nil
		case <-ctx.Done():
			b.cancelled <- struct{}{}
			return nil, ctx.Err()
		}
	})}
	flood := &tool{name: "flood", title: "Flood", description: "Says much.", handler: taking(func(context.Context, *call, *struct{}) (*reply, error) {
		return &reply{text: bytes.Repeat([]byte("x"), floodBytes)}, nil
	})}
	o := doctor.ServerOptions{Roots: []string{docs(t, contents)}, Shared: true, Concurrency: 300}
	workspace, err := documents.OpenWorkspace(o.Documents())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = workspace.Close() })
	s, err := newServer(o, workspace, discard(), append(testTools(), block, flood)...)
	if err != nil {
		t.Fatal(err)
	}
	s.interval = 1 // as often as can be
	return s, b
}

func TestHTTPRevisions(t *testing.T) {
	s, b := blocking(t, map[string]string{"guide.md": guide})
	w := startWeb(t, s, usual())
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			progress := make(chan struct{}, 1000)
			session := w.connect(revision, &mcp.ClientOptions{
				ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
					select {
					case progress <- struct{}{}:
					default:
					}
				},
			})
			if got := session.InitializeResult(); got.ProtocolVersion != revision || !strings.Contains(got.Instructions, "session") {
				t.Errorf("%+v", got)
			}
			if text, failed := ask(t, session, "markdown_tree", object{"file_path": "guide.md"}); failed || !strings.Contains(text, "Usage") {
				t.Error(text)
			}
			if list, err := session.ListTools(t.Context(), nil); err != nil || len(list.Tools) != len(s.tools) {
				t.Errorf("%v tools, %v", list, err)
			}
			text, failed := ask(t, session, "panic", nil)
			if !failed || !strings.Contains(text, "internal_error") {
				t.Errorf("failed %v: %s", failed, text)
			}
			p := params("block", nil)
			p.SetProgressToken("mine")
			done := make(chan error, 1)
			go func() {
				r, err := session.CallTool(t.Context(), p)
				if err == nil && r.IsError {
					err = errors.New("failed")
				}
				done <- err
			}()
			<-b.began
			<-progress // it comes while the call is worked on
			b.release <- struct{}{}
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// A call of the newest revision ends with its request: nobody could take the answer.
func TestHTTPCancellation(t *testing.T) {
	s, b := blocking(t, nil)
	w := startWeb(t, s, usual())
	session := w.connect("", nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, params("block", nil))
		done <- err
	}()
	<-b.began
	cancel()
	<-b.cancelled
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// 200 connections that are there at once get each its own answer.
func TestHTTPManyConnections(t *testing.T) {
	const n = 200
	contents := map[string]string{}
	for i := range n {
		contents[fmt.Sprintf("doc%d.md", i)] = fmt.Sprintf("# Only %d here\n\nText.\n", i)
	}
	s, b := blocking(t, contents)
	w := startWeb(t, s, usual())
	var all []*wire
	for i := range n { // one after the other, for a new one may push out one whose header hasn't arrived
		c := w.dial()
		body := callOf("block", "{}")
		c.send(head(len(body)) + body)
		all = append(all, c)
		select {
		case <-b.began: // so that all of them are in work
		case <-b.cancelled:
			t.Fatalf("calls ran out of time when %d were in work", i)
		}
	}
	close(b.release)
	var group sync.WaitGroup
	for i, c := range all {
		group.Go(func() {
			if status, text, err := c.take(); err != nil || status != 200 || !strings.Contains(text, "released") {
				t.Errorf("%d: %d %v %s", i, status, err, text)
			}
			body := callOf("read_file", fmt.Sprintf(`{"path":"doc%d.md"}`, i))
			_, _ = io.WriteString(c, head(len(body))+body)
			if status, text, err := c.take(); err != nil || status != 200 || !strings.Contains(text, fmt.Sprintf("Only %d here", i)) {
				t.Errorf("%d: %d %v %s", i, status, err, text)
			}
		})
	}
	group.Wait()
}

// take reads an answer in a goroutine that is not the test's.
func (c *wire) take() (int, string, error) {
	resp, err := http.ReadResponse(c.from, nil)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// newest are the header lines and the metadata of the newest revision.
func newest(method string) (lines []string, meta string) {
	return []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method},
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
			`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}}`
}

// subscribable gives the server something to subscribe to: it has nothing that changes,
// and so the library ends its subscriptions as soon as they are acknowledged.
func subscribable(s *server) {
	library := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	})
	for _, t := range s.tools {
		library.AddTool(t.definition(), s.handle(t))
	}
	s.mcp = library
}

// listening opens a subscription and returns when it is acknowledged, or refused.
func (w *web) listening() (c *wire, status int, body *bufio.Reader) {
	w.t.Helper()
	lines, meta := newest("subscriptions/listen")
	text := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + meta + `,"notifications":{"toolsListChanged":true}}}`
	c = w.dial()
	c.send(head(len(text), lines...) + text)
	resp, err := http.ReadResponse(c.from, nil) //nolint:bodyclose // that would wait for its end; the connection is closed
	if err != nil {
		w.t.Fatal(err)
	}
	body = bufio.NewReader(resp.Body)
	for resp.StatusCode == http.StatusOK {
		line, err := body.ReadString('\n')
		if err != nil {
			w.t.Fatalf("%v after %q", err, line)
		}
		if strings.Contains(line, "acknowledged") {
			break
		}
	}
	return c, resp.StatusCode, body
}

// Calls in flight are answered before the server ends; subscriptions end at once, for
// they never would.
func TestHTTPShutdown(t *testing.T) {
	s, b := blocking(t, map[string]string{"guide.md": guide})
	subscribable(s)
	w := startWeb(t, s, usual())
	idle, working := w.dial(), w.dial()
	idle.send(head(len(treeRequest)) + treeRequest)
	if status, _ := idle.answer(); status != 200 {
		t.Fatal(status)
	}
	body := callOf("block", "{}")
	working.send(head(len(body)) + body)
	<-b.began
	_, status, stream := w.listening()
	if status != 200 {
		t.Fatal(status)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.end()
	}()
	if rest, err := io.ReadAll(stream); err != nil { // the call is still in work
		t.Errorf("the subscription ends with %v after %q", err, rest)
	}
	if _, err := idle.from.ReadByte(); err != io.EOF {
		t.Errorf("an idle connection ends with %v", err)
	}
	b.release <- struct{}{}
	if status, text := working.answer(); status != 200 || !strings.Contains(text, "released") {
		t.Errorf("%d %s", status, text)
	}
	<-ended
	var dialer net.Dialer
	if c, err := dialer.DialContext(t.Context(), "tcp", working.RemoteAddr().String()); err == nil {
		_ = c.Close()
		t.Error("the address is still open")
	}
}

// A call that doesn't end in time is given up.
func TestHTTPShutdownGivesUp(t *testing.T) {
	s, b := blocking(t, nil)
	s.options.Timeout = 1 // of the server's calls, in nanoseconds; the guard keeps its own
	limits := usual()
	limits.shutdown = 1
	w := startWeb(t, s, limits)
	c := w.dial()
	body := callOf("block", "{}")
	c.send(head(len(body)) + body)
	<-b.began
	w.end()
	if status, text, err := c.take(); err == nil && strings.Contains(text, "released") {
		t.Errorf("%d %s", status, text)
	}
	close(b.release)
}

func TestHTTPListens(t *testing.T) {
	limits := usual()
	limits.listens = 2
	s := shared(t, map[string]string{"guide.md": guide})
	subscribable(s)
	w := startWeb(t, s, limits)
	first, status, _ := w.listening()
	_, other, _ := w.listening()
	if status != 200 || other != 200 {
		t.Fatal(status, other)
	}
	if _, status, _ := w.listening(); status != http.StatusServiceUnavailable {
		t.Errorf("the third: %d", status)
	}
	// Nor by another way: in a batch, or without the header that names the method.
	listen := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`
	if resp, text := w.do(request{body: listen}); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	if resp, text := w.do(request{body: "[" + listen + "]"}); !strings.Contains(text, "can't be in a batch") {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	if resp, text := w.do(request{body: treeRequest}); resp.StatusCode != 200 {
		t.Errorf("a call: %d %s", resp.StatusCode, text)
	}
	_ = first.Close()
	for closed := range w.closed { // then there is room again
		if closed == first.LocalAddr().String() {
			break
		}
	}
	if _, status, _ := w.listening(); status != 200 {
		t.Errorf("after the end of one: %d", status)
	}
}

func TestServeHTTPRefusesOptions(t *testing.T) {
	dir := t.TempDir()
	local := doctor.HTTPOptions{Address: "127.0.0.1:0"}
	for want, tt := range map[string]struct {
		o doctor.ServerOptions
		h doctor.HTTPOptions
	}{
		"log level":      {doctor.ServerOptions{Roots: []string{dir}, LogLevel: "loud"}, local},
		"toolset":        {doctor.ServerOptions{Roots: []string{dir}, Toolsets: []string{"x"}}, local},
		"file_not_found": {doctor.ServerOptions{Roots: []string{dir + "/missing"}}, local},
		"--token-file":   {doctor.ServerOptions{Roots: []string{dir}}, doctor.HTTPOptions{Address: local.Address, TokenFile: dir}},
		"--http":         {doctor.ServerOptions{Roots: []string{dir}}, doctor.HTTPOptions{Address: ":0"}},
	} {
		var log strings.Builder
		err := ServeHTTP(t.Context(), tt.o, tt.h, &log, nil)
		if err == nil || !strings.Contains(err.Error(), want) || log.Len() > 0 {
			t.Errorf("%+v: error %v, want one about %q; log %s", tt, err, want, log.String())
		}
	}
}

// The program says where it serves and what its token is, once, and no more of it
// however much it logs.
func TestProgramOverHTTP(t *testing.T) {
	t.Parallel()
	p := startProgram(t, docs(t, map[string]string{"guide.md": guide}), "--log-level", "debug")
	for _, token := range []string{p.secret, "wrong" + p.secret, ""} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url, strings.NewReader(treeRequest))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if ok := resp.StatusCode == 200 && bytes.Contains(text, []byte("Usage")); err != nil || ok != (token == p.secret) {
			t.Errorf("%q: %d %v %s", token, resp.StatusCode, err, text)
		}
	}
	log := p.stop(t)
	if strings.Contains(log, p.secret) || strings.Contains(log, "Use it.") || !strings.Contains(log, "tool=markdown_tree") || !strings.Contains(log, "msg=stopped") {
		t.Errorf("the log is %s", log)
	}
}
