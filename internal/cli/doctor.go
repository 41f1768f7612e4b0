package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

func newDoctor(s Streams, servers Servers) *cobra.Command {
	var (
		req    doctor.DoctorRequest
		flags  mcpFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that everything is in place",
		Long: `Check that everything is in place, a line each: the program, the folders, the
configuration, git and jj, and whether the server answers as a client would see
it. Where something is not in order, the line below says what to do. The flags are
those that the server is started with.

Nothing is changed, but that a change which was interrupted is taken back; with
--read-only nothing is written at all: such a change is told of, and of the server no
tool is called. The exit code is 1 if a check failed; a warning is about what only some
need.`,
		Example: `  sectile doctor
  sectile doctor --root docs --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			program, err := os.Executable()
			if err != nil {
				return &replies.Error{Code: "io_error", Message: replies.Text(err.Error()), Err: err}
			}
			if req.Server, err = flags.options(cmd.Flags()); err != nil {
				return err
			}
			if req.Server.ReadOnly {
				if err := servers.keepFromWriting(); err != nil {
					return err
				}
			}
			req.Arguments, req.Program, req.Probe = arguments(&req.Server, cmd.Flags()), program, servers.Probe
			report := doctor.Doctor(cmd.Context(), &req)
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			if err := printDoctor(s, &report, asJSON); err != nil {
				return err
			}
			if report.Failed {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	flags.add(cmd)
	return cmd
}

// printDoctor prints what was found, a line a check.
func printDoctor(s Streams, report *doctor.DoctorReport, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(s.Out)
		enc.SetEscapeHTML(false)
		return enc.Encode(report)
	}
	_, err := s.Out.Write(terminal.Wrapped(s.Out, checkLines(report.Checks)))
	return err
}

// checkLines renders checks, a line each, and below it what to do.
func checkLines(checks []replies.Check) []byte {
	var b bytes.Buffer
	for _, c := range checks {
		status := string(c.Status)
		if c.Status == replies.StatusFailed {
			status = "FAILED"
		}
		fmt.Fprintf(&b, "%-7s  %s: %s\n", status, c.Name, c.Message)
		if c.Advice != "" {
			fmt.Fprintf(&b, "%-7s  %s\n", "", c.Advice)
		}
	}
	return b.Bytes()
}
