package planstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/programs"
	"github.com/sectile/sectile/internal/repoproof"
	"github.com/sectile/sectile/internal/runes"
)

// The plan is the message of a commit on a ref of our own, one for each branch.
// The commit has no files, and its parent is the plan before it: the history of a
// plan is that of its ref. Nothing else of the repository is written to. Two
// writers are told apart by git itself, which moves a ref only from the commit
// that it was seen at.

// plansRef is the prefix of all refs of ours.
const plansRef = "refs/sectile/plans/"

// gitStore keeps a plan in git.
type gitStore struct {
	options *Options
	found   *repository
	program program
}

func newGitStore(o *Options, found *repository) *gitStore {
	s := &gitStore{options: o, found: found, program: program{
		name: "git", path: o.Git, dir: o.Root, timeout: o.Timeout, log: o.Log,
		env: environment(
			os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_EDITOR=false", "GIT_PAGER=cat", "LC_ALL=C",
			// A commit is what its identifier says.
			"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull,
			// An object that is missing is not fetched, which would run what the
			// repository says.
			"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		),
	}}
	s.program.env = append(s.program.env, programs.Untraced()...)
	return s
}

func (*gitStore) Kind() Kind { return Git }

// harmlessGit are the arguments that keep a repository's own programs out of every
// command.
func harmlessGit() []string {
	return []string{
		"--no-pager", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false",
		// Files that a repository may name anywhere, and that git reads whole.
		"-c", "core.attributesFile=" + os.DevNull, "-c", "diff.orderFile=" + os.DevNull,
		// One that a repository may have name packs anywhere; each has an index of its own.
		"-c", "core.multiPackIndex=false",
		// Which git before 2.42 asks though GIT_NO_REPLACE_OBJECTS is set.
		"-c", "core.useReplaceRefs=false",
		// How long one command waits for a lock, in ms; how often it is tried again is maxLocked.
		"-c", "core.filesRefLockTimeout=100", "-c", "core.packedRefsTimeout=200", "-c", "reftable.lockTimeout=100",
		"-c", "commit.gpgSign=false", "-c", "i18n.commitEncoding=UTF-8",
	}
}

// try proves that the repository is the project's, runs a command of git in it and
// returns what that gave, whatever its exit code is.
func (s *gitStore) try(ctx context.Context, c *call) (result, error) {
	at, err := s.place(ctx)
	if err != nil {
		return result{}, err
	}
	return s.tryAt(ctx, at, c)
}

// tryAt is try for a repository that was proven.
func (s *gitStore) tryAt(ctx context.Context, at *repoproof.GitPlace, c *call) (result, error) {
	if mayObey(c) {
		over, err := s.overrides(ctx, at)
		if err != nil {
			return result{}, err
		}
		c.env = append(c.env, over...)
	}
	if at.IgnoresForeign {
		file := os.DevNull
		if c.args[0] == "ls-files" { // which alone looks for ignored names
			file = s.ignoredOfUser(ctx, at)
		}
		c.first = append([]string{"-c", "core.excludesFile=" + file}, c.first...)
	}
	c.first = append(harmlessGit(), c.first...)
	c.env = append(at.Env(), c.env...)
	if !usesIndex(c) {
		c.env = append(c.env, "GIT_INDEX_FILE="+filepath.Join(at.GitDir, "none-"+rand.Text())) // git takes one that isn't there for empty
	}
	if c.writes == nil {
		c.writes = at.Writes
	}
	c.reads = at.Reads
	return s.program.in(at.WorkDir()).try(ctx, c)
}

// usesIndex reports whether a command is about the files that the index has. Any other has none: where
// an index says that the folder has the same text as a commit, git takes that from there, and
// follows links in the place of the folders above it.
func usesIndex(c *call) bool { return slices.Contains([]string{"diff", "ls-files"}, c.args[0]) }

// run runs a command of git.
func (s *gitStore) run(ctx context.Context, c *call) (result, error) {
	r, err := s.try(ctx, c)
	if err == nil && r.exit != 0 {
		err = s.explain(c, &r)
	}
	return r, err
}

// tip is where a plan's ref is.
type tip struct {
	ref    string // in full
	name   string // of the branch or worktree
	commit string // "" if there is no such ref, brokenRef if git can't read it
	branch bool   // it is a branch
}

// state returns the state for a text on the ref.
func (t *tip) state(text string) State {
	return State{Text: text, Version: newVersion(Git, t.ref, text), Kind: Git, Name: t.name, Where: t.ref}
}

// head returns the name of the branch that is checked out, born or not, or that is
// being rebased; if there is none, that of the worktree.
func (s *gitStore) head(ctx context.Context) (name string, branch bool, err error) {
	at, err := s.place(ctx)
	if err != nil {
		return "", false, err
	}
	is, err := s.checkedOut(ctx, at, "HEAD", nil)
	if err != nil || is.branch != "" {
		return is.branch, true, err
	}
	if is.untold != nil {
		return "", false, is.untold
	}
	if fileinfo.IsSame(at.Common, at.GitDir) {
		return mainWorktree, false, nil
	}
	return linkedWorktree + refName(filepath.Base(at.GitDir)), false, nil
}

// A branch can't be called a/b beside one called a, and neither can refs of ours. A
// plan that outlived its branch may be in the way like that; then the new one has a
// flat name in a folder that no branch can have.

// flatRef returns the ref for a name where the plain one is taken.
func flatRef(name string) string {
	return plansRef + "-/" + strings.NewReplacer("%", "%25", "/", "%2F").Replace(name)
}

// nameOf returns the name of the branch or worktree that has a ref.
func nameOf(ref string) string {
	if ref == mainRef {
		return mainWorktree
	}
	if linked, ok := strings.CutPrefix(ref, linkedRef); ok {
		return linkedWorktree + linked
	}
	name := strings.TrimPrefix(ref, plansRef)
	if flat, ok := strings.CutPrefix(name, "-/"); ok {
		return strings.NewReplacer("%2F", "/", "%25", "%").Replace(flat)
	}
	return name
}

// brokenRef stands for the commit of a ref whose file git can't read: it is empty, say, since the
// machine lost its power.
const brokenRef = "broken"

// broken returns the error for a ref whose file git can't read.
func broken(ref string) *Error {
	return &Error{
		Type: TypeFailed, Critical: true, Message: fmt.Sprintf("the ref %s is damaged, or may not be read: git finds no commit there", ref),
		Hint: fmt.Sprintf("see who may read the file that `git rev-parse --git-path %[1]s` names; if it holds no commit, remove it; the commits that it was at are in the one that `git rev-parse --git-path logs/%[1]s` names, for `git update-ref %[1]s COMMIT`", runes.ShellQuoted(ref)),
	}
}

// brokenWarning is how git says that it can't read the ref whose name follows.
const brokenWarning = "warning: ignoring broken ref "

// refs returns the commits of all refs below the prefixes, brokenRef for those of ours that are
// broken. A ref of ours that stands for another ref is refused: what is read and written there
// would be somebody else's.
func (s *gitStore) refs(ctx context.Context, prefixes ...string) (map[string]string, error) {
	r, err := s.run(ctx, &call{args: append([]string{"for-each-ref", "--format=%(objectname) %(refname) %(symref)"}, prefixes...)})
	if err != nil {
		return nil, err
	}
	refs := map[string]string{}
	for line := range strings.Lines(string(r.out)) {
		commit, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		ref, symbolic, _ := strings.Cut(ref, " ")
		if symbolic != "" && strings.HasPrefix(ref, plansRef) {
			return nil, &Error{
				Type: TypeUntrusted, Critical: true, Told: true,
				Message: ref + " stands for another ref, which none of a plan does; nothing in it was read or written",
				Hint:    "see `git symbolic-ref " + runes.ShellQuoted(ref) + "`, and remove it with `git symbolic-ref --delete " + runes.ShellQuoted(ref) + "`",
			}
		}
		refs[ref] = commit
	}
	for line := range strings.Lines(r.stderr) { // where git leaves them out of what it prints
		if ref, ok := strings.CutPrefix(strings.TrimSpace(line), brokenWarning); ok && strings.HasPrefix(ref, plansRef) {
			refs[ref] = brokenRef
		}
	}
	return refs, nil
}

// tip finds the ref of the current plan.
func (s *gitStore) tip(ctx context.Context) (*tip, error) {
	name, branch, err := s.head(ctx)
	if err != nil {
		return nil, err
	}
	refs, err := s.refs(ctx, plansRef)
	if err != nil {
		return nil, err
	}
	return findTip(name, branch, refs), nil
}

// findTip finds the ref of a name among those that there are.
func findTip(name string, branch bool, refs map[string]string) *tip {
	ref := refOf(name)
	t := &tip{ref: ref, name: name, commit: refs[ref], branch: branch}
	if t.commit != "" {
		return t
	}
	flat := flatRef(name)
	if refs[flat] != "" || isTaken(t.ref, refs) {
		t.ref, t.commit = flat, refs[flat]
	}
	return t
}

// isTaken reports whether another ref keeps one of this name from being made.
func isTaken(ref string, refs map[string]string) bool {
	for other := range refs {
		if strings.HasPrefix(other, ref+"/") || strings.HasPrefix(ref, other+"/") {
			return true
		}
	}
	return false
}

// text returns the message of a commit, to the byte.
func (s *gitStore) text(ctx context.Context, t *tip) (string, error) {
	switch t.commit {
	case "":
		return "", nil
	case brokenRef:
		return "", unwritten(broken(t.ref))
	}
	objects, err := s.objects(ctx, []string{t.commit})
	if err != nil {
		return "", err
	}
	if o, ok := objects[t.commit]; ok {
		return textOf(t.message(o))
	}
	c := &call{args: []string{"cat-file", commitKind, t.commit}} // which says why
	r, err := s.try(ctx, c)
	if err != nil {
		return "", err
	}
	if r.exit != 0 {
		e := s.explain(c, &r)
		if r.failure() == missingObject {
			e.Hint = t.back()
		}
		return "", e
	}
	return textOf(t.message(object{commitKind, string(r.out)}))
}

// commitKind is git's name for the objects that plans are kept in.
const commitKind = "commit"

// back is the way out where the commit of a plan can't be read: it was pruned, say, before the ref
// was there.
func (t *tip) back() string {
	return fmt.Sprintf("go back to the text before it with `git update-ref %[1]s %[1]s@{1}`; if git has none, give the plan up with `git update-ref -d %[1]s`", runes.ShellQuoted(t.ref))
}

// textOf returns a text without an error if there is none.
func textOf(text string, fault *Error) (string, error) {
	if fault != nil {
		return "", fault
	}
	return text, nil
}

// message returns the message of a commit, as git stores that, or what is wrong with it.
func (t *tip) message(o object) (string, *Error) {
	if o.kind != commitKind {
		hint := t.back()
		if o.kind == "tag" {
			hint = fmt.Sprintf("have it at the commit that the tag is about with `git update-ref %s %s`", runes.ShellQuoted(t.ref), runes.ShellQuoted(t.ref+"^{commit}"))
		}
		return "", &Error{
			Type: TypeFailed, Critical: true, Unwritten: true, Message: fmt.Sprintf("the ref %s is at a %s, and that of a plan is at a commit of at most 8 MiB", t.ref, o.kind),
			Hint: hint,
		}
	}
	_, text, _ := strings.Cut(o.text, "\n\n")
	if fault := textFault(text); fault != "" {
		return "", &Error{
			Type: TypeNotText, Message: fmt.Sprintf("the plan on %s %s", t.ref, fault),
			Hint: fmt.Sprintf("see `git log %[1]s`, and go back to what can be read with `git update-ref %[1]s COMMIT`", runes.ShellQuoted(t.ref)),
		}
	}
	return text, nil
}

// Load reads the message with three commands.
func (s *gitStore) Load(ctx context.Context) (State, error) {
	t, err := s.tip(ctx)
	if err != nil {
		return State{}, err
	}
	text, err := s.text(ctx, t)
	if err != nil {
		return State{}, err
	}
	return t.state(text), nil
}
