// Package linediff finds what differs between two lists of lines and writes it as a unified
// diff; and it finds a text in another one, or what is most like it there.
//
// Lists are compared by their longest common subsequence, with a limit on the effort. Beyond
// it, lines that are there once on either side, and in the same order, are taken for the
// same ones (Bram Cohen's patience diff), and what is between two of them is compared as
// before: so long texts fall into short ones. Where that doesn't help, more lines than
// needed count as changed.
//
// Which file holds what:
//
//   - linediff.go: lists of lines
//   - find.go: where a text is; closest.go, fold.go: where it is but for what usually gets lost;
//     similar.go: what is most like it
//   - unified.go: two texts as a unified diff
//   - moved.go: lines that one text loses and another one gets
package linediff

import (
	"slices"
	"sort"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// MaxLines is the number of lines of both lists beyond which all of them count as changed,
// but for those at both ends.
const MaxLines = 1 << 19

// Compare returns what makes b of a. Between two differences at least one line is the same.
func Compare(a, b []string) []lcs.Diff {
	if slices.Equal(a, b) {
		return nil
	}
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if len(a)+len(b)-2*(head+tail) > MaxLines {
		return []lcs.Diff{{Start: head, End: len(a) - tail, ReplStart: head, ReplEnd: len(b) - tail}}
	}
	n := numbering{of: map[string]rune{}}
	c := lineComparison{a: n.all(a[head : len(a)-tail]), b: n.all(b[head : len(b)-tail]), at: head}
	c.compare(len(n.of))
	return c.found
}

// numbering gives each string a number, by which it is known from then on.
type numbering struct {
	of   map[string]rune
	next rune
}

// all returns the numbers of strings.
func (n *numbering) all(list []string) []rune {
	out := make([]rune, len(list))
	for i, s := range list {
		number, ok := n.of[s]
		if !ok {
			number = n.next
			n.of[s] = number
			n.next++
		}
		out[i] = number
	}
	return out
}

// lineComparison is what two lists are compared with.
type lineComparison struct {
	a, b  []rune
	at    int // index of the first of both
	found []lcs.Diff
}

// pair is the index of an element in a and in b.
type pair struct{ a, b int }

// compare finds the differences; kinds is the number of different elements.
func (c *lineComparison) compare(kinds int) {
	unique := longestRise(c.unique(kinds))
	if len(unique) == 0 || len(c.a)+len(c.b) <= maxWhole {
		c.between(pair{}, pair{len(c.a), len(c.b)})
	}
	all := c.found
	if len(unique) == 0 || len(all) > 0 && cost(all) <= maxExact {
		return
	}
	c.found = nil
	c.compareParts(unique)
	if len(all) > 0 && cost(all) < cost(c.found) {
		c.found = all
	}
}

const (
	// maxWhole is the number of elements up to which they are compared at once.
	maxWhole = 1 << 15
	// maxExact is the number of changes up to which package lcs finds the fewest.
	maxExact = 90
)

// cost returns how many elements change.
func cost(list []lcs.Diff) int {
	n := 0
	for _, d := range list {
		n += d.End - d.Start + d.ReplEnd - d.ReplStart
	}
	return n
}

// compareParts finds the differences between the elements that are the same.
func (c *lineComparison) compareParts(same []pair) {
	var last pair
	for _, p := range append(same, pair{len(c.a), len(c.b)}) {
		if p.a < last.a {
			continue // part of the equal elements after the pair before
		}
		// What is equal up to the pair belongs to it, as does what is after it.
		from := p
		for from.a > last.a && from.b > last.b && c.a[from.a-1] == c.b[from.b-1] {
			from.a--
			from.b--
		}
		c.between(last, from)
		for last = p; last.a < len(c.a) && last.b < len(c.b) && c.a[last.a] == c.b[last.b]; {
			last.a++
			last.b++
		}
	}
}

// between finds the differences from one pair to another.
func (c *lineComparison) between(from, to pair) {
	for _, d := range lcs.DiffRunes(c.a[from.a:to.a], c.b[from.b:to.b]) {
		c.found = append(c.found, lcs.Diff{
			Start: c.at + from.a + d.Start, End: c.at + from.a + d.End,
			ReplStart: c.at + from.b + d.ReplStart, ReplEnd: c.at + from.b + d.ReplEnd,
		})
	}
}

// unique returns the pairs of elements that are there once in a and once in b, in
// the order of a.
func (c *lineComparison) unique(kinds int) []pair {
	const none, many = 0, -1
	inA, inB := make([]int, kinds), make([]int, kinds) // the index and 1, none or many
	note := func(in []int, i int, n rune) {
		if in[n] == none {
			in[n] = i + 1
		} else {
			in[n] = many
		}
	}
	for i, n := range c.a {
		note(inA, i, n)
	}
	for i, n := range c.b {
		note(inB, i, n)
	}
	var pairs []pair
	for i, n := range c.a {
		if inA[n] > 0 && inB[n] > 0 {
			pairs = append(pairs, pair{i, inB[n] - 1})
		}
	}
	return pairs
}

// longestRise returns the longest part of the pairs, which rise in a, that rises
// in b too.
func longestRise(pairs []pair) []pair {
	var tops []int // the pair that a rise of this length ends with, the lowest in b
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(tops), func(k int) bool { return pairs[tops[k]].b >= p.b })
		before[i] = -1
		if n > 0 {
			before[i] = tops[n-1]
		}
		if n == len(tops) {
			tops = append(tops, i)
		}
		tops[n] = i
	}
	var rise []pair
	if len(tops) > 0 {
		for i := tops[len(tops)-1]; i >= 0; i = before[i] {
			rise = append(rise, pairs[i])
		}
	}
	slices.Reverse(rise)
	return rise
}
