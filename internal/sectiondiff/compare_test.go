package sectiondiff

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// parse returns the document of a text, nil for "".
func parse(t testing.TB, text string) *markdown.Document {
	t.Helper()
	if text == "" {
		return nil
	}
	doc, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// told returns the changes as lines of text.
func told(t testing.TB, pairs []Pair) []string {
	t.Helper()
	list, err := Compare(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	name := func(p *Place, of func(Pair) *markdown.Document) string {
		title := "-"
		if p.Index >= 0 {
			title = of(pairs[p.Pair]).SectionTitle(p.Index)
		}
		if len(pairs) > 1 {
			return fmt.Sprintf("%d:%s", p.Pair, title)
		}
		return title
	}
	lines := []string{}
	for _, c := range list {
		var words []string
		for _, w := range []struct {
			is   bool
			word string
		}{
			{c.Old == nil, "added"},
			{c.New == nil, "removed"},
			{c.Renamed, "renamed"},
			{c.Moved, "moved"},
			{c.Level, "level"},
			{c.Changed, "changed"},
		} {
			if w.is {
				words = append(words, w.word)
			}
		}
		line := strings.Join(words, " ")
		if c.Old != nil {
			line += " " + name(c.Old, func(p Pair) *markdown.Document { return p.Old })
		}
		if c.Old != nil && c.New != nil {
			line += " ->"
		}
		if c.New != nil {
			line += " " + name(c.New, func(p Pair) *markdown.Document { return p.New })
		}
		if c.Added+c.Removed > 0 {
			line += fmt.Sprintf(" +%d -%d", c.Added, c.Removed)
		}
		if c.Below > 0 {
			line += fmt.Sprintf(" and %d below", c.Below)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestCompare(t *testing.T) {
	const (
		base  = "# Guide\n\nIntro.\n\n## Install\n\nRun the installer and wait for it.\n\n### Linux\n\nUse apt to get the package.\n\n### Mac\n\nUse brew to get the bottle.\n\n## Usage\n\nType the name and press return.\n"
		fruit = "Apples, pears and plums grow on trees in the garden, and some of them are ripe in autumn.\n"
	)
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(base) }
	tests := []struct {
		name     string
		old, now []string
		want     []string
	}{
		{"nothing", []string{base}, []string{base}, []string{}},
		{"blank lines between sections", []string{base}, []string{replace("\n\n## Usage", "\n\n\n\n## Usage")}, []string{}},
		{"a word", []string{base}, []string{replace("apt", "dnf")}, []string{"changed Linux -> Linux +1 -1"}},
		{"a space", []string{base}, []string{replace("Use apt", "Use  apt")}, []string{"changed Linux -> Linux"}},
		{"the preamble", []string{"a\n\n# A\n"}, []string{"b\n\n# A\n"}, []string{"changed - -> - +1 -1"}},
		{"front matter", []string{"---\na: 1\n---\n# A\n"}, []string{"---\na: 2\n---\n# A\n"}, []string{"changed - -> - +1 -1"}},
		{"a section that has others", []string{base}, []string{replace("## Install", "## Set up")}, []string{"renamed Install -> Set up"}},
		{"a heading's form", []string{base}, []string{replace("## Usage\n", "## Usage ##\n")}, []string{"changed Usage -> Usage"}},
		{"renamed and changed", []string{base}, []string{replace("### Mac", "### macOS", "brew", "port")}, []string{"renamed changed Mac -> macOS +1 -1"}},
		{"added", []string{base}, []string{base + "\n## More\n\nMore of it.\n"}, []string{"added More +3 -0"}},
		{"added with others below", []string{base}, []string{base + "\n## More\n\nMore of it.\n\n### Still\n\nMore.\n"}, []string{"added More +4 -0 and 1 below"}},
		{"removed with others below", []string{base}, []string{"# Guide\n\nIntro.\n\n## Usage\n\nType the name and press return.\n"}, []string{"removed Install +0 -19 and 2 below"}},
		{
			"moved to another section",
			[]string{base},
			[]string{"# Guide\n\nIntro.\n\n## Install\n\nRun the installer and wait for it.\n\n### Linux\n\nUse apt to get the package.\n\n## Usage\n\nType the name and press return.\n\n### Mac\n\nUse brew to get the bottle.\n"},
			[]string{"moved Mac -> Mac"},
		},
		{
			"another order",
			[]string{base},
			[]string{"# Guide\n\nIntro.\n\n## Usage\n\nType the name and press return.\n\n## Install\n\nRun the installer and wait for it.\n\n### Linux\n\nUse apt to get the package.\n\n### Mac\n\nUse brew to get the bottle.\n"},
			[]string{"moved Usage -> Usage"},
		},
		{"a level up", []string{base}, []string{replace("### Mac", "## Mac")}, []string{"moved Mac -> Mac"}},
		{
			"all levels down, as the section above",
			[]string{"# A\n\n## B\n\nText of it here.\n\n### C\n\nMore text of it.\n"},
			[]string{"# A\n\n### B\n\nText of it here.\n\n#### C\n\nMore text of it.\n"},
			[]string{"level B -> B"},
		},
		{
			"other destinations in headings a level down",
			[]string{"# A\n\n## [B](one.md)\n\nText of it here.\n\n### [C](one.md) ###\n\nMore text of it.\n"},
			[]string{"# A\n\n### [B](two.md)\n\nText of it here.\n\n#### [C](two.md)\n\nMore text of it.\n"},
			[]string{"level changed B -> B", "changed C -> C"},
		},
		{
			"twins, the first of them removed",
			[]string{"# A\n\n## Example\n\none\n\n## Example\n\ntwo\n"},
			[]string{"# A\n\n## Example\n\ntwo\n"},
			[]string{"removed Example +0 -1"},
		},
		{"moved to another document", []string{"# A\n\n## X\n\n" + fruit, "# B\n"}, []string{"# A\n", "# B\n\n## X\n\n" + fruit}, []string{"moved 0:X -> 1:X"}},
		{
			"moved to another document and changed",
			[]string{"# A\n\n## X\n\n" + fruit + "\nMore.\n", "# B\n"},
			[]string{"# A\n", "# B\n\n## Y\n\n" + fruit + "\nLess.\n"},
			[]string{"renamed moved changed 0:X -> 1:Y +1 -1"},
		},
		{"a document with another path", []string{"# A\n\n" + fruit, ""}, []string{"", "# A\n\n" + fruit}, []string{"moved 0:- -> 1:-"}},
		{
			"documents with other paths, and another one of their text that is gone",
			[]string{"# A\n\nNone.\n", "# B\n\nNone.\n", "# C\n\nNone.\n", "", ""},
			[]string{"", "", "", "# B\n\nNone.\n", "# C\n\nNone.\n"},
			[]string{"removed 0:- +0 -1 and 1 below", "moved 1:- -> 3:-", "moved 2:- -> 4:-"},
		},
		{"a document that is new", []string{""}, []string{"# A\n\n## B\n\nb\n"}, []string{"added - +1 -0 and 2 below"}},
		{"an empty document that is gone", []string{"\n"}, []string{""}, []string{"removed -"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pairs := make([]Pair, len(test.old))
			for i := range pairs {
				pairs[i] = Pair{parse(t, test.old[i]), parse(t, test.now[i])}
			}
			if diff := cmp.Diff(test.want, told(t, pairs)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCompareAccounts compares random documents with changed ones: each section of either
// side is told of once at most, as itself or below one that is added or removed, and what is
// not told of has the same title and text; the words that are added and removed are
// the difference of the words of both.
func TestCompareAccounts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		old := generated(random, nil)
		now := generated(random, old)
		pairs := []Pair{{parse(t, strings.Join(old, "")), parse(t, strings.Join(now, ""))}}
		list, err := Compare(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		account(t, pairs[0], list)
	}
}

// account fails the test unless the changes tell what is different in a pair.
func account(t *testing.T, p Pair, list []Change) {
	t.Helper()
	olds, nows := map[int]bool{}, map[int]bool{} // sections that are told of
	words := 0
	note := func(told map[int]bool, place *Place, doc *markdown.Document, below int) {
		if place == nil {
			return
		}
		for i := place.Index; i <= place.Index+below; i++ {
			if told[i] {
				t.Errorf("section %d is told of twice", i)
			}
			told[i] = true
		}
		if below > 0 && place.Index >= 0 && int(doc.Sections[place.Index].Next) < place.Index+below+1 {
			t.Errorf("section %d has no %d below it", place.Index, below)
		}
	}
	for _, c := range list {
		note(olds, c.Old, p.Old, c.Below)
		note(nows, c.New, p.New, c.Below)
		words += c.Added - c.Removed
	}
	if want := bodyWords(p.New) - bodyWords(p.Old); words != want {
		t.Errorf("%d more words are told of, and there are %d more", words, want)
	}
	rest := func(told map[int]bool, doc *markdown.Document) []string {
		var lines []string
		for i := range doc.Sections {
			if !told[i] {
				body := doc.BodySpan(i)
				heading := doc.Blocks[doc.Sections[i].Heading].End
				lines = append(lines, doc.SectionTitle(i)+"\n"+strings.TrimSpace(string(doc.Source[heading:body.End])))
			}
		}
		slices.Sort(lines) // what is below a section that is moved is where that is
		return lines
	}
	a, b := rest(olds, p.Old), rest(nows, p.New)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("what isn't told of differs:\n%s\nold:\n%s\nnew:\n%s", diff, p.Old.Source, p.New.Source)
	}
}

// bodyWords returns the number of words of a document without its headings.
func bodyWords(doc *markdown.Document) int {
	n := countWords(doc.Source)
	for _, s := range doc.Sections {
		n -= countWords(doc.Text(doc.Blocks[s.Heading].Span()))
	}
	return n
}

// generated returns the sections of a random document, or some with random changes.
func generated(random *rand.Rand, from []string) []string {
	section := func() string {
		text := strings.Repeat("#", 1+random.IntN(3)) + " " + string(rune('A'+random.IntN(8))) + "\n\n"
		for range random.IntN(3) {
			for range 1 + random.IntN(8) {
				text += fmt.Sprintf("w%d ", random.IntN(30))
			}
			text += "\n\n"
		}
		return text
	}
	if from == nil {
		list := []string{"start\n\n"}
		for range 1 + random.IntN(12) {
			list = append(list, section())
		}
		return list
	}
	list := slices.Clone(from)
	for range 1 + random.IntN(4) {
		at, to := 1+random.IntN(len(list)-1), 1+random.IntN(len(list)-1)
		switch random.IntN(5) {
		case 0:
			list[at] = section()
		case 1:
			list = slices.Insert(list, at, section())
		case 2:
			list[at], list[to] = list[to], list[at]
		case 3:
			list[at] = strings.Replace(list[at], "# ", "# New ", 1)
		case 4:
			if len(list) > 2 {
				list = slices.Delete(list, at, at+1)
			}
		}
	}
	return list
}

// TestCompareMoved moves a section of each real document that has several below one to the
// place after its next neighbour: one of both is told of as moved, and nothing else is.
func TestCompareMoved(t *testing.T) {
	moved := 0
	for _, file := range testkit.CorpusFiles(t) {
		doc := parse(t, string(file.Data))
		if doc == nil {
			continue
		}
		for i, s := range doc.Sections {
			next := int(s.Next)
			if next >= len(doc.Sections) || doc.Sections[next].Level != s.Level || doc.Sections[next].Parent != s.Parent {
				continue
			}
			a, b := doc.SectionSpan(i), doc.SectionSpan(next)
			first, second := string(doc.Text(a)), strings.TrimRight(string(doc.Text(b)), "\n")+"\n\n"
			now := parse(t, string(doc.Source[:a.Start])+second+first+string(doc.Source[b.End:]))
			if len(now.Sections) != len(doc.Sections) { // what one of them opens or defines acts on the other
				break
			}
			list, err := Compare(t.Context(), []Pair{{doc, now}})
			if err != nil {
				t.Fatal(err)
			}
			if first == second {
				break
			}
			moved++
			if len(list) != 1 || !list[0].Moved || list[0].Changed || list[0].Renamed {
				t.Errorf("%s: %q and its next neighbour change places, and this is told: %q", file.Name, doc.SectionTitle(i), told(t, []Pair{{doc, now}}))
			}
			break
		}
	}
	if moved == 0 {
		t.Error("no section was moved")
	}
}

func TestCompareEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(ctx, []Pair{{parse(t, "# A\n"), parse(t, "# B\n")}}); err != context.Canceled { //nolint:errorlint // as it is
		t.Errorf("error %v", err)
	}
}
