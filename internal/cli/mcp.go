package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/sectile/sectile/internal/clients"
	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/programs"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
	"github.com/sectile/sectile/internal/undoing"
)

// serveFunc is Servers.Serve.
type serveFunc = func(ctx context.Context, o doctor.ServerOptions, in io.Reader, out, log io.Writer) error

// serveHTTPFunc is Servers.ServeHTTP.
type serveHTTPFunc = func(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, log io.Writer) error

func newMCP(s Streams, servers Servers) *cobra.Command {
	var (
		flags  mcpFlags
		client string
	)
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve tools to agents (Model Context Protocol)",
		Long: `Serve tools that read and change Markdown by section, on standard input and output,
to a client of the Model Context Protocol: a coding agent or an editor. The client
starts this command; by hand in a terminal it only waits.

Add it to a client:

  Claude Code     claude mcp add --scope project sectile -- sectile mcp --preset lean
  Codex           codex mcp add sectile -- sectile mcp --preset lean
  Gemini CLI      gemini mcp add sectile sectile -- mcp --preset lean
  VS Code         sectile mcp --print-config vscode
  Cursor          sectile mcp --print-config cursor
  Claude Desktop  sectile mcp --root DIR --print-config claude-desktop

Documents are those below the roots, the working directory unless --root names
others. Standard output carries the protocol alone; the log goes to standard error.

With --http the server is one process for many clients, on this machine: they
connect to the URL that it prints, with the token that it prints or is given. At "/"
it has a page for people, see 'sectile view --help'.`,
		Example: `  sectile mcp --print-config codex
  sectile mcp --root docs --preset lean --print-config claude-code
  sectile mcp --http 127.0.0.1:8080 --token-file token.txt
  sectile mcp --http 127.0.0.1:8080 --print-config claude-code
  sectile doctor`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := flags.options(cmd.Flags())
			if err != nil {
				return err
			}
			overHTTP := cmd.Flags().Changed("http")
			if cmd.Flags().Changed("print-config") {
				if servers.Check != nil {
					if err := servers.Check(o); err != nil {
						return err
					}
				}
				c, err := flags.config(client, &o, cmd.Flags())
				return printConfig(s, c, err)
			}
			if o.ReadOnly {
				if err := servers.keepFromWriting(); err != nil {
					return err
				}
			}
			if overHTTP {
				return serveHTTP(cmd.Context(), s, o, flags.http, servers.ServeHTTP)
			}
			return serveTools(cmd.Context(), s, o, servers.Serve)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&client, "print-config", "", "print what this client's configuration needs, and serve nothing: "+strings.Join(clients.Names(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("print-config", cobra.FixedCompletions(
		clients.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// mcpFlags are the flags that a server is started with.
type mcpFlags struct {
	doctor.ServerOptions

	http doctor.HTTPOptions
	own  []string // patterns of headings
}

// add adds the flags to cmd.
func (f *mcpFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.Roots, "root", nil, "a folder whose documents can be reached; may be given several times (default: the working directory)")
	flags.BoolVar(&f.AllowBroadRoot, "allow-broad-root", false, "allow the root of the file system, and the home folder")
	flags.BoolVar(&f.TextFiles, "text-files", false, "also open UTF-8 files that are no Markdown")
	addWalk(flags, &f.Walk)
	flags.StringSliceVar(&f.PlanFolders, "plans", []string{"plans"}, "the names of folders that hold plan files, which can be read complete")
	flags.Int64Var(&f.MaxBytes, "max-bytes", 64<<20, "refuse documents larger than this, in bytes")
	addMaxMemory(flags, &f.MaxMemory)
	addHeadings(flags, &f.own)
	flags.StringVar(&f.Preset, "preset", "", "a choice of tools: lean (default: all tools)")
	flags.StringSliceVar(&f.Toolsets, "toolsets", nil, "offer these sets of tools, such as navigate,select")
	flags.StringSliceVar(&f.Tools, "tools", nil, "offer these tools, besides those of --preset and --toolsets")
	flags.StringSliceVar(&f.ExcludeTools, "exclude-tools", nil, "do not offer these tools")
	flags.BoolVar(&f.ReadOnly, "read-only", false, "offer no tool that writes, and write nothing anywhere")
	flags.BoolVar(&f.Structured, "structured", false, "add structured content to replies")
	flags.DurationVar(&f.Timeout, "timeout", 30*time.Second, "the longest time that a call may take")
	flags.IntVar(&f.Concurrency, "concurrency", 0, "work on so many calls at once; 0 suits the machine")
	flags.StringVar(&f.LogLevel, "log-level", "warn", "log from this level on: debug, info, warn or error")
	flags.StringVar(&f.http.Address, "http", "", "serve over HTTP at HOST:PORT, such as 127.0.0.1:8080, instead of standard input and output")
	flags.StringVar(&f.http.TokenFile, "token-file", "", "with --http: the file that holds the token of clients (default: a new one is printed)")
	flags.BoolVar(&f.http.AllowRemote, "allow-remote", false, "with --http: allow an address that other machines can reach")
	addPage(flags, &f.http)
	_ = cmd.MarkFlagFilename("token-file")
	_ = cmd.MarkFlagDirname("root")
	_ = cmd.RegisterFlagCompletionFunc("preset", cobra.FixedCompletions([]string{"lean"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions(
		[]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp))
}

// options returns the options of the server, with what no server could be started
// with refused.
func (f *mcpFlags) options(flags *pflag.FlagSet) (doctor.ServerOptions, error) {
	o := f.ServerOptions
	o.Version, o.RuleMemory, o.Journal = version(), true, undoing.Dir()
	o.Toolsets, o.Tools, o.ExcludeTools = trimmed(o.Toolsets), trimmed(o.Tools), trimmed(o.ExcludeTools)
	o.PlanFolders = trimmed(o.PlanFolders)
	for _, check := range []struct {
		ok   bool
		want string
	}{
		{o.MaxBytes > 0, "--max-bytes must be greater than 0"},
		{checkMaxMemory(o.MaxMemory) == "", checkMaxMemory(o.MaxMemory)},
		{o.Timeout > 0, "--timeout must be greater than 0, such as 30s"},
		{o.Concurrency >= 0, "--concurrency must not be negative; 0 suits the machine"},
		{!slices.Contains(o.Roots, ""), "--root is empty; name a folder"},
		{
			flags.Changed("http") || !f.http.AllowRemote && !flags.Changed("token-file") && !f.http.ViewWrites && !flags.Changed("editor"),
			"--allow-remote, --token-file, --view-writes and --editor are for a server of --http ADDRESS",
		},
		{
			f.http.TokenFile != "" || !flags.Changed("token-file"),
			"--token-file is empty; name a file, or leave it out for a token that is made up",
		},
	} {
		if !check.ok {
			return o, usage(check.want)
		}
	}
	if len(f.own) > 0 {
		var err error
		if o.Headings, err = doctor.Headings(context.Background(), f.own); err != nil {
			return o, err
		}
	}
	if flags.Changed("toolsets") && len(o.Toolsets) == 0 || flags.Changed("tools") && len(o.Tools) == 0 {
		return o, usage("a list of tools is empty; leave it out for all of them")
	}
	return o, nil
}

// config returns what the client's configuration needs for a server with the options. One
// that the client starts has few tools unless the flags choose some.
func (f *mcpFlags) config(client string, o *doctor.ServerOptions, flags *pflag.FlagSet) (clients.Config, error) {
	if flags.Changed("http") {
		return clients.Remote(client, &f.http, o, arguments(o, flags))
	}
	given := *o
	if o.Preset == "" && len(o.Toolsets) == 0 && len(o.Tools) == 0 && !flags.Changed("preset") {
		given.Preset = "lean"
	}
	return clients.Local(client, &given, arguments(&given, flags))
}

// trimmed returns the names without white space around them, and without those
// that are nothing else.
func trimmed(names []string) []string {
	var kept []string
	for _, name := range names {
		if name = strings.TrimSpace(name); name != "" {
			kept = append(kept, name)
		}
	}
	return kept
}

// arguments returns the arguments that start a server with the flags that were
// given, in the order of the help, without its roots.
func arguments(o *doctor.ServerOptions, flags *pflag.FlagSet) []string {
	var args []string
	add := func(name, value string) {
		if flags.Changed(name) {
			args = append(args, "--"+name, value)
		}
	}
	enable := func(name string, on bool) {
		if on {
			args = append(args, "--"+name)
		}
	}
	enable("allow-broad-root", o.AllowBroadRoot)
	enable("text-files", o.TextFiles)
	enable("no-ignore", o.Walk.NoIgnore)
	enable("hidden", o.Walk.Hidden)
	add("plans", listed(o.PlanFolders))
	add("max-bytes", strconv.FormatInt(o.MaxBytes, 10))
	add("max-memory", strconv.FormatInt(o.MaxMemory, 10))
	for _, pattern := range o.Headings.Patterns() {
		args = append(args, "--headings", pattern)
	}
	if o.Preset != "" {
		args = append(args, "--preset", o.Preset)
	}
	add("toolsets", listed(o.Toolsets))
	add("tools", listed(o.Tools))
	add("exclude-tools", listed(o.ExcludeTools))
	enable("read-only", o.ReadOnly)
	enable("structured", o.Structured)
	add("timeout", o.Timeout.String())
	add("concurrency", strconv.Itoa(o.Concurrency))
	add("log-level", o.LogLevel)
	return args
}

// listed returns names as a flag that takes several reads them.
func listed(names []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(names) // into memory
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// serveTools serves until standard input ends or the process is told to end.
func serveTools(ctx context.Context, s Streams, o doctor.ServerOptions, serve serveFunc) error {
	if serve == nil {
		return errNoServer()
	}
	if in, ok := s.In.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		_, _ = fmt.Fprintln(s.Err, "sectile: a client of the Model Context Protocol starts this command and talks to it; "+
			"'sectile mcp --help' says how to add it to one. Ctrl-D ends it.")
	}
	return runUntilSignal(ctx, s, func(ctx context.Context) error { return serve(ctx, o, s.In, terminal.Printed(s.Out), s.Err) })
}

// serveHTTP serves over HTTP until the process is told to end.
func serveHTTP(ctx context.Context, s Streams, o doctor.ServerOptions, h doctor.HTTPOptions, serve serveHTTPFunc) error {
	if serve == nil {
		return errNoServer()
	}
	return runUntilSignal(ctx, s, func(ctx context.Context) error { return serve(ctx, o, h, s.Err) })
}

// runUntilSignal runs a server whose context ends when the process is told to end. What it tells
// beside its answers holds nobody up, and whoever stops reading that, or answers, ends no server:
// it gets an error from then on, where a command would end by the signal.
func runUntilSignal(ctx context.Context, s Streams, serve func(ctx context.Context) error) error {
	terminal.Queue(s.Out)
	terminal.Queue(s.Err)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // for good, and not for programs that are started
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by nohup it is
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(ctx, ends...)
	defer stop()
	context.AfterFunc(ctx, stop)          // a second signal ends the process at once
	err := serve(programs.Within(ctx, 0)) // each call has its time
	var known *replies.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return nil
	case errors.As(err, &known):
		return err
	}
	return &replies.Error{Code: "io_error", Message: replies.Text(err.Error()), Err: err}
}

// errNoServer says that this program was made without the server.
func errNoServer() error {
	return &replies.Error{Code: "io_error", Message: replies.Say("this program was built without the server")}
}
