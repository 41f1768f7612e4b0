package ignore

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
)

// All places of all patterns where a match may be are followed at once, a bit for each, so that no
// pattern makes another try from the beginning, for which a backtracking matcher takes exponential
// time, and that many patterns take little more time than one.

// machine are the patterns of an ignore file that are compared with names, or those that are compared
// with paths. Its sets have a bit for each place: before each token of a pattern, and at its end.
type machine struct {
	isPath               bool
	starts               []start // in the order of the bytes before
	stars, alls, folders []uint64
	classOf              [256]uint8 // what bytes are one to all tokens
	leads                [][]uint64 // of each of these, the places from which it leads to the next
}

// start is where a pattern begins that isn't told by what texts begin and end with.
type start struct {
	*pattern
	place, end int
}

// newMachine takes the tokens of those patterns that are compared with paths, or with names.
func newMachine(patterns []pattern, isPath bool) *machine {
	m := &machine{isPath: isPath}
	places := 0
	for i := range patterns {
		p := &patterns[i]
		if p.isPath != isPath || p.never || p.isEnds() {
			continue
		}
		m.starts = append(m.starts, start{p, places, places + p.states() - 1})
		places += p.states()
	}
	words := (places + 63) >> 6
	m.stars, m.alls, m.folders = make([]uint64, words), make([]uint64, words), make([]uint64, words)
	for range m.divide() {
		m.leads = append(m.leads, make([]uint64, words))
	}
	samples := m.samples()
	for _, s := range m.starts {
		for i, t := range s.tokens {
			switch place := s.place + i; t.kind {
			case star:
				add(m.stars, place)
			case all:
				add(m.alls, place)
			case folders:
				add(m.folders, place)
			case literal, class:
			}
			for class, c := range samples {
				if t.leads(c) {
					add(m.leads[class], s.place+i)
				}
			}
		}
		for i, c := range s.after {
			add(m.leads[m.classOf[c]], s.place+len(s.tokens)+i)
		}
	}
	slices.SortStableFunc(m.starts, func(a, b start) int { return cmp.Compare(len(a.before), len(b.before)) })
	return m
}

// divide gives bytes that any token tells apart different classes, and returns how many there are.
func (m *machine) divide() (classes int) {
	d := division{of: &m.classOf, classes: 1}
	d.size[0] = len(m.classOf)
	seen := map[[4]uint64]bool{}
	split := func(set [4]uint64) {
		if !seen[set] {
			seen[set] = true
			d.split(set)
		}
	}
	for _, s := range m.starts {
		for _, t := range s.tokens {
			switch t.kind {
			case literal:
				split(only(t.char))
			case class:
				split(*t.class)
			case star, all, folders:
			}
		}
		for _, c := range s.after {
			split(only(c))
		}
	}
	return d.classes
}

// only returns the set of a byte.
func only(c byte) (set [4]uint64) {
	add(set[:], int(c))
	return set
}

// division is of all bytes into classes.
type division struct {
	of      *[256]uint8
	classes int
	size    [256]int // of each class, in bytes

	inside, other [256]int // what split counts; 0 between its calls
}

// split divides each class into the bytes of a set and the others. It takes as long as there are bytes in
// the set, or others.
func (d *division) split(set [4]uint64) {
	var members []byte
	isIn := true
	if n := bits.OnesCount64(set[0]) + bits.OnesCount64(set[1]) + bits.OnesCount64(set[2]) + bits.OnesCount64(set[3]); n > 128 {
		isIn = false
	}
	for w, word := range set {
		if !isIn {
			word = ^word
		}
		for ; word != 0; word &= word - 1 {
			members = append(members, byte(w<<6+bits.TrailingZeros64(word))) //nolint:gosec // there are 256
		}
	}
	for _, c := range members {
		d.inside[d.of[c]]++
	}
	for _, c := range members {
		class := d.of[c]
		if n := d.inside[class]; n > 0 && n < d.size[class] {
			d.other[class], d.size[d.classes] = d.classes, n
			d.size[class] -= n
			d.classes++
		}
		d.inside[class] = 0
	}
	var left [256]bool // classes that were divided
	for _, c := range members {
		if class := d.of[c]; d.other[class] > 0 {
			d.of[c], left[class] = uint8(d.other[class]), true //nolint:gosec // there are 256 at most
		}
	}
	for class, is := range left {
		if is {
			d.other[class] = 0
		}
	}
}

// samples returns a byte of each class.
func (m *machine) samples() []byte {
	samples := make([]byte, len(m.leads))
	for c, class := range m.classOf {
		samples[class] = byte(c)
	}
	return samples
}

func add(set []uint64, place int)      { set[place>>6] |= 1 << (place & 63) }
func has(set []uint64, place int) bool { return set[place>>6]>>(place&63)&1 == 1 }

// leads reports whether a byte leads over a token. Folders lead to the slash after them by any.
func (t *token) leads(c byte) bool {
	switch t.kind {
	case literal:
		return c == t.char
	case class:
		return t.class[c>>6]&(1<<(c&63)) != 0
	case folders:
		return true
	case star, all:
	}
	return false
}

// states is the number of places in the pattern behind before: one before each token and
// byte of after, and the end.
func (p *pattern) states() int { return len(p.tokens) + len(p.after) + 1 }

// isEnds reports whether any text matches that begins and ends as the pattern does: "*.log".
func (p *pattern) isEnds() bool { return len(p.tokens) == 1 && p.tokens[0].kind == star && !p.isPath }

// mayMatch reports whether a text begins and ends as those do that match.
func (p *pattern) mayMatch(text []byte) bool {
	return !p.never && len(text) >= len(p.before)+len(p.after) && bytes.HasPrefix(text, p.before) && bytes.HasSuffix(text, p.after)
}

// matching returns the numbers of the patterns behind one that match all of the text, those apart that
// isEnds is about.
func (m *machine) matching(text []byte, behind int) map[int]bool {
	var begin []start
	for _, s := range m.starts {
		if s.number > behind && s.mayMatch(text) {
			begin = append(begin, s)
		}
	}
	if len(begin) == 0 {
		return nil
	}
	f := follower{m, make([]uint64, len(m.stars)), make([]uint64, len(m.stars))}
	left := begin
	for i := 0; ; i++ {
		for len(left) > 0 && len(left[0].before) == i {
			add(f.come, left[0].place)
			left = left[1:]
		}
		if i == len(text) {
			break
		}
		if !f.step(text[i]) && len(left) == 0 {
			return nil
		}
	}
	f.settle()
	matching := map[int]bool{}
	for _, s := range begin {
		if has(f.come, s.end) {
			matching[s.number] = true
		}
	}
	return matching
}

// follower are the places where a match may be.
type follower struct {
	*machine
	come, stays []uint64 // those that were just come to, and those that were stayed at
}

// step follows all matches over a byte, and reports whether there is one still.
func (f *follower) step(c byte) bool {
	leads, anyStars := f.leads[f.classOf[c]], ^uint64(0)
	if c == '/' && f.isPath {
		anyStars = 0
	}
	var over skipped
	var moved, alive uint64
	for w := range f.come {
		now := f.skip(w, &over)
		leaves := now & leads[w]
		f.come[w] = leaves<<1 | moved
		f.stays[w] = now & (f.stars[w]&anyStars | f.alls[w] | f.folders[w])
		moved = leaves >> 63
		alive |= f.come[w] | f.stays[w] | moved
	}
	return alive != 0
}

// settle puts all places where a match may be into come.
func (f *follower) settle() {
	var over skipped
	for w := range f.come {
		f.come[w] = f.skip(w, &over)
	}
}

// skipped are the places in the next word to which tokens lead that may match nothing.
type skipped struct{ folders, stars uint64 }

// skip returns the places of a word, with those where a match may be without another byte: behind a
// star, and behind folders that were just come to and the slash after them, where another star may be.
func (f *follower) skip(w int, over *skipped) uint64 {
	none := f.come[w] & f.folders[w]
	places := f.come[w] | f.stays[w] | none<<1 | none<<2 | over.folders
	over.folders = none>>63 | none>>62
	none = places & (f.stars[w] | f.alls[w])
	places |= none<<1 | over.stars
	over.stars = none >> 63
	return places
}
