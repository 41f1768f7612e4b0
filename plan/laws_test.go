package plan_test

import (
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/plan"
)

// The laws, on random documents and texts. To run more of them, or those of a
// failure again:
//
//	go test ./plan -run Laws -docs 1000000 -v
//	go test ./plan -run Laws -seed 1
var (
	docsFlag = flag.Int("docs", 5_000, "random documents, and as many random texts, for TestLaws")
	seedFlag = flag.Uint64("seed", 1, "seed of the random documents and texts")
)

func TestLaws(t *testing.T) {
	presets := plan.Presets()
	docs := testkit.Some(*docsFlag, 5)
	const chunk = 1000 // documents that have a seed of their own
	var next, parsed, halted, accepted atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for !t.Failed() {
				i := int(next.Add(1)) - 1
				if i*chunk >= docs {
					return
				}
				r := rand.New(rand.NewPCG(*seedFlag, uint64(i)))
				for n := 0; n < chunk && !t.Failed(); n++ {
					cfg := &presets[r.IntN(len(presets))]
					g := &gen{r, cfg.Name}
					switch checkText(t, g.text(), cfg) {
					case plan.Parsed:
						parsed.Add(1)
					case plan.Halted:
						halted.Add(1)
					}
					if checkDocument(t, g.document(), cfg) {
						accepted.Add(1)
					}
					if d := g.sound(); !checkDocument(t, d, cfg) {
						_, err := plan.Format(d, cfg)
						t.Errorf("%s: a sound document is refused: %v\n%+v", cfg.Name, err, d)
					}
				}
			}
		})
	}
	workers.Wait()
	t.Logf("%d texts were plans, %d halted; %d documents of anything were written", parsed.Load(), halted.Load(), accepted.Load())
	// Laws about plans and written documents would hold if there were none.
	if n := int64(docs); parsed.Load() < n/10 || halted.Load() < n/10 || accepted.Load() < n/50 {
		t.Errorf("too few of %d to mean anything", n)
	}
}

// checkText checks what holds for every text.
func checkText(t *testing.T, text string, cfg *plan.Config) plan.State {
	t.Helper()
	r := plan.Parse(text, cfg)
	if cfg.Name == plan.CommitMessage {
		if want := refParse(text); !reflect.DeepEqual(want, r) {
			t.Errorf("%q (-want +got)\n%s", text, cmp.Diff(want, r))
		}
	}
	checkResult(t, text, &r)
	written, err := plan.FormatResult(&r, cfg)
	if r.State != plan.Parsed {
		if err == nil {
			t.Errorf("%s: %q is %s, and was written: %q", cfg.Name, text, r.State, written)
		}
		return r.State
	}
	if err != nil {
		t.Errorf("%s: %q is a plan and can't be written: %v", cfg.Name, text, err)
		return r.State
	}
	again := plan.Parse(written, cfg)
	if want := refNormalise(r.Document); again.State != plan.Parsed || !reflect.DeepEqual(want, again.Document) {
		t.Errorf("%s: %q is written as %q (-want +got)\n%s", cfg.Name, text, written, cmp.Diff(want, again.Document))
	}
	if third, err := plan.FormatResult(&again, cfg); err != nil || third != written {
		t.Errorf("%s: %q is written as %q and that as %q, %v", cfg.Name, text, written, third, err)
	}
	if before, after := bareLines(text), bareLines(written); !slices.Equal(before, after) {
		t.Errorf("%s: %q has lost text\n%s", cfg.Name, text, cmp.Diff(before, after))
	}
	return r.State
}

// checkResult checks that a result fits its text and survives its JSON.
func checkResult(t *testing.T, text string, r *plan.Result) {
	t.Helper()
	lines := 1 + strings.Count(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	if (r.Halt != nil) != (r.State == plan.Halted) || r.Halt != nil && (r.Halt.Line < 1 || r.Halt.Line > lines) {
		t.Errorf("%q: %s, %+v", text, r.State, r.Halt)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var back plan.Result
	err = json.Unmarshal(data, &back)
	if back.Halt != nil && r.Halt != nil {
		back.Halt.Begin = r.Halt.Begin // which JSON doesn't have
	}
	if err != nil || !reflect.DeepEqual(*r, back) {
		t.Errorf("%q: %s: %v %s", text, data, err, cmp.Diff(*r, back))
	}
	checkTasks(t, r.Document)
}

// checkTasks checks that every task is found by its id, and that marking changes
// that task alone.
func checkTasks(t *testing.T, d plan.Document) {
	t.Helper()
	items := plan.Items(d.Tasks)
	done, total := plan.Progress(d.Tasks)
	open := plan.OpenLeaves(d.Tasks)
	if len(open) != total-done {
		t.Errorf("%d of %d done, %d open", done, total, len(open))
	}
	if len(items) == 0 {
		return
	}
	item := items[len(items)/2]
	marked, found, err := plan.Mark(d, item.ID, !item.Done)
	var refused *plan.TaskError
	switch {
	case !item.Leaf && (!errors.As(err, &refused) || refused.Code != plan.TaskIsParent):
		t.Errorf("%s is a parent: %v", item.ID, err)
	case !item.Leaf:
	case err != nil || found.ID != item.ID || !found.ByPosition:
		t.Errorf("%s: %+v, %v", item.ID, found, err)
	default:
		for i, after := range plan.Items(marked.Tasks) {
			want := items[i]
			if i == len(items)/2 {
				want.Done = !want.Done
			}
			if want.Leaf && after != want {
				t.Errorf("marked %s: %+v is %+v", item.ID, want, after)
			}
		}
		if len(plan.OpenLeaves(marked.Tasks)) > 0 && marked.Directive == plan.Complete {
			t.Errorf("complete with open tasks: %+v", marked)
		}
	}
}

// checkDocument checks what holds for every document, and reports whether it was
// written.
func checkDocument(t *testing.T, d plan.Document, cfg *plan.Config) bool {
	t.Helper()
	before := clone(t, d)
	text, err := plan.Format(d, cfg)
	if !reflect.DeepEqual(before, d) {
		t.Errorf("the document was changed\n%s", cmp.Diff(before, d))
	}
	want := refNormalise(d)
	if got := plan.Normalise(d); !reflect.DeepEqual(want, got) {
		t.Errorf("normalised (-want +got)\n%s", cmp.Diff(want, got))
	}
	if err != nil {
		var refused *plan.FormatError
		if !errors.As(err, &refused) || refused.Field == "" || refused.Line < 1 || !utf8.ValidString(strings.ToValidUTF8(refused.Error(), "")) || text != "" {
			t.Errorf("%s: %#v", cfg.Name, err)
		}
		return false
	}
	r := plan.Parse(text, cfg)
	if r.State != plan.Parsed || !reflect.DeepEqual(want, r.Document) {
		t.Errorf("%s: written as %q, read as %s (-want +got)\n%s", cfg.Name, text, r.State, cmp.Diff(want, r.Document))
	}
	for _, part := range allTexts(d) {
		for line := range strings.Lines(unixLines(part)) {
			if line = strings.TrimSpace(line); !strings.Contains(text, line) {
				t.Errorf("%s: %q lacks %q", cfg.Name, text, line)
			}
		}
	}
	return true
}

// clone copies a document with all that it points to.
func clone(t *testing.T, d plan.Document) plan.Document {
	t.Helper()
	if d.Header != nil {
		h := *d.Header
		d.Header = &h
	}
	d.Constraints = slices.Clone(d.Constraints)
	d.Skipped = slices.Clone(d.Skipped)
	d.Tasks = cloneTasks(d.Tasks)
	return d
}

func cloneTasks(tasks []plan.Task) []plan.Task {
	tasks = slices.Clone(tasks)
	for i := range tasks {
		tasks[i].Children = cloneTasks(tasks[i].Children)
	}
	return tasks
}

func unixLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// allTexts returns every text of a document.
func allTexts(d plan.Document) []string {
	texts := []string{d.Description, d.Direction, d.Directive, d.IgnoredTitle}
	if d.Header != nil {
		texts = append(texts, d.Header.Type, d.Header.Scope, d.Header.Title)
	}
	for _, c := range d.Constraints {
		texts = append(texts, c.Key, c.Value)
	}
	for _, item := range plan.Items(d.Tasks) {
		texts = append(texts, item.Text)
	}
	return append(texts, d.Skipped...)
}

// refNormalise says what Normalise does in other words.
func refNormalise(d plan.Document) plan.Document {
	if d.Header != nil {
		d.Header = &plan.Header{Type: d.Header.Type, Scope: d.Header.Scope, Breaking: d.Header.Breaking, Title: strings.TrimSpace(d.Header.Title)}
	}
	outer := func(s string) string {
		lines := strings.Split(unixLines(s), "\n")
		for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
			lines = lines[1:]
		}
		for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
			lines = lines[:len(lines)-1]
		}
		return strings.Join(lines, "\n")
	}
	d.Description, d.Direction = outer(d.Description), outer(d.Direction)
	d.Directive, d.IgnoredTitle = strings.TrimSpace(d.Directive), strings.TrimSpace(d.IgnoredTitle)
	var derive func([]plan.Task) []plan.Task
	derive = func(tasks []plan.Task) (list []plan.Task) {
		for _, t := range tasks {
			children := derive(t.Children)
			done := t.Done
			if children != nil {
				done = !slices.ContainsFunc(children, func(c plan.Task) bool { return !c.Done })
			}
			list = append(list, plan.Task{Done: done, Text: strings.TrimSpace(t.Text), Children: children})
		}
		return list
	}
	d.Tasks = derive(d.Tasks)
	if d.Tasks == nil && d.Direction != "" {
		d.Tasks = []plan.Task{}
	}
	var constraints []plan.Constraint
	for _, c := range d.Constraints {
		constraints = append(constraints, plan.Constraint{Key: strings.TrimSpace(c.Key), Value: strings.TrimSpace(c.Value)})
	}
	if constraints == nil && d.Tasks != nil {
		constraints = []plan.Constraint{}
	}
	d.Constraints = constraints
	d.Skipped = append([]string(nil), d.Skipped...)
	return d
}

var (
	boxOfTask  = regexp.MustCompile(`^[ \t]*- \[[xX ]\]:?( .*)$`)
	markOfYAML = regexp.MustCompile(`^([ \t]*- task: +\S.*?) \([xX ]\)$`)
)

// bareLines returns the lines of a text in no order, without marks and white space.
func bareLines(text string) []string {
	var lines []string
	for line := range strings.Lines(unixLines(text)) {
		line = strings.TrimSuffix(line, "\n")
		if m := boxOfTask.FindStringSubmatch(line); m != nil {
			line = "task" + m[1]
		}
		if m := markOfYAML.FindStringSubmatch(line); m != nil {
			line = m[1]
		}
		line = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, line)
		if line != "" {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}
