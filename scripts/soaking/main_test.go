package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testprogram"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testprogram.Remove()
	os.Exit(code)
}

// TestSoak runs all of it for moments, so that it is known to work when it is needed.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	tools, err := filepath.Abs(filepath.Join("..", "..", ".tools", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+tools)
	o := &options{program: testprogram.Build(t), time: time.Second, round: time.Second, seed: 7}
	r := newRun(o, o.program, t.TempDir())
	r.work(t.Context())
	for _, wrong := range r.wrongs() {
		t.Error(wrong)
	}
	t.Logf("skipped: %q\n%s", r.skipped, r.tally.table())
	for _, line := range []string{
		"edits acknowledged", "reads tried", "good lines answered", "plan writes tried", "rounds that were checked",
	} { // what is done at least once, however slow the machine is
		if r.tally.counts[line] == 0 {
			t.Errorf("%s: none", line)
		}
	}
}

func TestCheckPlanFindsLosses(t *testing.T) {
	plan := func(texts ...string) []planTask {
		top := planTask{text: "writer 0."}
		for _, text := range texts {
			text, done := strings.CutPrefix(text, "x ")
			top.tasks = append(top.tasks, planTask{text: text, done: done})
		}
		return []planTask{top}
	}
	leaves := []map[string]*leaf{{
		"open": {Added: acknowledged}, "marked": {Added: acknowledged, Marked: acknowledged},
		"maybe": {Added: unanswered}, "no": {Added: refused}, "asked": {Added: acknowledged, Marked: unanswered},
	}}
	for name, right := range map[string][]planTask{
		"nothing more": plan("open", "x marked", "asked"), "all of it": plan("open", "x marked", "maybe", "x asked"),
	} {
		if wrong, _ := checkPlan(right, leaves); len(wrong) > 0 {
			t.Errorf("%s, which is right: %q", name, wrong)
		}
	}
	for name, lossy := range map[string][]planTask{
		"a task is lost": plan("open", "asked"), "a mark is lost": plan("open", "marked", "asked"),
		"a task is there twice":   plan("open", "open", "x marked", "asked"),
		"a refused task is there": plan("open", "x marked", "asked", "no"),
		"a mark of nobody":        plan("x open", "x marked", "asked"),
		"a task of nobody":        plan("open", "x marked", "asked", "other"),
		"nothing is there":        {}, "another writer": {{text: "writer 1."}},
	} {
		if wrong, _ := checkPlan(lossy, leaves); len(wrong) == 0 {
			t.Errorf("%s, and the check finds nothing", name)
		}
	}
}

func TestReadsAreJudged(t *testing.T) {
	one, two := version("a.md", 3), version("a.md", 4)
	reply := func(text, hash string) string {
		return fmt.Sprintf(`{"passages":[{"hash":%q,"texts":[{"text":%q}]}]}`, hash, text)
	}
	tests := map[string]struct {
		raw, code string
		right     bool
	}{
		"a version":         {reply(one, hashOf(one)), "", true},
		"written in place":  {reply(one[:halfOf(one)], hashOf(one[:halfOf(one)])), "", true},
		"not there":         {"", "file_not_found", true},
		"another hash":      {reply(one, hashOf(two)), "", false},
		"torn":              {reply(one[:len(one)-30], hashOf(one[:len(one)-30])), "", false},
		"of two versions":   {reply(one[:halfOf(one)]+two[halfOf(two):], hashOf(one[:halfOf(one)]+two[halfOf(two):])), "", false},
		"something else":    {reply("# Hello\n", hashOf("# Hello\n")), "", false},
		"no reply":          {"{}", "", false},
		"an internal error": {"", "internal_error", false},
		"no JSON":           {"{", "", false},
	}
	for name, tt := range tests {
		r := newRun(&options{}, "", "")
		var raw []byte
		if tt.raw != "" {
			raw = []byte(tt.raw)
		}
		if err := r.judgeRead("a.md", raw, tt.code, ""); (err == nil) != tt.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnswersAreCounted(t *testing.T) {
	const first, second = `{"id":"good-0","result":{}}` + "\n", `{"id":"good-1","result":{}}` + "\n"
	for name, tt := range map[string]struct {
		out   string
		right bool
	}{
		"all":                {second + `{"id":null,"error":{}}` + "\n[{}]\n" + first, true},
		"one is missing":     {first, false},
		"one is there twice": {first + second + first, false},
		"one failed":         {first + `{"id":"good-1","error":{"message":"no"}}` + "\n", false},
		"no message":         {first + second + "panic\n", false},
	} {
		if err := answers([]byte(tt.out), 2); (err == nil) != tt.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}
