package plan

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"
)

// An expression is a regular expression of a configuration, compiled. It doesn't
// change, so that grammars can share it.
type expression struct {
	re      *regexp.Regexp
	steps   int     // of the program that it is compiled to
	of      []group // for each subexpression of re, its group or numGroups
	opening opening
}

// presetExpressions keeps the expressions of the presets by their source, of which
// there are some twenty.
var presetExpressions sync.Map

// presetExpression returns the expression for a pattern of a preset.
func presetExpression(source string) (*expression, error) {
	if e, ok := presetExpressions.Load(source); ok {
		return e.(*expression), nil
	}
	e, err := compileExpression(source)
	if err == nil {
		presetExpressions.Store(source, e)
	}
	return e, err
}

// maxSteps is the size of the program that an expression is compiled to, each step of which may be
// tried at each character. Those of the presets have at most 29.
const maxSteps = 200

// maxTried is how many steps the patterns of a form may come to that are no preset's, together and
// for each character of a text: twenty nanoseconds each, some times over.
const maxTried = 50_000_000

// program returns what an expression is compiled to.
func program(source string) (*syntax.Prog, error) {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, err
	}
	return syntax.Compile(tree.Simplify())
}

// compileExpression returns the expression for a pattern, or what is wrong with it.
func compileExpression(source string) (*expression, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("it has %d bytes, at most %d are allowed", len(source), maxPattern)
	}
	var re *regexp.Regexp
	prog, err := program(source)
	if err == nil && len(prog.Inst) > maxSteps {
		return nil, fmt.Errorf("it comes to %d steps with all that it repeats, at most %d are allowed; repeat fewer times, or without a number, as in a*", len(prog.Inst), maxSteps)
	}
	if err == nil {
		re, err = regexp.Compile(source)
	}
	if err != nil {
		return nil, fmt.Errorf("it is no regular expression: %w", err)
	}
	e := &expression{re: re, steps: len(prog.Inst), opening: openingOf(prog)}
	for _, name := range re.SubexpNames() {
		g, ok := groupNamed(name)
		if !ok {
			g = numGroups
		}
		e.of = append(e.of, g)
	}
	return e, nil
}

// groups returns the groups that the expression has, or that it has another one.
func (e *expression) groups(allowed groupSet) (s groupSet, err error) {
	for i, name := range e.re.SubexpNames() {
		if name != "" && (e.of[i] == numGroups || !allowed.has(e.of[i])) {
			return 0, fmt.Errorf("it has a group %q; use %s, or (?:…) for a group without a name", name, orNone(allowed))
		}
		if name != "" {
			s |= setOf(e.of[i])
		}
	}
	return s, nil
}

// An opening says how lines begin, after spaces and tabs, in which an expression can
// be found. It spares most lines the expression, which costs fifty times as much.
type opening struct {
	first  [256]bool // the bytes one of which comes first
	prefix string    // the bytes that come first
	empty  bool      // or nothing need come
}

// fits reports whether the expression may be in a line that has bare after its spaces
// and tabs.
func (o *opening) fits(bare string) bool {
	return o.empty || bare != "" && o.first[bare[0]] && strings.HasPrefix(bare, o.prefix)
}

// unindented returns s without spaces and tabs at its beginning.
func unindented(s string) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return s[i:]
}

// maxOpening is how many bytes of a prefix are worth comparing.
const maxOpening = 8

// openingOf returns the opening of an expression. It walks through the program of the expression
// as a search would.
func openingOf(prog *syntax.Prog) opening {
	anything := opening{empty: true}
	for b := range anything.first {
		anything.first[b] = true
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
	o := opening{first: w.bytes()}
	o.first[' '], o.first['\t'] = false, false
	for set := o.first; len(o.prefix) < maxOpening; set = w.bytes() {
		only, ok := single(&set)
		if !ok {
			break
		}
		o.prefix += string(only)
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
