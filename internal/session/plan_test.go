package session

import (
	"strconv"
	"testing"
)

// TestPlan says in which texts positions hold.
func TestPlan(t *testing.T) {
	a, b, c, d := NewPlanText("file", "x", "a\n"), NewPlanText("file", "x", "b"), NewPlanText("file", "x", "c"), NewPlanText("file", "x", "d")
	if a != NewPlanText("file", "x", "a") || a == NewPlanText("file", "y", "a") || a == NewPlanText("git", "x", "a") {
		t.Error("a text is known by its kind, its place and what it says")
	}
	knows := func(p *Plan, what string, want ...PlanText) {
		t.Helper()
		for _, text := range []PlanText{a, b, c, d} {
			wanted := false
			for _, w := range want {
				wanted = wanted || w == text
			}
			if p.Knows(text) != wanted {
				t.Errorf("%s: knows %x: %v", what, text[:1], !wanted)
			}
		}
	}
	s := New()
	p := s.Plan()
	if !p.IsNew() || p != s.Plan() {
		t.Error("a session has one plan, of which nothing was shown")
	}
	knows(p, "nothing shown")
	p.Made(a, b)
	knows(p, "a change of one who has seen nothing", a, b)
	p.Shown(c, p.Now())
	knows(p, "another text shown", c)
	p.Made(a, b)
	knows(p, "a change of a text that is not known", c)
	p.Made(c, d)
	p.Shown(c, p.Now())
	knows(p, "one that is known is shown", c, d)
	before := p.Now()
	first, second := p.Next(), p.Next()
	p.Shown(b, second)
	p.Shown(a, first)
	p.Shown(c, before)
	knows(p, "replies that come late", b)
	p.Shown(a, p.Now())
	knows(p, "a reply of now", a)

	p.Listed(c, []string{"1", "2.1"})
	p.Listed(c, nil) // names none
	knows(p, "an error shows no text", a)
	if !p.WasListed(c, "2.1") || p.WasListed(c, "2") || p.WasListed(a, "1") {
		t.Error("positions that an error lists are shown, in its text alone")
	}

	last := a
	for i := range 2 * maxPlanTexts {
		next := NewPlanText("file", "x", strconv.Itoa(i))
		p.Made(last, next)
		last = next
		if !p.Knows(last) || len(p.known) > maxPlanTexts {
			t.Fatalf("after %d changes %d texts are known", i, len(p.known))
		}
	}

	var nobody *Plan
	if (*Session)(nil).Plan() != nobody || nobody.IsNew() || nobody.Now() != 0 || nobody.Next() != 0 {
		t.Error("nobody has something")
	}
	nobody.Listed(a, []string{"1"})
	if nobody.WasListed(a, "1") {
		t.Error("nobody was shown something")
	}
	nobody.Made(a, b)
	nobody.Shown(a, 0)
	knows(nobody, "nobody")
}
