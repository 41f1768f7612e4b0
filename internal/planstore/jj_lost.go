package planstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A user's `jj commit -m`, `jj describe -m` or `jj squash -m` puts a message in the place of
// a plan. Jujutsu keeps what a change was before, so that the plan is found there and can
// be taken over.

// maxEvolution is the number of earlier states of a change that are looked at.
const maxEvolution = 200

// lost returns the open plan that a message has taken the place of: in the current change,
// or in its parent if the current one has no description. There is at most one. The error is for want of
// time.
func (s *jjStore) lost(ctx context.Context, now *change) ([]Plan, error) {
	v, err := s.ask(ctx)
	if err != nil || v.before(jsonJJ) || s.options.isOpen(now.text) { // older ones have another template
		return nil, ofTime(err)
	}
	revset := "@"
	if strings.TrimSpace(now.text) == "" {
		revset = "mutable() & @-"
	}
	c := &call{
		args: []string{"evolog", "--no-graph", "-r", revset, "--limit", strconv.Itoa(maxEvolution)},
		more: []string{"-T", `"[\"" ++ self.commit().change_id().shortest(8) ++ "\",\"" ++ self.commit().commit_id() ++ "\"," ++ self.commit().description().escape_json() ++ "]\n"`},
	}
	if _, err := s.lookOnly(ctx, c); err != nil {
		return nil, ofTime(err)
	}
	r, err := s.run(ctx, c)
	if err != nil { // a help that there isn't; what failed was no reading of a plan
		return nil, ofTime(err)
	}
	var tip [3]string          // change, commit, text: what there is now
	ended := map[string]bool{} // titles of the plans that have ended since
	for line := range strings.Lines(string(r.out)) {
		var was [3]string
		if json.Unmarshal([]byte(line), &was) != nil {
			return nil, nil
		}
		const commit, text = 1, 2
		open := s.options.isOpen(was[text])
		switch {
		case open && (tip[commit] == "" || ended[title(was[text])]):
			return nil, nil
		case tip[commit] == "":
			tip = was
		case open:
			name := was[commit][:min(12, len(was[commit]))]
			return []Plan{{
				Name: name, Where: "an earlier state of change " + tip[0], Text: was[text], Open: true, Orphan: true,
				Gone: "a message has taken its place in change " + tip[0], Continue: "sectile plan adopt " + name,
			}}, nil
		}
		if s.options.IsFinished != nil && s.options.IsFinished(was[text]) {
			ended[title(was[text])] = true
		}
	}
	return nil, nil
}

// title returns the first line of a text.
func title(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// adoptLost writes a plan that was lost into the current change. One that has a message by
// now keeps it: then another change is begun.
func (s *jjStore) adoptLost(ctx context.Context, p *Plan, check func(State) error) (State, error) {
	lock, err := s.lock(ctx)
	if err != nil {
		return State{}, err
	}
	defer lock.Release()
	now, err := s.look(ctx, lock)
	if err != nil {
		return State{}, err
	}
	if err := s.options.checkFree(now.state(), check); err != nil {
		return State{}, err
	}
	if strings.TrimSpace(now.text) != "" || now.immutable {
		if now, err = s.begin(ctx, lock, now); err != nil {
			return State{}, err
		}
		state, err := s.describe(ctx, lock, now, complete(p.Text))
		return state, afterWriting(err)
	}
	return s.describe(ctx, lock, now, complete(p.Text))
}

// twins returns the beginnings of the identifiers of the other commits that a divergent
// change is, as far as they are near, with commas between.
func (s *jjStore) twins(ctx context.Context, c *change) string {
	if !c.divergent {
		return ""
	}
	changes, err := s.read(ctx, look{revset: openPlans, limit: maxPlans})
	if err != nil {
		return ""
	}
	var names []string
	for i := range changes {
		if other := &changes[i]; other.id == c.id && other.commit != c.commit && !slices.Contains(names, other.commit) {
			names = append(names, fmt.Sprintf("%.12s", other.commit))
		}
	}
	return strings.Join(names, ", ")
}
