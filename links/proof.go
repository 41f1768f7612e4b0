package links

import (
	"slices"
	"sort"
	"strings"
	"unicode"

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
	Part
}

// Part is what a link leads to in a document, in what stays the same when names change.
type Part struct {
	// Block is the index of the heading, or of the block that the name is of; -1 for all of
	// the document, or what is none.
	Block int
	// Nth is which of the headings in a block of HTML it is, from 1; 0 for anything else.
	Nth int
}

// PartOf returns what a place is of.
func PartOf(p *address.Place) Part { return Part{p.Block, p.Nth} }

// Lead returns where a target lies.
func (t *Target) Lead() Lead {
	lead := Lead{Status: t.Status, Path: t.Path, Part: Part{Block: -1}}
	if t.Place != nil && t.Status == OK {
		lead.Part = PartOf(t.Place)
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

// A Renaming is a document of which headings have got other names: one got another text, or
// they stand in another order.
type Renaming struct {
	Path          string // of the document in its set
	Before, After *markdown.Document
	Heading       int // index of the block, in both, of the heading that got another text; -1 for none
	// Blocks says which block of After each one of Before is, -1 for none; nil if each has
	// the index that it had.
	Blocks []int32
	// Tagged says which heading in HTML of After each one of Before is, without those that are
	// gone; nil if each is in the counterpart of its block what it was.
	Tagged map[Part]Part
	// Instead is the block of After that links to one that is gone lead to, -1 for none.
	Instead int
	// PutBack are the ranges of After, in its order, with what it held before: links in them lead where
	// they led then.
	PutBack []markdown.Span
	// Options are those of the document's set, so that it is known which links lead to the
	// document itself, and which to others.
	Options Options
}

// Rename returns the splices, in the source after the change and in the order of it, that
// let the links of the document lead where they led before; and the indexes of the links of
// the document before the change that lead elsewhere for want of a splice. What stands in
// the heading itself is left alone. Of links from other documents see [Renaming.Broken].
func Rename(r *Renaming) (splices []Splice, lost []int) {
	p := r.pair()
	if !p.ok { // links are not what they were: nothing can be proved
		return nil, p.all
	}
	names := namesOf(p.now.page.Places)
	for _, n := range p.links {
		was, is := p.old.lead(&p.old.page.Links[n[0]]), p.now.lead(&p.now.page.Links[n[1]])
		want := r.meant(was)
		if was.Status != OK || is == want {
			continue
		}
		splice, ok := Splice{}, false
		if name, known := names[want.Part]; known {
			splice, ok = SetFragment(r.After.Source, &p.now.page.Links[n[1]], name)
		}
		if !ok {
			lost = append(lost, n[0])
			continue
		}
		splices = append(splices, splice)
	}
	slices.SortFunc(splices, func(a, b Splice) int { return a.Span.Start - b.Span.Start })
	return splices, lost
}

// Proved reports whether all links of a document lead where they led before, but for those
// in the heading that was renamed, when the document has become what it is after the
// renaming and the splices.
func (r *Renaming) Proved() bool {
	p := r.pair()
	for _, n := range p.links {
		if was := p.old.lead(&p.old.page.Links[n[0]]); was.Status == OK && r.meant(was) != p.now.lead(&p.now.page.Links[n[1]]) {
			return false
		}
	}
	return p.ok
}

// nowhere is the index of a block that there isn't any more.
const nowhere = -2

// meant returns where a link is to lead after the change.
func (r *Renaming) meant(was Lead) Lead {
	if was.Path != r.Path || was.Block < 0 {
		return was
	}
	is := Part{r.blockOf(was.Block), was.Nth}
	if r.Tagged != nil && was.Nth > 0 {
		var there bool
		if is, there = r.Tagged[was.Part]; !there {
			is.Block = -1
		}
	}
	if is.Block < 0 {
		is = Part{r.Instead, 0}
	}
	if is.Block < 0 {
		is.Block = nowhere
	}
	was.Part = is
	return was
}

// blockOf returns which block of the document after the change a block before it is, -1 for none.
func (r *Renaming) blockOf(block int) int {
	if r.Blocks == nil || block < 0 {
		return block
	}
	return int(r.Blocks[block])
}

// Renames reports whether a name of the document before the change leads elsewhere after it, or
// "top" does.
func (r *Renaming) Renames() bool {
	if r.After == nil {
		return true
	}
	before, after := address.PlacesOf(r.Before), address.PlacesOf(r.After)
	was, is := r.named(before), r.named(after)
	for i := range before.All() {
		name := before.All()[i].Name
		if lead := was(name); lead.Status == OK && is(name) != r.meant(lead) {
			return true
		}
	}
	return is("top") != r.meant(was("top")) || r.Before.Options().Dialect == markdown.Obsidian && r.renamesPaths()
}

// named returns what says where a name in the document leads, which has the places.
func (r *Renaming) named(places *address.Places) func(name string) Lead {
	set := NewSet(Options{})
	set.Add(&Page{Path: r.Path, Places: places})
	return func(name string) Lead {
		t := set.withFragment(Target{Path: r.Path}, &Destination{Fragment: name, HasFragment: true})
		return t.Lead()
	}
}

// renamesPaths reports whether a name that is a path of headings, "Install#Linux", may lead
// elsewhere after the change: if the headings of one text are others, or in another order, or
// one stands below another heading.
func (r *Renaming) renamesPaths() bool {
	was, above := headingsOf(r.Before)
	is, below := headingsOf(r.After)
	for text, headings := range was {
		if len(headings) != len(is[text]) {
			return true
		}
		for i, b := range headings {
			if now := r.blockOf(b); now != is[text][i] || r.blockOf(above[b]) != below[now] {
				return true
			}
		}
	}
	return false
}

// headingsOf returns the blocks of a document's headings by the letters and digits of their texts,
// in their order, and the heading above each, -1 for none.
func headingsOf(doc *markdown.Document) (byText map[string][]int, above map[int]int) {
	byText, above = map[string][]int{}, map[int]int{}
	for i, s := range doc.Sections {
		text := strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				return c
			}
			return -1
		}, fold(doc.SectionTitle(i)))
		byText[text] = append(byText[text], int(s.Heading))
		above[int(s.Heading)] = -1
		if s.Parent >= 0 {
			above[int(s.Heading)] = int(doc.Sections[s.Parent].Heading)
		}
	}
	return byText, above
}

// Strays returns how many links of a document after a change led to names in it which are gone,
// and how many lead to something else.
func (r *Renaming) Strays() (gone, astray int) {
	old, now := r.side(r.Before), r.side(r.After)
	stood := map[string]bool{} // the destinations before
	for i := range old.page.Links {
		stood[old.page.Links[i].Destination] = true
	}
	for i := range now.page.Links {
		l := &now.page.Links[i]
		was := old.lead(l)
		if was.Status != OK || was.Path != r.Path || r.PutsBack(l) {
			continue
		}
		switch is := now.lead(l); {
		case is.Status == Broken:
			gone++
		case is.Status == OK && stood[l.Destination] && is != r.meant(was):
			astray++
		}
	}
	return gone, astray
}

// PutsBack reports whether a link of After stands in what is put back.
func (r *Renaming) PutsBack(l *Link) bool {
	i := sort.Search(len(r.PutBack), func(i int) bool { return r.PutBack[i].End > l.Whole.Start })
	return i < len(r.PutBack) && r.PutBack[i].Start < l.Whole.End
}

// Redefined returns the references, to links and to footnotes, that have another definition
// after the change: those of a label that is defined twice belong to the first.
func (r *Renaming) Redefined() []markdown.Link {
	var before, after []markdown.Link // in the order of their blocks
	for _, of := range []struct {
		doc  *markdown.Document
		list *[]markdown.Link
	}{{r.Before, &before}, {r.After, &after}} {
		for _, l := range of.doc.Links() {
			if l.Definition >= 0 && l.Block != l.Definition {
				*of.list = append(*of.list, l)
			}
		}
	}
	var changed []markdown.Link
	next := map[int]int{} // by block of After: its next reference
	at := map[int][]int{}
	for i := range after {
		at[after[i].Block] = append(at[after[i].Block], i)
	}
	for i := range before {
		l := &before[i]
		block := r.blockOf(l.Block)
		if block < 0 || l.Block == r.Heading {
			continue
		}
		k := next[block]
		if next[block]++; k >= len(at[block]) || after[at[block][k]].Definition != r.blockOf(l.Definition) {
			changed = append(changed, *l)
		}
	}
	return changed
}

// Renamings are documents that change together, by their paths.
type Renamings map[string]*Renaming

// Broken returns the indexes of the links of a document, to others that are renamed or renamed in,
// that lead elsewhere after it; all that lead to one that is gone. Was and is are the sets before
// and after it, in which at least the others are. It takes two looks at each link, however many
// they are.
func (all Renamings) Broken(was, is *Set, page *Page) []int {
	var broken []int
	for i := range page.Links {
		t := was.Resolve(page, &page.Links[i])
		r := all[t.Path]
		if r == nil || t.Path == page.Path || !t.Reaches() || t.Status != OK && r.After != nil {
			continue
		}
		if r.After != nil {
			now := is.Resolve(page, &page.Links[i])
			if now.Lead() == r.meant(t.Lead()) {
				continue
			}
		}
		broken = append(broken, i)
	}
	return broken
}

// side is a document, alone, as it was or as it is.
type side struct {
	page *Page
	set  *Set
}

// side returns one of the two documents of the renaming.
func (r *Renaming) side(doc *markdown.Document) side {
	s := side{NewPage(r.Path, doc), NewSet(r.Options)}
	s.set.Add(s.page)
	return s
}

// lead returns where a link of the document leads; nowhere if it has no name of a place, and so
// leads where it led whatever names are.
func (s *side) lead(l *Link) Lead {
	if !strings.Contains(l.Destination, "#") {
		return Lead{Status: Unknown, Part: Part{Block: -1}}
	}
	t := s.set.Resolve(s.page, l)
	return t.Lead()
}

// pairs are the links of a document before a change and after it.
type pairs struct {
	old, now side
	links    [][2]int // the same one in both, by its index
	all      []int    // those before
	ok       bool     // there are as many after
}

// pair pairs all links but those in the heading.
func (r *Renaming) pair() *pairs {
	p := &pairs{old: r.side(r.Before), now: r.side(r.After), ok: true}
	at := map[int][]int{} // the links of a block
	for i := range p.now.page.Links {
		b := p.now.page.Links[i].Block
		at[b] = append(at[b], i)
	}
	for i := range p.old.page.Links {
		l := &p.old.page.Links[i]
		b := r.blockOf(l.Block)
		if b < 0 || l.Block == r.Heading {
			continue
		}
		p.all = append(p.all, i)
		if len(at[b]) == 0 {
			p.ok = false
			continue
		}
		p.links = append(p.links, [2]int{i, at[b][0]})
		at[b] = at[b][1:]
	}
	for b, rest := range at {
		p.ok = p.ok && (len(rest) == 0 || b == r.Heading)
	}
	return p
}

// namesOf returns the name of each heading, in HTML too, and of each block with a name behind it,
// that can be reached by it: what is written down before what the dialect makes.
func namesOf(p *address.Places) map[Part]string {
	names := map[Part]string{}
	for i := range p.All() {
		place := &p.All()[i]
		at := PartOf(place)
		if _, known := names[at]; known || place.Kind == address.ElementPlace && place.Nth == 0 {
			continue
		}
		if found, _ := p.Find(place.Name); found != nil && PartOf(found) == at {
			names[at] = place.Name
		}
	}
	return names
}
