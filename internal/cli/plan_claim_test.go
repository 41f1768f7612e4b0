package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// TestManyAgents has agents, each with processes of its own, claim and mark the tasks of one
// plan at once: no task is given to two of them, none before what it waits for, and no mark is lost.
func TestManyAgents(t *testing.T) {
	tools, err := filepath.Abs(filepath.Join("..", "..", ".tools", "bin")) // where scripts/install-jj puts jj
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+string(filepath.ListSeparator)+os.Getenv("PATH"))
	few := func(all, few int) int {
		if testkit.Long() {
			return all
		}
		return few
	}
	for _, c := range []struct {
		store         string
		set           [][]string
		agents, tasks int
	}{
		{"file", nil, few(20, 8), few(40, 12)},
		{"git", [][]string{{"git", "init", "-q"}}, few(20, 4), few(20, 6)},
		{"jj", [][]string{{"git", "init", "-q"}, {"jj", "git", "init", "--quiet", "--colocate"}}, few(20, 3), few(20, 4)},
	} {
		t.Run(c.store, func(t *testing.T) {
			dir := t.TempDir()
			for _, args := range c.set {
				if _, err := exec.LookPath(args[0]); err != nil {
					testkit.Missing(t, args[0])
				}
				cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
				if cmd.Dir = dir; cmd.Run() != nil {
					t.Fatal(args)
				}
			}
			manyAgents(t, dir, c.store, c.agents, c.tasks)
		})
	}
}

// shownPlan is what a command tells of a plan, or an error.
type shownPlan struct {
	Tasks    []shownTask
	Type     string
	Metadata map[string]any
}

type shownTask struct {
	ID, Text string
	Done     bool
}

func manyAgents(t *testing.T, dir, store string, agents, tasks int) {
	t.Helper()
	command := func(stdin string, args ...string) (p shownPlan, code int) {
		out, errs, code := run(t, strings.NewReader(stdin), append([]string{"plan", "--root", dir, "--store", store, "--json"}, args...)...)
		if err := json.Unmarshal([]byte(out), &p); err != nil {
			t.Errorf("%v: %v: %s%s", args, err, out, errs)
		}
		return p, code
	}
	var list strings.Builder
	for i := range tasks {
		fmt.Fprintf(&list, "- [ ] task %d of the plan [id:: t%d]", i, i)
		if i%4 == 3 {
			fmt.Fprintf(&list, " [after:: t%d]", i-3)
		}
		list.WriteByte('\n')
	}
	command("", "goal", "feat(many): agents")
	command("", "detail", "--content", "All at once.")
	if p, code := command(list.String(), "set", "-"); code != 0 {
		t.Fatalf("%+v", p)
	}
	var mu sync.Mutex
	given, done := map[string]string{}, map[string]bool{}
	agent := func(name string) {
		for {
			p, code := command("", "claim", name, "--for", "24h")
			switch {
			case code != 0 && p.Type == "nothing to begin" && p.Metadata["ids"] == nil:
				return // all are done
			case code != 0 && p.Type == "nothing to begin":
				time.Sleep(5 * time.Millisecond)
				continue
			case code != 0 && p.Type == "concurrent_change": // the lock was held for long, on a busy machine
				continue
			case code != 0:
				t.Errorf("%s: %+v", name, p)
				return
			}
			i := slices.IndexFunc(p.Tasks, func(task shownTask) bool { return strings.Contains(task.Text, "[claim:: "+name+" until") })
			if i < 0 {
				t.Errorf("%s: no task was given: %+v", name, p)
				return
			}
			id := strings.TrimSuffix(strings.Split(p.Tasks[i].Text, "[id:: ")[1], "]")
			id, _, _ = strings.Cut(id, "]")
			mu.Lock()
			if other, twice := given[id]; twice {
				t.Errorf("%s was given to %s and to %s", id, other, name)
			}
			given[id] = name
			var number int
			_, _ = fmt.Sscanf(id, "t%d", &number)
			if number%4 == 3 && !done[fmt.Sprintf("t%d", number-3)] {
				t.Errorf("%s was given before what it waits for was done", id)
			}
			done[id] = true // before the mark, which others see at once
			mu.Unlock()
			for {
				p, code := command("", "mark", id)
				if code != 0 && p.Type == "concurrent_change" {
					continue
				}
				if code != 0 {
					t.Errorf("%s: %+v", name, p)
				}
				break
			}
		}
	}
	var all sync.WaitGroup
	for i := range agents {
		all.Go(func() { agent(fmt.Sprintf("agent-%d", i)) })
	}
	all.Wait()
	p, _ := command("", "show")
	if len(given) != tasks || len(p.Tasks) != tasks {
		t.Errorf("%d of %d tasks were given", len(given), tasks)
	}
	for _, task := range p.Tasks {
		if !task.Done || strings.Contains(task.Text, "claim") {
			t.Errorf("%s %q isn't done, or claimed still", task.ID, task.Text)
		}
	}
}
