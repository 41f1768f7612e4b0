//go:build unix

package planstore

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSlowBehindAWrite: where git is slow from some command of Jujutsu on, the proof of the repository
// before the next command ends. Behind a write the error doesn't say that nothing was written, nor that
// the repository isn't the project's.
func TestSlowBehindAWrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, behind string // the first command of this name, behind one of the other
		call         func(t *testing.T, s Store) error
		unwritten    bool
	}{
		"before the first": {"log", "", func(t *testing.T, s Store) error {
			_, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil })
			return err
		}, true},
		"behind describe": {"describe", "", func(t *testing.T, s Store) error {
			_, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil })
			return err
		}, false},
		"between new and describe": {"log", "new", func(t *testing.T, s Store) error {
			plans, err := s.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Adopt(t.Context(), plans[len(plans)-1].Name, never)
			return err
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, tools := t.TempDir(), t.TempDir()
			jj := findJJ(t)
			run(t, dir, jj, "git", "init", "--colocate")
			slow, behind := filepath.Join(tools, "slow"), filepath.Join(tools, "behind")
			sound := jjStoreIn(t, dir, jj)
			save(t, sound, plan)
			run(t, dir, jj, "describe", "-m", "a message")
			if c.behind == "" {
				write(t, behind, "")
			}
			o := Options{Root: dir, Kind: JJ, Timeout: 3 * time.Second, Git: script(t, filepath.Join(tools, "git"), fmt.Sprintf(`[ -e '%s' ] && sleep 60; exec git "$@"`, slow))}
			o.JJ = script(t, filepath.Join(tools, "jj"), fmt.Sprintf(`
case " $* " in *" %s "*) [ -e '%s' ] && touch '%s';; esac
case " $* " in *" %s "*) touch '%s';; esac
exec '%s' "$@"`, c.from, behind, slow, c.behind, behind, jj))
			err := c.call(t, open(t, o))
			if e := typed(t, err, TypeFailed); e.Told || e.Unwritten != c.unwritten || !strings.Contains(e.Message, "did not end within 3s") || strings.Contains(e.Error(), "nothing was") {
				t.Errorf("%s", detail(err))
			}
		})
	}
}

// TestSlowLookForLostPlans: where there is no time to look for a plan that was lost, the list fails; it
// isn't one without that plan.
func TestSlowLookForLostPlans(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	save(t, jjStoreIn(t, dir, jj), plan)
	run(t, dir, jj, "describe", "-m", "a message")
	s := open(t, Options{Root: dir, Kind: JJ, Timeout: 2 * time.Second, JJ: script(t, filepath.Join(t.TempDir(), "jj"), fmt.Sprintf(`case " $* " in *" evolog "*) sleep 60;; esac; exec '%s' "$@"`, jj))})
	plans, err := s.List(t.Context())
	if e := typed(t, err, TypeFailed); !strings.Contains(e.Message, "did not end within 2s") {
		t.Errorf("%+v, %s", plans, detail(err))
	}
}
