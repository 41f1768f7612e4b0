package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
)

// TestRenumber puts items into ordered lists and takes them out: the numbers go on as the list
// has them, and markers that get wider take the lines of their items along.
func TestRenumber(t *testing.T) {
	const asItWas, refused = "", "refused"
	nine := "1. a\n2. b\n3. c\n4. d\n5. e\n6. f\n7. g\n8. h\n9. i\n   on\n\n   ```\n   code\n\n    more\n   ```\n   - x\nlazy\n"
	ten := "1. new\n\n2. a\n3. b\n4. c\n5. d\n6. e\n7. f\n8. g\n9. h\n10. i\n    on\n\n    ```\n    code\n\n     more\n    ```\n    - x\nlazy\n"
	for _, c := range []struct {
		name, src, address string
		action             edit.Action
		text, want         string
		without            string // what comes of it when numbers stay; not looked at if it is empty
	}{
		{"in the middle", "# A\n\n1. a\n2. b\n3. c\n", `A/list.0/item["a"]`, edit.InsertAfter, "1. new", "# A\n\n1. a\n2. new\n3. b\n4. c\n", "# A\n\n1. a\n1. new\n2. b\n3. c\n"},
		{"before the first", "# A\n\n5) a\n6) b\n", `A/list.0/item["a"]`, edit.InsertBefore, "1) new", "# A\n\n5) new\n6) a\n7) b\n", asItWas},
		{"several", "# A\n\n1. a\n2. b\n", `A/list.0/item["a"]`, edit.InsertAfter, "1. x\n2. y", "# A\n\n1. a\n2. x\n3. y\n4. b\n", asItWas},
		{"at the end", "# A\n\n1. a\n2. b\n", "A", edit.Append, "1. x", "# A\n\n1. a\n2. b\n3. x\n", asItWas},
		{"at the beginning", "# A\n\n1. a\n2. b\n", "A", edit.Prepend, "1. x", "# A\n\n1. x\n2. a\n3. b\n", asItWas},
		{"all the same", "# A\n\n1. a\n1. b\n", `A/list.0/item["a"]`, edit.InsertAfter, "7. x", "# A\n\n1. a\n1. x\n1. b\n", asItWas},
		{"all zero", "# A\n\n0. a\n0. b\n", "A", edit.Append, "1. x", "# A\n\n0. a\n0. b\n0. x\n", asItWas},
		{"one item counts", "# A\n\n1. a\n", "A", edit.Append, "1. x", "# A\n\n1. a\n2. x\n", asItWas},
		{"with zeros before", "# A\n\n08. a\n09. b\n", "A", edit.Append, "1. x", "# A\n\n08. a\n09. b\n10. x\n", asItWas},
		{"what stands before is nobody's concern", "# A\n\n1. a\n5. b\n2. c\n", `A/list.0/item["b"]`, edit.InsertAfter, "1. x", "# A\n\n1. a\n5. b\n6. x\n7. c\n", asItWas},
		{"taken out", "# A\n\n1. a\n2. b\n3. c\n", `A/list.0/item["a"]`, edit.Remove, "", "# A\n\n1. b\n2. c\n", "# A\n\n2. b\n3. c\n"},
		{"taken out right below text", "# A\n\nText:\n1. a\n2. b\n3. c\n", `A/list.0/item["a"]`, edit.Remove, "", "# A\n\nText:\n1. b\n2. c\n", refused},
		{"taken out in an item", "# A\n\n- a:\n  1. x\n  2. y\n", `item["x"]`, edit.Remove, "", "# A\n\n- a:\n  1. y\n", refused},
		{"taken out in a quote", "# A\n\n> a:\n> 1. x\n> 2. y\n>    1. z\n> 4. w\n", `item["x"]`, edit.Remove, "", "# A\n\n> a:\n> 1. y\n>    1. z\n> 2. w\n", refused},
		{"replaced by two", "# A\n\n1. a\n2. b\n3. c\n", `A/list.0/item["b"]`, edit.Replace, "1. x\n1. y", "# A\n\n1. a\n2. x\n3. y\n4. c\n", asItWas},
		{"wider", "# A\n\n" + nine, `A/list.0/item["a"]`, edit.InsertBefore, "1. new", "# A\n\n" + ten, asItWas},
		{"narrower", "# A\n\n" + ten, `A/list.0/item["new"]`, edit.Remove, "", "# A\n\n" + nine, asItWas},
		{"wider in a quote", "# A\n\n> 9. a\n>    on\n>\n>    > deep\n", "A/quote.0/list.0/item.0", edit.InsertBefore, "9. x", "# A\n\n> 9. x\n>\n> 10. a\n>     on\n>\n>     > deep\n", asItWas},
		{"wider in an item", "# A\n\n- 9. a\n     on\n  10. b\n", `A/list.0/item.0/list.0/item.0`, edit.InsertBefore, "9. x", "# A\n\n- 9. x\n  10. a\n      on\n  11. b\n", asItWas},
		{"blanks make room", "# A\n\n8.  a\n\n    on\n9.  b\n\n    on\n", `A/list.0/item["a"]`, edit.InsertAfter, "1.  x", "# A\n\n8.  a\n\n    on\n\n9.  x\n\n10. b\n\n    on\n", asItWas},
		{"a tab stays a tab", "# A\n\n9.\ta\n\n\ton\n10.\tb\n", `A/list.0/item["a"]`, edit.InsertBefore, "1. x", "# A\n\n9. x\n\n10.\ta\n\n\ton\n11.\tb\n", asItWas},
		{"a list in it keeps its own", "# A\n\n1. a\n   1. b\n   2. c\n2. d\n", `A/list.0/item["a"]`, edit.InsertBefore, "1. x", "# A\n\n1. x\n2. a\n   1. b\n   2. c\n3. d\n", asItWas},
		{"line endings", "# A\r\n\r\n9. a\r\n   on\r\n", "A/list.0/item.0", edit.InsertBefore, "9. x", "# A\r\n\r\n9. x\r\n10. a\r\n    on\r\n", asItWas},
		{"no ordered list", "# A\n\n- a\n", "A", edit.Append, "- b", "# A\n\n- a\n- b\n", "# A\n\n- a\n- b\n"},
		{"a list of its own", "# A\n\ntext\n", "A", edit.Append, "3. b\n4. c", "# A\n\ntext\n\n3. b\n4. c\n", asItWas},
	} {
		for _, renumber := range []bool{true, false} {
			op := edit.Op{Action: c.action, Address: c.address, Text: c.text, Renumber: renumber}
			res, err := applyWith(parse(t, []byte(c.src)), []edit.Op{op}, edit.Options{Pinned: true})
			if err != nil || !renumber && c.without == refused {
				if renumber || c.without != refused || err == nil {
					t.Errorf("%s, renumber %v: %v", c.name, renumber, err)
				}
				continue
			}
			got, want := string(res.Doc.Source), c.want
			if !renumber {
				want = c.without
			}
			if got != want && want != "" {
				t.Errorf("%s, renumber %v:\n%s\nwant:\n%s", c.name, renumber, got, want)
			}
			if warned := strings.Contains(strings.Join(res.Warnings, "\n"), "don't go on"); warned != (!renumber && got != c.want) {
				t.Errorf("%s, renumber %v: warnings %q", c.name, renumber, res.Warnings)
			}
			if lines := res.Changes[0].Lines; c.action == edit.InsertAfter && lines.Len() != strings.Count(c.text, "\n")+1 {
				t.Errorf("%s: the new text is on lines %v", c.name, lines)
			}
		}
	}
}

// TestRenumberRefused: numbers that can't be, or that would make something else of an item.
func TestRenumberRefused(t *testing.T) {
	for _, c := range []struct {
		name, src string
		op        edit.Op
		code      edit.Code
		says      string
	}{
		{"too large", "999999999. a\n", edit.Op{Action: edit.InsertAfter, Address: "list.0/item.0", Text: "1. x"}, edit.InvalidArgument, "above 999999999"},
		{"tabs", "9. a\n\n\t    code\n", edit.Op{Action: edit.InsertBefore, Address: "list.0/item.0", Text: "1. x"}, edit.StructureChanged, "indent it with blanks"},
		{"renamed", "# A\n", edit.Op{Action: edit.Rename, Address: "A", Text: "B"}, edit.InvalidArgument, "numbers"},
		{"replaced text", "# A\n", edit.Op{Action: edit.ReplaceText, Old: "A", Text: "B"}, edit.InvalidArgument, "numbers"},
	} {
		c.op.Renumber = true
		_, err := applyWith(parse(t, []byte(c.src)), []edit.Op{c.op}, edit.Options{Pinned: true})
		errs, ok := errors.AsType[edit.Errors](err)
		if !ok || errs[0].Code != c.code || !strings.Contains(errs[0].Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestRenumberRestructured: what becomes of a list whose numbers go on is told, where it is allowed.
func TestRenumberRestructured(t *testing.T) {
	for _, renumber := range []bool{false, true} {
		op := edit.Op{Action: edit.InsertAfter, Address: "list.0/item.0/para.0", Text: "9. x\n10. y", AllowRestructure: true, Renumber: renumber}
		res, err := applyWith(parse(t, []byte("+ a\n    1. z\n")), []edit.Op{op}, edit.Options{Pinned: true})
		if err != nil {
			t.Fatal(err)
		}
		if told := res.Changes[0].Restructured; len(told) != 1 || told[0] != "the list on line 2 became the item on line 6" {
			t.Errorf("renumber %v: %q", renumber, told)
		}
	}
}

// TestWarnNumbers names the line of the first item whose number doesn't go on, and no list that
// was that way before.
func TestWarnNumbers(t *testing.T) {
	doc := parse(t, []byte("# A\n\n3. x\n1. y\n\n# B\n\n1. a\n2. b\n\n> 1. a\n> 2. b\n"))
	res, err := edit.Apply(doc, []edit.Op{
		{Action: edit.Append, Address: "A", Text: "text"},
		{Action: edit.InsertAfter, Address: `B/list.0/item["a"]`, Text: "2. new"},
		{Action: edit.InsertAfter, Address: `B/quote.0/list.0/item["a"]`, Text: "2. new"},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = "the numbers of the ordered list don't go on at line 12, where 3 would; ask for it with renumber; the numbers of 2 lists don't go on"
	if len(res.Warnings) != 1 || res.Warnings[0] != want {
		t.Errorf("%q", res.Warnings)
	}
}
