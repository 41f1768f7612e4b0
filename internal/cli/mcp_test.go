package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/cli"
	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// TestServerOptions hands what the flags say to the server, and its streams.
func TestServerOptions(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want doctor.ServerOptions
	}{
		{nil, doctor.ServerOptions{PlanFolders: []string{"plans"}, MaxBytes: 64 << 20, MaxMemory: 1 << 30, RuleMemory: true, Timeout: 30 * time.Second, LogLevel: "warn"}},
		{
			[]string{
				"--root", "a,b", "--root=c", "--allow-broad-root", "--text-files", "--no-ignore", "--hidden", "--plans", "specs, plans", "--max-bytes", "9", "--preset", "lean",
				"--max-memory", "99000000", "--toolsets", "navigate, select", "--tools=x,y", "--tools", "z", "--exclude-tools", "y", "--read-only",
				"--structured", "--timeout", "1m30s", "--concurrency", "3", "--log-level", "debug",
			},
			doctor.ServerOptions{
				Roots: []string{"a,b", "c"}, AllowBroadRoot: true, TextFiles: true, Walk: documents.WalkOptions{NoIgnore: true, Hidden: true}, PlanFolders: []string{"specs", "plans"}, MaxBytes: 9, MaxMemory: 99_000_000, RuleMemory: true, Preset: "lean",
				Toolsets: []string{"navigate", "select"}, Tools: []string{"x", "y", "z"}, ExcludeTools: []string{"y"},
				ReadOnly: true, Structured: true, Timeout: 90 * time.Second, Concurrency: 3, LogLevel: "debug",
			},
		},
	} {
		var got doctor.ServerOptions
		serve := func(_ context.Context, o doctor.ServerOptions, in io.Reader, out, log io.Writer) error {
			got = o
			_, err := io.Copy(out, in)
			_, _ = io.WriteString(log, "log")
			return err
		}
		var out, errs bytes.Buffer
		streams := cli.Streams{In: strings.NewReader("in"), Out: &out, Err: &errs}
		code := cli.Run(t.Context(), append([]string{"mcp"}, tt.args...), streams, cli.Servers{Serve: serve})
		if code != 0 || out.String() != "in" || errs.String() != "log" {
			t.Errorf("%q: exit code %d, %q, %q", tt.args, code, out.String(), errs.String())
		}
		if got.Version == "" || !strings.HasPrefix(got.Journal, os.Getenv("XDG_STATE_HOME")) {
			t.Errorf("%q: the server is not told its version, or the user's journal: %+v", tt.args, got)
		}
		got.Version, got.Journal = "", ""
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: options (-want +got):\n%s", tt.args, diff)
		}
	}
}

// TestServerErrors ends with the exit code that fits the error of the server.
func TestServerErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		code int
		want string
	}{
		{"none", nil, 0, ""},
		{"wrong options", &replies.Error{Code: "invalid_argument", Message: replies.Say("no")}, 2, "sectile: invalid_argument: no\n"},
		{"no root", &replies.Error{Code: "file_not_found", Path: "a", Message: replies.Say("no")}, 1, "sectile: file_not_found: a: no\n"},
		{"another one", errors.New("transport broken"), 1, "sectile: io_error: transport broken\n"},
		{"the client has gone", syscall.EPIPE, 0, ""},
	} {
		serve := func(context.Context, doctor.ServerOptions, io.Reader, io.Writer, io.Writer) error { return tt.err }
		var out, errs bytes.Buffer
		streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}
		if code := cli.Run(t.Context(), []string{"mcp"}, streams, cli.Servers{Serve: serve}); code != tt.code || errs.String() != tt.want || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, %q, want %d, %q", tt.name, code, out.String(), errs.String(), tt.code, tt.want)
		}
	}
}

// TestWithoutServers is a program without the server: it says so, and does the
// rest.
func TestWithoutServers(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	root := t.TempDir()
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"mcp"}, 1, "", "sectile: io_error: this program was built without the server\n"},
		{[]string{"mcp", "--print-config", "gemini"}, 0, `"mcpServers"`, "sectile: add this to "},
		{[]string{"doctor", "--root", root}, 0, "warning  server: was not asked\n", ""},
	} {
		var out, errs bytes.Buffer
		streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}
		code := cli.Run(t.Context(), tt.args, streams, cli.Servers{})
		if code != tt.code || !strings.Contains(out.String(), tt.stdout) || !strings.HasPrefix(errs.String(), tt.stderr) {
			t.Errorf("%q: exit code %d, %q, %q", tt.args, code, out.String(), errs.String())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if code := cli.Run(ctx, []string{"doctor", "--root", root}, cli.Streams{Out: &out, Err: &errs}, cli.Servers{}); code != 1 || out.Len() > 0 {
		t.Errorf("cancelled: exit code %d, %q, %q", code, out.String(), errs.String())
	}
}

// TestPrintConfigKnowsFlags gives each flag of the command to --print-config: what it prints, a
// command to start the server or what starts it, has the flag.
func TestPrintConfigKnowsFlags(t *testing.T) {
	var help bytes.Buffer
	if code := cli.Run(t.Context(), []string{"mcp", "--help"}, cli.Streams{In: strings.NewReader(""), Out: &help, Err: io.Discard}, cli.Servers{}); code != 0 {
		t.Fatal(code)
	}
	flags := regexp.MustCompile(`(?m)^ {2,6}(?:-h, )?--([a-z-]+)(?: (\w+))? {2,}`).FindAllStringSubmatch(help.String(), -1)
	if len(flags) < 20 {
		t.Fatalf("%d flags in %s", len(flags), help.String())
	}
	values := map[string]string{"stringArray": "sub", "strings": "navigate", "int": "123456789", "duration": "41s"}
	for _, flag := range flags {
		name, value := flag[1], values[flag[2]]
		switch name {
		case "help", "print-config":
			continue
		case "http":
			value = "127.0.0.1:8123"
		case "preset":
			value = "lean"
		case "log-level":
			value = "debug"
		case "tools", "exclude-tools":
			value = "read_file"
		case "editor":
			value = "vscode://file{path}:{line}"
		case "token-file":
			value = "token"
		case "headings":
			value = "2:x"
		}
		given := "--" + name
		if value != "" {
			given += "=" + value
		}
		var out, errs bytes.Buffer
		args := []string{"mcp", "--print-config", "codex", given}
		if name != "http" {
			args = append(args, "--http", "127.0.0.1:8123")
		}
		code := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, cli.Servers{})
		if printed := errs.String(); code != 0 || !strings.Contains(printed, " --"+name) || !strings.Contains(printed, value) {
			t.Errorf("%s: exit code %d, %s%s", given, code, out.String(), printed)
		}
	}
}
