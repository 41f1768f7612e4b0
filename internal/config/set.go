package config

import (
	"fmt"
	"slices"

	"github.com/sectile/sectile/internal/yamltree"
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
	it := c.root.Value(top).Get(s.Name)
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
func (s Set) rename(c *changer, top string, i int, it *yamltree.Item) {
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
			check.add(at, fmt.Sprintf("it is named in %s of %s; take it out there before it gets another name", joined(other, "and"), c.otherName()))
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
func (s Set) category(c *changer, want *Category, it *yamltree.Item) {
	n := it.Value
	if s.Dir != nil && *s.Dir != want.Dir {
		want.Dir = *s.Dir
		c.draft.SetText(n.Get("dir"), want.Dir)
	}
	if s.Patterns != nil && !slices.Equal(*s.Patterns, want.Patterns) {
		want.Patterns = slices.Clone(*s.Patterns)
		if len(want.Patterns) == 0 {
			want.Patterns = nil
		}
		c.draft.SetField(it, n, "patterns", slices.Clone(want.Patterns))
	}
	s.description(c, &want.Description, it, n)
}

// collection changes a collection, which stays a list if it is one and gets no
// description.
func (s Set) collection(c *changer, want *Collection, it *yamltree.Item) {
	if s.Entries != nil && !slices.Equal(*s.Entries, want.Entries) {
		want.Entries = slices.Clone(*s.Entries)
		owner := it
		if it.Value.Kind == yamltree.Mapping {
			owner = it.Value.Get("entries")
		}
		c.draft.SetList(owner, entryTexts(want.Entries))
	}
	if it.Value.Kind == yamltree.Mapping {
		s.description(c, &want.Description, it, it.Value)
		return
	}
	if s.Description == nil || trimDescription(*s.Description) == "" {
		return
	}
	want.Description = trimDescription(*s.Description)
	c.draft.Wrap(it, yamltree.Pair{Key: "description", Value: want.Description}, "entries")
}

// description changes the description in a mapping.
func (s Set) description(c *changer, want *string, it *yamltree.Item, n *yamltree.Node) {
	if s.Description == nil || trimDescription(*s.Description) == *want {
		return
	}
	*want = trimDescription(*s.Description)
	c.draft.SetField(it, n, "description", *want)
}

// rename gives an item another name, in its key and in the collections that name
// it.
func (c *changer) rename(it *yamltree.Item, name string) {
	old := it.Key.Text
	c.draft.Rename(it, name)
	n := c.root.Value("collections")
	if n == nil {
		return
	}
	for i := range n.Items {
		entries := n.Items[i].Value
		if entries.Kind == yamltree.Mapping {
			entries = entries.Value("entries")
		}
		if entries == nil {
			continue
		}
		for j := range entries.Items {
			if e, _ := parseEntry(entries.Items[j].Value.Text); e.Name == old {
				e.Name = name
				c.draft.SetText(&entries.Items[j], e.String())
			}
		}
	}
}
