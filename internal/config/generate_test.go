package config

import (
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/testkit"
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
	*testkit.YAML
	spaced bool
	owners []string
}

// own says whose the lines are that were written since the last call.
func (g *generator) own(name string) {
	for len(g.owners) < strings.Count(g.String(), "\n") {
		g.owners = append(g.owners, name)
	}
}

var somePatterns = []string{"*.md", "**/*.md", "docs/**", "a", "[ab].txt", "{a,b}.md", "été/*", "x y", "!z", "2024"}

// generate returns a configuration by a seed.
func generate(seed uint64) sample {
	g := &generator{YAML: testkit.NewYAML(seed, func(text string, flow bool) bool { return frontmatter.YAMLText(text, flow) == text })}
	g.spaced = g.Chance(30)
	var s sample
	if g.Chance(5) {
		g.Write(yamltree.BOM)
	}
	g.Between(0)
	if g.Chance(10) {
		g.Line(0, "---")
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
			g.Write(g.Ending)
		}
		g.Between(0)
		g.top(top, &s)
	}
	g.Between(0)
	if g.Chance(5) {
		g.Line(0, "...")
	}
	g.own("-")
	s.text, s.owners = g.String(), g.owners
	if g.Chance(15) {
		s.text = strings.TrimSuffix(s.text, g.Ending)
	}
	return s
}

// top writes a key of the root, or leaves it out if it holds nothing.
func (g *generator) top(top string, s *sample) {
	names := map[string][]string{"categories": s.categories, "collections": s.collections}[top]
	switch {
	case top == "guide":
		if g.Chance(40) {
			g.Line(0, "guide:")
			g.Between(g.Step)
			g.Line(g.Step, "max_depth: 4")
		}
	case len(names) == 0:
		if g.Chance(50) {
			g.own("-")
			g.Line(0, top+":"+g.Pick("", " {}", " { }", " ~", " null"))
			g.own("*")
		}
	case g.Chance(10):
		var parts []string
		g.own("-")
		for _, name := range names {
			parts = append(parts, g.Quoted(name, true)+": "+g.inline(top, name, s))
		}
		g.Line(0, top+": {"+strings.Join(parts, g.Pick(", ", ","+g.Ending+"  "))+g.Pick("", ",")+"}")
		g.own("*")
	default:
		g.Line(0, g.Pick(top, `"`+top+`"`)+":")
		for i, name := range names {
			if i > 0 && g.spaced {
				g.Write(g.Ending)
			}
			g.Between(g.Step)
			g.own("-")
			g.Inside = name
			g.entry(top, name, s)
			g.own(name)
			g.Inside = "-"
		}
		g.Between(g.Step)
	}
}

// entries returns what a collection may name.
func (g *generator) entries(s *sample) []string {
	var list []string
	for range 1 + g.IntN(3) {
		list = append(list, g.Pick(s.categories...)+g.Pick("", "", "/*.md", "/{a,b}/**"))
	}
	return list
}

// inline returns an entry in brackets.
func (g *generator) inline(top, name string, s *sample) string {
	if top == "categories" {
		text := "{dir: " + g.Quoted(g.Pick(testkit.YAMLTexts...), true)
		if g.Chance(50) {
			text += ", patterns: " + g.Bracketed(g.Texts(somePatterns, 3))
		}
		return text + "}"
	}
	list := g.Bracketed(g.entries(s))
	if g.Chance(30) {
		return "{description: " + g.Quoted(g.Pick(testkit.YAMLTexts...), true) + ", entries: " + list + "}"
	}
	return list
}

// entry writes a category or collection as a block, mostly.
func (g *generator) entry(top, name string, s *sample) {
	indent := g.Step
	key := g.Quoted(name, false)
	if g.Chance(20) {
		g.Line(indent, key+": "+g.inline(top, name, s))
		return
	}
	inner := indent + g.Step
	if top == "collections" {
		if g.Chance(60) {
			g.List(indent, key, g.entries(s))
			return
		}
		g.Line(indent, key+":")
		if g.Chance(60) {
			g.description(inner)
		}
		g.List(inner, "entries", g.entries(s))
		return
	}
	g.Line(indent, key+":")
	g.Between(inner)
	fields := []func(){
		func() { g.Line(inner, "dir: "+g.Quoted(g.Pick(testkit.YAMLTexts...), false)) },
		func() { g.List(inner, "patterns", g.Texts(somePatterns, 4)) },
		func() { g.description(inner) },
		func() {
			g.Line(inner, "vars:")
			g.Line(inner+g.Step, `team: "Platform"`)
			g.Line(inner+g.Step, "levels: [1, 2.5, true]")
		},
	}
	g.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	for _, write := range fields {
		g.Between(inner)
		write()
	}
}

// description writes a description in one of its forms.
func (g *generator) description(indent int) {
	switch g.IntN(6) {
	case 0:
		g.Block(indent, "description", "|", "|-", ">", ">-", "|+")
	case 1:
		g.Line(indent, "description:")
	default:
		g.Line(indent, "description: "+g.Quoted(g.Pick(testkit.YAMLTexts...), false))
	}
}
