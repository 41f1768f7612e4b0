package mcpserver

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/testkit"
)

// secret is the token of servers in tests.
const secret = "0123456789abcdefghij"

// web is a server over HTTP that a test talks to.
type web struct {
	t      testing.TB
	server *server
	url    string // of the protocol
	states *connectionStates
	closed chan string // the addresses of clients whose connection the server has closed
	end    func()      // tells it to end, and waits until it has
}

// startWeb serves over HTTP with limits for a test.
func startWeb(t testing.TB, s *server, limits httpLimits) *web {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &web{t: t, server: s, url: "http://" + listener.Addr().String() + httpPath, closed: make(chan string, 1000)}
	w.states = &connectionStates{of: map[string]http.ConnState{}}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- s.runHTTP(ctx, watchedListener{listener, w.closed}, secret, limits, nil, w.states.set)
	}()
	w.end = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	t.Cleanup(w.end)
	return w
}

// connectionStates are those that the server has told its guards, by the client's address.
type connectionStates struct {
	mu sync.Mutex
	of map[string]http.ConnState
}

func (s *connectionStates) set(conn net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[conn.RemoteAddr().String()] = state
}

// awaits waits until the connection of a client is idle or closed as the server sees it,
// which is a little after the client has its answer.
func (w *web) awaits(address string) {
	w.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		w.states.mu.Lock()
		state := w.states.of[address]
		w.states.mu.Unlock()
		switch {
		case state == http.StateIdle, state == http.StateClosed:
			return
		case time.Now().After(deadline):
			w.t.Fatalf("the server never saw that %s is idle", address)
		}
	}
}

// watchedListener tells when the server closes a connection.
type watchedListener struct {
	net.Listener

	closed chan string
}

func (l watchedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &watchedConn{Conn: c, closed: sync.OnceFunc(func() { l.closed <- c.RemoteAddr().String() })}, nil
}

type watchedConn struct {
	net.Conn

	closed func()
}

func (c *watchedConn) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// shared returns a server of many clients for the documents, with the tools for tests.
func shared(t testing.TB, documents map[string]string) *server {
	t.Helper()
	return startTest(t, doctor.ServerOptions{Roots: []string{docs(t, documents)}, Shared: true})
}

// usual are the limits of a server, with which no test waits for long.
func usual() httpLimits { return defaultHTTPLimits() }

// bearing adds the token to requests.
type bearing struct{ next http.RoundTripper }

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+secret)
	return b.next.RoundTrip(r)
}

// connect returns a client of the library that speaks the revision.
func (w *web) connect(revision string, o *mcp.ClientOptions) *mcp.ClientSession {
	w.t.Helper()
	transport := &mcp.StreamableClientTransport{
		Endpoint: w.url, HTTPClient: &http.Client{Transport: bearing{http.DefaultTransport}}, DisableStandaloneSSE: true,
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).
		Connect(w.t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = session.Close() })
	return session
}

// program is the program as users have it, serving over HTTP.
type program struct {
	cmd    *exec.Cmd
	url    string
	secret string
	lines  chan string // what else it writes to standard error; closed at its end
}

// startProgram starts the program with the folder as its root, and waits until it
// serves.
func startProgram(t testing.TB, root string, args ...string) *program {
	t.Helper()
	return startOverHTTP(t, exec.Command(testkit.BuildProgram(t), append([]string{"mcp", "--http", "127.0.0.1:0", "--root", root}, args...)...))
}

// startOverHTTP starts a command that is the program, and waits until it serves.
func startOverHTTP(t testing.TB, cmd *exec.Cmd) *program {
	t.Helper()
	p := &program{cmd: cmd, lines: make(chan string, 1000)}
	errs, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(4*time.Minute, func() { _ = p.cmd.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	lines := bufio.NewReader(errs)
	for line := ""; !strings.Contains(line, "clients send the header"); {
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatalf("the program ends: %v, %q", err, line)
		}
		if _, url, ok := strings.Cut(line, "serving "); ok {
			p.url = strings.TrimSpace(url)
		}
		if _, secret, ok := strings.Cut(line, "the token of this run is "); ok {
			p.secret = strings.TrimSpace(secret)
		}
	}
	go func() {
		defer close(p.lines)
		rest, _ := io.ReadAll(lines)
		for line := range strings.Lines(string(rest)) {
			p.lines <- line
		}
	}()
	return p
}

// stop tells the program to end and returns what it has written since.
func (p *program) stop(t testing.TB) string {
	t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var rest strings.Builder
	for line := range p.lines {
		rest.WriteString(line)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the program ends with %v", err)
	}
	return rest.String()
}
