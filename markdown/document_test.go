package markdown

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

func TestBlockIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(Block{}); size != 28 {
		t.Errorf("a Block has %d bytes: parsing writes one for every hundred bytes of source", size)
	}
}

func TestTooLarge(t *testing.T) {
	if strconv.IntSize < 64 || testing.Short() {
		t.Skip("needs an address space of more than 32 bits, and is left out by -short")
	}
	if _, err := Parse(make([]byte, MaxSize+1)); !errors.Is(err, ErrTooLarge) { // never touched, so it costs no memory
		t.Errorf("got %v", err)
	}
}

func TestLineEnding(t *testing.T) {
	for src, want := range map[string]string{
		"": "none", "a": "none", "a\n": "LF", "a\nb": "LF", "a\r\nb\r\n": "CRLF", "a\rb": "CR", "\r": "CR",
		"a\r\nb\n": "mixed", "a\rb\n": "mixed", "a\r\r\n": "mixed",
	} {
		if got := mustParse(t, src, Options{}).LineEnding().String(); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	d := mustParse(t, "\uFEFFa\r\n\rb\n\nc", Options{})
	if d.LineCount != 5 {
		t.Errorf("%d lines, want 5", d.LineCount)
	}
	for _, tt := range []struct {
		lines Lines
		want  string
	}{
		{Lines{1, 1}, "\uFEFFa\r\n"},
		{Lines{2, 3}, "\rb\n"},
		{Lines{4, 5}, "\nc"},
		{Lines{5, 9}, "c"},
		{Lines{6, 9}, ""},
		{Lines{3, 2}, ""},
		{Lines{0, 1}, "\uFEFFa\r\n"},
	} {
		if got := string(d.Text(d.LineSpan(tt.lines))); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.lines, got, tt.want)
		}
	}
	for offset, want := range []int{1, 1, 1, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5} {
		if got := d.LineAt(offset); got != want {
			t.Errorf("offset %d: line %d, want %d", offset, got, want)
		}
	}
	for _, l := range []Lines{{0, 0}, {-5, -2}, {1, 1}, {3, 1}} {
		if got := mustParse(t, "", Options{}).LineSpan(l); got != (Span{}) {
			t.Errorf("an empty source: lines %v are %v", l, got)
		}
	}
	if got := mustParse(t, "", Options{}).LineAt(0); got != 0 {
		t.Errorf("an empty source: line %d, want 0", got)
	}
}

func TestHash(t *testing.T) {
	same := []string{"# A\ntext", "# A\ntext\n", "# A\ntext\n\n", "# A\ntext\r\n\r\n", "# A\ntext\n  \t\n"}
	other := []string{"# A\ntext ", "# A\n text", "# A\r\ntext", "# A", "", "\n# A\ntext"}
	want := Hash([]byte(same[0]))
	if len(want) != 16 {
		t.Errorf("hash %q", want)
	}
	for _, s := range same {
		if got := Hash([]byte(s)); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	seen := map[string]string{want: same[0]}
	for _, s := range other {
		h := Hash([]byte(s))
		if seen[h] != "" {
			t.Errorf("%q and %q have the same hash", s, seen[h])
		}
		seen[h] = s
	}
	if blank := Hash([]byte(" \n\t\n")); blank != Hash(nil) {
		t.Errorf("a blank text: %s", blank)
	}
}

func TestVersion(t *testing.T) {
	seen := map[string]string{}
	for _, src := range []string{"# A", "# A\n", "# A\n\n", "# A\r\n", "\uFEFF# A\n", ""} {
		v := mustParse(t, src, Options{}).Version()
		if other, ok := seen[v]; ok || len(v) != 16 {
			t.Errorf("%q has the version %s of %q", src, v, other)
		}
		seen[v] = src
	}
}

func TestSectionHash(t *testing.T) {
	one := mustParse(t, "# A\n\nbody\n\n## B\n\nb\n", Options{})
	two := mustParse(t, "# A\n\nbody\n\n\n## B\n\nb\n\n# New\n", Options{})
	three := mustParse(t, "# A\n\nbody\n\n## B\n\nchanged\n", Options{})
	if one.BodyHash(0) != two.BodyHash(0) || one.SectionHash(1) != two.SectionHash(1) {
		t.Error("a neighbour's blank lines change a hash")
	}
	if one.BodyHash(0) != three.BodyHash(0) || one.SectionHash(0) == three.SectionHash(0) || one.BodyHash(1) == three.BodyHash(1) {
		t.Error("a change below must change the section's hash and not its body's")
	}
}

func TestSections(t *testing.T) {
	d := mustParse(t, "\uFEFFbefore\n\n  # A\n\n### C\n\n## B\n\n> # no\n\n# D", Options{})
	type section struct {
		Title, Text, Body string
		Lines, BodyLines  Lines
		Parent, Next      int32
	}
	want := []section{
		{"A", "  # A\n\n### C\n\n## B\n\n> # no\n\n", "  # A\n\n", Lines{3, 10}, Lines{3, 4}, -1, 3},
		{"C", "### C\n\n", "### C\n\n", Lines{5, 6}, Lines{5, 6}, 0, 2},
		{"B", "## B\n\n> # no\n\n", "## B\n\n> # no\n\n", Lines{7, 10}, Lines{7, 10}, 0, 3},
		{"D", "# D", "# D", Lines{11, 11}, Lines{11, 11}, -1, 4},
	}
	got := []section{}
	for i, s := range d.Sections {
		got = append(got, section{
			d.SectionTitle(i), string(d.Text(d.SectionSpan(i))), string(d.Text(d.BodySpan(i))),
			d.SectionLines(i), d.BodyLines(i), s.Parent, s.Next,
		})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := string(d.Text(d.Preamble())); got != "before\n\n" {
		t.Errorf("preamble %q", got)
	}
	if got := d.PreambleLines(); got != (Lines{1, 2}) {
		t.Errorf("preamble lines %v", got)
	}
}

func TestNavigation(t *testing.T) {
	d := mustParse(t, "---\na: 1\n---\n\n- a\n  - b\n\n> c\n", Options{})
	var top []string
	for _, b := range d.Children(-1) {
		top = append(top, b.Kind.String())
	}
	if diff := cmp.Diff([]string{"front_matter", "list", "block_quote"}, top); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := string(d.Text(d.Content(d.FrontMatter()))); got != "a: 1\n" {
		t.Errorf("front matter %q", got)
	}
	if got := mustParse(t, "text", Options{}).FrontMatter(); got != -1 {
		t.Errorf("front matter %d where there is none", got)
	}
	for i, want := range []int{0, 0, 1, 2, 2, 3, 4, 0, 1} {
		if got := d.Depth(i); got != want {
			t.Errorf("block %d: depth %d, want %d", i, got, want)
		}
	}
	for range d.Children(-1) {
		break
	}
	if got := Kind(200).String(); got != "invalid" {
		t.Errorf("an unknown kind is %q", got)
	}
}

// TestContent reads what blocks hold, whole and line by line.
func TestContent(t *testing.T) {
	for _, tt := range []struct {
		src     string
		kind    Kind
		content string
		lines   []string
	}{
		{"##  a *b* ##\n", Heading, "a *b*", []string{"a *b*"}},
		{"> a\n>  b \n> ===\n", Heading, "a\n>  b", []string{"a", "b "}},
		{"```go\na\n\n b\n```\n", FencedCode, "a\n\n b\n", []string{"a", "", " b"}},
		{"```\na", FencedCode, "a", []string{"a"}},
		{"```", FencedCode, "", nil},
		{"```\n```", FencedCode, "", nil},
		{"> ~~~\n> a\n>\n>   b\n> ~~~\n", FencedCode, "> a\n>\n>   b\n", []string{"a", "", "  b"}},
		{"-  ```\n   a\n  \n    b\n   ```\n", FencedCode, "   a\n  \n    b\n", []string{"a", "", " b"}},
		{"  ```\n a\n    b\n  ```\n", FencedCode, " a\n    b\n", []string{"a", "  b"}},
		{"\ta\n      b\n", IndentedCode, "\ta\n      b", []string{"a", "  b"}},
		{">\t\ta\n", IndentedCode, "\t\ta", []string{"··a"}},
		{"-\t\ta\n", IndentedCode, "\t\ta", []string{"··a"}},
		{"> a\n  b\n>  c\n", Paragraph, "a\n  b\n>  c", []string{"a", "b", "c"}},
		{"> - a\n>   b\n>\n>   c\n", Item, "- a\n>   b\n>\n>   c", []string{"a", "b", "", "c"}},
		{"> a\n>b\nc\n", BlockQuote, "> a\n>b\nc", []string{"a", "b", "c"}},
		{"[^a]: b\n    c\n", FootnoteDefinition, "[^a]: b\n    c", []string{"b", "c"}},
		{"- | a \\| b | c |\n  |-|-|\n  | d |\n", TableCell, `a \| b`, []string{`a \| b`}},
		{"<!--\r a\r\n-->\n", HTMLBlock, "<!--\r a\r\n-->", []string{"<!--", " a", "-->"}},
		{"+++\na = 1\n+++\n", FrontMatter, "a = 1\n", []string{"a = 1"}},
	} {
		d := mustParse(t, tt.src, Options{})
		for i := range d.Blocks {
			if d.Blocks[i].Kind != tt.kind {
				continue
			}
			if got := string(d.Text(d.Content(i))); got != tt.content {
				t.Errorf("%q: content %q, want %q", tt.src, got, tt.content)
			}
			var lines []string
			for l := range d.ContentLines(i) {
				s := ""
				for range l.Columns {
					s += "·"
				}
				lines = append(lines, s+string(d.Text(l.Span)))
			}
			if diff := cmp.Diff(tt.lines, lines); diff != "" {
				t.Errorf("%q: lines (-want +got):\n%s", tt.src, diff)
			}
			for range d.ContentLines(i) {
				break
			}
			break
		}
	}
}

// TestParseKeeps: documents stay as they are when others are parsed after them, in several
// goroutines.
func TestParseKeeps(t *testing.T) {
	sources := []string{"", "# A\n\ntext\n", strings.Repeat("- a\n\n  > b\n", 100), strings.Repeat("# B\n\n```\ncode\n```\n", 50), strings.Repeat("a\r\n\r\n", 20), strings.Repeat("| a |\n| - |\n| b |\n\n", 30)}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			docs := make([]*Document, len(sources))
			for i, src := range sources {
				docs[i], _ = Parse([]byte(src))
			}
			for i, src := range sources {
				want, err := new(Parser).Parse([]byte(src))
				if err != nil || !slices.Equal(docs[i].Blocks, want.Blocks) || !slices.Equal(docs[i].Sections, want.Sections) || docs[i].LineCount != want.LineCount {
					t.Errorf("%.20q has changed: %v", src, err)
				}
			}
		})
	}
	all.Wait()
}
