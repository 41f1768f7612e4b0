package arrange

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/markdown"
)

// Arrangement is what is to become of a document.
type Arrangement struct {
	doc    *markdown.Document
	chunks []markdown.Span // whole lines that follow each other and begin with headings
	order  []int           // of the chunks; as they are if there are none
	moves  []bool          // by chunk: it is told as moved, and those around as staying
	edits  []Splice        // of headings, in source order
	levels map[int]uint8   // by section whose level changes: the new one

	// Parents are the sections that sections come to stand in, or -1, by section whose parent
	// is to be another one.
	Parents map[int]int
	// Free is the section that may come to stand in any other, or -1.
	Free int
	gone int // the section whose heading goes, or -1
}

// Splice is a range of the source and what stands there then.
type Splice struct {
	markdown.Span
	Text []byte
}

// Of returns the arrangement of a document as it is.
func Of(doc *markdown.Document) *Arrangement {
	return &Arrangement{doc: doc, levels: map[int]uint8{}, Parents: map[int]int{}, Free: -1, gone: -1}
}

// IsAsItWas reports whether nothing is to become of the document.
func (a *Arrangement) IsAsItWas() bool { return len(a.edits) == 0 && a.order == nil }

// Move moves section i to the beginning of another section or behind it, which is at the offset.
func (a *Arrangement) Move(i, at int) {
	own := a.doc.SectionSpan(i)
	switch {
	case at < own.Start:
		a.swap(markdown.Span{Start: at, End: own.Start}, own, 1)
	case at > own.End:
		a.swap(own, markdown.Span{Start: own.End, End: at}, 0)
	}
}

// swap swaps two chunks, of which one is told as moved.
func (a *Arrangement) swap(one, other markdown.Span, moved int) {
	a.chunks, a.order, a.moves = []markdown.Span{one, other}, []int{1, 0}, make([]bool, 2)
	a.moves[moved] = true
}

// Reorder puts sections that follow each other in another order: the numbers of them.
func (a *Arrangement) Reorder(sections, order []int) {
	for _, s := range sections {
		a.chunks = append(a.chunks, a.doc.SectionSpan(s))
	}
	// The most that can stay where they are do.
	var was, is []string
	for k, c := range order {
		was, is = append(was, fmt.Sprint(k)), append(is, fmt.Sprint(c))
	}
	a.moves = make([]bool, len(sections))
	for _, d := range linediff.Compare(was, is) {
		for k := d.ReplStart; k < d.ReplEnd; k++ {
			a.moves[order[k]] = true
		}
	}
	if !slices.IsSorted(order) {
		a.order = order
	}
}

// ByTitle returns the order of sections by their titles, whatever their case.
func ByTitle(doc *markdown.Document, sections []int) []int {
	order := make([]int, len(sections))
	titles := make([]string, len(sections))
	for k, s := range sections {
		order[k], titles[k] = k, strings.ToLower(doc.SectionTitle(s))
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(titles[a], titles[b]) })
	return order
}

// Dissolve takes out the heading of section i by a splice; those below it, which come to stand in
// the section that it is in, get its level.
func (a *Arrangement) Dissolve(i int, heading Splice) *LevelError {
	s := &a.doc.Sections[i]
	a.gone = i
	for c := i + 1; c < int(s.Next); c = int(a.doc.Sections[c].Next) {
		a.Parents[c] = int(s.Parent)
		if err := a.Relevel(c, int(s.Level)-int(a.doc.Sections[c].Level)); err != nil {
			return err
		}
	}
	a.edits = slices.Insert(a.edits, 0, heading)
	return nil
}
