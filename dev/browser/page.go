package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// shown is a page that a process of the program shows.
type shown struct {
	program string
	root    string   // the folder of the documents
	env     []string // of the program: with a state folder of its own
	address string   // that lets a browser in
	base    string   // of the page, without a slash at its end
	process *exec.Cmd
}

// newShown shows a copy of this project's documentation in a folder.
func newShown(ctx context.Context, program, place string) (*shown, error) {
	root := filepath.Join(place, "sectile")
	for _, name := range []string{"README.md", "docs"} {
		from := filepath.Join("..", "..", name)
		if _, err := os.Stat(from); err != nil {
			from = name // started in the project's folder
		}
		if err := copyMarkdown(from, filepath.Join(root, name)); err != nil {
			return nil, err
		}
	}
	return show(ctx, program, place, root, "--view-writes")
}

// copyMarkdown copies a file, or the Markdown files of a folder and their pictures, without what
// is hidden or installed.
func copyMarkdown(from, to string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if name := d.Name(); err == nil && d.IsDir() && path != from && (name[0] == '.' || name == "node_modules") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		if ext := filepath.Ext(path); ext != ".md" && ext != ".png" {
			return nil
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
}

// show starts the program on a root, with flags. What it keeps lies in the place.
func show(ctx context.Context, program, place, root string, flags ...string) (*shown, error) {
	s := &shown{program: program, root: root, env: append(os.Environ(),
		"XDG_STATE_HOME="+filepath.Join(place, "state"), "XDG_CONFIG_HOME="+filepath.Join(place, "config"))}
	s.process = s.command(ctx, append(append([]string{"view"}, flags...), root)...)
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.process.Stderr = os.Stderr
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		return nil, errors.New("the program says nothing")
	}
	address, ok := strings.CutPrefix(lines.Text(), "sectile: open ")
	if !ok {
		return nil, fmt.Errorf("the program says %q", lines.Text())
	}
	s.address = address
	s.base, _, _ = strings.Cut(address, "/open?")
	go func() {
		for lines.Scan() { // so that it never waits
		}
	}()
	return s, nil
}

// command returns a run of the program.
func (s *shown) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, s.program, args...)
	c.Dir, c.Env = s.root, s.env
	return c
}

// close ends the process.
func (s *shown) close() {
	_ = s.process.Process.Signal(os.Interrupt)
	_ = s.process.Wait()
}

// agentName is what the agent calls itself.
const agentName = "writing-agent"

// agent connects to a server of tools as an agent does.
func (s *shown) agent(ctx context.Context) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: agentName, Version: "1"}, nil)
	return client.Connect(ctx, &mcp.CommandTransport{Command: s.command(ctx, "mcp", "--root", s.root)}, nil)
}

// call calls a tool, whose reply must be no error.
func call(ctx context.Context, agent *mcp.ClientSession, tool string, arguments map[string]any) error {
	result, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err
	}
	if result.IsError {
		return fmt.Errorf("%s: %s", tool, result.Content[0].(*mcp.TextContent).Text)
	}
	return nil
}

// work has an agent read and change documents, and returns the identifier of its last change.
func (s *shown) work(ctx context.Context) (change string, err error) {
	if err := s.plan(ctx); err != nil {
		return "", err
	}
	agent, err := s.agent(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, agent.Close()) }()
	for _, path := range []string{"README.md", "docs/threats.md", "docs/tutorial.md", "docs/mcp-server.md"} {
		if err := call(ctx, agent, "read_file", map[string]any{"path": path, "max_chars": 40000}); err != nil {
			return "", err
		}
	}
	for path, sections := range map[string][]string{
		"docs/architecture.md": {"Rooms", "Arrows", "The way of a request"}, "docs/threats.md": {"Who", "Project files → the rest of the machine", "The network → the server"},
		"docs/guarantees.md": {"@document"}, "docs/tutorial.md": {"@document"}, "docs/mcp-server.md": {"@document"}, "README.md": {"Install"},
		"docs/decisions/0014-trust.md": {"@document"}, "docs/decisions/0010-http.md": {"@document"},
	} {
		for _, section := range sections {
			if err := call(ctx, agent, "read_file", map[string]any{"path": path, "heading": section, "max_chars": 40000}); err != nil {
				return "", err
			}
		}
	}
	for _, c := range []map[string]any{
		{"path": "docs/tutorial.md", "action": "append", "heading": "# From nothing to an agent that edits by section", "content": "\nThe next page is about [editing](tutorial-editing.md).\n"},
		{
			"path": "docs/threats.md", "heading": "## The network → the server", "action": "prepend", "allow_restructure": true,
			"content": "A server listens on this machine alone unless `--allow-remote` is given.\n",
		},
	} {
		if err := call(ctx, agent, "edit_section", c); err != nil {
			return "", err
		}
	}
	if out, err := s.command(ctx, "replace", "README.md", "people and coding agents", "people and agents").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	out, err := s.command(ctx, "log", "docs/threats.md").Output()
	if err != nil || len(out) < 8 {
		return "", fmt.Errorf("there is no change: %w", err)
	}
	return string(out[:8]), nil
}

// plan makes a plan whose tasks are under way.
func (s *shown) plan(ctx context.Context) error {
	tasks := s.command(ctx, "plan", "set", "-")
	tasks.Stdin = strings.NewReader("- [x] list who reads documents [id:: who]\n- [ ] say what each is trusted with [after:: who]\n  - [x] the client\n  - [ ] the page\n- [ ] ask for a review [note:: by somebody who hasn't written it]\n")
	for _, c := range []*exec.Cmd{
		s.command(ctx, "plan", "goal", "docs(threats): say who is trusted with what"),
		s.command(ctx, "plan", "detail", "--content", "Whoever installs it has to know what an agent can reach.", "--constraint", "Never: promise what no test shows"),
		tasks, s.command(ctx, "plan", "claim", agentName),
	} {
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
}

// tab is a tab of a browser.
type tab struct {
	ctx   context.Context //nolint:containedctx // how the library names a tab
	close func()
}

// findBrowser returns the program Chromium, "" if there is none.
func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// openBrowser starts Chromium without a window. Its sandbox doesn't work for root and in most
// containers; it opens nothing but pages of the program. A proxy that isn't there keeps it from
// asking for updates.
func openBrowser(ctx context.Context, profile string) (*tab, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(findBrowser()), chromedp.NoSandbox, chromedp.UserDataDir(profile),
		chromedp.Flag("proxy-server", "127.0.0.1:9"), chromedp.Flag("proxy-bypass-list", "127.0.0.1"), chromedp.Flag("disable-gpu", true),
		chromedp.WSURLReadTimeout(time.Minute))
	allocated, end := chromedp.NewExecAllocator(ctx, options...)
	opened, cancel := chromedp.NewContext(allocated)
	t := &tab{opened, func() { cancel(); end() }}
	if err := chromedp.Do(opened); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// sized sets the size of the tab in pixels, and the scheme.
func sized(width, height int, dark bool) chromedp.Action[chromedp.Void] {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return chromedp.Steps(
		chromedp.EmulateViewport(int64(width), int64(height)),
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
			}})
			return err
		}),
	)
}

// picture opens an address and takes a picture of what can be seen.
func (t *tab) picture(address string, s shot) ([]byte, error) {
	err := chromedp.Do(t.ctx, sized(s.width, s.height, s.dark), chromedp.Navigate(address), chromedp.WaitReady("main"), chromedp.Sleep(200*time.Millisecond))
	if err != nil {
		return nil, err
	}
	return chromedp.Run(t.ctx, chromedp.CaptureScreenshot())
}
