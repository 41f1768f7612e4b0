package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
)

const threeParts = "# Guide\n\nIntro.\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\nb\n\n## C ##\n\nc\n"

// TestStructural tells what each action on the structure does, byte by byte.
func TestStructural(t *testing.T) {
	for _, test := range []struct {
		name, src string
		op        edit.Op
		want      string // the document, or "!" and the beginning of the error
	}{
		{"after", threeParts, edit.Op{Action: edit.Move, Address: "A", To: "B", Where: edit.After}, "# Guide\n\nIntro.\n\n## B\n\nb\n\n## A\n\na\n\n### A1\n\na1\n\n## C ##\n\nc\n"},
		{"to the end", threeParts, edit.Op{Action: edit.Move, Address: "A", To: "C", Where: edit.After}, "# Guide\n\nIntro.\n\n## B\n\nb\n\n## C ##\n\nc\n\n## A\n\na\n\n### A1\n\na1\n"},
		{"before", threeParts, edit.Op{Action: edit.Move, Address: "C", To: "A", Where: edit.Before}, "# Guide\n\nIntro.\n\n## C ##\n\nc\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\nb\n"},
		{"into first", threeParts, edit.Op{Action: edit.Move, Address: "C", To: "A", Where: edit.First}, "# Guide\n\nIntro.\n\n## A\n\na\n\n### C ###\n\nc\n\n### A1\n\na1\n\n## B\n\nb\n"},
		{"into last", threeParts, edit.Op{Action: edit.Move, Address: "C", To: "A", Where: edit.Last}, "# Guide\n\nIntro.\n\n## A\n\na\n\n### A1\n\na1\n\n### C ###\n\nc\n\n## B\n\nb\n"},
		{"in place, deeper", threeParts, edit.Op{Action: edit.Move, Address: "B", To: "A", Where: edit.Last}, "# Guide\n\nIntro.\n\n## A\n\na\n\n### A1\n\na1\n\n### B\n\nb\n\n## C ##\n\nc\n"},
		{"in place, higher", threeParts, edit.Op{Action: edit.Move, Address: "A1", To: "A", Where: edit.After}, "# Guide\n\nIntro.\n\n## A\n\na\n\n## A1\n\na1\n\n## B\n\nb\n\n## C ##\n\nc\n"},
		{"where it is", threeParts, edit.Op{Action: edit.Move, Address: "B", To: "A", Where: edit.After}, "!no_change"},
		{"into itself", threeParts, edit.Op{Action: edit.Move, Address: "A", To: "A1", Where: edit.Last}, "!invalid_argument: a section can't be moved to itself"},
		{"to a position", threeParts, edit.Op{Action: edit.Move, Address: "A", To: "h2.2", Where: edit.After}, "!hash_required"},
		{"kept levels that don't fit", threeParts, edit.Op{Action: edit.Move, Address: "C", To: "A", Where: edit.Last, KeepLevels: true}, "!structure_changed: the section \"## C\" would come to stand in the section \"# Guide\"; let the levels"},
		{"kept levels that fit", threeParts, edit.Op{Action: edit.Move, Address: "C", To: "A", Where: edit.Before, KeepLevels: true}, "# Guide\n\nIntro.\n\n## C ##\n\nc\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\nb\n"},
		{"too deep", "# A\n\n###### B\n\n## C\n\n### D\n", edit.Op{Action: edit.Move, Address: "C", To: "B", Where: edit.Last}, "!level_mismatch"},
		{"no ending at the end", "# A\n\n## B\n\nb\n\n## C\n\nc", edit.Op{Action: edit.Move, Address: "C", To: "B", Where: edit.Before}, "# A\n\n## C\n\nc\n\n## B\n\nb"},
		{"no ending at the end, to there", "# A\n## B\nb\n## C\nc", edit.Op{Action: edit.Move, Address: "B", To: "C", Where: edit.After}, "# A\n## C\nc\n## B\nb"},
		{"CRLF", "# A\r\n\r\n## B\r\n\r\nb\r\n\r\n\r\n## C\r\nc\r\n", edit.Op{Action: edit.Move, Address: "B", To: "C", Where: edit.After}, "# A\r\n\r\n## C\r\nc\r\n\r\n\r\n## B\r\n\r\nb\r\n"},
		{"no blank lines, and one is needed", "# A\na\nB\n-\n## C\nc\n", edit.Op{Action: edit.Move, Address: "C", To: "B", Where: edit.Before}, "# A\n\n## C\nc\n\na\nB\n-\n"},
		{"HTML that a blank line closes", "# A\n\n## B\n<div>\n\n## C\nc\n## D\n", edit.Op{Action: edit.Move, Address: "B", To: "C", Where: edit.After}, "# A\n\n## C\nc\n\n## B\n<div>\n\n## D\n"},
		{"an open fence", "# A\n\n## B\n\n## C\n\n```\nc\n", edit.Op{Action: edit.Move, Address: "B", To: "C", Where: edit.After}, "!structure_changed"},
		{"promote", threeParts, edit.Op{Action: edit.Promote, Address: "A1"}, "# Guide\n\nIntro.\n\n## A\n\na\n\n## A1\n\na1\n\n## B\n\nb\n\n## C ##\n\nc\n"},
		{"promote what has others behind it", threeParts, edit.Op{Action: edit.Promote, Address: "A"}, "!structure_changed: the section \"## B\" would come to stand in the section \"# A\"; use move"},
		{"promote the last", threeParts, edit.Op{Action: edit.Promote, Address: "C"}, "# Guide\n\nIntro.\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\nb\n\n# C #\n\nc\n"},
		{"promote past 1", threeParts, edit.Op{Action: edit.Promote, Address: "Guide"}, "!level_mismatch"},
		{"demote", threeParts, edit.Op{Action: edit.Demote, Address: "A"}, "# Guide\n\nIntro.\n\n### A\n\na\n\n#### A1\n\na1\n\n## B\n\nb\n\n## C ##\n\nc\n"},
		{"demote past 6", "##### A\n\n###### B\n", edit.Op{Action: edit.Demote, Address: "A"}, "!level_mismatch: the heading \"###### B\" would get level 7"},
		{"underlined, to 2", "A\n===\n\na\n", edit.Op{Action: edit.Demote, Address: "A"}, "A\n---\n\na\n"},
		{"underlined by one, to 2", "A\n=\n\na\n", edit.Op{Action: edit.Demote, Address: "A"}, "A\n---\n\na\n"},
		{"underlined, to 1", "A\n  - \n\na\n", edit.Op{Action: edit.Promote, Address: "A"}, "A\n  = \n\na\n"},
		{"underlined, to 3", "A *b*  \r\n---\r\na\r\n", edit.Op{Action: edit.Demote, Address: "A b"}, "### A *b*\r\na\r\n"},
		{"underlined, several lines", "A\nb\n---\n\na\n", edit.Op{Action: edit.Demote, Address: "A b"}, "!level_mismatch"},
		{"underlined, ends as if it were closed", "A #\n---\n\na\n", edit.Op{Action: edit.Demote, Address: "h2.0", ExpectedHash: "-"}, "!structure_changed"},
		{"dissolve", threeParts, edit.Op{Action: edit.Dissolve, Address: "A"}, "# Guide\n\nIntro.\n\na\n\n## A1\n\na1\n\n## B\n\nb\n\n## C ##\n\nc\n"},
		{"dissolve what has another before it", threeParts, edit.Op{Action: edit.Dissolve, Address: "B"}, "!structure_changed: its text would come to stand in the section \"### A1\""},
		{"dissolve without text", "# A\n\n## B\n\n## C\n", edit.Op{Action: edit.Dissolve, Address: "C"}, "# A\n\n## B\n"},
		{"dissolve, lists that become one", "# A\n\n- a\n\n## B\n\n- b\n", edit.Op{Action: edit.Dissolve, Address: "B"}, "!structure_changed"},
		{"dissolve, no blank lines", "# A\na\n## B\nb\n", edit.Op{Action: edit.Dissolve, Address: "B"}, "# A\na\n\nb\n"},
		{"dissolve the first", "# A\n\na\n\n## B\n", edit.Op{Action: edit.Dissolve, Address: "A"}, "a\n\n# B\n"},
		{"by title", "# G\n\n## c\n\n3\n\n## B\n2\n\n\n## a\n\n1", edit.Op{Action: edit.Reorder, Address: "G"}, "# G\n\n## a\n\n1\n\n## B\n2\n\n\n## c\n\n3"},
		{"in an order", threeParts, edit.Op{Action: edit.Reorder, Address: "Guide", Order: []string{"C", "## A", "B"}}, "# Guide\n\nIntro.\n\n## C ##\n\nc\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\nb\n"},
		{"in an order that lacks some", threeParts, edit.Op{Action: edit.Reorder, Address: "Guide", Order: []string{"C"}}, "!invalid_argument: the order lacks 2 of 3 subsections, \"## A\" the first"},
		{"in an order with one twice", threeParts, edit.Op{Action: edit.Reorder, Address: "Guide", Order: []string{"C", "C"}}, "!invalid_argument: \"C\" is in the order twice"},
		{"in an order with a stranger", threeParts, edit.Op{Action: edit.Reorder, Address: "Guide", Order: []string{"A1"}}, "!heading_not_found"},
		{"levels that differ", "# G\n\n### a\n\n## b\n", edit.Op{Action: edit.Reorder, Address: "G", Order: []string{"b", "a"}}, "!structure_changed: the section \"### a\" would come to stand in the section \"## b\"; give those"},
		{"of the document", "# b\n\n# a\n", edit.Op{Action: edit.Reorder, Address: "@document"}, "# a\n\n# b\n"},
		{"in order already", "# a\n\n# b\n", edit.Op{Action: edit.Reorder, Address: "@document"}, "!no_change"},
		{"no children", threeParts, edit.Op{Action: edit.Reorder, Address: "B"}, "!invalid_argument: it has no subsections"},
		{"a path that isn't there", threeParts, edit.Op{Action: edit.Append, Address: "Guide > B > New > Deep", Text: "x", CreateMissing: true}, "# Guide\n\nIntro.\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\nb\n\n### New\n\n#### Deep\n\nx\n\n## C ##\n\nc\n"},
		{"the beginning of one that is", threeParts, edit.Op{Action: edit.Append, Address: "A > A", Text: "x", CreateMissing: true}, "# Guide\n\nIntro.\n\n## A\n\na\n\n### A1\n\na1\n\n### A\n\nx\n\n## B\n\nb\n\n## C ##\n\nc\n"},
		{"the beginning of several", "# Guide\n\n## Use it\n\n## Use more\n", edit.Op{Action: edit.Append, Address: "Guide > Use", Text: "x", CreateMissing: true}, "# Guide\n\n## Use it\n\n## Use more\n\n## Use\n\nx\n"},
		{"a position before what is missing", threeParts, edit.Op{Action: edit.Append, Address: "h2.1 > New", Text: "x", CreateMissing: true}, "!heading_not_found: nothing of the path is there"},
		{"a line before what is missing", threeParts, edit.Op{Action: edit.Append, Address: "L3 > New", Text: "x", CreateMissing: true}, "!heading_not_found: nothing of the path is there"},
		{"an anchor before what is missing", threeParts, edit.Op{Action: edit.Append, Address: "#a > New", Text: "x", CreateMissing: true}, "!heading_not_found: nothing of the path is there"},
		{"a name before what is missing", threeParts, edit.Op{Action: edit.Append, Address: "@document > New", Text: "x", CreateMissing: true}, "!heading_not_found: nothing of the path is there"},
		{"a block before what is missing", threeParts, edit.Op{Action: edit.Append, Address: "A/para.0 > New", Text: "x", CreateMissing: true}, "!heading_not_found: nothing of the path is there"},
		{"a path that is there", threeParts, edit.Op{Action: edit.Append, Address: "Guide > B", Text: "x", CreateMissing: true}, "# Guide\n\nIntro.\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\nb\n\nx\n\n## C ##\n\nc\n"},
		{"a heading with its marks", threeParts, edit.Op{Action: edit.Append, Address: "## Log", Text: "x", CreateMissing: true}, threeParts + "\n## Log\n\nx\n"},
		{"a heading without marks", threeParts, edit.Op{Action: edit.Append, Address: "Log", Text: "x", CreateMissing: true}, "!heading_not_found: nothing of the path is there; let it begin"},
		{"in an empty document", "", edit.Op{Action: edit.Append, Address: "Log", Text: "x", CreateMissing: true}, "# Log\n\nx\n"},
		{"with a heading that ends it", threeParts, edit.Op{Action: edit.Append, Address: "B > New", Text: "# x", CreateMissing: true}, "!level_mismatch"},
		{"a path longer than any", threeParts, edit.Op{Action: edit.Append, Address: "B > " + strings.Repeat("New > ", 100_000) + "Deep", Text: "x", CreateMissing: true}, "!level_mismatch: more than 6 headings of the path are missing"},
		{"a selector", threeParts, edit.Op{Action: edit.Append, Address: "h2.9", Text: "x", CreateMissing: true}, "!heading_not_found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := parse(t, []byte(test.src))
			if test.op.ExpectedHash == "-" {
				test.op.ExpectedHash = doc.SectionHash(0)
			}
			res, err := edit.Apply(doc, []edit.Op{test.op})
			if want, refused := strings.CutPrefix(test.want, "!"); refused {
				if err == nil || !strings.HasPrefix(err.Error(), want) {
					got := ""
					if err == nil {
						got = string(res.Doc.Source)
					}
					t.Errorf("%v, %q; want %s", err, got, want)
				}
				var all edit.Errors
				if errors.As(err, &all) && len(all) != 1 {
					t.Errorf("%d errors", len(all))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := string(res.Doc.Source); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}
