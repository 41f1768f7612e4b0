package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/yamltree"
)

// refusing stands for the check of patterns.
func refusing(pattern string) string {
	if strings.Contains(pattern, "..") {
		return "it must not contain ..; write one inside the category"
	}
	return ""
}

// problemsIn returns what is wrong with a text, by itself and put together.
func problemsIn(text string, scope Scope) []string {
	f := parse([]byte(text), scope, refusing)
	problems := f.problems
	if len(problems) == 0 {
		problems = together(f, nil).problems
	}
	var list []string
	for _, p := range problems {
		list = append(list, p.String())
	}
	return list
}

func TestParse(t *testing.T) {
	docs := Category{Name: "docs", Dir: "docs"}
	tests := map[string]struct {
		text string
		want said
	}{
		"empty":                 {"", said{}},
		"comments":              {"# one\n\n  # two\n", said{}},
		"byte order mark alone": {yamltree.BOM, said{}},
		"document without text": {"---\n# x\n...\n", said{}},
		"null":                  {"categories:\ncollections: ~\nguide: null\n", said{}},
		"empty brackets":        {"categories: {}\ncollections: { }\n", said{}},
		"all in brackets":       {"{categories: {docs: {dir: docs}}}", said{categories: []Category{docs}}},
		"json": {
			`{"categories":{"docs":{"dir":"docs","patterns":["*.md"]}}}`,
			said{categories: []Category{{Name: "docs", Dir: "docs", Patterns: []string{"*.md"}}}},
		},
		"crlf and mark": {yamltree.BOM + "categories:\r\n  docs:\r\n    dir: docs\r\n", said{categories: []Category{docs}}},
		"cr alone":      {"categories:\r  docs:\r    dir: docs\r", said{categories: []Category{docs}}},
		"document":      {"---\ncategories:\n  docs:\n    dir: docs\n...\n# end\n", said{categories: []Category{docs}}},
		"texts as they are written": {
			"categories:\n  2024: {dir: 2024}\n  yes: {dir: yes}\n  0x1F: {dir: 1.50}\n  007: {dir: true}\n",
			said{categories: []Category{{Name: "2024", Dir: "2024"}, {Name: "yes", Dir: "yes"}, {Name: "0x1F", Dir: "1.50"}, {Name: "007", Dir: "true"}}},
		},
		"texts in every form": {
			"categories:\n  docs:\n    dir: 'it''s'\n    patterns:\n    - \"\\u00e9\\x41\"\n    - plain text\n    description: >-\n      one\n      two\n\n      three\n",
			said{categories: []Category{{Name: "docs", Dir: "it's", Patterns: []string{"éA", "plain text"}, Description: "one two\nthree"}}},
		},
		"a text over lines": {
			"categories:\n  docs:\n    dir: docs\n    description: one\n      two # not this\n",
			said{categories: []Category{{Name: "docs", Dir: "docs", Description: "one two"}}},
		},
		"block scalar at the end": {
			"categories:\n  docs:\n    dir: docs\n    description: | # why\n      one\n        two\n\n",
			said{categories: []Category{{Name: "docs", Dir: "docs", Description: "one\n  two"}}},
		},
		"block scalar of nothing": {
			"categories:\n  docs:\n    description: |\n    dir: docs\n",
			said{categories: []Category{docs}},
		},
		"names of letters": {
			"categories:\n  日本語: {dir: a}\n  über-uns_2: {dir: b}\n  हिन्दी: {dir: c}\n",
			said{categories: []Category{{Name: "日本語", Dir: "a"}, {Name: "über-uns_2", Dir: "b"}, {Name: "हिन्दी", Dir: "c"}}},
		},
		"collections in both forms": {
			"categories: {docs: {dir: docs}}\ncollections:\n  a: [docs, docs/a/*.md]\n  b:\n    description: those\n    entries:\n    - a\n    - a/**\n",
			said{
				categories: []Category{docs},
				collections: []Collection{
					{Name: "a", Entries: []Entry{{Name: "docs"}, {"docs", "a/*.md"}}},
					{Name: "b", Description: "those", Entries: []Entry{{Name: "a"}, {"a", "**"}}},
				},
			},
		},
		"limits": {"guide:\n  max_depth: 3\n  max_reply_bytes: 2048\n", said{settings: map[string]int64{"max_depth": 3, "max_reply_bytes": 2048}}},
		"variables": {
			"categories:\n  docs:\n    dir: docs\n    vars:\n      text: a\n      quoted: '1'\n      number: 16\n      part: -1.5\n      truth: FALSE\n      list: [1, [a]]\n      map: {a: {b: c}}\n",
			said{categories: []Category{{Name: "docs", Dir: "docs", Vars: map[string]any{
				"text": "a", "quoted": "1", "number": int64(16), "part": -1.5, "truth": false,
				"list": []any{int64(1), []any{"a"}}, "map": map[string]any{"a": map[string]any{"b": "c"}},
			}}}},
		},
		"question marks in brackets": { // which the library's version 3 took for keys
			"categories: {docs: {dir: docs, patterns: [a?.md, b ?.md]}}\n",
			said{categories: []Category{{Name: "docs", Dir: "docs", Patterns: []string{"a?.md", "b ?.md"}}}},
		},
		"variables that are no numbers": {
			"categories: {docs: {dir: docs, vars: {a: 1e3, b: 08, c: 2024-01-02, d: 1:30, e: yes, f: 1E-7, g: 99999999999999999999, h: -0}}}\n",
			said{categories: []Category{{Name: "docs", Dir: "docs", Vars: map[string]any{"a": "1e3", "b": "08", "c": "2024-01-02", "d": "1:30", "e": "yes", "f": "1E-7", "g": "99999999999999999999", "h": "-0"}}}},
		},
		"tabs before comments": {"categories:\t# a\n  docs:\t\t# b\n    dir: docs\t# c\n", said{categories: []Category{docs}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if problems := problemsIn(test.text, Project); problems != nil {
				t.Fatal(problems)
			}
			got := parse([]byte(test.text), Project, nil).says()
			if test.want.settings == nil {
				test.want.settings = map[string]int64{}
			}
			if !got.equal(test.want) {
				t.Errorf("it says %+v\nand not %+v", got, test.want)
			}
		})
	}
}

func TestParseProblems(t *testing.T) {
	const head = "categories:\n  docs:\n    dir: docs\n"
	long := strings.Repeat("é", 501)
	tests := []struct {
		name, text string
		want       []string
	}{
		{"pattern without quotes", head + "    patterns:\n      - *.md\n", []string{
			`5:9: * begins an alias in YAML; put the pattern in quotes: "*.md"`,
		}},
		{"patterns in brackets without quotes", head + "    patterns: [a, **/x]\n", []string{
			`4:19: * begins an alias in YAML; put the pattern in quotes: "**/x"`,
		}},
		{"a misspelt key", "categories:\n  docs:\n    dir: a\n    pattern: []\n", []string{
			"4:5: categories.docs.pattern: unknown key; did you mean patterns? allowed: dir, patterns, description, vars",
		}},
		{"an unknown key", "other: {}\n", []string{"1:1: other: unknown key; allowed: categories, collections, guide, links, plan"}},
		{"keys twice", head + "    dir: x\ncategories: {}\n", []string{
			"4:5: categories.docs.dir: the key is there twice; take one of the two out",
			"5:1: categories: the key is there twice; take one of the two out",
		}},
		{"names twice", "categories:\n  docs: {dir: a}\n  \"docs\": {dir: b}\n", []string{
			"3:3: categories.docs: the name is there twice; rename one, or take it out",
		}},
		{"no dir", "categories:\n  a:\n  b: {}\n  c: {dir: }\n  d: {dir: \"\"}\n  e: {dir: ~}\n", []string{
			"2:3: categories.a: dir is missing; write dir: FOLDER, relative to the project's root",
			"3:3: categories.b: dir is missing; write dir: FOLDER, relative to the project's root",
			"4:3: categories.c: dir is missing; write dir: FOLDER, relative to the project's root",
			"5:12: categories.d.dir: the folder is empty; name one, or . for the project's root",
			"6:12: categories.e.dir: it is null and must be a text; write it behind the key, null in quotes",
		}},
		{"dirs that leave", "categories:\n  a: {dir: /x}\n  b: {dir: ~/x}\n  c: {dir: a/../b}\n  d: {dir: \"C:\\\\x\"}\n  e: {dir: \"\\\\x\"}\n  f: {dir: a/.GIT}\n", []string{
			"2:12: categories.a.dir: the folder must be relative to the project's root; absolute ones and ~/ are for the user's file",
			"3:12: categories.b.dir: the folder must be relative to the project's root; absolute ones and ~/ are for the user's file",
			"4:12: categories.c.dir: the folder must not contain ..; name one inside the project",
			"5:12: categories.d.dir: the folder must be relative to the project's root; absolute ones and ~/ are for the user's file",
			"6:12: categories.e.dir: the folder must be relative to the project's root; absolute ones and ~/ are for the user's file",
			"7:12: categories.f.dir: the data of version control (.git, .jj) is never read; name another folder",
		}},
		{"control characters", "categories:\n  a: {dir: \"a\\0b\", description: \"\\e\", patterns: [\"\\0\", \"\"]}\n", []string{
			"2:12: categories.a.dir: the folder's name has a control character; take it out",
			`2:33: categories.a.description: the character '\x1b' is not allowed in a description; take it out`,
			"2:50: categories.a.patterns[0]: the pattern has a NUL character; take it out",
			`2:56: categories.a.patterns[1]: the pattern is empty; write one, such as "*.md"`,
		}},
		{"a wrong pattern", head + "    patterns: [\"../x\"]\n", []string{
			"4:16: categories.docs.patterns[0]: it must not contain ..; write one inside the category",
		}},
		{"wrong types", "categories: [a]\ncollections: x\nguide:\n  max_files: [1]\n", []string{
			"1:13: categories: it is a list and must be a mapping; write NAME: without a dash, and dir: FOLDER below it",
			"2:14: collections: it is a single value and must be a mapping; write KEY: VALUE below it",
			"4:14: guide.max_files: it is a list and must be a whole number; write it behind the key",
		}},
		{"wrong types inside", "categories:\n  a: docs\n  b: {dir: [x], patterns: \"*.md\", description: {}, vars: 3}\n", []string{
			"2:6: categories.a: it is a single value and must be a mapping; write KEY: VALUE below it",
			"3:12: categories.b.dir: it is a list and must be a text; write it behind the key",
			`3:27: categories.b.patterns: it is a single value and must be a list; write ["*.md"]`,
			"3:48: categories.b.description: it is a mapping and must be a text; write it behind the key",
			"3:58: categories.b.vars: it is a single value and must be a mapping; write KEY: VALUE below it",
		}},
		{"columns in characters", "categories: {é: {dir: ü, x: y}}\n", []string{
			"1:26: categories.é.x: unknown key; allowed: dir, patterns, description, vars",
		}},
		{"names", "categories:\n  my app: {dir: a}\n  a.b: {dir: a}\n  \"\": {dir: a}\n  \u200bx: {dir: a}\n  a\u3164: {dir: a}\n  " + long[:130] + ": {dir: a}\n", []string{
			`2:3: categories."my app": ' ' is not allowed in a name; names have letters, digits, - and _, 1 to 64 characters`,
			`3:3: categories."a.b": '.' is not allowed in a name; names have letters, digits, - and _, 1 to 64 characters`,
			`4:3: categories."": the name is empty; names have letters, digits, - and _, 1 to 64 characters`,
			`5:3: categories."\u200bx": '\u200b' is not allowed in a name; names have letters, digits, - and _, 1 to 64 characters`,
			`6:3: categories."aㅤ": 'ㅤ' is not allowed in a name; names have letters, digits, - and _, 1 to 64 characters`,
			`7:3: categories."` + long[:126] + `…": the name is too long; names have letters, digits, - and _, 1 to 64 characters`,
		}},
		{"a long description", head + "    description: " + long + "\n", []string{
			"4:18: categories.docs.description: it has 501 characters; shorten it to 500",
		}},
		{"limits", "guide: {max_depth: 0, max_files: \"3\", max_file_bytes: 1.5, max_reply_bytes: 99999999999999999999, max_file: 3}\n", []string{
			`1:20: guide.max_depth: it is 0 and must be a whole number of folders from 1 to 64, written without quotes or other signs, such as 4`,
			`1:34: guide.max_files: it is "3" and must be a whole number of files from 1 to 10000, written without quotes or other signs, such as 20`,
			`1:55: guide.max_file_bytes: it is 1.5 and must be a whole number of bytes from 1024 to 67108864, written without quotes or other signs, such as 262144`,
			`1:77: guide.max_reply_bytes: it is 99999999999999999999 and must be a whole number of bytes from 1024 to 67108864, written without quotes or other signs, such as 2097152`,
			"1:99: guide.max_file: unknown key; did you mean max_files or max_file_bytes? allowed: max_depth, max_files, max_file_bytes, max_reply_bytes",
		}},
		{"limits that begin with 0", "guide: {max_depth: 03}\n", []string{
			"1:20: guide.max_depth: it is 03 and must be a whole number of folders from 1 to 64, written without quotes or other signs, such as 4",
		}},
		{"collections", head + "collections:\n  a:\n  b: []\n  c: {description: x}\n  d: [docs/, \"\", {a: b}]\n  e: [/x, do cs]\n  f:\n    -\n    - docs\n", []string{
			"5:3: collections.a: it has no entries; write [CATEGORY, CATEGORY/PATTERN], or take the collection out",
			"6:3: collections.b: it has no entries; write [CATEGORY, CATEGORY/PATTERN], or take the collection out",
			"7:3: collections.c: it has no entries; write [CATEGORY, CATEGORY/PATTERN], or take the collection out",
			"8:7: collections.d[0]: a slash without a pattern behind it; write NAME, or NAME/PATTERN",
			"8:14: collections.d[1]: the entry has no name; write NAME or NAME/PATTERN",
			`8:18: collections.d[2]: it is a mapping and must be a text; put the text in quotes: "{a: b}"`,
			"9:7: collections.e[0]: the entry has no name; write NAME or NAME/PATTERN",
			"9:11: collections.e[1]: ' ' is not allowed in a name; names have letters, digits, - and _, 1 to 64 characters",
			"11:6: collections.f[0]: the item is empty; write something, or take it out",
		}},
		{"references", head + "collections:\n  a: [doc, docs/*.md]\n  b: {entries: [a, nothing]}\n", []string{
			`5:7: collections.a[0]: no category or collection is called "doc"; did you mean docs? add it, or take the entry out`,
			`6:20: collections.b.entries[1]: no category or collection is called "nothing"; add it, or take the entry out`,
		}},
		{"circles", "collections:\n  a: [b]\n  b:\n    - c\n  c: [a/*.md]\n  d: [d]\n", []string{
			"5:7: collections.c[0]: the collections name each other in a circle: a → b → c → a; take one of the entries out",
			"6:7: collections.d[0]: the collections name each other in a circle: d → d; take one of the entries out",
		}},
		{"a shared name", head + "collections:\n  docs: [docs]\n", []string{
			"5:3: collections.docs: there is a category of this name; rename one of the two",
		}},
		{"variables", head + "    vars:\n      date: x\n      a.b: x\n      n:\n      z: 007\n      i: .inf\n      d: [[[[[[[[[x]]]]]]]]]\n", []string{
			"5:7: categories.docs.vars.date: the name is taken, for every template has this variable; choose another",
			`6:7: categories.docs.vars."a.b": a variable's name must not be empty, nor have dots, braces or blanks around it; rename it`,
			`7:9: categories.docs.vars.n: it has no value; write one, "" for an empty text`,
			"8:10: categories.docs.vars.z: a number that begins with 0 can be read in two ways; put it in quotes, or leave the 0 out",
			"9:10: categories.docs.vars.i: it is no number that can be kept as it is written; put it in quotes",
			"10:18: categories.docs.vars.d[0][0][0][0][0][0][0][0]: nested deeper than 8 levels; make it flatter",
		}},
		{"not a mapping", "- a\n", []string{"1:1: the file must be a mapping; write KEY: VALUE, such as categories:"}},
		{"not a mapping but null", "~\n", []string{"1:1: the file must be a mapping; write KEY: VALUE, such as categories:"}},
		{"tabs", "categories:\n\tdocs:\n", []string{"2:1: tabs can't indent in YAML; write blanks"}},
		{"anchors and aliases", "categories: &c\n  docs: {dir: a}\n  api: *c\n", []string{
			`1:13: & begins an anchor in YAML, and there are none here; put the text in quotes: "&c"`,
			`3:8: * begins an alias in YAML; put the pattern in quotes: "*c"`,
		}},
		{"tags", "categories:\n  docs: !!map {dir: a}\n", []string{`2:9: ! begins a tag in YAML, and there are none here; put the text in quotes: "!!map {dir: a}"`}},
		{"merge keys", "categories:\n  docs:\n    <<: {dir: a}\n", []string{"3:5: << merges keys in YAML, which is not allowed here; write the keys out"}},
		{"complex keys", "? categories\n: {}\n", []string{"1:1: ? begins a key in YAML, which is not allowed here; write KEY: VALUE, and text in quotes"}},
		{"directives", "%YAML 1.2\n---\nguide:\n", []string{`1:1: % begins a directive in YAML, and there are none here; take the line out, or put the text in quotes: "%YAML 1.2"`}},
		{"documents", "guide:\n---\nguide:\n", []string{"2:1: a second document begins here; take the --- out, for the file is one document"}},
		{"behind the document", "guide:\n...\nguide:\n", []string{"3:1: text behind the end of the document (...); take it out"}},
		{"reserved signs", "categories: {docs: {dir: @x}}\n", []string{`1:26: @ is reserved in YAML; put the text in quotes: "@x"`}},
		{"an open quote", "categories:\n  docs: {dir: 'x}\n", []string{`2:15: the text that begins with "'x}" has no quote at its end; close it`}},
		{"an open bracket", "categories: {docs: {dir: x}\n", []string{`1:13: the bracket { is not closed: "{docs: {dir: x}"; write } at its end`}},
		{"a wrong escape", "categories: {docs: {dir: \"\\xZZ\"}}\n", []string{`1:26: a wrong escape in a text in double quotes; write \\ for a backslash, or put it in single quotes`}},
		{"an unknown escape", "categories: {docs: {dir: \"\\d\"}}\n", []string{`1:26: a wrong escape in a text in double quotes; write \\ for a backslash, or put it in single quotes`}},
		{"a colon in a text", "categories:\n  docs: {dir: a}\n  api: b: c\n", []string{"3:9: a key where none can be; check the indentation, and put text that has a colon in quotes"}},
		{"no blank behind a colon", "categories: {docs: {dir:x}}\n", []string{"1:21: write a blank behind the colon: dir: x"}},
		{"signs in a text", "categories:\n  docs:\n    dir: a\n    patterns:\n    - a\n      - b # c\n", []string{
			"5:7: put this in quotes if it is a text, for its signs mean something in YAML",
		}},
		{"a wrong indentation", "categories:\n  docs:\n    dir: a\n   patterns: []\n", []string{"4:4: this can't stand here; check the indentation, and the quotes and brackets before it"}},
		{"not utf-8", "categories:\n  d\xffcs:\n", []string{"2:4: it is not UTF-8; convert the file to UTF-8"}},
		{"nul", "categories:\n  d\x00cs:\n", []string{"2:4: it has a NUL byte; take it out"}},
		{"crlf", "categories:\r\n  docs:\r\n    dir: é\r\n    x: y\r\n", []string{
			"4:5: categories.docs.x: unknown key; allowed: dir, patterns, description, vars",
		}},
		{"byte order mark", yamltree.BOM + "x: y\n", []string{"1:1: x: unknown key; allowed: categories, collections, guide, links, plan"}},
		{"a block scalar before", "categories:\n  docs:\n    description: |\n      é\n\n      x\n    dir: a\n    x: y\n", []string{
			"8:5: categories.docs.x: unknown key; allowed: dir, patterns, description, vars",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for i := range test.want {
				test.want[i] = ".sectile.yaml:" + test.want[i]
			}
			if diff := cmp.Diff(test.want, problemsIn(test.text, Project)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestParseUser(t *testing.T) {
	text := "categories:\n  a: {dir: /srv/docs}\n  b: {dir: ~/docs}\n  c: {dir: docs}\n"
	if problems := problemsIn(text, User); problems != nil {
		t.Error(problems)
	}
	want := []string{"config.yaml of the user:1:23: categories.a.dir: the folder must not contain ..; name one inside the project"}
	if diff := cmp.Diff(want, problemsIn("categories: {a: {dir: /srv/../x}}\n", User)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseManyProblems(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "x%d: 1\n", i)
	}
	f := parse([]byte(b.String()), Project, nil)
	if len(f.problems) != maxProblems+1 || f.problems[maxProblems].Message != "and 200 more; correct these first" {
		t.Errorf("%d problems, the last: %v", len(f.problems), f.problems[len(f.problems)-1])
	}
}
