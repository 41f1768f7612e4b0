package plan_test

import (
	"math/rand/v2"
	"strings"

	"github.com/sectile/sectile/plan"
)

// Random texts and documents. They are made of pieces that are close to the borders
// between one class of lines and another, in all forms.

var genHeaders = map[string][]string{
	plan.CommitMessage: {
		"feat(api): add auth", "feat(api)!: add auth", "fix(a/b):", "fix(a)!:", "docs:", "docs!:", "docs: text", "docs!:text", "fix(\u2028a): t", "fix(\u2028): t", "feat(API): T",
		"feat(a):\u00a0", "feat(a):\u00a0t ", "feat(a):\ft", "feat(a):\vt", "feat(a): : t", "feat:(b): c", "feat(a)(b): c", "feat(a", "feat (a):", "Feat:", "x",
		"feat(a\u00a0b): t", "feat(é): t\t", "feat(a): " + strings.Repeat("é", 120), "feat(a): " + strings.Repeat("é", 121), "feat(!): x", "feat:!: x", "a: b: c",
	},
	plan.MarkdownTasks: {"# title", "#  title ", "#title", "# ", "## title", "# \u00a0", "# # #", "# title: a"},
	plan.YAMLLike:      {"title: a", "title:a", "title:", "title: \u00a0", "title: title: a ", "Title: a", "titlea"},
}

var genLines = map[string][]string{
	plan.CommitMessage: {
		"", "", " ", "\t", "\u00a0", "text", "more text", " indented", "fo", "X", "Signed-off-by: Me <me@x>", "Stop it", "é",
		"- [ ]: a", "- [x]: b", "- [X]: c", "- [ ] d", "  - [ ]: e", "    - [x]: f", "      - [ ]: g", "        - [x]: h", "          - [ ]: i", "\t- [ ]: j", " - [ ]: k",
		"- [ ]:", "- [ ]: ", "- [ ]: \u00a0", "- [ ]:\tl", "- [y]: m", "- []: n", "- [link](x)", "- [ ]: \u00a0o ", "- [ ]: - [ ]: p", "   - [x]: q  ",
		"~~~ GO ~~~", "~~~ COMPLETE ~~~", "~~~ GO  ~~~", "~~~ Go ~~~", "~~~  ~~~", "~~~ ~~~", "~~~ GO ~~~ ", "~~~", " ~~~ GO ~~~", "~~~ A B ~~~",
		"- Do not: a", "- Never: b ", "- Avoid : c", "- D: d", "- Do not: D", "- Do not:", "- Do not: ", "- n.e: e", "- x: ", "- : x", "- Note: this", "- A: b: c", "- Cannot: \u00e9",
		"- [docs](http://x)", "- [docs](x): all of them", "- [1](x)", "- [a][b]", "- [", "- [ab]", "- [a", "- [y]", "```", "```", "```go", "  ````", "~~~ md", "``` a`b", " ```\u00a0",
		"[x]: a", "[ ]: b", "  [X]: c", "[x] a", "-", "- ", " -", "-\t", "- bullet", "- two words", "-x", "  - nested", "* star", "> quote", "a: b",
	},
	plan.MarkdownTasks: {
		"- [ ] a", "- [x] b", "- [X] c", "  - [ ] d", "    - [ ] e", "- [ ]", "- []", "- [y] f", "- [a](b)", "- [ab] g", "[ ] a", "[x]: a",
		"> Do not: a", "> Note: this", "> Note: This", "> Never: b", "> quote", ">", "- Do not: a", "- [ ] \u00a0", "~~~", "```",
	},
	plan.YAMLLike: {
		"- task: a", "- task: b (x)", "- task: c ( )", "- task: d (X)", "    - task: e", "        - task: f (x)", "- task:", "- task: ", "- task: (x)", "- task: g (x) ( )",
		"- task:  h  (x)", "- task: \u00a0 (x)", "- task: i (y)", "- task: (x) (x)", "-task: j", "do not: a", "Do not: a", "Never: b", "key: value", "Key: Value", "a key: value", "key:value", "a.b: c", "title: t",
	},
}

// gen makes things at random.
type gen struct {
	*rand.Rand
	form string // the name of a preset
}

func (g *gen) pick(list []string) string { return list[g.IntN(len(list))] }

// forms returns the presets whose pieces are to be taken.
func (g *gen) pieces(of map[string][]string) []string {
	if g.IntN(3) > 0 {
		if own := of[g.form]; own != nil {
			return own
		}
	}
	return of[plan.CommitMessage]
}

// text makes a text in something like the form.
func (g *gen) text() string {
	newline := g.pick([]string{"\n", "\n", "\n", "\n", "\r\n", "\r"})
	var lines []string
	if g.IntN(50) == 0 {
		lines = append(lines, "")
	}
	header := genHeaders[g.form]
	if header == nil {
		header = genHeaders[plan.CommitMessage]
	}
	lines = append(lines, g.pick(header))
	if g.IntN(30) > 0 {
		lines = append(lines, g.pick([]string{"", "", "", " "}))
	}
	if g.IntN(3) == 0 { // in order, so that more texts are plans
		lines = append(lines, g.ordered()...)
	} else {
		for range g.IntN(12) {
			lines = append(lines, g.pick(g.pieces(genLines)))
		}
	}
	text := strings.Join(lines, newline)
	switch g.IntN(40) {
	case 0:
		text += "\n\n"
	case 1: // one byte changed
		b := []byte(text)
		b[g.IntN(len(b))] = byte(g.IntN(256))
		text = string(b)
	case 2:
		i := g.IntN(len(text) + 1)
		text = text[:i] + g.pick([]string{"\x00", "\n", " ", "\t", "- ", ": ", "\uFEFF", "[x]", "\u2028"}) + text[i:]
	}
	return text
}

// ordered makes lines in the order of the sections.
func (g *gen) ordered() (lines []string) {
	choose := func(n int, class ...string) {
		for range g.IntN(n) {
			lines = append(lines, g.pick(class))
		}
	}
	choose(4, "text", "more", "", "- bullet", "- Note: this", "* star", "[x]: a", "text: A")
	lines = append(lines, "")
	switch g.form {
	case plan.MarkdownTasks:
		choose(4, "> Do not: a", "> Never: b", "", "> Odd: B", "> Key: value")
		choose(6, "- [ ] a", "- [x] b", "  - [x] c", "    - [ ] d", "")
	case plan.YAMLLike:
		choose(4, "Do not: a", "Never: b", "", "Odd: B", "key: value")
		choose(6, "- task: a", "- task: b (x)", "    - task: c ( )", "        - task: (x)", "")
	default:
		choose(4, "- Do not: a", "- Never: b", "", "- Odd: B", "- Key: value")
		choose(6, "- [ ]: a", "- [x]: b", "  - [x]: c", "    - [ ] d", "", "\t- [ ]: e")
	}
	choose(3, "go on", "free text", "", "- bullet")
	choose(2, "~~~ GO ~~~", "~~~ COMPLETE ~~~")
	return lines
}

// word makes a text for a field, which may be impossible there.
func (g *gen) word() string {
	switch g.IntN(12) {
	case 0:
		return g.pick(g.pieces(genLines))
	case 1:
		return g.pick([]string{"", " ", "a\nb", "a\rb", "\x00", "\xff", " a ", "a: b", "é", "!", "): x"})
	}
	return g.pick([]string{"a", "b", "some text", "Add Auth", "x (x)", "do not", "2nd"})
}

func (g *gen) words() string {
	lines := make([]string, 1+g.IntN(4))
	for i := range lines {
		lines[i] = g.word()
	}
	return strings.Join(lines, "\n")
}

// tasks makes a tree of tasks with texts from word.
func (g *gen) tasks(depth int, word func() string) []plan.Task {
	var list []plan.Task
	for range g.IntN(4) {
		t := plan.Task{Done: g.IntN(2) == 0, Text: word()}
		if g.IntN(3) == 0 && depth > 0 {
			t.Children = g.tasks(depth-1, word)
		}
		list = append(list, t)
	}
	return list
}

// document makes a document of anything.
func (g *gen) document() plan.Document {
	var d plan.Document
	if g.IntN(20) > 0 {
		d.Header = &plan.Header{Type: g.pick([]string{"feat", "fix", "", "a", "A"}), Breaking: g.IntN(3) == 0}
		if g.IntN(2) == 0 {
			d.Header.Scope = g.pick([]string{"api", "a/b", "api", "x", "A", "a b", "a)", "é"})
		}
		if g.IntN(2) == 0 {
			d.Header.Title = g.word()
		}
	}
	if g.IntN(2) == 0 {
		d.Description = g.words()
	}
	for range g.IntN(3) {
		d.Constraints = append(d.Constraints, plan.Constraint{Key: g.pick([]string{"Do not", "Never", "Avoid", "Key", "key", g.word()}), Value: g.word()})
	}
	if g.IntN(10) == 0 {
		d.Constraints = []plan.Constraint{}
	}
	if g.IntN(2) == 0 {
		d.Tasks = g.tasks(g.IntN(7), g.word)
	}
	if g.IntN(4) == 0 {
		d.Direction = g.words()
	}
	if g.IntN(3) == 0 {
		d.Directive = g.pick([]string{"GO", "COMPLETE", "A B", " A ", "a", "GO ~~~"})
	}
	for range g.IntN(2) * g.IntN(2) * g.IntN(3) {
		d.Skipped = append(d.Skipped, g.pick(g.pieces(genLines)))
	}
	if g.IntN(20) == 0 {
		d.IgnoredTitle = g.word()
	}
	return d
}

// sound makes a document that can be written in the form, and must be accepted.
func (g *gen) sound() plan.Document {
	d := plan.Document{Header: &plan.Header{Type: "feat", Scope: "api", Breaking: g.IntN(2) == 0, Title: g.pick([]string{"Add OAuth2", "a: b", "é ü"})}}
	if g.form == plan.MarkdownTasks || g.form == plan.YAMLLike {
		d.Header = &plan.Header{Title: d.Header.Title}
	}
	if g.IntN(3) > 0 {
		d.Description = g.pick([]string{"why", "why\nand how", "\n why\n", "- task list in words\nwhy", "1. one\n2. two\r\n* three"})
		if g.form != plan.Strict && g.IntN(2) == 0 {
			d.Description = "why\n\n" + d.Description + "\n\nend"
		}
		if strings.HasPrefix(d.Description, "- ") {
			d.Description = "w\n" + d.Description
		}
	}
	for range g.IntN(4) {
		d.Constraints = append(d.Constraints, plan.Constraint{Key: g.pick([]string{"Do not", "Never", "Avoid", "Cannot"}), Value: g.pick([]string{"break it", "x: y ", "a - b"})})
	}
	d.Tasks = g.tasks(3, func() string {
		return g.pick([]string{"do it", " trim ", "- [ ]: odd", "x (x)", "~~~ A ~~~", "Über: alles"})
	})
	if g.IntN(3) == 0 && (len(d.Constraints) > 0 || len(d.Tasks) > 0) {
		d.Direction = g.pick([]string{"Continue here", "Continue\n\n- so\n- that", "\nGo on\n"})
	}
	if g.IntN(3) == 0 {
		d.Directive = g.pick([]string{"GO", "COMPLETE", "A B"})
	}
	return d
}
