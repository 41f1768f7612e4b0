package testkit

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// YAML writes a text of YAML in all the ways that people do, by chance. Each comment in it is
// there once, and says which part it is inside of: "# docs 12".
type YAML struct {
	*rand.Rand
	Step   int    // how far it indents
	Ending string // of its lines
	Inside string // the part that is being written

	mayBePlain func(text string, flow bool) bool
	b          strings.Builder
	comments   int
}

// NewYAML returns a writer by a seed. Its function reports whether a text may stand without quotes,
// in brackets or not.
func NewYAML(seed uint64, mayBePlain func(text string, flow bool) bool) *YAML {
	y := &YAML{Rand: rand.New(rand.NewPCG(seed, 7)), Inside: "-", Ending: "\n", Step: 2, mayBePlain: mayBePlain} //nolint:gosec // the same for each run
	if y.Chance(25) {
		y.Ending = "\r\n"
	}
	if y.Chance(40) {
		y.Step = 1 + y.IntN(5)
	}
	return y
}

// String returns what was written.
func (y *YAML) String() string { return y.b.String() }

// Chance reports true in so many of a hundred cases.
func (y *YAML) Chance(percent int) bool { return y.IntN(100) < percent }

// Pick returns one of a list.
func (y *YAML) Pick(list ...string) string { return list[y.IntN(len(list))] }

// Texts returns up to so many texts out of a list.
func (y *YAML) Texts(from []string, most int) []string {
	var list []string
	for range y.IntN(most + 1) {
		list = append(list, from[y.IntN(len(from))])
	}
	return list
}

// Write writes a text as it is.
func (y *YAML) Write(text string) { y.b.WriteString(text) }

// Line writes a line, with a comment after it now and then.
func (y *YAML) Line(indent int, text string) {
	y.Write(strings.Repeat(" ", indent) + text)
	if y.Chance(15) {
		y.Write(y.Pick(" ", "  ", "\t", "\t ") + y.comment())
	}
	y.Write(y.Ending)
}

// comment returns a comment that is in no other place.
func (y *YAML) comment() string {
	y.comments++
	return fmt.Sprintf("# %s %d%s", y.Inside, y.comments, y.Pick("", "\té: [x", " 'q", " - a: {"))
}

// Between writes what may stand between two lines.
func (y *YAML) Between(indent int) {
	for y.Chance(12) {
		y.Write(strings.Repeat(" ", indent) + y.comment() + y.Ending)
	}
	if y.Chance(6) {
		y.Write(y.Pick("", strings.Repeat(" ", indent)) + y.Ending)
	}
}

// Quoted returns a text in some notation, for brackets or not.
func (y *YAML) Quoted(s string, flow bool) string {
	switch {
	case y.Chance(20):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case y.Chance(25) || !y.mayBePlain(s, flow):
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
	}
	return s
}

// Bracketed returns a list in brackets.
func (y *YAML) Bracketed(texts []string) string {
	var parts []string
	for _, s := range texts {
		parts = append(parts, y.Quoted(s, true))
	}
	return "[" + strings.Join(parts, y.Pick(", ", ", ", " , ", ",")) + "]"
}

// List writes a key with a list.
func (y *YAML) List(indent int, key string, texts []string) {
	if len(texts) == 0 || y.Chance(40) {
		if len(texts) > 1 && y.Chance(25) { // over several lines
			y.Line(indent, key+": [")
			for i, s := range texts {
				comma := ","
				if i == len(texts)-1 {
					comma = y.Pick("", ",")
				}
				y.Line(indent+y.Step, y.Quoted(s, true)+comma)
			}
			y.Line(indent, "]")
			return
		}
		y.Line(indent, key+": "+y.Bracketed(texts))
		return
	}
	y.Line(indent, key+":")
	inner := indent + y.Step
	if y.Chance(30) {
		inner = indent
	}
	for _, s := range texts {
		y.Between(inner)
		y.Line(inner, "- "+y.Pick("", "", " ")+y.Quoted(s, false))
	}
}

// Block writes a key with a text of two lines below it, after one of the signs, and returns the
// text.
func (y *YAML) Block(indent int, key string, signs ...string) string {
	sign := y.Pick(signs...)
	y.Line(indent, key+": "+sign)
	lines := []string{"Some text: [x", "and # more"}
	for _, line := range lines {
		y.Write(strings.Repeat(" ", indent+y.Step) + line + y.Ending)
	}
	text := strings.Join(lines, map[byte]string{'|': "\n", '>': " "}[sign[0]])
	if !strings.HasSuffix(sign, "-") {
		text += "\n"
	}
	return text
}

// YAMLTexts are texts that YAML takes for other things, or that need quotes in places.
var YAMLTexts = []string{"docs", "docs/guides", "über uns", "my app", "next.js", "2024", "a, b", "x: y", "it's", `say "hi"`, "#1", "a #b", "*.md", "**/*.go", "yes", "[a]", "{a,b}.md", "日本語"} //nolint:gochecknoglobals // a constant
