package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
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
