package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/testkit"
)

// Plans through the protocol, in real repositories.

// setVersionControl makes the configuration of the machine's version control one of
// the tests, and jj one that scripts/install-jj has put into the project.
func setVersionControl(dir string) error {
	tools, err := filepath.Abs(filepath.Join("..", "..", ".tools", "bin"))
	files := map[string]string{
		"jj.toml":   "user.name = \"Tester\"\nuser.email = \"tester@example.com\"\ngit.colocate = false\n",
		"gitconfig": "[user]\n\tname = Tester\n\temail = tester@example.com\n[init]\n\tdefaultBranch = main\n",
	}
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for name, value := range map[string]string{
		"JJ_CONFIG": filepath.Join(dir, "jj.toml"), "GIT_CONFIG_GLOBAL": filepath.Join(dir, "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1",
		"PATH": os.Getenv("PATH") + string(os.PathListSeparator) + tools,
	} {
		err = errors.Join(err, os.Setenv(name, value))
	}
	return err
}

// runIn runs a program as a user would, and returns what it prints.
func runIn(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// need skips a test without a program.
func need(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		testkit.Missing(t, "there is no "+name)
	}
}

// planned makes a project for each of the stores.
func planned(t testing.TB, store string) (dir string) {
	t.Helper()
	dir = docs(t, map[string]string{"guide.md": guide})
	switch store {
	case "jj":
		need(t, "jj")
		runIn(t, dir, "jj", "git", "init")
	case "git":
		need(t, "git")
		runIn(t, dir, "git", "init", "-q")
		runIn(t, dir, "git", "add", ".")
		runIn(t, dir, "git", "commit", "-qm", "one")
	case "file":
	default:
		t.Fatalf("no project is made for plans in %s", store)
	}
	return dir
}

// process returns a client of a server that is a process of its own.
func process(t testing.TB, dir string, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(testkit.BuildProgram(t), append([]string{"mcp", "--root", dir}, args...)...)
	cmd.Stderr = os.Stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(context.WithoutCancel(t.Context()), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// do calls a tool that must succeed.
func do(t testing.TB, session *mcp.ClientSession, tool string, args object) string {
	t.Helper()
	text, failed := ask(t, session, tool, args)
	if failed {
		t.Fatalf("%s %v: %s", tool, args, text)
	}
	text = unmarked(text)
	if strings.Count(text, "\nstage: ") != 1 && !strings.HasPrefix(text, "stage: ") || !strings.Contains(text, "version: ") || !strings.Contains(text, "\nnext: ") || !strings.Contains(text, "\nkept in: ") {
		t.Errorf("%s %v: a reply without version, place, stage or next tools:\n%s", tool, args, text)
	}
	return text
}

// field returns what the head of a reply says.
func field(text, name string) string {
	text = unmarked(text)
	found := regexp.MustCompile(`(?m)^` + name + `: (.*)$`).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}

// shows fails the test unless all of the texts are there.
func shows(t testing.TB, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

var (
	storyGoal   = object{"goal": object{"type": "feat", "scope": "parser", "breaking": true, "title": "read nested tasks"}}
	storyDetail = object{"description": "Plans have more than one level.\n\nThe parser knows one.", "constraints": []any{"Never: parse twice", []string{"Do not", "change the format"}}}
	storyPlan   = object{"plan": []any{
		object{"text": "read", "subtasks": []any{object{"text": "measure the indentation"}, object{"text": "build the tree"}}}, object{"text": "write"},
	}}
)

// storyText is the plan of the story when the first task is done.
const storyText = `feat(parser)!: read nested tasks

Plans have more than one level.

The parser knows one.

- Never: parse twice
- Do not: change the format

- [ ]: read
  - [x]: measure the indentation
  - [ ]: build the tree
- [ ]: write
`

// TestPlanStory goes from a goal to finished tasks in each store, continued in the
// middle by another process.
func TestPlanStory(t *testing.T) {
	t.Parallel()
	for _, store := range planning.Stores()[1:] { // the first is auto
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			dir := planned(t, store)
			stored := func() string {
				switch store {
				case "jj":
					return runIn(t, dir, "jj", "log", "--no-graph", "-r", "@", "-T", "description")
				case "git":
					return runIn(t, dir, "git", "log", "-1", "--format=%B", "refs/sectile/plans/main")
				}
				text, err := os.ReadFile(filepath.Join(dir, ".sectile", "plan.md"))
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			first := process(t, dir)
			text := do(t, first, toolGather, object{})
			shows(t, text, "stage: 0 of 6, goal: There is no goal yet.\n", "(store "+store+")", "next: set_overarching_goal\n", "ask the user")
			text = do(t, first, toolGoal, storyGoal)
			shows(t, text, "did: the goal is set\n", "stage: 1 of 6, detail: ", "feat(parser)!: read nested tasks\n", "set_detailed_goal")
			if text = do(t, first, toolDetail, storyDetail); field(text, "next") != "set_plan, set_detailed_goal" {
				t.Errorf("with constraints: %s", text)
			}
			shows(t, text, "stage: 4 of 6, plan: ", "- Never: parse twice\n")
			text = do(t, first, toolTasks, storyPlan)
			shows(t, text, "stage: 5 of 6, execution: The plan is agreed", "progress: 0 of 3 tasks done (0 %)\n", "task: 1.1 measure the indentation\n", "  1.2 [ ] build the tree\n2 [ ] write\n")
			text = do(t, first, toolMark, object{"task_id": "1.1"})
			shows(t, text, "did: task 1.1 is done: measure the indentation\n", "progress: 1 of 3 tasks done (33 %)\n", "task: 1.2 build the tree\n")
			version := field(text, "version")
			if got := strings.TrimRight(stored(), "\n") + "\n"; got != storyText {
				t.Errorf("stored:\n%s\nwant\n%s", got, storyText)
			}
			if err := first.Close(); err != nil {
				t.Errorf("the first process ends with %v", err)
			}
			second := process(t, dir)
			text = do(t, second, toolGather, nil)
			if field(text, "version") != version {
				t.Errorf("another process sees another version than %s:\n%s", version, text)
			}
			shows(t, text, "1 [ ] read\n  1.1 [x] measure the indentation\n", "Take the open tasks in order")
			text = do(t, second, toolMark, object{"task_id": "THE TREE", "completed": "true"})
			shows(t, text, "1 [x] read\n")
			if text, failed := ask(t, second, toolFinish, nil); !failed {
				t.Errorf("finished with an open task: %s", text)
			}
			do(t, second, toolMark, object{"task_id": 2})
			text = do(t, second, toolFinish, nil)
			shows(t, text, "stage: 6 of 6, completion", "progress: 3 of 3 tasks done (100 %)", "~~~ COMPLETE ~~~", "Tell the user")
			again := do(t, second, toolFinish, nil)
			shows(t, again, "nothing has changed", "version: "+field(text, "version")+"\n")
			if store == "jj" {
				shows(t, runIn(t, dir, "jj", "log"), "feat(parser)!: read nested tasks")
				runIn(t, dir, "jj", "undo")
				shows(t, do(t, second, toolGather, nil), "stage: 5 of 6", "progress: 3 of 3")
				runIn(t, dir, "jj", "redo")
			}
			text = do(t, second, toolNew, nil)
			shows(t, text, "stage: 0 of 6", "old plan: it stays in ")
			if see := regexp.MustCompile("`([^`]+)` shows it").FindStringSubmatch(text); see != nil {
				words := strings.Fields(see[1])
				shows(t, runIn(t, dir, words[0], words[1:]...), "feat(parser)!: read nested tasks")
			} else if store != "file" {
				t.Errorf("where the old plan stays is not told:\n%s", text)
			}
		})
	}
}

// TestPlanThatWasLeft finds the plan that the working copy was moved off.
func TestPlanThatWasLeft(t *testing.T) {
	t.Parallel()
	dir := planned(t, "jj")
	session := process(t, dir)
	do(t, session, toolGoal, storyGoal)
	do(t, session, toolDetail, storyDetail)
	do(t, session, toolTasks, storyPlan)
	do(t, session, toolMark, object{"task_id": "write"})
	if err := os.WriteFile(filepath.Join(dir, "new file.go"), []byte("package x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := do(t, session, toolGather, object{"include_diff": true, "max_diff_bytes": 200})
	shows(t, text, "changed files, against the parent of change ", "- added guide.md\n- added new file.go\n", "difference (data", "[left out: from line ")
	runIn(t, dir, "jj", "new")
	_, text = refusedPlan(t, session, "no tasks found", toolFinish, nil)
	shows(t, text, "There is no plan in change ", "; see with gather_requirements whether an unfinished one is elsewhere, ")
	text = do(t, session, toolGather, nil)
	shows(t, text, "stage: 0 of 6", `"feat(parser)!: read nested tasks", stage 5, 1 of 3 tasks done; to go on there: `, "changed files: none against")
	command := regexp.MustCompile("go on there: `jj ([^`]+)`").FindStringSubmatch(text)
	if command == nil {
		t.Fatal(text)
	}
	runIn(t, dir, "jj", strings.Fields(command[1])...)
	shows(t, do(t, session, toolGather, nil), "stage: 5 of 6", "2 [x] write\n")
	runIn(t, dir, "jj", "new")
	runIn(t, dir, "jj", "describe", "-m", "wip")
	if err := os.WriteFile(filepath.Join(dir, "more.go"), []byte("package x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shows(t, do(t, session, toolGather, nil), "stage: 0 of 6", "is no plan and is not written over", "\nwip\n", "unfinished plan: change ")
	runIn(t, dir, "jj", "describe", "-m", "")
	shows(t, do(t, session, toolGather, nil), "Work has begun without a plan: look at these files first", "- added more.go\n")
}

// planFailureOf returns what the metadata of an error says, after checking its form.
func planFailureOf(t testing.TB, text string) (kind string, metadata object) {
	t.Helper()
	found := regexp.MustCompile("(?s)^An internal error occurred: ([a-z_ ]+) `([^`\n]+)`\n\nMetadata:\n(\\{.*?\\n?\\})\n\n([^\n]+)\n$").FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("an error of another form:\n%s", text)
	}
	if err := json.Unmarshal([]byte(found[3]), &metadata); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if n := len([]rune(text)); n >= maxErrorChars {
		t.Errorf("an error of %d characters", n)
	}
	critical := strings.HasPrefix(found[4], "This is a CRITICAL ISSUE ")
	switch found[1] {
	case "command failed", "command non zero exit", "no_repository", "unsupported_version":
		if !critical {
			t.Errorf("not critical: %s", text)
		}
	default:
		if critical {
			t.Errorf("critical: %s", text)
		}
	}
	return found[1], metadata
}

// refusedPlan calls a tool that must fail with the type.
func refusedPlan(t testing.TB, session *mcp.ClientSession, kind, tool string, args any) (metadata object, text string) {
	t.Helper()
	text, failed := ask(t, session, tool, args)
	if !failed {
		t.Fatalf("%s %v succeeds:\n%s", tool, args, text)
	}
	got, metadata := planFailureOf(t, text)
	if got != kind {
		t.Errorf("%s %v: %s, want %s:\n%s", tool, args, got, kind, text)
	}
	return metadata, text
}

// TestPlanErrors provokes what can go wrong with a plan whatever keeps it.
func TestPlanErrors(t *testing.T) {
	dir := planned(t, "file")
	file := filepath.Join(dir, ".sectile", "plan.md")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	session := process(t, dir)
	refusedPlan(t, session, "no tasks found", toolFinish, nil)
	refusedPlan(t, session, "no tasks found", toolMark, object{"task_id": "1"})
	m, _ := refusedPlan(t, session, "commit validation failed", toolDetail, object{"description": "x"})
	shows(t, fmt.Sprint(m), "MISSING_HEADER")
	m, _ = refusedPlan(t, session, "commit validation failed", toolGoal, object{"goal": object{"type": "feature", "scope": "Parser", "title": "x"}})
	shows(t, fmt.Sprint(m), "header.type", "header.scope", "Scope should be lowercase: Parser")
	do(t, session, toolGoal, storyGoal)
	m, text := refusedPlan(t, session, "commit validation failed", toolDetail, object{"description": "- [ ]: not prose", "constraints": []string{}})
	shows(t, fmt.Sprint(m), "description")
	shows(t, text, "not prose")
	m, _ = refusedPlan(t, session, "commit validation failed", toolDetail, object{"description": "x", "constraints": []string{"Maybe: do it"}})
	shows(t, fmt.Sprint(m), "constraints.0.0")
	m, _ = refusedPlan(t, session, "incorrect input format", toolDetail, object{"description": "x", "constraints": []any{"a", 7}})
	shows(t, fmt.Sprint(m), "field:constraints.0")
	text = do(t, session, toolTasks, storyPlan)
	seen := field(text, "version")
	m, _ = refusedPlan(t, session, "task not found", toolMark, object{"task_id": "paint"})
	shows(t, fmt.Sprint(m), "task_id:paint")
	m, text = refusedPlan(t, session, "task not found", toolMark, object{"task_id": "wrote"})
	shows(t, fmt.Sprint(m), "ids:[2]", "tasks:[2 write]")
	shows(t, text, `; use the id of one of the nearest, 2 "write", or see all tasks with gather_requirements.`)
	_, text = refusedPlan(t, session, "incorrect input format", toolGather, object{"max_diff_bytes": 0})
	shows(t, text, "max_diff_bytes", "; correct it and call again.")
	m, _ = refusedPlan(t, session, "task ambiguous", toolMark, object{"task_id": "t"})
	shows(t, fmt.Sprint(m), "1.1", "1.2", "2")
	m, _ = refusedPlan(t, session, "task ambiguous", toolMark, object{"task_id": "1"})
	shows(t, fmt.Sprint(m), "ids:[1.1 1.2]", "parent:true")
	m, _ = refusedPlan(t, session, "not all tasks complete", toolFinish, nil)
	shows(t, fmt.Sprint(m), "ids:[1.1 1.2 2]", "2 write")
	refusedPlan(t, session, "not all tasks complete", toolNew, nil)
	for _, bad := range []struct {
		args  object
		wants string
	}{
		{object{"plan": "- [ ] fine\nnot a task"}, "line:2"},
		{object{"plan": []any{[]any{"maybe", "x"}}}, "field:plan.0.0"},
		{object{"plan": 7}, "field:plan"},
		{object{}, "field:plan"},
		{object{"plann": []any{}, "expected": ""}, "code:unknown_argument"},
		{object{"plans": "x"}, "field:plans"},
	} {
		m, _ = refusedPlan(t, session, "incorrect input format", toolTasks, bad.args)
		shows(t, fmt.Sprint(m), bad.wants)
	}
	m, _ = refusedPlan(t, session, "concurrent_change", toolMark, object{"task_id": "write", "expected_version": "0123456789abcdef"})
	if m["version"] != seen {
		t.Errorf("the version is not told: %v", m)
	}
	// Somebody else writes: positions are worth nothing until the plan is shown again,
	// unless the version is named.
	write(strings.Replace(storyText, "- [ ]: write", "- [ ]: wait\n- [ ]: write", 1))
	m, _ = refusedPlan(t, session, "concurrent_change", toolMark, object{"task_id": "2"})
	shows(t, fmt.Sprint(m), "task_now:wait")
	shows(t, do(t, session, toolMark, object{"task_id": "write"}), "3 [x] write")
	do(t, session, toolMark, object{"task_id": "2"})
	// What is no plan is not written over.
	for _, text := range []string{"Fix things\n", "feat(x): y\nno blank line\n"} {
		write(text)
		for tool, args := range map[string]object{
			toolGoal: storyGoal, toolDetail: storyDetail, toolTasks: storyPlan, toolMark: {"task_id": "1"}, toolFinish: {},
		} {
			m, _ := refusedPlan(t, session, "plan_text_not_recognised", tool, args)
			shows(t, fmt.Sprint(m), "line:")
		}
		shows(t, do(t, session, toolGather, nil), "note: ", text)
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%q has become %q", text, got)
		}
	}
	replaced := object{"replace_existing": true, "goal": storyGoal["goal"]}
	shows(t, do(t, session, toolGoal, replaced), "stage: 1 of 6", "read nested tasks")
	write("feat(x): y\n\n\x00\n")
	refusedPlan(t, session, "not_text", toolGather, nil)
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil {
		t.Fatal(err)
	}
	refusedPlan(t, session, "invalid_argument", toolGather, nil)
	if err := os.WriteFile(filepath.Join(dir, ".sectile.yaml"), []byte("categories: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, _ = refusedPlan(t, session, "incorrect input format", toolGather, nil)
	shows(t, fmt.Sprint(m), "file:.sectile.yaml", "line:")
}

// TestPlanErrorsOfJujutsu provokes what only a repository can do.
func TestPlanErrorsOfJujutsu(t *testing.T) {
	dir := planned(t, "jj")
	session := process(t, dir)
	do(t, session, toolGoal, storyGoal)
	other := do(t, session, toolGather, nil)
	runIn(t, dir, "jj", "describe", "-m", "feat(parser): another", "--quiet")
	change := strings.TrimSpace(runIn(t, dir, "jj", "log", "--no-graph", "-r", "@", "-T", "change_id"))
	before := strings.TrimSpace(runIn(t, dir, "jj", "op", "log", "--no-graph", "--limit", "1", "-T", "id.short()"))
	runIn(t, dir, "jj", "describe", "-m", "feat(parser): one", "--quiet")
	runIn(t, dir, "jj", "describe", "-m", "feat(parser): two", "--quiet", "--at-op", before, "-r", change)
	text := do(t, session, toolGather, nil)
	shows(t, text, "is divergent")
	refusedPlan(t, session, "divergent_change", toolGoal, storyGoal)
	if field(other, "version") == field(text, "version") {
		t.Error("another text has the same version")
	}
	dir = planned(t, "jj")
	session = process(t, dir)
	runIn(t, dir, "jj", "config", "set", "--repo", "revset-aliases.'immutable_heads()'", "@")
	shows(t, do(t, session, toolGather, nil), "is immutable")
	refusedPlan(t, session, "immutable_change", toolGoal, storyGoal)
	if err := os.RemoveAll(filepath.Join(dir, ".jj", "repo", "op_store")); err != nil {
		t.Fatal(err)
	}
	m, text := refusedPlan(t, session, "command non zero exit", toolGather, nil)
	if m["exit_code"] == nil || m["stderr"] != nil || strings.Contains(text, dir) {
		t.Errorf("%v\n%s", m, text)
	}
	refusedPlan(t, process(t, docs(t, map[string]string{".sectile.yaml": "plan: {store: jj}\n"})), "no_repository", toolGather, nil)

	// Another program in the place of jj, then none.
	programs := t.TempDir()
	t.Setenv("PATH", programs)
	dir = docs(t, nil)
	if err := os.MkdirAll(filepath.Join(dir, ".jj", "repo"), 0o700); err != nil {
		t.Fatal(err)
	}
	refusedPlan(t, process(t, dir), "command failed", toolGather, nil)
	if err := os.WriteFile(filepath.Join(programs, "jj"), []byte("#!/bin/sh\necho jj 0.10.0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	refusedPlan(t, process(t, dir), "unsupported_version", toolGather, nil)
}

// TestPlanInAStaleWorkspace tells of what stands in the way of a plan, and of what
// doesn't.
func TestPlanInAStaleWorkspace(t *testing.T) {
	t.Parallel()
	dir := planned(t, "jj")
	session := process(t, dir)
	change := strings.Fields(field(do(t, session, toolGoal, storyGoal), "kept in"))[1]
	other := filepath.Join(t.TempDir(), "other")
	runIn(t, dir, "jj", "workspace", "add", other)
	runIn(t, other, "jj", "edit", change)
	if err := os.WriteFile(filepath.Join(dir, "guide.md"), []byte("# Changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runIn(t, dir, "jj", "status")
	elsewhere := process(t, other)
	shows(t, do(t, elsewhere, toolGather, nil), "note: the working copy is stale", "stage: 1 of 6")
	refusedPlan(t, elsewhere, "stale_workspace", toolDetail, storyDetail)
	runIn(t, other, "jj", "workspace", "update-stale")
	shows(t, do(t, elsewhere, toolDetail, storyDetail), "stage: 4 of 6")
	shows(t, do(t, session, toolGather, nil), "stage: 4 of 6", "- added guide.md")

	// Two sides that changed the same file.
	runIn(t, dir, "jj", "new", "root()")
	if err := os.WriteFile(filepath.Join(dir, "guide.md"), []byte("# Another\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runIn(t, dir, "jj", "commit", "-m", "another")
	runIn(t, dir, "jj", "new", change, "@-")
	shows(t, do(t, session, toolGoal, storyGoal), "have conflicts; resolve them", "stage: 1 of 6")
}
