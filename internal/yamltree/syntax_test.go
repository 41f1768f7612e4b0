package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// isKey is for texts in which dir is a key.
func isKey(name string) bool { return name == "dir" }

// faultsIn returns what is wrong in a text, with its line and column unless it is all of it.
func faultsIn(source string) (list []string) {
	text := New(source, isKey)
	_, faults := text.Parse()
	for _, f := range faults {
		if f.Offset < 0 {
			list = append(list, f.Message)
			continue
		}
		line, column := text.Position(f.Offset)
		list = append(list, fmt.Sprintf("%d:%d: %s", line, column, f.Message))
	}
	return list
}

// TestSyntax shows what the library says of texts that it can't read, which is matched
// in places, and what becomes of it.
func TestSyntax(t *testing.T) {
	const (
		misplaced = "this can't stand here; check the indentation, and the quotes and brackets before it"
		aKey      = "a key where none can be; check the indentation, and put text that has a colon in quotes"
	)
	for _, test := range []struct{ text, said, want string }{
		{"a:\n  - b\n\t- c\n", "3:1 found a tab character that violates indentation", "3:1: tabs can't indent in YAML; write blanks"},
		{"a:\n\tb: c\n", "2:1 found character that cannot start any token", "2:1: tabs can't indent in YAML; write blanks"},
		{"- \ta: b\n", "1:3 found a tab character where an indentation space is expected", "1:3: tabs can't indent in YAML; write blanks"},
		{"a: b: c\n", "1:5 mapping values are not allowed in this context", "1:5: " + aKey},
		{"a: b\n c: d\n", "2:3 mapping values are not allowed in this context", "2:3: " + aKey},
		{"a: -\n", "1:4 block sequence entries are not allowed in this context", "1:4: " + misplaced},
		{"a: 'x'y\n", "1:7 did not find expected key", "1:7: " + misplaced},
		{"- a\nb: c\n", "2:1 did not find expected '-' indicator", "2:1: " + misplaced},
		{"a:\n  - |\n    *.md\n b: c\n", "4:2 did not find expected key", "4:2: " + misplaced}, // *.md is right in a text
		{"a: }\n", "1:4 did not find expected node content", "1:4: " + misplaced},
		{"ü: {\n  b: [x,\n  c: y\n", "4:1 did not find expected ',' or ']'", "2:6: the bracket [ is not closed: \"[x,\"; write ] at its end"},
		{"ü: {\n  b: x\r\n", "3:1 did not find expected ',' or '}'", "1:4: the bracket { is not closed: \"{\"; write } at its end"},
		{"a: [\"b\"c]\n", "1:8 did not find expected ',' or ']'", "1:8: " + misplaced},
		{"a: \"b\n---\nc\"\n", "2:1 found unexpected document indicator", `1:4: the text that begins with "\"b" has no quote at its end; close it`},
		{"a: b\nü: \"c # d\n", "3:1 found unexpected end of stream", `2:4: the text that begins with "\"c" has no quote at its end; close it`},
		{"a: \"b\"# c\n", "1:7 found a comment without preceding whitespace", "1:7: write a blank before #, or put the text in quotes"},
		{"a: |x\n  b\n", "1:5 did not find expected comment or line break", "1:5: " + misplaced},
		{"a: !<x\n", "1:7 did not find the expected '>'", `1:4: ! begins a tag in YAML, and there are none here; put the text in quotes: "!<x"`},
		{"a: ? b\n", "1:4 mapping keys are not allowed in this context", "1:4: " + complexKey},
		{"a: *b\n", "1:4 unknown anchor 'b' referenced", `1:4: * begins an alias in YAML; put the pattern in quotes: "*b"`},
		{"%A\n---\n", "1:3 found unknown directive name", `1:1: % begins a directive in YAML, and there are none here; take the line out, or put the text in quotes: "%A"`},
		{"a:\n  \"\\q\"\n", "2:4 found unknown escape character", "2:3: " + wrongEscape},
		{"a: \"\\xZ\"\n", "1:7 did not find expected hexadecimal number", "1:4: " + wrongEscape},
		{"a: \"\\uD83D\\uDE00\"\n", "1:7 found invalid Unicode character escape code", "1:4: " + wrongPair},
		{strings.Repeat("[", 10_001), "1:10001 exceeded max depth of 10000", "1:10001: nested deeper than 32 levels; make it flatter"},
	} {
		_, wrong := readYAML(test.text)
		if wrong == nil {
			t.Errorf("%.40q can be read", test.text)
			continue
		}
		if said := fmt.Sprintf("%d:%d %s", wrong.Mark.Line, wrong.Mark.Column, wrong.Message); said != test.said {
			t.Errorf("%.40q: the library says %q, and not %q", test.text, said, test.said)
		}
		if diff := cmp.Diff([]string{test.want}, faultsIn(test.text)); diff != "" {
			t.Errorf("%.40q: %s", test.text, diff)
		}
	}
}

// TestMistakesAtOnce sees that one mistake hides no other, and that what only looks like
// one in a text isn't told.
func TestMistakesAtOnce(t *testing.T) {
	text := "categories:\n  a: &x\n    dir:docs\n    patterns: [*.md, é, {a,b}.md, !c, @d]\n    description: |\n      *.md\n      dir:docs [a].md\n" +
		"  b:\n    patterns:\n      - [ab]*.md\n      - `e`\n      - \"\\d\"\n  c: %f\n"
	want := []string{
		`2:6: & begins an anchor in YAML, and there are none here; put the text in quotes: "&x"`,
		"3:5: write a blank behind the colon: dir: docs",
		`4:16: * begins an alias in YAML; put the pattern in quotes: "*.md"`,
		`4:25: { begins a mapping in YAML; put the text in quotes: "{a,b}.md"`,
		`4:35: ! begins a tag in YAML, and there are none here; put the text in quotes: "!c"`,
		`4:39: @ is reserved in YAML; put the text in quotes: "@d"`,
		`10:9: [ begins a list in YAML; put the text in quotes: "[ab]*.md"`,
		"11:9: ` is reserved in YAML; put the text in quotes: \"`e`\"",
		"12:9: " + wrongEscape,
		`13:6: its signs mean something in YAML; put the text in quotes: "%f"`,
	}
	if diff := cmp.Diff(want, faultsIn(text)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestDecodeRefused sees what is no YAML, or not certain, and must not be read.
func TestDecodeRefused(t *testing.T) {
	for text, want := range map[string]string{
		"categories:\n  a: {dir: x, description: |- # c\n    , vars: {}}\n": "2:28: a text after | can't stand in brackets; write it in double quotes",
		"categories:\n  a: {dir: x, description: >\n    b}\n":               "2:28: a text after > can't stand in brackets; write it in double quotes",
		"a:\n  ?\n":         complexKey,
		"a: -\n":            "",
		"{a: b}: c\n":       `1:1: { begins a mapping in YAML; put the text in quotes: "{a: b}: c"`,
		"- [a]: c\n":        `1:3: [ begins a list in YAML; put the text in quotes: "[a]: c"`,
		"a: [{b: c}: d]\n":  "",
		"a: {? b: c}\n":     complexKey,
		"a: {: b}\n":        "1:5: a colon without a key",
		"a: |-# c\n  b\n":   "",
		"a: |22\n  b\n":     "",
		"a: |+-\n  b\n":     "",
		"a: |\n    \n  b\n": "",
		`a: "\'"`:           "",
		`a: "\ud800"`:       "",
		`a: "\ude00"`:       wrongPair,
		`a: "\ud83d\ude00"`: wrongPair,
		`a: "\U00110000"`:   wrongEscape,
	} {
		if faults := faultsIn(text); len(faults) == 0 || !strings.Contains(faults[0], want) {
			t.Errorf("%q: %v, want %s", text, faults, want)
		}
	}
}
