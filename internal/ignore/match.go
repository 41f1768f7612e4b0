package ignore

import "bytes"

// All places of the pattern where a match may be are followed at once, byte by byte, so
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
	var room [2][64]bool
	now, next := room[0][:], room[1][:]
	states := p.states()
	if states > len(now) {
		now, next = make([]bool, states), make([]bool, states)
	}
	p.reach(now, 0)
	for _, c := range text[len(p.before):] {
		clear(next)
		alive := false
		for i := range states - 1 {
			if now[i] {
				alive = p.step(next, i, c) || alive
			}
		}
		if !alive {
			return false
		}
		now, next = next, now
	}
	return now[states-1]
}

// states is the number of places in the pattern behind before: one before each token and
// byte of after, and the end.
func (p *pattern) states() int { return len(p.tokens) + len(p.after) + 1 }

// at returns the token behind place i.
func (p *pattern) at(i int) token {
	if i < len(p.tokens) {
		return p.tokens[i]
	}
	return token{kind: literal, char: p.after[i-len(p.tokens)]}
}

// reach notes that a match may be at place i, and where it may be without another byte.
func (p *pattern) reach(places []bool, i int) {
	for !places[i] {
		places[i] = true
		if i == p.states()-1 {
			return
		}
		switch p.at(i).kind {
		case star, all:
			i++
		case folders: // there may be none; else the slash behind it ends them
			p.reach(places, i+1)
			i += 2
		default:
			return
		}
	}
}

// step notes where a match at place i may be after a byte, and reports whether it may be
// anywhere.
func (p *pattern) step(places []bool, i int, c byte) bool {
	switch t := p.at(i); t.kind {
	case literal:
		if c != t.char {
			return false
		}
		p.reach(places, i+1)
	case class:
		if t.class[c>>6]&(1<<(c&63)) == 0 {
			return false
		}
		p.reach(places, i+1)
	case star:
		if c == '/' && p.isPath {
			return false
		}
		p.reach(places, i)
	case all:
		p.reach(places, i)
	case folders:
		places[i] = true
		places[i+1] = true
	}
	return true
}
