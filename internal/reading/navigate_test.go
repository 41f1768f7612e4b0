package reading

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/outline"
)

// ask returns the whole reply about a document, or the error.
func ask(t *testing.T, src string, r request) (string, error) {
	t.Helper()
	return askAbout(t, documents.Set{Paths: []string{documents.Stdin}, Stdin: strings.NewReader(src)}, r)
}

func askAbout(t *testing.T, docs documents.Set, r request) (string, error) {
	t.Helper()
	var text string
	err := r(t.Context(), docs, func(p documents.Part) error {
		if p.Files != 1 || p.Failed != 0 || p.Errors != nil {
			t.Errorf("part of %d files, %d failed, %v", p.Files, p.Failed, p.Errors)
		}
		text += string(p.Text)
		return nil
	})
	return text, err
}

const nested = "# A & <b>B</b>\n\n### C \"x\"\n\n## D\u202E\u200B\U000E0041\n\n# E \\\\\n"

func TestSingleReplies(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    request
		want string
	}{
		{
			"tree", tree(TreeRequest{Single: true}), `{"format":"json","tree_json":{"name":"stdin","level":"H0","start_line":0,"end_line":0,"children":[` +
				`{"name":"A & B","level":"H1","start_line":1,"end_line":6,"children":[` +
				`{"name":"C \"x\"","level":"H3","start_line":3,"end_line":4,"children":[]},` +
				`{"name":"D` + "\uFFFD\uFFFD\uFFFD" + `","level":"H2","start_line":5,"end_line":6,"children":[]}]},` +
				`{"name":"E \\","level":"H1","start_line":7,"end_line":7,"children":[]}]}}`,
		},
		{
			"raw tree", tree(TreeRequest{Single: true, Raw: true, MaxDepth: 2, Pattern: "d"}),
			`{"format":"json","tree_json":{"name":"stdin","level":"H0","start_line":0,"end_line":0,"children":[` +
				`{"name":"A & <b>B</b>","level":"H1","start_line":1,"end_line":6,"children":[` +
				`{"name":"D` + "\uFFFD\uFFFD\uFFFD" + `","level":"H2","start_line":5,"end_line":6,"children":[]}]}]}}`,
		},
		{
			"ascii", tree(TreeRequest{Single: true, Format: "ascii"}), `{"format":"ascii","tree":"stdin\n\n│ A & B H1:1:6\n` +
				`  │ C \"x\" H3:3:4\n  └ D` + "\uFFFD\uFFFD\uFFFD" + ` H2:5:6\n└ E \\ H1:7:7\n"}`,
		},
		{
			"no match", tree(TreeRequest{Single: true, Pattern: "nothing", MaxChars: 500}),
			`{"format":"json","tree_json":{"name":"stdin","level":"H0","start_line":0,"end_line":0,"children":[]}}`,
		},
		{
			"sections", sections(SectionsRequest{Single: true, Level: "h2"}), `{"sections":[` +
				`{"name":"D` + "\uFFFD\uFFFD\uFFFD" + `","start_line":5,"end_line":6,"level":"H2"}],"count":1}`,
		},
		{
			"page", sections(SectionsRequest{Single: true, Max: 1, Cursor: "3", MaxChars: 500}), `{"sections":[` +
				`{"name":"E \\","start_line":7,"end_line":7,"level":"H1"}],"count":4}`,
		},
		{"no page", sections(SectionsRequest{Single: true, Cursor: "9", MaxChars: 500}), `{"sections":[],"count":4}`},
		{"none", sections(SectionsRequest{Single: true, Pattern: "nothing", MaxChars: 500}), `{"sections":[],"count":0}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ask(t, nested, tt.r)
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestSingleBounds(t *testing.T) {
	docs := func() documents.Set {
		return documents.Set{Paths: []string{documents.Stdin}, Stdin: strings.NewReader(nested)}
	}
	got, err := Bounds(docs(), BoundsRequest{Heading: "## D", Single: true})
	want := `{"section_name":"D` + "\uFFFD\uFFFD\uFFFD" + `","start_line":5,"end_line":6,"level":"H2","total_lines":2}`
	if err != nil || string(got) != want {
		t.Errorf("%s (%v), want %s", got, err, want)
	}
	if _, err = Bounds(docs(), BoundsRequest{Heading: "Z", Single: true}); err == nil {
		t.Error("a heading that is not there has bounds")
	}
}

func TestSingleErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.md")
	for name, tt := range map[string]struct {
		paths []string
		r     request
		want  string
	}{
		"missing tree":   {[]string{missing}, tree(TreeRequest{Single: true}), "file_not_found: "},
		"missing list":   {[]string{missing}, sections(SectionsRequest{Single: true}), "file_not_found: "},
		"two trees":      {[]string{missing, missing}, tree(TreeRequest{Single: true}), "invalid_argument: name one document"},
		"no list":        {nil, sections(SectionsRequest{Single: true}), "invalid_argument: name one document"},
		"small tree":     {[]string{missing}, tree(TreeRequest{Single: true, MaxChars: 499}), "invalid_argument: max_chars must be at least 500"},
		"negative":       {[]string{missing}, sections(SectionsRequest{Single: true, MaxChars: -1}), "invalid_argument: max_chars must be at least 500"},
		"many, limited":  {[]string{missing}, tree(TreeRequest{MaxChars: 500}), "invalid_argument: max_chars is for a single document"},
		"format":         {[]string{missing}, tree(TreeRequest{Single: true, Format: "x"}), "invalid_format: "},
		"level":          {[]string{missing}, sections(SectionsRequest{Single: true, Level: "H9"}), "invalid_level: "},
		"cursor":         {[]string{missing}, sections(SectionsRequest{Single: true, Cursor: "x"}), "invalid_argument: invalid cursor"},
		"negative depth": {[]string{missing}, tree(TreeRequest{Single: true, MaxDepth: -1}), "invalid_argument: the depth"},
	} {
		text, err := askAbout(t, documents.Set{Paths: tt.paths}, tt.r)
		if _, ok := errors.AsType[*replies.Error](err); !ok || !strings.HasPrefix(err.Error(), tt.want) || text != "" {
			t.Errorf("%s: %v with %q, want %s", name, err, text, tt.want)
		}
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("\"", 240)+".md")
	if err := os.WriteFile(long, []byte("# A"), 0o600); err != nil {
		t.Skip(err) // a name that this system doesn't take
	}
	_, err := askAbout(t, documents.Set{Paths: []string{long}}, tree(TreeRequest{Single: true, MaxChars: 500}))
	if err == nil || !strings.Contains(err.Error(), "max_chars 500 is too small for the name of this file") {
		t.Errorf("a long name: %v", err)
	}
}

// limitedTree is a reply of markdown_tree.
type limitedTree struct {
	Format   string
	Limited  *int `json:"depth_limited"`
	Sections int
	Shown    int
	Hint     string
	Tree     string
	JSON     json.RawMessage `json:"tree_json"`
}

// TestTreeLimited is the law of a tree of limited length: it has all sections of the levels
// that fit, of the next one the first ones, and there is no room for one more.
func TestTreeLimited(t *testing.T) {
	testkit.OneGoroutine(t)
	limited := map[int]int{}
	for _, src := range treeSources(t) {
		for n, req := range []TreeRequest{{}, {Format: "ascii"}, {Raw: true}, {Pattern: "e", Format: "ascii"}, {Pattern: "a", KeepChildren: true}, {MaxDepth: 3}} {
			req.Single = true
			for _, limit := range []int{500, 700 + 31*n, 1500, 4000, 10_000} {
				depth, err := checkTree(t, src, req, limit)
				if err != nil {
					t.Errorf("%.60q: %+v: %d: %v", src, req, limit, err)
				}
				limited[depth]++
			}
		}
	}
	t.Logf("replies by limit of depth: %v", limited)
	for depth := range 5 {
		if limited[depth] == 0 {
			t.Errorf("no tree was limited to depth %d", depth)
		}
	}
}

// treeSources returns documents to make trees of.
func treeSources(t *testing.T) []string {
	t.Helper()
	sources := []string{
		"", nested, "# " + strings.Repeat("\"", 600), strings.Repeat("###### deep\n", 100), strings.Repeat("# A\n", 300),
		strings.Repeat("# A\n### C\n## B\n", 5), "# A\n#### D\n" + strings.Repeat("##### E\n", 50), "# A\n" + strings.Repeat("## \u202E👩\n#### D \\\n", 30) + strings.Repeat("### C\n", 9),
	}
	for _, f := range testkit.Fixtures() {
		sources = append(sources, string(f.Source))
	}
	if os.Getenv("SECTILE_CORPUS") != "" {
		for i, f := range testkit.CorpusFiles(t) {
			if i%40 == 0 && utf8.Valid(f.Data) {
				sources = append(sources, string(f.Data))
			}
		}
	}
	return sources
}

// checkTree checks a reply of limited length and returns the depth that it is
// limited to, 6 for none.
func checkTree(t *testing.T, src string, req TreeRequest, limit int) (int, error) {
	t.Helper()
	original := req
	req.MaxChars = limit
	text, err := ask(t, src, tree(req))
	if err != nil {
		return 0, err
	}
	if n := utf8.RuneCountInString(text); n > limit {
		return 0, fmt.Errorf("%d characters", n)
	}
	var got limitedTree
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return 0, err
	}
	req.MaxChars = 0
	whole, err := ask(t, src, tree(req))
	if err != nil {
		return 0, err
	}
	if utf8.RuneCountInString(whole) <= limit {
		req.MaxChars = max(replies.MinChars, utf8.RuneCountInString(whole))
		exact, err := ask(t, src, tree(req))
		if text != whole || exact != whole {
			return 0, fmt.Errorf("it fits and is limited (%w)", err)
		}
		return 6, nil
	}
	if got.Limited == nil || got.Hint == "" {
		return 0, errors.New("it does not fit and is not limited")
	}
	opts := outline.TreeOptions{Pattern: req.Pattern, KeepChildren: req.KeepChildren, MaxDepth: req.MaxDepth}
	if n := outline.NewTree(mustParse(t, src), opts).Len(); got.Sections != n {
		return 0, fmt.Errorf("%d sections, want %d", got.Sections, n)
	}
	all, shown := treeNodes(t, whole), treeNodes(t, text)
	var want []treeNode
	next, more := treeNode{}, got.Shown
	for _, n := range all {
		if n.level <= *got.Limited {
			more--
		}
	}
	for _, n := range all {
		switch {
		case n.level <= *got.Limited:
			want = append(want, n)
		case n.level > *got.Limited+1:
		case more > 0:
			want = append(want, n)
			more--
		case next.cost == 0:
			next = n
		}
	}
	if diff := cmp.Diff(want, shown, cmp.AllowUnexported(treeNode{})); diff != "" || len(shown) != got.Shown || len(shown) == 0 && len(all) > 0 && all[0].cost < limit/2 {
		return 0, fmt.Errorf("%d of %d shown (-want +got):\n%s", got.Shown, len(all), diff)
	}
	if next.cost > 0 && utf8.RuneCountInString(text)+next.cost+len(",") < limit {
		return 0, fmt.Errorf("there is room for %+v in the %d characters that are left", next, limit-utf8.RuneCountInString(text))
	}
	if size := utf8.RuneCountInString(text); size >= replies.MinChars {
		req.MaxDepth, req.Pattern, req.MaxChars = original.MaxDepth, original.Pattern, size
		if again, err := ask(t, src, tree(req)); err != nil || again != text {
			return 0, fmt.Errorf("with %d characters, as many as it has, it is another (%w)", size, err)
		}
	}
	return *got.Limited, nil
}

// treeNode is a section in a tree, and how many characters it takes there.
type treeNode struct {
	line        string
	level, cost int
}

// treeNodes returns the sections of a reply with a tree in their order.
func treeNodes(t *testing.T, reply string) []treeNode {
	t.Helper()
	var got limitedTree
	if err := json.Unmarshal([]byte(reply), &got); err != nil {
		t.Fatal(err)
	}
	var nodes []treeNode
	if got.Format == "ascii" {
		for line := range strings.Lines(got.Tree) {
			if m := regexp.MustCompile(`^ *[└│├] (.* H([1-6]):\d+:\d+)\n?$`).FindStringSubmatch(line); m != nil {
				nodes = append(nodes, treeNode{m[1], int(m[2][0] - '0'), replies.Chars(replies.JSON(line)) - len(`""`)})
			}
		}
		return nodes
	}
	type node struct {
		Name      string `json:"name"`
		Level     string `json:"level"`
		StartLine int    `json:"start_line"`
		EndLine   int    `json:"end_line"`
		Children  []node `json:"children"`
	}
	var root node
	if err := json.Unmarshal(got.JSON, &root); err != nil {
		t.Fatal(err)
	}
	var walk func(list []node)
	walk = func(list []node) {
		for _, n := range list {
			children := n.Children
			n.Children = []node{}
			text := replies.JSON(n)
			nodes = append(nodes, treeNode{string(text), int(n.Level[1] - '0'), replies.Chars(text)})
			walk(children)
		}
	}
	walk(root.Children)
	return nodes
}

func TestTreeLimitedReply(t *testing.T) {
	src := "# A\n\n## B\n" + strings.Repeat("### C\n", 9)
	got, err := ask(t, src, tree(TreeRequest{Single: true, MaxChars: 600, Offered: func(string) bool { return true }}))
	want := `{"format":"json","depth_limited":2,"sections":11,"shown":4,` +
		`"hint":"not all headings fit; choose some with pattern, or raise max_chars, or ask for format ascii, which is shorter, or page through all with markdown_list_sections",` +
		`"tree_json":{"name":"stdin","level":"H0","start_line":0,"end_line":0,"children":[{"name":"A","level":"H1","start_line":1,"end_line":12,"children":[` +
		`{"name":"B","level":"H2","start_line":3,"end_line":12,"children":[{"name":"C","level":"H3","start_line":4,"end_line":4,"children":[]},{"name":"C","level":"H3","start_line":5,"end_line":5,"children":[]}]}]}]}}`
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestTreeHint names no tool that there is not, and no argument that can't be
// raised.
func TestTreeHint(t *testing.T) {
	const hint = "not all headings fit; choose some with pattern"
	const shorter = ", or ask for format ascii, which is shorter"
	for _, tt := range []struct {
		offered replies.Offered
		limit   int
		want    string
	}{
		{nil, 500, ", or raise max_chars" + shorter},
		{nil, 39_999, ", or raise max_chars" + shorter},
		{nil, 40_000, shorter},
		{func(tool string) bool { return tool == "markdown_tree" }, 40_000, shorter},
		{func(tool string) bool { return tool == "markdown_list_sections" }, 40_000, shorter + ", or page through all with markdown_list_sections"},
	} {
		got, err := ask(t, strings.Repeat("# A\n### C\n", 2000), tree(TreeRequest{Single: true, MaxChars: tt.limit, Offered: tt.offered}))
		var reply limitedTree
		if err == nil {
			err = json.Unmarshal([]byte(got), &reply)
		}
		if err != nil || reply.Hint != hint+tt.want {
			t.Errorf("%d: %q (%v), want %q", tt.limit, reply.Hint, err, hint+tt.want)
		}
	}
}

// TestSectionsLimited is the law of pages of limited length: each has as many
// sections as fit, at least one, and together they are the list, whatever the
// length of each is.
func TestSectionsLimited(t *testing.T) {
	for _, src := range treeSources(t) {
		whole, err := outline.List(mustParse(t, src), outline.ListOptions{Safe: true, Pattern: "e"})
		if err != nil {
			t.Fatal(err)
		}
		for _, limits := range [][]int{{500}, {501, 800, 2000}, {10_000}} {
			if err := checkPages(t, src, whole, limits); err != nil {
				t.Errorf("%.60q: %v: %v", src, limits, err)
			}
		}
	}
}

// checkPages reads a list page by page, with one limit after another.
func checkPages(t *testing.T, src string, whole *outline.Page, limits []int) error {
	t.Helper()
	from := 0
	for n, cursor := 0, ""; n == 0 || cursor != ""; n++ {
		limit := limits[n%len(limits)]
		req := SectionsRequest{Single: true, Pattern: "e", Cursor: cursor, MaxChars: limit}
		if n%3 == 1 {
			req.Max = 7
		}
		text, err := ask(t, src, sections(req))
		if err != nil {
			return err
		}
		var page struct {
			Sections []struct{ Name, Level string }
			Count    int
			Next     string `json:"next_cursor"`
			Hint     string
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			return err
		}
		size := utf8.RuneCountInString(text)
		if size > limit || page.Count != len(whole.Sections) || len(page.Sections) == 0 && from < page.Count {
			return fmt.Errorf("page %d: %d characters, %d of %d sections", n, size, len(page.Sections), page.Count)
		}
		for i, s := range page.Sections {
			want := whole.Sections[from+i].Name
			if cut, is := strings.CutSuffix(s.Name, "…"); is && page.Hint != "" && strings.HasPrefix(want, cut) {
				if size < limit-12 { // an escape takes six
					return fmt.Errorf("page %d: the name is cut, and there are %d characters", n, size)
				}
				want = s.Name
			}
			if s.Name != want {
				return fmt.Errorf("section %d is %q, not %q", from+i, s.Name, want)
			}
		}
		from += len(page.Sections)
		if cursor = page.Next; cursor != "" && cursor != fmt.Sprint(from) {
			return fmt.Errorf("page %d: the cursor is %s after %d sections", n, cursor, from)
		}
		if cursor != "" && len(page.Sections) != req.Max {
			next := outline.Page{Sections: whole.Sections[from : from+1]}
			if size+len(next.AppendJSON(nil))-len(`{"sections":[],"count":0}`)+len(",")+1 <= limit && page.Hint == "" {
				return fmt.Errorf("page %d: there was room for another section", n)
			}
		}
	}
	if from != len(whole.Sections) {
		return fmt.Errorf("%d of %d sections", from, len(whole.Sections))
	}
	return nil
}

// TestSectionsLongName cuts a name that no page has room for, and says so.
func TestSectionsLongName(t *testing.T) {
	src := "# " + strings.Repeat("long ", 200) + "\n# B\n"
	got, err := ask(t, src, sections(SectionsRequest{Single: true, MaxChars: 500}))
	if err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCountInString(got); n != 500 {
		t.Errorf("%d characters", n)
	}
	for _, want := range []string{`{"sections":[{"name":"long long `, `…","start_line":1,"end_line":1,"level":"H1"}],"count":2,"next_cursor":"1","hint":"the name is too long for a reply and is cut at …"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// TestSectionsLongFacts leaves out what was asked for of a section and no page has room for, the longest
// first, says so, and tells the rest.
func TestSectionsLongFacts(t *testing.T) {
	long := strings.Repeat("https://example.org/a/long/address ", 12)
	tags := strings.Repeat("#a-tag-of-this-section-1 #a-tag-of-this-section-2 #a-tag-of-this-section-3 #another-"+strings.Repeat("x", 200)+" ", 2)
	for _, c := range []struct {
		name, text string
		want       string
	}{
		{"A", "- Status: open\n\nText.\n", `"words":4,"hash":"0","fields":{"status":"open"}}],"count":2,"next_cursor":"1"}`},
		{"A", "- Status: open\n- Links: " + long + "\n\nText.\n", `"words":17,"hash":"0"}],"count":2,"next_cursor":"1","hint":"left out, for there is no room: fields; raise max_chars, or read the section"}`},
		{"A", "- Links: " + long + "\n\n" + tags + "\n", `"words":22,"hash":"0"}],"count":2,"next_cursor":"1","hint":"left out, for there is no room: fields, tags; raise max_chars, or read the section"}`},
		{strings.Repeat("long ", 200), "- Links: " + long + "\n", `"level":"H1"}],"count":2,"next_cursor":"1","hint":"the name is too long for a reply and is cut at …; left out, for there is no room: fields, hash, words; raise max_chars, or read the section"}`},
	} {
		src := "# " + c.name + "\n\n" + c.text + "\n# " + strings.Repeat("Next ", 80) + "\n"
		got, err := ask(t, src, sections(SectionsRequest{Single: true, MaxChars: 500, With: []string{"words", "hash", "fields", "tags"}}))
		if err != nil {
			t.Fatal(err)
		}
		got = regexp.MustCompile(`"hash":"\w+"`).ReplaceAllString(got, `"hash":"0"`)
		if n := utf8.RuneCountInString(got); n > 500 || !strings.HasSuffix(got, c.want) {
			t.Errorf("%d characters: %s\nwant %s", n, got, c.want)
		}
	}
}
