package config

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/sectile/sectile/internal/yamltree"
)

// A change is made twice: in what the file says, and in its text. The law is that
// the new text says the same, and nothing else than it; a text that doesn't is
// never written.

// changer makes one change of a file.
type changer struct {
	*file
	draft  *yamltree.Draft
	merged *merged // as it is now
	want   said    // what the file shall say
}

// said is what a file says.
type said struct {
	categories  []Category
	collections []Collection
	settings    map[string]int64
	planned     planSettings
	linked      Links
	headings    []string
	trusted     Trust
}

// says returns what a file says, in slices of its own.
func (f *file) says() said {
	s := said{slices.Clone(f.categories), slices.Clone(f.collections), f.settings, f.planned, f.linked, f.headings, f.trusted}
	for i := range s.collections {
		s.collections[i].Entries = slices.Clone(s.collections[i].Entries)
	}
	return s
}

// equal reports whether two files say the same.
func (s *said) equal(other said) bool {
	return len(s.categories) == len(other.categories) && len(s.collections) == len(other.collections) &&
		(len(s.categories) == 0 || reflect.DeepEqual(s.categories, other.categories)) &&
		(len(s.collections) == 0 || reflect.DeepEqual(s.collections, other.collections)) &&
		reflect.DeepEqual(s.settings, other.settings) && reflect.DeepEqual(s.planned, other.planned) && s.linked == other.linked && slices.Equal(s.headings, other.headings) && reflect.DeepEqual(s.trusted, other.trusted)
}

// apply returns the text of a file after a change. The other file is that of the
// other scope, nil if there is none. The error is an *Error.
func apply(f, other *file, c Change) ([]byte, error) {
	if err := problemsOf(f); err != nil {
		return nil, err
	}
	set, ok := c.(Set)
	if !ok {
		return applyOne(f, other, c)
	}
	if err := set.check(&changer{file: f, merged: together(f, other), want: f.says()}); err != nil {
		return nil, err
	}
	text := []byte(f.Source)
	for _, step := range set.steps() {
		var err error
		if text, err = applyOne(parse(text, f.scope, f.check), other, step); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// applyOne returns the text of a file after a change of one thing.
func applyOne(f, other *file, c Change) ([]byte, error) {
	now := together(f, other)
	var first error
	for _, tidy := range []bool{true, false} {
		made := &changer{file: f, draft: yamltree.NewDraft(f.Text, f.root, tidy), merged: now, want: f.says()}
		if err := c.change(made); err != nil {
			return nil, err
		}
		text, err := made.lawful(other)
		if err == nil {
			return text, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// lawful returns the new text if it keeps the law.
func (c *changer) lawful(other *file) ([]byte, error) {
	text, ok := c.draft.Result()
	if !ok {
		return nil, c.byHand()
	}
	if len(text) > yamltree.MaxSize {
		return nil, refusal(c.scope, "the file would have more than 1 MiB; make it shorter first")
	}
	next := parse([]byte(text), c.scope, c.check)
	if len(next.problems) > 0 || !c.want.equal(next.says()) {
		return nil, c.byHand()
	}
	if m := together(next, other); len(m.problems) > 0 {
		for i := range m.problems {
			if m.problems[i].File == c.name { // the lines are those of a text that is not there
				m.problems[i].Line, m.problems[i].Column = 0, 0
			}
		}
		return nil, &Error{Problems: m.problems}
	}
	return []byte(text), nil
}

// byHand is the error for a text that can't be changed without risk, at the first
// place that would have been changed.
func (c *changer) byHand() error {
	p := Problem{File: c.name, Message: "it is written in a way that can't be changed here without risk to the rest; change it by hand"}
	p.Line, p.Column = c.draft.Place()
	return &Error{Problems: []Problem{p}}
}

// refuse is the error for a change that can't be made, at the place of a key.
func (c *changer) refuse(at, message string) error {
	return &Error{Problems: []Problem{c.problemAt(at, message)}}
}

// checks gathers what is wrong with the values of a change.
type checks struct {
	scope    Scope
	problems []Problem
}

// add adds a problem if there is a message.
func (c *checks) add(at, message string) {
	if message != "" {
		c.problems = append(c.problems, Problem{File: displayName(c.scope), Field: at, Message: message})
	}
}

// err returns the problems as an *Error, if there are any.
func (c *checks) err() error { return errorOf(c.problems) }

// checkPatterns adds what is wrong with patterns.
func (c *checks) checkPatterns(at string, patterns []string, check func(string) string) {
	if len(patterns) > maxList {
		c.add(at, fmt.Sprintf("it has more than %d items; make the list shorter", maxList))
		return
	}
	for i, p := range patterns {
		c.add(fmt.Sprintf("%s[%d]", at, i), checkPattern(p, check))
	}
}

// checkEntries adds what is wrong with entries.
func (c *checks) checkEntries(at string, entries []Entry, check func(string) string) {
	switch {
	case len(entries) == 0:
		c.add(at, "it has no entries; name at least one category, or remove the collection")
	case len(entries) > maxList:
		c.add(at, fmt.Sprintf("it has more than %d items; make the list shorter", maxList))
		return
	}
	for i, e := range entries {
		c.add(fmt.Sprintf("%s[%d]", at, i), checkEntry(e, check))
	}
}

// free tells whether a name can be given to something new, nothing if it can.
func (c *changer) free(name string) string {
	if message := checkName(name); message != "" {
		return message
	}
	const message = "there is a %s called %s already; change that one, or choose another name"
	switch {
	case slices.Contains(categoryNames(c.file), name):
		return fmt.Sprintf(message, "category", name)
	case slices.Contains(collectionNames(c.file), name):
		return fmt.Sprintf(message, "collection", name)
	}
	return ""
}

// entryTexts returns entries as they are written.
func entryTexts(entries []Entry) []string {
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = e.String()
	}
	return texts
}

// naming returns the collections of a file that name something.
func (f *file) naming(name string) []string {
	var names []string
	if f == nil {
		return nil
	}
	for _, c := range f.collections {
		if slices.ContainsFunc(c.Entries, func(e Entry) bool { return e.Name == name }) {
			names = append(names, c.Name)
		}
	}
	return names
}
