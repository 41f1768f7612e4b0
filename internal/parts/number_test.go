package parts

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// itemText is what an item says behind its marker.
func itemText(doc *markdown.Document, item int) string {
	_, text, _ := strings.Cut(string(doc.Text(doc.Blocks[item].Span())), " ")
	return strings.Join(strings.Fields(text), " ")
}

// TestRenumber has the numbers of ordered lists go on where items came or went.
func TestRenumber(t *testing.T) {
	for _, c := range []struct{ name, old, now, want string }{
		{"one in the middle", "1. a\n2. b\n", "1. a\n2. new\n2. b\n", "1. a\n2. new\n3. b\n"},
		{"one is gone", "1. a\n2. b\n3. c\n", "1. a\n3. c\n", "1. a\n2. c\n"},
		{"all the same", "1. a\n1. b\n", "1. a\n5. new\n1. b\n", "1. a\n1. new\n1. b\n"},
		{"from another number", "7) a\n8) b\n", "7) a\n9) new\n8) b\n", "7) a\n8) new\n9) b\n"},
		{"padded", "08. a\n09. b\n", "08. a\n1. new\n09. b\n", "08. a\n09. new\n10. b\n"},
		{"wider, with more lines", "9. a\n10. b\n", "9. a\n1. new\n\n   more\n10. b\n", "9. a\n10. new\n\n    more\n11. b\n"},
		{"narrower, with code", "9. a\n10. c\n11. b\n", "9. a\n11. b\n\n        code\n", "9. a\n10. b\n\n        code\n"},
		{"room behind the marker", "9.  a\n10. b\n", "9.  a\n9.  new\n10. b\n", "9.  a\n10. new\n11. b\n"},
		{"in a quote", "> 1. a\n> 2. b\n", "> 1. a\n> 1. new\n> 2. b\n", "> 1. a\n> 2. new\n> 3. b\n"},
		{"it goes on", "1. a\n2. b\n", "1. a\n2. b\n3. new\n", ""},
		{"a bullet list", "- a\n- b\n", "- a\n- new\n- b\n", ""},
		{"another list", "1. a\n", "1. other\n1. new\n", ""},
		{"too large", "999999998. a\n999999999. b\n", "999999998. a\n999999999. new\n999999999. b\n", "an item can't have a number above 999999999; leave the numbers as they are"},
	} {
		old, now := parsed(t, c.old), parsed(t, c.now)
		was := make([]int32, len(now.Blocks))
		for i := range was {
			was[i] = -1
			for b := range old.Blocks {
				if now.Blocks[i].Kind == markdown.Item && old.Blocks[b].Kind == markdown.Item && strings.HasPrefix(itemText(now, i)+" ", itemText(old, b)+" ") {
					was[i] = int32(b)
				}
			}
		}
		all := Numberings(old, now, was)
		if c.want == "" {
			if len(all) > 0 {
				t.Errorf("%s: %+v", c.name, all)
			}
			continue
		}
		if len(all) != 1 {
			t.Errorf("%s: %d lists", c.name, len(all))
			continue
		}
		if _, item := all[0].First(now); now.Blocks[item].Kind != markdown.Item {
			t.Errorf("%s: the first is a %v", c.name, now.Blocks[item].Kind)
		}
		ch, err := Renumber(now, all)
		if err != nil {
			if err.Error() != c.want {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		got := c.now
		for _, s := range slices.Backward(ch.Splices) {
			got = got[:s.Start] + string(s.Text) + got[s.End:]
		}
		if said := ch.Verify(parsed(t, got)); got != c.want || said != "" {
			t.Errorf("%s: %q, %s", c.name, got, said)
		}
		if ch.Verify(parsed(t, "text\n")) == "" {
			t.Errorf("%s: another document is taken for it", c.name)
		}
	}
}

// TestWidths finds the rows that are new and have more text or fewer cells than their tables have
// columns.
func TestWidths(t *testing.T) {
	const head = "| a | b |\n|---|---|\n"
	before := parsed(t, head+"| 1 |\n| 1 | 2 | 3 |\n")
	now := parsed(t, "\n"+head+"| 1 |\n| 1 |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 | |\n| 1 | 2 |\n")
	if got := Narrow(before, now); len(got) != 1 || got[0] != (Row{Line: 5, Cells: 1, Columns: 2}) {
		t.Errorf("narrow: %+v", got)
	}
	if got := Wide(before, now); len(got) != 1 || got[0] != (Row{Line: 7, Columns: 2, Beyond: "6"}) {
		t.Errorf("wide: %+v", got)
	}
	if narrow, wide := Narrow(now, now), Wide(now, now); narrow != nil || wide != nil {
		t.Errorf("%+v, %+v", narrow, wide)
	}
}

// parsed returns the parse of a text.
func parsed(t *testing.T, text string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
