package blockcheck_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/markdown"
)

// TestQuotes tells marks of quotes at the beginning of lines apart.
func TestQuotes(t *testing.T) {
	for _, c := range []struct {
		text  string
		inner []int
		lazy  bool // IsLazy
		item  bool // HasLazyItem
	}{
		{"- a\n  > b\n  > > c\n", []int{1, 2}, false, false},
		{"1. > a\n   > b\n\n   c\n", []int{0, 1}, false, false},
		{"> - a\n>   > b\n", nil, false, false},
		{"a\n> b\n", nil, true, false},
		{"a\n\n> b\n", nil, false, false},
		{"```\n> a\n", nil, true, false},
		{"- a\nb\n- c\n", nil, false, true},
		{"- a\n  b\n\n- c\n\nd\n", nil, false, false},
	} {
		doc, err := markdown.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		inner := slices.Sorted(maps.Keys(blockcheck.InnerQuotes(doc)))
		if lazy, item := blockcheck.IsLazy(doc), blockcheck.HasLazyItem(doc); !slices.Equal(inner, c.inner) || lazy != c.lazy || item != c.item {
			t.Errorf("%q: %v, %v, %v", c.text, inner, lazy, item)
		}
	}
}
