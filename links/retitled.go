package links

import (
	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// A change that isn't made as a rename may be one: then links could have been taken along.

// Retitled are the sections of a document of which a change has given some another text.
type Retitled struct {
	before *markdown.Document
	is     []bool          // by section: whether it has another text
	titles map[string]bool // what those had, and have
}

// Retitled returns which sections have another text after the change: by the counterparts of their headings,
// and of those that have none by their numbers, if there are as many sections as before.
func (r *Renaming) Retitled() *Retitled {
	t := &Retitled{before: r.Before, titles: map[string]bool{}}
	if r.After == nil {
		return t
	}
	now := map[int]int{} // the sections after, by their headings, that are none of before
	for i := range r.After.Sections {
		now[int(r.After.Sections[i].Heading)] = i
	}
	t.is = make([]bool, len(r.Before.Sections))
	same := make([]int, len(t.is))
	for i := range t.is {
		h := r.blockOf(int(r.Before.Sections[i].Heading))
		is, ok := now[h]
		delete(now, h)
		if same[i] = is; !ok {
			same[i] = -1
		}
	}
	for i, is := range same {
		if is < 0 && len(t.is) == len(r.After.Sections) {
			if _, free := now[int(r.After.Sections[i].Heading)]; free {
				is = i
			}
		}
		if is < 0 {
			continue
		}
		old, title := r.Before.SectionTitle(i), r.After.SectionTitle(is)
		if t.is[i] = old != title; t.is[i] {
			t.titles[fold(old)], t.titles[fold(title)] = true, true
		}
	}
	return t
}

// Takes reports whether a rename would have taken along the links to a place of the document before the
// change, which lead elsewhere after it: those to a heading that opens a section, by its text or by its
// attributes, if that has another text; or if one has that had or has its text, so that names are numbered
// in another way; or in the dialect of Obsidian one above it, which may be part of a name. "Top" is no
// such place, nor is an element.
func (t *Retitled) Takes(p *address.Place) bool {
	if p == nil || len(t.titles) == 0 || p.Section < 0 || int(t.before.Sections[p.Section].Heading) != p.Block ||
		p.Kind != address.HeadingPlace && p.Kind != address.AttributePlace {
		return false
	}
	if t.titles[fold(t.before.SectionTitle(p.Section))] {
		return true
	}
	above := t.before.Options().Dialect == markdown.Obsidian
	for i := p.Section; above && i >= 0; i = int(t.before.Sections[i].Parent) {
		if t.is[i] {
			return true
		}
	}
	return false
}
