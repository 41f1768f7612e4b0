package arrange

import (
	"bytes"
	"sort"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/markdown"
)

// The new document has the same blocks at the top level in the order that was meant, byte by
// byte, none more and none less; only headings differ, by the level that was meant; and each
// section is in the one that it was in, or that was meant.

// Proof is what has become of the old document in a new one that is as it was meant.
type Proof struct {
	Sections []int   // by old section: its number, -1 for the one whose heading is gone
	Blocks   []int32 // by old block: its number, -1 for a heading that is gone
}

// Fault is what isn't as it was meant: of a block, or of sections.
type Fault struct {
	Block  string // what would become of the first one that isn't what it was
	Strays []Stray
}

// Stray is a section that would come to stand elsewhere.
type Stray struct {
	Section int // of the old document
	In      int // of the new one, -1 for none
}

// Prove compares the rebuilt document, parsed, with the one that was meant.
func (r *Rebuilt) Prove(now *markdown.Document) (Proof, *Fault) {
	old, gone := r.arrangement.doc, r.arrangement.gone
	p := Proof{make([]int, len(old.Sections)), make([]int32, len(old.Blocks))}
	next, number := int32(0), 0
	for _, s := range r.ranges {
		section := sectionFrom(old, s.Start)
		for b := blockFrom(old, s.Start); int(b) < len(old.Blocks) && int(old.Blocks[b].Start) < s.End; b = old.Blocks[b].Next {
			opens := section < len(old.Sections) && old.Sections[section].Heading == b
			if opens && section == gone {
				p.Sections[section], p.Blocks[b] = -1, -1
				section++
				continue
			}
			if int(next) >= len(now.Blocks) || !r.isMeant(now, b, next, section, opens) {
				return p, r.damaged(now, b, next)
			}
			if opens {
				p.Sections[section] = number
				number++
				section++
			}
			for k := b; k < old.Blocks[b].Next; k++ {
				p.Blocks[k] = next + k - b
			}
			next = now.Blocks[next].Next
		}
	}
	if int(next) < len(now.Blocks) {
		return p, r.damaged(now, int32(len(old.Blocks)-1), next) //nolint:gosec // as many as fit
	}
	if strays := r.strays(now, p.Sections); strays != nil {
		return p, &Fault{Strays: strays}
	}
	return p, nil
}

// isMeant reports whether block j of the new document is what block i should be.
func (r *Rebuilt) isMeant(now *markdown.Document, i, j int32, section int, opens bool) bool {
	old := r.arrangement.doc
	a, b := &old.Blocks[i], &now.Blocks[j]
	if level, changed := r.arrangement.levels[section]; opens && changed {
		return b.Kind == markdown.Heading && b.Level == level && b.Flags == a.Flags &&
			bytes.Equal(old.Text(old.Content(int(i))), now.Text(now.Content(int(j))))
	}
	shift := int(b.Start) - int(a.Start)
	return blockcheck.Same(old, now, i, j, shift) && bytes.Equal(old.Text(a.Span()), now.Text(b.Span()))
}

// damaged says that block i would not be what it is.
func (r *Rebuilt) damaged(now *markdown.Document, i, j int32) *Fault {
	what := blockcheck.Describe(r.arrangement.doc, i)
	if int(j) < len(now.Blocks) {
		return &Fault{Block: what + " would become, or become part of, " + blockcheck.Describe(now, j)}
	}
	return &Fault{Block: what + " would be gone"}
}

// strays returns the sections that are neither in the one that they were in nor in the one that
// was meant.
func (r *Rebuilt) strays(now *markdown.Document, sections []int) (all []Stray) {
	a := r.arrangement
	for i := range a.doc.Sections {
		if sections[i] < 0 || i == a.Free {
			continue
		}
		want := int(a.doc.Sections[i].Parent)
		if other, moved := a.Parents[i]; moved {
			want = other
		}
		if want >= 0 {
			want = sections[want]
		}
		if is := int(now.Sections[sections[i]].Parent); is != want {
			all = append(all, Stray{i, is})
		}
	}
	return all
}

// sectionFrom returns the first section that begins at the offset or behind it.
func sectionFrom(doc *markdown.Document, at int) int {
	return sort.Search(len(doc.Sections), func(i int) bool { return doc.SectionSpan(i).Start >= at })
}

// blockFrom returns the first block that begins at the offset or behind it.
func blockFrom(doc *markdown.Document, at int) int32 {
	return int32(sort.Search(len(doc.Blocks), func(i int) bool { return int(doc.Blocks[i].Start) >= at })) //nolint:gosec // as many as fit
}
