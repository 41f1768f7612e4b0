package markdown_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// An abridged document tells of headings and lines what the whole tells, and what is
// filled in is what stands in the whole.

// abridge abridges a document, within so much memory for its headings if that isn't 0.
func abridge(t *testing.T, src string, opts markdown.Options, memory int) (*markdown.Document, error) {
	t.Helper()
	pieces := markdown.Stream(t.Context(), strings.NewReader(src), opts, markdown.Limits{})
	return markdown.Abridge(pieces, opts, markdown.Limits{Memory: memory})
}

// checkAbridged compares an abridged document with the whole, and its texts in some lines.
func checkAbridged(t *testing.T, src []byte, ranges []markdown.Lines) {
	t.Helper()
	checkAbridgedIn(t, src, markdown.Options{}, ranges)
	checkAbridgedIn(t, src, ownHeadings, ranges)
}

func checkAbridgedIn(t *testing.T, src []byte, opts markdown.Options, ranges []markdown.Lines) {
	t.Helper()
	whole, err := (&markdown.Parser{Options: opts}).Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := abridge(t, string(src), opts, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !doc.Abridged() || doc.Size() != int64(len(src)) || doc.LineCount != whole.LineCount || doc.Version() != "" {
		t.Fatalf("%d bytes, %d lines; want %d and %d", doc.Size(), doc.LineCount, len(src), whole.LineCount)
	}
	sameSections(t, doc, whole)
	if len(doc.Source) > len(src) || len(doc.Blocks) != len(doc.Sections) {
		t.Fatalf("it keeps %d bytes and %d blocks", len(doc.Source), len(doc.Blocks))
	}
	for _, l := range ranges {
		start, end, line := doc.FillRange(l)
		if first := whole.LineAt(int(start)); line != max(first, 1) {
			t.Fatalf("line %d, want %d", line, first)
		}
		filled, err := doc.Fill(t.Context(), l, src[start:end], markdown.Limits{})
		if err != nil {
			t.Fatalf("lines %v: %v", l, err)
		}
		sameSections(t, filled, whole)
		if !filled.Holds(l) {
			t.Fatalf("lines %v are not there", l)
		}
		for n := l.First; n <= l.Last; n++ {
			one := markdown.Lines{First: n, Last: n}
			is, was := filled.LineSpan(one), whole.LineSpan(one)
			if !bytes.Equal(filled.Text(is), whole.Text(was)) {
				t.Fatalf("line %d is %q, want %q", n, filled.Text(is), whole.Text(was))
			}
			if is.Len() > 0 && filled.LineAt(is.Start) != n {
				t.Fatalf("line %d is called %d", n, filled.LineAt(is.Start))
			}
		}
		sameBlocks(t, filled, whole, whole.LineAt(int(start)), whole.LineAt(int(end)-1))
		doc = filled
	}
	if doc.Holds(markdown.Lines{First: 1, Last: doc.LineCount}) && !bytes.Equal(doc.Source, src) {
		t.Fatal("all lines are there, but not all bytes")
	}
}

// sameSections compares the sections.
func sameSections(t *testing.T, doc, whole *markdown.Document) {
	t.Helper()
	if len(doc.Sections) != len(whole.Sections) {
		t.Fatalf("%d sections, want %d", len(doc.Sections), len(whole.Sections))
	}
	for i := range whole.Sections {
		is, was := doc.Sections[i], whole.Sections[i]
		is.Heading = was.Heading
		if is != was || doc.SectionTitle(i) != whole.SectionTitle(i) || doc.SectionLines(i) != whole.SectionLines(i) || doc.BodyLines(i) != whole.BodyLines(i) {
			t.Fatalf("section %d is %+v %q %v, want %+v %q %v", i, is, doc.SectionTitle(i), doc.SectionLines(i), was, whole.SectionTitle(i), whole.SectionLines(i))
		}
	}
}

// sameBlocks compares the blocks in some lines, but for where they are in the sources.
func sameBlocks(t *testing.T, doc, whole *markdown.Document, first, last int) {
	t.Helper()
	in := func(d *markdown.Document) (blocks []markdown.Block, texts []string) {
		index := -1
		for i, b := range d.Blocks {
			if int(b.StartLine) < first || int(b.StartLine) > last {
				continue
			}
			if index < 0 {
				index = i
			}
			texts = append(texts, string(d.Text(b.Span())))
			b.Start, b.End = 0, 0
			b.Next -= int32(index)
			b.Parent = max(b.Parent-int32(index), -1)
			blocks = append(blocks, b)
		}
		return blocks, texts
	}
	is, texts := in(doc)
	was, want := in(whole)
	if !slices.Equal(is, was) || !slices.Equal(texts, want) {
		t.Fatalf("blocks in lines %d to %d (-whole +abridged):\n%s\n%s", first, last, cmp.Diff(was, is), cmp.Diff(want, texts))
	}
}

func TestAbridge(t *testing.T) {
	for _, src := range []string{
		"", "text\n", "# A\n", "text\n\n# A\n\nb\n\nC\n===\n\nd\n\n  ## E ##  \n\nf",
		"\xef\xbb\xbf---\na: b\n---\n\n# A\n\n- b\n\n  # no section\n\n# C\n\n> # D\n\n[a]: b\nE\n---\n\n```\n# F\n",
		"**A**\n\nb\n\n== C ==\n[a]: b\n**D**\n\ne\n**F**\n# G\n  **H** \n- i",
		"# A\r\n\r\nb\r\n\r\nC\r\nD\r\n---\r\n\r\n- e\r\n", "# A\r\rb\r\r# C\rd\r",
	} {
		lines := strings.Count(src, "\n")
		for first := 1; first <= lines; first++ {
			for last := first; last <= lines; last++ {
				checkAbridged(t, []byte(src), []markdown.Lines{{First: first, Last: last}})
			}
		}
		checkAbridged(t, []byte(src), nil)
	}
}

func TestAbridgeCorpus(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 2))
	for _, f := range testkit.CorpusFiles(t) {
		lines := 1 + bytes.Count(f.Data, []byte("\n"))
		var ranges []markdown.Lines
		for range 3 {
			first := 1 + random.IntN(lines)
			ranges = append(ranges, markdown.Lines{First: first, Last: min(first+random.IntN(50), lines)})
		}
		checkAbridged(t, f.Data, ranges)
	}
}

func FuzzAbridge(f *testing.F) {
	f.Add("a\n# B\n\n- c\n\nD\n-\n\n```\n# e\n", uint(2), uint(3))
	f.Add("---\na: b\n---\n\n[c]: d\n# [c]\n\n[^e]: f\n\n## [^e]\n", uint(0), uint(4))
	f.Add("\ufeff# A\r\n\r\nb\rC\n===\n> # D\n", uint(3), uint(0))
	f.Fuzz(func(t *testing.T, src string, first, more uint) {
		l := markdown.Lines{First: 1 + int(first%100)}
		l.Last = l.First + int(more%100)
		checkAbridged(t, []byte(src), []markdown.Lines{l, {First: 1, Last: 3}})
	})
}

func TestFillRefusesAnotherText(t *testing.T) {
	const src = "a\n\n# B\n\nc\n\n## D\n\ne\n"
	doc, err := abridge(t, src, markdown.Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := markdown.Lines{First: 3, Last: 8}
	start, end, _ := doc.FillRange(l)
	text := src[start:end]
	for name, other := range map[string]string{
		"shorter":         text[1:],
		"another heading": strings.Replace(text, "# B", "# X", 1),
		"another level":   strings.Replace(text, "\n## D", "\n### D", 1),
		"none":            strings.Replace(text, "## D", "text", 1),
		"another line":    strings.Replace(text, "c\n\n## D", "\n\nc## D", 1),
	} {
		if _, err := doc.Fill(t.Context(), l, []byte(other), markdown.Limits{}); !errors.Is(err, markdown.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := abridge(t, strings.Repeat("# A\n", 10_000), markdown.Options{}, 100_000); !errors.Is(err, markdown.ErrTooComplex) {
		t.Errorf("more headings than may be kept: %v", err)
	}
}
