package cli

import (
	"slices"

	"github.com/spf13/cobra"
)

// To make all commands takes as long as to run a small one, so only the one that is called
// is made, and all of them where somebody looks for one.

// command is a command below the program's own: its name, and what makes it.
type command struct {
	name string
	make func() *cobra.Command
}

// commands are all commands below the program's own.
func commands(s Streams, servers Servers) []command {
	of := func(made func(Streams) *cobra.Command) func() *cobra.Command {
		return func() *cobra.Command { return made(s) }
	}
	return []command{
		{"tree", of(newTree)},
		{"sections", of(newSections)},
		{"links", of(newLinks)},
		{"toc", of(newTOC)},
		{"bounds", of(newBounds)},
		{"read", of(newRead)},
		{"search", of(newSearch)},
		{"list", of(newList)},
		{"index", of(newIndex)},
		{"select", of(newSelect)},
		{"diff", of(newDiff)},
		{"format", of(newFormat)},
		{"edit", of(newEdit)},
		{"rename", of(newRename)},
		{"move", of(newMove)},
		{"replace", of(newReplace)},
		{"new", of(newNew)},
		{"mv", of(newMv)},
		{"rm", of(newRm)},
		{"undo", func() *cobra.Command { return newUndo(s, false) }},
		{"redo", func() *cobra.Command { return newUndo(s, true) }},
		{"log", of(newLog)},
		{"guide", of(newGuide)},
		{"plan", of(newPlan)},
		{"mcp", func() *cobra.Command { return newMCP(s, servers) }},
		{"view", func() *cobra.Command { return newView(s, servers) }},
		{"skill", of(newSkill)},
		{"hook", of(newHook)},
		{"doctor", func() *cobra.Command { return newDoctor(s, servers) }},
	}
}

// onlyOf returns the name of the only command that a command line needs, which may be that of
// none, or nothing if it may need any.
func onlyOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	named := slices.ContainsFunc(commands(Streams{}, Servers{}), func(c command) bool { return c.name == args[0] })
	if named || len(args) == 1 && args[0] == "--version" {
		return args[0]
	}
	return ""
}
