package config

import (
	"fmt"
	"slices"
	"strings"
)

// steps returns the changes of one field each that the change is made of, the new
// name last: each is made in the text that the one before has left.
func (s Set) steps() []Set {
	var steps []Set
	for _, step := range []Set{
		{Dir: s.Dir}, {Patterns: s.Patterns}, {Entries: s.Entries}, {Description: s.Description}, {Rename: s.Rename},
	} {
		if step != (Set{}) {
			step.Name = s.Name
			steps = append(steps, step)
		}
	}
	return steps
}

// change changes one field.
func (s Set) change(c *changer) error {
	top, i, err := c.find(s.Name)
	if err != nil {
		return err
	}
	it := c.root.value(top).get(s.Name)
	switch {
	case s.Rename != nil:
		s.rename(c, top, i, it)
	case top == "categories":
		s.category(c, &c.want.categories[i], it)
	default:
		s.collection(c, &c.want.collections[i], it)
	}
	return nil
}

// rename gives what stands below a key of the root another name.
func (s Set) rename(c *changer, top string, i int, it *item) {
	if *s.Rename == s.Name {
		return
	}
	c.rename(it, *s.Rename)
	for j := range c.want.collections {
		for k := range c.want.collections[j].Entries {
			if e := &c.want.collections[j].Entries[k]; e.Name == s.Name {
				e.Name = *s.Rename
			}
		}
	}
	if top == "categories" {
		c.want.categories[i].Name = *s.Rename
	} else {
		c.want.collections[i].Name = *s.Rename
	}
}

// check tells what is wrong with what is asked for.
func (s Set) check(c *changer) error {
	top, _, err := c.find(s.Name)
	if err != nil {
		return err
	}
	at := top + "." + s.Name
	check := checks{scope: c.scope}
	if s.Rename != nil && *s.Rename != s.Name {
		check.add(field(top, *s.Rename), c.free(*s.Rename))
		if other := c.elsewhere(s.Name); len(other) > 0 {
			check.add(at, fmt.Sprintf("it is named in %s of %s; take it out there before it gets another name", and(other), c.otherName()))
		}
	}
	if s.Description != nil {
		check.add(at+".description", checkDescription(trimDescription(*s.Description)))
	}
	if top == "categories" {
		if s.Entries != nil {
			check.add(at, "it is a category and has no entries; entries are for collections")
		}
		if s.Dir != nil {
			check.add(at+".dir", checkDir(*s.Dir, c.scope))
		}
		if s.Patterns != nil {
			check.checkPatterns(at+".patterns", *s.Patterns, c.check)
		}
		return check.err()
	}
	if s.Dir != nil || s.Patterns != nil {
		check.add(at, "it is a collection and has neither dir nor patterns; change its entries")
	}
	if s.Entries != nil {
		check.checkEntries(at, *s.Entries, c.check)
	}
	return check.err()
}

// category changes a category.
func (s Set) category(c *changer, want *Category, it *item) {
	n := it.value
	if s.Dir != nil && *s.Dir != want.Dir {
		want.Dir = *s.Dir
		c.setText(n.get("dir"), want.Dir)
	}
	if s.Patterns != nil && !slices.Equal(*s.Patterns, want.Patterns) {
		want.Patterns = slices.Clone(*s.Patterns)
		if len(want.Patterns) == 0 {
			want.Patterns = nil
		}
		c.setField(it, n, "patterns", slices.Clone(want.Patterns))
	}
	s.description(c, &want.Description, it, n)
}

// collection changes a collection, which stays a list if it is one and gets no
// description.
func (s Set) collection(c *changer, want *Collection, it *item) {
	if s.Entries != nil && !slices.Equal(*s.Entries, want.Entries) {
		want.Entries = slices.Clone(*s.Entries)
		owner := it
		if it.value.kind == mapping {
			owner = it.value.get("entries")
		}
		c.setList(owner, entryTexts(want.Entries))
	}
	if it.value.kind == mapping {
		s.description(c, &want.Description, it, it.value)
		return
	}
	if s.Description == nil || trimDescription(*s.Description) == "" {
		return
	}
	want.Description = trimDescription(*s.Description)
	c.describe(it, want.Description)
}

// description changes the description in a mapping.
func (s Set) description(c *changer, want *string, it *item, n *node) {
	if s.Description == nil || trimDescription(*s.Description) == *want {
		return
	}
	*want = trimDescription(*s.Description)
	c.setField(it, n, "description", *want)
}

// setField changes a field of a mapping, adds it, or takes it out if the value is
// empty. The owner is the item whose value the mapping is.
func (d *draft) setField(owner *item, n *node, key string, value any) {
	i := slices.IndexFunc(n.items, func(it item) bool { return it.key.text == key })
	text, isText := value.(string)
	texts, _ := value.([]string)
	switch empty := text == "" && len(texts) == 0; {
	case empty && i >= 0:
		d.remove(n, i)
	case empty:
	case i < 0:
		d.add(n, d.column(owner.start), pair{key, value})
	case isText:
		d.setText(&n.items[i], text)
	default:
		d.setList(&n.items[i], texts)
	}
}

// describe makes a mapping of a collection that is a list. Its entries keep their
// lines: a list may be indented as far as its key.
func (d *draft) describe(it *item, description string) {
	n := it.value
	text := pair{"description", description}
	if n.flow && it.key.flow {
		d.replace(n.start, n.start, "{"+writePair(text)+", entries: ")
		d.replace(n.end, n.end, "}")
		return
	}
	column := d.column(it.start)
	indent := column + d.step()
	if !n.flow && d.column(n.start) > column {
		indent = d.column(n.start)
	}
	lines := d.block(text, indent, nil)
	head := strings.Repeat(" ", indent) + "entries:"
	if n.flow {
		ending := d.endingAt(d.lineAt(it.start))
		d.replace(it.colon, it.colon, ending+strings.Join(append(lines, head), ending))
		return
	}
	first, last := d.lineAt(it.colon), d.lineAt(n.end)
	d.insert(first, append(lines, head))
	if d.column(n.start) > column {
		return
	}
	for i := first + 1; i <= last; i++ { // below its key, and no deeper
		if !d.isBlank(i) {
			d.replace(d.lines[i].start, d.lines[i].start, strings.Repeat(" ", indent-column))
		}
	}
}

// rename gives an item another name, in its key and in the collections that name
// it.
func (c *changer) rename(it *item, name string) {
	old := it.key.text
	c.replace(it.key.start, it.key.end, c.textIn(it.key, name))
	n := c.root.value("collections")
	if n == nil {
		return
	}
	for i := range n.items {
		entries := n.items[i].value
		if entries.kind == mapping {
			entries = entries.value("entries")
		}
		if entries == nil {
			continue
		}
		for j := range entries.items {
			if e, _ := parseEntry(entries.items[j].value.text); e.Name == old {
				e.Name = name
				c.setText(&entries.items[j], e.String())
			}
		}
	}
}
