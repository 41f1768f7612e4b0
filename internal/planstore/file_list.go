package planstore

import (
	"context"

	"github.com/sectile/sectile/internal/textfile"
)

// List returns the file and those that were kept. One that holds what the file does
// is not told of: it is no other plan. Nor is a link, a pipe or a device, for
// nothing is kept as one: many links to one large file would cost what as many files do.
func (s *fileStore) List(ctx context.Context) ([]Plan, error) {
	r, err := s.roots()
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // nothing was written
	numbers, err := s.numbers(ctx, false)
	if err != nil {
		return nil, err
	}
	if len(numbers) > maxKept {
		return nil, s.tooMany("more than 10,000")
	}
	total := 0
	var plans []Plan
	for _, n := range append([]int{0}, numbers...) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := Plan{Name: s.path, Where: s.path, Current: n == 0}
		if n > 0 {
			p.Name = s.kept(n)
			p.Where, p.Continue = p.Name, "sectile plan adopt "+operand(p.Name)
		}
		text, err := r.Read(&textfile.Reader{}, p.Name)
		switch {
		case isMissing(err) && n > 0: // it was removed just now
			continue
		case err != nil && !isMissing(err):
			return nil, s.fail("read", err)
		}
		if total += len(text); total > maxListed {
			return nil, s.tooMany("they have more than 64 MiB")
		}
		p.Text = string(text)
		if p.Text != "" && (len(plans) == 0 || !plans[0].Current || p.Text != plans[0].Text) {
			p.Open = s.options.isOpen(p.Text)
			plans = append(plans, p)
		}
	}
	return plans, nil
}

// Adopt puts a kept file in the place of the plan's file.
func (s *fileStore) Adopt(ctx context.Context, name string, check func(State) error) (State, error) {
	plans, err := s.List(ctx)
	if err != nil {
		return State{}, err
	}
	for i := range plans {
		p := &plans[i]
		if p.Name != name {
			continue
		}
		if p.Current {
			return s.Load(ctx)
		}
		state, _, err := s.keep(ctx, func(now State) error { return s.options.checkFree(now, check) }, name)
		return state, err
	}
	return State{}, noPlan(name, plans)
}

// checkFree refuses to put a plan in the place of what check refuses, or of one that is not finished.
func (o *Options) checkFree(now State, check func(State) error) error {
	if err := check(now); err != nil || !o.isOpen(now.Text) {
		return err
	}
	return &Error{
		Type: TypeOccupied, Version: now.Version, Told: true,
		Message: "there is an unfinished plan in " + now.Where + ", and nothing was changed",
		Hint:    "finish it, or begin a new plan, which keeps it",
	}
}
