package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Edits are made by commands, each a process of its own, and by calls of servers.

// editReply is what is said of an edit that was made.
type editReply struct {
	Edits []struct {
		Now struct{ Hash string }
	}
	Written bool
	Error   *struct {
		Code, Message string
		Current       []struct{ Hash string }
	}
}

// answer is what came of an edit: with err, none did.
type answer struct {
	code    string // of the error; empty for an edit that was made
	message string
	hash    string // of the section as it is now, if that was said
	err     error
}

// maker makes an edit.
type maker func(t *try) answer

// currentHash finds in an error the hash of what is there.
var currentHash = regexp.MustCompile(`(?m)^current text of .* hash ([0-9a-f]{16})`)

// byServer returns a maker that calls a server.
func byServer(c interface {
	call(tool string, args object) (*reply, error)
},
) maker {
	return func(t *try) answer {
		tool, args := "edit_section", object{"path": t.File, "heading": t.Call.Address, "action": t.Call.Action, "content": t.Call.Content}
		if t.Call.Texts != nil {
			tool = "edit_file"
			args = object{"path": t.File, "edits": edits(t)}
		}
		if t.Call.Hash != "" {
			args["expected_hash"] = t.Call.Hash
		}
		r, err := c.call(tool, args)
		if err != nil {
			return answer{err: err}
		}
		if r.IsError {
			code, message, _ := strings.Cut(unmarked(r.text()), ":")
			a := answer{code: code, message: message}
			if found := currentHash.FindStringSubmatch(message); found != nil {
				a.hash = found[1]
			}
			return a
		}
		return answerOf(r.StructuredContent)
	}
}

// edits returns the texts of an edit as arguments of a tool or a command.
func edits(t *try) []object {
	var list []object
	for _, text := range t.Call.Texts {
		list = append(list, object{"old_string": text[0], "new_string": text[1]})
	}
	return list
}

// answerOf reads what is said of an edit.
func answerOf(raw []byte) answer {
	var said editReply
	switch err := json.Unmarshal(raw, &said); {
	case err != nil:
		return answer{err: fmt.Errorf("%w in %q", err, raw)}
	case said.Error != nil:
		a := answer{code: said.Error.Code, message: said.Error.Message}
		if len(said.Error.Current) > 0 {
			a.hash = said.Error.Current[0].Hash
		}
		return a
	case !said.Written:
		return answer{err: fmt.Errorf("neither made nor refused: %q", raw)}
	case len(said.Edits) == 0:
		return answer{err: fmt.Errorf("made without a word on what: %q", raw)}
	}
	return answer{hash: said.Edits[0].Now.Hash}
}

// dying says when processes are killed.
type dying int

const (
	never      dying = iota
	sometimes        // some of them, some time after their start
	whileWrite       // each, when there is a temporary file of its own
)

// command returns the program that is to be run in the folder.
func (a *arena) command(random *rand.Rand, args ...string) *exec.Cmd {
	if len(a.limits) == 0 {
		return command(a.dir, a.program, args...)
	}
	a.tally.add(limitLine, 1)
	return command(a.dir, "/bin/sh", append([]string{"-c", `ulimit -f "$0" && exec "$@"`, pick(random, a.limits), a.program}, args...)...)
}

// byCommand returns a maker that starts a process for each edit.
func (a *arena) byCommand(random *rand.Rand, when dying) maker {
	return func(t *try) answer {
		cmd := a.editing(random, t)
		switch {
		case when == sometimes && random.IntN(6) == 0:
			after := time.Duration(random.IntN(12000)) * time.Microsecond
			return a.perish(cmd, func(p *running) {
				select {
				case <-time.After(after):
					p.kill()
				case <-p.done:
				}
			})
		case when == whileWrite || when == sometimes && random.IntN(12) == 0:
			already := temporaries(a.dir)
			said := a.perish(cmd, func(p *running) {
				if waitForTemporary(a.dir, already, p.done) {
					p.kill()
				}
			})
			// With nobody else there, what is left is of this process, and it died before it
			// could rename or remove it.
			if when == whileWrite && errors.Is(said.err, errGone) && hasMore(a.dir, already) {
				a.tally.add("commands killed while they write", 1)
			}
			return said
		}
		return a.perish(cmd, nil)
	}
}

// editing returns the command that makes an edit.
func (a *arena) editing(random *rand.Rand, t *try) *exec.Cmd {
	path := t.File
	if random.IntN(2) == 0 {
		path = filepath.Join(a.dir, t.File)
	}
	args, in := arguments(t, path)
	cmd := a.command(random, args...)
	cmd.Stdin = bytes.NewReader(in)
	return cmd
}

// arguments returns those of the command that makes an edit, and its input.
func arguments(t *try, path string) (args []string, in []byte) {
	args = []string{"edit", "--json", path, t.Call.Address, t.Call.Action, "--content", t.Call.Content}
	switch len(t.Call.Texts) {
	case 1:
		args = []string{"replace", "--json", path, t.Call.Texts[0][0], t.Call.Texts[0][1]}
	case 2:
		args = []string{"replace", "--json", path, "--edits", "-"}
		in, _ = json.Marshal(edits(t)) // strings alone
	}
	if t.Call.Hash != "" {
		args = append(args, "--expected-hash", t.Call.Hash)
	}
	return args, in
}

// perish runs a command that makes an edit, and may be killed meanwhile. The error is
// errGone if that was so, and before it had answered.
func (a *arena) perish(cmd *exec.Cmd, meanwhile func(*running)) answer {
	e, err := finish(cmd, meanwhile)
	if err != nil {
		return answer{err: err}
	}
	said := answerOf(e.out)
	complete := said.err == nil && bytes.HasSuffix(e.out, []byte("\n"))
	switch {
	case e.killed:
		a.tally.add("commands killed", 1)
		if !complete {
			return answer{err: errGone}
		}
	case !complete || e.state.Success() != (said.code == ""):
		return answer{err: errors.Join(said.err, fmt.Errorf("the command ends with %s and says %q: %s", e.state, e.out, e.log))}
	}
	return said
}

// waitForTemporary waits for a temporary file in the folder that was not there before,
// and reports whether it came before all was done.
func waitForTemporary(dir string, already []string, done <-chan struct{}) bool {
	for !isClosed(done) {
		if hasMore(dir, already) {
			return true
		}
	}
	return false
}

// temporaries returns the names of the temporary files in a folder.
func temporaries(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // a folder that can't be read has none
	for _, e := range entries {
		if isTemporary(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// hasMore reports whether there is a temporary file that is not one of these.
func hasMore(dir string, already []string) bool {
	return slices.ContainsFunc(temporaries(dir), func(name string) bool { return !slices.Contains(already, name) })
}

// isTemporary reports whether a name is that of a temporary file of sectile.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".sectile-") && (strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".held"))
}

// unmarked returns the text of an error without the line that names its mark, and the mark of the next.
func unmarked(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if mark, ok := strings.CutPrefix(line, "mark: "); ok {
		mark, _, _ = strings.Cut(mark, " ")
		return strings.TrimPrefix(rest, mark+" ")
	}
	return text
}
