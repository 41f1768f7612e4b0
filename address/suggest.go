package address

import (
	"cmp"
	"context"
	"slices"

	"github.com/sectile/sectile/internal/nearest"
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
	_, fail := follow(context.Background(), doc, s, 0, -1)
	if fail == nil {
		return nil
	}
	namespace := ""
	if s.Namespace != "" {
		namespace = string(appendNamespace(nil, s.Namespace)) + "::"
	}
	var list []string
	nested, _ := nestedIn(doc, fail.node(fail.from), s.Steps[fail.step].Type)
	for _, c := range nested {
		list = append(list, namespace+c.Selector)
	}
	if nested != nil {
		return list
	}
	for _, h := range suggest(s, fail) {
		list = append(list, namespace+fail.selector(h))
	}
	return list
}

// suggestions returns the same nodes as candidates.
func suggestions(s *Selector, fail *failure) []Candidate {
	var list []Candidate
	for _, h := range suggest(s, fail) {
		list = append(list, CandidateOf(fail.doc, fail.node(h)))
	}
	return list
}

// suggest adds the nodes below fail.from that are closest to what was asked for to
// the hits of the failure, and returns their indexes.
func suggest(s *Selector, fail *failure) []int {
	failed := &s.Steps[fail.step]
	from := fail.hits[fail.from]
	before := 0 // what is the same in all of them
	if from.from >= 0 {
		before = len(fail.selector(fail.from)) + 1
	}
	want := failed.appendTo(nil)
	d := nearest.NewDistance(want)
	type scored struct {
		hit
		cost int
	}
	var all []scored
	var text []byte
	for _, h := range inStead(fail, failed.Type) {
		t := typeOf(&fail.doc.Blocks[h.block])
		if h.block == from.block && t != failed.Type {
			continue // a section's own heading leads nowhere else
		}
		text = appendStep(text[:0], t, int(h.ordinal))
		cost := d.To(text)
		longest := before + max(len(text), len(want))
		if 10*(longest-cost) >= 4*longest {
			all = append(all, scored{h, cost})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.cost, b.cost) })
	var best []int
	for _, s := range all[:min(len(all), maxSuggestions)] {
		best = append(best, len(fail.hits))
		fail.hits = append(fail.hits, s.hit)
	}
	return best
}

// inStead returns what is below the node where a selector failed: all of the type if
// there are any, else of every type.
func inStead(fail *failure, t Type) []hit {
	var ofType [len(types)][]hit
	doc := fail.doc
	for i, end := childRange(doc, fail.node(fail.from)); i < end; i = int(doc.Blocks[i].Next) {
		u := typeOf(&doc.Blocks[i])
		n := len(ofType[u])
		if u == 0 || n == maxOrdinals {
			continue
		}
		ofType[u] = append(ofType[u], hit{block: int32(i), ordinal: int32(n), from: int32(fail.from)})
	}
	if len(ofType[t]) > 0 {
		return ofType[t]
	}
	return slices.Concat(ofType[:]...)
}

// nestedIn returns the first nodes of the type that stand deeper in a node than directly below
// it, as in a quote or an item, and how many there are. It returns none if one stands directly
// below, or none anywhere.
func nestedIn(doc *markdown.Document, n Node, t Type) (list []Candidate, count int) {
	first, end := childRange(doc, n)
	for i := first; i < end; i++ {
		b := &doc.Blocks[i]
		switch {
		case !t.matches(b):
			continue
		case int(b.Parent) < first:
			return nil, 0
		case count < maxSuggestions:
			list = append(list, CandidateOf(doc, NodeOfBlock(doc, i)))
		}
		count++
	}
	return list, count
}

// toldDeeper says how many nodes of the type nestedIn has found, "" for none.
func toldDeeper(count int, t Type) string {
	verb := " stands"
	switch {
	case count == 0:
		return ""
	case count > 1:
		verb = " stand"
	}
	return ", but " + number(count, types[t].noun) + verb + " deeper in it"
}
