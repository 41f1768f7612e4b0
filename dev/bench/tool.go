package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
)

// tool is something that people use on Markdown, as far as it can be measured: what
// it can't do is nil. A new one is a file tool_NAME.go with a function that returns
// a tool, and a line in tools. README.md tells more.
type tool struct {
	name string
	// install says how to get it.
	install string
	// optional says that scripts/install-peers has it, which not every machine can.
	optional bool
	// long says that it builds for so long that continuous integration does without it too.
	long bool
	// version returns the version of what is measured, or nothing if that is unknown.
	version func(ctx context.Context) string
	// find reports why the tool can't be used on this machine, or nil. It is called
	// before anything else, and may keep what it finds.
	find func(ctx context.Context, m *machine) error

	// does says how far it parses and what else it does then, for the two below.
	does string
	// parse parses a source within this process. It may panic.
	parse func(source []byte)
	// parseFile is the command that parses a file, for what isn't written in Go.
	parseFile func(path string) []string
	// parsePacked is the command, but for its last argument, that parses the documents of a
	// file, each behind a line with its size in bytes.
	parsePacked func() []string
	// outline is the command that prints the headings of all files below a folder.
	outline func(folder string) []string
	// list is the command that prints the headings of one file.
	list func(file string) []string
	// section is the command that prints a section of a file, which its caller names as
	// exactly as the tool can be told.
	section func(file string, a *askedFor) []string
	// broken checks the links of all files below a folder, and returns the destinations that it
	// complains of.
	broken func(ctx context.Context, folder string) ([]string, error)
	// rename gives a heading of a file in a folder another title, and links follow.
	rename func(ctx context.Context, folder string, h namedAnew) error
	// move gives a file in a folder another path, and links follow.
	move func(ctx context.Context, folder, from, to string) error
	// headings returns the headings of the documents, which stand below a folder
	// by their names.
	headings func(ctx context.Context, folder string, docs []document) (map[string][]heading, error)
	// editor starts an editor of the files of a folder.
	editor func(ctx context.Context, folder string) (editor, error)
	// servers are the ways to start it as a server of tools.
	servers []serverKind
}

// serverKind is a server of the Model Context Protocol on standard input and output.
type serverKind struct {
	name    string // of the tool with its flags
	command func(folder string) []string
	// read is a call that reads the section of a file, or all of the file if the
	// server knows no sections.
	read func(file, section string) call
	// find makes the calls by which the text of a section of a file is found and
	// read by somebody who knows neither, and returns the characters of all
	// replies; way names the calls. The error is a refusal if the text did not
	// arrive.
	way  string
	find func(s *server, file string, t target) (int, error)
	// section reads a section of a file of the folder, which its caller names as exactly as the
	// server can be told, and returns what the reply has of it.
	section func(s *server, file string, a *askedFor) (string, error)
	// ready waits until the server has read the folder, or is nil.
	ready func(*server) error
}

// start starts the server in a folder, and waits until it is ready.
func (k *serverKind) start(ctx context.Context, folder string) (*server, error) {
	s, err := startServer(ctx, k.command(folder))
	if err == nil && k.ready != nil {
		if err = k.ready(s); err != nil {
			s.close()
		}
	}
	return s, err
}

// sections returns the first way in which the tool reads sections as a server, or nil.
func (t *tool) sections() *serverKind {
	for i := range t.servers {
		if t.servers[i].section != nil {
			return &t.servers[i]
		}
	}
	return nil
}

// machine is where the tools run.
type machine struct {
	root    string // of the repository
	scratch string // a folder for what is built and written
	npm     string // the folder with the packages from npm
}

// tools returns all tools, ours first.
func tools(m *machine) []tool {
	return []tool{
		sectile(m), goldmarkTool(), goldmarkGFM(), rsc(), cmark(), md4c(m),
		ctags(), ripgrep(), expression(), filesystem(m), markdownPatch(m), remark(m),
		comrak(m), pulldownCmark(m), mistune(m), mdq(m), mdselect(m),
		docgraphical(m), lychee(m), rumdl(m), remarkLinks(m), linkCheck(m), markdownlint(m), vscode(m),
		mq(m), patchloom(m), mdTree(m), treemd(m), iwe(m), vault(m), quantalogic(m), codescout(m),
	}
}

// present returns the tools that can be used, and a line for each other one.
func present(ctx context.Context, m *machine, all []tool) (found []tool, skipped []string, err error) {
	for i := range all {
		switch err := all[i].find(ctx, m); {
		case err == nil:
			found = append(found, all[i])
		case all[i].name == ours:
			return nil, nil, err
		default:
			what := "left out"
			if all[i].mayLack() {
				what = "not measured"
			}
			skipped = append(skipped, fmt.Sprintf("%s is %s: %v. To have it: %s", all[i].name, what, err, all[i].install))
		}
	}
	return found, skipped, nil
}

// mayLack reports whether a machine may be without the tool: SECTILE_REQUIRE_PEERS forbids that
// of one that scripts/install-peers has, unless that takes long.
func (t *tool) mayLack() bool {
	return t.long || t.optional && os.Getenv("SECTILE_REQUIRE_PEERS") == ""
}

// ours is the name of the tool that all others are compared with.
const ours = "sectile"

// program finds a program and returns an error that names it.
func program(name string) func(context.Context, *machine) error {
	return func(context.Context, *machine) error {
		_, err := exec.LookPath(name)
		return err
	}
}

// always is for what is part of this program.
func always(context.Context, *machine) error { return nil }

// moduleVersion returns the version of a module that is part of this program.
func moduleVersion(path string) func(context.Context) string {
	return func(context.Context) string {
		info, _ := debug.ReadBuildInfo()
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
		return ""
	}
}

// versionBy returns the first version that a command prints.
func versionBy(command ...string) func(context.Context) string {
	return func(ctx context.Context) string {
		out, err := run(ctx, command)
		if err != nil {
			return ""
		}
		return regexp.MustCompile(`v?[0-9]+(\.[0-9]+)+`).FindString(string(out))
	}
}

// installNPM says how to get what npm has.
const installNPM = "install Node.js and npm, and run `scripts/bench` without `-offline`"

// run runs a command and returns its output.
func run(ctx context.Context, command []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%s: %w: %.500s", command[0], err, exit.Stderr)
	}
	return out, err
}

// running makes a contender of a command whose output is read.
func running(ctx context.Context, name string, command []string) contender {
	return contender{name, func() error {
		_, err := run(ctx, command)
		return err
	}}
}

// silent makes a contender of a command whose output nobody reads, so that one that
// prints much does not wait for this program.
func silent(ctx context.Context, name string, command []string) contender {
	return contender{name, func() error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		var complaint bytes.Buffer
		cmd.Stderr = &complaint // without Stdout, which is the null device then
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w: %.500s", command[0], err, complaint.Bytes())
		}
		return nil
	}}
}

// forDocuments reports whether the tool does something with documents that has a table of its own.
func (t *tool) forDocuments() bool {
	return t.section != nil || t.sections() != nil || t.list != nil || t.editor != nil || t.broken != nil || t.rename != nil || t.move != nil
}
