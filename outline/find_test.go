package outline_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/outline"
)

const book = `# Book
## Install
## install
### Install
## Use ` + "`go`" + `
# Index
## Install
#
`

func TestFind(t *testing.T) {
	tests := []struct {
		name       string
		occurrence int
		want       int
	}{
		{"Book", 0, 0},
		{" Book\t", 0, 0},
		{"book", 0, 0},
		{"BOOK", 1, 0},
		{"install", 0, 2}, // the same case goes before any case
		{"### Install", 0, 3},
		{"### iNSTALL", 0, 3},
		{"Install", 1, 1},
		{"Install", 2, 3},
		{"Install", 3, 6},
		{"## Install", 2, 6},
		{"INSTALL", 2, 2},
		{"Use go", 0, 4},
		{"## Use `go`", 0, 4},
		{"#", 0, 7},
	}
	doc := parse(t, book)
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %d", tt.name, tt.occurrence), func(t *testing.T) {
			got, err := outline.Find(doc, tt.name, tt.occurrence)
			if got != tt.want || err != nil {
				t.Errorf("%d, %v, want %d", got, err, tt.want)
			}
		})
	}
}

func TestFindErrors(t *testing.T) {
	tests := []struct {
		name       string
		occurrence int
		is         error
		want       string
	}{
		{"", 0, outline.ErrNoName, "section name is empty"},
		{" \t", 2, outline.ErrNoName, "section name is empty"},
		{
			"Install", 0, outline.ErrAmbiguous,
			"ambiguous heading: Install (3 sections have this name; choose one by occurrence: line 2 H2 Install, line 4 H3 Install, line 7 H2 Install)",
		},
		{
			"## INSTALL", 0, outline.ErrAmbiguous,
			"ambiguous heading: ## INSTALL (3 sections have this name; choose one by occurrence: line 2 H2 Install, line 3 H2 install, line 7 H2 Install)",
		},
		{"Book", 2, outline.ErrNotFound, "section not found: Book (occurrence 2 of 1: line 1 H1 Book)"},
		{"Book", -1, outline.ErrNotFound, "section not found: Book (occurrence -1 of 1: line 1 H1 Book)"},
		{
			"### Index", 0, outline.ErrNotFound,
			"section not found: ### Index (closest of 8 sections: line 6 H1 Index, line 1 H1 Book, line 2 H2 Install, line 3 H2 install, line 4 H3 Install, line 7 H2 Install, line 8 H1, line 5 H2 Use go)",
		},
		{"####### Book", 0, outline.ErrNotFound, ""},
		{"#Book", 0, outline.ErrNotFound, ""},
	}
	doc := parse(t, book)
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %d", tt.name, tt.occurrence), func(t *testing.T) {
			_, err := outline.Find(doc, tt.name, tt.occurrence)
			var found *outline.FindError
			if !errors.Is(err, tt.is) || !errors.As(err, &found) {
				t.Fatalf("%v, want %v", err, tt.is)
			}
			if diff := cmp.Diff(tt.want, err.Error()); tt.want != "" && diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestFindInDocumentWithoutHeadings(t *testing.T) {
	_, err := outline.Find(parse(t, "text\n"), "A", 0)
	if !errors.Is(err, outline.ErrNotFound) || err.Error() != "section not found: A (the document has no headings)" {
		t.Error(err)
	}
}

func TestFindErrorIsShort(t *testing.T) {
	title := strings.Repeat("\x1b日本", 400)
	doc := parse(t, strings.Repeat("# "+title+"\n", 1000))
	for _, name := range []string{title, title + "x"} {
		_, err := outline.Find(doc, name, 0)
		var found *outline.FindError
		if !errors.As(err, &found) || len(found.Candidates) != 10 || found.Total != 1000 {
			t.Fatalf("%v", err)
		}
		if n := len(err.Error()); n >= 1024 {
			t.Errorf("%d bytes", n)
		}
	}
}

func TestFindNamesTheClosest(t *testing.T) {
	titles := []string{
		"", "a", "Instal", "Installs", "Uninstall", "INSTALLATION", "Überblick", "Ueberblick", "日本語の説明",
		"kitten", "sitting", "saturday", "sunday", strings.Repeat("x", 64), strings.Repeat("xy", 60),
	}
	doc := parse(t, "# "+strings.Join(titles, "\n# ")+"\n")
	for _, name := range append(titles, "Installation", "überblicke", "mitten", "日本の説明", strings.Repeat("y", 63)) {
		name += "z" // none has it
		_, err := outline.Find(doc, name, 0)
		var found *outline.FindError
		if !errors.As(err, &found) {
			t.Fatal(err)
		}
		all := make([]int, len(titles))
		for i, title := range titles {
			all[i] = levenshtein(name, title)
		}
		var shown []int
		for _, c := range found.Candidates {
			shown = append(shown, all[c.Section])
			all[c.Section] = 1 << 30
		}
		for i, d := range shown {
			if i > 0 && d < shown[i-1] {
				t.Errorf("%q: distances %v are out of order", name, shown)
			}
		}
		for i, d := range all {
			if d < shown[len(shown)-1] {
				t.Errorf("%q: %q is left out at distance %d, shown are %v", name, titles[i], d, shown)
			}
		}
	}
}

// levenshtein is the textbook's, over the first 64 runes without case.
func levenshtein(a, b string) int {
	first := func(s string) []rune {
		r := []rune(strings.ToUpper(s))
		return r[:min(len(r), 64)]
	}
	x, y := first(a), first(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		corner := row[0]
		row[0]++
		for j := range y {
			cost := corner
			if x[i] != y[j] {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(y)]
}
