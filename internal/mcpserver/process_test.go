package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	ossignal "os/signal"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/testkit"
)

// What only a process of its own shows: that it stays alive, that its standard
// output is clean, and that it ends when its input does.

// asServer is the variable that makes the test binary a server, with the tools
// that do what ours must not.
const asServer = "SECTILE_TEST_SERVER_ROOT"

func TestMain(m *testing.M) {
	if root := os.Getenv(asServer); root != "" {
		os.Exit(beServer(root))
	}
	os.Exit(testkit.RunInMemory(testkit.KeepGarbage(func() int { return runOwn(m) })))
}

// runOwn runs the tests with a configuration of their own: the user's guides are none of them.
func runOwn(m *testing.M) int {
	own, err := os.MkdirTemp("", "sectile-config-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(own) }()
	_ = os.Setenv("XDG_CONFIG_HOME", own)
	if err := setVersionControl(own); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// beServer serves until the input ends or the process is told to.
func beServer(root string) int {
	ctx, stop := ossignal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := doctor.ServerOptions{Roots: []string{root}}
	if err := serve(ctx, o, os.Stdin, os.Stdout, os.Stderr, testTools()...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// peer is a server process and the two ends of its pipes.
type peer struct {
	t    testing.TB
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *bytes.Buffer
	ids  int
}

// startProcess starts a server as a process: the program as users have it, or the
// one with the tools for tests.
func startProcess(t testing.TB, root string, withTestTools bool) *peer {
	t.Helper()
	if !withTestTools {
		return startCommand(t, exec.Command(testkit.BuildProgram(t), "mcp", "--root", root))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asServer+"="+root)
	return startCommand(t, cmd)
}

// startCommand starts a server as a process by its command.
func startCommand(t testing.TB, cmd *exec.Cmd) *peer {
	t.Helper()
	errs := new(bytes.Buffer)
	p := startCommandTo(t, cmd, errs)
	p.errs = errs
	return p
}

// startCommandTo starts a server whose standard error goes elsewhere.
func startCommandTo(t testing.TB, cmd *exec.Cmd, errs io.Writer) *peer {
	t.Helper()
	p := &peer{t: t, cmd: cmd, errs: new(bytes.Buffer)}
	p.cmd.Stderr = errs
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(4*time.Minute, func() { _ = p.cmd.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	return p
}

// send writes a line.
func (p *peer) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatalf("writing: %v; standard error: %s", err, p.errs)
	}
}

// message is a line of standard output.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      any             `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// read returns the next line of standard output, which must be a message.
func (p *peer) read() *message {
	p.t.Helper()
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatalf("reading: %v after %.200q; standard error: %.2000s", err, line, p.errs)
	}
	m := &message{}
	if err := json.Unmarshal(line, m); err != nil || m.JSONRPC != "2.0" {
		p.t.Fatalf("a line of standard output is no message: %.200q", line)
	}
	return m
}

// call sends a request and returns its id.
func (p *peer) call(method, params string) int {
	p.t.Helper()
	p.ids++
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, p.ids, method, params))
	return p.ids
}

// answer returns the reply to the request, passing over those to others.
func (p *peer) answer(id int) *message {
	p.t.Helper()
	for {
		if m := p.read(); m.ID == float64(id) {
			return m
		}
	}
}

// initialize does what a client of the revisions with sessions does first.
func (p *peer) initialize() {
	p.t.Helper()
	m := p.answer(p.call("initialize",
		`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`))
	if m.Error != nil {
		p.t.Fatalf("initialize: %+v", m.Error)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// end closes standard input and returns what is still to come.
func (p *peer) end() (rest []*message) {
	p.t.Helper()
	if err := p.in.Close(); err != nil {
		p.t.Fatal(err)
	}
	for {
		if _, err := p.out.Peek(1); err != nil {
			break
		}
		rest = append(rest, p.read())
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("the server ends with %v; standard error: %s", err, p.errs)
	}
	return rest
}

// tree is the parameters of a call that any server answers.
const tree = `{"name":"markdown_tree","arguments":{"file_path":"guide.md"}}`

func TestProcessAnswersBeforeItEnds(t *testing.T) {
	t.Parallel()
	p := startProcess(t, docs(t, map[string]string{"guide.md": guide}), true)
	p.initialize()
	want := map[float64]bool{}
	for range 8 {
		want[float64(p.call("tools/call", `{"name":"sleep","arguments":{"ms":300}}`))] = true
	}
	for _, m := range p.end() {
		id, _ := m.ID.(float64)
		if !want[id] || !bytes.Contains(m.Result, []byte("slept")) {
			t.Errorf("%+v: %s", m, m.Result)
		}
		delete(want, id)
	}
	if len(want) > 0 {
		t.Errorf("calls %v were never answered", want)
	}
}

// A server that is told to end answers what is in flight, though its input stays
// open.
func TestProcessAnswersWhenToldToEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes there are not told by signals")
	}
	p := startProcess(t, docs(t, map[string]string{"guide.md": guide}), true)
	p.initialize()
	id := p.call("tools/call", `{"name":"sleep","arguments":{"ms":300}}`)
	p.answer(p.call("tools/call", tree)) // so that the other one has been read
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if m := p.answer(id); !bytes.Contains(m.Result, []byte("slept")) {
		t.Errorf("%+v: %s", m, m.Result)
	}
	if err := p.cmd.Wait(); err != nil || p.errs.Len() > 0 {
		t.Errorf("%v; standard error: %s", err, p.errs)
	}
}

func TestProcessOutlivesPanics(t *testing.T) {
	p := startProcess(t, docs(t, map[string]string{"guide.md": guide}), true)
	p.initialize()
	for range 5 {
		if m := p.answer(p.call("tools/call", `{"name":"panic"}`)); !bytes.Contains(m.Result, []byte("internal_error")) {
			t.Errorf("%+v: %s", m, m.Result)
		}
	}
	if m := p.answer(p.call("tools/call", tree)); !bytes.Contains(m.Result, []byte("Usage")) {
		t.Errorf("%+v: %s", m, m.Result)
	}
	p.end()
	if !strings.Contains(p.errs.String(), "as it was told to") || !strings.Contains(p.errs.String(), "guards_test.go") {
		t.Errorf("the log has no stack: %s", p.errs)
	}
}

// Malformed lines are answered, and so is every call between them, once.
func TestProcessSurvivesMalformedLines(t *testing.T) {
	t.Parallel()
	lines := map[string]int{ // and the code of the answer, 0 for none
		`{`:                -32700,
		`nonsense`:         -32700,
		"\x00\x01\x02":     -32700,
		"{\"a\":\"\xff\"}": -32700,
		`{}`:               -32600,
		`42`:               -32600,
		`[]`:               -32600,
		`{"jsonrpc":"1.0","id":7,"method":"ping"}`: -32600,
		``:   0,
		"\r": 0,
		`{"jsonrpc":"2.0","method":"notifications/nothing"}`: 0,
		`{"jsonrpc":"2.0","id":99,"result":{}}`:              0,
		strings.Repeat("[", 100_000):                         -32700,
		strings.Repeat("x", 17<<20):                          -32600,
	}
	p := startProcess(t, docs(t, map[string]string{"guide.md": guide}), false)
	p.initialize()
	for line, code := range lines {
		go p.send(line) // longer than the pipe
		if code != 0 {
			m := p.read()
			if m.Error == nil || m.Error.Code != code {
				t.Errorf("%.40q: %+v, want code %d", line, m.Error, code)
			}
		} else {
			time.Sleep(20 * time.Millisecond)
		}
		if m := p.answer(p.call("tools/call", tree)); !bytes.Contains(m.Result, []byte("Usage")) {
			t.Errorf("after %.40q: %+v", line, m)
		}
	}
	if rest := p.end(); len(rest) > 0 {
		t.Errorf("%d messages too many: %+v", len(rest), rest[0])
	}
	if p.errs.Len() > 10_000 {
		t.Errorf("%d bytes on standard error", p.errs.Len())
	}
}

// Every error has a code that says whose fault it is.
func TestProcessCodesOfErrors(t *testing.T) {
	p := startProcess(t, docs(t, map[string]string{"guide.md": guide}), false)
	early := p.answer(p.call("tools/call", tree))
	p.initialize()
	for name, tt := range map[string]struct {
		m    *message
		code int
	}{
		"before initialize": {early, -32600},
		"initialize again": {p.answer(p.call("initialize",
			`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)), -32600},
		"no such method":  {p.answer(p.call("tools/none", "{}")), -32601},
		"no such tool":    {p.answer(p.call("tools/call", `{"name":"none"}`)), -32602},
		"no such prompt":  {p.answer(p.call("prompts/get", `{"name":"none"}`)), -32602},
		"no such page":    {p.answer(p.call("tools/list", `{"cursor":"none"}`)), -32602},
		"no such version": {p.answer(p.call("tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}`)), -32022},
	} {
		if tt.m.Error == nil || tt.m.Error.Code != tt.code {
			t.Errorf("%s: %+v, want code %d", name, tt.m.Error, tt.code)
		}
	}
	p.end()
}

// Ten thousand lines of which most are broken: every call is answered once, and
// nothing else stands on standard output.
func TestProcessSurvivesRandomLines(t *testing.T) {
	t.Parallel()
	const n = 10_000
	random := rand.New(rand.NewPCG(1, 2))
	p := startProcess(t, docs(t, map[string]string{"guide.md": guide}), false)
	p.initialize()
	good := map[float64]int{}
	var lines []string
	for i := range n {
		id := 1_000_000 + i
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, id, tree)
		if i%10 == 0 {
			good[float64(id)] = 0
		} else {
			line = mutated(random, line)
		}
		lines = append(lines, line)
	}
	go func() {
		_, _ = io.WriteString(p.in, strings.Join(lines, "\n")+"\n")
		_ = p.in.Close()
	}()
	for {
		if _, err := p.out.Peek(1); err != nil {
			break
		}
		m := p.read()
		if id, ok := m.ID.(float64); ok {
			if _, ok := good[id]; ok {
				good[id]++
			}
		}
	}
	if err := p.cmd.Wait(); err != nil {
		t.Fatalf("the server ends with %v; standard error: %.2000s", err, p.errs)
	}
	for id, answers := range good {
		if answers != 1 {
			t.Errorf("call %v was answered %d times", id, answers)
		}
	}
}

// mutated breaks a line without giving it the id of a good one.
func mutated(random *rand.Rand, line string) string {
	b := []byte(strings.Replace(line, `"id":1`, `"id":2`, 1))
	for range 1 + random.IntN(4) {
		if len(b) == 0 {
			break
		}
		i := random.IntN(len(b))
		switch random.IntN(4) {
		case 0:
			b[i] = byte(random.IntN(256))
		case 1:
			b = append(b[:i], b[i+1:]...)
		case 2:
			b = append(b[:i], append([]byte(`{[",:]}\0ü`)[random.IntN(9):], b[i:]...)...)
		default:
			b = b[:i+1]
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(string(b), "\n", " "), `"id":1`, `"id":3`)
}
