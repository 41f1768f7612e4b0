package sectiondiff

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestCompareManySections compares a document of very many sections that is gone with another one that is new: what
// counts the sections anew for each of them takes hours.
func TestCompareManySections(t *testing.T) {
	const sections = 400_000
	doc, err := markdown.Parse([]byte(strings.Repeat("# A\n", sections)))
	if err != nil {
		t.Fatal(err)
	}
	other, err := markdown.Parse([]byte(strings.Repeat("# B\n\nb\n", sections)))
	if err != nil {
		t.Fatal(err)
	}
	changes, err := Compare(t.Context(), []Pair{{Old: doc}, {New: other}})
	if err != nil || len(changes) != 2 {
		t.Errorf("%d changes, %v", len(changes), err)
	}
}
