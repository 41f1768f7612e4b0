package planstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"

	"github.com/sectile/sectile/internal/runes"
)

// Update commits the text on the ref, as long as that is where it was read.
func (s *gitStore) Update(ctx context.Context, update func(State) (string, error)) (State, error) {
	state, _, err := s.move(ctx, func(t *tip, now State) (*commit, error) {
		text, err := update(now)
		if err != nil {
			return nil, err
		}
		if text, err = now.stored(text); err != nil || text == now.Text {
			return nil, err
		}
		return &commit{text: text, parents: t.parents()}, nil
	})
	return state, err
}

// New commits an empty message after the old plan.
func (s *gitStore) New(ctx context.Context, check func(State) error) (State, Old, error) {
	state, was, err := s.move(ctx, func(t *tip, now State) (*commit, error) {
		if err := check(now); err != nil {
			return nil, err
		}
		if now.Text == "" {
			return nil, nil
		}
		return &commit{parents: t.parents()}, nil
	})
	if err != nil || was == nil {
		return state, Old{}, err
	}
	return state, was.old(), nil
}

// old says where the plan at a tip stays.
func (t *tip) old() Old {
	short := t.commit[:min(12, len(t.commit))]
	return Old{Name: short, Where: fmt.Sprintf("commit %s on %s", short, t.ref), See: "git log " + runes.ShellQuoted(t.ref)}
}

// parents returns the parents of the next commit.
func (t *tip) parents() []string {
	if t.commit == "" {
		return nil
	}
	return []string{t.commit}
}

// commit is one that is to be made.
type commit struct {
	text    string
	parents []string
	drop    *tip // the ref that goes, in the same step
}

// A ref is tried to be moved so often while others move it, and so often in a row
// while it is locked, which git waits for itself for a moment; less often if the time of the
// call has an end before that, so that the error tells what it was.
const (
	maxMoves  = 200
	maxLocked = 20
)

// move moves the ref of the current plan to the commit that next asks for, or
// leaves it if that is nil. It returns the state after that, and where the ref was
// if it was moved.
func (s *gitStore) move(ctx context.Context, next func(*tip, State) (*commit, error)) (State, *tip, error) {
	var failed error
	locked := 0
	for n := 0; n < maxMoves && locked < maxLocked; n++ {
		begun := time.Now()
		t, err := s.tip(ctx)
		if err != nil {
			return State{}, nil, err
		}
		text, err := s.text(ctx, t)
		if err != nil {
			return State{}, nil, err
		}
		now := t.state(text)
		c, err := next(t, now)
		if c == nil || err != nil {
			return now, nil, err
		}
		switch err := s.commit(ctx, t, c); {
		case err == nil:
			now = t.state(c.text)
			return now, t, nil
		case errors.Is(err, errMoved):
			failed, locked = restless(&now), 0
		case errors.Is(err, errLocked):
			failed = err
			locked++
		default:
			return State{}, nil, err
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < 2*time.Since(begun) {
			break // as in the next try
		}
		if err := sleep(ctx, pause(n)); err != nil {
			return State{}, nil, err
		}
	}
	return State{}, nil, failed
}

// A ref that can't be moved now, and maybe can in a moment: nothing was changed.
var (
	errMoved  = errors.New("the ref was moved by somebody else")
	errLocked = errors.New("the ref is locked by somebody else")
)

// pause is how long to wait before the next try, the longer the more there were.
func pause(tries int) time.Duration {
	return time.Duration(1+rand.IntN(5*(1+min(tries, 10)))) * time.Millisecond //nolint:gosec // it is no secret
}

// commit makes a commit and moves the ref to it. The error may be errMoved or
// errLocked.
func (s *gitStore) commit(ctx context.Context, t *tip, c *commit) error {
	if err := checkCharacters(c.text); err != nil {
		return err
	}
	r, err := s.run(ctx, &call{args: []string{"mktree"}})
	if err != nil {
		return unwritten(err)
	}
	args := []string{"commit-tree", "--no-gpg-sign", strings.TrimSuffix(string(r.out), "\n")}
	for _, parent := range c.parents {
		args = append(args, "-p", parent)
	}
	made := &call{args: args, input: c.text}
	if r, err = s.try(ctx, made); err != nil {
		return unwritten(err)
	}
	if r.exit != 0 { // most likely it knows no name for the user
		made = &call{args: args, input: c.text, env: []string{
			"GIT_AUTHOR_NAME=sectile", "GIT_AUTHOR_EMAIL=sectile@localhost",
			"GIT_COMMITTER_NAME=sectile", "GIT_COMMITTER_EMAIL=sectile@localhost",
		}}
		if r, err = s.run(ctx, made); err != nil {
			return unwritten(err)
		}
	}
	return s.replace(ctx, t, strings.TrimSuffix(string(r.out), "\n"), c.drop)
}

// checkCharacters refuses a text with a code point that Unicode has set apart for no character: git
// takes that for broken UTF-8, and stores other characters in its place with a mere warning.
func checkCharacters(text string) error {
	for _, r := range text {
		if unicode.Is(unicode.Noncharacter_Code_Point, r) {
			return &Error{
				Type: TypeNotText, Unwritten: true, Message: fmt.Sprintf("the text has U+%04X, which is no character, and git would store others in its place", r),
				Hint: "take it out",
			}
		}
	}
	return nil
}

// replace moves the ref from where the tip says to another commit, and removes the
// ref at drop, if there is one, in the same step.
func (s *gitStore) replace(ctx context.Context, t *tip, commit string, drop *tip) error {
	c := &call{args: []string{"update-ref", "--no-deref", "--create-reflog", "-m", "sectile: plan", t.ref, commit, t.commit}}
	if drop != nil {
		c = renaming(t, commit, drop)
	}
	r, err := s.try(ctx, c)
	if err != nil || r.exit == 0 {
		return err
	}
	refs, err := s.refs(ctx, plansRef)
	if err != nil {
		return afterWriting(err)
	}
	e := s.explain(c, &r)
	if refs[t.ref] == commit { // git moves one ref after the other, and may fail at the second
		if drop == nil || refs[drop.ref] == "" {
			return nil
		}
		e.Told = true
		e.Message += fmt.Sprintf("; the plan was written to %s, and is at %s too, which was not removed", t.ref, drop.ref)
		e.Hint = fmt.Sprintf("remove it with `git update-ref -d %s`, which says what is in the way", runes.ShellQuoted(drop.ref))
		return e
	}
	e.Unwritten = true // or else the refs have moved
	switch {
	case refs[t.ref] != t.commit, t.commit == "" && isTaken(t.ref, refs), drop != nil && refs[drop.ref] != drop.commit:
		return errMoved
	case r.failure() == lockedFile:
		e.Err, e.Hint = errLocked, "if no git runs, remove the file that ends with .lock, which one has left"
	}
	return e
}
