package planstore

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// List returns the plans of all refs, but those that git can't read; of the current one that is an error.
func (s *gitStore) List(ctx context.Context) ([]Plan, error) {
	name, branch, err := s.head(ctx)
	if err != nil {
		return nil, err
	}
	refs, err := s.refs(ctx, plansRef, "refs/heads/")
	if err != nil {
		return nil, err
	}
	worktrees, err := s.worktrees(ctx, refs)
	if err != nil {
		return nil, err
	}
	goTo := func(branch string) string { return "git switch " + operand(branch) }
	if r, err := s.run(ctx, &call{args: []string{"rev-parse", "--is-bare-repository"}}); err != nil {
		return nil, err
	} else if string(r.out) == "true\n" { // there are no files to switch
		goTo = func(branch string) string { return "git symbolic-ref HEAD " + quote("refs/heads/"+branch) }
	}
	current := findTip(name, branch, refs)
	var commits []string
	for ref, commit := range refs {
		if strings.HasPrefix(ref, plansRef) && commit != brokenRef {
			commits = append(commits, commit)
		}
	}
	messages, err := s.commits(ctx, commits)
	if err != nil {
		return nil, err
	}
	if _, ok := messages[current.commit]; !ok { // else it would look as if there were none
		if _, err := s.text(ctx, current); err != nil {
			return nil, err
		}
	}
	var plans []Plan
	for ref, commit := range refs {
		t := &tip{ref: ref, name: nameOf(ref), commit: commit}
		text, err := t.message(messages[commit])
		if !strings.HasPrefix(ref, plansRef) || err != nil || text == "" { // no plan of ours
			continue
		}
		p := Plan{Name: t.name, Where: ref, Text: text, Current: ref == current.ref, Open: s.options.isOpen(text)}
		isBranch := refs["refs/heads/"+t.name] != ""
		worktree, isWorktree := worktrees.at[t.name]
		switch {
		case p.Current:
		case isWorktree:
			p.Workspace, p.Continue = worktree, "git worktree list" // says where it is
		case isBranch:
			p.Continue = goTo(t.name)
		case worktrees.untold != "":
			p.Gone, p.Continue = "git can't read the HEAD of worktree "+worktrees.untold+", which may be on its branch", "git worktree list"
		default:
			p.Orphan, p.Gone, p.Continue = true, worktrees.gone(t.name), "sectile plan adopt "+operand(t.name)
		}
		plans = append(plans, p)
	}
	slices.SortFunc(plans, func(a, b Plan) int {
		switch {
		case a.Current != b.Current && a.Current:
			return -1
		case a.Current != b.Current:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return plans, nil
}

const (
	maxListed  = 64 << 20 // bytes that all plans of a list have at most, in files too
	maxDamaged = 8        // objects that a list may leave out since git can't read them
)

// commits returns what git stores for each of the commits, by name, with one command
// for as many as its output has room for. An object that is missing, or no commit, is
// left out.
func (s *gitStore) commits(ctx context.Context, names []string) (map[string]string, error) {
	slices.Sort(names)
	names = slices.Compact(names)
	found := make(map[string]string, len(names))
	for total, damaged := 0, 0; len(names) > 0; {
		c := &call{args: []string{"cat-file", "--batch"}, input: strings.Join(names, "\n") + "\n", output: maxOutput}
		r, err := s.try(ctx, c)
		if err != nil {
			return nil, err
		}
		done := parseBatch(string(r.out), found)
		total += len(r.out)
		switch {
		case done == len(names):
		case r.exit != 0 && damaged == maxDamaged:
			return nil, s.explain(c, &r)
		case r.exit != 0: // git ends at the first object that is damaged
			damaged++
			done++
		case !r.cut:
			return nil, s.program.failure(c, "did not print what it was asked for", nil)
		case done == 0 || total > maxListed:
			return nil, s.program.failure(c, "printed more than plans have: one has more than 8 MiB, or all have more than 64 MiB", nil)
		}
		names = names[done:]
	}
	return found, nil
}

// parseBatch reads what `git cat-file --batch` prints: "NAME TYPE SIZE", the object's bytes
// and a newline for each, or "NAME missing". It adds the commits and returns how many
// objects are there as a whole.
func parseBatch(out string, found map[string]string) (done int) {
	for {
		line, rest, ok := strings.Cut(out, "\n")
		if !ok {
			return done
		}
		words := strings.Split(line, " ")
		if len(words) == 3 {
			size, err := strconv.Atoi(words[2])
			if err != nil || size < 0 || size >= len(rest) || rest[size] != '\n' {
				return done
			}
			if words[1] == "commit" {
				found[words[0]] = rest[:size]
			}
			rest = rest[size+1:]
		}
		out = rest
		done++
	}
}
