package edit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

const article = "---\ntitle: Café\n---\n\n# Guide\n\nRun “make all” — it’s\n  quick and   simple.\n\n- [ ] Write\tthe tests\n" +
	"- [x] Say \"no\" to `a\\b`\n\n```go\nfmt.Println(\"a\\n\")\n\n\treturn nil\n```\n\nUse 5\u00a0km and wait\u2026 A soft\u00adware\\_name.\n\n> A quote\n> of two lines\n\n1. Three &amp; four\n"

func TestClosestText(t *testing.T) {
	for _, test := range []struct {
		name, old, what string
		first, last     int
	}{
		{"runs of blanks", "quick and simple.", "white space", 8, 8},
		{"lines joined", "it’s quick and   simple.", "white space", 7, 8},
		{"indentation", "```go\n  fmt.Println(\"a\\n\")", "white space", 13, 14},
		{"indentation at the start", "    return nil\n", "white space", 16, 16},
		{"trailing blanks", "# Guide  \n\nRun", "white space", 5, 7},
		{"a missing blank line", "# Guide\nRun", "white space", 5, 7},
		{"a tab", "Write the tests", "white space", 10, 10},
		{"straight quotes", "\"make all\"", "quotes or dashes", 7, 7},
		{"apostrophe and dash", "- it's", "quotes or dashes", 7, 7},
		{"typographic ones for straight ones", "Say “no” to", "quotes or dashes", 11, 11},
		{"no-break space", "5 km and", "white space", 19, 19},
		{"ellipsis", "wait...", "quotes or dashes", 19, 19},
		{"case", "# guide\n", "case", 5, 5},
		{"case beyond ASCII", "title: CAFÉ", "case", 2, 2},
		{"soft hyphen", "A software", "characters that can't be seen", 19, 19},
		{"zero width", "# Gu\u200bide", "characters that can't be seen", 5, 5},
		{"byte order mark", "\uFEFF---\ntitle", "characters that can't be seen", 1, 2},
		{"Markdown escapes", "ware_name.", "escapes", 19, 19},
		{"escapes of a string", `Say \"no\" to`, "escapes", 11, 11},
		{"line endings as escapes", `# Guide\n\nRun`, "escapes", 5, 7},
		{"tab as an escape", `Write\tthe`, "escapes", 10, 10},
		{"HTML", "> of two lines\n\n1. Three &amp;amp; four", "escapes", 22, 24},
		{"white space and case", "QUICK and simple", "white space and case", 8, 8},
		{"three things", "run \"make all\" — it's quick", "white space, quotes or dashes and case", 7, 8},
		{"numbers and tabs", "     5\t# Guide\n     6\t\n     7\tRun", "line numbers at the start of lines", 5, 7},
		{"numbers and colons", "5: # Guide\n6:\n7: Run", "line numbers at the start of lines", 5, 7},
		{"numbers and arrows", "    5→# Guide\n    6→\n    7→Run", "line numbers at the start of lines", 5, 7},
		{"numbers and bars", "10 | - [ ] Write", "line numbers at the start of lines", 10, 10},
		{"numbers without trailing blanks", "  5  # Guide\n  6\n  7  Run", "line numbers at the start of lines", 5, 7},
		{"numbers and another thing", "5\t# guide\n6\t\n7\trun", "line numbers at the start of lines and case", 5, 7},
		{"numbers and escapes", `11:- [x] Say \"no\"`, "line numbers at the start of lines and escapes", 11, 11},
		{"a typing error", "Write the tetss", "the wording", 10, 10},
		{"another word", "# Guide\n\nPlease run make all – it is\nquick and simple.", "the wording", 5, 8},
		{"a missing mark", "> A quote\nof two lines", "the wording", 21, 22},
		{"part of a line", "and wait... A soft ware name", "the wording", 19, 19},
		{"other words", "Nothing like this is anywhere in it.", "", 0, 0},
		{"some of the words", "We make all kinds of simple quotes and wait for the software to write two of them", "", 0, 0},
		{"most letters of a short text", "Wrote a test", "", 0, 0},
		{"many of the words of a long text", strings.Repeat("Run and wait, make a quote of two lines, write the tests in five; ", 12), "", 0, 0},
		{"short", "xyz", "", 0, 0},
		{"one character", "Q", "", 0, 0},
		{"blank", " \n\t\n", "", 0, 0},
		{"numbers that don't count up", "7: Run “make all” — it’s\n7:   quick and   simple.", "the wording", 7, 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, ending := range []string{"\n", "\r\n", "\r"} {
				src := strings.ReplaceAll(article, "\n", ending)
				doc := parseText(t, src)
				if _, total := findText(doc.Source, whole(src), test.old, 1); total > 0 {
					t.Fatal("it is there")
				}
				p, what, ok := closestText(doc, whole(src), test.old)
				if ok != (test.what != "") || what != test.what || p.First != test.first || p.Last != test.last {
					t.Errorf("ending %q: got %v, %q, lines %v: %q", ending, ok, what, p.Lines, p.Text)
				}
				if !ok {
					continue
				}
				lines := doc.LineSpan(p.Lines)
				want := strings.TrimSuffix(strings.TrimSuffix(src[lines.Start:lines.End], "\n"), "\r")
				if diff := cmp.Diff(want, p.Text); diff != "" {
					t.Errorf("ending %q: %s", ending, diff)
				}
			}
		})
	}
}

func TestClosestTextPlace(t *testing.T) {
	var words []string
	for i := range 200 {
		words = append(words, fmt.Sprintf("word%d", i*i))
	}
	forth := strings.Join(words, " ")
	back := strings.Join(slices.Concat(words[150:], words[100:150], words[50:100], words[:50]), " ")
	long := strings.Repeat("word and ", 100)
	for _, test := range []struct {
		name, src, old string
		column         int
		text           string
	}{
		{"a single character", "a B", "b", 0, ""}, // which says nothing
		{"words in another order", forth, back, 0, ""},
		{"column in characters", "ä ÖL", "öl", 3, "ä ÖL"},
		{"the place that differs least", "FOO  bar\nfoo  bar\nFoo bar\n", "foo bar", 1, "foo  bar"},
		{"first of equals", "FOO bar\nFoo bar\n", "foo bar", 1, "FOO bar"},
		{"a long line", long + "Here " + long, "here", len(long) + 1, ""},
		{"a long line that is similar", long + "what is written here alone " + long, "what is written hre alone", len(long) + 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := parseText(t, test.src)
			p, _, ok := closestText(doc, whole(test.src), test.old)
			if ok != (test.column > 0) || p.Column != test.column {
				t.Errorf("%v: %+v", ok, p)
			}
			if test.text != "" && p.Text != test.text {
				t.Errorf("got %q", p.Text)
			}
			if n := utf8.RuneCountInString(p.Text); n > maxPassage+2 {
				t.Errorf("%d characters", n)
			}
		})
	}
}

func TestClosestTextInScope(t *testing.T) {
	doc := parseText(t, "# A\n\nSome text.\n\n# B\n\nSome TEXT.\n\n# C\n")
	for _, test := range []struct{ section, line int }{{0, 3}, {1, 7}, {2, 0}} {
		p, what, ok := closestText(doc, doc.SectionSpan(test.section), "some text.")
		if ok != (test.line > 0) || p.First != test.line || ok && what != "case" {
			t.Errorf("section %d: %v, %q, %+v", test.section, ok, what, p)
		}
	}
}

// TestClosestTextOfPassages takes passages of documents, changes words in them, and
// looks whether they are found again, and not in another document.
func TestClosestTextOfPassages(t *testing.T) {
	testkit.OneGoroutine(t)
	doc := parseText(t, string(testkit.LargeFixture().Source))
	lines := strings.SplitAfter(string(doc.Source), "\n")
	other := parseText(t, strings.Repeat("Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.\n\n", 300))
	r := rand.New(rand.NewPCG(9, 10))
	tried, found := 0, 0
	for _, n := range []int{1, 3, 10, 40, 150} {
		for range 20 {
			at := r.IntN(len(lines) - n)
			old := strings.Join(lines[at:at+n], "")
			words := strings.Split(old, " ")
			if len(words) < 6 {
				continue
			}
			for i := 3; i < len(words); i += 8 {
				words[i] = "different"
			}
			old = strings.Join(words, " ")
			tried++
			p, what, ok := closestText(doc, whole(doc.Source), old)
			if ok && what == "the wording" && p.First <= at+2 && p.Last >= at+n-2 {
				found++
			}
			if p, _, ok := closestText(other, whole(other.Source), old); ok {
				t.Errorf("%q is like %q", old, p.Text)
			}
		}
	}
	if tried < 50 || found*10 < tried*9 {
		t.Errorf("%d of %d found", found, tried)
	}
}

// TestClosestTextHostile takes minutes if the effort has no limit.
func TestClosestTextHostile(t *testing.T) {
	testkit.OneGoroutine(t)
	a := strings.Repeat("a", 1<<20)
	ab := strings.Repeat("ab\n", 1<<18)
	for _, test := range []struct{ src, old string }{
		{a, "A" + a[:1<<19]},
		{a, a[:1<<19] + "b"},
		{a, "b" + a[:500]},
		{ab, strings.Repeat("ba\n", 1<<17)},
		{strings.ToUpper(ab), ab[:1<<19]},
		{strings.ReplaceAll(ab, "\n", "\r\n"), strings.Repeat("b a\n", 200)},
		{strings.Repeat("\u200b", 1<<18), "\u200bword"},
		{strings.Repeat("\\", 1<<19), strings.Repeat("\\", 1001)},
		{strings.Repeat("“", 1<<18), strings.Repeat("\"", 1<<17)},
		{ab, strings.Repeat("1: ab\n", 1<<16)},
		{strings.Repeat("x ", 1<<18), strings.Repeat("x y ", 1<<13)},
	} {
		doc := parseText(t, test.src)
		closestText(doc, whole(test.src), test.old)
	}
}

// FuzzClosestText checks that what is said to be there is there.
func FuzzClosestText(f *testing.F) {
	for _, old := range []string{"# guide", "5: # Guide", `\n`, "quick  and", "Three &amp; four"} {
		f.Add(article, old)
	}
	f.Fuzz(func(t *testing.T, src, old string) {
		if len(src)+len(old) > 1<<14 {
			return
		}
		doc, err := markdown.Parse([]byte(src))
		if err != nil {
			return
		}
		p, what, ok := closestText(doc, whole(src), old)
		if !ok {
			return
		}
		if p.First < 1 || p.Last < p.First || p.Last > doc.LineCount || p.Column < 1 || what == "" {
			t.Fatalf("%q in %q: %+v, %q", old, src, p, what)
		}
	})
}

func BenchmarkClosestText(b *testing.B) {
	// 50,400 lines, each section's words other ones.
	var src strings.Builder
	r := rand.New(rand.NewPCG(11, 12))
	for range 21 {
		for line := range strings.Lines(string(testkit.LargeFixture().Source)) {
			if words := strings.Split(line, " "); len(words) > 4 {
				words[2] = fmt.Sprintf("%x", r.Uint32())
				line = strings.Join(words, " ")
			}
			src.WriteString(line)
		}
	}
	doc := parseText(b, src.String())
	lines := strings.SplitAfter(src.String(), "\n")
	passage := func(n int, old, replacement string) string {
		return strings.ReplaceAll(strings.Join(lines[len(lines)-n-1000:len(lines)-1000], ""), old, replacement)
	}
	for _, bench := range []struct{ name, old string }{
		{"case", strings.ToUpper(passage(200, "", ""))},
		{"white space", passage(200, " ", "  ")},
		{"line", passage(8, "a", "o")},
		{"lines", passage(20, "e", "a")},
		{"passage", passage(200, "the", "that")},
		{"nothing", strings.Repeat("Lorem ipsum dolor sit amet, consetetur sadipscing elitr.\n", 200)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(src.Len()))
			for b.Loop() {
				closestText(doc, whole(doc.Source), bench.old)
			}
		})
	}
}
