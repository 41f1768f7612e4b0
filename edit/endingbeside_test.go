package edit

import (
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestEndingBeside puts rows, items and paragraphs in a quote behind others whose line has another
// ending than those before it: each line that was there keeps its own.
func TestEndingBeside(t *testing.T) {
	for _, c := range []struct {
		src  string
		op   Op
		want string
	}{
		{"# A\n\n| a |\n|---|\n| x |\r\n", Op{Action: InsertAfter, Address: "A/table.0/row.1", Text: "| y |"}, "# A\n\n| a |\n|---|\n| x |\r\n| y |\r\n"},
		{"# A\n\n| a |\n|---|\n| x |\r\n", Op{Action: Append, Address: "A/table.0", Text: "| y |\n| z |"}, "# A\n\n| a |\n|---|\n| x |\r\n| y |\r\n| z |\r\n"},
		{"# A\r\n\r\n- u\n- v\r\n", Op{Action: InsertAfter, Address: `item["u"]`, Text: "- n"}, "# A\r\n\r\n- u\n- n\n- v\r\n"},
		{"# A\n\n> p\r\n", Op{Action: InsertAfter, Address: `para["p"]`, Text: "n"}, "# A\n\n> p\r\n>\r\n> n\r\n"},
		{"# A\n\n- u\r\n- v", Op{Action: InsertAfter, Address: `item["v"]`, Text: "- n"}, "# A\n\n- u\r\n- v\r\n- n"},
	} {
		doc, err := markdown.Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		r, err := ApplyContext(t.Context(), doc, []Op{c.op}, Options{Pinned: true})
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
		} else if got := string(r.Doc.Source); got != c.want {
			t.Errorf("%q:\n%q, want\n%q", c.src, got, c.want)
		}
	}
}
