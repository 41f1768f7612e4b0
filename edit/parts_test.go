package edit

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

const partsDoc = "---\ntitle: \"Old\" # why\ntags: [a]\n---\n# Shop\n\n- [ ] Buy milk\n- [x] Bread\n  - [ ] Sliced\n- plain\n\n" +
	"| Fruit | Price | Kind |\r\n|:--|--:|---|\r\n| Apple | 1 | x |\r\n| Pear\\| | 2\r\n| Fig |\r\n\n> A | B\n> --|--\n> 1 | 2\n\n" +
	"| K |\n|---|\n| a |\n\n- | L | M |\n  |---|---|\n  | | b |\n"

// TestParts changes keys, tasks, cells and columns: all but the bytes of these stays.
func TestParts(t *testing.T) {
	in := func(old, text string) string {
		if strings.Count(partsDoc, old) != 1 {
			t.Fatalf("%q is there %d times", old, strings.Count(partsDoc, old))
		}
		return strings.Replace(partsDoc, old, text, 1)
	}
	for _, c := range []struct {
		action        Action
		address, text string
		want          string // the document, or an error
	}{
		{Set, "@frontmatter.title", "New: it", in(`"Old"`, `"New: it"`)},
		{Set, "@frontmatter.draft", "true", in("tags: [a]\n", "tags: [a]\ndraft: true\n")},
		{Append, "@frontmatter.tags", "b", in("[a]", "[a, b]")},
		{Append, "@frontmatter.more", "b", in("tags: [a]\n", "tags: [a]\nmore: [b]\n")},
		{Remove, "@frontmatter.title", "", in("title: \"Old\" # why\n", "")},
		{Rename, "@frontmatter.title", "name", in("title", "name")},
		{Remove, "@frontmatter.tags.0", "", "hash_required"},
		{Set, "@frontmatter.title", "\"Old\"", "no_change"},
		{Replace, "@frontmatter.title", "x", "invalid_argument: replace is not possible for a key"},
		{Remove, "@frontmatter.none", "", "heading_not_found"},
		{Rename, "@frontmatter.none", "x", "heading_not_found"},
		{Set, "@frontmatter.title.x", "1", "invalid_argument"},
		{Set, "@frontmatter.title", "{\"a\":", "invalid_argument"},

		{Set, `task["Buy milk"]`, "done", in("[ ] Buy", "[x] Buy")},
		{Set, `task["Bread"]`, "open", in("[x] Bread", "[ ] Bread")},
		{Set, `task["Sliced"]`, "toggle", in("[ ] Sliced", "[x] Sliced")},
		{Set, `task["Bread"]`, "done", "no_change"},
		{Set, `task["Bread"]`, "maybe", "invalid_argument: a task is set to done, open or toggle, not to \"maybe\""},
		{Set, `item["plain"]`, "done", "invalid_argument: set is for tasks"},
		{Set, "Shop", "done", "invalid_argument: set is not possible for a section"},
		{Set, "task[open]", "done", "ambiguous_heading"},

		{Replace, `table.0["Apple","Price"]`, "a|b\nc", in("| 1 |", `| a\|b<br>c |`)},
		{Replace, `table.0["Apple","Price"]`, `a\|b\`, in("| 1 |", `| a\|b\ |`)},
		{Replace, `table.0["Apple","Price"]`, "", in("| 1 |", `|  |`)},
		{Replace, `table.0[0,"Price"]`, "Cost", "hash_required"},
		{Replace, `table["","M"]`, "x", in("| | b |", "| | x |")},
		{Replace, `table["","L"]`, "x", in("| | b |", "| x | b |")},
		{Remove, `table.0["Apple","Price"]`, "", "invalid_argument: remove is not possible for a cell; there are replace"},
		{Rename, `table["Price"]`, "Co|st", in("| Price |", `| Co\|st |`)},
		{Remove, `table["Fruit"]`, "", in("| Fruit | Price | Kind |\r\n|:--|--:|---|\r\n| Apple | 1 | x |\r\n| Pear\\| | 2\r\n| Fig |\r\n",
			"| Price | Kind |\r\n|--:|---|\r\n| 1 | x |\r\n| 2\r\n| |\r\n")},
		{Remove, `table["Kind"]`, "", in(" Kind |\r\n|:--|--:|---|\r\n| Apple | 1 | x |", "\r\n|:--|--:|\r\n| Apple | 1 |")},
		{InsertAfter, `table["Price"]`, "New\n1\n2\n3", in("| Price | Kind |\r\n|:--|--:|---|\r\n| Apple | 1 | x |\r\n| Pear\\| | 2\r\n| Fig |",
			"| Price | New | Kind |\r\n|:--|--:| --- |---|\r\n| Apple | 1 | 1 | x |\r\n| Pear\\| | 2 | 2\r\n| Fig |  | 3 |")},
		{InsertBefore, `table["A"]`, "Z\n0", in("> A | B\n> --|--\n> 1 | 2", "> | Z | A | B\n> | --- | --|--\n> | 0 | 1 | 2")},
		{InsertAfter, `table["B"]`, "Z", in("> A | B\n> --|--\n", "> A | B | Z\n> --|-- | ---\n")},
		{InsertAfter, `table["K"]`, "Z\n1\n2", "invalid_argument: the text has 3 lines and the table 2 rows"},
		{Remove, `table["K"]`, "", "invalid_argument: it is the only column"},
		{Remove, `table["M"]`, "", in("- | L | M |\n  |---|---|\n  | | b |", "- | L |\n  |---|\n  | |")},
		{Replace, `table["K"]`, "x", "invalid_argument: replace is not possible for a column"},
		{Rename, `table["L"]`, "a\nb", "invalid_argument: the head of a column is one line"},
	} {
		doc, err := markdown.Parse([]byte(partsDoc))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Apply(doc, []Op{{Action: c.action, Address: c.address, Text: c.text}})
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) || len(c.want) > 100 {
				t.Errorf("%s %s %q: %v", c.action, c.address, c.text, err)
			}
			continue
		}
		if got := string(r.Doc.Source); got != c.want {
			t.Errorf("%s %s %q:\n%q\nwant\n%q", c.action, c.address, c.text, got, c.want)
		}
		if ch := r.Changes[0]; ch.Target == nil || c.action != Remove && c.text != "" && ch.After == nil {
			t.Errorf("%s %s: %+v", c.action, c.address, ch)
		}
	}
}

// TestNewFrontMatter gives front matter to documents that have none.
func TestNewFrontMatter(t *testing.T) {
	for source, want := range map[string]string{
		"":                   "---\na: x\n---\n",
		"# T\n":              "---\na: x\n---\n\n# T\n",
		"\ntext":             "---\na: x\n---\n\ntext",
		"a\r\n\r\nb\r\n":     "---\r\na: x\r\n---\r\n\r\na\r\n\r\nb\r\n",
		"\uFEFF# T\n":        "\uFEFF---\na: x\n---\n\n# T\n",
		"---\n\ntext\n":      "---\na: x\n---\n\n---\n\ntext\n",
		"---\r\n---\r\nx":    "---\r\na: x\r\n---\r\nx",
		"+++\r\n+++\r\nx":    "+++\r\na = \"x\"\r\n+++\r\nx",
		"---\n---\ntext\n":   "---\na: x\n---\ntext\n",
		"+++\n+++\n\nx\n":    "+++\na = \"x\"\n+++\n\nx\n",
		"---\n# c\n...\nx":   "---\n# c\na: x\n...\nx",
		"---\nb: 1\n---":     "---\nb: 1\na: x\n---",
		"---\r\nb: 1\r\n---": "---\r\nb: 1\r\na: x\r\n---",
	} {
		doc, err := markdown.Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Apply(doc, []Op{{Action: Set, Address: "@frontmatter.a", Text: "x"}})
		if err != nil {
			t.Errorf("%q: %v", source, err)
		} else if got := string(r.Doc.Source); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}

// TestKeysTogether makes several changes of front matter at once.
func TestKeysTogether(t *testing.T) {
	doc, err := markdown.Parse([]byte(partsDoc))
	if err != nil {
		t.Fatal(err)
	}
	r, err := ApplyContext(t.Context(), doc, []Op{
		{Action: Set, Address: "@frontmatter.title", Text: "New"},
		{Action: Append, Address: "@frontmatter.tags", Text: "a", UnlessPresent: true},
		{Action: Append, Address: "@frontmatter.tags", Text: "b", UnlessPresent: true},
		{Action: Set, Address: "@frontmatter.x.y", Text: "1"},
		{Action: Rename, Address: "@frontmatter.title", Text: "name"},
		{Action: Set, Address: `task["Buy milk"]`, Text: "done"},
		{Action: Append, Address: "Shop", Text: "end"},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("title: \"Old\" # why\ntags: [a]\n", "name: \"New\" # why\ntags: [a, b]\nx:\n  \"y\": 1\n", "[ ] Buy", "[x] Buy").Replace(partsDoc) + "\nend\n"
	if got := string(r.Doc.Source); got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	_, err = ApplyContext(t.Context(), doc, []Op{
		{Action: Set, Address: "@frontmatter.tags", Text: `["z", "a"]`},
		{Action: Remove, Address: "@frontmatter.tags.0"},
	}, Options{Pinned: true})
	if err == nil || !strings.HasPrefix(err.Error(), "conflict") {
		t.Errorf("%v", err)
	}
	hash := markdown.Hash(doc.Text(doc.Blocks[0].Span()))
	if _, err := Apply(doc, []Op{{Action: Remove, Address: "@frontmatter.tags.0", ExpectedHash: hash}}); err != nil {
		t.Error(err)
	}
	if _, err := Apply(doc, []Op{{Action: Set, Address: "@frontmatter.tags", Text: "1", ExpectedHash: "abcdefabcdef"}}); err == nil || !strings.HasPrefix(err.Error(), "conflict") {
		t.Error(err)
	}
}

// TestMany changes many parts by one operation.
func TestMany(t *testing.T) {
	for _, c := range []struct {
		op   Op
		want string
	}{
		{Op{Action: Set, Address: "task[open]", Text: "done", ExpectedCount: 2}, strings.NewReplacer("[ ]", "[x]").Replace(partsDoc)},
		{Op{Action: Set, Address: "@document/task", Text: "done", ExpectedCount: 3}, strings.NewReplacer("[ ]", "[x]").Replace(partsDoc)},
		{Op{Action: Set, Address: "@document/task", Text: "toggle", ExpectedCount: 3}, strings.NewReplacer("[ ]", "[x]", "[x]", "[ ]").Replace(partsDoc)},
		{Op{Action: Set, Address: "task[done]", Text: "done", ExpectedCount: 1}, "no_change"},
		{Op{Action: Set, Address: "task[open]", Text: "done", ExpectedCount: 3}, "conflict: the address stands for 2 parts, not 3"},
		{Op{Action: Set, Address: "task[open].0-1", Text: "done", ExpectedCount: 2}, `hash_required: "task[open].0-1" counts, and what it counts may have changed; name the`},
		{Op{Action: Remove, Address: "task[open]", ExpectedCount: 2}, "invalid_argument: of many parts"},
		{Op{Action: Set, Address: "task[open]", Text: "done", ExpectedCount: 2, Occurrence: 1}, "invalid_argument"},
		{Op{Action: Set, Address: "task[nothing]", Text: "done", ExpectedCount: 2}, "heading_not_found"},
		{Op{Action: Rename, Address: `table["K"]`, Text: "Z", ExpectedCount: 1}, strings.Replace(partsDoc, "| K |", "| Z |", 1)},
	} {
		doc, err := markdown.Parse([]byte(partsDoc))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Apply(doc, []Op{c.op, {Action: Append, Address: "Shop", Text: "end"}})
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) || len(c.want) > 100 {
				t.Errorf("%+v: %v", c.op, err)
			}
			continue
		}
		if got := string(r.Doc.Source); got != c.want+"\nend\n" || len(r.Changes) != 2 || r.Changes[0].Count < 1 {
			t.Errorf("%+v: %q, %+v", c.op, got, r.Changes)
		}
	}
	tables := "| A | B |\n|---|---|\n| 1 | 2 |\n\n- | A | C |\n  |---|---|\n\n| D |\n|---|\n"
	doc, err := markdown.Parse([]byte(tables))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Apply(doc, []Op{{Action: InsertAfter, Address: `table["A"]`, Text: "N", ExpectedCount: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(r.Doc.Source), "| A | N |"); got != 2 || r.Changes[0].Count != 2 {
		t.Errorf("%q", r.Doc.Source)
	}
	if _, err := Apply(doc, []Op{{Action: InsertBefore, Address: `table["B"]`, Text: "N"}, {Action: Remove, Address: `table["B"]`}}); err == nil || !strings.HasPrefix(err.Error(), "conflict") {
		t.Errorf("%v", err)
	}
}

// TestTwoReadings refuses an address that is a title and a part.
func TestTwoReadings(t *testing.T) {
	doc, err := markdown.Parse([]byte("# task[open]\n\n- [ ] a\n"))
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{"task[open]": "ambiguous_heading", "# task[open]": ""} {
		_, err := Apply(doc, []Op{{Action: Append, Address: address, Text: "x"}})
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestEqualItems changes items of lists by their numbers behind other operations of a list of edits: no
// other item is changed that is equal to the one meant.
func TestEqualItems(t *testing.T) {
	const (
		users  = "---\nusers:\n  - name: ann\n    admin: false\n  - name: bob\n    admin: false\n  - name: cyn\n    admin: false\n---\n"
		twins  = "---\nm:\n  - a: 1\n  - a: 1\n  - a: 1\n---\n"
		tags   = "---\ntags: [x, x, x]\n---\n"
		nulls  = "---\ntags:\n  -\n  -\n  -\n---\n"
		tables = "+++\n[[m]]\na = 1\n[[m]]\na = 1\n[[m]]\na = 1\n+++\n"
		apart  = "+++\n[[m]]\na = 1\n[m.s]\nb = 1\n[[m]]\na = 1\n[m.s]\nb = 1\n[x]\nc = 1\n[m.t]\nd = 1\n+++\n"
		gone   = "conflict: an operation before this one has changed or removed it"
	)
	for _, c := range []struct{ doc, ops, want string }{
		{users, "remove users.0, set users.1.admin true", gone},
		{users, "set users.1.admin true, remove users.0", "---\nusers:\n  - name: bob\n    admin: true\n  - name: cyn\n    admin: false\n---\n"},
		{users, "remove users.2, set users.1.admin true", "  - name: bob\n    admin: true\n---\n"},
		{users, "set users.0.admin true, set users.1.admin true", "    admin: true\n  - name: bob\n    admin: true\n"},
		{users, "remove users.0.admin, set users.1.admin true", "---\nusers:\n  - name: ann\n  - name: bob\n    admin: true\n"},
		{users, "set a 1, rename users.1.admin root", "  - name: bob\n    root: false\n"},
		{users, "set users.1.x 1, set users.1.admin true", "  - name: bob\n    admin: true\n    x: 1\n"},
		{users, "set users.1.admin true, set users.1.x 1", "  - name: bob\n    admin: true\n    x: 1\n"},
		{twins, "remove m.0, remove m.1", gone},
		{twins, "remove m.0, set m.1.b 2", gone},
		{twins, "remove m.1, set m.0.b 2", "---\nm:\n  - a: 1\n    b: 2\n  - a: 1\n---\n"},
		{twins, "append m z, remove m.1", "---\nm:\n  - a: 1\n  - a: 1\n  - z\n---\n"},
		{tags, "remove tags.0, set tags.1 y", gone},
		{tags, "remove tags.1, set tags.1 y", gone},
		{tags, "remove tags.2, set tags.1 why", "tags: [x, why]\n"},
		{tags, "set tags.0 a, set tags.1 z, remove tags.2", "tags: [a, z]\n"},
		{nulls, "remove tags.0, set tags.1 y", gone},
		{nulls, "remove tags.2, set tags.1 why", "tags:\n  -\n  - why\n"},
		{nulls, "remove tags.0, set tags.1.a z", gone},
		{nulls, "set tags.0.a z, set tags.1.a z", "  - {a: z}\n  - {a: z}\n  -\n"},
		{nulls, "set tags.1.a z, set tags.1.b z", "  - {a: z, b: z}\n"},
		{apart, "remove m.0, set m.1.e 2", gone},
		{tables, "remove m.0, set m.1.a 2", gone},
		{tables, "remove m.0, set m.1.b 2", gone},
		{tables, "remove m.2, set m.1.a 2", "+++\n[[m]]\na = 1\n[[m]]\na = 2\n+++\n"},
		{tables, "set m.0.b 1, set m.1.b 2", "[[m]]\na = 1\nb = 1\n[[m]]\na = 1\nb = 2\n[[m]]\n"},
	} {
		doc, err := markdown.Parse([]byte(c.doc))
		if err != nil {
			t.Fatal(err)
		}
		var ops []Op
		for op := range strings.SplitSeq(c.ops, ", ") {
			w := append(strings.Split(op, " "), "")
			ops = append(ops, Op{Action: Action(w[0]), Address: "@frontmatter." + w[1], Text: w[2]})
		}
		r, err := ApplyContext(t.Context(), doc, ops, Options{Pinned: true})
		if got := sourceOrError(r, err); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.ops, got, c.want)
		}
	}
}

// TestKeyAddedToAnItem adds keys to items of lists by their numbers, for which the hash of the item
// or of all of the front matter is needed, that of the item as it is.
func TestKeyAddedToAnItem(t *testing.T) {
	const (
		yaml  = "---\nauthors:\n  - name: Ann\n  - name: Bob\nmenu:\n  weight: 2\n---\n# A\n"
		toml  = "+++\n[[authors]]\nname = \"Ann\"\n[[authors]]\nname = \"Bob\"\n+++\n# A\n"
		apart = "+++\n[[authors]]\nname = \"Ann\"\n[authors.a]\nb = 1\n[menu]\nw = 1\n[authors.c]\nd = 1\n+++\n"
		twins = "---\nauthors:\n  - name: Ann\n  - name: Ann\n---\n"
	)
	email := func(hash string) Op {
		return Op{Action: Set, Address: "@frontmatter.authors.0.email", Text: "a@b.c", ExpectedHash: hash}
	}
	ann, all := markdown.Hash([]byte("name: Ann")), func(doc string) string { return markdown.Hash([]byte(strings.TrimSuffix(doc, "\n# A\n"))) }
	table := markdown.Hash([]byte("[[authors]]\nname = \"Ann\"\n"))
	gone := Op{Action: Remove, Address: "@frontmatter.authors.0", ExpectedHash: ann}
	for _, c := range []struct {
		name, doc string
		ops       []Op
		want      string // what the document has then, or an error
	}{
		{"no hash", yaml, []Op{email("")}, "hash_required: \"@frontmatter.authors.0.email\" counts, and what it counts may have changed; the key is not there, and would be added to @frontmatter.authors.0; "},
		{"no hash, append", yaml, []Op{{Action: Append, Address: "@frontmatter.authors.1.tags", Text: "x"}}, "hash_required"},
		{"no hash, far below", yaml, []Op{{Action: Set, Address: "@frontmatter.authors.1.a.b.c", Text: "x"}}, "hash_required"},
		{"no hash, TOML", toml, []Op{email("")}, "hash_required"},
		{"no hash, in parts", apart, []Op{email("")}, "hash_required"},
		{"of the item", yaml, []Op{email(ann)}, "- name: Ann\n    email: a@b.c\n  - name: Bob\n"},
		{"of the item, TOML", toml, []Op{email(table)}, "name = \"Ann\"\nemail = \"a@b.c\"\n[[authors]]\n"},
		{"of another item", yaml, []Op{email(markdown.Hash([]byte("name: Bob")))}, "conflict: the key is not there, and the hash is not that of @frontmatter.authors.0, to which it would be added; look at that as it is now, and try again with its hash " + ann},
		{"of the front matter", yaml, []Op{email(all(yaml))}, "- name: Ann\n    email: a@b.c\n"},
		{"of one of two that are equal", twins, []Op{email(ann)}, "ambiguous_heading"},
		{"two keys", yaml, []Op{email(ann), {Action: Set, Address: "@frontmatter.authors.0.url", Text: "x", ExpectedHash: ann}}, "- name: Ann\n    email: a@b.c\n    url: x\n"},
		{"of an item that goes", yaml, []Op{gone, email(ann)}, "conflict: an operation before this one has changed or removed it"},
		{"of an item that goes, with the front matter's", yaml, []Op{gone, email(all(yaml))}, "conflict: an operation before this one has changed or removed it"},
		{"of what is named", yaml, []Op{{Action: Set, Address: "@frontmatter.menu.parent", Text: "x", ExpectedHash: markdown.Hash([]byte("weight: 2"))}}, "  weight: 2\n  parent: x\n"},
		{"stale, of what is named", yaml, []Op{{Action: Set, Address: "@frontmatter.menu.parent", Text: "x", ExpectedHash: ann}}, "conflict: the key is not there"},
		{"none, of what is named", yaml, []Op{{Action: Set, Address: "@frontmatter.menu.parent", Text: "x"}}, "  weight: 2\n  parent: x\n"},
		{"no front matter", "# A\n", []Op{email(ann)}, "conflict: the key is not there, and has no hash"},
	} {
		doc, err := markdown.Parse([]byte(c.doc))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Apply(doc, c.ops)
		if got := sourceOrError(r, err); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// sourceOrError returns the document that operations have made, or why they have made none.
func sourceOrError(r *Result, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(r.Doc.Source)
}
