package address

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/markdown"
)

const partsDoc = `---
title: "Old"
tags: [a, b]
a.b: {c: 1}
---

# Shop

Intro *here*.

## Install

` + "```sh\nmake\n```\n\n```Rust title=x\nfn main() {}\n```\n\n```sh\nmake install\n```" + `

## Todo

- [ ] Buy milk
- [x] Buy *bread* and
  butter
  - [ ] Sliced
- plain

Table below.

| Name | Price | Name |
| --- | --- | --- |
| Apple | 1 | x |
| Pe\|ar | 2 |
| Apple pie | 3 | z |

## task[done]

- [ ] here

## Prices

| Fruit | Cost |
|---|---|
| Fig | 9 |
| 2 | 8 |
| Short |
`

// TestParts checks what the forms mean that are parts of a part.
func TestParts(t *testing.T) {
	doc := parse(t, partsDoc)
	for _, c := range []struct{ addr, text, selector string }{
		{"@frontmatter.title", `"Old"`, ""},
		{"@frontmatter.tags.1", "b", ""},
		{"@frontmatter.tags", "[a, b]", ""},
		{`@frontmatter["a.b"]`, "{c: 1}", ""},
		{`@frontmatter["a.b"].c`, "1", ""},
		{"Install/code[rust]", "```Rust title=x", "h2.0/code.1"},
		{"code[rust]", "```Rust title=x", "h2.0/code.1"},
		{"## Install/code[rust]", "```Rust title=x", "h2.0/code.1"},
		{"Shop > Install/code.0", "```sh", "h2.0/code.0"},
		{"#install/code[sh].1", "```sh\nmake install", "h2.0/code.2"},
		{"h2.0/code[sh].1", "```sh\nmake install", "h2.0/code.2"},
		{`Todo/task["Buy milk"]`, "- [ ] Buy milk", "h2.1/list.0/item.0"},
		{`Todo/task["buy bread"]`, "- [x] Buy *bread*", "h2.1/list.0/item.1"},
		{`task["Sliced"]`, "- [ ] Sliced", "h2.1/list.0/item.1/list.0/item.0"},
		{"Todo/task[done]", "- [x] Buy", "h2.1/list.0/item.1"},
		{"Todo/task[open].1", "- [ ] Sliced", "h2.1/list.0/item.1/list.0/item.0"},
		{`h2.1/list.0/item["plain"]`, "- plain", "h2.1/list.0/item.2"},
		{`item["plain"]`, "- plain", "h2.1/list.0/item.2"},
		{`para["intro here"]`, "Intro *here*.", "h1.0/para.0"},
		{`Todo/table.0[1, "Price"]`, "1", "h2.1/table.0[1,1]"},
		{`Todo/table.0[1,1]`, "1", "h2.1/table.0[1,1]"},
		{`Todo/table.0["Apple", "Price"]`, "1", "h2.1/table.0[1,1]"},
		{`Todo/table.0["pe|ar","price"]`, "2", "h2.1/table.0[2,1]"},
		{`Todo/table.0["Apple pie", 1]`, "3", "h2.1/table.0[3,1]"},
		{`Todo/table.0[2]`, `| Pe\|ar | 2 |`, "h2.1/table.0/row.2"},
		{`Todo/table[0][2]`, `| Pe\|ar | 2 |`, "h2.1/table.0/row.2"},
		{`Todo/table.0["Price"]`, "| Name | Price |", ""},
		{`Prices/table["2", "Cost"]`, "8", "h2.3/table.0[2,1]"},
		{`table["Fig","Cost"]`, "9", "h2.3/table.0[1,1]"},
		{"task[done]", "## task[done]", "h2.2"}, // a title has precedence
	} {
		r, err := Resolve(doc, c.addr)
		if err != nil {
			t.Errorf("%s: %v", c.addr, err)
			continue
		}
		if text := string(doc.Text(r.Span(doc))); !strings.HasPrefix(text, c.text) || c.selector != "" && r.Selector != c.selector {
			t.Errorf("%s: %q is %s", c.addr, text, r.Selector)
		}
		if r.Selector == "" {
			t.Errorf("%s has no selector", c.addr)
		} else if again, err := Resolve(doc, r.Selector); err != nil || again.Node != r.Node {
			t.Errorf("%s is %s, which is %+v, %v", c.addr, r.Selector, again, err)
		}
	}
}

// TestKeyOfLines: a line ending in the name of a key is part of it, and its address is one line.
func TestKeyOfLines(t *testing.T) {
	doc := parse(t, "---\n\"x\\ny\": 1\nx y: 2\n'c:\\n': 3\n---\n")
	for addr, want := range map[string]string{
		`@frontmatter["x\ny"]`: "1", "@frontmatter[\"x\ny\"]": "1", "@frontmatter[\"x y\"]\n": "2", `@frontmatter["c:\\n"]`: "3",
	} {
		r, err := Resolve(doc, addr)
		if err != nil || string(doc.Text(r.Span(doc))) != want || strings.ContainsAny(r.Selector, "\r\n") {
			t.Errorf("%q: %+v, %v", addr, r, err)
			continue
		}
		if again, err := Resolve(doc, r.Selector); err != nil || again.Value != r.Value {
			t.Errorf("%q is %s, which is %+v, %v", addr, r.Selector, again, err)
		}
	}
}

// TestPartsByPosition checks which of them count, so that they are not enough to write.
func TestPartsByPosition(t *testing.T) {
	doc := parse(t, partsDoc+"\n## Twins\n\n| K | V |\n|---|---|\n| a | 1 |\n\nand\n\n| K | V |\n|---|---|\n| a | 2 |\n| b | 3 |\n")
	for addr, counts := range map[string]bool{
		"@frontmatter.title": false, "@frontmatter.tags.1": true,
		"Install/code[rust]": false, "Install/code.0": true, "code[sh].1": true,
		`Todo/task["Buy milk"]`: false, "Todo/task[done]": false, "Todo/task[open].1": true,
		`Todo/table.0["Apple","Price"]`: false, `Todo/table.0[1,"Price"]`: true, `Todo/table.0["Price"]`: false, "Todo/table.0[1]": true,
		`Twins/table.0["a","V"]`: true, `Twins/table.1["b","V"]`: false, `Twins/table.1["V"]`: true, `h2.3/table.0["Cost"]`: true, "h2.0/code[rust]": true, `h2.1/task["Buy milk"]`: true, "h2[0]/code[rust]": true,
		"Shop/h2.0/code[rust]": true, `Todo/list.0/task["Buy milk"]`: false,
		`L48/table.0["Fig","Cost"]`: true,
	} {
		r, err := Resolve(doc, addr)
		if err != nil {
			t.Errorf("%s: %v", addr, err)
		} else if r.ByPosition != counts {
			t.Errorf("%s counts: %v", addr, r.ByPosition)
		}
	}
}

// TestPartsBelowLooseHeadings: how closely a heading's text matched counts for what is named below it, too.
func TestPartsBelowLooseHeadings(t *testing.T) {
	doc := parse(t, "# Shop\n\n## How to Install it\n\n- [ ] buy\n")
	for addr, want := range map[string]Tier{
		`Install/task["buy"]`: TierSubstring, "How to/list.0": TierPrefix, "how to install it/list.0": TierStripped, "How to Install it/list.0": TierExact,
		"Shop > Install/list.0": TierSubstring, "h2.0/list.0": TierNone, `task["buy"]`: TierNone,
	} {
		if r, err := Resolve(doc, addr); err != nil || r.Tier != want {
			t.Errorf("%s: %+v, %v, want %v", addr, r, err, want)
		}
	}
}

// TestDeeper checks that an error says where blocks are that stand in quotes and items.
func TestDeeper(t *testing.T) {
	const table = "> | A |\n> |---|\n> | 1 |\n"
	for _, c := range []struct{ doc, address, want string }{
		{"# T\n\n" + table, "table.0/row.1", "document has no tables, but 1 table stands deeper in it; use one of these addresses: h1.0/quote.0/table.0 ("},
		{"# T\n\n" + table + "\nx\n\n" + table, "h1.0/table.0", "h1.0 has no tables, but 2 tables stand deeper in it; use one of these addresses: h1.0/quote.0/table.0 ("},
		{"# T\n\n" + table, `T/table.0["A"]`, "there is no table in h1.0, but 1 table stands deeper in it; use one of these addresses: h1.0/quote.0/table.0 ("},
		{"# T\n\n- x\n\n  ```sh\n  make\n  ```\n", "T/code.0", "1 code block stands deeper in it; use one of these addresses: h1.0/list.0/item.0/code.0 ("},
		{"# T\n\n- x\n", "h1.0/item.0", "h1.0 has no items, but 1 item stands deeper in it; use one of these addresses: h1.0/list.0/item.0 ("},
		{"# T\n\n- x\n", "T/table.0", "there is no table in h1.0"},
		{"# T\n\n" + table + "\n| B |\n|---|\n", "h1.0/table.1", "index out of range: h1.0 has 1 table; use"},
	} {
		if _, err := Resolve(parse(t, c.doc), c.address); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.address, err, c.want)
		}
	}
}

// TestNoPart checks what is said where nothing is found.
func TestNoPart(t *testing.T) {
	doc := parse(t, partsDoc)
	for addr, want := range map[string]string{
		"@frontmatter.titel":              `the front matter has no key "titel"; use one of these addresses: @frontmatter.title (lines 2-2)`,
		"@frontmatter.tags.2":             `the list tags has 2 items, counted from 0, and no item "2"`,
		"Install/code[go]":                `none of the 3 code blocks in h2.0 is in the language "go"; there are "sh", "Rust"`,
		"Todo/task[open].4":               "not so many are there in h2.1: 3 tasks, counted from 0",
		`Todo/task["Buy mlik"]`:           `none of the 3 tasks in h2.1 begins with "Buy mlik"; there are "Buy milk"`,
		`Todo/table.0["Apple", "Prize"]`:  `no column of the table in h2.1 is called "Prize"; there are "Price"`,
		`Todo/table.0["Aple", "Price"]`:   `no row of the table in h2.1 begins with "Aple"; there are "Apple"`,
		`Todo/table.0[9]`:                 "the table in h2.1 has 4 rows, the head being row 0",
		`Todo/table.0[2, 2]`:              `the row of the table in h2.1 has 2 cells, and none under "Name"; replace the whole row, h2.1/table.0/row.2, to give it one`,
		`Todo/table.0[2, 3]`:              "the row of the table in h2.1 has no cell 3, counted from 0",
		`L48/table.0["Short", "Cost"]`:    `the row of the table in h2.3 has 1 cell, and none under "Cost"; replace the whole row, h2.3/table.0/row.3, to give it one`,
		`L48/table.0[3, 1]`:               `the row of the table in h2.3 has 1 cell, and none under "Cost"; replace the whole row, h2.3/table.0/row.3, to give it one`,
		"Intsall/code[rust]":              `no heading matches "Intsall"`,
		"Todo/table.1[2]":                 "not so many are there in h2.1: 1 table, counted from 0",
		"Prices/task":                     "there is no task in h2.3",
		`Todo/table.0["Apple", "Name"]`:   `2 parts match`,
		"Todo/task[open]":                 "2 parts match",
		`h2.1/table.0["Apple", "Name"].0`: `"Name"].0" (a row, column or cell is named like table.0[2], `,
		"task[opne]":                      `no heading matches "task[opne]" (a task is named like task[open], task[done] or task["Buy milk"]); `,
		"Todo/task[Buy milk]":             `(a task is named like task[open]`,
		"Todo/tsak[open]":                 `(a task is named like task[open]`,
		"Shop > Todo/task[opne]":          `(a task is named like task[open]`,
		"table.0[Price]":                  `(a row, column or cell is named like table.0[2]`,
		"item[Buy]":                       `(an item is named by the beginning of its text`,
		`row["Apple"]`:                    `(a row is named like table.0[2], `,
		`code["sh"]/code[a b]`:            `(code is named by its language, like code[sh])`,
		"Prices [EUR]":                    `no heading matches "Prices [EUR]"; `,
	} {
		_, err := Resolve(doc, addr)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// TestNamesOfMany finds many parts of one address, of which the first are named, and Names names
// all.
func TestNamesOfMany(t *testing.T) {
	const named, parts = MaxNamed, MaxNamed + 1
	for block, addr := range map[string]string{"- [ ] it\n": `task["it"]`, "it\n\n": `para["it"]`, "[it](#x)\n\n": `link["it"]`, "| a |\n|---|\n\n": `table["a"]`} {
		doc := parse(t, "# A\n\n"+strings.Repeat(block, parts))
		all, err := ResolveAll(doc, addr)
		if err != nil || len(all) != parts {
			t.Fatalf("%s: %d, %v", addr, len(all), err)
		}
		nodes, err := Resolver{Doc: doc}.Nodes(addr)
		if err != nil || !slices.EqualFunc(all, nodes, func(r Resolution, n Node) bool { return r.Node == n }) {
			t.Errorf("%s: other nodes: %v", addr, err)
		}
		if all[named-1].Selector == "" || all[parts-1].Selector != "" || len(all[parts-1].Breadcrumb) > 0 {
			t.Errorf("%s: %+v, %+v", addr, all[named-1], all[parts-1])
		}
		names := NewNames(doc)
		for i, n := range nodes {
			if s := names.Selector(n); i < named && s != all[i].Selector || s == "" {
				t.Fatalf("%s: part %d is named %q", addr, i, s)
			}
		}
	}
}

// mustResolve returns what an address stands for.
func mustResolve(t *testing.T, doc *markdown.Document, addr string) *Resolution {
	t.Helper()
	res, err := Resolve(doc, addr)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestNames names all parts of documents in several orders: they are called what each is called
// alone, and lead back.
func TestNames(t *testing.T) {
	const parts = "\n\ntext [l](x) ![i](x)\n\n> a\n>\n> b [l](y)\n\n- one\n\n  two\n\n  three\n\n  - in\n- [ ] four\n\n| a | a | P |\n| - | - | - |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n\n| P |\n| - |\n\n[d]: x\n\n"
	titles := "# h1.1/link.0\n\n# H1.1/TABLE.0\\[1,2]\n\n# `h2.0/image.0`\n\n# h1.0/table.0[\"P\"]\n\n# @frontmatter.b\n\n# link.0\n\n# *h2.0/def.0*\n"
	src := "---\na: 1\nb: 2\n---\n" + parts + "# A" + parts + "## B" + parts + "# C" + parts + "## D" + parts
	for _, src := range []string{src, src + titles} {
		doc := parse(t, src)
		var nodes []Node
		for _, path := range []string{"a", "b"} {
			nodes = append(nodes, mustResolve(t, doc, "@frontmatter."+path).Node)
		}
		for b := range doc.Blocks {
			nodes = append(nodes, NodeOfBlock(doc, b))
			if doc.Blocks[b].Kind == markdown.Table {
				nodes = append(nodes, NodeOfColumn(doc, b, 0), NodeOfColumn(doc, b, 2), NodeOfColumn(doc, b, 0))
			}
		}
		for _, step := range []string{"link", "image", "def"} {
			found, err := Resolver{Doc: doc}.Nodes("@document/" + step)
			if err != nil {
				t.Fatal(err)
			}
			nodes = append(nodes, found...)
		}
		names, named := NewNames(doc), 0
		for n := range 4 {
			for _, of := range nodes {
				s := names.Selector(of)
				if alone := SelectorOf(doc, of); s != alone {
					t.Errorf("%+v is %q among others, and %q alone", of, s, alone)
				}
				if s != "" {
					named++
					checkAddress(t, doc, "Names", s, of)
				}
			}
			if slices.Reverse(nodes); n == 1 {
				rand.New(rand.NewPCG(1, 2)).Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
			}
		}
		if named < 100 {
			t.Errorf("%d are named", named)
		}
	}
	for _, title := range []string{"h1.1/link.0", "h1.1/table.0[1,2]", "h2.0/image.0", `h1.0/table.0["P"]`, "@frontmatter.b", "link.0", "h2.0/def.0"} {
		one, both := mustResolve(t, parse(t, src), title), mustResolve(t, parse(t, src+titles), title)
		if one.Kind == SectionNode || one.Selector != title || both.Kind != SectionNode {
			t.Errorf("%s: %+v without the title, and %+v with it", title, one, both)
		}
	}
}

// TestNamesTime names the links of a document with many headings.
func TestNamesTime(t *testing.T) {
	doc := parse(t, strings.Repeat("## A section. It has a link\n\n[it](#x)\n\n", 30_000))
	nodes, err := Resolver{Doc: doc}.Nodes("@document/link")
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	names := NewNames(doc)
	for _, n := range nodes {
		names.Selector(n)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("%d names take %v", len(nodes), took)
	}
}

// TestWhole asks for headings by their whole text, in every form of address that has one: the
// beginning or a part of another heading is none.
func TestWhole(t *testing.T) {
	const below = "\n\n- [ ] task\n\ntext\n\n| A | P |\n| - | - |\n| 1 | 2 |\n"
	has := parse(t, "# A\n\n## *INSTALL* {#in}"+below+"\n## Uninstaller"+below)
	lacks := []*markdown.Document{
		parse(t, "# A\n\n## Installed"+below),
		parse(t, "# Ab\n\n## Uninstaller"+below+"\n### Reinstall"+below+"\n##\n"),
	}
	for _, addr := range []string{
		"Install", "## Install", "A > Install", "A > ## Install", "#in", "#in/para.0", "A > Install/para.0", "A > Install/table.0/row.1",
		"Install/task", "Install/task[open]", `Install/task["ta"]`, `Install/item["task"]`, `Install/para["text"]`, "Install/para.0",
		`Install/table["P"]`, `## Install/table["1", "P"]`, "Install/list.0/item.0", "Install {#other}/para.0",
	} {
		if res, err := (Resolver{Doc: has, Whole: true}).Nth(addr, 0); err != nil || res.Section != 1 {
			t.Errorf("%s: %+v, %v", addr, res, err)
		}
		for i, doc := range lacks {
			var missing *Error
			r := Resolver{Doc: doc, Whole: true}
			res, err := r.Nth(addr, 0)
			if _, all := r.All(addr); all == nil || !errors.As(err, &missing) || missing.Code != HeadingNotFound {
				t.Errorf("%s in %d: %+v, %v", addr, i, res, err)
			}
		}
	}
	if res, err := Resolve(lacks[1], "{#other}"); err == nil {
		t.Errorf("attributes alone stand for %s", res.Selector)
	}
}

// TestPartTexts: parts are called by what they say in their document, where labels are defined and
// dialects count, and by the beginning of how they are written.
func TestPartTexts(t *testing.T) {
	doc := parse(t, "# T\n\n- [a word][ref] two\n- [ ] [ref] *task*\n- \\*no\\* ~~old~~\n- [a word][ref]\n\n[the map][ref] shows[^n]\\\nit &amp; `all`.\n\n"+
		"| [Price][ref] | [b](c) |\n|---|---|\n| [ref] | 2 |\n| x\\|y | 3 |\n\n> one\n> [two][ref]\n\n[ref]: /u\n[^n]: N\n")
	for addr, want := range map[string]string{
		`item["A word two"]`: "- [a word][ref] two", `item["a word"]`: "- [a word][ref]", `item["[a word][ref] t"]`: "- [a word][ref] two", `task["ref task"]`: "- [ ] [ref]", `task["[ref] *task*"]`: "- [ ] [ref]",
		`item["*NO* old"]`: "- \\*no", `item["no"]`: "", `item["\\*no\\* ~~o"]`: "- \\*no", `para["the map shows it & all"]`: "[the map]", `para["one two"]`: "one\n> [two]",
		`table["Price"]`: "| [Price]", `table["b"]`: "| [Price]", `table["ref", "price"]`: "[ref]", `table["[ref]", "[Price][ref]"]`: "[ref]", `table["X|Y", 1]`: "3", `table["x|y", 1]`: "3",
	} {
		r, err := Resolve(doc, addr)
		if (err == nil) != (want != "") || err == nil && !strings.HasPrefix(string(doc.Text(r.Span(doc))), want) {
			t.Errorf("%s: %+v, %v", addr, r, err)
		}
	}
	if _, err := Resolve(doc, `item["none"]`); err == nil || !strings.Contains(err.Error(), `"a word two", "ref task", "*no* old"`) {
		t.Error(err)
	}
}

func TestLanguage(t *testing.T) {
	for info, want := range map[string]string{
		"sh": "sh", "sh\ttitle=\"a\"": "sh", "c\\+\\+": "c++", "&#99;": "c", "": "", "rust,ignore": "rust", "js{1,3}": "js", "python {cmd=true}": "python",
		"{.haskell}": "haskell", "{#id .haskell .numberLines}": "haskell", "{r, echo=FALSE}": "r", "{r}": "r", "{#id}": "", "{a=b}": "", "{ .sh }": "sh", "{": "", "{}": "", ",": "", "{.}": "",
	} {
		if got := Language(parse(t, "~~~ "+info+"\na\n"), 0); got != want {
			t.Errorf("%q: %q, want %q", info, got, want)
		}
	}
	for addr, is := range map[string]bool{"code[sh]": true, "code[c++]": true, "code[rust]": true, "code[sh\ttitle]": false} {
		if _, err := Resolve(parse(t, "```sh\ttitle\n```\n\n``` c\\+\\+\n```\n\n```rust,ignore\n```\n"), addr); (err == nil) != is {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// TestNameOf names parts by their texts, those alone that no other part has.
func TestNameOf(t *testing.T) {
	doc := parse(t, "- before\n\n"+partsDoc+"\n## Twins\n\n- same\n- same\n- \"a\" `b`\n\n```sh\n```\n\n| K | V |\n|---|---|\n| a | 1 |\n| b | 2 |\n| b | 3 |\n")
	for addr, want := range map[string]string{
		"list.0/item.0": `item["before"]`, "Todo/task.1": `## Todo/task["Buy *bread* and butter"]`, "Twins/list.0/item.0": "", "Twins/list.0/item.2": "## Twins/item[\"\\\"a\\\" `b`\"]",
		"Twins/table.0[1,1]": `## Twins/table["a", "V"]`, "Twins/table.0[2,1]": "", "Twins/table.0[1]": "", "Twins/code.0": "", "Twins": "",
	} {
		r, err := Resolve(doc, addr)
		if err != nil {
			t.Errorf("%s: %v", addr, err)
		} else if got := NameOf(doc, r.Node); got != want {
			t.Errorf("%s is %s, want %s", addr, got, want)
		}
	}
}

// TestManyLists says of a number that a list hasn't which other lists stand beside it.
func TestManyLists(t *testing.T) {
	doc := parse(t, "- a\n\n1. b\n\n# S\n\n- c\n\n1. d\n\np\n\n- e\n  - f\n\n# T\n\n- g\n")
	for addr, want := range map[string]string{
		"S/list.0/item.1":               "not so many are there in h1.0/list.0: 1 item, counted from 0; it is one of 3 lists there, and h1.0/list.1 is another",
		"S/list.2/item.1":               "not so many are there in h1.0/list.2: 1 item, counted from 0; it is one of 3 lists there, and h1.0/list.0 is another",
		"S/list.2/item.0/list.0/item.1": "not so many are there in h1.0/list.2/item.0/list.0: 1 item, counted from 0",
		"T/list.0/item.1":               "not so many are there in h1.1/list.0: 1 item, counted from 0",
	} {
		_, err := Resolve(doc, addr)
		if e, ok := errors.AsType[*Error](err); !ok || e.Message != want {
			t.Errorf("%s: %v, want %s", addr, err, want)
		}
	}
}

// TestPartBelowAPath: a part that stands behind a sign for sections is told its slash, and a
// heading that isn't there isn't.
func TestPartBelowAPath(t *testing.T) {
	doc := parse(t, "# S\n\n## Data\n\n| K | V |\n|---|---|\n| a | 1 |\n")
	for addr, slash := range map[string]string{
		`S > Data > table.0["a", "V"]`: `S > Data/table.0["a", "V"]`, "Data > list.0": "Data/list.0", `S > task["x"]`: `S/task["x"]`, "Data > table.0[1]": "Data/table.0[1]",
		"S > h2.0": "", "S > list": "", "S > v1.0": "", "S > L4": "",
	} {
		_, err := Resolve(doc, addr)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != HeadingNotFound || strings.Contains(e.Message, "behind a slash") != (slash != "") {
			t.Errorf("%s: %v", addr, err)
		} else if !strings.Contains(e.Message, slash) {
			t.Errorf("%s: %v, want %s", addr, err, slash)
		}
	}
}

// TestWideTable looks for cells of a table with as many rows as columns, whose rows have one cell
// each. It takes minutes if it goes over the columns for each row.
func TestWideTable(t *testing.T) {
	const n = 1 << 16
	for _, head := range []string{"a|b", "a"} {
		columns := strings.Repeat("|"+head, n/(1+len(head)/2))
		doc := parse(t, columns+"|\n"+strings.Repeat("|-", n)+"|\n"+strings.Repeat("|x|\n", n))
		for _, addr := range []string{`table["x","a"]`, `table["x",0]`} {
			_, err := Resolve(doc, addr)
			var e *Error
			if !errors.As(err, &e) || e.Code != AmbiguousHeading || e.Total != n {
				t.Errorf("%s: %v", addr, err)
			}
		}
	}
}

// TestNestedParts follows steps below items that stand in each other: a part is meant once,
// though it stands below several of them. It takes minutes if it counts for each way to it.
func TestNestedParts(t *testing.T) {
	var text strings.Builder
	for i := range 400 {
		text.WriteString(strings.Repeat("  ", i%40) + "- b\n")
	}
	doc := parse(t, text.String())
	for _, n := range []int{1, 2, 3, 20} {
		addr := strings.Repeat(`/item["b"]`, n)[1:]
		all, err := ResolveAll(doc, addr)
		if want := 10 * (41 - n); err != nil || len(all) != want {
			t.Errorf("%s: %d parts, want %d: %v", addr, len(all), want, err)
		}
	}
}
