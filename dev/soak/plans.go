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
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Several write to one plan. A mark that was acknowledged is there, a task that was
// added is there once, and no task is gone.

const (
	planWriters = 4
	firstTasks  = 6     // of each writer
	maxChars    = 40000 // of a reply, for a plan grows

	planTitle       = "write plans"
	planDescription = "What for."
)

// refusedFull is what is known of a write for which there was no room.
const refusedFull outcome = "refused: no room"

// noRoom is what sectile and git say of a disk that is full.
var noRoom = regexp.MustCompile(`no room is left|No space left`)

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
	// sure is how many writes have surely changed the plan, and maybe how many more may
	// have.
	sure, maybe atomic.Int64
	refusal     atomic.Value // the text of the last refusal
	first       int          // commits before them
	full        bool         // the disk may be full
	calm        bool         // nobody else writes any more
}

// plansIn returns the part that writes plans into a store.
func (r *run) plansIn(kind string) func(context.Context, string, *rand.Rand) error {
	return func(ctx context.Context, dir string, random *rand.Rand) error {
		p, err := r.newProject(dir, kind)
		if err != nil {
			return err
		}
		return p.soak(ctx, random)
	}
}

// newProject makes a project with a plan below the folder.
func (r *run) newProject(dir, kind string) (*project, error) {
	path, err := storeProgram(kind)
	if err != nil {
		return nil, err
	}
	p := &project{run: r, dir: filepath.Join(dir, "project"), kind: kind, store: path}
	err = p.begin(dir)
	return p, err
}

// soak has several write to the plan until the context ends, and checks it.
func (p *project) soak(ctx context.Context, random *rand.Rand) error {
	var writing, killing sync.WaitGroup
	var endpoints []*endpoint
	for range 2 {
		endpoints = append(endpoints, &endpoint{start: func() (caller, error) { return startServer(p.cmd(p.program, serverArguments...)) }})
	}
	for writer := range planWriters {
		own := newChance(random)
		writing.Go(func() { p.write(ctx, own, writer, endpoints[writer%len(endpoints)]) })
	}
	for _, e := range endpoints {
		own := newChance(random)
		killing.Go(func() { p.killing(ctx, own, e, 5*time.Second) })
	}
	writing.Wait()
	killing.Wait()
	p.calm = true
	for n, e := range endpoints {
		if err := p.alone(2_000_000+10*n, e); err != nil {
			p.fail("plans in %s: with nobody else there: %v", p.kind, err)
		}
	}
	p.closeAll(endpoints)
	return p.check()
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
	if p.kind == "git" {
		n, err := p.commits()
		p.first = n
		return err
	}
	return nil
}

// commits counts the commits that a plan in git has after it.
func (p *project) commits() (n int, err error) {
	refs, err := p.command(p.store, "for-each-ref", "--format=%(refname)", "refs/sectile/plans/")
	if err != nil {
		return 0, err
	}
	out, err := p.command(p.store, append([]string{"rev-list", "--count"}, strings.Fields(string(refs))...)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// judgeCommits compares the commits that a plan has after it with the writes: each that
// was acknowledged made one.
func (p *project) judgeCommits(n int) (wrong string) {
	least, most := p.first+int(p.sure.Load()), p.first+int(p.sure.Load()+p.maybe.Load())
	if n < least || n > most {
		return fmt.Sprintf("the plan has %d commits behind it instead of %d to %d", n, least, most)
	}
	return ""
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

// cmd returns a program that is to be run in the project.
func (p *project) cmd(program string, args ...string) *exec.Cmd {
	cmd := command(p.dir, program, args...)
	cmd.Env = p.env
	return cmd
}

// command runs a program in the project, and returns what it prints.
func (p *project) command(program string, args ...string) ([]byte, error) {
	e, err := finish(p.cmd(program, args...), nil)
	if err == nil && !e.state.Success() {
		err = errors.New(e.state.String())
	}
	if err != nil {
		err = fmt.Errorf("%s %q: %w: %s%s", filepath.Base(program), args, err, e.out, e.log)
	}
	return e.out, err
}

// write marks tasks of a writer, and adds others.
func (p *project) write(ctx context.Context, random *rand.Rand, writer int, e *endpoint) {
	for n := firstTasks; n == firstTasks || ctx.Err() == nil; n++ { // at least once
		var err error
		if n == firstTasks || random.IntN(3) > 0 || len(p.leaves[writer]) > 150 { // a plan has at most a thousand
			err = p.mark(random, writer, e)
		} else {
			_, _, err = p.add(n, writer, e)
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
		time.Sleep(10 * time.Millisecond)
		return nil
	}
	text := pick(random, open)
	l := p.leaves[writer][text]
	again := l.Marked != ""
	l.Marked = unanswered
	said, err := p.change(e, "mark_task", object{"task_id": text}, again)
	switch {
	case err != nil:
		return err
	case said == refusedFull && !again:
		l.Marked = ""
	case said == acknowledged:
		l.Marked = acknowledged
		p.tally.add("plan marks acknowledged", 1)
	case said == refused:
		return fmt.Errorf("marking %q was refused, though any version is right; the last refusal: %v", text, p.refusal.Load())
	}
	return nil
}

// add adds a task to the writer's own, on the plan as it is now, which it returns.
func (p *project) add(n, writer int, e *endpoint) (said outcome, now *shownPlan, err error) {
	r, err := e.call("gather_requirements", object{"max_chars": maxChars})
	if err != nil {
		return "", nil, err
	}
	if now, err = readPlan(r.StructuredContent); err != nil {
		return "", nil, err
	}
	text := fmt.Sprintf("task %d of %d.", n, writer)
	found := false
	for i, task := range now.Plan.Tasks {
		if task.text == fmt.Sprintf("writer %d.", writer) {
			now.Plan.Tasks[i].tasks = append(now.Plan.Tasks[i].tasks, planTask{text: text})
			found = true
		}
	}
	if !found {
		return "", nil, fmt.Errorf("the task of writer %d is gone", writer)
	}
	l := &leaf{Added: unanswered}
	p.leaves[writer][text] = l
	said, err = p.change(e, "set_plan", object{"plan": now.Plan.Tasks, "expected_version": now.Version}, false)
	if err == nil {
		l.Added = said
	}
	if said == refusedFull {
		l.Added = refused
	}
	if said == acknowledged {
		p.tally.add("plan writes acknowledged: with a version", 1)
	}
	return said, now, err
}

// alone writes with nobody else there: with the version that was told, which must be
// done, and with the one from before that, which must be refused.
func (p *project) alone(n int, e *endpoint) error {
	said, was, err := p.add(n, 0, e)
	if err != nil {
		return err
	}
	if said != acknowledged {
		return fmt.Errorf("a write on version %s was %s", was.Version, said)
	}
	if said, err = p.change(e, "set_plan", object{"plan": was.Plan.Tasks[:1], "expected_version": was.Version}, false); err == nil && said != refused {
		err = fmt.Errorf("a write on version %s was %s, which is not the one that is there", was.Version, said)
	}
	return err
}

// change calls a tool that writes. The error is errGone if it is not known what came of
// it. What is asked for again may be done already.
func (p *project) change(e *endpoint, tool string, args object, again bool) (outcome, error) {
	p.tally.add("plan writes tried", 1)
	r, err := e.call(tool, args)
	switch {
	case errors.Is(err, errGone):
		p.maybe.Add(1)
		p.tally.add("plan writes without an answer", 1)
		return unanswered, err
	case err != nil:
		return unanswered, fmt.Errorf("%s: %w", tool, err)
	case !r.IsError && again:
		p.maybe.Add(1)
		return acknowledged, nil
	case !r.IsError:
		p.sure.Add(1)
		return acknowledged, nil
	case strings.Contains(r.text(), "concurrent_change"):
		p.refusal.Store(r.text())
		if !p.calm {
			p.tally.add("plan writes refused: concurrent change", 1)
		}
		return refused, nil
	case p.full && !p.calm && noRoom.MatchString(r.text()):
		p.tally.add("plan writes refused: disk full", 1)
		return refusedFull, nil
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
		n, err := p.commits()
		if err != nil {
			return err
		}
		p.tally.add("commits of plans", n)
		if wrong := p.judgeCommits(n); wrong != "" {
			p.fail("plans in git: %s", wrong)
		}
	}
	// All goes on after kills.
	if _, err := p.command(p.program, "plan", "detail", "--content", "The end."); err != nil {
		p.fail("plans in %s: a write after all others: %v", p.kind, err)
	}
	return nil
}
