package plan

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"

	"github.com/sectile/sectile/internal/opening"
)

// An expression is a regular expression of a configuration, compiled. It doesn't
// change, so that grammars can share it.
type expression struct {
	re      *regexp.Regexp
	steps   int     // of the program that it is compiled to
	of      []group // for each subexpression of re, its group or numGroups
	opening opening.Opening
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
	e := &expression{re: re, steps: len(prog.Inst), opening: opening.Of(prog)}
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

// unindented returns s without spaces and tabs at its beginning.
func unindented(s string) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return s[i:]
}
