package main

import (
	"bytes"
	"context"
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
			code, message, _ := strings.Cut(r.text(), ":")
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
	whileWrite       // each, when there is a temporary file
)

// byCommand returns a maker that starts a process for each edit.
func (r *run) byCommand(dir string, random *rand.Rand, when dying) maker {
	return func(t *try) answer {
		path := t.File
		if random.IntN(2) == 0 {
			path = filepath.Join(dir, t.File)
		}
		args := []string{"edit", "--json", path, t.Call.Address, t.Call.Action, "--content", t.Call.Content}
		var in []byte
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
		ctx, cancel := context.WithTimeout(context.Background(), callLimit)
		defer cancel()
		switch {
		case when == sometimes && random.IntN(6) == 0:
			timer := time.AfterFunc(time.Duration(random.IntN(12000))*time.Microsecond, cancel)
			defer timer.Stop()
		case when == whileWrite || when == sometimes && random.IntN(12) == 0:
			go cancelAtTemporary(ctx, dir, cancel)
		}
		cmd := exec.CommandContext(ctx, r.program, args...)
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
		out, err := cmd.Output()
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return answer{err: errHangs}
		}
		if ctx.Err() != nil && (err != nil || len(out) == 0) {
			r.tally.add("commands killed", 1)
			return answer{err: errGone}
		}
		if failed, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || len(out) == 0) {
			if ok {
				err = fmt.Errorf("%w: %s", err, failed.Stderr)
			}
			return answer{err: err}
		}
		return answerOf(out)
	}
}

// cancelAtTemporary cancels when there is a temporary file in the folder, or the context
// has ended.
func cancelAtTemporary(ctx context.Context, dir string, cancel func()) {
	defer cancel()
	for ctx.Err() == nil {
		entries, _ := os.ReadDir(dir) // a folder that can't be read has none
		if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return isTemporary(e.Name()) }) {
			return
		}
	}
}

// isTemporary reports whether a name is that of a temporary file of sectile.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".sectile-") && strings.HasSuffix(name, ".tmp")
}
