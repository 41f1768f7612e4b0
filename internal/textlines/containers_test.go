package textlines

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestContainers takes the prefix of containers off lines, and puts it before them.
func TestContainers(t *testing.T) {
	doc, err := markdown.Parse([]byte("> 1. a\n>\n>    - b\n"))
	if err != nil {
		t.Fatal(err)
	}
	c := ContainersOf(doc, len(doc.Blocks)-1)
	if want := (Containers{Quote, 3, 2}); !slices.Equal(c, want) || c.Prefix() != ">      " {
		t.Errorf("%v, %q", c, c.Prefix())
	}
	for _, tt := range []struct {
		line, rest string
		col        int
		ok         bool
	}{
		{">      x", "x", 7, true},
		{">\t   x", "x", 7, true}, // a tab goes on to column 4
		{"   >      x", "x", 10, true},
		{">        x", "  x", 7, true},
		{">", "", 1, true},
		{">   ", "", 2, true},
		{"x", "x", 0, false},
		{"    > x", "    > x", 0, false}, // code
		{">   x", "  x", 2, false},
	} {
		rest, col, ok := c.Strip(tt.line)
		if rest != tt.rest || ok != tt.ok || col != tt.col {
			t.Errorf("%q: %q, %d, %v", tt.line, rest, col, ok)
		}
	}
	for text, want := range map[string]string{"a": "a", "a\nb": "a\n> b", "a\n\nb": "a\n>\n> b", "a\n \t\n": "a\n>\n>"} {
		if got := WithPrefix("> ", text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"": 0, "a": 0, "   a": 3, "    a": 0, "\ta": 0} {
		if got := IdleBlanks(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestStripMany takes the prefix of many containers from a line that has nothing but blanks before
// its text: in a time that grows with both and not with their product, which would be a minute.
func TestStripMany(t *testing.T) {
	const n = 400_000
	if rest, col, ok := Containers(slices.Repeat([]int{2}, n)).Strip(strings.Repeat("  ", n) + "x"); rest != "x" || col != 2*n || !ok {
		t.Errorf("%q, %d, %v", rest, col, ok)
	}
}
