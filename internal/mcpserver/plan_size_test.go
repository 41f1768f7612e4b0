package mcpserver

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/planning"
)

// TestGatherFits answers within what is announced, however long the plan is and
// however much was changed.
func TestGatherFits(t *testing.T) {
	t.Parallel()
	dir := planned(t, "git")
	session := process(t, dir)
	do(t, session, toolGoal, storyGoal)
	do(t, session, toolDetail, object{"description": strings.Repeat("A line of the description.\n", 57_000/27)})
	for i := range 1200 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("untracked-%04d.txt", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "guide.md"), []byte(strings.Repeat("another line\n", 4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args object
		most int
	}{
		{nil, defaultMaxChars},
		{object{"include_diff": true}, defaultMaxChars + planning.DefaultDiffBytes},
		{object{"include_diff": true, "max_diff_bytes": 1}, defaultMaxChars + 1},
		{object{"include_diff": true, "max_diff_bytes": 1000}, defaultMaxChars + 1000},
		{object{"include_diff": true, "max_diff_bytes": planning.MaxDiffBytes}, capMaxChars},
	} {
		text := do(t, session, toolGather, tt.args)
		n := utf8.RuneCountInString(text)
		if n > tt.most || n < tt.most-2000 {
			t.Errorf("%v: %d characters, want at most %d and not much less", tt.args, n, tt.most)
		}
		shows(t, text, "A line of the description.\n[left out: ", "- untracked untracked-0000.txt\n", " more\n")
		if tt.args != nil {
			shows(t, text, "\n[left out: from line ")
		}
	}
	// What is blank is no description.
	for _, blank := range []string{" \n", "\t", "\r\n\r\n"} {
		m, _ := refusedPlan(t, session, "incorrect input format", toolDetail, object{"description": blank})
		shows(t, fmt.Sprint(m), "field:description")
	}
	m, _ := refusedPlan(t, session, "incorrect input format", toolDetail, object{"description": "x", "expected_version": "zzz"})
	shows(t, fmt.Sprint(m), "field:expected_version")
}

// TestLongPlanIsReadOn reads a long plan to its end through the server, by the cursors that
// its replies name. Nothing of what they say is a command of a shell.
func TestLongPlanIsReadOn(t *testing.T) {
	session := client(t, nil)
	do(t, session, toolGoal, storyGoal)
	var description strings.Builder
	for i := range 400 {
		fmt.Fprintf(&description, "Paragraph %d says why %s.\n\n", i, strings.Repeat("it is so ", 9))
	}
	do(t, session, toolDetail, object{"description": description.String()})
	var checklist strings.Builder
	for i := range 300 {
		fmt.Fprintf(&checklist, "- [ ] task %d, %s\n", i, strings.Repeat("about much ", 4))
	}
	text := do(t, session, toolTasks, object{"plan": checklist.String()})
	cursorIn := regexp.MustCompile(`gather_requirements with cursor "([^"]+)"`)
	cursors := cursorIn.FindAllStringSubmatch(text, -1)
	if len(cursors) != 2 {
		t.Fatalf("%d ways on, want one for the description and one for the tasks:\n%s", len(cursors), text)
	}
	shown, calls := unmarked(text), 0
	for next := cursors[0][1]; next != ""; calls++ {
		text = do(t, session, toolGather, object{"cursor": next, "max_chars": 20_000})
		if strings.Contains(text, "sectile plan") || utf8.RuneCountInString(text) > 20_000 {
			t.Fatalf("%s", text)
		}
		shown += unmarked(text)
		next = ""
		if found := cursorIn.FindStringSubmatch(text); found != nil {
			next = found[1]
		}
	}
	for i := range 400 {
		shows(t, shown, fmt.Sprintf("Paragraph %d says why", i))
	}
	for i := range 300 {
		shows(t, shown, fmt.Sprintf("%d [ ] task %d, about", i+1, i))
	}
	if calls > 5 {
		t.Errorf("%d calls", calls)
	}
	// A task of it is read alone, and all tasks to the last without what is behind them.
	text = do(t, session, toolGather, object{"section": "task 250"})
	if got := unmarked(text); !strings.HasSuffix(got, "\n251 [ ] task 250, about much about much about much about much\n") || strings.Contains(got, "Paragraph") || strings.Contains(got, "250 [ ]") {
		t.Errorf("%s", text)
	}
	text = do(t, session, toolGather, object{"section": "description", "max_chars": 40_000})
	last := cursorIn.FindStringSubmatch(text)
	if last == nil {
		t.Fatalf("%s", text)
	}
	for last != nil {
		text = do(t, session, toolGather, object{"cursor": last[1], "max_chars": 40_000})
		last = cursorIn.FindStringSubmatch(text)
	}
	if shows(t, text, "Paragraph 399 says why"); strings.Contains(text, "[ ] task") {
		t.Errorf("%s", text)
	}
	do(t, session, toolMark, object{"task_id": "300"})
	refusedPlan(t, session, "concurrent_change", toolGather, object{"cursor": cursors[0][1]})
	m, _ := refusedPlan(t, session, "incorrect input format", toolGather, object{"section": "task 999"})
	shows(t, fmt.Sprint(m), "field:section", "sections:[goal description tasks]")
	m, _ = refusedPlan(t, session, "incorrect input format", toolGather, object{"cursor": "12"})
	shows(t, fmt.Sprint(m), "field:cursor")
}
