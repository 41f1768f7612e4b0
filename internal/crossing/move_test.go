package crossing_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/crossing"
	"github.com/sectile/sectile/markdown"
)

// isRooted says that a destination leads to the same thing from any document if it begins with '/'.
func isRooted(destination string) bool { return strings.HasPrefix(destination, "/") }

// TestMove tells what a move to another document makes of both, byte by byte.
func TestMove(t *testing.T) {
	for _, test := range []struct {
		name, from, to   string
		op               edit.Op
		wantFrom, wantTo string // or the beginning of the error
	}{
		{"to the end", "# A\n\na\n\n## B\n\nb\n\n## C\n", "# D\n", edit.Op{Address: "## B"}, "# A\n\na\n\n## C\n", "# D\n\n## B\n\nb\n"},
		{"to a new one", "# A\n\n## B\n\nb\n\n### B1\n", "", edit.Op{Address: "## B"}, "# A\n", "# B\n\nb\n\n## B1\n"},
		{"into one without subsections", "# A\n\n## B\n", "# D\n\nd\n", edit.Op{Address: "## B", To: "D", Where: edit.Last}, "# A\n", "# D\n\nd\n\n## B\n"},
		{"before the first", "# A\n\n# B\n", "# D\n\n## E\n", edit.Op{Address: "B", To: "D", Where: edit.First}, "# A\n", "# D\n\n## B\n\n## E\n"},
		{"CRLF to LF", "# A\r\n\r\n# B\r\n\r\nb\r\n", "# D\n", edit.Op{Address: "B", To: "D", Where: edit.Before}, "# A\r\n", "# B\n\nb\n\n# D\n"},
		{
			"definitions", "# A\n\n[x][l] [l]\n\n# B\n\nb [l] [x][l] [l][] [^1]\n\n# C\n\n[l]: /u 'T'\n\n[^1]: note [l]\n", "# D\n\n[l]: /u 'T'\n\n[^1]: other\n\nd[^1]\n",
			edit.Op{Address: "B", To: "D", Where: edit.After},
			"# A\n\n[x][l] [l]\n\n# C\n\n[l]: /u 'T'\n\n[^1]: note [l]\n", "# D\n\n[l]: /u 'T'\n\n[^1]: other\n\nd[^1]\n\n# B\n\nb [l] [x][l] [l][] [^1-2]\n\n[^1-2]: note [l]\n",
		},
		{
			"a label that is taken", "# A\n\n# B\n\nb [l] [x][L] [l][] ![l]\n\n# C\n\n[l]: /u\n", "# D\n\n[l]: /v\n\n[l]\n",
			edit.Op{Address: "B"},
			"# A\n\n# C\n\n[l]: /u\n", "# D\n\n[l]: /v\n\n[l]\n\n# B\n\nb [l][l-2] [x][l-2] [l][l-2] ![l][l-2]\n\n[l-2]: /u\n",
		},
		{
			"a definition of the same text that is relative", "# A\n\n# B\n\n[l]\n\n# C\n\n[l]: u.md\n", "# D\n\n[l]: u.md\n\n[l]\n",
			edit.Op{Address: "B"},
			"# A\n\n# C\n\n[l]: u.md\n", "# D\n\n[l]: u.md\n\n[l]\n\n# B\n\n[l][l-2]\n\n[l-2]: u.md\n",
		},
		{
			"definitions of links line by line, notes apart", "# A\n\n# B\n\n[k] [l] [^1] [m]\n\n# C\n\n[k]: /k\n[l]: /l\n\n[^1]: note\n\n[m]: /m\n", "# D\n",
			edit.Op{Address: "B"},
			"# A\n\n# C\n\n[k]: /k\n[l]: /l\n\n[^1]: note\n\n[m]: /m\n", "# D\n\n# B\n\n[k] [l] [^1] [m]\n\n[k]: /k\n[l]: /l\n\n[^1]: note\n\n[m]: /m\n",
		},
		{
			"a definition in the section whose label is taken", "# A\n\n# B\n\n[l] [x][l]\n\n[l]: #b\n", "# D\n\n[l]\n\n[l]: #b\n",
			edit.Op{Address: "B"},
			"# A\n", "# D\n\n[l]\n\n[l]: #b\n\n# B\n\n[l][l-2] [x][l-2]\n\n[l-2]: #b\n",
		},
		{
			"a note in the section whose label is taken", "# A\n\n# B\n\n[^1]\n\n[^1]: b\n", "# D\n\n[^1]\n\n[^1]: d\n",
			edit.Op{Address: "B"},
			"# A\n", "# D\n\n[^1]\n\n[^1]: d\n\n# B\n\n[^1-2]\n\n[^1-2]: b\n",
		},
		{
			"definitions that others use", "# A\n\n[l]\n\n# B\n\nb\n\n[l]: /u\n", "# D\n",
			edit.Op{Address: "B"},
			"# A\n\n[l]\n\n[l]: /u\n", "# D\n\n# B\n\nb\n\n[l]: /u\n",
		},
		{
			"definitions that others use, with those that these use", "# A\n\na[^z]\n\n# B\n\nb\n\n[u]: /u\n\n[^y]: inner [v]\n\n[^z]: note [u] and[^y]\n\n[v]: /v\n", "# D\n",
			edit.Op{Address: "B"},
			"# A\n\na[^z]\n\n[u]: /u\n\n[^y]: inner [v]\n\n[^z]: note [u] and[^y]\n\n[v]: /v\n", "# D\n\n# B\n\nb\n\n[u]: /u\n\n[^y]: inner [v]\n\n[^z]: note [u] and[^y]\n\n[v]: /v\n",
		},
		{
			"a definition that a copied note uses, which stays too", "# A\n\n[^z]: note [u]\n\n# B\n\nb[^z]\n\n[u]: /u\n", "# D\n",
			edit.Op{Address: "B"},
			"# A\n\n[^z]: note [u]\n\n[u]: /u\n", "# D\n\n# B\n\nb[^z]\n\n[u]: /u\n\n[^z]: note [u]\n",
		},
		{"text in a copied note that would be a reference", "# A\n\n[^z]: note [l]\n\n# B\n\nb[^z]\n", "# D\n\n[l]: /v\n", edit.Op{Address: "B"}, "!structure_changed: a reference on line 3 of the document would get", ""},
		{"a table at the end", "# A\n\n# B\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n# C\n", "# D\n\n# E\n", edit.Op{Address: "B", To: "D", Where: edit.After}, "# A\n\n# C\n", "# D\n\n# B\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n# E\n"},
		{"a table before copied definitions", "# A\n\n# B\n\n| [l] |\n|---|\n\n# C\n\n[l]: /u\n", "# D\n", edit.Op{Address: "B"}, "# A\n\n# C\n\n[l]: /u\n", "# D\n\n# B\n\n| [l] |\n|---|\n\n[l]: /u\n"},
		{"a quote with an empty last line", "# A\n\n# B\n\n> b\n>\n\n# C\n", "# D\n", edit.Op{Address: "B"}, "# A\n\n# C\n", "# D\n\n# B\n\n> b\n>\n"},
		{"an item with an empty quote", "# A\n\n# B\n\n- b\n  > c\n  >\n", "# D\n", edit.Op{Address: "B"}, "# A\n", "# D\n\n# B\n\n- b\n  > c\n  >\n"},
		{"an indented heading", "# A\n\n  # B\n\nb\n\n# C\n", "# D\n\n# E\n", edit.Op{Address: "B", To: "D", Where: edit.After}, "# A\n\n# C\n", "# D\n\n  # B\n\nb\n\n# E\n"},
		{"an indented underlined heading, to another level", "# A\n\n   B\n   ---\n\nb\n", "# D\n\n## E\n", edit.Op{Address: "B", To: "E", Where: edit.Last}, "# A\n", "# D\n\n## E\n\n   ### B\n\nb\n"},
		{"an underlined heading, one level down", "B\n===\n\nB1\n---\n\nb\n\n# C\n", "# D\n\n## E\n", edit.Op{Address: "B", To: "E", Where: edit.Before}, "# C\n", "# D\n\nB\n---\n\n### B1\n\nb\n\n## E\n"},
		{"an underlined heading, one level up", "# A\n\nB\n---\n\nb\n", "# D\n", edit.Op{Address: "B", To: "D", Where: edit.After}, "# A\n", "# D\n\nB\n===\n\nb\n"},
		{"text that would be a reference", "# A\n\n# B\n\n[l]\n", "# D\n\n[l]: /v\n", edit.Op{Address: "B"}, "!structure_changed: a reference on line 5 of the document would get", ""},
		{"an open fence", "# A\n\n# B\n\n```\nb\n", "# D\n", edit.Op{Address: "B", To: "D", Where: edit.Before}, "!structure_changed", ""},
		{"a part of a chapter, to the end of one", "# A\n\n## B\n\nb\n", "# D\n\n## E\n", edit.Op{Address: "B"}, "# A\n", "# D\n\n## E\n\n## B\n\nb\n"},
		{"a small part, to the end of a chapter without parts", "# A\n\n## B\n\n### C\n", "# D\n\nd\n", edit.Op{Address: "C"}, "# A\n\n## B\n", "# D\n\nd\n\n## C\n"},
		{"a part, to the end of a document with two titles", "# A\n\n## B\n", "# D\n\n# E\n", edit.Op{Address: "B"}, "# A\n", "# D\n\n# E\n\n# B\n"},
		{"too deep", "# A\n\n## B\n\n###### C\n", "###### D\n", edit.Op{Address: "B"}, "!level_mismatch", ""},
		{"levels that don't fit", "# A\n", "## D\n\n### E\n", edit.Op{Address: "A", To: "E", Where: edit.Before, KeepLevels: true}, "!level_mismatch", ""},
		{"a position", "# A\n\n# B\n", "# D\n", edit.Op{Address: "h1.0"}, "!hash_required", ""},
		{"another hash", "# A\n\n# B\n", "# D\n", edit.Op{Address: "A", ExpectedHash: "0123456789abcdef"}, "!conflict", ""},
		{"to a position", "# A\n\n# B\n", "# D\n", edit.Op{Address: "A", To: "h1.0", Where: edit.After}, "!hash_required", ""},
		{"no such section", "# A\n", "# D\n", edit.Op{Address: "A", To: "X", Where: edit.After}, "!heading_not_found", ""},
	} {
		test.op.Action = edit.Move
		got, err := crossing.Move(t.Context(), parse(t, test.from), parse(t, test.to), &test.op, crossing.Options{Same: isRooted})
		if err != nil {
			if errs, ok := errors.AsType[edit.Errors](err); !ok || !strings.HasPrefix("!"+errs[0].Error(), test.wantFrom) || test.wantFrom[0] != '!' {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if from, to := string(got.From.Doc.Source), string(got.To.Doc.Source); from != test.wantFrom || to != test.wantTo {
			t.Errorf("%s:\n%q\nwant\n%q\nand\n%q\nwant\n%q", test.name, from, test.wantFrom, to, test.wantTo)
		}
	}
}

// TestMoveToTheSameDefinition moves a section that uses a definition which the other document has:
// no copy of it is made, however it is spaced, if what it leads to is the same from there.
func TestMoveToTheSameDefinition(t *testing.T) {
	for _, test := range []struct {
		name, from, to, want string
		same                 string // a destination that leads to the same thing from both
	}{
		{"spaced", "# A\n\n[l]\n\n# Z\n\n[l]: /u 'T'\n", "# D\n\n[l]:    /u\n  'T'\n", "# D\n\n[l]:    /u\n  'T'\n\n# A\n\n[l]\n", "/u"},
		{"another title", "# A\n\n[l]\n\n# Z\n\n[l]: /u 'T'\n", "# D\n\n[l]: /u\n", "# D\n\n[l]: /u\n\n# A\n\n[l][l-2]\n\n[l-2]: /u 'T'\n", "/u"},
		{"the same from both", "# A\n\n[l]\n\n# Z\n\n[l]: u.md#x\n", "# D\n\n[l]:  u.md#x\n", "# D\n\n[l]:  u.md#x\n\n# A\n\n[l]\n", "u.md#x"},
		{"another from each", "# A\n\n[l]\n\n# Z\n\n[l]: u.md#x\n", "# D\n\n[l]: u.md#x\n", "# D\n\n[l]: u.md#x\n\n# A\n\n[l][l-2]\n\n[l-2]: u.md#x\n", ""},
		{"within the document", "# A\n\n[l]\n\n# B\n\n[l]: #b\n", "# B\n\n[l]: #b\n", "# B\n\n[l]: #b\n\n# A\n\n[l][l-2]\n\n[l-2]: #b\n", ""},
		{"as it is read, not as it is written", "# A\n\n[l]\n\n# Z\n\n[l]: \\#b\n", "# D\n\n[l]: \\#b\n", "# D\n\n[l]: \\#b\n\n# A\n\n[l][l-2]\n\n[l-2]: \\#b\n", "\\#b"},
	} {
		op := edit.Op{Action: edit.Move, Address: "A"}
		got, err := crossing.Move(t.Context(), parse(t, test.from), parse(t, test.to), &op, crossing.Options{Same: func(destination string) bool { return destination == test.same }})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if to := string(got.To.Doc.Source); to != test.want {
			t.Errorf("%s:\n%q\nwant\n%q", test.name, to, test.want)
		}
	}
}

// TestMoveCampaign moves sections between random documents. Lines are counted by hand:
// none may be lost and none come but definitions and blank ones; each block is found where it
// is said to be; and without definitions nothing but a level is a reason to refuse, and the way back
// gives the old document.
func TestMoveCampaign(t *testing.T) {
	n := 300
	if os.Getenv("SECTILE_LONG") != "" {
		n = 20_000
	}
	made, back := 0, 0
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		from, to := randomSections(r, "a", i%2 == 0), randomSections(r, "b", i%2 == 0)
		a, b := parse(t, from), parse(t, to)
		section := r.IntN(len(a.Sections))
		op := edit.Op{Action: edit.Move, Address: a.SectionTitle(section), To: b.SectionTitle(r.IntN(len(b.Sections))), Where: edit.MovePlaces()[r.IntN(len(edit.MovePlaces()))]}
		got, err := crossing.Move(t.Context(), a, b, &op, crossing.Options{})
		if errs, _ := errors.AsType[edit.Errors](err); err != nil {
			if i%2 == 0 && (len(errs) == 0 || errs[0].Code != edit.LevelMismatch) {
				t.Fatalf("%d: %v:\n%s\n%s", i, err, from, to)
			}
			continue
		}
		made++
		now := [2]*markdown.Document{got.From.Doc, got.To.Doc}
		was, is := linesIn(from, to), linesIn(string(now[0].Source), string(now[1].Source))
		for line, n := range was {
			if is[line] < n && !strings.Contains(line, "][") && !strings.HasPrefix(line, "text [") {
				t.Fatalf("%d: %q is there %d times, was %d:\n%s\n%s\n--\n%s\n%s", i, line, is[line], n, from, to, now[0].Source, now[1].Source)
			}
		}
		for block, at := range got.Blocks {
			doc := now[0]
			if block >= got.Start && block < got.End {
				doc = now[1]
			}
			if old := a.Blocks[block]; old.Kind == markdown.Paragraph && !strings.Contains(string(a.Text(old.Span())), "[") && !slices.Equal(a.Text(old.Span()), doc.Text(doc.Blocks[at].Span())) {
				t.Fatalf("%d: block %d is said to be %d", i, block, at)
			}
		}
		if i%2 != 0 || section == 0 || int(a.Sections[section].Next) >= len(a.Sections) {
			continue
		}
		next := int(a.Sections[section].Next)
		if a.Sections[next].Level != a.Sections[section].Level {
			continue
		}
		op = edit.Op{Action: edit.Move, Address: a.SectionTitle(section), To: a.SectionTitle(next), Where: edit.Before}
		again, err := crossing.Move(t.Context(), now[1], now[0], &op, crossing.Options{})
		if err != nil {
			t.Fatalf("%d: no way back: %v", i, err)
		}
		if back++; string(again.To.Doc.Source) != from || string(again.From.Doc.Source) != to {
			t.Fatalf("%d: there and back:\n%q\nwas\n%q\nand\n%q\nwas\n%q", i, again.To.Doc.Source, from, again.From.Doc.Source, to)
		}
	}
	if made*2 < n || back*20 < n {
		t.Errorf("of %d moves %d were made and %d went back: too few", n, made, back)
	}
}

// label is that of a definition, which gets another one where it is taken.
var label = regexp.MustCompile(`^\[(\^?)[^\]]*\]:`)

// linesIn counts the lines of two texts that aren't blank, headings without their marks and
// definitions without their labels.
func linesIn(one, other string) map[string]int {
	all := map[string]int{}
	for line := range strings.SplitSeq(one+"\n"+other, "\n") {
		if line = label.ReplaceAllString(strings.TrimLeft(line, "#"), "[$1]:"); strings.TrimSpace(line) != "" {
			all[line]++
		}
	}
	return all
}

// randomSections returns a document of sections with names of their own; unless it is plain,
// with references and definitions.
func randomSections(r *rand.Rand, name string, plain bool) string {
	var b strings.Builder
	level := 1
	for s := range 2 + r.IntN(6) {
		if s > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s %s%d\n\ntext %s %d\n", strings.Repeat("#", level), name, s, name, s)
		label := []string{"x", "y", "Z"}[r.IntN(3)]
		switch what := r.IntN(4); {
		case plain:
			b.WriteString([]string{"", "\n| a |\n|---|\n| 1 |\n", "\n> q\n>\n", "\n- i\n\n  > q\n  >\n"}[what])
		case what < 2:
			fmt.Fprintf(&b, "\ntext [%s] and [it][%s], [%s][]\n", label, label, label)
		case what == 2:
			fmt.Fprintf(&b, "\n[%s]: /%s%d\n", label, name, r.IntN(2))
		default:
			fmt.Fprintf(&b, "\ntext [^%s] here\n\n[^%s]: note %s%d\n", label, label, name, r.IntN(2))
		}
		level = max(1, min(level+2-r.IntN(4), 6, level+1))
	}
	return b.String()
}

// parse returns the parse of a source.
func parse(t *testing.T, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestMoveLeavesHeading moves sections whose headings stay, with links of their own: these keep their
// definitions, and with them the text that names the heading, or nothing moves.
func TestMoveLeavesHeading(t *testing.T) {
	for _, test := range []struct{ name, from, want string }{ // or the beginning of the error
		{"the label", "# A\n\n## B [l]\n\n[l]: /u\n\n## C\n", "# A\n\n## B [l]\n\nleft\n\n## C\n\n[l]: /u\n"},
		{"the last one", "# A\n\n## B [l]\n\n[l]: /u\n", "# A\n\n## B [l]\n\nleft\n\n[l]: /u\n"},
		{"the only one", "B [l]\n===\n\n[l]: /u\n", "B [l]\n===\n\nleft\n\n[l]: /u\n"},
		{"a note, with what it uses", "# B[^1]\n\n[^1]: n [l]\n\n[l]: /u\n\n# C\n", "# B[^1]\n\nleft\n\n# C\n\n[^1]: n [l]\n\n[l]: /u\n"},
		{"an image", "# B ![l]\n\n[l]: /u\n\n# C\n", "# B ![l]\n\nleft\n\n# C\n\n[l]: /u\n"},
		{"one that others use, too", "# A\n\n[l]\n\n# B [l]\n\n[l]: /u\n\n# C\n", "# A\n\n[l]\n\n# B [l]\n\nleft\n\n# C\n\n[l]: /u\n"},
		{"a definition elsewhere", "# B [l]\n\nb\n\n# C\n\n[l]: /u\n", "# B [l]\n\nleft\n\n# C\n\n[l]: /u\n"},
		{"another definition behind", "# A\n\n## B [l]\n\n[l]: /u\n\n## C\n\n[l]: /v\n", "!structure_changed: a reference on line 3 of the document would get"},
		{"a note with a heading of that name", "# A\n\n## B[^1]\n\n[^1]:\n    # B\n\n    b\n", "# A\n\n## B[^1]\n\nleft\n\n[^1]:\n    # B\n\n    b\n"},
	} {
		op := edit.Op{Action: edit.Move}
		leave := func(*markdown.Document, int) string { return "left" }
		from := parse(t, test.from)
		for i := range from.Sections {
			if strings.HasPrefix(from.SectionTitle(i), "B") {
				op.Address = address.SelectorOf(from, address.NodeOfSection(i))
			}
		}
		got, err := crossing.Move(t.Context(), from, parse(t, "# D\n"), &op, crossing.Options{Options: edit.Options{Pinned: true}, Same: isRooted, Leave: leave})
		if errs, ok := errors.AsType[edit.Errors](err); err != nil {
			if !ok || test.want[0] != '!' || !strings.HasPrefix("!"+errs[0].Error(), test.want) {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if is := string(got.From.Doc.Source); is != test.want {
			t.Errorf("%s:\n%q\nwant\n%q\nand\n%q", test.name, is, test.want, got.To.Doc.Source)
		}
	}
}
