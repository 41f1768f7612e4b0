package planning

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

var cursorIn = regexp.MustCompile(`with cursor "([^"]+)"\]`)

// longPlans are plans that no reply of 10,000 characters shows whole.
func longPlans() map[string]string {
	var b strings.Builder
	b.WriteString("feat(x): goal\n\n")
	for i := range 150 {
		fmt.Fprintf(&b, "Paragraph %d: %sat last.\n\n", i, strings.Repeat("why it is ", 11))
	}
	for i := range 90 {
		fmt.Fprintf(&b, "- Never: stop at %d, %s\n", i, strings.Repeat("for no reason ", 9))
	}
	b.WriteString("- Note: That\n\n")
	for i := range 200 {
		fmt.Fprintf(&b, "- [%c]: task %d, %sat last\n  - [x]: below\n", "x "[i%2], i, strings.Repeat("about it ", i%30))
	}
	b.WriteString("\nGo on.\n\n" + strings.Repeat("And on.\n", 300) + "\n~~~ EXECUTE ~~~\n")
	return map[string]string{
		"much of all": b.String(),
		"one line":    "feat(x): goal\n\n" + strings.Repeat("Wörds. ", 2000) + "\n\n" + strings.Repeat("- [ ]: task\n", 900),
		"no plan":     strings.Repeat("Some text.\n", 3000),
		"halted":      "feat(x): goal\n\n" + strings.Repeat("Words.\n", 3000) + "\n- [ ]: a\n- b\n",
		"directive":   "feat(x): goal\n\n- [ ]: a\n\nGo on.\n\n~~~ " + strings.Repeat("WÖRDS ", 600) + "END ~~~\n",
		"first line":  "feat: " + strings.Repeat("Wörds ", 600) + "end\n\n- [ ]: a\n",
		"scope":       "feat(" + strings.Repeat("s", 3000) + "-end): goal\n\n- [ ]: a\n",
		"cut tasks":   "feat(x): goal\n\nWhy.\n\n- [ ]: " + strings.Repeat("a long task ", 1000) + "\n- [ ]: b\n",
	}
}

// TestPlanIsReadOn reads long plans from each cursor that a reply names to their end: what
// is delivered then is the plan, to the character.
func TestPlanIsReadOn(t *testing.T) {
	testkit.OneGoroutine(t)
	for name, text := range longPlans() {
		p, file := newPlans(t, "", PlanOptions{})
		store(t, file, text)
		r := must(t)(p.Gather(t.Context(), PlanGather{}))
		var all strings.Builder
		for _, part := range r.linesFrom(place{}) {
			all.Write(part.text)
		}
		for _, size := range []int{500, 4000, 10_000} {
			shown := string(r.Text(size))
			cursors := cursorIn.FindAllStringSubmatch(shown, -1)
			if size >= 4000 && cursors == nil {
				t.Errorf("%s: nothing leads on in %d characters:\n%s", name, size, shown)
			}
			if size == 500 && name != "cut tasks" {
				continue // these are many pages
			}
			for _, found := range append(cursors, []string{"", r.cursor(place{})}) {
				_, at, ok := readCursor(found[1])
				if !ok {
					t.Fatal(found)
				}
				got := readOn(t, p, found[1], size)
				var want strings.Builder
				for _, part := range r.linesFrom(at) {
					want.Write(part.text)
				}
				if got, want := withoutBlanks(got), withoutBlanks(want.String()); got != want || !strings.HasSuffix(withoutBlanks(all.String()), got) || got == "" {
					for i := range got {
						if got[i] != want[i] {
							t.Fatalf("%q\n%q", got[max(i-50, 0):i+50], want[max(i-50, 0):i+50])
						}
					}
					t.Errorf("%s from %s in %d: %d characters, want %d", name, found[1], size, len(got), len(want))
				}
			}
		}
		if kept := withoutBlanks(all.String()); len(kept) < len(text)*8/10 {
			t.Errorf("%s: %d of %d bytes are there at all", name, len(kept), len(text))
		}
	}
}

// withoutBlanks returns a text without its blank lines, for such a line stands between two
// sections if both are in one reply.
func withoutBlanks(text string) string {
	return regexp.MustCompile(`\n{2,}`).ReplaceAllString(text, "\n")
}

// readOn follows the cursors from one on, and returns the lines of the plan.
func readOn(t *testing.T, p *Plans, cursor string, size int) string {
	t.Helper()
	var got strings.Builder
	for range 2000 {
		part := must(t)(p.Gather(t.Context(), PlanGather{Cursor: cursor}))
		marks := replies.NewMarks(rand.Reader)
		reply := string(part.Marked(size, marks))
		if n := utf8.RuneCountInString(reply); n > size {
			t.Fatalf("%d characters, at most %d:\n%s", n, size, reply)
		}
		cursor = ""
		lines := strings.SplitAfter(reply, "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, part.Mark) || strings.HasPrefix(line, "mark: ") && i == 0 {
				if m := cursorIn.FindStringSubmatch(line); m != nil {
					cursor = m[1]
				}
				continue
			}
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], part.Mark+"[left out: ") { // it may be cut
				if line = strings.TrimSuffix(line, "\n"); strings.HasSuffix(line, "…") {
					line = strings.TrimSuffix(line, "…")
				} else {
					line += "\n"
				}
			}
			got.WriteString(line)
		}
		if cursor == "" {
			return got.String()
		}
	}
	t.Fatal("there is no end")
	return ""
}

// TestPlanIsReadOnFromWithinALine: no cursor leads to the end of a line, where a part would begin
// with an empty one, however much room there is.
func TestPlanIsReadOnFromWithinALine(t *testing.T) {
	t.Parallel()
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, "feat(x): goal\n\n"+strings.Repeat("a", 1000)+"\n"+strings.Repeat("b", 1000)+"\n\n- [ ]: a\n")
	whole, section := must(t)(p.Gather(t.Context(), PlanGather{})), must(t)(p.Gather(t.Context(), PlanGather{Section: "description"}))
	for size := 400; size < 2500; size++ {
		for _, r := range []*PlanReply{whole, section} {
			for _, found := range cursorIn.FindAllStringSubmatch(string(r.Text(size)), -1) {
				_, at, _ := readCursor(found[1])
				if rest := r.linesFrom(at); at.char > 0 && (len(rest) == 0 || rest[0].text[0] == '\n') {
					t.Fatalf("%d: %s", size, found[1])
				}
			}
		}
	}
}

// TestPlanCursorOfAnother refuses cursors of another plan, and what is none.
func TestPlanCursorOfAnother(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, planText)
	r := must(t)(p.Show(t.Context()))
	for cursor, kind := range map[string]string{
		"x": planInput, "5.x": planInput, "00000000.-1": planInput, "0000000.1": planInput, "00000000.1.1.1": planInput, r.cursor(place{line: 100}): planInput,
		"00000000.1": planConcurrent,
	} {
		e := wantPlanError(t, second(p.Gather(t.Context(), PlanGather{Cursor: cursor})), kind)
		if e.Hint.IsEmpty() || e.Critical {
			t.Errorf("%s: %v", cursor, e)
		}
	}
}

// TestMarkIsBrief answers a mark with the tasks and the beginning of a long description, of
// which a cursor leads to the rest.
func TestMarkIsBrief(t *testing.T) {
	const tasks = "\n\n- Never: parse twice\n\n- [ ]: one\n- [ ]: two\n"
	long := strings.Repeat("Why it is done.\n", 400) + "The end."
	for _, description := range []string{"Why.", long} {
		p, file := newPlans(t, "", PlanOptions{})
		store(t, file, "feat(x): goal\n\n"+description+tasks)
		must(t)(p.Gather(t.Context(), PlanGather{}))
		r := must(t)(p.Mark(t.Context(), PlanMark{Task: "1"}))
		shown := string(r.Text(10_000))
		for _, want := range []string{"did: task 1 is done", "\nfeat(x): goal\n\nWhy", "- Never: parse twice\n", "1 [x] one\n2 [ ] two\n"} {
			if !strings.Contains(shown, want) {
				t.Errorf("there is no %q in\n%s", want, shown)
			}
		}
		if len(shown) > 1200 {
			t.Errorf("%d bytes:\n%s", len(shown), shown)
		}
		cursor := cursorIn.FindStringSubmatch(shown)
		if (cursor != nil) != (description == long) {
			t.Errorf("%.40s: cursor %q", description, cursor)
		}
		if cursor == nil {
			continue
		}
		if rest := string(must(t)(p.Gather(t.Context(), PlanGather{Cursor: cursor[1]})).Text(10_000)); !strings.Contains(rest, "The end.") {
			t.Errorf("%s leads to\n%s", cursor[1], rest)
		}
	}
}

// TestPlanOfManyLines: a text that is no plan, or is full of faulty lines, takes memory in
// proportion to it, and the reply has no problem for each line.
func TestPlanOfManyLines(t *testing.T) {
	testkit.OneGoroutine(t)
	for name, c := range map[string]struct {
		text string
		most int // bytes that are allocated for each of the text
	}{
		"blank lines":  {"feat(s): big\n" + strings.Repeat("\n", 1<<20) + "x\n", 30},
		"faulty lines": {"feat(s): big\n\nWhy.\n\n- Never: x\n" + strings.Repeat("- F: x\n", 95_000/7), 300},
	} {
		p, file := newPlans(t, "", PlanOptions{})
		store(t, file, c.text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := must(t)(p.Gather(t.Context(), PlanGather{}))
		shown := r.Text(8000)
		runtime.ReadMemStats(&after)
		if got := int(after.TotalAlloc-before.TotalAlloc) / len(c.text); got > c.most || len(shown) > 8000 || len(r.Problems) > 2*maxProblems {
			t.Errorf("%s: %d bytes for each of the text, want at most %d; a reply of %d bytes, %d problems", name, got, c.most, len(shown), len(r.Problems))
		} else {
			t.Logf("%s: %d bytes for each of the text", name, got)
		}
	}
}

// TestPlanPartsStayWithinTheirBudget reads on in a plan of which much is to be said: where it
// lies, what its stage means, and that its text has characters which can't be seen.
func TestPlanPartsStayWithinTheirBudget(t *testing.T) {
	file := strings.Repeat(strings.Repeat("d", 200)+"/", 4) + "plan.md"
	p, _ := newPlans(t, "  file: "+file+"\n  workflow: {a: {until: [tasks]}, b: {until: [complete], meaning: "+strings.Repeat("k", 500)+"}, c: {meaning: z}}\n", PlanOptions{})
	must(t)(p.SetGoal(t.Context(), PlanGoal{Type: "feat", Scope: "x", Title: "y"}))
	must(t)(p.SetDetail(t.Context(), PlanDetail{Description: strings.Repeat("word\u202e ", 2000)}))
	must(t)(p.SetPlan(t.Context(), PlanTasks{Tasks: "- a"}))
	r := must(t)(p.Gather(t.Context(), PlanGather{}))
	for _, size := range []int{500, 700, 1000, 4000} {
		readOn(t, p, r.cursor(place{}), size)
	}
}

// TestCursorsAreTaken follows each cursor that replies name in little room, of a plan that isn't there
// yet, too: what isn't of the plan comes in more room.
func TestCursorsAreTaken(t *testing.T) {
	named, roomier := 0, 0
	for _, text := range []string{"", "feat: x\n", "feat(s): x\n\nWhy.\n\n- [ ] 1\n- [x] 2\n", "no plan\n", "feat: x\n\n" + strings.Repeat("Why it is so. ", 200) + "\n\n- [ ] " + strings.Repeat("task ", 300) + "\n"} {
		p, file := newPlans(t, "", PlanOptions{})
		if text != "" {
			store(t, file, text)
		}
		r := must(t)(p.Gather(t.Context(), PlanGather{}))
		for size := 500; size < 2000; size += 20 {
			shown := string(r.Text(size))
			for _, found := range cursorIn.FindAllStringSubmatch(shown, -1) {
				named++
				if _, err := p.Gather(t.Context(), PlanGather{Cursor: found[1]}); err != nil {
					t.Fatalf("%q in %d characters: %v\n%s", text, size, err, shown)
				}
			}
			if strings.Contains(shown, " with max_chars=40000]") {
				roomier++
			}
		}
	}
	if named < 10 || roomier == 0 {
		t.Errorf("%d cursors, %d other ways on", named, roomier)
	}
}
