package edit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// Documents are written by a grammar that likes what is hard: blocks without blank
// lines between them, fences that stay open, headings that repeat, levels that are
// skipped. Some are cut from real documents instead. Then a few lines of some are
// mixed up, and all get line endings, a byte order mark or an end of their own.

// source is what a document is made with, and the same numbers make the same one.
type source struct{ *rand.Rand }

func newSource(seed, n uint64) source { return source{rand.New(rand.NewPCG(seed, n))} }

// chance reports true in so many of a hundred cases.
func (r source) chance(percent int) bool { return r.IntN(100) < percent }

// one returns one of the choices.
func one[T any](r source, choices []T) T { return choices[r.IntN(len(choices))] }

var plainWords = []string{
	"the", "server", "reads", "each", "file", "once", "and", "keeps", "only", "what", "changed", "before", "writing", "section",
	"range", "checked", "against", "current", "naïve", "café", "über", "bytes", "no", "update", "見出し", "🎉", "Ελλάδα",
}

// words returns so many words without any meaning to Markdown.
func (r source) words(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = one(r, plainWords)
	}
	return strings.Join(all, " ")
}

// prose returns one to three lines of words.
func (r source) prose() string {
	lines := make([]string, 1+r.IntN(3))
	for i := range lines {
		lines[i] = r.words(1 + r.IntN(6))
	}
	return strings.Join(lines, "\n") + "\n"
}

var titles = []string{
	"Install", "Install", "Usage", "Linux", "Linux", "Notes", "API", "A > B", "`go build` now", "**Bold** words", "[Link](x)", "C\\#",
	"h2.1", "L3", "Café", "Closed ##", "Options {#opts}", "見出し", "", "1. First", "Install notes", "install",
}

// heading returns a heading of the level, mostly with marks before it.
func (r source) heading(level int) string {
	title := one(r, titles)
	if title != "" && level <= 2 && r.chance(20) {
		line := strings.Repeat("=-"[level-1:level], 1+r.IntN(6))
		if r.chance(10) {
			title += "\n" + r.words(2)
		}
		return title + "\n" + line + "\n"
	}
	indent := ""
	if r.chance(6) {
		indent = strings.Repeat(" ", 1+r.IntN(3))
	}
	if r.chance(8) && title != "" {
		title += " " + strings.Repeat("#", 1+r.IntN(7))
	}
	return indent + strings.TrimRight(strings.Repeat("#", level)+" "+title, " ") + "\n"
}

// blocks are what sections hold; %s stands for words.
var blocks = []string{
	"%s\n", "%s\n%s\n", "%s  \n%s\\\n%s\n",
	"- %s\n- %s\n", "* %s\n\n* %s\n", "+ %s\n  - %s\n    1. %s\n", "1. %s\n2. %s\n", "7) %s\n\n   %s\n8) %s\n", "-\n- %s\n", "- [ ] %s\n- [x] %s\n",
	"- %s\n\n  ```\n  # code\n  ```\n\n      code\n- %s\n", "-\t%s\n\n\t%s\n", "- %s\nlazy\n", "1. > %s\n   > %s\n",
	"```\n%s\n```\n", "```sh\n# %s\n\n\n## no\n```\n", "~~~\n```\n%s\n~~~\n", "````md\n```\n# %s\n```\n````\n", "``` \n```\n",
	"    # %s\n    %s\n", "\t%s\n", "    %s\n\n\n    %s\n",
	"> %s\n> %s\n", "> # %s\n>\n> %s\n", "> - %s\n> - %s\n", "> > %s\n> %s\n", "> ```\n> %s\n> ```\n", "> | a | b |\n> |---|---|\n> | %s | x |\n", "> %s\nlazy\n",
	"| a | b |\n|---|---|\n| %s | c |\n| d | %s |\n", "a | b\n:-|-:\n%s\n", "| a |\n| - |\n",
	"<div>\n%s\n</div>\n", "<!-- %s -->\n", "<!--\n# %s\n\n## x\n-->\n", "<pre>\n\n# %s\n</pre>\n", "<script>\n%s\n</script>\n", "<?php\n%s ?>\n", "<!DOCTYPE html>\n",
	"<![CDATA[\n%s\n]]>\n", "<b>\n%s\n</b>\n", "<details>\n<summary>%s</summary>\n\n%s\n\n</details>\n",
	"---\n", "***\n", "_ _ _\n", "[%s]: /url\n", "[a]: /url 'title'\n[b]: <c>\n", "[a]:\n  /url\n", "[^1]: %s\n\n    %s\n", "[^note]: - %s\n",
	"**%s**\n", "== %s ==\n", "**%s**\n%s\n", "- **%s**\n\n  **%s**\n", "![%s](a.png)\n", "\\# %s\n", "#nospace\n", "####### %s\n", "%s\u00a0\n", "a\x00b %s\n", "\f\n", "%s\n- %s\n", "%s\n> %s\n", "%s\n```\n%s\n```\n",
}

// openBlocks swallow what follows them.
var openBlocks = []string{
	"```\n%s\n", "~~~~\n%s\n", "<!--\n%s\n", "<script>\n%s\n", "<pre>\n%s\n", "<?\n", "<!A\n", "<![CDATA[\n", "<div>\n%s\n", "<a>\n", "[a]:\n", "[a]: /u '%s\n",
	"> ```\n> %s\n", "- ```\n  %s\n", "- <!--\n", "%s\n", "[^a]:\n", "-\n", ">\n", "| a |\n", "%s\n--- |\n",
}

// block returns a block, with words in it.
func (r source) block() string {
	text := one(r, blocks)
	if r.chance(2) {
		text = one(r, openBlocks)
	}
	for strings.Contains(text, "%s") {
		text = strings.Replace(text, "%s", r.words(1+r.IntN(4)), 1)
	}
	return text
}

// gap returns what stands between two blocks, mostly one blank line.
func (r source) gap() string {
	switch n := r.IntN(100); {
	case n < 70:
		return "\n"
	case n < 85:
		return ""
	case n < 93:
		return "\n\n"
	case n < 96:
		return "  \n"
	}
	return "\n\t\n\n"
}

var frontMatters = []string{"---\ntitle: x\ntags: [a]\n---\n", "+++\na = 1\n+++\n", "---\n---\n", "---\ntitle: open\n", "---\n# comment\n---\n"}

// grammar returns a document by the grammar, with LF.
func (r source) grammar() string {
	var b strings.Builder
	if r.chance(15) {
		b.WriteString(one(r, frontMatters) + r.gap())
	}
	if r.chance(5) {
		b.WriteString("\n\n")
	}
	if r.chance(35) {
		for range 1 + r.IntN(2) {
			b.WriteString(r.block() + r.gap())
		}
	}
	level := 1 + r.IntN(2)
	for range r.IntN(11) {
		b.WriteString(r.heading(level) + r.gap())
		for range max(0, r.IntN(5)-1) {
			b.WriteString(r.block() + r.gap())
		}
		level = max(1, min(6, level-2+r.IntN(4)))
		if r.chance(10) {
			level = 1 + r.IntN(6)
		}
	}
	return b.String()
}

// material is what documents are cut from: the corpus, if it is there, and what
// the repository has.
var material = sync.OnceValue(func() []string {
	var all []string
	// The root is not listed: Go's cache of tests would find it changed by every command of git.
	for _, pattern := range []string{"../README.md", "../CHANGELOG.md", "../docs/*.md", "../docs/decisions/*.md"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			if data, err := os.ReadFile(f); err == nil {
				all = append(all, string(data))
			}
		}
	}
	files, _ := filepath.Glob("../markdown/testdata/spec/*.json")
	for _, f := range append(files, "../markdown/testdata/hard.json") {
		all = append(all, examples(f)...)
	}
	return all
})

// examples returns the examples of a file of the specification's, in groups.
func examples(file string) []string {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var read []struct{ Markdown string }
	if json.Unmarshal(data, &read) != nil {
		return nil
	}
	var all []string
	for i, e := range read {
		all = append(all, fmt.Sprintf("# Example\n\n%s\n## After\n\ntext\n", e.Markdown))
		if i > 0 {
			all = append(all, fmt.Sprintf("## A\n%s\n### B\n%s", e.Markdown, read[i-1].Markdown))
		}
	}
	return all
}

var corpusMaterial struct {
	once sync.Once
	all  []string
}

// readMaterial adds the corpus to the material if there is one.
func readMaterial(t testing.TB) []string {
	t.Helper()
	m := &corpusMaterial
	m.once.Do(func() {
		m.all = material()
		if os.Getenv("SECTILE_CORPUS") == "" {
			return
		}
		for _, f := range testkit.CorpusFiles(t) {
			m.all = append(m.all, string(f.Data))
		}
	})
	if len(m.all) == 0 {
		t.Fatal("there is nothing to cut documents from")
	}
	return m.all
}

// ownHeadings are options with markers of headings that are the reader's own.
var ownHeadings = func() markdown.Options {
	own, err := headings.Compile(`2:\*\*(?<title>[^*]+)\*\*`, `3:== (?<title>[^=]+) ==`)
	if err != nil {
		panic(err)
	}
	return markdown.Options{Headings: own}
}()

// marked are headings that withOwnHeadings can write in another way.
var marked = regexp.MustCompile(`(?m)^##(#?) ([[:alnum:]][[:alnum:] ]*)(\r?)$`)

// withOwnHeadings returns a document with most of its headings of two levels written with such
// markers, mostly apart from what is around.
func (r source) withOwnHeadings(src []byte) []byte {
	return marked.ReplaceAllFunc(src, func(line []byte) []byte {
		if r.chance(30) {
			return line
		}
		made := "**$2**$3"
		if bytes.HasPrefix(line, []byte("###")) {
			made = "== $2 ==$3"
		}
		if r.chance(80) {
			made = "$3\n" + made + "\n$3"
		}
		return marked.ReplaceAll(line, []byte(made))
	})
}

// cut returns some lines of a text, with LF.
func (r source) cut(text string) string {
	lines := strings.SplitAfter(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	n := min(len(lines), 5+r.IntN(60))
	from := 0
	if r.chance(70) {
		from = r.IntN(len(lines) - n + 1)
	}
	return strings.Join(lines[from:from+n], "")
}

// mix changes a few lines.
func (r source) mix(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + r.IntN(3) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(8) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i], lines[j] = lines[j], lines[i]
		case 2:
			lines[i] += lines[j]
		case 3:
			lines[i] = r.block() + lines[i]
		case 4:
			lines[i] = r.heading(1+r.IntN(6)) + lines[i]
		case 5:
			lines[i] = one(r, []string{" ", "  ", "   ", "    ", "\t", "> ", "- ", "  "}) + lines[i]
		case 6:
			lines[i] = strings.TrimSuffix(lines[i], "\n")
		case 7:
			lines[i] = "\n" + lines[i]
		}
	}
	return strings.Join(lines, "")
}

// ended gives a text with LF other line endings, a mark and an end.
func (r source) ended(text string) []byte {
	switch n := r.IntN(100); {
	case n < 15:
		text = strings.TrimRight(text, "\n")
	case n < 30:
		text += strings.Repeat("\n", 1+r.IntN(3))
	case n < 33:
		text += "  \n\t"
	}
	out := make([]byte, 0, len(text)+len(text)/20)
	if r.chance(10) {
		out = append(out, "\uFEFF"...)
	}
	kind := r.IntN(100)
	for _, c := range []byte(text) {
		ending := "\n"
		switch {
		case c != '\n':
			out = append(out, c)
			continue
		case kind < 45:
		case kind < 70:
			ending = "\r\n"
		case kind < 80:
			ending = "\r"
		default:
			ending = one(r, []string{"\n", "\n", "\r\n", "\r\n", "\r"})
		}
		out = append(out, ending...)
	}
	return out
}

// document returns a document.
func (r source) document(material []string) []byte {
	var text string
	if r.chance(70) {
		text = r.grammar()
	} else {
		text = r.cut(one(r, material))
	}
	if r.chance(30) {
		text = r.mix(text)
	}
	return r.ended(text)
}

// TestGenerate says that the documents have what they are made for.
func TestGenerate(t *testing.T) {
	material := readMaterial(t)
	const n = 2000
	counts := map[string]int{}
	for i := range uint64(n) {
		src := newSource(1, i).document(material)
		if !bytes.Equal(src, newSource(1, i).document(material)) {
			t.Fatalf("document %d is another one the second time", i)
		}
		doc := parse(t, src)
		counts[doc.LineEnding().String()]++
		if bytes.HasPrefix(src, []byte("\uFEFF")) {
			counts["mark"]++
		}
		if doc.FrontMatter() >= 0 {
			counts["front matter"]++
		}
		if len(src) > 0 && src[len(src)-1] != '\n' && src[len(src)-1] != '\r' {
			counts["no line ending at the end"]++
		}
		seen := map[string]bool{}
		for b := range doc.Blocks {
			seen[doc.Blocks[b].Kind.String()] = true
			if doc.Blocks[b].Setext() {
				seen["underlined"] = true
			}
		}
		for kind := range seen {
			counts[kind]++
		}
	}
	for _, what := range []string{
		"LF", "CRLF", "CR", "mixed", "mark", "front matter", "no line ending at the end", "underlined", "fenced_code", "indented_code", "html_block",
		"table", "block_quote", "item", "footnote_definition", "link_definition", "thematic_break", "heading",
	} {
		if counts[what] < n/50 {
			t.Errorf("%d of %d documents have %s: %v", counts[what], n, what, counts)
		}
	}
}
