package address

import (
	"strings"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// lookUpPath looks for the parts of a path, each below the ones before. Several
// sections may fit the earlier parts, if one alone fits all of them.
func (r Resolver) lookUpPath(s string, enough int) *lookup {
	l := &lookup{}
	doc := r.Doc
	m := matcher{doc: doc, whole: r.Whole}
	in := everywhere(doc)
	parts := strings.Split(s, pathSeparator)
	for n := range parts { // before anything is looked up: whatever the document holds
		if parts[n] = strings.Trim(parts[n], " \t"); parts[n] == "" {
			return &lookup{err: &Error{Code: InvalidAddress, Message: `a part of the path is empty; write it like "Guide > Install"`}}
		}
	}
	for n, part := range parts {
		if n == len(parts)-1 {
			m.enough = enough
		}
		q := newTextQuery(part)
		tier, hits := m.find(q, in)
		if len(hits) == 0 {
			l.nodes, l.closest = nil, closestTo{q.text, in}
			l.miss = r.noHeading(part) + nearForm(part)
			if n > 0 {
				l.miss += " below " + runes.Quoted(parts[n-1])
				if isPartForm(part) {
					l.miss += " (a part of a section stands behind a slash: " + runes.Quoted(strings.Join(parts[:n], " > ")+"/"+part) + ")"
				}
			}
			return l
		}
		l.tier = max(l.tier, tier)
		l.nodes = sectionNodes(hits)
		in = below(doc, hits)
	}
	return l
}

// isPartForm reports whether a text that is no heading's has the form of a part with a number or
// brackets: "table.0[1]", `item["milk"]`.
func isPartForm(s string) bool {
	if !strings.ContainsAny(s, ".[") {
		return false
	}
	if p := parsePart(s); p != nil {
		return p.base == "" && p.steps[0].block.level() == 0
	}
	sel, err := ParseSelector(s)
	return err == nil && len(sel.Steps) > 0 && sel.Namespace == "" && sel.Steps[0].Type.level() == 0
}

// below returns the descendants of the sections, each of them once.
func below(doc *markdown.Document, sections []int) []interval {
	in := []interval{} // not nil: there are none
	end := 0
	for _, i := range sections {
		s := interval{max(i+1, end), int(doc.Sections[i].Next)}
		if s.first < s.end {
			in = append(in, s)
			end = s.end
		}
	}
	return in
}
