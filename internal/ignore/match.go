package ignore

import "bytes"

// All places of the pattern where a match may be are followed at once, a bit for each, so
// that no pattern makes another try from the beginning: a backtracking matcher takes
// exponential time for some.

// match reports whether the pattern matches all of the text.
func (p *pattern) match(text []byte) bool {
	switch {
	case p.never || len(text) < len(p.before)+len(p.after):
		return false
	case !bytes.HasPrefix(text, p.before) || !bytes.HasSuffix(text, p.after):
		return false
	case len(p.tokens) == 1 && p.tokens[0].kind == star && !p.isPath:
		return true // "*.log"
	}
	var f follower
	var room [32]uint64
	f.begin(p, room[:])
	for _, c := range text[len(p.before):] {
		if !f.step(c) {
			return false
		}
	}
	last := p.states() - 1
	return f.now[last>>6]>>(last&63)&1 == 1
}

// states is the number of places in the pattern behind before: one before each token and
// byte of after, and the end.
func (p *pattern) states() int { return len(p.tokens) + len(p.after) + 1 }

// follower follows the places of a pattern where a match may be. Its sets have a bit for each place.
type follower struct {
	*pattern
	now, next            []uint64
	stars, alls, folders []uint64    // the places before such tokens
	masks                []uint64    // of each byte that was met, the places from which it leads to the next
	maskOf               [256]uint16 // which of them is that of a byte, from 1; 0 for none
}

// begin goes to where a match begins. It takes what it needs from a slice of zeros, if that is enough.
func (f *follower) begin(p *pattern, sets []uint64) {
	words := (p.states() + 63) >> 6
	if 5*words > len(sets) {
		sets = make([]uint64, 5*words)
	}
	f.pattern = p
	for _, set := range []*[]uint64{&f.now, &f.next, &f.stars, &f.alls, &f.folders} {
		*set, sets = sets[:words:words], sets[words:]
	}
	f.masks = sets[:0]
	for i := range p.tokens {
		switch p.tokens[i].kind {
		case star:
			add(f.stars, i)
		case all:
			add(f.alls, i)
		case folders:
			add(f.folders, i)
		}
	}
	add(f.now, 0)
	var over skipped
	for w := range f.now {
		f.now[w] = f.skip(w, f.now[w], 0, &over)
	}
}

func add(set []uint64, place int) { set[place>>6] |= 1 << (place & 63) }

// step follows all matches over a byte, and reports whether there is one still.
func (f *follower) step(c byte) bool {
	leads := f.leads(c)
	anyStars := ^uint64(0)
	if c == '/' && f.isPath {
		anyStars = 0
	}
	var over skipped
	var moved, alive uint64
	for w, now := range f.now {
		stays := now & (f.stars[w]&anyStars | f.alls[w] | f.folders[w])
		leaves := now & leads[w]
		f.next[w] = f.skip(w, leaves<<1|moved, stays, &over)
		moved = leaves >> 63
		alive |= f.next[w]
	}
	f.now, f.next = f.next, f.now
	return alive != 0
}

// skipped are the places in the next word to which tokens lead that may match nothing.
type skipped struct{ folders, stars uint64 }

// skip returns places of a word that were come to or stayed at, with those where a match may be without
// another byte: behind a star, and behind folders that were just come to and the slash after them, where
// another star may be.
func (f *follower) skip(w int, come, stays uint64, over *skipped) uint64 {
	none := come & f.folders[w]
	places := come | stays | none<<1 | none<<2 | over.folders
	over.folders = none>>63 | none>>62
	none = places & (f.stars[w] | f.alls[w])
	places |= none<<1 | over.stars
	over.stars = none >> 63
	return places
}

// leads returns the places from which a byte leads to the next.
func (f *follower) leads(c byte) []uint64 {
	words := len(f.now)
	if n := int(f.maskOf[c]); n > 0 {
		return f.masks[(n-1)*words : n*words]
	}
	for range words {
		f.masks = append(f.masks, 0)
	}
	f.maskOf[c] = uint16(len(f.masks) / words) //nolint:gosec // there are 256 at most
	leads := f.masks[len(f.masks)-words:]
	for i := range f.tokens {
		switch t := &f.tokens[i]; t.kind {
		case literal:
			if c == t.char {
				add(leads, i)
			}
		case class:
			if t.class[c>>6]&(1<<(c&63)) != 0 {
				add(leads, i)
			}
		case folders:
			add(leads, i)
		}
	}
	for i, char := range f.after {
		if c == char {
			add(leads, len(f.tokens)+i)
		}
	}
	return leads
}
