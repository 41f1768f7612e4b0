//go:build unix

package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/transport"
)

// Requests that wait for what another program has, with the program as a process: what
// doesn't need it is answered meanwhile, and the end of the server isn't put off.

// held locks a file or folder as another program would, until release is called.
func held(t *testing.T, path string) (release func()) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		testkit.Missing(t, "no locks here: "+err.Error())
	}
	release = func() { _ = f.Close() }
	t.Cleanup(release)
	return release
}

// callTool calls a tool and returns the id.
func (p *peer) callTool(name string, args object) int {
	p.t.Helper()
	params, err := json.Marshal(object{"name": name, "arguments": args})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.call("tools/call", string(params))
}

// said is the text of a tool's reply, and whether it failed.
func (m *message) said(t *testing.T) (text string, failed bool) {
	t.Helper()
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Content) == 0 {
		t.Fatalf("no reply of a tool: %+v", m)
	}
	return r.Content[0].Text, r.IsError
}

// appendTo appends a line to the document a/x.md.
func (p *peer) appendTo(line string) int {
	p.t.Helper()
	return p.callTool("edit_section", object{"path": "a/x.md", "heading": "# A", "action": "append", "content": line})
}

// startHeld starts a server and holds the lock on the folder a of its root.
func startHeld(t *testing.T) (p *peer, path string, release func()) {
	t.Helper()
	dir := docs(t, map[string]string{"guide.md": guide, "a/x.md": "# A\n"})
	p = startCommand(t, exec.Command(testkit.BuildProgram(t), "mcp", "--root", dir, "--timeout", "3m"))
	p.initialize()
	return p, filepath.Join(dir, "a", "x.md"), held(t, filepath.Join(dir, "a"))
}

// stoppedByJJ starts a server in a project of jj whose working copy another program has
// locked, and calls tools that read the plan.
func stoppedByJJ(t *testing.T, calls int) (p *peer, release func()) {
	t.Helper()
	dir := planned(t, "jj")
	release = held(t, lockOfJJ(t, dir))
	p = startCommand(t, exec.Command(testkit.BuildProgram(t), "mcp", "--root", dir, "--concurrency", "1"))
	p.initialize()
	for range calls {
		p.callTool(toolGather, object{})
	}
	return p, release
}

// lockOfJJ is the file that jj locks for its working copy.
func lockOfJJ(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, ".jj", "working_copy", "working_copy.lock")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Calls that wait for jj keep no read waiting.
func TestReadsPassPlanCalls(t *testing.T) {
	t.Parallel()
	const calls = 3 // more than the server has slots for reads
	p, release := stoppedByJJ(t, calls)
	read := p.call("tools/call", tree)
	if m := p.read(); m.ID != float64(read) {
		t.Errorf("a call that waits for jj was answered before the read: %+v", m)
	}
	release()
	for range calls {
		if text, failed := p.read().said(t); failed {
			t.Errorf("after it: %s", text)
		}
	}
	p.end()
}

// Edits that wait for a lock keep no read waiting, however many they are; those for which
// there is no room are told, and the others are made.
func TestReadsPassManyEdits(t *testing.T) {
	t.Parallel()
	p, path, release := startHeld(t)
	const edits, refused = transport.MaxEdits + transport.MaxSlowWaiting, 3
	waiting := map[float64]string{}
	for i := range edits {
		line := fmt.Sprintf("Edit %d.", i)
		waiting[float64(p.appendTo(line))] = line
	}
	read := p.call("tools/call", tree)
	if m := p.read(); m.ID != float64(read) {
		t.Fatalf("an edit was answered before the read: %+v", m)
	}
	for range refused {
		id := p.appendTo("Refused.")
		m := p.read()
		if m.ID != float64(id) || m.Error == nil || !strings.Contains(m.Error.Message, "waiting for locks on folders") || !strings.Contains(m.Error.Message, "nothing was written") {
			t.Errorf("an edit too many: %+v", m)
		}
	}
	release()
	for range edits {
		m := p.read()
		if text, failed := m.said(t); failed || waiting[m.ID.(float64)] == "" {
			t.Errorf("%v: %s", m.ID, text)
		}
	}
	p.end()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range waiting {
		if strings.Count(string(text), line+"\n") != 1 {
			t.Errorf("%q is there %d times", line, strings.Count(string(text), line+"\n"))
		}
	}
	if strings.Contains(string(text), "Refused.") {
		t.Error("an edit was made that was refused")
	}
}

// Calls in flight say that the server was told to end, and don't wait any longer.
func TestEndOfWaitingCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		start      func(t *testing.T) (p *peer, calls int)
	}{
		{"edits", "told to end; try again; nothing was written", func(t *testing.T) (*peer, int) {
			t.Helper()
			p, path, _ := startHeld(t)
			t.Cleanup(func() {
				if text, err := os.ReadFile(path); string(text) != "# A\n" || err != nil {
					t.Errorf("written: %q, %v", text, err)
				}
			})
			const calls = transport.MaxEdits + 5 // some of them in the queue
			for range calls {
				p.appendTo("Never.")
			}
			return p, calls
		}},
		{"plans", "told to end", func(t *testing.T) (*peer, int) {
			t.Helper()
			const calls = transport.MaxPlans + 2
			p, _ := stoppedByJJ(t, calls)
			return p, calls
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, calls := c.start(t)
			p.answer(p.call("ping", "{}")) // all before it is read
			if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			for range calls {
				if text, failed := p.read().said(t); !failed || !strings.Contains(text, c.want) {
					t.Errorf("failed %v: %s, want ... %s", failed, text, c.want)
				}
			}
			if err := p.cmd.Wait(); err != nil {
				t.Errorf("the server ends with %v and logs %s", err, p.errs)
			}
		})
	}
}
