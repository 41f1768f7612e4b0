package mcpserver

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/testkit"
)

// Many write to one plan at once, through servers that know nothing of each other.

const (
	planServers = 4
	planWriters = 12
)

// TestPlanWritersLoseNothing marks a task each, and has one that gives the version
// that it saw: what was not refused is there, and the change is one commit.
func TestPlanWritersLoseNothing(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"jj", "git", "file"} {
		t.Run(kind, func(t *testing.T) {
			dir := planned(t, kind)
			servers := make([]*mcp.ClientSession, planServers)
			for i := range servers {
				servers[i] = process(t, dir)
			}
			do(t, servers[0], toolGoal, storyGoal)
			do(t, servers[0], toolDetail, storyDetail)
			tasks := make([]object, planWriters)
			for i := range tasks {
				tasks[i] = object{"text": fmt.Sprintf("task number %d.", i)}
			}
			version := field(do(t, servers[0], toolTasks, object{"plan": tasks}), "version")
			var all sync.WaitGroup
			texts := make([]string, planWriters)
			failed := make([]bool, planWriters)
			for i := range texts {
				all.Go(func() {
					args := object{"task_id": fmt.Sprintf("number %d.", i)}
					if i%4 == 3 {
						args["expected_version"] = version
					}
					result, err := servers[i%planServers].CallTool(t.Context(), params(toolMark, args))
					if err != nil {
						t.Error(err)
						return
					}
					texts[i], failed[i] = result.Content[0].(*mcp.TextContent).Text, result.IsError
				})
			}
			all.Wait()
			if t.Failed() {
				return
			}
			text := do(t, servers[1], toolGather, nil)
			refused := 0
			for i := range texts {
				mark := "x"
				if failed[i] {
					mark = " "
					refused++
					if got, _ := planFailureOf(t, texts[i]); got != "concurrent_change" || i%4 != 3 {
						t.Errorf("writer %d: %s", i, texts[i])
					}
				}
				shows(t, text, fmt.Sprintf("[%s] task number %d.\n", mark, i))
			}
			if done := fmt.Sprintf("progress: %d of %d tasks done", planWriters-refused, planWriters); !strings.Contains(text, done) || refused < planWriters/4-1 {
				t.Errorf("%d were refused:\n%s", refused, text)
			}
			if kind == "jj" {
				if got := runIn(t, dir, "jj", "log", "--no-graph", "-r", "divergent()", "-T", "commit_id"); got != "" {
					t.Errorf("divergent: %s", got)
				}
			}
		})
	}
}

// TestPlanUnderAMessage finds a plan again that `jj commit -m` has put a message over, by the
// command that the reply names.
func TestPlanUnderAMessage(t *testing.T) {
	t.Parallel()
	dir := planned(t, "jj")
	session := process(t, dir)
	do(t, session, toolGoal, storyGoal)
	do(t, session, toolDetail, storyDetail)
	do(t, session, toolTasks, storyPlan)
	do(t, session, toolMark, object{"task_id": "1.1"})
	runIn(t, dir, "jj", "commit", "-m", "work in progress")
	text := do(t, session, toolGather, nil)
	shows(t, text, "stage: 0 of 6", "unfinished plan: an earlier state of change ", " (a message has taken its place in change ", `, "feat(parser)!: read nested tasks", stage 5, 1 of 3 tasks done`)
	_, command, _ := strings.Cut(field(text, "unfinished plan"), "to go on there: `sectile ")
	runIn(t, dir, testkit.BuildProgram(t), strings.Fields(strings.TrimSuffix(command, "`"))...)
	shows(t, do(t, session, toolGather, nil), "progress: 1 of 3 tasks done", "1.1 [x] measure the indentation\n", "- Never: parse twice\n")
	if out := runIn(t, dir, "jj", "log", "--no-graph", "-r", "@-", "-T", "description"); out != "work in progress\n" {
		t.Errorf("%s", out)
	}
}
