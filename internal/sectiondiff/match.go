package sectiondiff

import (
	"cmp"
	"slices"
)

// How sections of both sides find each other. Each step takes only those that the steps
// before it have left, from the highest level down, and whenever two sections are matched
// those below them are matched by title at once: then what is below a section that was
// renamed or moved is where it was.

const (
	// leastMovedWords is the number of words from which on a text alone, below another title,
	// tells that it is the same section.
	leastMovedWords = 4
	// maxRivals is the number of sections with the same text, or of one parent, beyond which
	// they aren't compared with each other.
	maxRivals = 24
)

// match matches the sections of both sides.
func (c *comparison) match() error {
	for _, r := range c.roots {
		if r[0] >= 0 && r[1] >= 0 {
			c.pair(r[0], r[1])
		}
	}
	c.matchDocuments()
	whole := func(s *side, at int) (uint64, bool) { return s.list[at].whole, s.allWords(at) >= leastMovedWords }
	own := func(s *side, at int) (uint64, bool) { return s.list[at].own, s.list[at].ownWords() >= leastMovedWords }
	steps := []func(){
		func() { c.matchTexts(whole) },
		func() { c.matchTexts(own) },
		c.matchSiblings,
		c.matchLikeness,
	}
	for _, step := range steps {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		step()
	}
	return nil
}

// pair matches two sections, and those below them that have the same title.
func (c *comparison) pair(old, now int) {
	c.old.list[old].match, c.now.list[now].match = now, old
	byTitle := map[string][]int{}
	for _, child := range c.now.list[now].children {
		if of := &c.now.list[child]; of.match < 0 {
			byTitle[of.title] = append(byTitle[of.title], child)
		}
	}
	twins := map[string][]int{}
	for _, child := range c.old.list[old].children {
		if of := &c.old.list[child]; of.match < 0 && byTitle[of.title] != nil {
			twins[of.title] = append(twins[of.title], child)
		}
	}
	for _, child := range c.old.list[old].children {
		title := c.old.list[child].title
		if olds := twins[title]; olds != nil {
			c.pairTwins(olds, byTitle[title])
			delete(twins, title)
		}
	}
}

// pairTwins matches sections with one title: those with the same text first, and then in
// their order.
func (c *comparison) pairTwins(olds, nows []int) {
	if len(olds) > 1 || len(nows) > 1 {
		for _, hash := range []func(*section) uint64{
			func(of *section) uint64 { return of.whole }, func(of *section) uint64 { return of.own },
		} {
			same := map[uint64][]int{}
			for _, now := range nows {
				if of := &c.now.list[now]; of.match < 0 {
					same[hash(of)] = append(same[hash(of)], now)
				}
			}
			for _, old := range olds {
				of := &c.old.list[old]
				if list := same[hash(of)]; of.match < 0 && len(list) > 0 {
					same[hash(of)] = list[1:]
					c.pair(old, list[0])
				}
			}
		}
	}
	isFree := func(s *side) func(int) bool { return func(at int) bool { return s.list[at].match >= 0 } }
	olds, nows = slices.DeleteFunc(slices.Clone(olds), isFree(&c.old)), slices.DeleteFunc(slices.Clone(nows), isFree(&c.now))
	for i := range min(len(olds), len(nows)) {
		c.pair(olds[i], nows[i])
	}
}

// matchDocuments matches documents that are on one side alone with those on the other that
// are the same, and then with those that have most of their sections' texts.
func (c *comparison) matchDocuments() {
	c.matchSameDocuments()
	gone := map[uint64][]int{} // by the text of a section: documents that have it
	for _, r := range c.roots {
		if r[0] >= 0 && r[1] < 0 {
			for at, end := r[0], r[0]+c.old.size(r[0]); at < end; at++ {
				if of := &c.old.list[at]; len(of.body) > 0 {
					gone[of.own] = append(gone[of.own], r[0])
				}
			}
		}
	}
	for _, r := range c.roots {
		if r[0] >= 0 || r[1] < 0 || c.now.list[r[1]].match >= 0 {
			continue
		}
		shared, all := map[int]int{}, 0
		for at, end := r[1], r[1]+c.now.size(r[1]); at < end; at++ {
			of := &c.now.list[at]
			all += of.ownWords()
			if rivals := gone[of.own]; len(rivals) <= maxRivals {
				for _, root := range rivals {
					shared[root] += of.ownWords()
				}
			}
		}
		best := -1
		for root, words := range shared {
			if c.old.list[root].match >= 0 || 2*words <= all {
				continue
			}
			if best < 0 || words > shared[best] || words == shared[best] && root < best {
				best = root
			}
		}
		if best >= 0 {
			c.pair(best, r[1])
		}
	}
}

// matchSameDocuments matches documents that are on one side alone with those on the other that
// have all of their titles and texts, in the order of both.
func (c *comparison) matchSameDocuments() {
	gone := map[uint64][]int{}
	for _, r := range c.roots {
		if r[0] >= 0 && r[1] < 0 {
			whole := c.old.list[r[0]].whole
			gone[whole] = append(gone[whole], r[0])
		}
	}
	for _, r := range c.roots {
		if r[0] >= 0 || r[1] < 0 || c.now.allWords(r[1]) == 0 {
			continue
		}
		whole := c.now.list[r[1]].whole
		if same := gone[whole]; len(same) > 0 {
			gone[whole] = same[1:]
			c.pair(same[0], r[1])
		}
	}
}

// matchTexts matches sections with the same hash, of those that have one.
func (c *comparison) matchTexts(hash func(s *side, at int) (uint64, bool)) {
	same := map[uint64][]int{}
	for at := range c.now.list {
		if of := &c.now.list[at]; of.match < 0 && of.index >= 0 {
			if h, ok := hash(&c.now, at); ok {
				same[h] = append(same[h], at)
			}
		}
	}
	if len(same) == 0 {
		return
	}
	for at := range c.old.list {
		of := &c.old.list[at]
		if of.match >= 0 || of.index < 0 {
			continue
		}
		h, ok := hash(&c.old, at)
		if rivals := same[h]; ok && len(rivals) > 0 {
			if now := c.nearest(at, rivals); now >= 0 {
				c.pair(at, now)
			}
		}
	}
}

// nearest returns the section of some with the same text that an old one most probably is
// now; -1 if all of them are matched.
func (c *comparison) nearest(old int, rivals []int) int {
	best, most := -1, -1
	for _, now := range rivals[:min(len(rivals), maxRivals)] {
		if c.now.list[now].match >= 0 {
			continue
		}
		if n := c.nearness(old, now); n > most {
			best, most = now, n
		}
	}
	return best
}

// nearness says how near two sections stand to each other, and whether their titles are the
// same.
func (c *comparison) nearness(old, now int) int {
	a, b := &c.old.list[old], &c.now.list[now]
	n := 0
	if a.title == b.title {
		n += 4
	}
	if c.old.list[a.parent].match == b.parent {
		n += 2
	}
	if a.doc == b.doc {
		n++
	}
	return n
}

// matchSiblings matches sections below the same section that have been renamed and changed.
func (c *comparison) matchSiblings() {
	for at := range c.now.list {
		of := &c.now.list[at]
		if of.match < 0 {
			continue
		}
		olds, nows := c.old.free(of.match), c.now.free(at)
		if len(olds) == 0 || len(nows) == 0 || len(olds) > maxRivals || len(nows) > maxRivals {
			continue
		}
		c.pairLikest(olds, nows, leastSiblingLikeness)
	}
}

// free returns the sections directly below one that aren't matched.
func (s *side) free(at int) []int {
	var list []int
	for _, child := range s.list[at].children {
		if s.list[child].match < 0 {
			list = append(list, child)
		}
	}
	return list
}

// candidate is two sections that may be the same.
type candidate struct {
	old, now int
	likeness float64 // 0 to 1
}

// pairLikest matches the sections that have the most in common, if that is enough.
func (c *comparison) pairLikest(olds, nows []int, least float64) {
	var list []candidate
	for _, old := range olds {
		for _, now := range nows {
			if l := c.likeness(old, now); l >= least {
				list = append(list, candidate{old, now, l})
			}
		}
	}
	c.pairBest(list)
}

// pairBest matches candidates, the likest first.
func (c *comparison) pairBest(list []candidate) {
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), a.old-b.old, a.now-b.now)
	})
	for _, p := range list {
		if c.old.list[p.old].match < 0 && c.now.list[p.now].match < 0 {
			c.pair(p.old, p.now)
		}
	}
}
