package search

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"regexp/syntax"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"
)

// Whether a line matches an expression is told by a deterministic automaton that is made while
// it runs (Thompson's simulation, its sets of instructions kept as states): a look into a table
// for each byte, many times as fast as package regexp, which also tells where. A state is what
// the expression may be in the middle of, and what kind of character stands before.

const (
	// maxTable is the number of entries of the tables of an automaton. If more are needed they
	// are made anew.
	maxTable = 1 << 18
	// maxRemade is how often tables are made anew before package regexp does the work.
	maxRemade = 8
)

// The first states.
const (
	unmade  = iota // not made yet
	matched        // the line matches, whatever follows
	begun          // at the start of a line
)

// automaton tells which lines match an expression. It must not be used by several goroutines at
// once.
type automaton struct {
	prog   *syntax.Prog
	slow   *regexp.Regexp
	bounds []rune                // where classes of characters begin, which no instruction tells apart
	ascii  [utf8.RuneSelf]uint16 // the class of a character
	end    int                   // the class of the end of a line, which is the number of the others
	width  int                   // of a state in next
	next   []int32               // by state and class
	states []state
	known  map[string]int32
	remade int

	seen  []bool // of instructions, in a step
	stack []uint32
	key   []byte
}

// state is a set of instructions, with the character before.
type state struct {
	at     []uint32
	before rune // -1, 'a' or ' ': the start of the line, a letter of a word, another one
}

// newAutomaton returns the automaton of an expression; slow is the same one.
func newAutomaton(re *syntax.Regexp, slow *regexp.Regexp) (*automaton, error) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	a := &automaton{prog: prog, slow: slow, seen: make([]bool, len(prog.Inst))}
	a.bounds = boundsOf(prog)
	for c := range a.ascii {
		a.ascii[c] = uint16(a.classOf(rune(c)))
	}
	a.end = len(a.bounds)
	a.ascii['\n'], a.ascii['\r'] = uint16(a.end), uint16(a.end)
	a.width = a.end + 1
	a.reset()
	return a, nil
}

// boundsOf returns where classes of characters begin.
func boundsOf(prog *syntax.Prog) []rune {
	bounds := []rune{0, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	for i := range prog.Inst {
		switch in := &prog.Inst[i]; {
		case in.Op == syntax.InstRune1 || in.Op == syntax.InstRune && len(in.Rune) == 1:
			bounds = append(bounds, in.Rune[0], in.Rune[0]+1)
			for r := unicode.SimpleFold(in.Rune[0]); r != in.Rune[0]; r = unicode.SimpleFold(r) {
				bounds = append(bounds, r, r+1)
			}
		case in.Op == syntax.InstRune:
			for j := 0; j+1 < len(in.Rune); j += 2 {
				bounds = append(bounds, in.Rune[j], in.Rune[j+1]+1)
			}
		}
	}
	slices.Sort(bounds)
	return slices.Compact(bounds)
}

// classOf returns the class of a character.
func (a *automaton) classOf(r rune) int {
	return sort.Search(len(a.bounds), func(i int) bool { return a.bounds[i] > r }) - 1
}

// reset makes the tables of the first states.
func (a *automaton) reset() {
	a.states = append(a.states[:0], state{}, state{}, state{at: []uint32{uint32(a.prog.Start)}, before: -1})
	a.next = append(a.next[:0], make([]int32, 3*a.width)...)
	clear(a.next)
	a.known = map[string]int32{}
}

// matches reports whether a line matches.
func (a *automaton) matches(line []byte) bool {
	if a.remade > maxRemade {
		return a.slow.Match(line)
	}
	s := int32(begun)
	for i := 0; i < len(line); {
		var class int
		if c := line[i]; c < utf8.RuneSelf {
			class = int(a.ascii[c])
			i++
		} else {
			r, n := utf8.DecodeRune(line[i:])
			class = a.classOf(r)
			i += n
		}
		if s = a.after(s, class); s == matched {
			return true
		}
	}
	return a.after(s, a.end) == matched
}

// find returns an offset in the next line that matches, from the start of a line on, or at the
// end of that line; -1 if there is none.
func (a *automaton) find(src []byte, at int) int {
	if a.remade > maxRemade {
		return a.findSlowly(src, at)
	}
	s, fresh := int32(begun), true
	for i := at; i < len(src); {
		c := src[i]
		var class int
		size := 1
		if c < utf8.RuneSelf {
			class = int(a.ascii[c])
		} else {
			var r rune
			r, size = utf8.DecodeRune(src[i:])
			class = a.classOf(r)
		}
		if s = a.after(s, class); s == matched {
			return i
		}
		i += size
		if fresh = class == a.end; fresh {
			s = begun
			if c == '\r' && i < len(src) && src[i] == '\n' {
				i++
			}
		}
	}
	if !fresh && a.after(s, a.end) == matched {
		return len(src)
	}
	return -1
}

// findSlowly is find with package regexp.
func (a *automaton) findSlowly(src []byte, at int) int {
	for at < len(src) {
		line := lineAround(src, at, at)
		if a.slow.Match(src[line.Start:line.End]) {
			return at
		}
		at = afterLine(src, line.End)
	}
	return -1
}

// after returns the state after a character of a class.
func (a *automaton) after(s int32, class int) int32 {
	if next := a.next[int(s)*a.width+class]; next != unmade {
		return next
	}
	return a.step(s, class)
}

// step makes the state after a character of a class.
func (a *automaton) step(s int32, class int) int32 {
	from := a.states[s]
	r, before := rune(-1), ' '
	if class < a.end {
		r = a.bounds[class]
	}
	if syntax.IsWordChar(r) {
		before = 'a'
	}
	reached, done := a.reach(from, r)
	next := int32(matched)
	switch {
	case done:
	case class == a.end:
		next = begun
	default:
		if next = a.stateOf(state{reached, before}); next == unmade { // the tables are full
			a.remade++
			a.reset()
			return a.stateOf(state{reached, before})
		}
	}
	a.next[int(s)*a.width+class] = next
	return next
}

// reach returns the instructions that a character leads to, sorted, and whether the expression
// has matched before it.
func (a *automaton) reach(from state, r rune) (reached []uint32, done bool) {
	empty := syntax.EmptyOpContext(from.before, r)
	clear(a.seen)
	a.stack = append(a.stack[:0], from.at...)
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.seen[pc] {
			continue
		}
		a.seen[pc] = true
		switch in := &a.prog.Inst[pc]; in.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, in.Out, in.Arg)
		case syntax.InstNop, syntax.InstCapture:
			a.stack = append(a.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^empty == 0 {
				a.stack = append(a.stack, in.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if r >= 0 && in.MatchRune(r) {
				reached = append(reached, in.Out)
			}
		case syntax.InstFail:
		}
	}
	reached = append(reached, uint32(a.prog.Start))
	slices.Sort(reached)
	return slices.Compact(reached), false
}

// stateOf returns the number of a state, which it makes if there is none; unmade if there is no
// room for it.
func (a *automaton) stateOf(s state) int32 {
	a.key = append(a.key[:0], byte(s.before))
	for _, pc := range s.at {
		a.key = binary.LittleEndian.AppendUint32(a.key, pc)
	}
	if n, ok := a.known[string(a.key)]; ok {
		return n
	}
	if len(a.next)+a.width > max(maxTable, 8*a.width) {
		return unmade
	}
	n := int32(len(a.states))
	a.states = append(a.states, s)
	a.next = append(a.next, make([]int32, a.width)...)
	a.known[string(a.key)] = n
	return n
}

// lineAround returns the line that holds an offset, which doesn't begin before from.
func lineAround(src []byte, from, at int) Line {
	line := Line{Start: from + bytes.LastIndexAny(src[from:at], "\r\n") + 1, End: len(src)}
	if n := bytes.IndexAny(src[at:], "\r\n"); n >= 0 {
		line.End = at + n
	}
	return line
}

// afterLine returns where the line begins that follows one with this end.
func afterLine(src []byte, end int) int {
	if end+1 < len(src) && src[end] == '\r' && src[end+1] == '\n' {
		return end + 2
	}
	return end + 1
}
