package planstore

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The plan is the description of the change that the working copy is on.
//
// A plain read looks at the repository alone. Everything else lets Jujutsu first
// take up what has happened in the working copy and, beside it, in git: a
// snapshot. That is a write, and two writes at once make a change divergent, so it
// is done under the lock too. The lock is on the folder of the repository, which
// all of its workspaces share. The user's own commands don't take it; a write of
// ours waits for a snapshot of theirs on Jujutsu's own lock, for it takes one
// itself.

// jjStore keeps a plan in Jujutsu.
type jjStore struct {
	options *Options
	folder  string // that has the .jj
	program program

	mu      sync.Mutex
	version jjVersion // zero until the program was asked
}

func newJJStore(o *Options, folder string) *jjStore {
	s := &jjStore{options: o, folder: folder, program: program{
		name: "jj", path: o.JJ, dir: o.Root, timeout: o.Timeout, log: o.Log, hide: newScrubber(o.Root),
		env: environment(os.Environ(), "JJ_EDITOR=false", "PAGER=cat", "TERM=dumb"),
	}}
	s.program.hide.add(folder)
	return s
}

func (*jjStore) Kind() Kind { return JJ }

// jjVersion is major and minor version.
type jjVersion struct{ major, minor int }

var (
	oldestJJ   = jjVersion{0, 25} // has --config
	jsonJJ     = jjVersion{0, 31} // has json() in templates
	behaviorJJ = jjVersion{0, 27} // has signing.behavior instead of signing.sign-all
	monitorJJ  = jjVersion{0, 32} // has fsmonitor.backend instead of core.fsmonitor
)

func (v jjVersion) before(w jjVersion) bool {
	return v.major < w.major || v.major == w.major && v.minor < w.minor
}

// ask returns the version of the program, which is asked once.
func (s *jjStore) ask(ctx context.Context) (jjVersion, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.version != (jjVersion{}) {
		return s.version, nil
	}
	c := &call{args: []string{"--version"}}
	r, err := s.program.run(ctx, c)
	if err != nil {
		return jjVersion{}, err
	}
	said, _, _ := strings.Cut(strings.TrimSpace(string(r.out)), "\n")
	v, ok := parseJJVersion(said)
	if !ok || v.before(oldestJJ) {
		return v, &Error{
			Type: TypeVersion, Command: s.program.show(c), Critical: true,
			Message: fmt.Sprintf("plans need jj %d.%d or newer, and this one says %q", oldestJJ.major, oldestJJ.minor, clip(said, 100)),
			Hint:    "install a newer jj, or set `plan.store` to git or file in .sectile.yaml",
		}
	}
	s.version = v
	return v, nil
}

// parseJJVersion reads what `jj --version` prints: "jj 0.46.0-2f4e".
func parseJJVersion(said string) (v jjVersion, ok bool) {
	number, ok := strings.CutPrefix(said, "jj ")
	parts := strings.SplitN(number, ".", 3)
	if !ok || len(parts) < 2 {
		return v, false
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	return jjVersion{major, minor}, errMajor == nil && errMinor == nil
}

// harmless are the arguments that keep configuration out of a command: what would
// run another program, or change what is printed or stored.
func (v jjVersion) harmless() []string {
	args := []string{
		"--color", "never", "--no-pager",
		"--config=ui.progress-indicator=false",
		"--config=ui.log-word-wrap=false",
		"--config=ui.diff-formatter=:git",
		"--config=signing.backend=none",
		`--config=templates.commit_trailers=""`,
		`--config=templates.new_description=""`,
	}
	if v.before(behaviorJJ) {
		args = append(args, "--config=signing.sign-all=false")
	} else {
		args = append(args, "--config=signing.behavior=drop")
	}
	if v.before(monitorJJ) {
		return append(args, "--config=core.fsmonitor=none")
	}
	return append(args, "--config=fsmonitor.backend=none")
}

// run runs one command of jj. Its error for an exit code has the type that tells
// what to do, where that is known.
func (s *jjStore) run(ctx context.Context, c *call) (result, error) {
	v, err := s.ask(ctx)
	if err != nil {
		return result{}, err
	}
	c.more = append(c.more, v.harmless()...)
	r, err := s.program.try(ctx, c)
	if err == nil && r.exit != 0 {
		err = s.explain(s.program.exitError(c, &r))
	}
	return r, err
}

// explain says what to do about a failure that is known. Only the exit code said
// that there is one.
func (s *jjStore) explain(e *Error) error {
	say := func(kind Type, critical bool, hint string) { e.Type, e.Critical, e.Hint = kind, critical, hint }
	switch said := e.Stderr; {
	case strings.Contains(said, "There is no jj repo"):
		say(TypeNoRepository, true, "make one with `jj git init`, or set `plan.store` in .sectile.yaml")
	case strings.Contains(said, "working copy is stale"):
		say(TypeStale, false, "run `jj workspace update-stale`, then try again")
	case strings.Contains(said, "Failed to check out commit"):
		say(TypeStale, false, "another command of jj ran at the same moment: run `jj workspace update-stale`, then read the plan again, for it may have been written")
	case strings.Contains(said, "is immutable"):
		say(TypeImmutable, false, "begin a change of your own with `jj new`")
	case strings.Contains(said, "divergent"):
		say(TypeDivergent, false, divergentHint)
	case strings.Contains(said, "doesn't have a working-copy commit"):
		say(TypeNoRepository, true, "this workspace was forgotten; make one with `jj workspace add`")
	}
	return e
}

const divergentHint = "see both with `jj log`, and give up one with `jj abandon COMMIT`"

// change is what is read of a change.
type change struct {
	id      string // in full
	short   string
	commit  string
	text    string
	current bool   // the working copy is on it
	others  string // the workspaces that are on it, "default@ other@"
	files   []Change

	conflict, immutable, divergent, empty bool
}

// state returns the change as the state of a plan.
func (c *change) state() State {
	return State{
		Text: c.text, Version: newVersion(JJ, c.id, c.text),
		Kind: JJ, Name: c.short, Where: "change " + c.short,
		Conflict: c.conflict, Immutable: c.immutable, Divergent: c.divergent,
	}
}

// look says what is read.
type look struct {
	revset   string
	snapshot bool // take up what has happened in the working copy
	files    bool // read the changed files too
	limit    int  // of changes; 0 for no limit
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
	if !l.snapshot {
		c.args = append(c.args, "--ignore-working-copy")
	}
	r, err := s.run(ctx, c)
	if err != nil {
		return nil, err
	}
	changes, err := form.parse(r.out)
	if err != nil || l.revset == here.revset && len(changes) != 1 {
		return nil, &Error{
			Type: TypeFailed, Command: s.program.show(c), Critical: true, Err: err,
			Message: code(s.program.show(c)) + " did not print what it was asked for",
			Hint:    "see whether `template-aliases` in jj's configuration change json or commit_id",
		}
	}
	return changes, nil
}

// form is how jj is asked to print a change, and how that is read.
type form struct {
	head, files, tail string
	parse             func([]byte) ([]change, error)
}

func (f *form) template(files bool) string {
	if files {
		return f.head + f.files + f.tail
	}
	return f.head + f.tail
}

// jsonForm is an array in JSON on a line for each change.
var jsonForm = &form{
	head: `"[" ++ json(change_id) ++ "," ++ json(stringify(change_id.shortest(8))) ++ "," ++ json(commit_id) ++ "," ++ ` +
		`json(current_working_copy) ++ "," ++ json(stringify(working_copies)) ++ "," ++ ` +
		`json(conflict) ++ "," ++ json(immutable) ++ "," ++ json(divergent) ++ "," ++ json(empty) ++ "," ++ json(description)`,
	files: ` ++ ",[" ++ diff.files().map(|f| "[" ++ json(f.status()) ++ "," ++ json(stringify(f.path().display())) ++ "]").join(",") ++ "]"`,
	tail:  ` ++ "]\n"`,
	parse: parseJSONForm,
}

func parseJSONForm(out []byte) ([]change, error) {
	var changes []change
	for line := range strings.Lines(string(out)) {
		var (
			c     change
			files [][2]string
		)
		fields := []any{&c.id, &c.short, &c.commit, &c.current, &c.others, &c.conflict, &c.immutable, &c.divergent, &c.empty, &c.text, &files}
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			return nil, err
		}
		if c.id == "" || c.commit == "" {
			return nil, fmt.Errorf("no identifier in %.80q", line)
		}
		for _, f := range files {
			c.files = append(c.files, Change{Status: f[0], Path: filepath.ToSlash(f[1])})
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// rawForm is what jj before 0.31 can print: fields with NULs between, which are in
// none of them.
var rawForm = &form{
	head: `change_id ++ "\0" ++ change_id.shortest(8) ++ "\0" ++ commit_id ++ "\0" ++ current_working_copy ++ "\0" ++ working_copies ++ "\0" ++ ` +
		`conflict ++ "\0" ++ immutable ++ "\0" ++ divergent ++ "\0" ++ empty ++ "\0" ++ description ++ "\0"`,
	files: ` ++ diff.summary()`,
	tail:  ` ++ "\0"`,
	parse: parseRawForm,
}

func parseRawForm(out []byte) ([]change, error) {
	const fields = 11
	parts := strings.Split(string(out), "\x00")
	if len(parts)%fields != 1 || parts[len(parts)-1] != "" {
		return nil, fmt.Errorf("%d fields", len(parts))
	}
	var changes []change
	for p := range slices.Chunk(parts[:len(parts)-1], fields) {
		is := func(i int) bool { return p[i] == "true" }
		c := change{
			id: p[0], short: p[1], commit: p[2], current: is(3), others: p[4],
			conflict: is(5), immutable: is(6), divergent: is(7), empty: is(8), text: p[9],
		}
		for line := range strings.Lines(p[10]) {
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
