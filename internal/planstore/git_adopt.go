package planstore

import (
	"context"
	"fmt"
)

// Adopt renames the ref of a plan to that of the branch that is checked out. If
// that has had a plan, both histories are joined by a commit. A plan whose branch or
// worktree is there stays with it.
func (s *gitStore) Adopt(ctx context.Context, name string, check func(State) error) (State, error) {
	plans, err := s.List(ctx)
	if err != nil {
		return State{}, unwritten(err)
	}
	var found *Plan
	for i := range plans {
		if plans[i].Name == name {
			found = &plans[i]
		}
	}
	switch {
	case found == nil:
		return State{}, noPlan(name, plans)
	case found.Current:
		return s.Load(ctx)
	case !found.Orphan:
		return State{}, notOrphan(found)
	}
	state, _, err := s.move(ctx, func(t *tip, now State) (*commit, error) {
		refs, err := s.refs(ctx, found.Where)
		if err != nil {
			return nil, err
		}
		from := &tip{ref: found.Where, name: name, commit: refs[found.Where]}
		if from.commit == "" {
			return nil, noPlan(name, plans)
		}
		text, err := s.text(ctx, from)
		if err != nil {
			return nil, err
		}
		return &commit{text: text, parents: append(t.parents(), from.commit), drop: from}, s.options.checkFree(now, check)
	})
	return state, err
}

// notOrphan returns the error for a plan that is not to be taken from where it is.
func notOrphan(p *Plan) *Error {
	where, hint := "branch "+p.Name, "go on with it there: "+code(p.Continue)
	if p.Workspace != "" {
		hint = "go on with it there; " + code(p.Continue) + " says where it is"
		if refOf(p.Name) != plansRef+p.Name {
			where = "the " + p.Name
		} else {
			where += ", which worktree " + p.Workspace + " has checked out"
		}
	}
	if p.Gone != "" {
		where, hint = where+": "+p.Gone, p.Mend+"; "+code(p.Continue)+" says where it is"
	}
	return &Error{
		Type: TypeUnsupported, Told: true,
		Message: fmt.Sprintf("the plan is that of %s; it stays there, and nothing was changed", where),
		Hint:    hint,
	}
}

// renaming returns the command that moves the ref at t to a commit and removes the
// one at from, both or none.
func renaming(t *tip, commit string, from *tip) *call {
	set := fmt.Sprintf("update %s\x00%s\x00%s\x00", t.ref, commit, t.commit)
	if t.commit == "" {
		set = fmt.Sprintf("create %s\x00%s\x00", t.ref, commit)
	}
	return &call{
		args:  []string{"update-ref", "--no-deref", "--create-reflog", "-m", "sectile: plan of " + from.name, "-z", "--stdin"},
		input: set + fmt.Sprintf("delete %s\x00%s\x00", from.ref, from.commit),
	}
}
