package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/programs"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // a document could not be read, or a section not be found
	exitUsage  = 2 // the command itself is wrong
)

// Streams are what a command reads and writes.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Servers are the functions behind the commands that start a server. They are
// handed in, because no adapter knows another one; without them, those commands
// say that they can't.
type Servers struct {
	// Serve answers requests from in on out until in ends or the context does.
	// What it logs goes to log.
	Serve func(ctx context.Context, o doctor.ServerOptions, in io.Reader, out, log io.Writer) error
	// ServeHTTP answers requests over HTTP until the context ends. What clients have to
	// know, and what it logs, goes to log.
	ServeHTTP func(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, log io.Writer) error
	// View shows documents in a browser until the context ends. What the user has to open goes
	// to out.
	View func(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, out, log io.Writer) error
	// Check refuses options that no server is started with.
	Check func(o doctor.ServerOptions) error
	// Probe starts a program as a server and questions it.
	Probe func(ctx context.Context, program string, args ...string) (doctor.ProbeReport, error)
	// KeepFromWriting has the system keep this process, and those that it starts, from
	// writing to any file for good. Without it nothing does.
	KeepFromWriting func() error
}

// keepFromWriting calls KeepFromWriting if there is one. The error is an *Error.
func (s *Servers) keepFromWriting() error {
	if s.KeepFromWriting == nil {
		return nil
	}
	if err := s.KeepFromWriting(); err != nil {
		return &replies.Error{Code: "io_error", Message: replies.Text("the system can't be told to keep sectile from writing: " + err.Error()), Err: err}
	}
	return nil
}

// programsTime is how long commands of git and Jujutsu run together for one command, as long as for
// a call of a server by default. What goes on until it is ended has other limits.
const programsTime = 30 * time.Second

// Run runs the command line with the arguments that follow the program's name,
// and returns the exit code.
func Run(ctx context.Context, args []string, s Streams, servers Servers) int {
	out, errs := terminal.NewOutput(s.Out), terminal.NewOutput(s.Err)
	s.Out, s.Err = out, errs
	root := newRoot(s, servers, onlyOf(args))
	args = spelledOut(root, args, s)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	cmd, err := root.ExecuteContextC(programs.Within(ctx, programsTime))
	if err == nil {
		err = out.Err()
	}
	code := exitCode(cmd, args, s, err)
	terminal.PagerOf(s.Out).End()
	out.End()
	errs.End()
	return code
}

// errFailed says that a command has printed what failed.
var errFailed = errors.New("some documents failed")

// flagError says that the flags could not be parsed: what stands after the one that is
// wrong was not looked at.
type flagError struct{ error }

// Unwrap returns what is wrong with a flag.
func (e flagError) Unwrap() error { return e.error }

// exitCode prints the error that a command with these arguments ended with and returns
// the exit code.
func exitCode(cmd *cobra.Command, args []string, s Streams, err error) int {
	var reply *replies.Error
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.Is(err, syscall.EPIPE), errors.Is(err, os.ErrClosed):
		return exitOK // who reads the output has seen enough
	case errors.As(err, &reply):
		tell(s, reply, wantsJSON(cmd, args, err))
		if reply.Usage() {
			return exitUsage
		}
		return exitFailed
	case errors.Is(err, context.Canceled):
		return exitFailed
	case errors.As(err, new(*os.PathError)): // the output can't be written
		printError(s.Err, &replies.Error{Code: "io_error", Message: replies.Text(err.Error() + "; if the command changes something, look before you repeat it")})
		return exitFailed
	}
	tell(s, replies.AsError(usage(argumentProblem(cmd, err))), wantsJSON(cmd, args, err))
	return exitUsage
}

// wantsJSON reports whether the command was asked for JSON. Of flags that could not be
// parsed all arguments tell, not only those in front of the one that is wrong.
func wantsJSON(cmd *cobra.Command, args []string, err error) bool {
	flag := cmd.Flags().Lookup("json")
	if flag == nil {
		return false
	}
	want := flag.Value.String() == "true"
	if _, ok := errors.AsType[flagError](err); !ok {
		return want
	}
	for i, arg := range args {
		if arg == "--" && (i == 0 || !takesNext(cmd, args[i-1])) {
			break
		}
		if arg == "--json" {
			want = true
		} else if value, ok := strings.CutPrefix(arg, "--json="); ok {
			truth, err := strconv.ParseBool(value)
			want = truth || err != nil // whoever misspells that wants it
		}
	}
	return want
}

// withClosestFiles adds to the error for a file that is missing which others there are.
func withClosestFiles(e *replies.Error) *replies.Error {
	closest := documents.ClosestFiles(e.Err)
	if closest == nil {
		return e
	}
	told := *e
	told.Message = e.Message.Then("; did you mean %s?", replies.Safe(strings.Join(closest, ", ")))
	return &told
}

// tell prints the error that a command ended with: on standard error, or in JSON on
// standard output, whichever its exit code is.
func tell(s Streams, e *replies.Error, inJSON bool) {
	if inJSON {
		terminal.PrintsJSON(s.Out)
		_, _ = s.Out.Write(replies.ErrorJSON(withClosestFiles(e))) // there is nowhere else to tell
		return
	}
	printError(s.Err, e)
}

// tellFailed tells of documents that failed beside others, unless the output has them, as JSON
// does. It returns errFailed if there are any.
func tellFailed(s Streams, failed []*replies.Error, inOutput bool) error {
	if len(failed) == 0 {
		return nil
	}
	if !inOutput {
		for _, e := range failed {
			tell(s, e, false)
		}
	}
	return errFailed
}

// usage is the error for a command that is wrong.
func usage(message string) error {
	return &replies.Error{Code: "invalid_argument", Message: replies.Text(message)}
}

// refuseEmptyGuards refuses flags that guard a change, or say where it is made, and that
// are given and empty or 0, as a variable of a script may be: without them the change would
// be another one.
func refuseEmptyGuards(cmd *cobra.Command) error {
	for _, guard := range []struct{ name, way string }{
		{"expected-hash", "give the hash that was read, or leave it out"},
		{"expected-version", "give the version that was read, or leave it out"},
		{"in", "name a section, or leave it out to search the whole file"},
	} {
		if !cmd.Flags().Changed(guard.name) {
			continue
		}
		if value, err := cmd.Flags().GetString(guard.name); err == nil && strings.TrimSpace(value) == "" {
			return replies.Unwritten(usage(fmt.Sprintf("--%s is empty; %s", guard.name, guard.way)))
		}
	}
	if count, err := cmd.Flags().GetInt("expect"); err == nil && count == 0 && cmd.Flags().Changed("expect") {
		return replies.Unwritten(usage("--expect is 0; give the number of places, or leave it out"))
	}
	return nil
}

// printError prints an error as all of them look: a line, and one for each
// candidate.
func printError(w io.Writer, e *replies.Error) {
	e = withClosestFiles(e)
	text := fmt.Appendf(nil, "sectile: %v\n", e)
	for _, line := range e.Lines() {
		text = fmt.Appendf(text, "  %s\n", line)
	}
	_, _ = w.Write(terminal.Wrapped(w, text)) // there is nowhere else to tell
	_, _ = w.Write(terminal.Shown(w, string(e.Quoted())))
}

// newRoot returns the program's command with all that are below it.
func newRoot(s Streams, servers Servers, only string) *cobra.Command {
	root := &cobra.Command{
		Use:   "sectile [DOCUMENT [ADDRESS...]]",
		Short: "Markdown by section: find, read and change the parts of long documents",
		Long: `sectile shows Markdown documents by section: their outline as a tree or a list,
where a section begins and ends, and the text of exactly the part that is asked for.
It finds sections by words, by a text or by a regular expression, and it changes a
section, or a text in it, without touching a byte beside it.

'sectile DOCUMENT' is 'sectile tree DOCUMENT', and with an address behind it
'sectile read DOCUMENT ADDRESS'. A command's name comes before a file's: write
./tree for a file of that name.

A document is a file, a folder (its Markdown files and those below), a pattern
such as 'docs/**/*.md', or - for standard input.

What is longer than the terminal goes to a pager: the program in PAGER, or less.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Example: `  sectile README.md
  sectile README.md Install
  sectile search 'install proxy'
  sectile edit README.md Install append --content 'Run make.'`,
		Args:              noOther,
		ValidArgsFunction: completeDocument,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError{err} })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Name() != "mcp" { // whose standard error is a log, and which writes down what its tools do
			cmd.SetContext(documents.WithLockNotice(cmd.Context(), func(sentence string) {
				_, _ = fmt.Fprintln(s.Err, "sectile: "+sentence) // there is nowhere else to tell
			}))
			cmd.SetContext(historyOf(s).For(cmd.Context(), documents.Reader{}, strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" "), os.Args[min(1, len(os.Args)):]))
		}
		if wantsJSON(cmd, nil, nil) {
			terminal.PrintsJSON(s.Out)
		}
		if p := pagerOf(cmd, s); p != nil {
			p.Pages(s.Out, s.Err)
		}
		return refuseEmptyGuards(cmd)
	}
	root.SetHelpFunc(printHelp)
	root.SetVersionTemplate("sectile {{.Version}}\n")
	for _, c := range commands(s, servers) {
		if only == "" || only == c.name {
			root.AddCommand(c.make())
		}
	}
	addScripts(root, s)
	return root
}
