package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/sectile/sectile/search"
)

// A query of package search becomes two of the engine's. One says which sections match, as
// package search would; the engine counts by it. The other says which of them may be the best.

// Scope is documents of a root: with neither path, prefix nor pattern all of them.
type Scope struct {
	Root    string // its id
	Prefix  string // what their paths begin with
	Path    string // the one document's
	Pattern string // a glob that their whole paths match
}

// PathFilter is what paths must be like: Pattern, a glob, matches the path or what follows one
// of its slashes; Text is in it, in any case.
type PathFilter struct{ Pattern, Text string }

// asked is a query as the engine is asked it.
type asked struct {
	query   *search.Query
	clauses []search.Clause
	scopes  []Scope
	paths   []PathFilter
}

// within returns what all documents and sections of the scopes have.
func (a *asked) within() object {
	var list []object
	for _, s := range a.scopes {
		filter := []object{{"term": object{"root": s.Root}}}
		switch {
		case s.Path != "":
			filter = append(filter, object{"term": object{"path": s.Path}})
		case s.Pattern != "":
			filter = append(filter, matchingPath(expressionOf(s.Pattern)))
		}
		if s.Prefix != "" {
			filter = append(filter, object{"prefix": object{"path": s.Prefix}})
		}
		list = append(list, object{"bool": object{"filter": filter}})
	}
	filter := []object{anyOf(list)}
	var paths []object
	for _, p := range a.paths {
		if p.Text != "" {
			paths = append(paths, object{"wildcard": object{"path": object{"value": "*" + escaped(p.Text, `*?\`) + "*", "case_insensitive": true}}})
		} else {
			paths = append(paths, matchingPath("(.*/)?"+expressionOf(p.Pattern)))
		}
	}
	if len(paths) > 0 {
		filter = append(filter, anyOf(paths))
	}
	return object{"bool": object{"filter": filter}}
}

// maxExpression is the length of expressions that engines take.
const maxExpression = 1000

// matchingPath returns the query for paths that match an expression; one that is too long leaves
// it to who reads the hits.
func matchingPath(expression string) object {
	if len(expression) > maxExpression {
		return object{"match_all": object{}}
	}
	return object{"regexp": object{"path": object{"value": expression}}}
}

// anyOf returns the query for what one of several matches.
func anyOf(list []object) object {
	switch len(list) {
	case 0:
		return object{"match_none": object{}}
	case 1:
		return list[0]
	}
	return object{"bool": object{"should": list, "minimum_should_match": 1}}
}

// escaped returns a text with a backslash before some characters.
func escaped(text, special string) string {
	var b strings.Builder
	for _, c := range text {
		if strings.ContainsRune(special, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// special are the characters that mean something in expressions of the engine.
const special = `.?+*|{}[]()"\#@&<>~^$-/`

// expressionOf returns the expression of a glob. It matches what the glob does, and may match
// more.
func expressionOf(glob string) string {
	var b strings.Builder
	depth := 0
	list := []rune(glob)
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '*' && i+1 < len(list) && list[i+1] == '*':
			for i+1 < len(list) && (list[i+1] == '*' || list[i+1] == '/') {
				i++
			}
			b.WriteString(".*")
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[':
			class, size := classOf(list[i:])
			b.WriteString(class)
			i += size - 1
		case c == '{':
			depth++
			b.WriteByte('(')
		case c == '}' && depth > 0:
			depth--
			b.WriteByte(')')
		case c == ',' && depth > 0:
			b.WriteByte('|')
		case c == '/' && (i > 0 && list[i-1] == '}' || strings.HasPrefix(string(list[i+1:min(i+3, len(list))]), "**")): // folders beside it may be none
			b.WriteString(escaped("/", special) + "?")
		case c == '\\' && i+1 < len(list):
			i++
			b.WriteString(escaped(string(list[i]), special))
		default:
			b.WriteString(escaped(string(c), special))
		}
	}
	return b.String()
}

// classOf returns the expression of a class of characters that a glob begins with, and how many
// characters that is.
func classOf(glob []rune) (class string, size int) {
	class, i := "[", 1
	if i < len(glob) && (glob[i] == '^' || glob[i] == '!') {
		class, i = "[^", 2
	}
	for ; i < len(glob) && glob[i] != ']'; i++ {
		switch {
		case glob[i] == '-':
			class += "-"
			continue
		case glob[i] == '\\' && i+1 < len(glob):
			i++
		}
		class += escaped(string(glob[i]), special)
	}
	return class + "]", min(i+1, len(glob))
}

// own returns the fields in which a clause counts for whether a section matches.
func (a *asked) own(c *search.Clause) []string {
	switch a.query.In {
	case search.InHeadings:
		return []string{fieldTitle}
	case search.InBody:
		if c.Title {
			return nil
		}
		return []string{fieldBody}
	case search.InCode:
		if c.Title {
			return nil
		}
		return []string{fieldCode}
	case search.Everywhere:
	}
	if c.Title {
		return []string{fieldTitle}
	}
	return []string{fieldTitle, fieldBody}
}

// has returns the query for sections that have a word in one of some fields.
func has(c *search.Clause, fields ...string) object {
	var list []object
	for _, field := range fields {
		list = append(list, in(c, field)...)
	}
	return anyOf(list)
}

// in returns the queries for a word in a field.
func in(c *search.Clause, field string) []object {
	var list []object
	for _, stem := range c.Stems {
		list = append(list, object{"term": object{field: object{"value": stem}}})
	}
	for _, begin := range c.BeginStem {
		list = append(list, object{"prefix": object{field: object{"value": begin}}})
	}
	for _, word := range c.Words {
		list = append(list, object{"term": object{field + ofWords: object{"value": word}}})
	}
	for _, begin := range c.BeginWord {
		list = append(list, object{"prefix": object{field + ofWords: object{"value": begin}}})
	}
	return list
}

// counts reports whether a clause counts for the score of a section.
func counts(c *search.Clause) bool { return !c.Not && !c.Hidden }

// matching returns the query for sections that match. Where a phrase can't be said as the engine
// has it, sections that have its words match.
func (a *asked) matching() object {
	filter, not := []object{{"term": object{"kind": kindSection}}}, []object{}
	var list []object
	for i := range a.clauses {
		c := &a.clauses[i]
		switch {
		case c.Not:
			not = append(not, has(c, a.own(c)...))
			continue
		case c.Title:
			filter = append(filter, has(c, a.own(c)...))
		}
		if !c.Hidden {
			list = append(list, has(c, a.own(c)...))
		}
	}
	filter = append(filter, anyOf(list))
	for _, p := range a.query.Phrases() {
		switch {
		case p.Not && p.Exact:
			not = append(not, anyOf(a.phrase(p.Clauses, false)))
		case p.Not:
		case p.Exact:
			filter = append(filter, anyOf(a.phrase(p.Clauses, true)))
		default:
			for _, i := range p.Clauses {
				c := &a.clauses[i]
				filter = append(filter, has(c, a.own(c)...))
			}
		}
	}
	return object{"bool": object{"filter": filter, "must_not": not}}
}

// phrase returns the queries for words that stand side by side: in one field, or, if that counts
// too, as the end of a heading and the beginning of what stands below it.
func (a *asked) phrase(clauses []int, across bool) []object {
	var stems []string
	title := true // all words are asked for in the heading
	for _, i := range clauses {
		stems = append(stems, a.clauses[i].Stems...)
		title = title && a.clauses[i].Title
	}
	var list []object
	for _, field := range a.own(&search.Clause{Title: title}) {
		list = append(list, phraseIn(field, stems))
	}
	for cut := 1; across && !title && a.query.In == search.Everywhere && cut < len(stems); cut++ {
		list = append(list, object{"bool": object{"filter": []object{phraseIn(fieldTitle, stems[:cut]), phraseIn(fieldBody, stems[cut:])}}})
	}
	return list
}

func phraseIn(field string, stems []string) object {
	return object{"match_phrase": object{field: object{"query": strings.Join(stems, " ")}}}
}

// best returns the query for the sections that may be the best of those that match; with all
// those that have all words.
func (a *asked) best(all bool) object {
	w := a.query.Weights
	var should []object
	var beside []int
	exact, most := true, 0
	filter := []object{a.within(), a.matching()}
	for i := range a.clauses {
		c := &a.clauses[i]
		if !counts(c) {
			continue
		}
		most++
		exact = exact && len(c.Stems) == 1 && len(c.Words) == 0
		beside = append(beside, i)
		own := a.own(c)
		for _, field := range slices.Concat(own, []string{fieldAround, fieldPath}) {
			weight := map[string]float64{fieldTitle: w.Title, fieldAround: w.Around, fieldPath: w.Path, fieldBody: w.Body, fieldCode: w.Body}[field]
			for _, q := range in(c, field) {
				should = append(should, boosted(q, weight))
			}
		}
		if all {
			filter = append(filter, has(c, slices.Concat(own, []string{fieldAround, fieldPath})...))
		}
	}
	if most > 1 && exact {
		for _, q := range a.phrase(beside, false) {
			should = append(should, object{"constant_score": object{"filter": q, "boost": 2}})
		}
	}
	return object{"bool": object{"filter": filter, "should": should}}
}

// boosted returns a query for one term of one field with a weight.
func boosted(q object, weight float64) object {
	for kind, of := range q {
		for field, value := range of.(object) { //nolint:forcetypeassert // in makes such alone
			with := object{"boost": weight}
			maps.Copy(with, value.(object)) //nolint:forcetypeassert // the same
			return object{kind: object{field: with}}
		}
	}
	return q
}
