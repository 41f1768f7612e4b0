package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/selecting"
	"github.com/sectile/sectile/internal/terminal"
)

// Called through a link named mdsel, the program is a drop-in for mdsel 1.0: its
// commands, options, help and messages, in front of the same requests as those
// of sectile's index, select and format. Paths are files there, as in mdsel:
// neither folders nor patterns.

// mdselVersion is the version of mdsel that the program stands in for.
const mdselVersion = "1.0.0"

// RunProgram is Run for a program that was called by this name. It settles what the working
// directory is called.
func RunProgram(ctx context.Context, program string, args []string, s Streams, servers Servers) int {
	fileinfo.SettleWorkingDirectory()
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	if name != "mdsel" {
		return Run(ctx, args, s, servers)
	}
	s.Out = terminal.NewOutput(s.Out)
	root := newMdsel(s)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	return mdselExitCode(s.Err, root.ExecuteContext(ctx))
}

// errTold says that what is wrong with a command has been told.
var errTold = errors.New("the command is wrong")

// mdselExitCode prints the error that a command ended with as mdsel does, and
// returns the exit code.
func mdselExitCode(w io.Writer, err error) int {
	var (
		reply   *replies.Error
		message string
	)
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE), errors.Is(err, os.ErrClosed):
		return exitOK
	case errors.Is(err, errFailed), errors.Is(err, context.Canceled):
		return exitFailed
	case errors.Is(err, errTold):
		return exitUsage
	case errors.As(err, new(*os.PathError)): // the output can't be written
		printError(w, &replies.Error{Code: "io_error", Message: replies.Text(err.Error())})
		return exitFailed
	case errors.As(err, &reply):
		message = reply.Message.String()
	default:
		message = err.Error()
	}
	_, _ = fmt.Fprintf(w, "error: %s\n", message)
	return exitUsage
}

// newMdsel returns mdsel's command with all that are below it.
func newMdsel(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "mdsel",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			_, _ = fmt.Fprint(s.Err, mdselHelp)
			return errTold
		},
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SuggestionsMinimumDistance = 2
	asJSON := root.PersistentFlags().Bool("json", false, "Output JSON instead of minimal text")
	root.PersistentPreRun = func(*cobra.Command, []string) {
		if *asJSON {
			terminal.PrintsJSON(s.Out)
		}
	}
	root.PersistentFlags().BoolP("version", "V", false, "output the version number")
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { _, _ = fmt.Fprint(s.Out, mdselHelpOf(cmd.Name())) })
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return mdselOptionError(err) })
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newMdselIndex(s, asJSON), newMdselSelect(s, asJSON), newMdselFormat(s, asJSON))
	root.SetHelpCommand(&cobra.Command{
		Use: "help [command]",
		Run: func(_ *cobra.Command, args []string) {
			_, _ = fmt.Fprint(s.Out, mdselHelpOf(strings.Join(args, " ")))
		},
	})
	root.Version = mdselVersion + "\nsectile " + version()
	for _, cmd := range root.Commands() {
		cmd.Version = root.Version
	}
	return root
}

func newMdselIndex(s Streams, asJSON *bool) *cobra.Command {
	req := selecting.IndexRequest{Literal: true}
	cmd := &cobra.Command{
		Use:               "index",
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, err := withPiped(args, s.In)
			if err != nil {
				return errors.New("missing required argument 'files'")
			}
			req.JSON, req.Time = *asJSON, time.Now()
			work, err := (&memoryFlag{bytes: documents.DefaultMaxMemory, context: cmd.Context}).work()
			if err != nil {
				return err
			}
			docs := documents.Set{Paths: paths, Stdin: s.In, Work: work}
			return failed(selecting.Index(cmd.Context(), docs, req, s.Out, s.Err))
		},
	}
	addIndexFlags(cmd, &req)
	return cmd
}

func newMdselSelect(s Streams, asJSON *bool) *cobra.Command {
	req := selecting.SelectRequest{Literal: true, Alone: true}
	cmd := &cobra.Command{
		Use:               "select",
		ValidArgsFunction: completeSelect,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("missing required argument 'selector'")
			}
			req.Selector, req.JSON, req.Time = args[0], *asJSON, time.Now()
			paths, err := withPiped(args[1:], s.In)
			if err != nil {
				if err := selecting.NoFiles(req, s.Out, s.Err); !errors.Is(err, selecting.ErrIncomplete) {
					return err
				}
				return errTold
			}
			work, err := (&memoryFlag{bytes: documents.DefaultMaxMemory, context: cmd.Context}).work()
			if err != nil {
				return err
			}
			docs := documents.Set{Paths: paths, Stdin: s.In, Work: work}
			return failed(selecting.Select(cmd.Context(), docs, req, s.Out, s.Err))
		},
	}
	cmd.Flags().BoolVar(&req.Full, "full", false, "Bypass truncation and return full content")
	return cmd
}

func newMdselFormat(s Streams, asJSON *bool) *cobra.Command {
	var req selecting.FormatRequest
	cmd := &cobra.Command{
		Use:       "format",
		ValidArgs: []string{"index", "select"},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				req.Command = args[0]
			}
			req.JSON = *asJSON
			return printFormat(s, req)
		},
	}
	cmd.Flags().BoolVar(&req.Example, "example", false, "Show example output instead of terse spec")
	return cmd
}

// unknownCommand says that there is no such command, and which one is alike.
func unknownCommand(root *cobra.Command, name string) error {
	message := "unknown command '" + name + "'"
	switch similar := root.SuggestionsFor(name); len(similar) {
	case 0:
	case 1:
		message += "\n(Did you mean " + similar[0] + "?)"
	default:
		message += "\n(Did you mean one of " + strings.Join(similar, ", ") + "?)"
	}
	return errors.New(message)
}

// mdselOptionError says what is wrong with an option in mdsel's words.
func mdselOptionError(err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	switch {
	case !ok:
		return err
	case unknown.GetSpecifiedShortnames() != "":
		return errors.New("unknown option '-" + unknown.GetSpecifiedShortnames() + "'")
	}
	return errors.New("unknown option '--" + unknown.GetSpecifiedName() + "'")
}
