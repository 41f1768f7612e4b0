package links

import (
	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// The proof that a change breaks nothing looks at where each link leads before and after
// it, not at what was changed: so it finds what nobody thought of, as the second of two
// twins that takes the name of the first.

// Lead is where a link leads, in what stays the same when names change.
type Lead struct {
	Status Status
	Path   string
	// Block is the index of the heading, or of the block that the name is of; -1 for all of
	// the document, or what is none.
	Block int
}

// Lead returns where a target lies.
func (t *Target) Lead() Lead {
	lead := Lead{t.Status, t.Path, -1}
	if t.Place != nil {
		lead.Block = t.Place.Block
	}
	return lead
}

// Map returns where each link of a document leads, by the index of the link.
func (s *Set) Map(p *Page) []Lead {
	leads := make([]Lead, len(p.Links))
	for i := range p.Links {
		t := s.Resolve(p, &p.Links[i])
		leads[i] = t.Lead()
	}
	return leads
}

// Compare returns the indexes of links of which two maps say otherwise, but for those that
// led nowhere before. Links that are not in both are left out.
func Compare(before, after []Lead) []int {
	var changed []int
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] && before[i].Status == OK {
			changed = append(changed, i)
		}
	}
	return changed
}

// A Renaming is a heading that gets another text, in a document of which all other blocks
// stay.
type Renaming struct {
	Path          string
	Before, After *markdown.Document
	Heading       int // index of the heading's block, in both
}

// Rename returns the splices, in the source after the change and in the order of it, that
// let the links of the document lead where they led before; and the indexes of the links of
// the document before the change that lead elsewhere for want of a splice. What stands in
// the heading itself is left alone. Of links from other documents see [Broken].
func Rename(r *Renaming) (splices []Splice, lost []int) {
	before, after := r.pages()
	rest := r.outside(before)
	now := r.outside(after)
	if len(rest) != len(now) {
		return nil, rest // links are not what they were: nothing can be proved
	}
	alone, changed := NewSet(Options{}), NewSet(Options{})
	alone.Add(before)
	changed.Add(after)
	names := namesOf(after.Places)
	for n, i := range rest {
		was := alone.Resolve(before, &before.Links[i])
		if was.Status != OK || was.Place == nil {
			continue
		}
		is := changed.Resolve(after, &after.Links[now[n]])
		if is.Lead() == was.Lead() {
			continue
		}
		splice, ok := Splice{}, false
		if name, known := names[was.Place.Block]; known {
			splice, ok = SetFragment(r.After.Source, &after.Links[now[n]], name)
		}
		if !ok {
			lost = append(lost, i)
			continue
		}
		splices = append(splices, splice)
	}
	return splices, lost
}

// Proved reports whether all links of a document lead where they led before, but for those
// in the heading that was renamed, when the document has become what it is after the
// renaming and the splices.
func (r *Renaming) Proved() bool {
	before, after := r.pages()
	rest, now := r.outside(before), r.outside(after)
	if len(rest) != len(now) {
		return false
	}
	alone, changed := NewSet(Options{}), NewSet(Options{})
	alone.Add(before)
	changed.Add(after)
	was, is := alone.Map(before), changed.Map(after)
	for n, i := range rest {
		if was[i].Status == OK && was[i] != is[now[n]] {
			return false
		}
	}
	return true
}

// Broken returns the indexes of the links of another document that lead elsewhere after the
// renaming.
func (r *Renaming) Broken(set *Set, other *Page) []int {
	var before, after *address.Places
	var broken []int
	for i := range other.Links {
		t := set.Resolve(other, &other.Links[i])
		if t.Status != OK || t.Path != r.Path || t.Place == nil {
			continue
		}
		if before == nil {
			before, after = address.PlacesOf(r.Before), address.PlacesOf(r.After)
		}
		was, _ := before.Find(t.Place.Name)
		is, _ := after.Find(t.Place.Name)
		if was != nil && (is == nil || is.Block != was.Block) {
			broken = append(broken, i)
		}
	}
	return broken
}

// pages returns the document as it was and as it is.
func (r *Renaming) pages() (before, after *Page) {
	return NewPage(r.Path, r.Before), NewPage(r.Path, r.After)
}

// outside returns the indexes of the links of a page that don't stand in the heading.
func (r *Renaming) outside(p *Page) []int {
	var list []int
	for i := range p.Links {
		if p.Links[i].Block != r.Heading {
			list = append(list, i)
		}
	}
	return list
}

// namesOf returns the name of each block that has one and can be reached by it: what is
// written down before what the dialect makes.
func namesOf(p *address.Places) map[int]string {
	names := map[int]string{}
	for i := range p.All() {
		place := &p.All()[i]
		if _, known := names[place.Block]; known || place.Kind == address.ElementPlace {
			continue
		}
		if found, _ := p.Find(place.Name); found != nil && found.Block == place.Block {
			names[place.Block] = place.Name
		}
	}
	return names
}
