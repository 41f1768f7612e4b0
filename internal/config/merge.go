package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// merged is what the two files say together.
type merged struct {
	config        Config
	project, user *file // each may be nil
	categories    map[string]*Category
	collections   map[string]*Collection
	problems      []Problem
}

// merge puts two files together, of which each may be nil; the project's counts
// before the user's. It checks what only both can tell: names that are given
// twice, references, circles.
func merge(project, user *file) *merged {
	m := &merged{
		config: Config{Guide: defaults}, project: project, user: user,
		categories: map[string]*Category{}, collections: map[string]*Collection{},
	}
	for _, f := range slices.Backward(m.files()) {
		f.limit(&m.config.Guide)
	}
	for _, f := range m.files() {
		for i := range f.categories {
			if c := &f.categories[i]; m.categories[c.Name] == nil {
				m.categories[c.Name] = c
				m.config.Categories = append(m.config.Categories, *c)
			}
		}
		for i := range f.collections {
			if c := &f.collections[i]; m.collections[c.Name] == nil {
				m.collections[c.Name] = c
				m.config.Collections = append(m.config.Collections, *c)
			}
		}
	}
	m.addLinks()
	m.addPlan()
	m.shared()
	m.references()
	m.circles()
	m.sort()
	return m
}

// sort puts the problems into the order of the files.
func (m *merged) sort() {
	slices.SortStableFunc(m.problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// limit sets the limits that a file sets.
func (f *file) limit(g *Guide) {
	for name, value := range f.settings {
		switch name {
		case "max_depth":
			g.MaxDepth = int(value)
		case "max_files":
			g.MaxFiles = int(value)
		case "max_file_bytes":
			g.MaxFileBytes = value
		case "max_reply_bytes":
			g.MaxReplyBytes = value
		}
	}
}

// files returns the files that there are, the project's before the user's.
func (m *merged) files() []*file {
	return slices.DeleteFunc([]*file{m.project, m.user}, func(f *file) bool { return f == nil })
}

// of returns the file of a scope.
func (m *merged) of(scope Scope) *file {
	if scope == User {
		return m.user
	}
	return m.project
}

// problem adds a problem at the place of a key.
func (m *merged) problem(f *file, at, message string) {
	if len(m.problems) == maxProblems {
		return
	}
	m.problems = append(m.problems, f.problemAt(at, message))
}

// entryField returns the path of an entry of a collection.
func (f *file) entryField(collection string, i int) string {
	at := "collections." + collection
	if _, ok := f.places[at+".entries"]; ok {
		at += ".entries"
	}
	return fmt.Sprintf("%s[%d]", at, i)
}

// shared finds names that a category and a collection share.
func (m *merged) shared() {
	for _, c := range m.config.Collections {
		other := m.categories[c.Name]
		if other == nil {
			continue
		}
		// Of two files the problem is the project's: it can be changed here.
		f, at, what := m.of(c.Scope), "collections."+c.Name, "category"
		if c.Scope == User && other.Scope == Project {
			f, at, what = m.project, "categories."+c.Name, "collection"
		}
		where := ""
		if c.Scope != other.Scope {
			where = " in " + UserName
		}
		m.problem(f, at, fmt.Sprintf("there is a %s of this name%s; rename one of the two", what, where))
	}
}

// references finds entries of the project's that name nothing. Those of the user's may name
// what another project has.
func (m *merged) references() {
	for _, c := range m.config.Collections {
		for i, e := range c.Entries {
			if len(m.problems) == maxProblems {
				return
			}
			if c.Scope == Project && m.categories[e.Name] == nil && m.collections[e.Name] == nil {
				f := m.project
				m.problem(f, f.entryField(c.Name, i), m.unknown(e.Name)+" add it, or take the entry out")
			}
		}
	}
}

// unknown says that there is nothing of a name, and what might have been meant.
func (m *merged) unknown(name string) string {
	message := "no category or collection is called " + quoted(name) + ";"
	var names []string
	for _, c := range m.config.Categories {
		names = append(names, c.Name)
	}
	for _, c := range m.config.Collections {
		names = append(names, c.Name)
	}
	if len(names) > maxList { // comparing takes time
		names = names[:maxList]
	}
	if near := meant(name, names); near != "" {
		message += " " + near
	}
	return message
}

// circles finds collections that name each other in a circle.
func (m *merged) circles() {
	const (
		open = 1 // it is on the way
		done = 2
	)
	state := map[string]int{}
	var way []string
	var walk func(c *Collection)
	walk = func(c *Collection) {
		state[c.Name] = open
		way = append(way, c.Name)
		for i, e := range c.Entries {
			next := m.collections[e.Name]
			switch {
			case next == nil || m.categories[e.Name] != nil || state[e.Name] == done: // of a shared name the category is meant
			case state[e.Name] == open:
				f := m.of(c.Scope)
				m.problem(f, f.entryField(c.Name, i), "the collections name each other in a circle: "+
					circle(append(way[slices.Index(way, e.Name):], e.Name))+"; take one of the entries out")
			default:
				walk(next)
			}
		}
		way = way[:len(way)-1]
		state[c.Name] = done
	}
	for i := range m.config.Collections {
		if c := m.collections[m.config.Collections[i].Name]; state[c.Name] == 0 && len(m.problems) < maxProblems {
			walk(c)
		}
	}
}

// circle shows the names of a circle, of a large one the first and the last.
func circle(names []string) string {
	const most = 10
	if len(names) > most {
		names = slices.Concat(names[:most/2], []string{"…"}, names[len(names)-most/2:])
	}
	return strings.Join(names, " → ")
}
