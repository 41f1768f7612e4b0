// Package opening says how lines begin in which a regular expression can be found, so that most
// lines need not be searched.
package opening

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// An Opening says how lines begin, after spaces and tabs, in which an expression can
// be found. It spares most lines the expression, which costs fifty times as much.
type Opening struct {
	First  [256]bool // the bytes one of which comes first
	Prefix string    // the bytes that come first
	empty  bool      // or nothing need come
}

// Fits reports whether the expression may be in a line that has bare after its spaces
// and tabs.
func (o *Opening) Fits(bare string) bool {
	return o.empty || bare != "" && o.First[bare[0]] && strings.HasPrefix(bare, o.Prefix)
}

// maxOpening is how many bytes of a prefix are worth comparing.
const maxOpening = 8

// Of returns the opening of an expression. It walks through the program of the expression
// as a search would.
func Of(prog *syntax.Prog) Opening {
	anything := Opening{empty: true}
	for b := range anything.First {
		anything.First[b] = true
	}
	if prog.StartCond()&syntax.EmptyBeginText == 0 { // it may begin anywhere
		return anything
	}
	w := newWalk(prog)
	w.enter(uint32(prog.Start))        //nolint:gosec // the number of an instruction
	for done := 0; done < len(w.at); { // go over the indentation, which finds more
		in := w.at[done]
		done++
		if in.MatchRune(' ') || in.MatchRune('\t') {
			w.enter(in.Out)
		}
	}
	if w.ends {
		return anything
	}
	o := Opening{First: w.bytes()}
	o.First[' '], o.First['\t'] = false, false
	for set := o.First; len(o.Prefix) < maxOpening; set = w.bytes() {
		only, ok := single(&set)
		if !ok {
			break
		}
		o.Prefix += string(only)
		if w = w.after(only); w.ends {
			break
		}
	}
	return o
}

// A walk is the set of instructions that a search stands before.
type walk struct {
	prog *syntax.Prog
	at   []*syntax.Inst // those that take a character
	seen []bool         // by number of the instruction
	ends bool           // something is found without another character
}

func newWalk(prog *syntax.Prog) walk { return walk{prog: prog, seen: make([]bool, len(prog.Inst))} }

// enter goes to an instruction, and on to all that follow without a character.
func (w *walk) enter(pc uint32) {
	for todo := []uint32{pc}; len(todo) > 0; {
		pc, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if w.seen[pc] {
			continue
		}
		w.seen[pc] = true
		switch in := &w.prog.Inst[pc]; in.Op {
		case syntax.InstMatch:
			w.ends = true
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			todo = append(todo, in.Out)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			w.at = append(w.at, in)
		case syntax.InstFail:
		}
	}
}

// after returns the walk after a character.
func (w *walk) after(c byte) walk {
	next := newWalk(w.prog)
	for _, in := range w.at {
		if in.MatchRune(rune(c)) {
			next.enter(in.Out)
		}
	}
	return next
}

// bytes returns the bytes that a character can begin with which comes next. All that
// aren't ASCII count as one.
func (w *walk) bytes() (first [256]bool) {
	for _, in := range w.at {
		for b := range utf8.RuneSelf {
			first[b] = first[b] || in.MatchRune(rune(b))
		}
		last := in.Rune[len(in.Rune)-1] // of ranges in order
		wide := last >= utf8.RuneSelf || in.Arg&uint32(syntax.FoldCase) != 0
		for b := utf8.RuneSelf; b < len(first); b++ {
			first[b] = first[b] || wide
		}
	}
	return first
}

// single returns the byte that the set has, if it has one alone, and that is ASCII.
func single(set *[256]bool) (only byte, ok bool) {
	for b, in := range set {
		switch {
		case in && (ok || b >= utf8.RuneSelf):
			return 0, false
		case in:
			only, ok = byte(b), true
		}
	}
	return only, ok
}
