package planstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/runes"
)

// Load reads the description with one command.
func (s *jjStore) Load(ctx context.Context) (State, error) {
	changes, err := s.read(ctx, here)
	if err != nil {
		return State{}, err
	}
	state := changes[0].state()
	state.Twins = s.twins(ctx, &changes[0])
	return state, nil
}

// Survey reads description and files with one command.
func (s *jjStore) Survey(ctx context.Context) (State, Changes, error) {
	var lock *filelock.Lock
	if !s.options.ReadOnly {
		var err error
		if lock, err = s.lock(ctx); err != nil {
			return State{}, Changes{}, err
		}
		defer lock.Release()
	}
	changes, err := s.read(ctx, look{revset: here.revset, snapshot: lock, files: true})
	stale, unknown := isType(err, TypeStale), ""
	if stale {
		changes, err = s.read(ctx, look{revset: here.revset, files: true})
	}
	if failed, ok := errors.AsType[*Error](err); ok { // most likely there are too many files
		unknown = failed.Message
		changes, err = s.read(ctx, here)
	}
	if err != nil {
		return State{}, Changes{}, err
	}
	state := changes[0].state()
	state.Stale, state.Twins = stale, s.twins(ctx, &changes[0])
	told, hidden := s.options.told(s.options.Root, changes[0].files)
	all := newChanges("the parent of "+state.Where, told)
	all.Hidden = hidden
	if all.Unknown = unknown; unknown == "" && s.options.ReadOnly {
		all.Unknown = "files are told as they were when Jujutsu last looked, for it writes down what it sees, and nothing may be written"
	}
	return state, all, nil
}

// Diff asks for git's format by name: then no other tool is asked, whatever is
// configured. The snapshot was Survey's.
func (s *jjStore) Diff(ctx context.Context, limit int) (Diff, error) {
	if limit <= 0 {
		return Diff{}, nil
	}
	if s.options.Shows != nil {
		return s.shownDiff(ctx, limit)
	}
	c := &call{args: []string{"diff", "-r", "@", "--git"}, output: limit + 1}
	if _, err := s.lookOnly(ctx, c); err != nil {
		return Diff{}, err
	}
	r, err := s.run(ctx, c)
	return newDiff(&r, limit, err)
}

// ConflictPrefix begins the names of the folders in which Jujutsu has the sides of a conflict, in
// the tree of the commit, which is that of the first side else.
const ConflictPrefix = ".jjconflict-"

// shownDiff is Diff of files that may be told of, as git has the commit: a repository's configuration
// gives Jujutsu's filesets and revsets other meanings, and no name in its difference is quoted.
func (s *jjStore) shownDiff(ctx context.Context, limit int) (Diff, error) {
	changes, err := s.read(ctx, look{revset: here.revset, files: true})
	if err != nil {
		return newDiff(&result{}, limit, err)
	}
	now := &changes[0]
	told, hidden := s.options.told(s.options.Root, now.files)
	switch {
	case len(told) == 0:
		return Diff{}, nil
	case now.conflict:
		return Diff{Cut: true, Unknown: "the change has conflicts, and Jujutsu alone knows what differs"}, nil
	}
	git := s.gitAt(s.folder)
	at, err := s.gitPlace(ctx)
	if err != nil {
		return newDiff(&result{}, limit, err)
	}
	r, err := git.tryAt(ctx, at, &call{args: []string{"rev-list", "--parents", "--max-count=1", now.commit}})
	parents := strings.Fields(string(r.out))
	switch {
	case err != nil || r.exit != 0:
		return newDiff(&result{}, limit, cmp.Or(err, error(s.program.failure(&call{args: []string{"log"}}, "names a commit that git can't read", nil))))
	case len(parents) > 2:
		return Diff{Cut: true, Unknown: "the change has several parents, and Jujutsu alone knows what differs from them together"}, nil
	case len(parents) == 1: // it is the first
		r, err = git.tryAt(ctx, at, emptyTree())
		parents = append(parents, strings.TrimSuffix(string(r.out), "\n"))
	}
	if err == nil {
		r, err = git.tryAt(ctx, at, &call{args: []string{"diff-tree", "--name-only", "-z", "--no-renames", parents[1], parents[0]}})
	}
	switch {
	case err != nil:
		return newDiff(&result{}, limit, err)
	case strings.Contains("\x00"+string(r.out), "\x00"+ConflictPrefix):
		return Diff{Cut: true, Unknown: "the change before has conflicts, and Jujutsu alone knows what differs"}, nil
	}
	c := patchOfTrees(parents[1], parents[0], committedSubmodules)
	c.output = limit + 1
	left := 0
	if hidden > 0 {
		for i := range told { // from the root
			path, err := filepath.Rel(s.folder, filepath.Join(s.options.Root, filepath.FromSlash(told[i].Path)))
			if err != nil {
				return Diff{}, err
			}
			told[i].Path = filepath.ToSlash(path)
		}
		c.last, left = pathspecs(told)
	}
	r, err = git.tryAt(ctx, at, c)
	if err == nil && r.exit != 0 {
		err = git.explain(c, &r)
	}
	d, err := newDiff(&r, limit, err)
	return git.shownParts(d.lacking(left)), err
}

// lock locks the repository for all writers of ours, in all of its workspaces.
func (s *jjStore) lock(ctx context.Context) (*filelock.Lock, error) {
	at, err := s.place(ctx)
	if err != nil {
		return nil, err
	}
	return holdFolder(ctx, at.Repo, s.options.LockTimeout)
}

// Update reads, writes and reads back under one lock.
func (s *jjStore) Update(ctx context.Context, update func(State) (string, error)) (State, error) {
	lock, err := s.lock(ctx)
	if err != nil {
		return State{}, err
	}
	defer lock.Release()
	before, err := s.look(ctx, lock)
	if err != nil {
		return State{}, err
	}
	state := before.state()
	text, err := update(state)
	if err != nil {
		return State{}, err
	}
	if text, err = state.stored(text); err != nil || text == state.Text {
		return state, err
	}
	return s.describe(ctx, lock, before, text)
}

// look reads the current change as it is now.
func (s *jjStore) look(ctx context.Context, lock *filelock.Lock) (*change, error) {
	changes, err := s.read(ctx, look{revset: "@", snapshot: lock})
	if err != nil {
		return nil, err
	}
	return &changes[0], nil
}

// describe writes the description of a change, and reads back what is there.
func (s *jjStore) describe(ctx context.Context, lock *filelock.Lock, c *change, text string) (State, error) {
	switch {
	case c.immutable:
		return State{}, &Error{
			Type: TypeImmutable, Told: true,
			Message: fmt.Sprintf("change %s is immutable, and nothing was written", c.short),
			Hint:    "begin a change of your own with `jj new`",
		}
	case c.divergent:
		e := s.diverged(ctx, c, "and nothing was written")
		e.Told = true
		return State{}, e
	}
	after, over, err := s.writeOver(ctx, lock, *c, text)
	if err != nil {
		return State{}, err
	}
	state := after.state()
	switch {
	case after.id != c.id:
		return State{}, &Error{
			Type: TypeConcurrent, Version: state.Version, Told: true,
			Message: fmt.Sprintf("the working copy has just moved to change %s, and the plan in change %s may have been written or not", after.short, c.short),
			Hint:    fmt.Sprintf("go back with `jj edit %s`, or read the plan of the new change", c.short),
		}
	case after.divergent:
		return State{}, s.diverged(ctx, after, "because another command of jj ran while the plan was written")
	case after.commit == over.commit:
		e := Concurrent(state)
		e.Message = fmt.Sprintf("the plan in %s is as it was before, for another command of jj ran at the same moment and took back what was written, or kept it from being written", state.Where)
		return State{}, e
	case after.text == c.text:
		return State{}, restless(&state)
	case after.text != text:
		e := Concurrent(state)
		e.Message = fmt.Sprintf("the plan in %s was changed by somebody else at the same moment, and what is there is theirs; its version is %s now", state.Where, state.Version)
		return State{}, e
	}
	return state, nil
}

// maxSnapshots is how often a write is tried again because a snapshot came between.
const maxSnapshots = 9

// writeOver writes the description of a change over the one that was read, and returns the
// current change as it is then, and that which it was written over. What somebody has described
// since is another commit, and so is what a snapshot makes, over which it is tried again.
func (s *jjStore) writeOver(ctx context.Context, lock *filelock.Lock, c change, text string) (after, over *change, err error) {
	for tries := 0; ; tries++ {
		if err := s.write(ctx, lock, strconv.Quote(c.commit), text); err != nil {
			return nil, nil, err
		}
		changes, err := s.read(ctx, here)
		if err != nil {
			return nil, nil, afterWriting(err)
		}
		now := changes[0]
		isSnapshot := now.id == c.id && now.commit != c.commit && now.text == c.text && !now.divergent
		if !isSnapshot || tries == maxSnapshots {
			return &now, &c, nil
		}
		c = now
	}
}

// write runs the command that writes, if the current change is in a revset. The identifiers
// in it are in quotes, so that they can't be aliases; should one be the name of something
// else, that is not the current change, and nothing is written.
//
// A commit that was undone and is made again
// within the same second would be the same one, to the time in it, which jj
// refuses: then it is made a second later.
func (s *jjStore) write(ctx context.Context, lock *filelock.Lock, revset, text string) error {
	for tries := 0; ; tries++ {
		r, err := s.run(ctx, &call{args: []string{"describe", "--stdin", "--quiet", "-r", "@ & " + revset}, input: text, keeps: lock.File()})
		if err == nil || tries == 2 || !r.madeTwice() {
			return err
		}
		if err := sleep(ctx, 1100*time.Millisecond); err != nil {
			return err
		}
	}
}

// sleep waits, unless the context ends.
func sleep(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// diverged returns the error for a change that is several commits.
func (s *jjStore) diverged(ctx context.Context, c *change, what string) *Error {
	e := &Error{
		Type:    TypeDivergent,
		Message: fmt.Sprintf("change %s is divergent, which means that several commits are this change (%.12s is the one here), %s", c.short, c.commit, what),
		Hint:    divergentHint,
	}
	if other, _, _ := strings.Cut(s.twins(ctx, c), ", "); other != "" {
		e.Hint = fmt.Sprintf("see with `jj show %s` what the other one has, and give it up with `jj abandon %s`", other, other)
	}
	return e
}

// New begins a change after the current one.
func (s *jjStore) New(ctx context.Context, check func(State) error) (State, Old, error) {
	lock, err := s.lock(ctx)
	if err != nil {
		return State{}, Old{}, err
	}
	defer lock.Release()
	before, err := s.look(ctx, lock)
	if err != nil {
		return State{}, Old{}, err
	}
	state := before.state()
	if err := check(state); err != nil {
		return State{}, Old{}, err
	}
	nothing := before.text == "" && before.empty
	if nothing && !before.immutable {
		return state, Old{}, nil
	}
	begun, err := s.begin(ctx, lock, before)
	if err != nil {
		return State{}, Old{}, err
	}
	if before.text == "" { // files alone are no plan
		return begun.state(), Old{}, nil
	}
	return begun.state(), before.old(), nil
}

// begin begins a change after the current one, which was read before, and returns the new one.
// What is named is the working copy, of which a snapshot is a part that is taken now: the commit
// that was read would be a second one of the change beside it. So another command of jj may have
// moved the working copy before it or after it.
func (s *jjStore) begin(ctx context.Context, lock *filelock.Lock, before *change) (*change, error) {
	if _, err := s.run(ctx, &call{args: []string{"new", "--quiet", "@"}, keeps: lock.File()}); err != nil {
		return nil, err
	}
	changes, err := s.read(ctx, here)
	if err != nil {
		return nil, afterWriting(err)
	}
	now := &changes[0]
	if now.text != "" || !slices.Contains(now.parents, before.id) {
		return nil, &Error{
			Type: TypeConcurrent, Version: now.state().Version, Told: true,
			Message: fmt.Sprintf("another command of jj ran while a change was begun after change %s: the working copy is at change %s now, which is another one or was described meanwhile, and no plan was written", before.short, now.short),
			Hint:    fmt.Sprintf("go back with `jj edit %s` and try again, or read the plan of change %s", before.short, now.short),
		}
	}
	return now, nil
}

// old says where the plan in a change stays.
func (c *change) old() Old {
	see := "jj log -r " + c.short
	if c.divergent { // its identifier names several
		see = fmt.Sprintf("jj log -r %.12s", c.commit)
	}
	return Old{Name: c.short, Where: "change " + c.short, See: see}
}

// openPlans are the changes that a plan may have been left in: the mutable
// ancestors of the working copy, and what else was begun on its nearest ancestors.
// A `git commit` beside Jujutsu leaves the plan in such a sibling, and one that moves
// a branch back (`git reset`, `--amend`, a rebase) some changes above one.
const openPlans = "mutable() & (::@ | descendants(ancestors(@, 16), 8))"

// maxPlans is the number of changes that are looked at for plans.
const maxPlans = 500

// List reads the descriptions of all changes that may hold a plan.
func (s *jjStore) List(ctx context.Context) ([]Plan, error) {
	changes, err := s.read(ctx, look{revset: openPlans, limit: maxPlans})
	if err != nil {
		return nil, err
	}
	var plans []Plan
	now := &change{}
	for i := range changes {
		c := &changes[i]
		if c.current {
			now = c
		}
		open := s.options.isOpen(c.text)
		if c.text == "" || !open && !c.current {
			continue
		}
		p := Plan{Name: c.short, Where: "change " + c.short, Text: c.text, Current: c.current, Open: open}
		switch {
		case c.current:
			plans = append([]Plan{p}, plans...)
			continue
		case c.divergent: // its identifier names several
			p.Continue = fmt.Sprintf("jj edit %.12s", c.commit)
		default:
			p.Continue = "jj edit " + c.short
		}
		p.Workspace = strings.Join(c.others, " ")
		plans = append(plans, p)
	}
	lost, err := s.lost(ctx, now)
	return append(plans, lost...), err
}

// Adopt says how to go to the plan, or takes over one that was lost.
func (s *jjStore) Adopt(ctx context.Context, name string, check func(State) error) (State, error) {
	plans, err := s.List(ctx)
	if err != nil {
		return State{}, err
	}
	for i := range plans {
		p := &plans[i]
		switch {
		case p.Name != name:
		case p.Orphan:
			return s.adoptLost(ctx, p, check)
		case p.Current:
			return s.Load(ctx)
		default:
			hint := "go there with " + code(p.Continue)
			if p.Workspace != "" {
				hint = fmt.Sprintf("workspace %s works on it; go on there", p.Workspace)
			}
			return State{}, &Error{Type: TypeUnsupported, Message: fmt.Sprintf("the plan in %s stays with its change", p.Where), Hint: hint}
		}
	}
	return State{}, noPlan(name, plans)
}

// noPlan returns the error for a name that no plan has, or none any more.
func noPlan(name string, plans []Plan) *Error {
	names := make([]string, 0, len(plans))
	for i := range plans {
		if len(names) < 10 && !plans[i].Current && plans[i].Name != name {
			names = append(names, plans[i].Name)
		}
	}
	hint := "this store has no others; those of another are shown by " + code("sectile plan list --store NAME")
	if len(names) > 0 {
		hint = "there are " + strings.Join(names, ", ")
	}
	return &Error{Type: TypeNoPlan, Unwritten: true, Message: fmt.Sprintf("there is no plan %q", runes.Clip(name, 100)), Hint: hint}
}

// isType reports whether an error is one of ours with this type.
func isType(err error, kind Type) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Type == kind
}

// maxChanges is the number of changed files that are named.
const maxChanges = 1000

func newChanges(against string, files []Change) Changes {
	kept := files[:min(len(files), maxChanges)]
	return Changes{Against: against, Files: kept, More: len(files) - len(kept)}
}

// newDiff returns what a command has printed of a difference. One that failed has
// printed a part of it, or nothing.
func newDiff(r *result, limit int, err error) (Diff, error) {
	failed, ok := errors.AsType[*Error](err)
	if err != nil && !ok {
		return Diff{}, err
	}
	text, cut := runes.WholePrefix(r.out, limit)
	d := Diff{Text: text, Cut: cmp.Or(cut, r.cut)}
	if failed != nil {
		d.Cut, d.Unknown = true, failed.Message
	}
	return d, nil
}
