package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/doctor"
)

func newSkill(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "skill",
		Short: "Print the skill file for agents",
		Long: `Print the skill file, which tells an agent how to work with the tools of
'sectile mcp'. The server hands it out itself to clients that ask for skills; for
others, put it where they look for such files.`,
		Example: `  mkdir -p .claude/skills/sectile
  sectile skill > .claude/skills/sectile/SKILL.md`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(s.Out, doctor.Skill().Text)
			return err
		},
	}
}
