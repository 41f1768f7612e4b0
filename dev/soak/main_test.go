package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

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
	o := &options{program: testkit.BuildProgram(t), time: time.Second, round: time.Second, seed: 7}
	r := newRun(o, o.program, t.TempDir())
	result := r.work(t.Context())
	for _, wrong := range r.wrongs() {
		t.Error(wrong)
	}
	t.Logf("skipped: %q\n%s", result.skipped, result.sum.table())
	for line, part := range map[string]string{ // what is done at least once, however slow the machine is
		"edits acknowledged: with a hash": "edits", "saves by another program": "saves", "saves among edits": "foreign", "reads tried": "reads", "outlines tried": "reads",
		"good lines answered": "lines", "plan writes acknowledged: with a version": "plans-file", "commits of plans": "plans-git",
	} {
		skipped := slices.ContainsFunc(result.skipped, func(s string) bool { return strings.HasPrefix(s, part+":") })
		if result.sum.get(line) == 0 && !skipped {
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
		"task 2 of 0.": {Added: unanswered}, "task 3 of 0.": {Added: unanswered},
	}}
	for name, right := range map[string][]planTask{
		"nothing more": plan("open", "x marked", "asked"), "all of it": plan("open", "x marked", "maybe", "x asked", "task 2 of 0.", "task 3 of 0."),
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
		"in another order":        plan("open", "x marked", "asked", "task 3 of 0.", "task 2 of 0."),
		"nothing is there":        {}, "another writer": {{text: "writer 1."}},
	} {
		if wrong, _ := checkPlan(lossy, leaves); len(wrong) == 0 {
			t.Errorf("%s, and the check finds nothing", name)
		}
	}
}

func TestGoalIsChecked(t *testing.T) {
	show := func(header, more string) *shownPlan {
		p, err := readPlan([]byte(`{"state":"parsed","version":"1","plan":{"header":{` + header + `},` + more + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const header, more = `"type":"feat","scope":"soak","breaking":false,"title":"write plans"`, `"description":"What for.","constraints":[]`
	if wrong := checkGoal(show(header, more)); len(wrong) > 0 {
		t.Errorf("what is right: %q", wrong)
	}
	for name, p := range map[string]*shownPlan{
		"another title": show(`"type":"feat","scope":"soak","title":"write"`, more), "no goal": show("", more),
		"no description": show(header, `"description":""`), "a constraint": show(header, `"description":"What for.","constraints":["no"]`),
	} {
		if len(checkGoal(p)) == 0 {
			t.Errorf("%s, and the check finds nothing", name)
		}
	}
}

func TestReadsAreJudged(t *testing.T) {
	one, two := version("a.md", 3), version("a.md", 4)
	other := version(otherName, 1)
	is := func(name string, n int) change { return change{to: state{name: name, version: n}} }
	inPlace := is("a.md", 3)
	inPlace.inPlace = true
	absent := change{to: state{none: true}}
	reply := func(text string) string {
		return fmt.Sprintf(`{"passages":[{"hash":%q,"texts":[{"text":%q}]}]}`, hashOf(text), text)
	}
	tests := map[string]struct {
		may       states
		raw, code string
		right     bool
	}{
		"a version":               {states{is("a.md", 3)}, reply(one), "", true},
		"before a change":         {states{is("a.md", 3), is("a.md", 4)}, reply(one), "", true},
		"behind a change":         {states{is("a.md", 3), is("a.md", 4)}, reply(two), "", true},
		"half written":            {states{absent, inPlace}, reply(one[:halfOf(one)]), "", true},
		"empty while written":     {states{is("a.md", 2), inPlace}, reply(""), "", true},
		"not there":               {states{absent}, "", "file_not_found", true},
		"gone for a moment":       {states{is("a.md", 3), {gone: true, to: state{name: "a.md", version: 4}}}, "", "file_not_found", true},
		"a link inside":           {states{is(otherName, 1)}, reply(other), "", true},
		"a stale version":         {states{is("a.md", 4)}, reply(one), "", false},
		"a stale one of two":      {states{is("a.md", 4), is("a.md", 5)}, reply(one), "", false},
		"of nothing":              {states{absent}, reply(one), "", false},
		"of another file":         {states{is("a.md", 3)}, reply(version("b.md", 3)), "", false},
		"of a link that was":      {states{is("a.md", 3)}, reply(other), "", false},
		"half, and never so":      {states{is("a.md", 2), is("a.md", 3)}, reply(one[:halfOf(one)]), "", false},
		"empty, and never so":     {states{is("a.md", 3)}, reply(""), "", false},
		"not there, and it is":    {states{is("a.md", 3), is("a.md", 4)}, "", "file_not_found", false},
		"another hash":            {states{is("a.md", 3)}, strings.Replace(reply(one), hashOf(one), hashOf(two), 1), "", false},
		"torn":                    {states{absent, inPlace}, reply(one[:len(one)-30]), "", false},
		"of two versions":         {states{inPlace, is("a.md", 4)}, reply(one[:halfOf(one)] + two[halfOf(two):]), "", false},
		"something else":          {states{is("a.md", 3)}, reply("# Hello\n"), "", false},
		"no reply":                {states{absent}, "{}", "", false},
		"an internal error":       {states{absent}, "", "internal_error", false},
		"an error in the reply":   {states{is("a.md", 3)}, `{"error":{"code":"file_not_found"}}`, "", false},
		"a true one in the reply": {states{absent}, `{"error":{"code":"file_not_found"}}`, "", true},
		"no JSON":                 {states{is("a.md", 3)}, "{", "", false},
	}
	for name, tt := range tests {
		r := newRun(&options{}, "", "")
		var raw []byte
		if tt.raw != "" {
			raw = []byte(tt.raw)
		}
		err := r.judge(&shown{what: "reads", name: "a.md", by: whole, code: tt.code}, tt.may)
		if tt.code == "" {
			err = r.judgeRead("a.md", raw, tt.may)
		}
		if (err == nil) != tt.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was there before the last complete change is not there while a call lasts that
// begins after it.
func TestHistory(t *testing.T) {
	h := newHistory()
	put := func(n int) {
		h.begin(change{to: state{name: "a.md", version: n}, inPlace: true})
		h.gap()
	}
	put(1)
	h.end()
	put(2)
	h.end()
	from := h.completed()
	if _, wrong := h.since(from).judge("", whole); wrong == "" || h.since(from).none() {
		t.Error("what happened before the call excuses a file that is empty or gone")
	}
	put(3)
	may := h.since(from)
	for n, right := range map[int]bool{1: false, 2: true, 3: true, 4: false} {
		if _, wrong := may.judge(whole(version("a.md", n)), whole); (wrong == "") != right {
			t.Errorf("version %d: %q", n, wrong)
		}
	}
	if _, wrong := may.judge("", whole); wrong != "" || !may.none() {
		t.Errorf("a change under way excuses nothing: %q", wrong)
	}
}

func TestAnswersAreCounted(t *testing.T) {
	const first, second, worse = `{"id":"good-0","result":{}}` + "\n", `{"id":"good-1","result":{}}` + "\n", `{"id":"bad-2","error":{"code":-32601}}` + "\n"
	const orphan, batch = `{"id":null,"error":{"code":-32700}}` + "\n", `[{"id":"bad-3","result":{}},{"id":null,"error":{"code":-32600}}]` + "\n"
	const stray = `{"id":"damage","error":{"code":-32600}}` + "\n"
	sent := []sentLine{
		{id: "good-0"},
		{id: "good-1"},
		{id: "bad-2", code: noMethod},
		{orphans: []int{notJSON}},
		{},
		{id: "bad-3", orphans: []int{noMessage}},
		{damaged: true},
	}
	for name, tt := range map[string]struct {
		out   string
		right bool
	}{
		"all":                        {second + orphan + batch + worse + first, true},
		"one that was damaged":       {second + orphan + batch + worse + first + stray, true},
		"it has no id":               {second + orphan + batch + worse + first + orphan, true},
		"one is missing":             {first + orphan + batch + worse, false},
		"one is there twice":         {first + second + orphan + batch + worse + first, false},
		"one failed":                 {first + `{"id":"good-1","error":{"code":-32603}}` + "\n" + orphan + batch + worse, false},
		"a bad one is missing":       {first + second + orphan + batch, false},
		"a bad one is well":          {first + second + orphan + batch + `{"id":"bad-2","result":{}}` + "\n", false},
		"a bad one has a wrong code": {first + second + orphan + batch + strings.Replace(worse, "601", "600", 1), false},
		"none without an id":         {first + second + batch + worse, false},
		"no batch":                   {first + second + orphan + worse, false},
		"half a batch":               {first + second + orphan + worse + `[{"id":"bad-3","result":{}}]` + "\n", false},
		"too many":                   {second + orphan + batch + worse + first + stray + orphan, false},
		"a result of nothing":        {second + orphan + batch + worse + first + `{"id":null,"result":{}}` + "\n", false},
		"no message":                 {first + second + orphan + batch + worse + "panic\n", false},
	} {
		if err := checkAnswers([]byte(tt.out), sent); (err == nil) != tt.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}
