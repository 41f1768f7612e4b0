package edit_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// The law: of a document nothing changes but the boxes of the tasks that are meant. Which these
// are, and what is read afterwards, goldmark says, which knows nothing of our parser.

// box is a task as goldmark reads it.
type box struct {
	at       int // of the bracket
	done     bool
	text     string   // without formatting
	sections []string // the titles above it
}

// tasksRead returns the tasks of a document, and all that goldmark reads beside their states.
func tasksRead(src []byte) (tasks []box, rest string) {
	mark := len(src)
	src = bytes.TrimPrefix(src, []byte("\uFEFF")) // which it takes for text
	mark -= len(src)
	var b strings.Builder
	var above []*ast.Heading
	titles := func() (all []string) {
		for _, h := range above {
			all = append(all, shown(h, src))
		}
		return all
	}
	root := goldmark.New(goldmark.WithExtensions(extension.TaskList)).Parser().Parse(text.NewReader(src))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			b.WriteString(")")
			return ast.WalkContinue, nil
		}
		b.WriteString("(" + n.Kind().String())
		switch n := n.(type) {
		case *ast.Heading:
			for len(above) > 0 && above[len(above)-1].Level >= n.Level {
				above = above[:len(above)-1]
			}
			above = append(above, n)
		case *ast.Text:
			b.Write(n.Value(src))
		case *east.TaskCheckBox:
			at := mark + n.Parent().Lines().At(0).Start
			tasks = append(tasks, box{at, n.IsChecked, shown(n.Parent(), src), titles()})
		}
		return ast.WalkContinue, nil
	})
	return tasks, b.String()
}

// shown returns the text of a block without formatting.
func shown(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Value(src))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// choice says which tasks an address stands for, by what goldmark reads.
type choice struct {
	section, state, beginning string // none of them, any
}

func (c choice) address(r source) string {
	address := "task"
	switch {
	case c.state != "":
		address += "[" + c.state + "]"
	case c.beginning != "":
		address += `["` + c.beginning + `"]`
	}
	if c.section != "" {
		return c.section + "/" + address
	}
	if address == "task" || r.chance(30) {
		return "@document/" + address
	}
	return address
}

// of returns which of the tasks are meant: those with the text that is asked for, or if there are
// none, those that begin with it.
func (c choice) of(tasks []box) []int {
	var all, whole []int
	for i, t := range tasks {
		text, ask := strings.ToLower(t.text), strings.ToLower(c.beginning)
		if c.section != "" && !slices.Contains(t.sections, c.section) || c.state != "" && t.done != (c.state == "done") || !strings.HasPrefix(text, ask) {
			continue
		}
		all = append(all, i)
		if text == ask {
			whole = append(whole, i)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return all
}

func isChanged(t *box, state string) bool { return state == "toggle" || t.done != (state == "done") }

// judgeTasks says what is wrong with what became of a document whose meant tasks were set.
func judgeTasks(before, now []byte, c choice, state string) error {
	tasks, rest := tasksRead(before)
	want := slices.Clone(before)
	for _, i := range c.of(tasks) {
		if t := &tasks[i]; isChanged(t, state) {
			t.done = !t.done
			want[t.at+1] = map[bool]byte{true: 'x', false: ' '}[t.done]
		}
	}
	after, restAfter := tasksRead(now)
	switch {
	case !bytes.Equal(now, want):
		return fmt.Errorf("it is\n%q\nwant\n%q", now, want)
	case fmt.Sprint(after) != fmt.Sprint(tasks):
		return fmt.Errorf("the tasks are\n%v\nwant\n%v", after, tasks)
	case restAfter != rest:
		return fmt.Errorf("goldmark read\n%s\nand reads\n%s", rest, restAfter)
	}
	return nil
}

var (
	taskTexts   = []string{"Buy milk", "**Buy** bread", "buy *rice*", "Call `Ann`", "Buy milk\n  and more", "[Pay](x) rent", "[ ] twice", "Ärger", "see [x] there", "A \\[ ] B"}
	taskSection = []string{"Shop", "Todo", "Later", "Done"}
	noTasks     = []string{
		"[ ] no item", "- plain", "- text [ ] in the middle", "- \\[ ] escaped", "- `[ ]` code", "```\n- [ ] in code\n```", "    - [ ] in code", "<!--\n- [ ] in a comment\n-->",
		"- [y] no box", "1. one\n2. two", "> quoted", "- \n\n  [ ] too late", "***", "[ ]: /url",
	}
)

// taskDocument writes a document with tasks in lists, lists in lists, and quotes.
func (r source) taskDocument() []byte {
	var b strings.Builder
	block := func(prefix, text string) {
		b.WriteString(prefix + strings.ReplaceAll(text, "\n", "\n"+prefix) + "\n")
	}
	list := func(prefix string) {
		mark := one(r, []string{"- ", "* ", "+ ", "1. ", "7) ", "-   ", "-\t"})
		indent := strings.Repeat(" ", len(mark))
		if mark == "-\t" && prefix != "" {
			mark, indent = "- ", "  " // goldmark counts tabs in quotes otherwise
		} else if mark == "-\t" {
			indent = "\t"
		}
		for range 1 + r.IntN(4) {
			inner := strings.ReplaceAll(one(r, taskTexts), "\n  ", "\n"+indent)
			state := one(r, []string{"[ ] ", "[ ] ", "[x] ", "[X] ", ""})
			block(prefix, mark+state+inner)
			switch r.IntN(8) {
			case 0:
				block(prefix+indent, one(r, []string{"- [ ] ", "- [x] ", "1. [ ] "})+one(r, taskTexts))
			case 1:
				block(prefix, "\n"+indent+"more of it")
			case 2:
				block(prefix, "")
			}
		}
	}
	if r.chance(15) {
		b.WriteString("---\ntasks: \"- [ ] none\"\n---\n\n")
	}
	level := 1
	for _, title := range taskSection[:1+r.IntN(len(taskSection))] {
		if level > 1 || r.chance(80) {
			block("", strings.Repeat("#", level)+" "+title+"\n")
			level = 2 + r.IntN(2)
		}
		for range r.IntN(4) {
			switch r.IntN(4) {
			case 0:
				block("", one(r, noTasks)+"\n")
			case 1:
				list("> ")
				block("", "")
			default:
				list("")
				block("", "")
			}
		}
	}
	src := r.ended(b.String())
	if lf := bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")); bytes.Contains(lf, []byte("\r")) {
		return bytes.ReplaceAll(lf, []byte("\r"), []byte("\n")) // goldmark doesn't know CR alone
	}
	return src
}

// TestLawsTasks sets tasks of random documents, one or all that an address stands for.
func TestLawsTasks(t *testing.T) {
	counts := map[string]int{}
	ops := testkit.Some(*opsFlag/3, 5)
	for n := range ops {
		r := newSource(*seedFlag+23, uint64(n))
		src := r.taskDocument()
		doc := parse(t, src)
		tasks, _ := tasksRead(src)
		ours := 0
		for b := range doc.Blocks {
			if doc.Blocks[b].Flags&markdown.Task != 0 {
				ours++
			}
		}
		if ours != len(tasks) {
			counts["read otherwise"]++
			continue
		}
		c := choice{}
		if r.chance(30) {
			c.section = one(r, taskSection)
		}
		switch r.IntN(4) {
		case 0:
			c.beginning = one(r, []string{"Buy", "buy milk", "CALL", "pay rent", "ärger", "Buy milk and", "nothing"})
		case 1:
			c.state = "done"
		case 2:
			c.state = "open"
		}
		state := one(r, []string{"done", "open", "toggle"})
		meant, change := c.of(tasks), 0
		for _, i := range meant {
			if isChanged(&tasks[i], state) {
				change++
			}
		}
		many := len(meant)
		op := edit.Op{Action: edit.Set, Address: c.address(r), Text: state}
		if many != 1 || r.chance(50) {
			op.ExpectedCount = many
		}
		wrong := r.chance(10)
		if wrong {
			op.ExpectedCount = many + 1
		}
		res, err := edit.Apply(doc, []edit.Op{op})
		what, refusal := "made", ""
		switch {
		case many == 0:
			what, refusal = "none", "heading_not_found"
		case wrong:
			what, refusal = "wrong count", "conflict"
		case change == 0:
			what, refusal = "no change", "no_change"
		case many > 1:
			what = "made of many"
		}
		counts[what]++
		switch {
		case refusal != "":
			if err == nil || !strings.HasPrefix(err.Error(), refusal) {
				t.Fatalf("-seed %d, %d: %+v of\n%s\n%d tasks, %d to change: %v, want %s", *seedFlag, n, op, src, many, change, err, refusal)
			}
		case err != nil:
			t.Fatalf("-seed %d, %d: %+v of\n%s\n%d tasks, %d to change: %v", *seedFlag, n, op, src, many, change, err)
		default:
			if err := judgeTasks(src, res.Doc.Source, c, state); err != nil {
				t.Fatalf("-seed %d, %d: %+v of\n%s\n%v", *seedFlag, n, op, src, err)
			}
		}
	}
	t.Logf("of %d: %v", ops, counts)
	for _, what := range []string{"made", "made of many", "none", "wrong count", "no change"} {
		if counts[what] < ops/50 {
			t.Errorf("%s: %d of %d prove little", what, counts[what], ops)
		}
	}
}

// TestJudgeTasks gives the judge of tasks results that break the law.
func TestJudgeTasks(t *testing.T) {
	const src = "# A\n\n- [ ] a\n- [x] b\n  - [ ] c\n\n# B\n\n- [ ] d\n"
	open := choice{section: "A", state: "open"}
	for name, now := range map[string]string{
		"":                  "# A\n\n- [x] a\n- [x] b\n  - [x] c\n\n# B\n\n- [ ] d\n",
		"nothing":           src,
		"one of them":       "# A\n\n- [x] a\n- [x] b\n  - [ ] c\n\n# B\n\n- [ ] d\n",
		"another one too":   "# A\n\n- [x] a\n- [x] b\n  - [x] c\n\n# B\n\n- [x] d\n",
		"another one":       "# A\n\n- [x] a\n- [x] b\n  - [ ] c\n\n# B\n\n- [x] d\n",
		"one undone":        "# A\n\n- [x] a\n- [ ] b\n  - [x] c\n\n# B\n\n- [ ] d\n",
		"another letter":    "# A\n\n- [X] a\n- [x] b\n  - [x] c\n\n# B\n\n- [ ] d\n",
		"a text":            "# A\n\n- [x] e\n- [x] b\n  - [x] c\n\n# B\n\n- [ ] d\n",
		"a blank":           "# A\n\n- [x] a\n- [x] b\n  - [x] c\n\n# B\n\n- [ ] d\n\n",
		"no box":            "# A\n\n- [x] a\n- [x] b\n  - [x]c\n\n# B\n\n- [ ] d\n",
		"the line ending":   "# A\n\n- [x] a\r\n- [x] b\n  - [x] c\n\n# B\n\n- [ ] d\n",
		"a heading":         "# A\n\n- [x] a\n- [x] b\n  - [x] c\n\n## B\n\n- [ ] d\n",
		"another mark":      "# A\n\n* [x] a\n- [x] b\n  - [x] c\n\n# B\n\n- [ ] d\n",
		"a task more":       "# A\n\n- [x] a\n- [x] b\n  - [x] c\n- [ ] n\n\n# B\n\n- [ ] d\n",
		"the text of a box": "# A\n\n- [x] a\n- [x] b\n  - [x] c\n\n# B\n\n- \\[ ] d\n",
	} {
		if err := judgeTasks([]byte(src), []byte(now), open, "done"); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
