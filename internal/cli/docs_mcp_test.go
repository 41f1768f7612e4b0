package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// A line of a block marked "mcp" is the name of a tool and its arguments as JSON. The
// calls of a page go to one server, for a session is part of what is shown; the name
// after "mcp" is another agent, with a server of its own.

// agents are the servers of a page by the names of those who call them.
type agents map[string]*agent

// agent is a server that is called by hand.
type agent struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	calls int
}

// errorComment is at the end of a call that is to fail.
const errorComment = "# error"

// call calls the tool of a line for the agent of that name, and returns the text of
// the reply.
func (a agents) call(t *testing.T, dir, name, line string) string {
	t.Helper()
	if a[name] == nil {
		a[name] = startAgent(t, dir)
	}
	line, fails := strings.CutSuffix(strings.TrimSpace(line), errorComment)
	tool, arguments, _ := strings.Cut(strings.TrimSpace(line), " ")
	text, failed := a[name].call(t, tool, arguments)
	if failed != fails {
		t.Errorf("%s: error flag %v, want %v:\n%s", line, failed, fails, text)
	}
	return strings.TrimSuffix(text, "\n") + "\n"
}

// end ends the servers.
func (a agents) end() {
	for _, agent := range a {
		_ = agent.in.Close()
		_ = agent.cmd.Wait()
	}
}

// startAgent starts a server of the documents in dir and greets it.
func startAgent(t *testing.T, dir string) *agent {
	t.Helper()
	a := &agent{cmd: exec.Command(testkit.BuildProgram(t), "mcp")}
	a.cmd.Dir = dir
	in, err := a.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	a.in, a.out = in, bufio.NewReader(out)
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a.ask(t, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"docs","version":"1"}}`)
	if _, err := io.WriteString(a.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	return a
}

// call calls a tool and returns the text of its reply, and whether it failed.
func (a *agent) call(t *testing.T, tool, arguments string) (text string, failed bool) {
	t.Helper()
	if arguments == "" {
		arguments = "{}"
	}
	if !json.Valid([]byte(arguments)) {
		t.Fatalf("the arguments of %s are no JSON: %s", tool, arguments)
	}
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(a.ask(t, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments)), &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s %s: %d contents in the reply", tool, arguments, len(result.Content))
	}
	return result.Content[0].Text, result.IsError
}

// ask sends a request and returns the result.
func (a *agent) ask(t *testing.T, method, params string) json.RawMessage {
	t.Helper()
	a.calls++
	if _, err := fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", a.calls, method, params); err != nil {
		t.Fatal(err)
	}
	for {
		line, err := a.out.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			ID            int
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if answer.ID != a.calls {
			continue // a notification
		}
		if answer.Error != nil {
			t.Fatalf("%s %s: %s", method, params, answer.Error)
		}
		return answer.Result
	}
}
