package sectiondiff

import (
	"bytes"
	"hash/maphash"
)

const (
	// leastSiblingLikeness is how much two sections below the same section must have in
	// common to be the same one under another title.
	leastSiblingLikeness = 0.5
	// leastMovedLikeness is the same for sections that stand apart, and leastNamedLikeness
	// for those of them with the same title.
	leastMovedLikeness = 0.6
	leastNamedLikeness = 0.3
	// leastLikeWords is the number of words below which two texts that stand apart and have
	// other titles say nothing.
	leastLikeWords = 12
)

// likeness returns how much of two sections is the same, 0 to 1: of the words of their own
// texts, or, where these have too few, of the titles below them.
func (c *comparison) likeness(old, now int) float64 {
	a, b := &c.old.list[old], &c.now.list[now]
	if a.ownWords()+b.ownWords() >= leastMovedWords {
		return share(commonWords(c.old.seed, a.body, b.body), a.ownWords(), b.ownWords())
	}
	titles := map[string]int{}
	for _, child := range a.children {
		titles[c.old.list[child].title]++
	}
	common := 0
	for _, child := range b.children {
		if title := c.now.list[child].title; titles[title] > 0 {
			titles[title]--
			common++
		}
	}
	return share(common, len(a.children), len(b.children))
}

// share returns the share of what is common in what both have; 0 if they have nothing.
func share(common, a, b int) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * float64(common) / float64(a+b)
}

// commonWords returns the number of words that are in both texts, each as often as it is in
// both.
func commonWords(seed maphash.Seed, a, b []byte) int {
	count := map[uint64]int{}
	for word := range bytes.FieldsSeq(a) {
		count[maphash.Bytes(seed, word)]++
	}
	common := 0
	for word := range bytes.FieldsSeq(b) {
		if h := maphash.Bytes(seed, word); count[h] > 0 {
			count[h]--
			common++
		}
	}
	return common
}

// matchLikeness matches sections that have been moved and changed, by the lines that they
// have in common.
func (c *comparison) matchLikeness() {
	lines := map[uint64][]int{} // by a line's hash: the old sections that have it
	titles := map[string][]int{}
	for at := range c.old.list {
		of := &c.old.list[at]
		if of.match >= 0 || of.index < 0 {
			continue
		}
		titles[of.title] = append(titles[of.title], at)
		for line := range linesOf(of.body) {
			h := maphash.Bytes(c.old.seed, line)
			if list := lines[h]; len(list) <= maxRivals && (len(list) == 0 || list[len(list)-1] != at) {
				lines[h] = append(list, at)
			}
		}
	}
	if len(titles) == 0 {
		return
	}
	var list []candidate
	for at := range c.now.list {
		of := &c.now.list[at]
		if of.match >= 0 || of.index < 0 {
			continue
		}
		rivals := map[int]bool{}
		if named := titles[of.title]; len(named) <= maxRivals {
			for _, old := range named {
				rivals[old] = true
			}
		}
		for line := range linesOf(of.body) {
			if found := lines[maphash.Bytes(c.old.seed, line)]; len(found) <= maxRivals && len(rivals) <= maxRivals {
				for _, old := range found {
					rivals[old] = true
				}
			}
		}
		for old := range rivals {
			if p, ok := c.isLike(old, at); ok {
				list = append(list, p)
			}
		}
	}
	c.pairBest(list)
}

// isLike returns two sections that stand apart as candidates, if they have enough in common.
func (c *comparison) isLike(old, now int) (candidate, bool) {
	a, b := &c.old.list[old], &c.now.list[now]
	l := c.likeness(old, now)
	if a.title == b.title {
		return candidate{old, now, l}, l >= leastNamedLikeness
	}
	return candidate{old, now, l}, l >= leastMovedLikeness && min(a.ownWords(), b.ownWords()) >= leastLikeWords
}

// linesOf yields the lines of a text that aren't blank, without blanks around them.
func linesOf(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(text) {
			if line = bytes.TrimSpace(line); len(line) > 0 && !yield(line) {
				return
			}
		}
	}
}
