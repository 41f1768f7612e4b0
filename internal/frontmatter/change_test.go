package frontmatter

import (
	"fmt"
	"strings"
	"testing"
)

// change makes the change that a line tells: "set .a.b VALUE", "append .a VALUE",
// "present .a VALUE", "remove .a", "rename .a NAME".
func change(t *testing.T, line string) Change {
	t.Helper()
	words := strings.SplitN(strings.ReplaceAll(line, "x y", "x\x00y"), " ", 3)
	words[1] = strings.ReplaceAll(words[1], "\x00", " ")
	path, ok := ParsePath(words[1])
	if !ok {
		t.Fatalf("%s is no path", words[1])
	}
	c := Change{Path: path}
	if len(words) > 2 {
		v, err := ParseValue(words[2])
		if err != nil {
			t.Fatal(err)
		}
		c.Value, c.Name = v, words[2]
	}
	switch words[0] {
	case "append":
		c.Action = Append
	case "present":
		c.Action, c.Unless = Append, true
	case "remove":
		c.Action = Remove
	case "rename":
		c.Action = Rename
	}
	return c
}

// applied returns a text after a change, or the error.
func applied(t *testing.T, source string, f Format, c Change) string {
	t.Helper()
	text, err := Read(source, f)
	if err != nil {
		return "unreadable: " + err.Error()
	}
	splices, err := text.Apply(c)
	if err != nil {
		return "error: " + err.Error()
	}
	now, ok := Splices(splices).in(source)
	if !ok {
		t.Fatalf("%v overlap", splices)
	}
	return now
}

func TestYAML(t *testing.T) {
	const doc = "# head\ntitle: 'Old' # why\ntags:\n  # inner\n  - a\n  -   b # last\nparams: {x: 1, y: [1, 2]}\nempty:\nlit: |\n  one\n  two\n\ndeep:\n    er:\n        k: v\nlast: 1\n"
	for _, c := range []struct{ source, line, want string }{
		{"a: x\n", "set .a 18446744073709551615", "a: 18446744073709551615\n"},
		{"a: x\n", "set .a 18446744073709551616", "error: a whole number of the value is too large for YAML; write it as a text in quotes"},
		{doc, "set .title New", strings.Replace(doc, "'Old'", "'New'", 1)},
		{doc, "set .title It's", strings.Replace(doc, "'Old'", "'It''s'", 1)},
		{doc, "set .tags.1 c", strings.Replace(doc, "b # last", "c # last", 1)},
		{doc, `set .tags ["x","y: z"]`, strings.Replace(doc, "- a\n  -   b # last", "- x\n  - \"y: z\"", 1)},
		{doc, `set .tags null`, strings.Replace(doc, "tags:\n  # inner\n  - a\n  -   b # last", "tags: null\n  # inner", 1)},
		{"l:\n- x # 1\n- y # 2\n- z # 3\n", `set .l ["x","y"]`, "l:\n- x # 1\n- y # 2\n"},
		{"l:\n- x # 1\n- y # 2\n# above\n- z # 3\n", `set .l ["x","z"]`, "l:\n- x # 1\n# above\n- z # 3\n"},
		{"l:\n- 'x' # 1\n- y # 2\n- z # 3", `set .l ["x","w: v","u","z"]`, "l:\n- 'x' # 1\n- \"w: v\"\n- u\n- z # 3"},
		{"l:\r\n  - x # 1\r\n  - y # 2\r\nm: 1\r\n", `set .l ["w","x","y"]`, "l:\r\n  - w\r\n  - x # 1\r\n  - y # 2\r\nm: 1\r\n"},
		{"l:\n  - x # 1\n  - y # 2\nm: 1\n", `set .l ["x","y","z"]`, "l:\n  - x # 1\n  - y # 2\n  - z\nm: 1\n"},
		{"l:\n  - - x # 1\n    - y # 2\n    - z\n", `set .l.0 ["y","z"]`, "l:\n  - - y # 2\n    - z\n"},
		{"l:\n  - - x # 1\n    - y # 2\n", `set .l.0 ["z","y"]`, "l:\n  - - z\n    - y # 2\n"},
		{"m:\n  a: 1 # 1\n  b: 2 # 2\n  c:\n    d: x # 3\n", `set .m {"a":1,"b":3,"c":{"d":"x"}}`, "m:\n  a: 1 # 1\n  b: 3\n  c:\n    d: x # 3\n"},
		{"l:\n  &a\n  - x # 1\n  - y\n", `set .l ["x"]`, "l:\n  - x\n"},
		{"l: # head\n  - x # 1\n", `set .l []`, "l: [] # head\n"},
		{"l:\n  - a: 1\n    b: 2 # c\n  - y\n", `set .l.0 x`, "l:\n  - x\n  - y\n"},
		{"l:\n- x # 1\nm: 1\n", "remove .l.0", "l: []\nm: 1\n"},
		{"t: | # menu\n  old\n", "set .t new\nlines\n", "t: | # menu\n  new\n  lines\n"},
		{"t: >-\t# menu # x\n  old\nb: 1\n", "set .t new", "t: new # menu # x\nb: 1\n"},
		{"t:\n  | # menu\n  old\nb: 1\n", "set .t new", "t: new # menu\nb: 1\n"},
		{"l:\n  - | # menu\n    old\n  - b\n", `set .l.0 "new\n\n"`, "l:\n  - \"new\\n\\n\" # menu\n  - b\n"},
		{doc, "append .tags 2024-01-01", strings.Replace(doc, "b # last\n", "b # last\n  -   \"2024-01-01\"\n", 1)},
		{doc, "present .tags b", doc},
		{doc, "append .params.y 3", strings.Replace(doc, "[1, 2]", "[1, 2, 3]", 1)},
		{doc, "set .params.z no", strings.Replace(doc, "[1, 2]}", `[1, 2], z: "no"}`, 1)},
		{doc, "set .empty 08", strings.Replace(doc, "empty:", `empty: "08"`, 1)},
		{doc, "set .empty.in 1e3", strings.Replace(doc, "empty:\n", "empty:\n    in: 1000.0\n", 1)},
		{doc, "set .empty [1.10, 12345678901234567.891, 15e-1]", strings.Replace(doc, "empty:", "empty: [1.10, 12345678901234567.891, 1.5]", 1)},
		{doc, "set .empty 1,000", strings.Replace(doc, "empty:", `empty: "1,000"`, 1)},
		{doc, "set .empty one, 2", strings.Replace(doc, "empty:", "empty: one, 2", 1)},
		{doc, `set .empty "1e3"`, strings.Replace(doc, "empty:", `empty: "1e3"`, 1)},
		{doc, "append .empty a", strings.Replace(doc, "empty:", "empty: [a]", 1)},
		{doc, "append .new a", doc + "new:\n  - a\n"},
		{doc, `set .lit "x\ny\n"`, strings.Replace(doc, "  one\n  two", "  x\n  y", 1)},
		{doc, `set .lit x`, strings.Replace(doc, "|\n  one\n  two", "x", 1)},
		{doc, "set .deep.er.two [1]", strings.Replace(doc, "k: v\n", "k: v\n        two:\n          - 1\n", 1)},
		{doc, "set .deep.x.y true", strings.Replace(doc, "k: v\n", "k: v\n    x:\n        \"y\": true\n", 1)},
		{doc, "remove .title", strings.Replace(doc, "title: 'Old' # why\n", "", 1)},
		{doc, "remove .tags.0", strings.Replace(doc, "  - a\n", "", 1)},
		{doc, "remove .params.x", strings.Replace(doc, "x: 1, ", "", 1)},
		{doc, "remove .params.y", strings.Replace(doc, ", y: [1, 2]", "", 1)},
		{doc, "remove .deep.er.k", strings.Replace(doc, "er:\n        k: v", "er: {}", 1)},
		{doc, "remove .lit", strings.Replace(doc, "lit: |\n  one\n  two\n", "", 1)},
		{doc, "rename .title name", strings.Replace(doc, "title", "name", 1)},
		{doc, "rename .title a: b", strings.Replace(doc, "title", `"a: b"`, 1)},
		{doc, "rename .title on", strings.Replace(doc, "title", `"on"`, 1)},
		{doc, "rename .title last", `error: there is a key "last" beside it already; take it out first, or choose another name`},
		{doc, "rename .tags.0 x", "error: the items of a list have no names; there are set, append and remove"},
		{doc, "set .title.x 1", "error: title is a single value and has no keys; set it to a mapping first"},
		{doc, "set .tags.7 1", `error: the list tags has 2 items, counted from 0, and no item "7"`},
		{doc, "remove .nope", `error: the front matter has no key "nope"`},
		{doc, "append .title x", "error: .title is no list, so that nothing can be appended to it; set it to a list first"},
		{doc, "set .last 1", "error: the front matter says that already; there is nothing to do"},
		{"", "set .a.b 1", "a:\n  b: 1\n"},
		{"# only a comment\n", "set .a x", "# only a comment\na: x\n"},
		{"a: 1\r\nb: 2\r\n", "set .c 3", "a: 1\r\nb: 2\r\nc: 3\r\n"},
		{"{a: 1}\n", "set .b 2", "{a: 1, b: 2}\n"},
		{"l:\n- a: 1\n  b: 2\n- c: 3\n", "set .l.0.c x", "l:\n- a: 1\n  b: 2\n  c: x\n- c: 3\n"},
		{"l:\n- a: 1\n  b: 2\n- c: 3\n", "remove .l.0.a", "l:\n- b: 2\n- c: 3\n"},
		{"l:\n- a: 1\n  b: 2\n- c: 3\n", "remove .l.1.c", "l:\n- a: 1\n  b: 2\n- {}\n"},
		{"l:\n- a: 1\n  # about b\n  b: 2\n", `set .l.0 {"b": 2}`, "l:\n- # about b\n  b: 2\n"},
		{"l:\n- |+\n  a\n\n# about b\n- b\nm: 1\n", `set .l ["a\n\n", "c"]`, "l:\n- |+\n  a\n\n- c\nm: 1\n"},
		{"l:\n- x\nm: 1\n", "remove .l.0", "l: []\nm: 1\n"},
		{"l: [\n  a, # one\n  b\n]\n", "append .l c", "l: [\n  a, # one\n  b,\n  c\n]\n"},
		{"l: [\n  a, # one\n  b, # two\n]\n", "append .l c", "l: [\n  a, # one\n  b, # two\n  c,\n]\n"},
		{"l: [\n  a, # one\n  b\n]\n", "remove .l.0", "error: a comment stands between it and what follows, so that a change here would not be safe for the rest; change it as text"},
		{"a.b: 1\nx y: 2\n", `set ["a.b"] 2`, "a.b: 2\nx y: 2\n"},
		{"a.b: 1\nx y: 2\n", `set ["x y"] z`, "a.b: 1\nx y: z\n"},
		{"a: &x {k: 1}\nb: *x\nc: 2\n", "set .c 3", "a: &x {k: 1}\nb: *x\nc: 3\n"},
		{"a: &x {k: 1}\nb: *x\nc: 2\n", "set .b 3", "a: &x {k: 1}\nb: 3\nc: 2\n"},
		{"a: &x {k: 1}\nb: *x\n", "set .a.k 3", "error: the alias *x stands for this value elsewhere, so that a change here would not be safe for the rest; change it as text"},
		{"a: &x {k: 1}\nb: *x\n", "remove .a", "error: the alias *x stands for this value elsewhere, so that a change here would not be safe for the rest; change it as text"},
		{"a: &x {k: 1}\nb: *x\n", "set .b.k 3", "error: the value is an alias, *x, so that a change here would not be safe for the rest; change it as text"},
		{"a: &x [1]\nb: *x\n", "append .b 3", "error: the value is an alias, *x, so that a change here would not be safe for the rest; change it as text"},
		{"a: &x [1]\nb: *x\n", "present .b 1", "error: the value is an alias, *x, so that a change here would not be safe for the rest; change it as text"},
		{"a: &x {k: 1}\nb:\n  <<: *x\n", "set .b.k 3", "a: &x {k: 1}\nb:\n  <<: *x\n  k: 3\n"},
		{"a: {{ t }}\nb: 1\n", "set .b 2", "unreadable: line 1 of the front matter can't be read with certainty; write it more simply, and text in quotes"},
		{"a: x {{ t }}\nb: 1\n", "set .b 2", "error: a template makes this front matter ({{, {% or <%), which may stand for any text, so that a change here would not be safe for the rest; change it as text"},
		{"a: '{{ t }}'\nb: 1\n", "set .b 2", "a: '{{ t }}'\nb: 2\n"},
		{"a: 1\na: 2\n", "set .b 2", `unreadable: the front matter has the key "a" twice, on line 2 of it again; take one of them out`},
		{"- a\n", "set .b 2", "unreadable: the front matter is no mapping of keys; write it as KEY: VALUE"},
		{"just text\n", "set .b 2", "unreadable: the front matter is no mapping of keys; write it as KEY: VALUE"},
		{"a: !!str 12\nb: !x y\n", "set .a 13", "a: 13\nb: !x y\n"},
		{"date: 2024-01-01\nn: 0x10\n", "set .t 2024-01-01 10:00", "date: 2024-01-01\nn: 0x10\nt: \"2024-01-01 10:00\"\n"},
		{"a: b\n  c\nd: \"e\n  f\"\n", "set .a x", "a: x\nd: \"e\n  f\"\n"},
		{"a: b\n  c\nd: \"e\n  f\"\n", "set .d x", "a: b\n  c\nd: \"x\"\n"},
		{"date: 2024-01-01 # first\n", "set .date 2024-02-01", "date: 2024-02-01 # first\n"},
		{"date: 2024-01-01\n", `set .date "2024-02-01"`, "date: \"2024-02-01\"\n"},
		{"date: 2024-01-01\n", "set .date soon", `error: there is a date or time, and "soon" is none of YAML; write one as 2024-01-31, or a text in double quotes`},
		{"date: 2024-01-01\n", "set .date 2024-1-3", `error: there is a date or time, and "2024-1-3" is none of YAML; write one as 2024-01-31, or a text in double quotes`},
		{"date: 2024-01-01\n", `set .date "2024-1-3"`, "date: \"2024-1-3\"\n"},
		{"date: 2024-01-01\n", "set .date 2024-1-3 7:05:00", "date: 2024-1-3 7:05:00\n"},
		{"date: 2024-01-01\n", "set .date 2024-01-03 1:2:3", `error: there is a date or time, and "2024-01-03 1:2:3" is none of YAML; write one as 2024-01-31, or a text in double quotes`},
		{"t: old\n", "set .t x\ny\n", "t: \"x\\ny\\n\"\n"},
		{"t: old\n", "set .t x\n", "t: x\n"},
		{doc, "set .lit x\n\ny\n", strings.Replace(doc, "  one\n  two", "  x\n\n  y", 1)},
		{doc, "set .lit x\ny", strings.Replace(doc, "|\n  one\n  two", `"x\ny"`, 1)},
		{doc, "set .lit x\ny\n\n", strings.Replace(doc, "|\n  one\n  two", `"x\ny\n\n"`, 1)},
		{"\"x\\ny\": 1\nx y: 2\n", `set ["x\ny"] 3`, "\"x\\ny\": 3\nx y: 2\n"},
		{"x y: 2\n", "set [\"x\ny\"] 3", "x y: 2\n\"x\\ny\": 3\n"},
		{"? a\n: b\n", "set .a c", "unreadable: line 1 of the front matter can't be read with certainty; write it more simply, and text in quotes"},
		{"ä: é # ü\nö: [ß, é]\n", "set .ö.1 x", "ä: é # ü\nö: [ß, x]\n"},
		{"- \n", "set .a c", "unreadable: the front matter is no mapping of keys; write it as KEY: VALUE"},
	} {
		if got := applied(t, c.source, YAML, change(t, c.line)); got != c.want {
			t.Errorf("%s in %q:\ngot  %q\nwant %q", c.line, c.source, got, c.want)
		}
	}
}

// TestLargeTOML: keys and lines beyond their number are refused at once.
func TestLargeTOML(t *testing.T) {
	var lines strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&lines, "k%d = 1\n", i)
	}
	for name, source := range map[string]string{
		"a long key": strings.Repeat("a.", 400_000) + "a = 1\n", "many keys": lines.String(), "many tables": strings.ReplaceAll(strings.ReplaceAll(lines.String(), "k", "[t"), " = 1", "]"),
		"an inline table": "a = {" + strings.ReplaceAll(strings.TrimSpace(lines.String()), "\n", ",") + "}\n",
		"many items":      "a = [" + strings.Repeat("1,", 400_000) + "]\n", "many lists": "a = [" + strings.Repeat("[]\t", 200_000) + "]\n",
	} {
		_, err := Read(source, TOML)
		if err == nil || !strings.Contains(err.Error(), "more than 5000 lines, keys, parts of keys or items") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLargeYAML: so are lines and items of YAML, and what its reader keeps while it looks for a key,
// in values too.
func TestLargeYAML(t *testing.T) {
	const n = maxValues + 1
	for name, source := range map[string]string{
		"lines": strings.Repeat("#\n", n), "lines of CR": strings.Repeat("#\r", n), "items": "a: [" + strings.Repeat("a,", n) + "]\n",
		"lists": "a: " + strings.Repeat("[", n), "mappings": "a: [" + strings.Repeat("{}", n), "dashes": strings.Repeat("- ", n), "tabs": strings.Repeat("-\t", n),
		"questions": strings.Repeat("? ", n), "colons": strings.Repeat(": ", n), "keys": "[" + strings.Repeat("b: ", n), "quoted keys": "[" + strings.Repeat(`"b":`, n),
		"texts": "a: [" + strings.Repeat(`"b"`, n), "aliases": "[" + strings.Repeat("*b ", n), "anchors": "[" + strings.Repeat("&b ", n), "tags": "[" + strings.Repeat("!b ", n),
	} {
		_, err := Read(source, YAML)
		if err == nil || !strings.Contains(err.Error(), "more than 10000 lines and items") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err = ParseValue(source); err == nil || !strings.Contains(err.Error(), "more than 10000 lines and items") {
			t.Errorf("%s as a value: %v", name, err)
		}
	}
	var lines strings.Builder
	for i := range maxValues / 2 {
		fmt.Fprintf(&lines, "k%d: 'a-b'\r\n", i)
	}
	if _, err := Read(lines.String(), YAML); err != nil {
		t.Error(err)
	}
}

// TestDeepPaths: a path has at most as many names as values stand in each other, and more are
// refused before anything is made of them.
func TestDeepPaths(t *testing.T) {
	long := strings.Repeat(".a", maxNesting+1)
	for _, f := range []Format{YAML, TOML} {
		for _, line := range []string{"set " + long + " x", "append " + long + " x", "remove " + long, "rename " + long + " b"} {
			if got := applied(t, "", f, change(t, line)); got != "error: the address of a key has more than 100 names; name a key further up" {
				t.Errorf("%s, %s: %s", f, line, got)
			}
		}
		most := change(t, "set "+long[len(".a"):]+" x")
		text, err := Read(applied(t, "", f, most), f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := text.Find(most.Path); err != nil {
			t.Errorf("%s: %v", f, err)
		}
		if _, err := text.Find(append(most.Path, "a")); err == nil || !strings.Contains(err.Error(), "more than 100 names") {
			t.Errorf("%s: %v", f, err)
		}
	}
	if _, err := Read(long[1:]+".a = 1\n", TOML); err == nil || !strings.Contains(err.Error(), "more than 100 lists and mappings in each other") {
		t.Error(err)
	}
}

// TestWideColumns: a text that is indented very far makes no line of a new value as long.
func TestWideColumns(t *testing.T) {
	wide := strings.Repeat(" ", 100_000)
	doc := "a:\n" + wide + "b: 1\nl:\n" + wide + "- x\nt: |\n" + wide + "x\n"
	items := "[" + strings.Repeat("1,", 1000) + "1]"
	members := strings.Builder{}
	for i := range 1000 {
		fmt.Fprintf(&members, `"k%d":1,`, i)
	}
	for _, line := range []string{
		"set " + strings.Repeat(".c", maxNesting) + " x", "set .a.c {" + members.String() + `"z":1}`, "set .a {" + members.String() + `"z":1}`,
		"set .c " + items, "set .l " + items, "set .t " + strings.Repeat("y\n", 1000),
	} {
		if got := applied(t, doc, YAML, change(t, line)); strings.HasPrefix(got, "error") || len(got) > len(doc)+len(wide)+20_000 {
			t.Errorf("%.20s: %d bytes, %.80s", line, len(got), got)
		}
	}
}

func TestTOML(t *testing.T) {
	const doc = "# head\ntitle = 'Old' # why\ntags = [\"a\", \"b\"]\na.b.c = 1\n\n[params]\nx = 1 # x\nin = {k = true}\n[params.sub]\ny = 2024-01-01\n[[list]]\nz = 1\n[[list]]\nz = 2\n"
	for _, c := range []struct{ source, line, want string }{
		{doc, "set .title New", strings.Replace(doc, "'Old'", "'New'", 1)},
		{doc, "set .title It's", strings.Replace(doc, "'Old'", `"It's"`, 1)},
		{doc, "set .tags.1 2024-01-01", strings.Replace(doc, `"b"`, `"2024-01-01"`, 1)},
		{doc, `set .params.sub.y "soon"`, strings.Replace(doc, "2024-01-01", `"soon"`, 1)},
		{doc, "set .params.sub.y soon", `error: there is a date or time, and "soon" is none of TOML; write one as 2024-01-31, or a text in double quotes`},
		{doc, "set .params.sub.y 2024-02-31", `error: there is a date or time, and "2024-02-31" is none of TOML; write one as 2024-01-31, or a text in double quotes`},
		{doc, "set .params.sub.y 2024-02-01", strings.Replace(doc, "2024-01-01", "2024-02-01", 1)},
		{doc, "set .params.sub.y 2024-02-01T10:00:00+01:00", strings.Replace(doc, "2024-01-01", "2024-02-01T10:00:00+01:00", 1)},
		{doc, "set .params.sub.y 2024-02-01 10:00:00.5", strings.Replace(doc, "2024-01-01", "2024-02-01 10:00:00.5", 1)},
		{doc, "set .params.x 10:00:00", strings.Replace(doc, "x = 1", "x = 10:00:00", 1)},
		{doc, "set .params.x 10:00", strings.Replace(doc, "x = 1", `x = "10:00"`, 1)},
		{doc, "set .params.x 2024-02-01T10:00+01:00", strings.Replace(doc, "x = 1", `x = "2024-02-01T10:00+01:00"`, 1)},
		{doc, "set .params.sub.y 2024-02-01 10:00", `error: there is a date or time, and "2024-02-01 10:00" is none of TOML; write one as 2024-01-31T10:30:00, or a text in double quotes`},
		{"d = [true]\n", "append .d 10:00", "d = [true, \"10:00\"]\n"},
		{doc, "set .date 2024-02-01", strings.Replace(doc, "\"b\"]\n", "\"b\"]\ndate = 2024-02-01\n", 1)},
		{doc, `set .date "2024-02-01"`, strings.Replace(doc, "\"b\"]\n", "\"b\"]\ndate = \"2024-02-01\"\n", 1)},
		{doc, "append .tags 2024-02-01", strings.Replace(doc, `"b"]`, `"b", "2024-02-01"]`, 1)},
		{"d = [2024-01-01]\n", "append .d 2024-02-01", "d = [2024-01-01, 2024-02-01]\n"},
		{"d = [2024-01-01]\n", "present .d 2024-01-01", "d = [2024-01-01]\n"},
		{doc, "append .tags c", strings.Replace(doc, `"b"]`, `"b", "c"]`, 1)},
		{doc, "present .tags b", doc},
		{doc, "set .draft true", strings.Replace(doc, "\"b\"]\n", "\"b\"]\ndraft = true\n", 1)},
		{doc, "set .a.b.d 1e3", strings.Replace(doc, "a.b.c = 1\n", "a.b.c = 1\na.b.d = 1000.0\n", 1)},
		{doc, "set .params.w [1]", strings.Replace(doc, "{k = true}\n", "{k = true}\nw = [1]\n", 1)},
		{doc, "set .params.in.l false", strings.Replace(doc, "k = true}", "k = true, l = false}", 1)},
		{doc, "set .params.sub.q.r 5", strings.Replace(doc, "01-01\n", "01-01\nq.r = 5\n", 1)},
		{doc, "set .list.1.z 3", strings.Replace(doc, "z = 2", "z = 3", 1)},
		{doc, `set .new {"a b": ["x"]}`, strings.Replace(doc, "\"b\"]\n", "\"b\"]\nnew = { \"a b\" = [\"x\"] }\n", 1)},
		{doc, "set .title 9223372036854775808", "error: a whole number of the value is too large for TOML; write it as a text in quotes"},
		{"d = [1]\n", "append .d [9223372036854775808]", "error: a whole number of the value is too large for TOML; write it as a text in quotes"},
		{"d = [1]\n", "append .d -9223372036854775808", "d = [1, -9223372036854775808]\n"},
		{doc, "set .title null", "error: TOML has no null; leave the key out, or take it out with remove"},
		{doc, "set .params 1", "error: tables stand there, in lines of their own; set their keys one by one, or change them as text"},
		{doc, "remove .title", strings.Replace(doc, "title = 'Old' # why\n", "", 1)},
		{doc, "remove .a.b.c", strings.Replace(doc, "a.b.c = 1\n", "", 1)},
		{doc, "remove .params.in.k", strings.Replace(doc, "k = true", "", 1)},
		{doc, "remove .params.sub", strings.Replace(doc, "[params.sub]\ny = 2024-01-01\n", "", 1)},
		{doc, "remove .params", strings.Replace(doc, "[params]\nx = 1 # x\nin = {k = true}\n[params.sub]\ny = 2024-01-01\n", "", 1)},
		{doc, "rename .params.x w", strings.Replace(doc, "x = 1", "w = 1", 1)},
		{"t = 1\n\n# s\n[p.s]\nx = 1\n", "set .p.a 2", "t = 1\n\n[p]\na = 2\n\n# s\n[p.s]\nx = 1\n"},
		{"[[l]]\n[l.t.u]\r\nx = 1\r\n", "set .l.0.t.a.b 2", "[[l]]\n[l.t]\r\na.b = 2\r\n\r\n[l.t.u]\r\nx = 1\r\n"},
		{"[p.s]\nx = 1\n[q]\n[p.r]\n", "set .p.a 2", "[p]\na = 2\n\n[p.s]\nx = 1\n[q]\n[p.r]\n"},
		{"[q]\n  p.s.x = 1\n  p.t.x = 1", "set .q.p.a 2", "[q]\n  p.s.x = 1\n  p.a = 2\n  p.t.x = 1"},
		{"p.s.x = 1\n", "set .p.a 2", "p.s.x = 1\np.a = 2\n"},
		{doc, "rename .params w", strings.NewReplacer("[params]", "[w]", "[params.", "[w.").Replace(doc)},
		{doc, "rename .params.sub u.v", strings.Replace(doc, "[params.sub]", "[params.\"u.v\"]", 1)},
		{doc, "rename .list w", strings.ReplaceAll(doc, "[[list]]", "[[w]]")},
		{doc, "rename .a.b w", strings.Replace(doc, "a.b.c", "a.w.c", 1)},
		{"[[l]]\n[l.t]\nx.y = 1\nx.z = 2\n[[l]]\n[l.t]\nx = 3\n", "rename .l.0.t w", "[[l]]\n[l.w]\nx.y = 1\nx.z = 2\n[[l]]\n[l.t]\nx = 3\n"},
		{"[[l]]\n[l.t]\nx.y = 1\nx.z = 2\n[[l]]\n[l.t]\nx = 3\n", "rename .l.0.t.x w", "[[l]]\n[l.t]\nw.y = 1\nw.z = 2\n[[l]]\n[l.t]\nx = 3\n"},
		{"[a.b]\nx = 1\n['a' . \"c\"]\ny = 1\n[b]\n", "rename .a w", "[w.b]\nx = 1\n[w . \"c\"]\ny = 1\n[b]\n"},
		{"x = {a.b = 1, a.c = 2}\n", "rename .x.a w", "x = {w.b = 1, w.c = 2}\n"},
		{"b = {x.y = 1, x.z = 2}\n", "remove .b.x", "b = {}\n"},
		{"b = {w = 3, x.y = 1, x.z = 2}\n", "remove .b.x", "b = {w = 3}\n"},
		{"b = {x.y = 1, x.z = 2, w = 3}\n", "remove .b.w", "b = {x.y = 1, x.z = 2}\n"},
		{"b = {w = 3, x.y = 1, x.z = 2}\n", "set .b.v 4", "b = {w = 3, x.y = 1, x.z = 2, v = 4}\n"},
		{"b = {x.y = 1, w = 3, x.z = 2}\n", "set .b.v 4", "b = {x.y = 1, w = 3, x.z = 2, v = 4}\n"},
		{"b = {x.y = 1, w = 3, x.z = 2}\n", "remove .b.w", "b = {x.y = 1,  x.z = 2}\n"},
		{"b = {x.y = 1, w = 3, x.z = 2}\n", "remove .b.x", "error: keys in several places make this table, so that a change here would not be safe for the rest; change it as text"},
		{"b = {x.y = 1, w = 3, x.z = 2, v = 4}\n", "remove .b.w", "error: what is there is written in an unusual way, so that a change here would not be safe for the rest; change it as text"},
		{"[a.b]\nx = 1\n[b]\n", "rename .a b", `error: there is a key "b" beside it already; take it out first, or choose another name`},
		{"", "set .a x", "a = \"x\"\n"},
		{"[t]\n", "set .a x", "a = \"x\"\n[t]\n"},
		{"[t]\n", "set .t.a x", "[t]\na = \"x\"\n"},
		{"a = 1\na = 2\n", "set .b 1", "unreadable: the front matter is no TOML, line 2: key a is already defined; mend it as text first"},
		{"a = [\n  1, # one\n  2\n]\n", "append .a 3", "a = [\n  1, # one\n  2,\n  3\n]\n"},
		{"s = '''\nx'''\nb = true\n", "set .s y", "s = \"y\"\nb = true\n"},
		{"[a]\nx=1\n[b]\n[a.c]\ny=1\n", "remove .a", "error: lines in several places make this table, so that a change here would not be safe for the rest; change it as text"},
		{"[a]\nx=1\n[b]\n[a.c]\ny=1\n", "remove .a.c", "[a]\nx=1\n[b]\n"},
	} {
		if got := applied(t, c.source, TOML, change(t, c.line)); got != c.want {
			t.Errorf("%s in %q:\ngot  %q\nwant %q", c.line, c.source, got, c.want)
		}
	}
}

// TestParseValueLarge: a value that no front matter can hold is refused before it is taken apart.
func TestParseValueLarge(t *testing.T) {
	for _, value := range []string{"[" + strings.Repeat("[],", maxSize/3) + "1]", strings.Repeat("a", maxSize+1)} {
		if _, err := ParseValue(value); err == nil || !strings.Contains(err.Error(), "more than 1048576 bytes") {
			t.Errorf("%.20q: %v", value, err)
		}
	}
}

// TestSameNumber: a number with a fraction that has other digits than the one that is there takes its
// place, however little they differ; there is nothing to do where the digits are the same.
func TestSameNumber(t *testing.T) {
	for _, c := range []struct{ was, set, want string }{
		{"1732924800.1234567", "1732924800.123456789", "1732924800.123456789"},
		{"9007199254740992.0", "9007199254740993.0", "9007199254740993.0"},
		{"1.1", "1.10", "1.10"},
		{"1.10", "1.1", "1.1"},
		{"[1.1, 2.5]", "[1.10,2.5]", "[1.10, 2.5]"},
		{"1e3", "1000.0", ""},
		{"1000.0", "1e3", ""},
		{"1.5", "15e-1", ""},
		{"1.10", "1.10", ""},
		{"+1.10", "1.10", ""},
		{"1e21", "1e21", ""},
		{"1234567890.1234567890e3", "1234567890123.456789", "1234567890123.456789"},
	} {
		for _, f := range []Format{YAML, TOML} {
			before, after := "k: ", "\n"
			if f == TOML {
				before = "k = "
			}
			want := before + c.want + after
			if c.want == "" {
				want = "error: the front matter says that already; there is nothing to do"
			}
			if got := applied(t, before+c.was+after, f, change(t, "set .k "+c.set)); got != want {
				t.Errorf("%s for %s in %s: %q, want %q", c.set, c.was, f, got, want)
			}
		}
	}
	for line, want := range map[string]string{
		"set .l [1.10,2.5]": "l:\n  - 1.10\n  - 2.5 # two\n", "present .l 1.1": "l:\n  - 1.1 # one\n  - 2.5 # two\n", "present .l 2.50": "l:\n  - 1.1 # one\n  - 2.5 # two\n  - 2.50\n",
	} {
		if got := applied(t, "l:\n  - 1.1 # one\n  - 2.5 # two\n", YAML, change(t, line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestParseValueRounded: a number with an exponent that 64 bits hold as another one is refused.
func TestParseValueRounded(t *testing.T) {
	for value, isRefused := range map[string]bool{
		"1E-400": true, "1234567890.1234567890e3": true, "[5.1e-324]": true,
		"1e3": false, "-12.50E+02": false, "0e0": false, "0.0E5": false, "1.7976931348623157e308": false, "5e-324": false,
	} {
		if _, err := ParseValue(value); (err != nil) != isRefused || err != nil && !strings.Contains(err.Error(), "is another one") {
			t.Errorf("%s: %v", value, err)
		}
	}
}
