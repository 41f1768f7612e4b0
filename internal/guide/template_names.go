package guide

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cbroglie/mustache"
)

// Names are looked for before anything is rendered, in the tree of tags that the
// library will render. Each section is a level with the values that it can have
// at its top: the items of all the lists that its name can mean, not one item
// after another, so that the time grows with the tags and the values and not with
// the rounds of loops within each other.

const (
	maxProblems  = 5  // that an error tells
	maxKnown     = 10 // names that an error tells
	maxNameSteps = 5_000_000
	namesPerLook = 4096 // steps between two looks at the context
	bytesPerStep = 64   // of a name: a long one takes longer to look for
)

// level is what a section puts on top of the values around it.
type level struct {
	values []any
	// open is true if there are no values, because the list is empty or null: what
	// it would hold is not known, and it isn't rendered.
	open bool
}

type nameCheck struct {
	ctx      context.Context
	tags     []templateTag // the positions of those that are still to come
	path     string        // of the template
	problems []string
	count    int // of problems
	steps    int
	look     int  // the steps at which the context is looked at again
	ended    bool // the context has
}

// spend counts steps, and reports whether there may be more.
func (c *nameCheck) spend(steps int) bool {
	if c.steps += steps; c.steps >= c.look {
		c.look = c.steps + namesPerLook
		c.ended = c.ended || c.ctx.Err() != nil
	}
	return c.steps <= maxNameSteps && !c.ended
}

// checkNames looks for the names of the tags of the template at path in the
// variables; places are where the tags are, in the same order. The error tells the
// first few problems.
func checkNames(ctx context.Context, path string, tags []mustache.Tag, places []templateTag, vars map[string]any) error {
	c := nameCheck{ctx: ctx, path: path, tags: places}
	c.walk(tags, []level{{values: []any{vars}}})
	switch {
	case c.ended:
		return ctx.Err()
	case c.steps > maxNameSteps:
		return fmt.Errorf("looking for the names takes more than %d steps; shorten the lists that sections go over", maxNameSteps)
	case c.count == 0:
		return nil
	}
	text := strings.Join(c.problems, "; ")
	if more := c.count - len(c.problems); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return fmt.Errorf("%s; %s", text, knownNames("known are ", vars))
}

// knownNames tells a few of the names after the words.
func knownNames(words string, vars map[string]any) string {
	names, more := slices.Sorted(maps.Keys(vars)), ""
	if len(names) == 0 {
		return words + "none"
	}
	if n := len(names) - maxKnown; n > 0 {
		names, more = names[:maxKnown], fmt.Sprintf(" and %d more", n)
	}
	return words + oneLine(strings.Join(names, ", ")) + more
}

func (c *nameCheck) walk(tags []mustache.Tag, levels []level) {
	for _, tag := range tags {
		if !c.spend(1) {
			return
		}
		place := c.tags[0]
		c.tags = c.tags[1:]
		found := c.find(place.name, levels)
		if tag.Type() == mustache.Variable {
			c.variable(place, found)
			continue
		}
		if found.none() {
			c.unknown(place, &found, " (false as its value leaves the section out)")
		}
		c.walk(tag.Tags(), c.inside(place, found, levels))
	}
}

// found is what a name can mean.
type found struct {
	parts   []string
	cost    int // steps that it takes to look for the name in one value
	values  []any
	missing bool // there is an item of a list for which it means nothing
	open    bool // it isn't known what it can mean
	at      int  // the level that it was found in, or -1 if in several
	broken  bool // a first part is there, and the rest isn't
	near    any  // the first value of which that is so
}

func (f *found) none() bool { return len(f.values) == 0 && !f.open }

// find looks for the name in the levels from the innermost to the outermost. The
// library takes the first level that has the first part of a dotted name.
func (c *nameCheck) find(name string, levels []level) found {
	f := found{parts: strings.Split(name, "."), missing: true, at: -1}
	f.cost = len(f.parts) + len(name)/bytesPerStep
	if name == "." {
		top := levels[len(levels)-1]
		return found{parts: f.parts, values: top.values, open: top.open, at: -1}
	}
	if slices.Contains(f.parts, "") {
		return f // two dots, or one at an end
	}
	for i := len(levels) - 1; i >= 0 && f.missing && !f.open; i-- {
		if f.open = levels[i].open; len(levels[i].values) == 0 {
			continue
		}
		f.missing = false
		before := len(f.values)
		for _, candidate := range levels[i].values {
			if !c.spend(f.cost) {
				return found{parts: f.parts, open: true, at: -1}
			}
			value, has, ok := resolve(candidate, f.parts)
			switch {
			case ok:
				f.values = append(f.values, value)
			case has:
				if !f.broken {
					f.near = candidate
				}
				f.broken = true
			default:
				f.missing = true
			}
		}
		switch {
		case len(f.values) == before:
		case before == 0:
			f.at = i
		default:
			f.at = -1
		}
	}
	f.missing = f.missing || f.broken
	return f
}

// resolve looks for a dotted name in one value; has is true if the first part is
// there.
func resolve(value any, parts []string) (v any, has, ok bool) {
	for i, part := range parts {
		m, _ := value.(map[string]any)
		if value, ok = m[part]; !ok {
			return nil, i > 0, false
		}
	}
	return value, true, true
}

// nearNames tells the names of the mapping in which the known part of a dotted
// name ends, or that it ends in another value.
func (c *nameCheck) nearNames(value any, parts []string) string {
	for i, part := range parts {
		m, ok := value.(map[string]any)
		if !ok {
			return ", for " + oneLine(strings.Join(parts[:i], ".")) + " has no names of its own"
		}
		if value, ok = m[part]; !ok {
			c.spend(len(m))
			return ", for " + oneLine(strings.Join(parts[:i], ".")) + knownNames(" has ", m)
		}
	}
	return ""
}

// variable reports a variable that can't be rendered everywhere.
func (c *nameCheck) variable(place templateTag, f found) {
	switch {
	case f.open:
		return
	case f.none():
		c.unknown(place, &f, "")
		return
	case f.missing:
		c.problem(place, fmt.Sprintf("is not in every item of its list (write %v…%v around it)", place.begin(), place.end()))
		return
	}
	for _, v := range f.values {
		if !c.spend(1) {
			return
		}
		switch v.(type) {
		case []any:
			c.problem(place, fmt.Sprintf("is a list (write %v{{.}}%v, with what belongs around an item)", place.begin(), place.end()))
			return
		case map[string]any:
			c.problem(place, "is a mapping (name one of its values, or write a section)")
			return
		}
	}
}

// inside returns the levels inside of a section.
func (c *nameCheck) inside(place templateTag, f found, levels []level) []level {
	inverted := place.kind == '^'
	levels = c.narrowed(f, levels, inverted)
	if inverted {
		return levels
	}
	var top level
	for _, v := range f.values {
		switch v := v.(type) {
		case []any:
			if c.spend(len(v)) {
				top.values = append(top.values, v...)
			}
		case null:
		default:
			top.values = append(top.values, v)
		}
	}
	// A name that is unknown was reported; what is inside is looked at as if the
	// section were not there.
	top.open = len(top.values) == 0 && !f.none()
	return append(slices.Clone(levels), top)
}

// narrowed returns the levels with those items of the list alone that the inside
// of a section is rendered for: {{#note}}{{note}}{{/note}} needs no note in the
// others. If it is rendered for none, all stay, so that names are looked for.
func (c *nameCheck) narrowed(f found, levels []level, inverted bool) []level {
	if f.at < 0 || len(levels[f.at].values) < 2 {
		return levels
	}
	var kept []any
	for _, candidate := range levels[f.at].values {
		if !c.spend(f.cost) {
			return levels
		}
		v, _, ok := resolve(candidate, f.parts)
		if (ok && holds(v)) != inverted {
			kept = append(kept, candidate)
		}
	}
	if len(kept) == 0 {
		return levels
	}
	levels = slices.Clone(levels)
	levels[f.at].values = kept
	return levels
}

// unknown reports a name that means nothing. The names that are near are put in
// order for a problem that is told alone, for there may be many of both.
func (c *nameCheck) unknown(place templateTag, f *found, wayOut string) {
	near := ""
	if f.broken && len(c.problems) < maxProblems {
		near = c.nearNames(f.near, f.parts)
	}
	c.problem(place, "is unknown"+near+wayOut)
}

func (c *nameCheck) problem(place templateTag, what string) {
	c.count++
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, fmt.Sprintf("%v in %s %s", place, place.place(c.path), what))
	}
}
