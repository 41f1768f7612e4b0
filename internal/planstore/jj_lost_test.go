package planstore

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestJJLost has messages of the user take the place of a plan: it is found, and taken
// over, with the message kept.
func TestJJLost(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for name, over := range map[string][][]string{
		"jj commit":         {{"commit", "-m", "work in progress"}},
		"jj commit, edited": {{"commit", "-m", "work"}, {"describe", "@-", "-m", "work in progress"}},
		"the goal":          {{"commit", "-m", title(plan)}},
		"the goal, and why": {{"describe", "-m", title(plan) + "\n\nWhy."}},
		"jj describe":       {{"describe", "-m", "work in progress"}},
		"jj squash":         {{"new", "--no-edit", "--insert-before", "@", "-m", "base"}, {"squash", "-m", "work in progress"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, jj := newJJ(t)
			s := open(t, Options{Root: dir, Kind: JJ, JJ: jj})
			save(t, s, plan)
			const more = plan + "- [ ]: three\n"
			save(t, s, more)
			write(t, dir+"/a.txt", "one\n")
			message := ""
			for _, args := range over {
				run(t, dir, jj, args...)
				message = args[len(args)-1]
			}
			plans, err := s.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var lost *Plan
			for i := range plans {
				if plans[i].Orphan {
					lost = &plans[i]
				}
			}
			if lost == nil || lost.Text != more || !lost.Open || lost.Current || !strings.HasPrefix(lost.Where, "an earlier state of change ") || !strings.HasPrefix(lost.Gone, "a message has taken its place in change ") {
				t.Fatalf("%+v", plans)
			}
			now, err := s.Adopt(t.Context(), strings.Fields(lost.Continue)[3], never)
			if err != nil || now.Text != more || load(t, s) != now {
				t.Errorf("%+v %v", now, err)
			}
			if out := run(t, dir, jj, "log", "--no-graph", "-T", `description ++ diff.summary()`); !strings.Contains(out, message+"\nA a.txt") {
				t.Errorf("%s", out)
			}
			if plans, err = s.List(t.Context()); err != nil || !plans[0].Current || plans[len(plans)-1].Orphan {
				t.Errorf("%+v %v", plans, err)
			}
		})
	}
}

// TestJJNotLost finds nothing where a plan has ended or has only changed, and takes over
// none where there is one.
func TestJJNotLost(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	done := strings.ReplaceAll(plan, "[ ]", "[x]")
	for name, story := range map[string]func(t *testing.T, dir, jj string, s Store){
		"nothing":  func(*testing.T, string, string, Store) {},
		"the same": func(t *testing.T, dir, jj string, s Store) { save(t, s, plan); run(t, dir, jj, "commit", "-m", done) },
		"ended": func(t *testing.T, dir, jj string, s Store) {
			save(t, s, plan)
			save(t, s, done)
			run(t, dir, jj, "commit", "-m", title(plan))
		},
		"no plan": func(t *testing.T, dir, jj string, _ Store) {
			run(t, dir, jj, "commit", "-m", "one")
			run(t, dir, jj, "describe", "@-", "-m", "two")
		},
		"another plan": func(t *testing.T, dir, jj string, s Store) {
			save(t, s, plan)
			run(t, dir, jj, "commit", "-m", "work")
			save(t, s, "feat: other\n\n- [ ]: x\n")
		},
	} {
		dir, jj := newJJ(t)
		s := open(t, Options{Root: dir, Kind: JJ, JJ: jj, IsFinished: func(text string) bool {
			return strings.Contains(text, "- [x]: ") && !isOpenPlan(text)
		}})
		story(t, dir, jj, s)
		plans, err := s.List(t.Context())
		if err != nil || len(plans) > 0 && plans[len(plans)-1].Orphan {
			t.Errorf("%s: %+v %v", name, plans, err)
		}
		_, err = s.Adopt(t.Context(), "0123456789ab", never)
		wantType(t, err, TypeNoPlan)
	}
}

// TestJJMovedWhileBegun has the user go to another change right before or after a change is begun
// for a new plan, or for one that was lost: the other one is left as it is, and not told as the new one.
func TestJJMovedWhileBegun(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for name, with := range map[string]func(t *testing.T, dir, jj, name, command string) string{"before": jjAfter, "after": jjThen} {
		for _, adopts := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", adopts), func(t *testing.T) {
				t.Parallel()
				dir, jj := newJJ(t)
				run(t, dir, jj, "new", "-m", "my own notes")
				write(t, filepath.Join(dir, "n"), "n\n")
				other := load(t, jjStoreIn(t, dir, jj))
				run(t, dir, jj, "new", "@-")
				save(t, jjStoreIn(t, dir, jj), plan)
				if adopts {
					run(t, dir, jj, "describe", "-m", "a message")
				}
				was := load(t, jjStoreIn(t, dir, jj))
				s := jjStoreIn(t, dir, with(t, dir, jj, "new", "jj edit "+other.Name))
				var err error
				if adopts {
					plans, failed := s.List(t.Context())
					if failed != nil {
						t.Fatal(failed)
					}
					_, err = s.Adopt(t.Context(), plans[len(plans)-1].Name, never)
				} else {
					_, _, err = s.New(t.Context(), never)
				}
				if e := typed(t, err, TypeConcurrent); !e.Told || e.Version != load(t, s).Version {
					t.Errorf("%s", detail(err))
				}
				for _, c := range []State{other, was} {
					if text := run(t, dir, jj, "log", "--no-graph", "-r", c.Name, "-T", "description"); text != c.Text {
						t.Errorf("%s has %q", c.Where, text)
					}
				}
			})
		}
	}
}
