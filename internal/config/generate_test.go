package config

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/yamltree"
)

// sample is a generated configuration. Each comment in it is there once, and says
// which entry it is inside of: "# docs 12", or "# - 12" if it is in none.
type sample struct {
	text        string
	categories  []string
	collections []string
	owners      []string // of each line, the entry that it is inside of, - for none, * for several
}

// generator writes configurations in all the ways that people do.
type generator struct {
	*rand.Rand
	b        strings.Builder
	ending   string
	step     int
	comments int
	inside   string // the entry that is being written
	spaced   bool
	owners   []string
}

// own says whose the lines are that were written since the last call.
func (g *generator) own(name string) {
	for len(g.owners) < strings.Count(g.b.String(), "\n") {
		g.owners = append(g.owners, name)
	}
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// line writes a line, with a comment after it now and then.
func (g *generator) line(indent int, text string) {
	g.b.WriteString(strings.Repeat(" ", indent) + text)
	if g.chance(15) {
		g.b.WriteString(g.pick(" ", "  ", "\t", "\t ") + g.comment())
	}
	g.b.WriteString(g.ending)
}

// comment returns a comment that is in no other place.
func (g *generator) comment() string {
	g.comments++
	return fmt.Sprintf("# %s %d%s", g.inside, g.comments, g.pick("", "\té: [x", " 'q", " - a: {"))
}

// between writes what may stand between two lines.
func (g *generator) between(indent int) {
	for g.chance(12) {
		g.b.WriteString(strings.Repeat(" ", indent) + g.comment() + g.ending)
	}
	if g.chance(6) {
		g.b.WriteString(g.pick("", strings.Repeat(" ", indent)) + g.ending)
	}
}

// text returns a text in some notation, for brackets or not.
func (g *generator) quoted(s string, flow bool) string {
	switch {
	case g.chance(20):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case g.chance(25) || frontmatter.YAMLText(s, flow) != s:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
	}
	return s
}

var someTexts = []string{"docs", "docs/guides", "über uns", "my app", "next.js", "2024", "a, b", "x: y", "it's", `say "hi"`, "#1", "a #b", "*.md", "**/*.go", "yes", "[a]", "{a,b}.md", "日本語"}

var somePatterns = []string{"*.md", "**/*.md", "docs/**", "a", "[ab].txt", "{a,b}.md", "été/*", "x y", "!z", "2024"}

func (g *generator) texts(from []string, most int) []string {
	var list []string
	for range g.IntN(most + 1) {
		list = append(list, from[g.IntN(len(from))])
	}
	return list
}

// generate returns a configuration by a seed.
func generate(seed uint64) sample {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7)), inside: "-", ending: "\n", step: 2}
	if g.chance(25) {
		g.ending = "\r\n"
	}
	if g.chance(40) {
		g.step = 1 + g.IntN(5)
	}
	g.spaced = g.chance(30)
	var s sample
	if g.chance(5) {
		g.b.WriteString(yamltree.BOM)
	}
	g.between(0)
	if g.chance(10) {
		g.line(0, "---")
	}
	names := []string{"docs", "rules", "über", "api_v2", "yes", "7", "x-y"}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	s.categories = names[:g.IntN(4)]
	if len(s.categories) > 0 {
		for i := range g.IntN(3) {
			s.collections = append(s.collections, fmt.Sprint("all", i))
		}
	}
	tops := []string{"categories", "collections", "guide"}
	g.Shuffle(len(tops), func(i, j int) { tops[i], tops[j] = tops[j], tops[i] })
	for i, top := range tops {
		if i > 0 && g.spaced {
			g.b.WriteString(g.ending)
		}
		g.between(0)
		g.top(top, &s)
	}
	g.between(0)
	if g.chance(5) {
		g.line(0, "...")
	}
	g.own("-")
	s.text, s.owners = g.b.String(), g.owners
	if g.chance(15) {
		s.text = strings.TrimSuffix(s.text, g.ending)
	}
	return s
}

// top writes a key of the root, or leaves it out if it holds nothing.
func (g *generator) top(top string, s *sample) {
	names := map[string][]string{"categories": s.categories, "collections": s.collections}[top]
	switch {
	case top == "guide":
		if g.chance(40) {
			g.line(0, "guide:")
			g.between(g.step)
			g.line(g.step, "max_depth: 4")
		}
	case len(names) == 0:
		if g.chance(50) {
			g.own("-")
			g.line(0, top+":"+g.pick("", " {}", " { }", " ~", " null"))
			g.own("*")
		}
	case g.chance(10):
		var parts []string
		g.own("-")
		for _, name := range names {
			parts = append(parts, g.quoted(name, true)+": "+g.inline(top, name, s))
		}
		g.line(0, top+": {"+strings.Join(parts, g.pick(", ", ","+g.ending+"  "))+g.pick("", ",")+"}")
		g.own("*")
	default:
		g.line(0, g.pick(top, `"`+top+`"`)+":")
		for i, name := range names {
			if i > 0 && g.spaced {
				g.b.WriteString(g.ending)
			}
			g.between(g.step)
			g.own("-")
			g.inside = name
			g.entry(top, name, s)
			g.own(name)
			g.inside = "-"
		}
		g.between(g.step)
	}
}

// entries returns what a collection may name.
func (g *generator) entries(s *sample) []string {
	var list []string
	for range 1 + g.IntN(3) {
		list = append(list, g.pick(s.categories...)+g.pick("", "", "/*.md", "/{a,b}/**"))
	}
	return list
}

// inline returns an entry in brackets.
func (g *generator) inline(top, name string, s *sample) string {
	if top == "categories" {
		text := "{dir: " + g.quoted(g.pick(someTexts...), true)
		if g.chance(50) {
			text += ", patterns: " + g.bracketed(g.texts(somePatterns, 3))
		}
		return text + "}"
	}
	list := g.bracketed(g.entries(s))
	if g.chance(30) {
		return "{description: " + g.quoted(g.pick(someTexts...), true) + ", entries: " + list + "}"
	}
	return list
}

func (g *generator) bracketed(texts []string) string {
	var parts []string
	for _, s := range texts {
		parts = append(parts, g.quoted(s, true))
	}
	return "[" + strings.Join(parts, g.pick(", ", ", ", " , ", ",")) + "]"
}

// list writes a key with a list.
func (g *generator) list(indent int, key string, texts []string) {
	if len(texts) == 0 || g.chance(40) {
		if len(texts) > 1 && g.chance(25) { // over several lines
			g.line(indent, key+": [")
			for i, s := range texts {
				comma := ","
				if i == len(texts)-1 {
					comma = g.pick("", ",")
				}
				g.line(indent+g.step, g.quoted(s, true)+comma)
			}
			g.line(indent, "]")
			return
		}
		g.line(indent, key+": "+g.bracketed(texts))
		return
	}
	g.line(indent, key+":")
	inner := indent + g.step
	if g.chance(30) {
		inner = indent
	}
	for _, s := range texts {
		g.between(inner)
		g.line(inner, "- "+g.pick("", "", " ")+g.quoted(s, false))
	}
}

// entry writes a category or collection as a block, mostly.
func (g *generator) entry(top, name string, s *sample) {
	indent := g.step
	key := g.quoted(name, false)
	if g.chance(20) {
		g.line(indent, key+": "+g.inline(top, name, s))
		return
	}
	inner := indent + g.step
	if top == "collections" {
		if g.chance(60) {
			g.list(indent, key, g.entries(s))
			return
		}
		g.line(indent, key+":")
		if g.chance(60) {
			g.description(inner)
		}
		g.list(inner, "entries", g.entries(s))
		return
	}
	g.line(indent, key+":")
	g.between(inner)
	fields := []func(){
		func() { g.line(inner, "dir: "+g.quoted(g.pick(someTexts...), false)) },
		func() { g.list(inner, "patterns", g.texts(somePatterns, 4)) },
		func() { g.description(inner) },
		func() {
			g.line(inner, "vars:")
			g.line(inner+g.step, `team: "Platform"`)
			g.line(inner+g.step, "levels: [1, 2.5, true]")
		},
	}
	g.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	for _, write := range fields {
		g.between(inner)
		write()
	}
}

// description writes a description in one of its forms.
func (g *generator) description(indent int) {
	switch g.IntN(6) {
	case 0:
		g.line(indent, "description: "+g.pick("|", "|-", ">", ">-", "|+"))
		g.b.WriteString(strings.Repeat(" ", indent+g.step) + "Some text: [x" + g.ending)
		g.b.WriteString(strings.Repeat(" ", indent+g.step) + "and # more" + g.ending)
	case 1:
		g.line(indent, "description:")
	default:
		g.line(indent, "description: "+g.quoted(g.pick(someTexts...), false))
	}
}
