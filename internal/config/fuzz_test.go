package config

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/yamltree"
)

// hostile are texts that are hard on a parser, of about n bytes.
func hostile(n int) map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, n/len(s)) }
	grow := func(next func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(next(i))
		}
		return b.String()
	}
	texts := map[string]string{
		"stairs":         grow(func(i int) string { return strings.Repeat(" ", i) + "a:\n" }),
		"brothers":       grow(func(i int) string { return fmt.Sprintf("k%d: x\n", i) }),
		"heads":          grow(func(i int) string { return fmt.Sprintf("k%d:\n", i) }),
		"categories":     "categories:\n" + grow(func(i int) string { return fmt.Sprintf("  k%d: {dir: x}\n", i) }),
		"collections":    "collections:\n" + grow(func(i int) string { return fmt.Sprintf("  k%d: [k%d]\n", i, i+1) }),
		"crossings":      "collections:\n" + grow(func(i int) string { return fmt.Sprintf("  k%d: [k0, k1, k2, k3, k%d]\n", i, i+1) }),
		"wrong names":    "categories:\n" + grow(func(i int) string { return fmt.Sprintf("  k.%d: {dir: x}\n", i) }),
		"entries":        "collections:\n  a:\n" + repeat("  - b\n"),
		"in brackets":    "collections: {a: [" + repeat("b,") + "]}",
		"in a text":      "guide: " + repeat("x "),
		"in quotes":      `guide: "` + repeat(`\x41`) + `"`,
		"tabs in quotes": `guide: "` + repeat("\t") + `"`,
		"lines of tabs":  `guide: "` + repeat(strings.Repeat("\t", 200)+strings.Repeat("x", 1000)+"\n") + `"`,
		"blank lines":    "guide: |\n x\n" + repeat("\n"),
		"keeping blanks": "guide: |+\n x\n" + repeat("\n"),
		"literal":        "guide: |\n" + repeat("  x: - ? # [\n"),
		"folded":         "guide: >\n" + repeat("  x\n"),
		"blocks":         grow(func(i int) string { return fmt.Sprintf("a%d: |\n x\n%s", i, strings.Repeat("\n", 50)) }),
		"text in a list": "a:\n" + repeat("  x\n"),
		"comments":       repeat("#\n"),
		"long comment":   repeat("# "),
		"variables":      "categories: {a: {dir: x, vars: " + repeat("{a: ") + "}}",
		"long name":      "categories: {" + repeat("x") + ": {dir: a}}",
		"long unknown":   repeat("x") + ": 1",
		"laughs": "a0: &a0 [x]\n" + grow(func(i int) string {
			return fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
		}),
		"unknown keys": grow(func(i int) string { return fmt.Sprintf("categorie%d: 1\n", i) }),
	}
	for _, s := range []string{
		"[", "{", "]", "}", "{a: ", "[a, ", "- ", "-\n", "a: ", "a:", "a:\n", "? ", ": ", "&", "&a ", "*", "*a ", "!", "! ", "!!a ", "|", "|\n",
		"a: |\n", ">", "---\n", "...\n", "---\n...\n", "%", "%\n", "<", "<<", "<< ", "<<: ", "@", "`", "'", "''", "' '", "\"", "\"\"", "\"\\", "\t", "\t\n",
		"\n", "\r", "\r\n", " ", ",", "[,", "{,", "x", "x ", "x\n", "é", "\u2028", "#", "\\", "a: [\n", "- - a\n", "\"a\": ", "'a' ", "~\n", "1\n", "{}\n", "[]\n", yamltree.BOM,
	} {
		texts["many "+fmt.Sprintf("%q", s)] = repeat(s)
	}
	return texts
}

// TestHostile parses what is hard on parsers. It ends: how long it takes is for the
// benchmark. SECTILE_LONG has it parse texts as large as a file may be.
func TestHostile(t *testing.T) {
	testkit.OneGoroutine(t)
	n := yamltree.MaxSize / 4
	if testkit.Long() {
		n = yamltree.MaxSize - 100
	}
	for name, text := range hostile(n) {
		t.Run(name, func(t *testing.T) {
			f := parse([]byte(text), Project, nil)
			if len(f.problems) > maxProblems+1 {
				t.Errorf("%d problems", len(f.problems))
			}
			if len(f.problems) == 0 {
				merge(f, nil)
			}
			for _, p := range f.problems {
				if s := p.String(); len(s) > 1000 || strings.Contains(s, "\n") {
					t.Errorf("a message of %d bytes: %.100q", len(s), s)
				}
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{strings.Repeat("#\n", yamltree.MaxSize), ".sectile.yaml: it has more than 1048576 bytes; make it shorter"},
		{"#" + strings.Repeat("x", yamltree.MaxLine), ".sectile.yaml:1:1: the line has more than 65536 bytes; make it shorter"},
		{strings.Repeat("- a: 1\n", yamltree.MaxKeys+1), ".sectile.yaml:10001:3: more than 10000 keys; make the file shorter"},
		{strings.Repeat("#\n", yamltree.MaxLines+1), ".sectile.yaml:20001:1: more than 20000 lines; make the file shorter"},
		{"a: [" + strings.Repeat(strings.Repeat("1,", 1000)+"\n", yamltree.MaxValues/1000) + "1]", ".sectile.yaml: it has more than 50000 keys and values; make it shorter"},
		{"a: " + strings.Repeat("[", 33) + strings.Repeat("]", 33), ".sectile.yaml:1:35: nested deeper than 32 levels; make it flatter"},
		{strings.Repeat("- ", 33) + "a", ".sectile.yaml:1:65: nested deeper than 32 levels; make it flatter"},
	} {
		f := parse([]byte(test.text), Project, nil)
		if len(f.problems) == 0 || f.problems[0].String() != test.want {
			t.Errorf("%.20q: %v, want %s", test.text, f.problems[:min(len(f.problems), 2)], test.want)
		}
	}
}

// FuzzParse sees that no text makes the parser panic, that problems have places in
// the text, and that what was read stands where it is said to.
func FuzzParse(f *testing.F) {
	for seed := range uint64(30) {
		f.Add([]byte(generate(seed).text))
	}
	for _, s := range hostile(64) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 1<<14 {
			return
		}
		for _, scope := range []Scope{Project, User} {
			checkParse(t, source, scope)
		}
	})
}

func checkParse(t *testing.T, source []byte, scope Scope) {
	t.Helper()
	file := parse(source, scope, nil)
	lines := max(1, len(file.Lines))
	problems := slices.Concat(file.problems, together(file, nil).problems)
	for _, p := range problems {
		if p.Line < 0 || p.Line > lines || p.Column < 0 || p.Column > len(source)+1 || p.Message == "" || strings.Contains(p.String(), "\n") {
			t.Errorf("%q: %+v", source, p)
		}
	}
	if file.root == nil || len(file.problems) > 0 {
		return
	}
	var walk func(n *yamltree.Node)
	walk = func(n *yamltree.Node) {
		if n.Start < 0 || n.End < n.Start || n.End > len(source) {
			t.Errorf("%q: %+v", source, n)
		}
		text := file.Source[n.Start:n.End]
		if n.Kind == yamltree.Scalar && n.Plain != "" && !strings.Contains(text, "\n") && !strings.Contains(text, "\r") && text != n.Text {
			t.Errorf("%q: %q stands where %q was read", source, text, n.Text)
		}
		if n.Kind == yamltree.Scalar && !n.Block && n.Plain == "" && (len(text) < 2 || text[0] != text[len(text)-1] || strings.IndexByte(`'"`, text[0]) < 0) {
			t.Errorf("%q: %q stands where a text in quotes was read", source, text)
		}
		at := n.Start
		for i := range n.Items {
			it := &n.Items[i]
			if it.Key != nil {
				walk(it.Key)
			}
			walk(it.Value)
			if it.Start < at || it.Colon < it.Start || it.Value.Start < it.Colon || it.End() > n.End || it.Comma >= 0 && source[it.Comma] != ',' {
				t.Errorf("%q: an item %+v of %+v", source, it, n)
			}
			at = it.End()
		}
	}
	walk(file.root)
}

// FuzzChange changes any text that is a configuration, in any way: the law is
// checked in the code, and here that nothing panics and that a refusal is one.
func FuzzChange(f *testing.F) {
	for seed := range uint64(30) {
		f.Add([]byte(generate(seed).text), seed)
	}
	f.Fuzz(func(t *testing.T, source []byte, seed uint64) {
		if len(source) > 1<<12 {
			return
		}
		file := parse(source, Project, refusing)
		if len(file.problems) > 0 {
			return
		}
		s := sample{text: string(source), categories: append(categoryNames(file), "docs"), collections: collectionNames(file)}
		r := rand.New(rand.NewPCG(seed, 5))
		for range 5 {
			c, _ := someChange(r, s)
			text, err := apply(file, nil, c)
			if err != nil {
				if _, ok := errors.AsType[*Error](err); !ok {
					t.Errorf("%q: %+v: %v", source, c, err)
				}
				continue
			}
			if problems := problemsIn(string(text), Project); problems != nil {
				t.Errorf("%q: %+v: %v", source, c, problems)
			}
		}
	})
}
