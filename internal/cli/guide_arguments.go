package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// What the commands about guides say of arguments that are missing or too many: they
// name the argument, where the library counts. The errors name the help, as all that
// come from the library do.

// takes returns a check that a command has the arguments of these names, and no more
// of them. The first so many must be there.
func takes(needed int, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < needed:
			return fmt.Errorf("%s is missing; write '%s %s'", names[len(args)], cmd.CommandPath(), strings.Join(names[:needed], " "))
		case len(args) > len(names) && len(names) == 0:
			return fmt.Errorf("'%s' takes no argument, and there is %q", cmd.CommandPath(), args[0])
		case len(args) > len(names):
			return fmt.Errorf("'%s' takes %s, and %q is one too many; put what has blanks or special characters in quotes",
				cmd.CommandPath(), strings.Join(names, " and "), args[len(names)])
		}
		return nil
	}
}
