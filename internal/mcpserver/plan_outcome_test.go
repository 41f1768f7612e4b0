package mcpserver

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/testkit"
)

// TestPlanErrorsSayWhatWasWritten makes each tool that writes a plan fail in each way, on
// no plan, on a plan, on a text that is none, and under a configuration that is wrong. It
// says that nothing was written, and nothing was.
func TestPlanErrorsSayWhatWasWritten(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	const stale = "0123456789abcdef"
	goal := object{"type": "fix", "scope": "a", "title": "other"}
	with := func(args object, name string, value any) object {
		args = maps.Clone(args)
		args[name] = value
		return args
	}
	calls := map[string][]object{
		toolGoal: {
			{},
			{"goal": object{}},
			{"goal": "x"},
			{"goal": with(goal, "type", "zap")},
			{"goal": with(goal, "title", strings.Repeat("z", 3000))},
			{"goal": with(goal, "title", "")},
			{"goal": with(goal, "scope", "a\nb")},
			{"goal": goal},
			{"goal": goal, "zap": 1},
		},
		toolDetail: {
			{},
			{"description": ""},
			{"constraints": []string{"bogus"}},
			{"description": "- [ ] x: y"},
			{"description": "a\n~~~ COMPLETE ~~~"},
			{"description": strings.Repeat("z", 200_000)},
			{"description": "[left out: 3 lines; `sectile plan message` prints all]"},
			{"description": "why"},
		},
		toolTasks: {
			{},
			{"plan": "nonsense"},
			{"plan": []object{{"text": ""}}},
			{"plan": []object{{"text": "x", "zap": 1}}},
			{"plan": []object{{"text": strings.Repeat("x", 5000)}}},
			{"plan": strings.Repeat("- [ ] x\n", 1200)},
			{"plan": "1 [ ] a"},
			{"plan": "- [ ] a\n[left out: 3 tasks; see them]"},
			{"plan": []object{{"text": "new"}}},
		},
		toolMark: {
			{}, {"task_id": ""}, {"task_id": "9"}, {"task_id": "1"}, {"task_id": "twin"}, {"task_id": "none of them"}, {"task_id": strings.Repeat("z", 50_000)}, {"task_id": "2"}, {"task_id": 1.5},
		},
		toolFinish: {{}, {"zap": 1}},
		toolNew:    {{}, {"force": "perhaps"}, {"zap": 1}},
	}
	const open = "feat(x): goal\n\nWhy.\n\n- Never: x\n\n- [ ]: one\n  - [ ]: twin\n  - [ ]: twin\n- [ ]: two\n"
	for name, state := range map[string]struct{ text, config string }{
		"no plan": {"", ""}, "open": {open, ""}, "only a goal": {"feat(x): goal\n", ""},
		"no plan at all": {"# Notes\n\nof somebody\n", ""}, "foreign": {"note: read this\n", ""}, "halted": {"feat(x): y\n\nWhy.\n\n- [-] z\n", "  preset: STRICT\n"},
		"wrong configuration": {open, "  preset: NONE\n"}, "no file": {open, "  file: ../elsewhere.md\n"},
	} {
		dir := planned(t, "file")
		reset := func() {
			if err := os.RemoveAll(filepath.Join(dir, ".sectile")); err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{filepath.Join(".sectile", "plan.md"): state.text, ".sectile.yaml": "plan:\n  store: file\n" + state.config} {
				if text == "" {
					continue
				}
				file = filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		reset()
		session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
		failures := 0
		for _, tool := range planTools() {
			if !tool.writes {
				continue
			}
			if calls[tool.name] == nil {
				t.Errorf("%s writes, and there is no call for it here", tool.name)
			}
			for _, args := range calls[tool.name] {
				for _, version := range []any{nil, "", "zz", stale} {
					if version != nil {
						args = with(args, "expected_version", version)
					}
					before := filesIn(t, dir)
					text, failed := ask(t, session, tool.name, args)
					if !failed {
						reset()
						continue
					}
					failures++
					if !strings.Contains(text, "nothing was written") || len([]rune(text)) >= maxErrorChars || !maps.Equal(before, filesIn(t, dir)) {
						t.Errorf("%s: %s %.200v: %s", name, tool.name, args, text)
					}
				}
			}
		}
		if failures < 60 {
			t.Errorf("%s: only %d errors", name, failures)
		}
	}
}
