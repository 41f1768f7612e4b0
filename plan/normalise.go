package plan

import (
	"slices"
	"strings"
)

// Normalise returns the document that Format writes: a task with children is done
// when all of them are; texts, names and values are trimmed; blank lines around the
// description and the direction are removed, and line endings are "\n". A section
// that is empty is nil, or empty if a later one is there, as [Parse] has it.
func Normalise(d Document) Document {
	return withNodes(normaliseTexts(d), normaliseTasks(d.Tasks))
}

// normaliseTasks returns the tasks flat.
func normaliseTasks(tasks []Task) []node {
	nodes := flatten(tasks)
	for i := range nodes {
		nodes[i].text = strings.TrimSpace(nodes[i].text)
	}
	derive(nodes)
	return nodes
}

// normaliseTexts normalises all but the tasks.
func normaliseTexts(d Document) Document {
	if d.Header != nil {
		h := *d.Header
		h.Title = strings.TrimSpace(h.Title)
		d.Header = &h
	}
	d.IgnoredTitle = strings.TrimSpace(d.IgnoredTitle)
	d.Description = withoutBlankLines(unixLines(d.Description))
	d.Direction = withoutBlankLines(unixLines(d.Direction))
	d.Directive = strings.TrimSpace(d.Directive)
	if slices.ContainsFunc(d.Constraints, func(c Constraint) bool { return c != c.trimmed() }) {
		d.Constraints = slices.Clone(d.Constraints)
		for i, c := range d.Constraints {
			d.Constraints[i] = c.trimmed()
		}
	}
	return d
}

func (c Constraint) trimmed() Constraint {
	return Constraint{strings.TrimSpace(c.Key), strings.TrimSpace(c.Value)}
}

// withNodes returns the document with these tasks, and with sections nil or empty
// as what stands after them asks for.
func withNodes(d Document, nodes []node) Document {
	d.Tasks = nil
	if len(nodes) > 0 {
		d.Tasks = build(nodes)
	}
	setEmpty(&d, len(nodes))
	return d
}

// setEmpty makes sections nil or empty as what stands after them asks for, given
// the number of tasks.
func setEmpty(d *Document, tasks int) {
	if tasks == 0 {
		d.Tasks = nil
	}
	if len(d.Constraints) == 0 {
		d.Constraints = nil
	}
	if len(d.Skipped) == 0 {
		d.Skipped = nil
	}
	fillEmpty(d)
	if tasks > 0 && d.Constraints == nil {
		d.Constraints = []Constraint{}
	}
}

// Equal reports whether two documents are the same, with what is absent and what is
// empty apart.
func Equal(a, b Document) bool {
	return equalTexts(a, b) && (a.Tasks == nil) == (b.Tasks == nil) && equalNodes(flatten(a.Tasks), flatten(b.Tasks))
}

// equalTexts compares all but the tasks.
func equalTexts(a, b Document) bool {
	return (a.Header == nil) == (b.Header == nil) && (a.Header == nil || *a.Header == *b.Header) &&
		a.IgnoredTitle == b.IgnoredTitle && a.Description == b.Description && a.Direction == b.Direction && a.Directive == b.Directive &&
		(a.Constraints == nil) == (b.Constraints == nil) && slices.Equal(a.Constraints, b.Constraints) &&
		slices.Equal(a.Skipped, b.Skipped)
}
