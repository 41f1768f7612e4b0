package address

import (
	"cmp"
	"slices"

	"github.com/sectile/sectile/markdown"
)

// A selector that leads nowhere is mostly right: its earlier steps are kept, and
// the step that failed is replaced by what is there.

const (
	maxSuggestions = 5
	// maxOrdinals limits how many nodes of one type are compared.
	maxOrdinals = 1000
)

// Suggest returns selectors that choose one node each and are close to one that
// Select fails on: at most five in the short form, with the selector's
// namespace, closest by edit distance first, none that has less than 0.4 of it in
// common. If the step that failed counted too far, they are all of its type. It
// returns nil for a selector that doesn't fail.
func Suggest(doc *markdown.Document, s *Selector) []string {
	_, fail := follow(doc, s)
	if fail == nil {
		return nil
	}
	namespace := ""
	if s.Namespace != "" {
		namespace = string(appendNamespace(nil, s.Namespace)) + "::"
	}
	var list []string
	for _, h := range suggest(doc, s, fail) {
		list = append(list, namespace+h.selector())
	}
	return list
}

// suggestions returns the same nodes as candidates.
func suggestions(doc *markdown.Document, s *Selector, fail *failure) []Candidate {
	var list []Candidate
	for _, h := range suggest(doc, s, fail) {
		list = append(list, CandidateOf(doc, h.Node))
	}
	return list
}

// suggest returns the nodes below fail.from that are closest to what was asked
// for.
func suggest(doc *markdown.Document, s *Selector, fail *failure) []hit {
	failed := &s.Steps[fail.step]
	before := 0 // what is the same in all of them
	if fail.from.from != nil {
		before = len(fail.from.selector()) + 1
	}
	want := failed.appendTo(nil)
	d := newDistance(want)
	type scored struct {
		hit
		cost int
	}
	var all []scored
	for _, h := range inStead(doc, fail.from, failed.Type) {
		if h.Node == fail.from.Node && h.step.Type != failed.Type {
			continue // a section's own heading leads nowhere else
		}
		text := h.step.appendTo(nil)
		cost := d.to(text)
		longest := before + max(len(text), len(want))
		if 10*(longest-cost) >= 4*longest {
			all = append(all, scored{h, cost})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.cost, b.cost) })
	var best []hit
	for _, s := range all[:min(len(all), maxSuggestions)] {
		best = append(best, s.hit)
	}
	return best
}

// inStead returns what is below a node: all of the type if there are any, else
// of every type.
func inStead(doc *markdown.Document, from *hit, t Type) []hit {
	var ofType [len(types)][]hit
	for i, end := childRange(doc, from.Node); i < end; i = int(doc.Blocks[i].Next) {
		u := typeOf(&doc.Blocks[i])
		n := len(ofType[u])
		if u == 0 || n == maxOrdinals {
			continue
		}
		step := Step{Type: u, Index: []Range{{n, n}}}
		ofType[u] = append(ofType[u], hit{Node: NodeOfBlock(doc, i), from: from, step: step})
	}
	if len(ofType[t]) > 0 {
		return ofType[t]
	}
	return slices.Concat(ofType[:]...)
}
