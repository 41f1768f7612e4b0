package edit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// longDocument returns about so many lines: large fixtures, one after the other,
// with a section that can be named in the middle.
func longDocument(lines int) []byte {
	large := testkit.LargeFixture()
	var b bytes.Buffer
	n := 0
	for i := 0; n < lines; i++ {
		src := large.Source
		if left := lines - n; left < large.Lines {
			src = []byte(strings.Join(strings.SplitAfter(string(src), "\n")[:left], ""))
		}
		if i == 0 && lines <= large.Lines || n <= lines/2 && lines/2 < n+large.Lines {
			src = append([]byte("## The one in the middle\n\nIt holds some words.\n\n"), src...)
			n += 4
		}
		b.Write(src)
		n += large.Lines
	}
	return b.Bytes()
}

// BenchmarkEditSection measures an edit from bytes to checked bytes: the document is
// parsed, the section found, the text put in, the result parsed and compared.
func BenchmarkEditSection(b *testing.B) {
	ops := []edit.Op{
		{Action: edit.Replace, Address: "## The one in the middle", Scope: edit.ScopeSection, Text: "A new text.\n\n- one\n- two\n"},
		{Action: edit.Append, Address: "## The one in the middle", Text: "One more line.\n"},
		{Action: edit.InsertAfter, Address: "## The one in the middle", Text: "## New\n\nText.\n"},
		{Action: edit.ReplaceText, Old: "It holds some words.", Text: "It holds others."},
	}
	for _, lines := range []int{2_500, 50_000} {
		src := longDocument(lines)
		for i := range ops {
			op := &ops[i]
			b.Run(fmt.Sprintf("%s/%d", op.Action, lines), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					doc, err := markdown.Parse(src)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := edit.Apply(doc, []edit.Op{*op}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestLongDocument says what the benchmark measures.
func TestLongDocument(t *testing.T) {
	for _, lines := range []int{2_500, 50_000} {
		doc := parse(t, longDocument(lines))
		if doc.LineCount < lines*9/10 || doc.LineCount > lines*11/10 || len(doc.Sections) < lines/20 {
			t.Errorf("%d lines, %d sections, want %d lines", doc.LineCount, len(doc.Sections), lines)
		}
	}
}
