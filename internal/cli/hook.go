package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sectile/sectile/internal/clients"
	"github.com/sectile/sectile/internal/doctor"
)

// minWordsVariable is the environment variable with the number of words beyond which
// a document that was read whole brings a reminder.
const minWordsVariable = "MDSEL_MIN_WORDS"

func newHook(s Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Remind an agent to read by section",
		Long: `Remind an agent to read by section: a client starts the program as a hook when a
file has been read, and hands the agent what it prints.`,
		Args: noOther,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newHookClaude(s))
	return cmd
}

func newHookClaude(s Streams) *cobra.Command {
	var config, skill bool
	cmd := &cobra.Command{
		Use:   "claude",
		Short: "Answer an event of Claude Code, or print what sets this up",
		Long: fmt.Sprintf(`Answer an event of Claude Code: if it says that a Markdown document of more than
%d words was read whole, print a reminder that it can be read by section. For every
other event nothing is printed. The event is read from standard input; no call is
ever refused, and the exit code is 0 whatever the input is.

%s sets another number of words; what is no number counts as %[1]d.

On a terminal, or with --print-config, print the settings that make Claude Code
start the hook; with --print-skill, the skill file, as 'sectile skill' does.`, doctor.DefaultMinWords, minWordsVariable),
		Example: `  sectile hook claude --print-config
  mkdir -p .claude/skills/sectile
  sectile hook claude --print-skill > .claude/skills/sectile/SKILL.md`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case skill:
				_, err := fmt.Fprint(s.Out, doctor.Skill().Text)
				return err
			case config || isTyped(s.In):
				c, err := clients.Hook()
				return printConfig(s, c, err)
			}
			_, err := s.Out.Write(doctor.ClaudeHook(doctor.HookRequest{In: s.In, MinWords: os.Getenv(minWordsVariable)}))
			return err
		},
	}
	cmd.Flags().BoolVar(&config, "print-config", false, "print the settings for Claude Code")
	cmd.Flags().BoolVar(&skill, "print-skill", false, "print the skill file")
	cmd.MarkFlagsMutuallyExclusive("print-config", "print-skill")
	return cmd
}

// isTyped reports whether somebody sits at the other end of r.
func isTyped(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// printConfig prints what a client's configuration needs, and what else is to be done.
func printConfig(s Streams, c clients.Config, err error) error {
	if err != nil {
		return err
	}
	if _, err := s.Out.Write(c.Text); err != nil {
		return err
	}
	for _, note := range c.Notes {
		_, _ = fmt.Fprintf(s.Err, "sectile: %s\n", note) // the text has been printed
	}
	return nil
}
