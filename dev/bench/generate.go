package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Generated documents have what people write and tools stumble over: headings and
// lines that are there twice, comments in code that begin with "#", underlined
// headings, front matter, lists with several markers, tables that are not aligned,
// line endings of Windows. The same seed makes the same documents.

// writer makes one document.
type writer struct {
	*rand.Rand
	text strings.Builder
}

// generated returns so many documents.
func generated(seed uint64, n int) []document {
	docs := make([]document, n)
	for i := range docs {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		docs[i] = document{fmt.Sprintf("generated/%04d.md", i), []byte(w.document())}
	}
	return docs
}

// chance reports true in so many of a hundred cases.
func (w *writer) chance(percent int) bool { return w.IntN(100) < percent }

// pick returns one of the choices.
func pick[T any](r *rand.Rand, choices []T) T { return choices[r.IntN(len(choices))] }

var words = strings.Fields(`the server reads each file once and keeps only what changed before writing a section
its range is checked against current bytes so no update gets lost between two sessions plans hold tasks with stages
until every one was done naïve café größer when users ask for less`)

// sentence returns four to eleven words.
func (w *writer) sentence() string {
	all := make([]string, 4+w.IntN(8))
	for i := range all {
		all[i] = pick(w.Rand, words)
	}
	return strings.ToUpper(all[0][:1]) + all[0][1:] + " " + strings.Join(all[1:], " ") + "."
}

var titles = []string{
	"Install", "Usage", "Options", "Examples", "Examples", "Notes", "Notes", "Limits", "Errors", "API", "See also", "Security",
	"Build from source", "Linux", "Windows", "Release 1.2", "`make` targets", "What *not* to do", "C# and F#", "Größe",
}

// blocks are what sections hold; %s stands for a sentence.
var blocks = []string{
	"%s\n%s\n", "%s\n", "%s\n%s\n%s\n", "%s  \nwith a hard break. %s\n",
	"* %s\n* %s\n", "- %s\n\n- %s\n", "+ %s\n  - %s\n    1. %s\n", "1) %s\n2) %s\n", "- [ ] %s\n- [x] %s\n",
	"```sh\n# %s\nmake all\n\n## not a heading\n```\n", "~~~\n# %s\n~~~\n", "````md\n```\n# %s\n```\n````\n", "    # %s\n    make\n",
	"| Name | Use |\n|---|:-:|\n| a | %s |\n|b|c|\n", "> %s\n> ## quoted\n", "<!--\n# %s\n-->\n", "<details>\n<summary>x</summary>\n\n%s\n\n</details>\n",
	"* * *\n", "[ref]: https://example.com/a_b 'x'\n", "%s [a link](https://example.com/?a=1&b=2) and __bold__, *it* and `code`.\n",
	"1. %s\n\n   ```\n   # %s\n   ```\n", "#hashtag %s\n", "%s \\# not a heading, 5 * 3 \\< 20 & so on.\n", "<div>\n# %s\n</div>\n",
}

// block writes a block and a blank line, or seldom none.
func (w *writer) block() {
	text := pick(w.Rand, blocks)
	for strings.Contains(text, "%s") {
		text = strings.Replace(text, "%s", w.sentence(), 1)
	}
	w.text.WriteString(text)
	if !w.chance(6) {
		w.text.WriteString("\n")
	}
	if w.chance(8) {
		w.text.WriteString("\n")
	}
}

// heading writes a heading of a level, mostly with marks before it.
func (w *writer) heading(level int) {
	title := pick(w.Rand, titles)
	if w.chance(60) {
		title += " of the " + pick(w.Rand, words)
	}
	switch {
	case level <= 2 && w.chance(12):
		fmt.Fprintf(&w.text, "%s\n%s\n\n", title, strings.Repeat("=-"[level-1:level], 3+w.IntN(8)))
	case w.chance(5):
		fmt.Fprintf(&w.text, "  %s   %s %s\n\n", strings.Repeat("#", level), title, strings.Repeat("#", level))
	default:
		fmt.Fprintf(&w.text, "%s %s\n\n", strings.Repeat("#", level), title)
	}
}

// document returns a whole document.
func (w *writer) document() string {
	if w.chance(20) {
		w.text.WriteString("---\ntitle: a document\n# a comment\ntags: [a, b]\n---\n\n")
	}
	w.heading(1)
	repeated := []string{w.sentence(), w.sentence(), w.sentence(), w.sentence()} // lines that sections have in common
	level := 2
	for range 3 + w.IntN(14) {
		w.heading(level)
		for range 1 + w.IntN(3) {
			w.block()
		}
		if w.chance(45) {
			w.text.WriteString(pick(w.Rand, repeated) + "\n\n")
		}
		if w.chance(70) {
			w.text.WriteString(w.sentence() + "\n" + w.sentence() + "\n\n")
		}
		level = max(1, min(6, level+w.IntN(4)-2))
	}
	text := strings.TrimRight(w.text.String(), "\n")
	if !w.chance(15) {
		text += "\n"
	}
	if w.chance(25) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}
