package config

import (
	"fmt"
	"slices"

	"github.com/sectile/sectile/internal/yamltree"
)

// change adds the category.
func (a AddCategory) change(c *changer) error {
	next := a.Category
	next.Scope, next.Description = c.scope, trimDescription(next.Description)
	at := field("categories", next.Name)
	check := checks{scope: c.scope}
	check.add(at, c.free(next.Name))
	check.add(at+".dir", checkDir(next.Dir, c.scope))
	check.add(at+".description", checkDescription(next.Description))
	check.checkPatterns(at+".patterns", next.Patterns, c.check)
	if err := check.err(); err != nil {
		return err
	}
	fields := []yamltree.Pair{{Key: "dir", Value: next.Dir}}
	if next.Patterns = slices.Clip(next.Patterns); len(next.Patterns) > 0 {
		fields = append(fields, yamltree.Pair{Key: "patterns", Value: next.Patterns})
	} else {
		next.Patterns = nil
	}
	if next.Description != "" {
		fields = append(fields, yamltree.Pair{Key: "description", Value: next.Description})
	}
	if len(next.Vars) > 0 {
		fields = append(fields, yamltree.Pair{Key: "vars", Value: variableValue(next.Vars)})
	} else {
		next.Vars = nil
	}
	c.want.categories = append(c.want.categories, next)
	c.draft.AddTop("categories", yamltree.Pair{Key: next.Name, Value: fields})
	return nil
}

// change adds the collection: a list, or a mapping if it has a description.
func (a AddCollection) change(c *changer) error {
	next := a.Collection
	next.Scope, next.Description = c.scope, trimDescription(next.Description)
	at := field("collections", next.Name)
	check := checks{scope: c.scope}
	check.add(at, c.free(next.Name))
	check.add(at+".description", checkDescription(next.Description))
	check.checkEntries(at, next.Entries, c.check)
	if err := check.err(); err != nil {
		return err
	}
	c.want.collections = append(c.want.collections, next)
	var value any = entryTexts(next.Entries)
	if next.Description != "" {
		value = []yamltree.Pair{{Key: "description", Value: next.Description}, {Key: "entries", Value: value}}
	}
	c.draft.AddTop("collections", yamltree.Pair{Key: next.Name, Value: value})
	return nil
}

// change removes what nothing names.
func (r Remove) change(c *changer) error {
	top, i, err := c.find(r.Name)
	if err != nil {
		return err
	}
	at := top + "." + r.Name
	if names := c.naming(r.Name); len(names) > 0 {
		return c.refuse(at, fmt.Sprintf("it is named in %s; take it out there first", joined(names, "and")))
	}
	if other := c.elsewhere(r.Name); len(other) > 0 {
		return c.refuse(at, fmt.Sprintf("it is named in %s of %s; take it out there first", joined(other, "and"), c.otherName()))
	}
	if top == "categories" {
		c.want.categories = slices.Delete(c.want.categories, i, i+1)
	} else {
		c.want.collections = slices.Delete(c.want.collections, i, i+1)
	}
	n := c.root.Value(top)
	c.draft.Remove(n, slices.IndexFunc(n.Items, func(it yamltree.Item) bool { return it.Key.Text == r.Name }))
	return nil
}

// find returns where a name is: the key that it is below, and its index there.
func (c *changer) find(name string) (top string, i int, err error) {
	if i := slices.IndexFunc(c.categories, func(x Category) bool { return x.Name == name }); i >= 0 {
		return "categories", i, nil
	}
	if i := slices.IndexFunc(c.collections, func(x Collection) bool { return x.Name == name }); i >= 0 {
		return "collections", i, nil
	}
	names := append(categoryNames(c.file), collectionNames(c.file)...)
	message := "no category or collection of this file is called " + quoted(name)
	if c.merged.categories[name] != nil || c.merged.collections[name] != nil {
		message += "; it is in " + c.otherName() + ", change it there"
	} else if near := meant(name, names[:min(len(names), maxList)]); near != "" {
		message += "; " + near
	} else {
		message += "; list what there is with sectile guide list"
	}
	return "", 0, c.refuse("", message)
}

// otherName returns the name of the other file.
func (c *changer) otherName() string {
	if c.scope == User {
		return displayName(Project)
	}
	return displayName(User)
}

// elsewhere returns the collections of the other file that name something of this
// one: a name of the user's file that the project's has as well means the
// project's.
func (c *changer) elsewhere(name string) []string {
	other := c.merged.user
	if c.scope == User {
		other = c.merged.project
		for _, found := range [][]string{categoryNames(other), collectionNames(other)} {
			if slices.Contains(found, name) {
				return nil
			}
		}
	}
	return other.naming(name)
}

// categoryNames returns the names of a file's categories; it may be nil.
func categoryNames(f *file) []string {
	var names []string
	if f != nil {
		for _, x := range f.categories {
			names = append(names, x.Name)
		}
	}
	return names
}

// collectionNames returns the names of a file's collections; it may be nil.
func collectionNames(f *file) []string {
	var names []string
	if f != nil {
		for _, x := range f.collections {
			names = append(names, x.Name)
		}
	}
	return names
}
