package config

import (
	"errors"
	"testing"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

// TestProblemsOfYAML has the library itself find each problem that is known by its words.
func TestProblemsOfYAML(t *testing.T) {
	for text, want := range map[string]yamlProblem{
		"a:\n\tb: c\n":          badTab,
		"a: \tb: 1\n":           badTab,
		"a: >\n\tx\n":           badTab,
		"a: @x\n":               reservedSign,
		"a: \"x\n":              openQuote,
		"a: 'x\n":               openQuote,
		"a: \"\\q\"\n":          badEscape,
		"- a\nb: c\n":           misplacedValue,
		"a: 1\n  b\n- c\n":      misplacedValue,
		"\"a\" b\n":             misplacedValue,
		"a: b: c\n":             misplacedKey,
		"a: b\n c: d\n":         misplacedKey,
		"a: [b\n":               unknownProblem,
		"a\nb: c\n":             unknownProblem,
		"a: |x\n  b\n":          unknownProblem,
		"a:\n  b: c\n \td: e\n": badTab,
	} {
		list := lexer.Tokenize(text)
		for _, tk := range list {
			if got := problemOf(tk.Error); tk.Error != "" && got != want {
				t.Errorf("%q: the lexer says %q, which is %d, want %d", text, tk.Error, got, want)
			}
		}
		_, err := parser.Parse(list, 0, parser.AllowDuplicateMapKey())
		if said, ok := errors.AsType[syntaxError](err); !ok || problemOf(said.GetMessage()) != want {
			t.Errorf("%q: the parser says %v, want %d", text, err, want)
		}
	}
}
