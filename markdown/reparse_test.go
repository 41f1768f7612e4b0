package markdown_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// A parse after an edit is the parse of the new source, whatever was taken from the
// old one.

// checkReparse compares the two.
func checkReparse(t *testing.T, opts markdown.Options, before, after []byte) {
	t.Helper()
	old, err := (&markdown.Parser{Options: opts}).Parse(before)
	if err != nil {
		t.Fatal(err)
	}
	blocks, sections := len(old.Blocks), len(old.Sections)
	want, err := (&markdown.Parser{Options: opts}).Parse(after)
	if err != nil {
		t.Fatal(err)
	}
	got, err := old.Reparse(after)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Source, after) || got.LineCount != want.LineCount || got.LineEnding() != want.LineEnding() {
		t.Errorf("%q after %q: %d lines, want %d", after, before, got.LineCount, want.LineCount)
	}
	if !slices.Equal(want.Blocks, got.Blocks) {
		t.Fatalf("%q after %q: blocks (-parsed +parsed again):\n%s", after, before, cmp.Diff(want.Blocks, got.Blocks))
	}
	if !slices.Equal(want.Sections, got.Sections) {
		t.Fatalf("%q after %q: sections (-parsed +parsed again):\n%s", after, before, cmp.Diff(want.Sections, got.Sections))
	}
	if len(old.Blocks) != blocks || len(old.Sections) != sections {
		t.Fatal("the old document has changed")
	}
}

func TestReparse(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""},
		{"# A\n\ntext\n", "# A\n\ntext\n"},
		{"# A\n\ntext\n", ""},
		{"", "# A\n"},
		{"# A\n\ntext\n\n# B\n\n# C\n- c\n", "# A\n\nnew\n\n# B\n\n# C\n- c\n"},
		{"# A\n\n## B\n\n# C\n\n## D\n", "# A\n\n#### X\n\n## B\n\n# C\n\n## D\n"},
		{"# A\n\n## B\n\n## C\n\n### D\n", "# A\n\n## B\n\n# New\n\n## C\n\n### D\n"},
		{"---\n# A\n\n# B\n", "---\n# A\n\n# B\n---\n"},
		{"---\r# A\r\r# B\r", "---\r# A\r\r# B\r---\r"},
		{"---\na: b\n---\n# A\n\n# B\n", "---\na: b\n---\n# A\nnew\n\n# B\n"},
		{"---\na: b\n---\n# A\n\n# B\n", "---\na: b\n# A\n\n# B\n"},
		{"# A\n\n```\n\n# B\n\n```\n\n# C\n", "# A\n\n\n\n# B\n\n```\n\n# C\n"},
		{"# A\n\n\n\n# B\n\n```\n\n# C\n", "# A\n\n```\n\n# B\n\n```\n\n# C\n"},
		{"# A\n\na\n # B\n", "# A\n\na # B\n"},
		{"# A\n\n    # B\n\n# C\n", "# A\n\n # B\n\n# C\n"},
		{"# A\n\n- a\n\n# B\n\n- b\n", "# A\n\n- a\n  # B\n\n- b\n"},
		{"# A\r\n\r\n# B\r\n", "# A\r\r\n# B\r\n"},
		{"# A\n\nx\r# B\r\ny\n", "# A\n\nx\n\r# B\r\ny\n"},
		{"0(\n#", "0(\n#0"},
		{"\uFEFF# A\n\n# B\n", "# A\n\n# B\n"},
		{"# A\n\nB\n===\n\n# C\n", "# A\n\nB\nC\n===\n\n# C\n"},
		{"# A\n\n[a]: /u\n'b\n\nc\n", "# A\n\n[a]: /u\n'b\nc'\n\nc\n"},
		{"<!--\n# A\n-->\n# B\n", "<!-- -->\n# A\n-->\n# B\n"},
	} {
		for _, opts := range []markdown.Options{{}, markdown.CommonMark(), {Headings: testkit.OwnHeadings()}} {
			checkReparse(t, opts, []byte(c[0]), []byte(c[1]))
			checkReparse(t, opts, []byte(c[1]), []byte(c[0]))
		}
	}
}

// reparsePieces are what random edits put in: what opens, closes and divides.
var reparsePieces = []string{
	"\n", "\r\n", "\r", "# X\n", "\n\n## Y\n\n", "```\n", "~~~\n", "<!--\n", "-->\n", "- a\n", "> ", "    ", "\t", "===\n", "---\n", "| a |\n|---|\n",
	"text", "\n**B**\n", "\n== C ==\n", "a\n", "[a]: /b\n", "#", " ", "+++\n", "</script>\n", "<script>\n", "1. ", "[^1]: ",
}

// splice replaces a range of src at random.
func splice(rnd *rand.Rand, src []byte) []byte {
	start := rnd.IntN(len(src) + 1)
	end := min(start+rnd.IntN(12), len(src))
	if rnd.IntN(4) == 0 {
		end = min(start+rnd.IntN(200), len(src))
	}
	text := ""
	for range rnd.IntN(3) {
		text += reparsePieces[rnd.IntN(len(reparsePieces))]
	}
	return append(append(bytes.Clone(src[:start]), text...), src[end:]...)
}

func TestReparseRandom(t *testing.T) {
	testkit.OneGoroutine(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var src []byte
		for range 2 + rnd.IntN(30) {
			src = append(src, reparsePieces[rnd.IntN(len(reparsePieces))]...)
			if rnd.IntN(2) == 0 {
				src = append(src, '\n')
			}
		}
		next := splice(rnd, src)
		checkReparse(t, markdown.Options{}, src, next)
		checkReparse(t, ownHeadings, src, next)
	}
}

// ownHeadings are options with markers of headings that are the reader's own.
var ownHeadings = markdown.Options{Headings: testkit.OwnHeadings()}

func TestReparseCorpus(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, f := range testkit.CorpusFiles(t) {
		crlf := bytes.ReplaceAll(f.Data, []byte("\n"), []byte("\r\n"))
		for _, src := range [][]byte{f.Data, crlf} {
			for range 3 {
				next := splice(rnd, src)
				checkReparse(t, markdown.Options{}, src, next)
				checkReparse(t, ownHeadings, src, next)
			}
		}
	}
}

func FuzzReparse(f *testing.F) {
	f.Add([]byte("# A\n\ntext\n\n# B\n\n## C\n"), []byte("# A\n\n```\n\n# B\n\n## C\n"))
	f.Add([]byte("---\n# A\n"), []byte("---\n# A\n---\n"))
	f.Add([]byte(""), []byte("# A\n"))
	f.Add([]byte("# A\r\n\r\ntext\r\n\r\n# B"), []byte("# A\r\n\r\ntext\n\n# B\r"))
	f.Add([]byte("- a\n\n  # B\n\n# C\n"), []byte("- a\n\n # B\n\n# C\n"))
	f.Add([]byte("[a]: /b\n\n# [a]\n\n[^1]: x\n\n# [^1]\n"), []byte("[c]: /b\n\n# [a]\n\n[^1]: x\n\n# [^1]\n"))
	f.Add([]byte("A\n===\n\n<div>\n\n# B\n\n</div>\n"), []byte("A\n\n===\n\n<!--\n\n# B\n\n</div>\n"))
	f.Add([]byte("| a |\n| - |\n| b |\n\n# C\n"), []byte("| a |\n| = |\n| b |\n\n# C \xff\x00\n"))
	f.Add([]byte("# A\n\n**B**\n\ntext\n\n# C\n"), []byte("# A\n\n**B**\nmore\n\n# C\n"))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		checkReparse(t, markdown.Options{}, before, after)
		checkReparse(t, ownHeadings, before, after)
	})
}
