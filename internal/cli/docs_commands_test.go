package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sectile/sectile/internal/cli"
)

// docs/commands.md is made from the commands themselves. go test -update writes it
// anew.

const commandsHead = `# Commands

<!-- Made by: go test ./internal/cli -run CommandsPage -update -->

Every command of sectile with its flags. This page is made from the program and checked by a test; ` + "`sectile COMMAND --help`" + ` prints the same. Manual pages and completions for the shell are made from it, too, and come with the packages.

Results go to standard output and errors to standard error. The exit code is 0 if all was done, 1 if a document, a section or an edit failed, and 2 if the command was wrong; [errors.md](errors.md) has the codes.
`

func TestCommandsPage(t *testing.T) {
	root := cli.Command()
	root.InitDefaultCompletionCmd("sectile")
	var b strings.Builder
	b.WriteString(commandsHead)
	b.WriteString("\n| command | does |\n| --- | --- |\n")
	commands := allCommands(root)
	for _, c := range commands {
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", c.CommandPath(), strings.ReplaceAll(c.CommandPath(), " ", "-"), c.Short)
	}
	for _, c := range commands {
		writeCommand(&b, c)
	}
	page := filepath.Join("..", "..", "docs", "commands.md")
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(readPage(t, page), b.String()); diff != "" {
		t.Errorf("docs/commands.md is stale (-page +program), go test ./internal/cli -run CommandsPage -update writes it anew:\n%s", diff)
	}
}

// allCommands returns a command and those below it that people are told of, in
// alphabetical order.
func allCommands(c *cobra.Command) []*cobra.Command {
	commands := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			commands = append(commands, allCommands(sub)...)
		}
	}
	return commands
}

// writeCommand writes what the page says of a command.
func writeCommand(b *strings.Builder, c *cobra.Command) {
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	usage := c.CommandPath()
	if c.Runnable() {
		usage = c.UseLine()
	}
	if c.HasAvailableSubCommands() {
		usage += "\n" + c.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n\n%s\n```\n", c.CommandPath(), usage, strings.TrimSpace(long))
	if c.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
	}
	writeFlags(b, c.LocalFlags())
	var inherited []string
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) { inherited = append(inherited, "`--"+f.Name+"`") })
	if inherited != nil {
		above := c.Parent().CommandPath()
		fmt.Fprintf(b, "\nAnd of [%s](#%s): %s.\n", above, strings.ReplaceAll(above, " ", "-"), strings.Join(inherited, ", "))
	}
}

// valueNames say in words what a flag takes.
var valueNames = map[string]string{
	"string": "text", "stringArray": "text, several times", "strings": "texts, with commas", "int": "number",
}

// writeFlags writes a table of flags, if there are any besides --help.
func writeFlags(b *strings.Builder, flags *pflag.FlagSet) {
	head := "\n| flag | value | default | meaning |\n| --- | --- | --- | --- |\n"
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		value, usage := pflag.UnquoteUsage(f)
		if name, ok := valueNames[value]; ok {
			value = name
		}
		shown := ""
		if f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false" && f.DefValue != "0" {
			shown = "`" + strings.Trim(f.DefValue, "[]") + "`"
		}
		fmt.Fprintf(b, "%s| %s | %s | %s | %s |\n", head, name, value, shown, strings.ReplaceAll(usage, "|", `\|`))
		head = ""
	})
}
