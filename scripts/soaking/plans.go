package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Several write to one plan. A mark that was acknowledged is there, a task that was
// added is there once, and no task is gone.

const (
	planWriters = 4
	firstTasks  = 6 // of each writer

	planTitle       = "write plans"
	planDescription = "What for."
)

// storeProgram returns the path of the program that a store needs, or an error.
func storeProgram(kind string) (string, error) {
	if kind == "file" {
		return "", nil
	}
	path, err := exec.LookPath(kind)
	if err != nil {
		if own, absErr := filepath.Abs(filepath.Join(".tools", "bin", kind)); absErr == nil { // from scripts/install-jj
			path, err = exec.LookPath(own)
		}
	}
	if err != nil {
		return "", errors.New("there is no " + kind)
	}
	return path, nil
}

// leaf is a task of a writer.
type leaf struct {
	Added  outcome // what is known of its adding
	Marked outcome // and of its mark; empty if nobody tried
}

// project is a folder with a plan.
type project struct {
	*run

	dir   string
	env   []string
	kind  string // of the store
	store string // the program that it needs, empty for none

	leaves [planWriters]map[string]*leaf // by the text of the task
}

// plansIn returns the part that writes plans into a store.
func (r *run) plansIn(kind string) func(context.Context, string, *rand.Rand) error {
	return func(ctx context.Context, dir string, random *rand.Rand) error {
		path, err := storeProgram(kind)
		if err != nil {
			return err
		}
		p := &project{run: r, dir: filepath.Join(dir, "project"), kind: kind, store: path}
		if err := p.begin(dir); err != nil {
			return err
		}
		var writing, killing sync.WaitGroup
		var endpoints []*endpoint
		for range 2 {
			endpoints = append(endpoints, &endpoint{start: func() (caller, error) { return startServer(r.program, p.dir, p.env) }})
		}
		for writer := range planWriters {
			own := newChance(random)
			writing.Go(func() { p.write(ctx, own, writer, endpoints[writer%len(endpoints)]) })
		}
		for _, e := range endpoints {
			own := newChance(random)
			killing.Go(func() { r.killing(ctx, own, e, 5*time.Second) })
		}
		writing.Wait()
		killing.Wait()
		for _, e := range endpoints {
			if err := e.close(); err != nil {
				r.fail("%s: %v", kind, err)
			}
		}
		return p.check()
	}
}

// begin makes the project and its plan.
func (p *project) begin(dir string) error {
	if err := p.init(dir); err != nil {
		return err
	}
	var tasks strings.Builder
	for writer := range planWriters {
		p.leaves[writer] = map[string]*leaf{}
		fmt.Fprintf(&tasks, "- [ ] writer %d.\n", writer)
		for n := range firstTasks {
			text := fmt.Sprintf("task %d of %d.", n, writer)
			p.leaves[writer][text] = &leaf{Added: acknowledged}
			fmt.Fprintf(&tasks, "  - [ ] %s\n", text)
		}
	}
	list := filepath.Join(dir, "tasks.md")
	if err := os.WriteFile(list, []byte(tasks.String()), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"goal", "feat(soak): " + planTitle}, {"detail", "--content", planDescription}, {"set", list},
	} {
		if _, err := p.command(p.program, append([]string{"plan"}, args...)...); err != nil {
			return err
		}
	}
	return nil
}

// init makes the folder of the project, with version control and its configuration.
func (p *project) init(dir string) error {
	jjConfig, gitConfig := filepath.Join(dir, "jj.toml"), filepath.Join(dir, "gitconfig")
	p.env = append(os.Environ(), "JJ_CONFIG="+jjConfig, "GIT_CONFIG_GLOBAL="+gitConfig, "GIT_CONFIG_NOSYSTEM=1")
	if p.store != "" {
		p.env = append(p.env, "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(p.store))
	}
	err := errors.Join(os.Mkdir(p.dir, 0o755),
		os.WriteFile(jjConfig, []byte("user.name = \"Tester\"\nuser.email = \"tester@example.com\"\ngit.colocate = false\n"), 0o600),
		os.WriteFile(gitConfig, []byte("[user]\n\tname = Tester\n\temail = tester@example.com\n[init]\n\tdefaultBranch = main\n"), 0o600))
	if err != nil {
		return err
	}
	switch p.kind {
	case "jj":
		_, err = p.command(p.store, "git", "init")
	case "git":
		_, err = p.command(p.store, "init", "-q")
		if err == nil {
			_, err = p.command(p.store, "commit", "-q", "--allow-empty", "-m", "one")
		}
	default: // a folder that stops the search for a project of another kind
		err = os.WriteFile(filepath.Join(p.dir, ".sectile.yaml"), []byte("plan:\n  store: file\n"), 0o600)
	}
	return err
}

// command runs a program in the project, and returns what it prints.
func (p *project) command(program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if line := badLog(errs.String()); line != "" {
		err = errors.Join(err, fmt.Errorf("it logs %s", line))
	}
	if err != nil {
		err = fmt.Errorf("%s %q: %w: %s%s", filepath.Base(program), args, err, out, errs.String())
	}
	return out, err
}

// write marks tasks of a writer, and adds others.
func (p *project) write(ctx context.Context, random *rand.Rand, writer int, e *endpoint) {
	for n := firstTasks; n == firstTasks || ctx.Err() == nil; n++ { // at least once
		var err error
		if n == firstTasks || random.IntN(3) > 0 {
			err = p.mark(random, writer, e)
		} else {
			err = p.add(fmt.Sprintf("task %d of %d.", n, writer), writer, e)
		}
		if err != nil && !errors.Is(err, errGone) {
			p.fail("plans in %s: %v", p.kind, err)
			return
		}
	}
}

// mark marks one of the writer's tasks that is surely there.
func (p *project) mark(random *rand.Rand, writer int, e *endpoint) error {
	var open []string
	for n := range 1000 {
		text := fmt.Sprintf("task %d of %d.", n, writer)
		if l := p.leaves[writer][text]; l != nil && l.Added == acknowledged && l.Marked != acknowledged {
			open = append(open, text)
		}
	}
	if len(open) == 0 {
		return nil
	}
	text := pick(random, open)
	l := p.leaves[writer][text]
	l.Marked = unanswered
	said, err := p.change(e, "mark_task", object{"task_id": text})
	if err == nil && said != acknowledged {
		err = fmt.Errorf("marking %q was refused, though any version is right", text)
	}
	if err == nil {
		l.Marked = acknowledged
	}
	return err
}

// add adds a task to the writer's own, on the plan as it is now.
func (p *project) add(text string, writer int, e *endpoint) error {
	if len(p.leaves[writer]) > 150 {
		return nil // a plan has at most a thousand
	}
	r, err := e.call("gather_requirements", object{})
	if err != nil {
		return err
	}
	now, err := readPlan(r.StructuredContent)
	if err != nil {
		return err
	}
	found := false
	for i, task := range now.Plan.Tasks {
		if task.text == fmt.Sprintf("writer %d.", writer) {
			now.Plan.Tasks[i].tasks = append(now.Plan.Tasks[i].tasks, planTask{text: text})
			found = true
		}
	}
	if !found {
		return fmt.Errorf("the task of writer %d is gone", writer)
	}
	l := &leaf{Added: unanswered}
	p.leaves[writer][text] = l
	said, err := p.change(e, "set_plan", object{"plan": now.Plan.Tasks, "expected_version": now.Version})
	if err == nil {
		l.Added = said
	}
	return err
}

// change calls a tool that writes. The error is errGone if it is not known what came of
// it.
func (p *project) change(e *endpoint, tool string, args object) (outcome, error) {
	p.tally.add("plan writes tried", 1)
	r, err := e.call(tool, args)
	switch {
	case errors.Is(err, errGone):
		p.tally.add("plan writes without an answer", 1)
		return unanswered, err
	case err != nil:
		return unanswered, fmt.Errorf("%s: %w", tool, err)
	case !r.IsError:
		p.tally.add("plan writes acknowledged", 1)
		return acknowledged, nil
	case strings.Contains(r.text(), "concurrent_change"):
		p.tally.add("plan writes refused: concurrent change", 1)
		return refused, nil
	}
	return refused, fmt.Errorf("%s: %s", tool, r.text())
}

// shownPlan is a plan as it is shown.
type shownPlan struct {
	Version string
	State   string
	Plan    struct {
		Header struct {
			Type, Scope, Title string
			Breaking           bool
		}
		Description string
		Constraints []string
		Tasks       []planTask
	}
}

// planTask is a task: done, text, and those below it, in this order.
type planTask struct {
	done  bool
	text  string
	tasks []planTask
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *planTask) UnmarshalJSON(raw []byte) error {
	return json.Unmarshal(raw, &[]any{&t.done, &t.text, &t.tasks})
}

// MarshalJSON implements json.Marshaler.
func (t planTask) MarshalJSON() ([]byte, error) {
	below := t.tasks
	if below == nil {
		below = []planTask{}
	}
	return json.Marshal([]any{t.done, t.text, below})
}

// readPlan reads a plan that is shown.
func readPlan(raw []byte) (*shownPlan, error) {
	p := new(shownPlan)
	err := json.Unmarshal(raw, p)
	if err == nil && (p.State != "parsed" || p.Version == "") {
		err = fmt.Errorf("no plan is shown: %.300s", raw)
	}
	return p, err
}

// check looks at what came of the plan.
func (p *project) check() error {
	time.Sleep(200 * time.Millisecond) // a program that a killed server had started may still write
	raw, err := p.command(p.program, "plan", "show", "--json")
	if err != nil {
		return err
	}
	now, err := readPlan(raw)
	if err != nil {
		return err
	}
	wrong, late := checkPlan(now.Plan.Tasks, p.leaves[:])
	wrong = append(wrong, checkGoal(now)...)
	p.tally.add("plan writes without an answer that were made", late)
	for _, w := range wrong {
		p.fail("plans in %s: %s", p.kind, w)
	}
	switch p.kind {
	case "jj":
		out, err := p.command(p.store, "log", "--no-graph", "-r", "divergent()", "-T", "commit_id")
		if err != nil || len(out) > 0 {
			p.fail("plans in jj: divergent: %s %v", out, err)
		}
	case "git":
		if out, err := p.command(p.store, "fsck", "--strict", "--no-dangling"); err != nil {
			p.fail("plans in git: %s %v", out, err)
		}
	}
	// All goes on after kills.
	if _, err := p.command(p.program, "plan", "detail", "--content", "The end."); err != nil {
		p.fail("plans in %s: a write after all others: %v", p.kind, err)
	}
	return nil
}
