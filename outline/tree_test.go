package outline_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

func parse(t testing.TB, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// node is what the contract says that a node of tree_json is.
type node struct {
	Name      string  `json:"name"`
	Level     string  `json:"level"`
	StartLine int     `json:"start_line"`
	EndLine   int     `json:"end_line"`
	Children  *[]node `json:"children"` // never null
}

// some returns children.
func some(children ...node) *[]node {
	if children == nil {
		children = []node{}
	}
	return &children
}

func (n *node) count() int {
	sum := 1
	for _, c := range *n.Children {
		sum += c.count()
	}
	return sum
}

// decode reads a tree, and fails if it has keys that are not in the contract.
func decode(t testing.TB, text []byte) node {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	var n node
	if err := d.Decode(&n); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return n
}

func TestTreeJSON(t *testing.T) {
	root := func(children ...node) node {
		return node{"plan.md", "H0", 0, 0, some(children...)}
	}
	tests := []struct {
		name, src string
		want      node
	}{
		{"empty", "", root()},
		{"no headings", "text\n\n- item\n", root()},
		{"single", "# A\n", root(node{"A", "H1", 1, 1, some()})},
		{"flat", "## A\n\n## B\ntext\n## C\n", root(
			node{"A", "H2", 1, 2, some()},
			node{"B", "H2", 3, 4, some()},
			node{"C", "H2", 5, 5, some()},
		)},
		{"nested", "# A\n## B\n### C\n## D\n", root(
			node{"A", "H1", 1, 4, some(
				node{"B", "H2", 2, 3, some(
					node{"C", "H3", 3, 3, some()},
				)},
				node{"D", "H2", 4, 4, some()},
			)},
		)},
		{"several roots", "# A\n## B\n# C\n## D\n", root(
			node{"A", "H1", 1, 2, some(node{"B", "H2", 2, 2, some()})},
			node{"C", "H1", 3, 4, some(node{"D", "H2", 4, 4, some()})},
		)},
		{"deepest first", "### A\n## B\n# C\n", root(
			node{"A", "H3", 1, 1, some()},
			node{"B", "H2", 2, 2, some()},
			node{"C", "H1", 3, 3, some()},
		)},
		{"skipped level", "## A\n#### B\n### C\n", root(
			node{"A", "H2", 1, 3, some(
				node{"B", "H4", 2, 2, some()},
				node{"C", "H3", 3, 3, some()},
			)},
		)},
		{"six levels", "# A\n## B\n### C\n#### D\n##### E\n###### F\n# G", root(
			node{"A", "H1", 1, 6, some(node{"B", "H2", 2, 6, some(node{"C", "H3", 3, 6, some(
				node{"D", "H4", 4, 6, some(node{"E", "H5", 5, 6, some(node{"F", "H6", 6, 6, some()})})},
			)})})},
			node{"G", "H1", 7, 7, some()},
		)},
		{"line ranges", "---\na: 1\n---\nintro\n\n# A\n\ntext\n\n\nB\n-\n\ntext\n\n# C\n\n\n", root(
			node{"A", "H1", 6, 15, some(node{"B", "H2", 11, 15, some()})},
			node{"C", "H1", 16, 18, some()},
		)},
		{"what only looks like a heading", "# A\n```sh\n# no\n```\n<!--\n# no\n-->\n> # no\n\n- # no\n\n    # no\n", root(
			node{"A", "H1", 1, 12, some()},
		)},
		{"empty heading", "#\n", root(node{"", "H1", 1, 1, some()})},
		{"same names", "# A\n# A\n", root(
			node{"A", "H1", 1, 1, some()},
			node{"A", "H1", 2, 2, some()},
		)},
		{"CRLF", "# A\r\n\r\n## B\r\n", root(node{"A", "H1", 1, 3, some(node{"B", "H2", 3, 3, some()})})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := decode(t, outline.NewTree(parse(t, tt.src), outline.TreeOptions{}).AppendJSON(nil, "plan.md"))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTreeJSONText(t *testing.T) {
	tests := []struct{ name, src, file, want string }{
		{
			"order of keys", "# A\n## B\n", "a.md",
			`{"name":"a.md","level":"H0","start_line":0,"end_line":0,"children":[` +
				`{"name":"A","level":"H1","start_line":1,"end_line":2,"children":[` +
				`{"name":"B","level":"H2","start_line":2,"end_line":2,"children":[]}]}]}`,
		},
		{
			"no document", "", "",
			`{"name":"","level":"H0","start_line":0,"end_line":0,"children":[]}`,
		},
		{
			"no escapes for HTML", "# 1 < 2 & 3 > 2\n", "<a>.md",
			`{"name":"<a>.md","level":"H0","start_line":0,"end_line":0,"children":[` +
				`{"name":"1 < 2 & 3 > 2","level":"H1","start_line":1,"end_line":1,"children":[]}]}`,
		},
		{
			"bytes that are no UTF-8", "# a\xffb\xc3\n", "a\n\"\\\x1b\t\r\x00.md",
			`{"name":"a\n\"\\\u001b\t\r\u0000.md","level":"H0","start_line":0,"end_line":0,"children":[` +
				`{"name":"a�b�","level":"H1","start_line":1,"end_line":1,"children":[]}]}`,
		},
		{
			"what acts without being seen", "# a\u202eb\u0085\u007f\U000E0041c\u2028\n", "é👩‍💻",
			`{"name":"é👩‍💻","level":"H0","start_line":0,"end_line":0,"children":[` +
				`{"name":"a\u202eb\u0085\u007f\udb40\udc41c\u2028","level":"H1","start_line":1,"end_line":1,"children":[]}]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := outline.NewTree(parse(t, tt.src), outline.TreeOptions{Raw: true})
			got := string(tree.AppendJSON([]byte("before"), tt.file))
			if diff := cmp.Diff("before"+tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTreeOfLargeDocument(t *testing.T) {
	f := testkit.LargeFixture()
	doc := parse(t, string(f.Source))
	root := decode(t, outline.NewTree(doc, outline.TreeOptions{}).AppendJSON(nil, f.Name))
	if got := root.count() - 1; got != f.Sections {
		t.Errorf("%d nodes, want %d", got, f.Sections)
	}
	// In source order, each node lies in its parent and ends where the next begins.
	var walk func(n node, from, to int)
	walk = func(n node, from, to int) {
		for i, c := range *n.Children {
			if i+1 < len(*n.Children) && c.EndLine+1 != (*n.Children)[i+1].StartLine {
				t.Errorf("%s ends in line %d, the next begins in %d", c.Name, c.EndLine, (*n.Children)[i+1].StartLine)
			}
			if c.StartLine < from || c.EndLine > to || c.StartLine > c.EndLine {
				t.Errorf("%s has lines %d to %d, not within %d to %d", c.Name, c.StartLine, c.EndLine, from, to)
			}
			walk(c, c.StartLine+1, c.EndLine)
		}
	}
	walk(root, 1, f.Lines)
}

func TestTreeASCII(t *testing.T) {
	tests := []struct {
		name, src, file string
		opts            outline.TreeOptions
		want            string
	}{
		{
			name: "as the contract shows it", src: "# Planning Document\n\n\n\n## Overview\n\n## Steps\n### One\n### Two\n", file: "plan.md",
			want: "plan.md\n\n└ Planning Document H1:1:9\n  │ Overview H2:5:6\n  └ Steps H2:7:9\n    │ One H3:8:8\n    └ Two H3:9:9\n",
		},
		{name: "no headings", src: "text\n", file: "a.md", want: "a.md\n\n"},
		{name: "empty", file: "a.md", want: "a.md\n\n"},
		{
			name: "several roots", src: "# A\n## B\n# C\n## D\n## E\n", file: "a.md",
			want: "a.md\n\n│ A H1:1:2\n  └ B H2:2:2\n└ C H1:3:5\n  │ D H2:4:4\n  └ E H2:5:5\n",
		},
		{
			name: "skipped levels count once", src: "## A\n###### B\n#### C\n##### D\n### E\n", file: "a.md",
			want: "a.md\n\n└ A H2:1:5\n  │ B H6:2:2\n  │ C H4:3:4\n    └ D H5:4:4\n  └ E H3:5:5\n",
		},
		{
			name: "six levels", src: "# A\n## B\n### C\n#### D\n##### E\n###### F\n", file: "a.md",
			want: "a.md\n\n└ A H1:1:6\n  └ B H2:2:6\n    └ C H3:3:6\n      └ D H4:4:6\n        └ E H5:5:6\n          └ F H6:6:6\n",
		},
		{
			name: "the last that is kept is the last", src: "# A\n## B x\n## C\n### D x\n## E\n# F\n", file: "a.md",
			opts: outline.TreeOptions{Pattern: "x"},
			want: "a.md\n\n└ A H1:1:5\n  │ B x H2:2:2\n  └ C H2:3:4\n    └ D x H3:4:4\n",
		},
		{name: "heading without text", src: "# A\n##\n", file: "a.md", want: "a.md\n\n└ A H1:1:2\n  └ H2:2:2\n"},
		{
			name: "nothing breaks the lines", src: "# a\x1b[2Jb\x00\u202ec\u2028d\te\xff\n", file: "a\r\n\x1b.md",
			opts: outline.TreeOptions{Raw: true},
			want: "a �.md\n\n└ a�[2Jb��c d e� H1:1:1\n",
		},
		{
			name: "a raw heading of two lines", src: "one\r\n  *two*\r\n===\r\n", file: "a.md",
			opts: outline.TreeOptions{Raw: true},
			want: "a.md\n\n└ one   *two* H1:1:3\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := outline.NewTree(parse(t, tt.src), tt.opts)
			got := string(tree.AppendASCII([]byte("before"), tt.file))
			if diff := cmp.Diff("before"+tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTreeRaw(t *testing.T) {
	doc := parse(t, "# Use `go` ##\n\n[Linux](a.md)\n**now**\n---\n")
	tests := []struct {
		opts outline.TreeOptions
		want []string
	}{
		{outline.TreeOptions{}, []string{"Use go", "Linux now"}},
		{outline.TreeOptions{Raw: true}, []string{"Use `go`", "[Linux](a.md)\n**now**"}},
		// The pattern looks at the plain text all the same.
		{outline.TreeOptions{Raw: true, Pattern: "use go"}, []string{"Use `go`"}},
		{outline.TreeOptions{Raw: true, Pattern: "`"}, nil},
		{outline.TreeOptions{Pattern: "linux NOW"}, []string{"Use go", "Linux now"}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%+v", tt.opts), func(t *testing.T) {
			var got []string
			for n := range outline.NewTree(doc, tt.opts).Nodes() {
				got = append(got, n.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTreeNodes(t *testing.T) {
	tree := outline.NewTree(parse(t, "# A\n## B\n## C\n"), outline.TreeOptions{Pattern: "b"})
	want := []outline.Node{
		{Entry: outline.Entry{Section: 0, Name: "A", StartLine: 1, EndLine: 3, Level: 1}, Depth: 0, Last: true},
		{Entry: outline.Entry{Section: 1, Name: "B", StartLine: 2, EndLine: 2, Level: 2}, Depth: 1, Last: true},
	}
	var got []outline.Node
	for n := range tree.Nodes() {
		got = append(got, n)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if tree.Len() != 2 {
		t.Errorf("Len() = %d, want 2", tree.Len())
	}
	for n := range tree.Nodes() { // may be left early
		if n.Name == "A" {
			break
		}
	}
}

// TestTreeJoined joins the sections of a parent by lines, which pass by those below them.
func TestTreeJoined(t *testing.T) {
	doc := parse(t, "# A\n## B\n#### C\n##### D\n### E\n## F\n# G\n### H\n###### I\n")
	for _, tt := range []struct{ pattern, want string }{
		{"", "a.md\n\n├ A H1:1:6\n│ ├ B H2:2:5\n│ │ ├ C H4:3:4\n│ │ │ └ D H5:4:4\n│ │ └ E H3:5:5\n│ └ F H2:6:6\n└ G H1:7:9\n  └ H H3:8:9\n    └ I H6:9:9\n"},
		{"d", "a.md\n\n└ A H1:1:6\n  └ B H2:2:5\n    └ C H4:3:4\n      └ D H5:4:4\n"},
	} {
		tree := outline.NewTree(doc, outline.TreeOptions{Pattern: tt.pattern})
		if diff := cmp.Diff(tt.want, string(tree.AppendStyled(nil, "a.md", outline.Style{}))); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.pattern, diff)
		}
	}
}

func TestTreeStyled(t *testing.T) {
	tree := outline.NewTree(parse(t, "# A\x1b[0m\n##\n"), outline.TreeOptions{Raw: true})
	style := outline.Style{
		Name:  outline.Mark{Before: "\x1b[1m", After: "\x1b[0m"},
		Range: outline.Mark{Before: "\x1b[2m", After: "\x1b[0m"},
	}
	// The style's escapes are the only ones.
	want := "a.md\n\n└ \x1b[1mA�[0m\x1b[0m \x1b[2mH1:1:2\x1b[0m\n  └ \x1b[2mH2:2:2\x1b[0m\n"
	if diff := cmp.Diff(want, string(tree.AppendStyled(nil, "a.md", style))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
