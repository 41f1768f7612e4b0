package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
)

// What was meant by arguments that are short, misspelled or out of place.

// spelledOut returns the arguments with the command that they leave out: 'tree' before a
// document alone, 'read' before one with an address, or with a flag of that command. Of
// those that begin with no command and no document only the first one counts, for nobody
// knows what flags there are. The flag for the pager may stand before all, as other programs have it.
func spelledOut(root *cobra.Command, args []string, s Streams) []string {
	if len(args) > 1 && args[0] == "--"+noPager {
		args = slices.Clone(spelledOut(root, args[1:], s))
		end := slices.Index(args, "--")
		if end < 0 {
			end = len(args)
		}
		return slices.Insert(args, end, "--"+noPager)
	}
	if len(args) > 1 && args[0] == "--" { // no command is behind it, and no flag
		if file, _, _ := partOf(args[1]); file == "" && !isDocument(args[1]) {
			return args
		} else if file == "" && len(args) == 2 {
			return append([]string{newTree(s).Name()}, args...)
		}
		return append([]string{newRead(s).Name()}, args...)
	}
	if len(args) == 0 || strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) || args[0] != documents.Stdin && strings.HasPrefix(args[0], "-") {
		return args
	}
	root.InitDefaultHelpCmd() // which is a command like others
	if cmd, _, err := root.Find(args[:1]); err != nil || cmd != root {
		return args
	}
	if file, _, _ := partOf(args[0]); file != "" {
		return append([]string{newRead(s).Name()}, args...)
	}
	if !isDocument(args[0]) {
		return args[:1]
	}
	tree, read := newTree(s), newRead(s)
	err := tree.ParseFlags(args[1:])
	if err == nil && tree.Flags().NArg() > 0 || err != nil && read.ParseFlags(args[1:]) == nil {
		return append([]string{read.Name()}, args...)
	}
	return append([]string{tree.Name()}, args...)
}

// takesNext reports whether an argument is a flag whose value is the next argument, even if that is --.
func takesNext(cmd *cobra.Command, arg string) bool {
	var flag *pflag.Flag
	if name, ok := strings.CutPrefix(arg, "--"); ok {
		flag = cmd.Flags().Lookup(name)
	} else if len(arg) > 1 && arg[0] == '-' {
		flag = cmd.Flags().ShorthandLookup(arg[len(arg)-1:])
	}
	return flag != nil && flag.NoOptDefVal == ""
}

// isDocument reports whether an argument names documents: a file or a folder that is
// there, a pattern, or standard input.
func isDocument(arg string) bool {
	_, err := os.Stat(arg)
	return err == nil || arg == documents.Stdin || documents.IsGuide(arg) || documents.IsMany(arg)
}

// elsewhere are commands of other programs, and how they are called here.
var elsewhere = map[string]string{ //nolint:gochecknoglobals // a constant
	"find": "search", "grep": "search", "show": "read", "cat": "read", "delete": "rm", "history": "log", "version": "--version",
}

// noOther refuses an argument in the place of a command, and says which may have been meant.
func noOther(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	help := "see '" + cmd.CommandPath() + " --help'"
	if !cmd.HasParent() && isFileName(args[0]) {
		told := &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("unknown command %q for %q, and no such file; ", args[0], cmd.CommandPath())}
		if closest := documents.ClosestTo(args[0]); closest != nil {
			told.Message = told.Message.Then("did you mean %s? ", replies.Safe(strings.Join(closest, ", ")))
		}
		told.Message = told.Message.Then("%s", help)
		return told
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if !cmd.HasParent() {
		names = append(names, documentsHere()...)
	}
	meant := nearest.Question("", args[0], names)
	if here := elsewhere[args[0]]; here != "" && !cmd.HasParent() {
		meant = "did you mean " + here + "? "
	}
	return usage(fmt.Sprintf("unknown command %q for %q; ", args[0], cmd.CommandPath()) + meant + help)
}

// documentsHere returns the names of the documents in the working directory that can be
// shown as they are.
func documentsHere() []string {
	entries, _ := os.ReadDir(".")
	var names []string
	for _, e := range entries {
		if name := e.Name(); isFileName(name) && e.Type().IsRegular() && replies.Safe(name) == name {
			names = append(names, name)
		}
	}
	return names
}

// documentFirst says of a document that isn't there that another argument is one, if it is.
func documentFirst(err error, args []string) error {
	e, ok := errors.AsType[*replies.Error](err)
	if !ok || e.Code != replies.CodeFileNotFound || len(args) < 2 || !isFile(args[1]) {
		return err
	}
	told := *e
	told.Message = e.Message.Then("; %s is a file, and the document comes before the address", replies.Safe(args[1]))
	return &told
}

// isFile reports whether an argument is the name of a file.
func isFile(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.Mode().IsRegular()
}

// partOf takes an argument apart that is no file itself: a file with the lines in it that a
// reply names, with the anchor that a link has, or with an address behind ::. The file is empty
// if it is none of these.
func partOf(arg string) (file, lines, addr string) {
	place, l, isPlace := replies.CutPlace(arg)
	named, part, _ := strings.Cut(arg, "::")
	linked, name, _ := strings.Cut(arg, "#")
	switch {
	case documents.IsGuide(arg) && part != "":
		return named, "", part
	case documents.IsGuide(arg) && name != "":
		return linked, "", "#" + guiding.Decoded(name)
	case isFile(arg):
	case isPlace && isFile(place):
		return place, replies.LineRange(l), ""
	case part != "" && isFile(named):
		return named, "", part
	case name != "" && isFile(linked):
		return linked, "", "#" + name
	}
	return "", "", ""
}

// apart returns the arguments of a read, and its lines if there are none yet, with the part of
// a document that is the only argument taken apart.
func apart(args []string, lines string) ([]string, string) {
	args = documentBefore(args, len(args)-1)
	file, place, addr := partOf(args[0])
	switch {
	case len(args) > 1 || lines != "" || file == "":
		return args, lines
	case addr != "":
		return []string{file, addr}, ""
	}
	return []string{file}, place
}

// documentBefore returns arguments with the document first, which stands behind addresses at a
// place: if nothing is called like the first of them, and something like no other.
func documentBefore(args []string, at int) []string {
	if at < 1 || at >= len(args) || !isFile(args[at]) && !documents.IsGuide(args[at]) || documents.IsGuide(args[0]) || strings.ContainsAny(args[0], "*{") || hasExtension(args[0]) {
		return args
	}
	if _, err := os.Stat(args[0]); err == nil || args[0] == documents.Stdin {
		return args
	}
	return slices.Concat([]string{args[at]}, args[:at], args[at+1:])
}

// withPart returns the arguments of a command that takes so many, of which the first two are a
// document and an address: one that names both is taken apart, docs/a.md#install, and an address
// may stand before the document.
func withPart(args []string, n int) []string {
	if len(args) == n-1 {
		if file, _, addr := partOf(args[0]); addr != "" {
			return slices.Concat([]string{file, addr}, args[1:])
		}
	}
	return documentBefore(args, 1)
}

// partArgs is a check that a command has the n arguments that its use names, which withPart reads.
func partArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n-1 {
			if _, _, addr := partOf(args[0]); addr != "" {
				return nil
			}
		}
		if len(args) > n && cmd.Flags().Lookup("content") != nil {
			return fmt.Errorf("%q is one argument too many; a text to put in goes behind --content", args[n])
		}
		return takes(n, strings.Fields(cmd.Use)[1:]...)(cmd, args)
	}
}

// isFileName reports whether an argument can only be meant as the name of a file.
func isFileName(arg string) bool {
	return strings.ContainsAny(arg, `/\`) || hasExtension(arg)
}

// hasExtension reports whether an argument ends like the name of a Markdown file.
func hasExtension(arg string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx"}, strings.ToLower(filepath.Ext(arg)))
}

// argumentProblem says what is wrong with the arguments, in the words of the library for
// the most part, and what may have been meant.
func argumentProblem(cmd *cobra.Command, err error) string {
	var (
		value   *pflag.InvalidValueError
		number  *strconv.NumError
		unknown *pflag.NotExistError
		syntax  *pflag.InvalidSyntaxError
	)
	help := "see '" + cmd.CommandPath() + " --help'"
	switch {
	case errors.As(err, &value) && errors.As(err, &number): // which says the value again
		name := "--" + value.GetFlag().Name
		if short := value.GetFlag().Shorthand; short != "" {
			name = "-" + short + ", " + name
		}
		return fmt.Sprintf("invalid argument %q for %q flag; %s", value.GetValue(), name, help)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "", errors.As(err, &syntax):
		return err.Error() + "; put what begins with - behind -- if it is no flag; " + help
	case unknown != nil:
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		return err.Error() + "; " + nearest.Question("--", unknown.GetSpecifiedName(), names) + help
	}
	return strings.TrimSuffix(err.Error(), "\n") + "; " + help
}
