package planstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/runes"
)

// List returns the plans of all refs, with what is wrong with those that can't be read; of the current
// one that is an error.
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
		goTo = func(branch string) string { return "git symbolic-ref HEAD " + runes.ShellQuoted("refs/heads/"+branch) }
	}
	current := findTip(name, branch, refs)
	var commits []string
	for ref, commit := range refs {
		if strings.HasPrefix(ref, plansRef) && commit != brokenRef {
			commits = append(commits, commit)
		}
	}
	objects, err := s.objects(ctx, commits)
	if err != nil {
		return nil, err
	}
	if _, fault := current.listed(objects); fault != nil {
		if _, err := s.text(ctx, current); err != nil { // which asks git why
			return nil, err
		}
	}
	plans, open := []Plan(nil), map[string]bool{} // by commits, at which many refs may be
	for ref, commit := range refs {
		t := &tip{ref: ref, name: nameOf(ref), commit: commit}
		text, fault := t.listed(objects)
		if !strings.HasPrefix(ref, plansRef) || fault == nil && text == "" { // no plan of ours
			continue
		}
		if _, known := open[commit]; !known {
			open[commit] = s.options.isOpen(text)
		}
		p := Plan{Name: t.name, Where: ref, Text: text, Fault: fault, Current: ref == current.ref, Open: open[commit]}
		isBranch := refs["refs/heads/"+t.name] != ""
		worktree, isWorktree := worktrees.at[t.name]
		switch {
		case p.Current:
		case isWorktree:
			p.Workspace, p.Continue = worktree, "git worktree list" // says where it is
		case isBranch:
			p.Continue = goTo(t.name)
		case worktrees.untold.worktree != "":
			p.Gone, p.Mend, p.Continue = worktrees.untold.String(), worktrees.untold.hint(), "git worktree list"
		default:
			p.Orphan, p.Gone, p.Continue = true, worktrees.gone(t.name), "sectile plan adopt "+operand(t.name)
		}
		plans = append(plans, p)
	}
	order := func(p *Plan) string {
		if p.Current { // it is the first
			return ""
		}
		return p.Name
	}
	slices.SortFunc(plans, func(a, b Plan) int { return strings.Compare(order(&a), order(&b)) })
	return plans, nil
}

const (
	maxListed  = 64 << 20 // bytes that all plans of a list have at most, in files too
	maxDamaged = 8        // objects that a list may have though git can't read them, or they have more than git may print
)

// object is one that git stores: its type, and its bytes if it is a commit.
type object struct{ kind, text string }

// listed returns the text of a plan, from the objects that git could read, or what is wrong with it. It
// has none where there is no ref.
func (t *tip) listed(objects map[string]object) (string, *Error) {
	o, ok := objects[t.commit]
	switch {
	case t.commit == "":
		return "", nil
	case t.commit == brokenRef:
		return "", broken(t.ref)
	case !ok:
		return "", &Error{Type: TypeFailed, Critical: true, Message: "the commit that " + t.ref + " is at is missing or damaged", Hint: t.back()}
	}
	return t.message(o)
}

// objects returns what git stores by each of the names, with one command for as many as its output
// has room for. What is missing or damaged is left out.
func (s *gitStore) objects(ctx context.Context, names []string) (map[string]object, error) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	found := make(map[string]object, len(names))
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
		case r.cut && done == 0 && damaged < maxDamaged:
			found[names[0]] = object{kind: "commit or blob of more than 8 MiB"}
			damaged, done, total = damaged+1, 1, total-len(r.out)
		case !r.cut:
			return nil, s.program.failure(c, "did not print what it was asked for", nil)
		case done == 0 || total > maxListed:
			e := s.program.failure(c, "printed more than plans have: many have more than 8 MiB, or all have more than 64 MiB", nil)
			e.Hint = code("git for-each-ref "+plansRef) + " lists the refs of plans; remove those that aren't needed with `git update-ref -d REF`"
			return nil, e
		}
		names = names[done:]
	}
	return found, nil
}

// parseBatch reads what `git cat-file --batch` prints: "NAME TYPE SIZE", the object's bytes
// and a newline for each, or "NAME missing". It adds what is there and returns how many
// objects are printed as a whole.
func parseBatch(out string, found map[string]object) (done int) {
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
			o := object{kind: words[1]}
			if o.kind == commitKind {
				o.text = rest[:size]
			}
			found[words[0]] = o
			rest = rest[size+1:]
		}
		out = rest
		done++
	}
}
