package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlanOfACloneIsNotTheOneAround has a clone in a folder of a repository of the other
// kind, which the clone's own file wants the plan in: that one is neither shown nor
// written, until the user says so.
func TestPlanOfACloneIsNotTheOneAround(t *testing.T) {
	need(t, "git")
	for _, store := range []string{"jj", "git"} {
		t.Run(store, func(t *testing.T) {
			own := t.TempDir()
			t.Setenv("XDG_CONFIG_HOME", own)
			outer := planned(t, store)
			clone := filepath.Join(outer, "clone")
			if store == "jj" {
				runIn(t, outer, "jj", "describe", "--quiet", "-m", "feat(own): private work")
				runIn(t, outer, "git", "init", "-q", "clone")
			} else {
				need(t, "jj")
				runIn(t, outer, "git", "update-ref", "refs/sectile/plans/"+strings.TrimSpace(runIn(t, outer, "git", "symbolic-ref", "--short", "HEAD")),
					strings.TrimSpace(runIn(t, outer, "git", "commit-tree", "-m", "feat(own): private work", "HEAD^{tree}")))
				runIn(t, outer, "jj", "git", "init", "--no-colocate", "--quiet", "clone")
			}
			config := []byte("plan: {store: " + store + "}\n")
			if err := os.WriteFile(filepath.Join(clone, ".sectile.yaml"), config, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{nil, {"--read-only", "--toolsets", "plan"}} {
				_, text := refusedPlan(t, process(t, clone, args...), "no_repository", toolGather, nil)
				shows(t, text, "further up", "nothing was read or written", "your own configuration")
				if strings.Contains(text, "private") {
					t.Errorf("it shows\n%s", text)
				}
			}
			refusedPlan(t, process(t, clone), "no_repository", toolGoal, storyGoal)
			refusedPlan(t, process(t, clone), "no_repository", toolNew, object{"force": true})
			user := filepath.Join(own, "sectile", "config.yaml")
			if err := os.Mkdir(filepath.Dir(user), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(user, config, 0o600); err != nil {
				t.Fatal(err)
			}
			shows(t, do(t, process(t, clone), toolGather, nil), "feat(own): private work")
		})
	}
}
