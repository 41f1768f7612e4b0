package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// serverName is what the clients' configurations call sectile.
	serverName = "sectile"
	// toolPrefix is what both clients put before the names of its tools.
	toolPrefix = "mcp__" + serverName + "__"
	// nowhere is a proxy that isn't there.
	nowhere = "http://127.0.0.1:9"
	// patience is how long a client may take for the whole script.
	patience = 2 * time.Minute
)

// way is one in which a model is given our tools.
type way struct {
	name    string // for the table
	program string // in node_modules/.bin
	dialect dialect
	start   func(p *place) (args, env []string, err error)
	// limit is the most bytes that a reply may have; of a longer one the client
	// cuts, whatever the server does.
	limit int
	// free says that what is done to the reply is the doing of the model's program.
	free bool
}

// ways are all of them. The models of Codex are picked by what its catalogue says:
// one that is not in it gets all tools at the start, an older one looks for them,
// and newer ones call them from programs.
var ways = []*way{
	{name: "Claude Code", program: "claude", dialect: messages{}, start: claude, limit: 500_000},
	{name: "Codex, tools", program: "codex", dialect: responses{}, start: codex("stand-in", ""), limit: 11_900},
	{name: "Codex, tools, raised limit", program: "codex", dialect: responses{}, start: codex("stand-in", "tool_output_token_limit = 12000\n"), limit: 57_500},
	{name: "Codex, tool search", program: "codex", dialect: responses{search: true}, start: codex("gpt-5.5", ""), limit: 47_900},
	{name: "Codex, programs, `text(r.content[0].text)`", program: "codex", dialect: responses{code: "text(r.content[0].text);"}, start: codex("gpt-6.1-sol", ""), limit: 40_000},
	{name: "Codex, programs, `text(r)`", program: "codex", dialect: responses{code: "text(r);"}, start: codex("gpt-6.1-sol", ""), free: true},
}

// place is where a client runs.
type place struct {
	home    string // its own, new and empty
	project string
	url     string // of the stand-in
	server  []string
}

// claude returns how Claude Code is started. Nothing but requests to the model may
// leave it.
func claude(p *place) (args, env []string, err error) {
	config := filepath.Join(p.home, "mcp.json")
	err = os.WriteFile(config, []byte(asJSON(map[string]any{"mcpServers": map[string]any{
		serverName: map[string]any{"type": "stdio", "command": p.server[0], "args": p.server[1:]},
	}})), 0o600)
	args = []string{
		"-p", "Follow the script.", "--mcp-config", config, "--strict-mcp-config",
		"--allowedTools", toolPrefix + "*,ReadMcpResourceTool", "--output-format", "stream-json", "--verbose",
	}
	env = []string{
		"ANTHROPIC_BASE_URL=" + p.url, "ANTHROPIC_API_KEY=none",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_BUG_COMMAND=1",
	}
	return args, env, err
}

// codex returns how Codex is started for a model, with more settings.
func codex(model, more string) func(p *place) (args, env []string, err error) {
	return func(p *place) (args, env []string, err error) {
		config := fmt.Sprintf(`model = %q
model_provider = "standin"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
%s
[model_providers.standin]
name = "stand-in"
base_url = %q
wire_api = "responses"
env_key = "STANDIN_KEY"

[analytics]
enabled = false

[features]
apps = false
plugins = false

[mcp_servers.%s]
command = %q
args = [%s]
default_tools_approval_mode = "approve"
`, model, more, p.url+"/v1", serverName, p.server[0], `"`+strings.Join(p.server[1:], `", "`)+`"`)
		err = os.WriteFile(filepath.Join(p.home, "config.toml"), []byte(config), 0o600)
		args = []string{"exec", "--json", "--strict-config", "--skip-git-repo-check", "Follow the script."}
		return args, []string{"CODEX_HOME=" + p.home, "STANDIN_KEY=none"}, err
	}
}

// play lets a client go through the calls and returns what the stand-in saw.
func play(ctx context.Context, w *way, bin string, p *place, tools []string, calls []*call, keep string) (*standIn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	model := newStandIn(w.dialect, tools, calls, keep)
	server := &http.Server{Handler: model, ReadHeaderTimeout: patience}
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()
	p.url = "http://" + listener.Addr().String()
	args, env, err := w.start(p)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(bin, w.program), args...)
	cmd.Dir = p.project
	// Of the environment a client gets what programs need to run; not a key, a
	// proxy or a setting of whoever starts this.
	cmd.Env = slices.Concat(env, []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "LANG=C.UTF-8", "TMPDIR=" + p.home,
		// What isn't meant for the stand-in goes to a port where nobody listens.
		"HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere, "ALL_PROXY=" + nowhere, "NO_PROXY=127.0.0.1",
	})
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if keep != "" {
		err = errors.Join(err, os.WriteFile(filepath.Join(keep, "output.txt"), out, 0o600))
	}
	model.mu.Lock()
	defer model.mu.Unlock()
	if err = errors.Join(err, model.problem); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", w.name, err, tail(out))
	}
	if last := model.script[len(model.script)-1]; model.results[last.id].parts == nil {
		return nil, fmt.Errorf("%s stopped before the end of the script, after %d of %d calls\n%s",
			w.name, len(model.results), len(model.script), tail(out))
	}
	return model, nil
}

// version asks a client for its version.
func version(ctx context.Context, bin, program, home string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, program), "--version")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	cmd.Stderr = io.Discard
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", program, err)
	}
	for word := range strings.FieldsSeq(string(out)) {
		if strings.Trim(word, "0123456789.") == "" {
			return word, nil
		}
	}
	return strings.TrimSpace(string(out)), nil
}

// tail returns the end of an output.
func tail(out []byte) string {
	const most = 2000
	return strings.ToValidUTF8(string(out[max(0, len(out)-most):]), "")
}
