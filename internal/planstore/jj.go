package planstore

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/repofiles"
	"github.com/sectile/sectile/internal/repoproof"
)

// The plan is the description of the change that the working copy is on.
//
// A plain read looks at the repository alone. Everything else lets Jujutsu first
// take up what has happened in the working copy and, beside it, in git: a
// snapshot. That is a write, and two writes at once make a change divergent, so it
// is done under the lock too. The lock is on the folder of the repository, which
// all of its workspaces share, and a command that writes inherits it: one that
// outlives a process of ours that is killed must end before another writes. The
// user's own commands don't take it; a write of ours waits for a snapshot of theirs
// on Jujutsu's own lock, for it takes one itself.

// jjStore keeps a plan in Jujutsu.
type jjStore struct {
	options *Options
	folder  string // that has the .jj
	program program

	version atomic.Pointer[jjVersion] // nil until the program was asked
}

func newJJStore(o *Options, folder string) *jjStore {
	s := &jjStore{options: o, folder: folder, program: program{
		name: "jj", path: o.JJ, dir: o.Root, timeout: o.Timeout, log: o.Log,
		env: environment(os.Environ(), "JJ_EDITOR=false", "PAGER=cat", "TERM=dumb", "COLUMNS=80"), // else it asks tput how wide the terminal is
	}}
	return s
}

func (*jjStore) Kind() Kind { return JJ }

// run proves that the repository is the project's and runs one command of jj. Its error
// for an exit code has the type that tells what to do, where that is known.
func (s *jjStore) run(ctx context.Context, c *call) (result, error) {
	v, err := s.ask(ctx)
	if err != nil {
		return result{}, unwritten(err)
	}
	at, err := s.place(ctx)
	if err != nil {
		return result{}, unwritten(err)
	}
	c.more = append(append(c.more, "--repository", at.Folder), v.harmless()...)
	if doing := amid(at.GitDir); doing != "" && !slices.Contains(c.args, ignoreWorkingCopy) {
		return result{}, &Error{
			Type: TypeFailed, Unwritten: true, Command: s.program.show(c),
			Message: fmt.Sprintf("git is amid a %s in this folder, which Jujutsu would end without a word", doing),
			Hint:    fmt.Sprintf("finish it or give it up with git first (`git %s`), then try again", giveUp(doing)),
		}
	}
	if !slices.Contains(c.args, ignoreWorkingCopy) {
		if err := s.checkTracked(ctx, at, v); err != nil {
			return result{}, unwritten(err)
		}
	}
	c.writes, c.reads = at.Writes, at.Reads
	if at.Config != "" && !s.options.ReadOnly {
		_ = os.MkdirAll(at.Config, 0o700) // it is Jujutsu's own fault that is told
	}
	r, err := s.program.try(ctx, c)
	if err == nil && r.exit != 0 {
		err = s.explain(c, &r)
	} else if e, ok := errors.AsType[*Error](err); ok && !e.Unwritten && !slices.Contains(c.args, ignoreWorkingCopy) {
		e.Snapshot = true
		e.Message += "; it may have taken a snapshot of the files"
	}
	return r, err
}

// amid returns what git has begun and not ended in a repository, "" for nothing.
func amid(gitDir string) string {
	if gitDir == "" {
		return ""
	}
	for _, of := range [...]struct{ entry, doing string }{
		{"rebase-merge", "rebase"},
		{"rebase-apply/applying", "am"},
		{"rebase-apply", "rebase"},
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"BISECT_LOG", "bisect"},
	} {
		if exists(filepath.Join(gitDir, of.entry)) {
			return of.doing
		}
	}
	return ""
}

// giveUp returns the arguments by which git gives up what it has begun.
func giveUp(doing string) string {
	if doing == "bisect" {
		return "bisect reset"
	}
	return doing + " --abort"
}

// ignoreWorkingCopy keeps Jujutsu from taking up what has happened in the working copy, and in git.
const ignoreWorkingCopy = "--ignore-working-copy"

// checkOutFailed is what jj says after it has written, and couldn't put the files of the
// change into the working copy.
const checkOutFailed = "Failed to check out commit"

// jjFailures are the failures of Jujutsu that are known: by what the line has in which
// it says why it failed, and how they are told. It has one exit code for most of them.
var jjFailures = [...]struct {
	said     string
	kind     Type
	critical bool
	why      string
	hint     string
}{
	{"There is no jj repo", TypeNoRepository, true, "it finds no repository", "make one with `jj git init`, or set `plan.store` in .sectile.yaml"},
	{"working copy is stale", TypeStale, false, "the working copy is stale", "run `jj workspace update-stale`, then try again"},
	{
		checkOutFailed, TypeStale, false, "a commit could not be checked out",
		"another command of jj ran at the same moment: run `jj workspace update-stale`, then read the plan again, for it may have been written",
	},
	{"is immutable", TypeImmutable, false, "the change is immutable", "begin a change of your own with `jj new`"},
	{" is divergent", TypeDivergent, false, "the change is divergent", divergentHint},
	{" resolved to more than one revision", TypeDivergent, false, "the change is divergent", divergentHint},
	{
		"doesn't have a working-copy commit", TypeNoRepository, true, "the workspace has no commit",
		"it isn't there, or was forgotten: `jj workspace list` shows them, and `jj workspace add` makes one",
	},
	{"Failed to parse template", TypeExit, true, "a template can't be parsed", aliasHint},
	{"Config error", TypeExit, true, "the configuration can't be read", "see what `jj config list` says in a terminal"},
}

// explain says what to do about a failure that is known. Only the exit code said
// that there is one. What jj says of itself is in one line; the others may be
// warnings, or quote configuration, templates and descriptions.
func (s *jjStore) explain(c *call, r *result) error {
	e := s.program.exitError(c, r)
	if refused := r.refusal(); refused != nil && !refused.denied {
		return e
	}
	said := ownMessage(r.stderr)
	for i := range jjFailures {
		f := &jjFailures[i]
		if strings.Contains(said, f.said) {
			e.Type, e.Critical, e.Hint, e.Told = f.kind, f.critical, f.hint, f.said == checkOutFailed
			e.because(f.why)
			break
		}
	}
	return e
}

// ownMessage returns the line in which jj says why it failed, or "".
func ownMessage(stderr string) string {
	for line := range strings.Lines(stderr) {
		line = strings.TrimRight(line, "\r\n")
		for _, begin := range [...]string{"Error: ", "Internal error: ", "Config error: "} {
			if strings.HasPrefix(line, begin) {
				return line
			}
		}
	}
	return ""
}

// madeTwice reports whether jj refused to make a commit that is there already.
func (r *result) madeTwice() bool {
	return ownMessage(r.stderr) != "" && strings.Contains(r.stderr, "\nCaused by: Newly-created commit ")
}

const aliasHint = "see whether `template-aliases` in jj's configuration change the word self"

const divergentHint = "see both with `jj log`, and give up one with `jj abandon COMMIT`"

// change is what is read of a change.
type change struct {
	id      string // in full
	short   string
	commit  string
	parents []string // their identifiers, as id is one
	text    string
	current bool     // the working copy is on it
	others  []string // the workspaces that are on it, if there are several in all
	files   []Change

	conflict, immutable, divergent, empty bool

	heads string // as in State
}

// state returns the change as the state of a plan.
func (c *change) state() State {
	return State{
		Text: c.text, Version: newVersion(JJ, c.id, c.text),
		Kind: JJ, Name: c.short, Where: "change " + c.short,
		Conflict: c.conflict, Immutable: c.immutable, Divergent: c.divergent, Heads: c.heads,
	}
}

// look says what is read.
type look struct {
	revset   string
	snapshot *filelock.Lock // take up what has happened in the working copy, under this lock
	files    bool           // read the changed files too
	limit    int            // of changes; 0 for no limit
}

var here = look{revset: "@"}

// read reads changes with one command.
func (s *jjStore) read(ctx context.Context, l look) ([]change, error) {
	v, err := s.ask(ctx)
	if err != nil {
		return nil, err
	}
	form := jsonForm
	if v.before(jsonJJ) {
		form = rawForm
	}
	c := &call{
		args: []string{"log", "--no-graph", "-r", l.revset},
		more: []string{"-T", form.template(l.files)},
	}
	if l.limit > 0 {
		c.args = append(c.args, "--limit", strconv.Itoa(l.limit))
	}
	heads := ""
	if l.snapshot != nil {
		c.keeps = l.snapshot.File()
	} else if heads, err = s.lookOnly(ctx, c); err != nil {
		return nil, err
	}
	r, err := s.run(ctx, c)
	if err != nil {
		return nil, err
	}
	changes, err := form.parse(r.out)
	if err != nil || l.revset == here.revset && (len(changes) != 1 || !changes[0].current) {
		return nil, &Error{
			Type: TypeFailed, Command: s.program.show(c), Critical: true, Err: err,
			Message: code(s.program.show(c)) + " did not print what it was asked for",
			Hint:    aliasHint,
		}
	}
	for i := range changes {
		changes[i].heads = heads
	}
	return changes, nil
}

// lookOnly makes a command one that takes no snapshot. If nothing at all may be written,
// it is also one that looks at a single operation, for several would be merged; if there
// are several, they are named.
func (s *jjStore) lookOnly(ctx context.Context, c *call) (heads string, err error) {
	c.args = append(c.args, ignoreWorkingCopy)
	if !s.options.ReadOnly {
		return "", nil
	}
	at, err := s.place(ctx)
	if err != nil {
		return "", err
	}
	list, err := repofiles.Heads(at.Repo)
	if err != nil {
		return "", ofProof(repoproof.Unreadable("`.jj/repo/op_heads`", err))
	}
	if !repofiles.IsIndexed(at.Repo, list[0]) {
		return "", &Error{
			Type: TypeFailed, Critical: true,
			Message: "Jujutsu has no index of what the repository is at and would write one, and nothing may be written",
			Hint:    "run `jj log` once, which makes it",
		}
	}
	// Of an old operation that a revset looks at jj writes an index too. An alias hides the
	// function from the configuration's aliases as well.
	c.args = append(c.args, "--at-operation", list[0], `--config=revset-aliases."at_operation(operation, revisions)"="none()"`)
	if len(list) == 1 {
		return "", nil
	}
	for i, head := range list {
		list[i] = head[:min(12, len(head))]
	}
	return strings.Join(list, ", "), nil
}

// form is how jj is asked to print a change, and how that is read.
//
// Any word of a template can be an alias that the configuration gives another
// meaning, but for methods. So there are methods alone, of two words: one is made up
// anew each time, as nobody can guess it. The other is self, and a change that is
// printed in the place of the one that was asked for isn't the current one.
type form struct {
	head, files, tail string
	parse             func([]byte) ([]change, error)
}

func (f *form) template(files bool) string {
	t := f.head + f.tail
	if files {
		t = f.head + f.files + f.tail
	}
	return strings.ReplaceAll(t, "EACH", "each"+rand.Text())
}

// jsonForm is an array in JSON on a line for each change.
var jsonForm = &form{
	head: `"[\"" ++ self.change_id() ++ "\",\"" ++ self.change_id().shortest(8) ++ "\",\"" ++ self.commit_id() ++ "\",[" ++ ` +
		`self.parents().map(|EACH| "\"" ++ EACH.change_id() ++ "\"").join(",") ++ "]," ++ ` +
		`self.current_working_copy() ++ ",[" ++ self.working_copies().map(|EACH| EACH.name().escape_json()).join(",") ++ "]," ++ ` +
		`self.conflict() ++ "," ++ self.immutable() ++ "," ++ self.divergent() ++ "," ++ self.empty() ++ "," ++ self.description().escape_json()`,
	files: ` ++ ",[" ++ self.diff().files().map(|EACH| "[\"" ++ EACH.status() ++ "\"," ++ EACH.path().display().escape_json() ++ "," ++ EACH.source().path().display().escape_json() ++ "]").join(",") ++ "]"`,
	tail:  ` ++ "]\n"`,
	parse: parseJSONForm,
}

func parseJSONForm(out []byte) ([]change, error) {
	var changes []change
	for line := range strings.Lines(string(out)) {
		var (
			c     change
			files [][3]string // how each has changed, its path, and that of what it was renamed or copied from
		)
		fields := []any{&c.id, &c.short, &c.commit, &c.parents, &c.current, &c.others, &c.conflict, &c.immutable, &c.divergent, &c.empty, &c.text, &files}
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			return nil, err
		}
		if c.id == "" || c.commit == "" {
			return nil, fmt.Errorf("no identifier in %.80q", line)
		}
		for _, f := range files {
			status := f[0]
			if f[1] != f[2] { // as git tells it, for who may read of one may not read of the other
				if status == "renamed" {
					c.files = append(c.files, Change{Status: "removed", Path: filepath.ToSlash(f[2])})
				}
				status = "added"
			}
			c.files = append(c.files, Change{Status: status, Path: filepath.ToSlash(f[1])})
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// rawForm is what jj before 0.32 can print: fields with NULs between, which are in
// none of them.
var rawForm = &form{
	head: `self.change_id() ++ "\0" ++ self.change_id().shortest(8) ++ "\0" ++ self.commit_id() ++ "\0" ++ ` +
		`self.parents().map(|EACH| EACH.change_id()).join(" ") ++ "\0" ++ ` +
		`self.current_working_copy() ++ "\0" ++ self.working_copies() ++ "\0" ++ ` +
		`self.conflict() ++ "\0" ++ self.immutable() ++ "\0" ++ self.divergent() ++ "\0" ++ self.empty() ++ "\0" ++ self.description() ++ "\0"`,
	files: ` ++ self.diff().summary()`,
	tail:  ` ++ "\0"`,
	parse: parseRawForm,
}

func parseRawForm(out []byte) ([]change, error) {
	const fields = 12
	parts := strings.Split(string(out), "\x00")
	if len(parts)%fields != 1 || parts[len(parts)-1] != "" {
		return nil, fmt.Errorf("%d fields", len(parts))
	}
	var changes []change
	for p := range slices.Chunk(parts[:len(parts)-1], fields) {
		is := func(i int) bool { return p[i] == "true" }
		c := change{
			id: p[0], short: p[1], commit: p[2], parents: strings.Fields(p[3]), current: is(4), others: strings.Fields(strings.ReplaceAll(p[5], "@", "")),
			conflict: is(6), immutable: is(7), divergent: is(8), empty: is(9), text: p[10],
		}
		for line := range strings.Lines(p[11]) {
			letter, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			c.files = append(c.files, Change{Status: statusOf(letter), Path: filepath.ToSlash(path)})
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// statusOf returns what a letter in a list of changed files means.
func statusOf(letter string) string {
	switch letter {
	case "A":
		return "added"
	case "D":
		return "removed"
	case "R":
		return "renamed"
	case "C":
		return "copied"
	case "T":
		return "typechanged"
	case "U":
		return "unmerged"
	}
	return "modified"
}
