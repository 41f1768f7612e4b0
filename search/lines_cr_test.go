package search

import (
	"bytes"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestLoneCR finds lines of a document in which all lines end at a lone CR, and what to show of
// them. It takes minutes if LF is looked for up to the end of the document, or its beginning, for
// each of them.
func TestLoneCR(t *testing.T) {
	const many = 2 << 20
	src := append([]byte("# a\r\r"), bytes.Repeat([]byte("b\r\r"), many)...)
	l, err := ParseLines("b", false, SmartCase)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range l.In(src) {
		if n++; string(src[line.Start:line.End]) != "b" {
			t.Fatalf("line %d is %q", n, src[line.Start:line.End])
		}
	}
	if n != many {
		t.Errorf("%d lines are found, not %d", n, many)
	}
	doc, err := markdown.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	q, err := Parse("b")
	if err != nil {
		t.Fatal(err)
	}
	if lines := q.Excerpts().Lines(doc, 0, 3); len(lines) == 0 || lines[0].End != lines[0].Start+1 {
		t.Errorf("shown are %v", lines)
	}
}
