package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
)

// serverName is what a client calls the server.
const serverName = "sectile"

// client is one that the configuration can be printed for.
type client struct {
	name    string
	aliases []string
	// folder is what the client replaces by the project's folder in arguments. It
	// is for those that may start a server elsewhere; others start it there.
	folder string
	// fixed says that the client belongs to no project: the program and the
	// roots must be absolute paths.
	fixed  bool
	render func(launch) ([]byte, error)
	// place says where the text belongs on this operating system, or which
	// command does it.
	place func(l launch, goos string) string
}

// launch is how a client starts the server.
type launch struct {
	command string
	args    []string
	timeout time.Duration // of a call, as the server keeps it
}

// clients returns those that are known, in the order of the help.
func clients() []client {
	return []client{
		{
			name: "claude-code", aliases: []string{"claude", "claudecode"},
			render: func(l launch) ([]byte, error) { return l.json("mcpServers", "stdio") },
			place: func(l launch, _ string) string {
				return ".mcp.json in the folder of the project; or run: " +
					l.shell("claude", "mcp", "add", "--scope", "project", serverName, "--", l.command)
			},
		},
		{
			name: "codex", aliases: []string{"openai-codex", "codex-cli"},
			render: func(l launch) ([]byte, error) { return l.toml(), nil },
			place: func(l launch, goos string) string {
				return inHome(goos, ".codex/config.toml") + ", or .codex/config.toml of a project that is trusted; or run: " +
					l.shell("codex", "mcp", "add", serverName, "--", l.command)
			},
		},
		{
			name: "gemini", aliases: []string{"gemini-cli", "geminicli"},
			render: func(l launch) ([]byte, error) { return l.json("mcpServers", "") },
			place: func(l launch, goos string) string {
				return ".gemini/settings.json in the folder of the project, or " + inHome(goos, ".gemini/settings.json") + "; or run: " +
					l.shell("gemini", "mcp", "add", serverName, l.command, "--")
			},
		},
		{
			name: "vscode", aliases: []string{"vs-code", "code", "copilot"}, folder: "${workspaceFolder}",
			render: func(l launch) ([]byte, error) { return l.json("servers", "stdio") },
			place: func(launch, string) string {
				return ".vscode/mcp.json in the folder of the project"
			},
		},
		{
			name: "cursor", folder: "${workspaceFolder}",
			render: func(l launch) ([]byte, error) { return l.json("mcpServers", "stdio") },
			place: func(launch, string) string {
				return ".cursor/mcp.json in the folder of the project"
			},
		},
		{
			name: "claude-desktop", aliases: []string{"claudedesktop", "desktop"}, fixed: true,
			render: func(l launch) ([]byte, error) { return l.json("mcpServers", "") },
			place: func(_ launch, goos string) string {
				return desktopConfig(goos) + "; then start Claude Desktop anew"
			},
		},
	}
}

// Names lists the clients.
func Names() []string {
	var names []string
	for _, c := range clients() {
		names = append(names, c.name)
	}
	return names
}

// findClient returns the client of this name, in any case.
func findClient(name string) (client, error) {
	folded := strings.ToLower(strings.NewReplacer(" ", "-", "_", "-").Replace(strings.TrimSpace(name)))
	for _, c := range clients() {
		if c.name == folded || slices.Contains(c.aliases, folded) {
			return c, nil
		}
	}
	return client{}, refused(fmt.Sprintf(
		"--print-config knows no client %q; %sit knows %s", name, nearest.Question("", name, Names()), strings.Join(Names(), ", ")))
}

// Config is what a client needs in its configuration.
type Config struct {
	Text  []byte
	Notes []string // where it belongs, and what else has to be done; lines for people
}

// refused is the error for what no configuration can be made of.
func refused(message string) error {
	return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Text(message)}
}

// Local returns the configuration of a client that starts a server with these options,
// whose arguments but for the roots are those. The error is an *replies.Error.
func Local(name string, o *doctor.ServerOptions, arguments []string) (Config, error) {
	c, err := findClient(name)
	if err != nil {
		return Config{}, err
	}
	l, err := c.launch(o, arguments)
	if err != nil {
		return Config{}, err
	}
	text, err := c.render(l)
	if err != nil {
		return Config{}, err
	}
	return Config{text, []string{"add this to " + c.place(l, runtime.GOOS)}}, nil
}

// launch returns how the client starts a server with these options and arguments.
func (c *client) launch(o *doctor.ServerOptions, arguments []string) (launch, error) {
	l := launch{timeout: o.Timeout}
	var err error
	if l.command, err = command(c.fixed); err != nil {
		return l, err
	}
	given := *o
	if len(given.Roots) == 0 && (c.fixed || c.folder != "") {
		given.Roots = []string{"."}
	}
	if c.fixed {
		if err := absolute(&given); err != nil {
			return l, err
		}
	}
	l.args = []string{"mcp"}
	for _, r := range given.Roots {
		l.args = append(l.args, "--root", c.root(r))
	}
	l.args = append(l.args, arguments...)
	for _, text := range append([]string{l.command}, l.args...) {
		if !utf8.ValidString(text) {
			return l, refused(fmt.Sprintf(
				"%q is not UTF-8, so no configuration can hold it; use another name or a link", text))
		}
	}
	return l, checkRoots(&given)
}

// root returns how the client must be given a root.
func (c *client) root(root string) string {
	switch {
	case c.folder == "" || filepath.IsAbs(root) || strings.HasPrefix(root, "${"):
		return root
	case filepath.Clean(root) == ".":
		return c.folder
	}
	return c.folder + "/" + filepath.ToSlash(filepath.Clean(root))
}

// absolute makes the roots absolute.
func absolute(o *doctor.ServerOptions) error {
	if err := (&documents.Set{}).CheckClimb(o.Roots...); err != nil {
		return err
	}
	roots := make([]string, len(o.Roots))
	for i, root := range o.Roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			return &replies.Error{Code: "io_error", Path: root, Message: replies.Text(err.Error()), Err: err}
		}
		roots[i] = abs
	}
	o.Roots = roots
	return nil
}

// checkRoots opens the roots as a server would, but for those that the client
// makes of a variable.
func checkRoots(o *doctor.ServerOptions) error {
	known := *o
	known.Roots = slices.DeleteFunc(slices.Clone(o.Roots), func(root string) bool { return strings.HasPrefix(root, "${") })
	if len(known.Roots) == 0 {
		return nil
	}
	w, err := documents.OpenWorkspace(known.Documents())
	if err != nil {
		return err
	}
	return w.Close()
}

// command returns the name that starts this program: "sectile" where the PATH
// leads to it, unless it must be a path.
func command(fixed bool) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", &replies.Error{Code: "io_error", Message: replies.Text(err.Error()), Err: err}
	}
	found, ok := inPath(program)
	switch {
	case !ok:
		return program, nil
	case fixed: // the PATH's own spelling outlives an upgrade, where a link leads to a version
		return filepath.Abs(found)
	}
	return serverName, nil
}

// inPath returns where the PATH leads to under this program's name, if it is the
// program in that file.
func inPath(program string) (string, bool) {
	found, err := exec.LookPath(serverName)
	if err != nil {
		return "", false
	}
	here, errHere := os.Stat(program)
	there, errThere := os.Stat(found)
	return found, errHere == nil && errThere == nil && os.SameFile(here, there)
}

// json renders the launch as the JSON of most clients: below a key, by the name of
// the server. The type is left out if it is empty.
func (l launch) json(key, kind string) ([]byte, error) {
	type server struct {
		Type    string   `json:"type,omitempty"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	return indented(map[string]map[string]server{key: {serverName: {kind, l.command, l.args}}})
}

// indented renders JSON as people write it. Every character shows itself or is escaped.
func indented(value any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(value)
	return replies.AppendVisible(nil, buf.Bytes()), err
}

// codexMargin is added to the server's own limit on a call, so that the server can
// still answer.
const codexMargin = 30 * time.Second

// toml renders the launch as a table of Codex's configuration.
func (l launch) toml() []byte {
	args := make([]string, len(l.args))
	for i, arg := range l.args {
		args[i] = tomlString(arg)
	}
	seconds := (l.timeout + codexMargin + time.Second - 1) / time.Second
	return fmt.Appendf(nil, "[mcp_servers.%s]\ncommand = %s\nargs = [%s]\ntool_timeout_sec = %d\n",
		serverName, tomlString(l.command), strings.Join(args, ", "), seconds)
}

// tomlString renders a basic string of TOML 1.0. Every character shows itself or is escaped.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	before := rune(0)
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case runes.Hides(before, r) && r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08X`, r)
		case runes.Hides(before, r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
		before = r
	}
	b.WriteByte('"')
	return b.String()
}

// shell spells a command for a POSIX shell that ends with the server's arguments.
func (l launch) shell(words ...string) string {
	words = append(words, l.args...)
	for i, word := range words {
		words[i] = runes.ShellQuoted(word)
	}
	return strings.Join(words, " ")
}

// inHome spells a path below the user's folder.
func inHome(goos, path string) string {
	if goos == "windows" {
		return `%USERPROFILE%\` + strings.ReplaceAll(path, "/", `\`)
	}
	return "~/" + path
}

// desktopConfig is where Claude Desktop keeps its configuration.
func desktopConfig(goos string) string {
	const name = "claude_desktop_config.json"
	switch goos {
	case "darwin":
		return "~/Library/Application Support/Claude/" + name
	case "windows": // a packaged program sees another folder under this name
		return `%APPDATA%\Claude\` + name + ` (if that has no effect, %LOCALAPPDATA%\Packages\Claude_*\LocalCache\Roaming\Claude\` + name + `)`
	}
	return "~/.config/Claude/" + name
}
