package clients

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/runes"
)

// awkward are arguments that have a meaning in some notation or other.
var awkward = []string{
	"mcp", "", " ", "a b", `"`, `\`, `C:\docs\new`, "'", "$HOME", "${x}", "#", "a=b", "[t]", "<&>", "\t\n\r\b\f\x00\x1f\x7f", "é 語 🙂", "\u2028", "-", "--", "a,b", "c\u009b31m", "\u202ea", "\U000E0041", "1\uFE0F", "❤\uFE0F",
}

// TestConfigJSON reads the configuration back: every argument is what it was.
func TestConfigJSON(t *testing.T) {
	l := launch{command: `C:\Program Files\sectile.exe`, args: awkward}
	for _, c := range clients() {
		if c.name == "codex" {
			continue
		}
		text, err := c.render(l)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]map[string]struct {
			Type, Command string
			Args          []string
		}
		dec := json.NewDecoder(strings.NewReader(string(text)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&got); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, text)
		}
		key := map[string]string{"vscode": "servers"}[c.name]
		if key == "" {
			key = "mcpServers"
		}
		server, ok := got[key]["sectile"]
		if !ok || len(got) != 1 || len(got[key]) != 1 || server.Command != l.command {
			t.Errorf("%s: the configuration is\n%s", c.name, text)
		}
		if diff := cmp.Diff(awkward, server.Args); diff != "" {
			t.Errorf("%s: arguments (-want +got):\n%s", c.name, diff)
		}
		showsItself(t, text)
		if strings.Contains(string(text), `\u003c`) || !strings.HasSuffix(string(text), "}\n") {
			t.Errorf("%s: the text is escaped for HTML, or ends without a line end:\n%s", c.name, text)
		}
	}
}

// showsItself fails the test if a character of a configuration acts without being seen.
func showsItself(t *testing.T, text []byte) {
	t.Helper()
	for line := range strings.Lines(string(text)) {
		if !runes.Safe(strings.TrimSuffix(line, "\n")) {
			t.Errorf("%q has a character that acts", line)
		}
	}
}

// TestConfigTOML reads the table of Codex back, by the rules of TOML 1.0 for the
// little of it that is used.
func TestConfigTOML(t *testing.T) {
	l := launch{command: `C:\Program Files\sectile.exe`, args: awkward, timeout: 30 * time.Second}
	lines := strings.Split(string(l.toml()), "\n")
	showsItself(t, l.toml())
	if len(lines) != 5 || lines[0] != "[mcp_servers.sectile]" || lines[3] != "tool_timeout_sec = 60" || lines[4] != "" {
		t.Fatalf("the table is %q", lines)
	}
	command, rest := basicString(t, strings.TrimPrefix(lines[1], "command = "))
	if command != l.command || rest != "" {
		t.Errorf("the command is %q and %q", command, rest)
	}
	var args []string
	rest = strings.TrimPrefix(lines[2], "args = [")
	for rest != "]" {
		var arg string
		arg, rest = basicString(t, strings.TrimPrefix(rest, ", "))
		args = append(args, arg)
	}
	if diff := cmp.Diff(awkward, args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

// basicString reads a basic string from the beginning of s and returns it and what
// follows.
func basicString(t *testing.T, s string) (text, rest string) {
	t.Helper()
	if !strings.HasPrefix(s, `"`) {
		t.Fatalf("%q does not begin with a string", s)
	}
	short := map[byte]string{'"': `"`, '\\': `\`, 'b': "\b", 't': "\t", 'n': "\n", 'f': "\f", 'r': "\r"}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return text, s[i+1:]
		case c == '\\' && (s[i+1] == 'u' || s[i+1] == 'U'):
			digits := map[byte]int{'u': 4, 'U': 8}[s[i+1]]
			n, err := strconv.ParseUint(s[i+2:i+2+digits], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			text += string(rune(n))
			i += 1 + digits
		case c == '\\':
			char, ok := short[s[i+1]]
			if !ok {
				t.Fatalf("there is no escape \\%c", s[i+1])
			}
			text += char
			i++
		case c < ' ' && c != '\t' || c == 0x7F:
			t.Fatalf("a control character %#x stands in a string", c)
		default:
			text += s[i : i+1]
		}
	}
	t.Fatalf("the string %q does not end", s)
	return "", ""
}

func TestConfigTimeout(t *testing.T) {
	for timeout, want := range map[time.Duration]int{
		time.Millisecond: 31, 30 * time.Second: 60, 90500 * time.Millisecond: 121, 10 * time.Minute: 630,
	} {
		if got := string(launch{timeout: timeout}.toml()); !strings.Contains(got, fmt.Sprintf("tool_timeout_sec = %d\n", want)) {
			t.Errorf("%v: want %d\n%s", timeout, want, got)
		}
	}
}

// TestConfigPlace names the place on every system, on one line.
func TestConfigPlace(t *testing.T) {
	l := launch{command: "/opt/my tools/sectile", args: []string{"mcp", "--root", "it's\nhere"}}
	for _, tt := range []struct{ client, goos, want string }{
		{
			"claude-code", "linux",
			`.mcp.json in the folder of the project; or run: claude mcp add --scope project sectile -- '/opt/my tools/sectile' mcp --root $'it\'s\nhere'`,
		},
		{
			"codex", "darwin",
			`~/.codex/config.toml, or .codex/config.toml of a project that is trusted; or run: codex mcp add sectile -- '/opt/my tools/sectile' mcp --root $'it\'s\nhere'`,
		},
		{
			"codex", "windows",
			`%USERPROFILE%\.codex\config.toml, or .codex/config.toml of a project that is trusted; or run: codex mcp add sectile -- '/opt/my tools/sectile' mcp --root $'it\'s\nhere'`,
		},
		{
			"gemini", "linux",
			`.gemini/settings.json in the folder of the project, or ~/.gemini/settings.json; or run: gemini mcp add sectile '/opt/my tools/sectile' -- mcp --root $'it\'s\nhere'`,
		},
		{"vscode", "linux", `.vscode/mcp.json in the folder of the project`},
		{"cursor", "windows", `.cursor/mcp.json in the folder of the project`},
		{"claude-desktop", "linux", `~/.config/Claude/claude_desktop_config.json; then start Claude Desktop anew`},
		{"claude-desktop", "darwin", `~/Library/Application Support/Claude/claude_desktop_config.json; then start Claude Desktop anew`},
		{
			"claude-desktop", "windows",
			`%APPDATA%\Claude\claude_desktop_config.json (if that has no effect, %LOCALAPPDATA%\Packages\Claude_*\LocalCache\Roaming\Claude\claude_desktop_config.json); then start Claude Desktop anew`,
		},
	} {
		c, err := findClient(tt.client)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, c.place(l, tt.goos)); diff != "" {
			t.Errorf("%s on %s (-want +got):\n%s", tt.client, tt.goos, diff)
		}
	}
}

func TestFindClient(t *testing.T) {
	for name, want := range map[string]string{
		"claude-code": "claude-code", "Claude Code": "claude-code", "CLAUDE": "claude-code", "claude_code": "claude-code",
		"codex": "codex", "Codex-CLI": "codex", "gemini-cli": "gemini", "VSCode": "vscode", "VS Code": "vscode", "copilot": "vscode",
		" cursor ": "cursor", "Claude Desktop": "claude-desktop",
	} {
		if c, err := findClient(name); err != nil || c.name != want {
			t.Errorf("%q: %q, %v, want %q", name, c.name, err, want)
		}
	}
	seen := map[string]string{}
	for _, c := range clients() {
		for _, name := range append(c.aliases, c.name) {
			if seen[name] != "" {
				t.Errorf("%s and %s are both called %s", seen[name], c.name, name)
			}
			seen[name] = c.name
		}
	}
}
