package yamltree

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// draft is a change of a text.
type draft func(d *Draft, root *Node)

// at returns the item that keys lead to.
func at(root *Node, keys ...string) *Item {
	var it *Item
	for n := root; len(keys) > 0; n, keys = it.Value, keys[1:] {
		it = n.Get(keys[0])
	}
	return it
}

func add(top, key string, value any) draft {
	return func(d *Draft, _ *Node) { d.AddTop(top, Pair{key, value}) }
}

func text(value string, keys ...string) draft {
	return func(d *Draft, root *Node) { d.SetText(at(root, keys...), value) }
}

func list(want []string, keys ...string) draft {
	return func(d *Draft, root *Node) { d.SetList(at(root, keys...), want) }
}

func field(key string, value any, keys ...string) draft {
	return func(d *Draft, root *Node) { it := at(root, keys...); d.SetField(it, it.Value, key, value) }
}

func rename(to string, keys ...string) draft {
	return func(d *Draft, root *Node) { d.Rename(at(root, keys...), to) }
}

func remove(key string, gone ...int) draft {
	return func(d *Draft, root *Node) { d.Remove(root.Value(key), gone...) }
}

func wrap(keys ...string) draft {
	return func(d *Draft, root *Node) { d.Wrap(at(root, keys...), Pair{"about", "x, y"}, "list") }
}

// TestDraft changes texts as somebody would who writes as they are written.
func TestDraft(t *testing.T) {
	small := []Pair{{"dir", "api"}}
	full := []Pair{{"dir", "api"}, {"patterns", []string{"*.md"}}, {"about", "How: it works"}}
	const docs = "categories:\n  docs:\n    dir: docs\n"
	long := []string{strings.Repeat("a", 40), strings.Repeat("b", 40)}
	tests := []struct {
		name, before string
		draft        draft
		after        string
	}{
		{"nothing there", "", add("categories", "api", full), "categories:\n  api:\n    dir: api\n    patterns: [\"*.md\"]\n    about: \"How: it works\"\n"},
		{"comments alone", "# one\n# two\n", add("categories", "api", small), "# one\n# two\n\ncategories:\n  api:\n    dir: api\n"},
		{"comments without an end", "# one", add("categories", "api", small), "# one\n\ncategories:\n  api:\n    dir: api"},
		{"a mark alone", BOM, add("categories", "api", small), BOM + "categories:\n  api:\n    dir: api\n"},
		{"a document of nothing", "---\n...\n", add("categories", "api", small), "---\ncategories:\n  api:\n    dir: api\n...\n"},
		{"the end of nothing", "\n...\n", add("categories", "api", small), "categories:\n  api:\n    dir: api\n\n...\n"},
		{"crlf", "# x\r\n" + "categories:\r\n  docs:\r\n    dir: docs\r\n", add("categories", "api", small), "# x\r\ncategories:\r\n  docs:\r\n    dir: docs\r\n  api:\r\n    dir: api\r\n"},
		{"the ending of the line before", "# x\r\n" + docs + "a: b\n", add("categories", "api", small), "# x\r\n" + docs + "  api:\n    dir: api\na: b\n"},
		{"behind the last", docs + "# the limits\nguide:\n  max_depth: 3\n", add("categories", "api", small), docs + "  api:\n    dir: api\n# the limits\nguide:\n  max_depth: 3\n"},
		{"comments of its own", docs + "  # api:\n  #   dir: api\n\n# the limits\nguide:\n", add("categories", "api", small), docs + "  # api:\n  #   dir: api\n  api:\n    dir: api\n\n# the limits\nguide:\n"},
		{"blank lines between", "categories:\n  a:\n    dir: a\n\n  # b is\n  b:\n    dir: b\n\n\nguide:\n", add("categories", "api", small), "categories:\n  a:\n    dir: a\n\n  # b is\n  b:\n    dir: b\n\n  api:\n    dir: api\n\n\nguide:\n"},
		{"indented by four", "categories:\n    docs:\n          dir: docs\n", add("categories", "api", small), "categories:\n    docs:\n          dir: docs\n    api:\n          dir: api\n"},
		{"a key without a value", "categories: # what\n  # here\nguide:\n    max_depth: 3\n", add("categories", "api", small), "categories: # what\n  # here\n    api:\n        dir: api\nguide:\n    max_depth: 3\n"},
		{"null", "categories: ~ # what\n", add("categories", "api", small), "categories: # what\n  api:\n    dir: api\n"},
		{"empty brackets", "categories: {} # what\nguide: {}\n", add("categories", "api", small), "categories: # what\n  api:\n    dir: api\nguide: {}\n"},
		{"empty brackets with a comment", "categories: {\n  # what\n  }\n", add("categories", "api", small), "categories: {api: {dir: api}\n  # what\n  }\n"},
		{"brackets", "categories: {docs: {dir: docs}} # what\n", add("categories", "api", full), "categories: {docs: {dir: docs}, api: {dir: api, patterns: [\"*.md\"], about: \"How: it works\"}} # what\n"},
		{"brackets over lines", "categories: {\n  docs: {dir: docs}, # the docs\n  rules: {dir: rules} # the rules\n}\n", add("categories", "api", small), "categories: {\n  docs: {dir: docs}, # the docs\n  rules: {dir: rules}, # the rules\n  api: {dir: api}\n}\n"},
		{"brackets with a comma", "{\n  \"categories\": {\n    \"docs\": {\"dir\": \"docs\"},\n  },\n}\n", add("categories", "api", small), "{\n  \"categories\": {\n    \"docs\": {\"dir\": \"docs\"},\n    api: {dir: api},\n  },\n}\n"},
		{"like its brother", "categories:\n  docs: {dir: docs}\n", add("categories", "api", small), "categories:\n  docs: {dir: docs}\n  api: {dir: api}\n"},
		{"root in brackets", "{guide: {max_depth: 3}}\n", add("categories", "api", small), "{guide: {max_depth: 3}, categories: {api: {dir: api}}}\n"},
		{"root in empty brackets", "{}\n", add("categories", "api", small), "{categories: {api: {dir: api}}}\n"},
		{"null in brackets", "{categories: , guide: }\n", add("categories", "api", small), "{categories: {api: {dir: api}} , guide: }\n"},
		{"behind a document", docs + "...\n# end\n", add("collections", "all", []string{"docs"}), docs + "\ncollections:\n  all: [docs]\n...\n# end\n"},
		{"a new key", docs + "# end\n", add("collections", "all", []string{"docs"}), docs + "# end\n\ncollections:\n  all: [docs]\n"},
		{"a new key where keys are close", docs + "guide:\n  max_depth: 3\n", add("collections", "all", small), docs + "guide:\n  max_depth: 3\ncollections:\n  all:\n    dir: api\n"},
		{"a list like its brother", docs + "collections:\n  a:\n  - docs\n", add("collections", "all", []string{"docs", "docs/*.md"}), docs + "collections:\n  a:\n  - docs\n  all:\n  - docs\n  - docs/*.md\n"},
		{"behind a block scalar", docs + "    about: |\n      x\n\n\n", add("categories", "api", small), docs + "    about: |\n      x\n  api:\n    dir: api\n\n\n"},
		{"behind blanks of a block scalar", docs + "    about: |-\n      x  \n        \n", add("categories", "api", small), docs + "    about: |-\n      x  \n        \n  api:\n    dir: api\n"},
		{"a long list", docs, add("categories", "x", []Pair{{"patterns", long}}), docs + "  x:\n    patterns:\n      - " + long[0] + "\n      - " + long[1] + "\n"},
		{"a line as long as may be", docs, add("categories", "x", []Pair{{"p", []string{long[0], long[1][8:]}}}), docs + "  x:\n    p:\n      - " + long[0] + "\n      - " + long[1][8:] + "\n"},
		{"a list that fits", docs, add("categories", "x", []Pair{{"p", []string{long[0], long[1][13:]}}}), docs + "  x:\n    p: [" + long[0] + ", " + long[1][13:] + "]\n"},
		{"as it is written", docs, add("categories", "a: b", []Pair{{"dir", Raw("~")}}), docs + "  \"a: b\":\n    dir: ~\n"},

		{"a text", "a: b\n", text("c: d", "a"), "a: \"c: d\"\n"},
		{"a text with a comment", "a:\n  b: 'docs'\t# here\n", text("x", "a", "b"), "a:\n  b: 'x'\t# here\n"},
		{"what can't stand in its quotes", "a: 'docs'\n", text("it's", "a"), "a: it's\n"},
		{"a text in a block", "a:\n  b: >- # why\n    a\n\n    b\n  c: d\n", text("x", "a", "b"), "a:\n  b: x # why\n  c: d\n"},
		{"a text that was missing", "a:\n  b: # why\n  c: d\n", text("x", "a", "b"), "a:\n  b: x # why\n  c: d\n"},
		{"a text in brackets", "a: {b: c}\n", text("x, y", "a", "b"), "a: {b: \"x, y\"}\n"},
		{"a key", "'a': b\n", rename("c", "a"), "'c': b\n"},
		{"a key that needs quotes", "a: b\n", rename("2024", "a"), "\"2024\": b\n"},

		{"a field added", docs + "  api:\n    dir: api\n", field("about", "two\nlines", "categories", "docs"), docs + "    about: \"two\\nlines\"\n  api:\n    dir: api\n"},
		{"a field changed", docs, field("dir", "x", "categories", "docs"), "categories:\n  docs:\n    dir: x\n"},
		{"a field taken out", docs + "    # why\n    about: x\n    vars: {a: b}\n", field("about", "", "categories", "docs"), docs + "    # why\n    vars: {a: b}\n"},
		{"a field that isn't there taken out", docs, field("about", "", "categories", "docs"), docs},
		{"a field added in brackets", "a: {docs: {dir: docs}}\n", field("patterns", []string{"a", "*"}, "a", "docs"), "a: {docs: {dir: docs, patterns: [a, \"*\"]}}\n"},
		{"a list from nothing", docs + "    patterns: # none\n", field("patterns", []string{"a", "*"}, "categories", "docs"), docs + "    patterns: [a, \"*\"] # none\n"},
		{"a list from empty brackets", "a: [] # none\n", list([]string{"a"}, "a"), "a: [a] # none\n"},
		{"a list taken out", docs + "    patterns:\n    - a\n", field("patterns", []string{}, "categories", "docs"), docs},
		{"one of several", "a:\n  # one\n  - a # a\n  # two\n  - 'b' # b\n  - c\n", list([]string{"a", "x", "c", "d"}, "a"), "a:\n  # one\n  - a # a\n  # two\n  - 'x' # b\n  - c\n  - d\n"},
		{"another order", "a: [a, 'b', c]\n", list([]string{"c", "a"}, "a"), "a: [c, a]\n"},
		{"one before", "a:\n  - b\n", list([]string{"a", "b"}, "a"), "a:\n  - a\n  - b\n"},
		{"one before in brackets", "a: [b]\n", list([]string{"a, b", "b"}, "a"), "a: [\"a, b\", b]\n"},
		{"the last ones of brackets", "a: [a, b, c]\n", list([]string{"a"}, "a"), "a: [a]\n"},
		{"a list over lines", "a: [\n  a, # one\n  b, # two\n  c,\n]\n", list([]string{"b", "d"}, "a"), "a: [\n  # one\n  b, # two\n  d,\n]\n"},

		{"a list wrapped", "c:\n  a: # why\n    # first\n    - docs # d\n", wrap("c", "a"), "c:\n  a: # why\n    about: x, y\n    list:\n    # first\n    - docs # d\n"},
		{"a list at its key wrapped", "c:\n  a:\n  - docs # d\n  # and\n\n  - docs/x\n  b: [a]\n", wrap("c", "a"), "c:\n  a:\n    about: x, y\n    list:\n    - docs # d\n    # and\n\n    - docs/x\n  b: [a]\n"},
		{"a list in brackets wrapped", "c:\n  a: [docs] # d\n", wrap("c", "a"), "c:\n  a:\n    about: x, y\n    list: [docs] # d\n"},
		{"a list within brackets wrapped", "c: {a: [docs]}\n", wrap("c", "a"), "c: {a: {about: \"x, y\", list: [docs]}}\n"},

		{"removed", docs + "  # of a\n  a:\n    # inside\n    dir: a # a\n    # at its end\n  b:\n    dir: b\n", remove("categories", 1), docs + "  # of a\n  b:\n    dir: b\n"},
		{"the only one removed", "a: # all\n  docs:\n    dir: docs\n  # end\nguide:\n", remove("a", 0), "a: # all\n  # end\nguide:\n"},
		{"the last one removed, without an end", docs + "\n  a:\n    dir: a", remove("categories", 1), strings.TrimSuffix(docs, "\n")},
		{"the first one removed", "a:\n\n  b:\n    c: d\n\n  e:\n    f: g\n", remove("a", 0), "a:\n\n  e:\n    f: g\n"},
		{"neighbours removed", "a:\n  - b\n  - c\n  - d\n", remove("a", 1, 2), "a:\n  - b\n"},
		{"removed from brackets", "a: {b: 1, c: 2, d: 3}\n", remove("a", 1), "a: {b: 1, d: 3}\n"},
		{"the last one removed from brackets", "a: {b: 1, c: 2}\n", remove("a", 1), "a: {b: 1}\n"},
		{"the last one removed, with a comma", "a: [b, c, ]\n", remove("a", 1), "a: [b, ]\n"},
		{"the only one removed from brackets", "a: {b: 1}\n", remove("a", 0), "a: {}\n"},
		{"the only one removed, with a comma", "a: {b: 1,}\n", remove("a", 0), "a: {}\n"},
		{"all removed from brackets", "a: [b, c]\n", remove("a", 0, 1), "a: []\n"},
		{"removed from lines of brackets", "a: {\n  b: 1, # of b\n  # of c\n  c: 2 # c\n}\n", remove("a", 1), "a: {\n  b: 1 # of b\n  # of c\n  # c\n}\n"},
		{"removed with its line", "a: [\n  b,\n  c,\n]\n", remove("a", 0), "a: [\n  c,\n]\n"},
		{"removed before a comment", "a: [b # of b\n  , c]\n", remove("a", 0), "a: [ # of b\n  c]\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			source := New(test.before, isKey)
			root, faults := source.Parse()
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			d := NewDraft(source, root, true)
			test.draft(d, root)
			got, ok := d.Result()
			if diff := cmp.Diff(test.after, got); diff != "" || !ok {
				t.Errorf("%v (-want +got)\n%s", ok, diff)
			}
			if faults := faultsIn(got); len(faults) > 0 {
				t.Error(faults)
			}
		})
	}
}

// TestUntidy adds and removes without a thought for blank lines.
func TestUntidy(t *testing.T) {
	const before = "a:\n  b: 1\n\n  c: 2\n"
	for want, change := range map[string]draft{
		"a:\n  b: 1\n\n  c: 2\n  d: \"3\"\n": add("a", "d", "3"),
		"a:\n  b: 1\n\n":                     remove("a", 1),
		"a:\n\n  c: 2\n":                     remove("a", 0),
	} {
		source := New(before, isKey)
		root, _ := source.Parse()
		d := NewDraft(source, root, false)
		change(d, root)
		if got, ok := d.Result(); !ok || got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestDraftRefused has changes that can't be made by splices, each with the place of the first.
func TestDraftRefused(t *testing.T) {
	for name, test := range map[string]struct {
		before       string
		draft        draft
		line, column int
	}{
		"the same place twice":   {"é: b\n", func(d *Draft, root *Node) { text("c", "é")(d, root); text("d", "é")(d, root) }, 1, 4},
		"one within another":     {"a:\n  b: c\n", func(d *Draft, root *Node) { remove("a", 0)(d, root); text("d", "a", "b")(d, root) }, 2, 1},
		"the line isn't its own": {"a:\n  - b: c\n    d: e\n", func(d *Draft, root *Node) { d.Remove(root.Value("a").Items[0].Value, 0) }, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			source := New(test.before, isKey)
			root, _ := source.Parse()
			d := NewDraft(source, root, true)
			if line, column := d.Place(); line != 0 || column != 0 {
				t.Errorf("nothing is changed at %d:%d", line, column)
			}
			test.draft(d, root)
			got, ok := d.Result()
			if line, column := d.Place(); ok || got != "" || line != test.line || column != test.column {
				t.Errorf("%v, %q at %d:%d", ok, got, line, column)
			}
		})
	}
}

// TestWriteValue writes values in one line.
func TestWriteValue(t *testing.T) {
	for want, value := range map[string]any{
		"[]": []string{}, `[a, "b, c"]`: []string{"a", "b, c"}, "{}": []Pair{}, `{"no": [x], b: {c: ~}}`: []Pair{{"no", []string{"x"}}, {"b", []Pair{{"c", Raw("~")}}}}, `"a: b"`: "a: b", "": 1,
	} {
		if got := WriteValue(value); got != want {
			t.Errorf("%v is written %s, want %s", value, got, want)
		}
	}
}
