package linking

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// answersTree are the documents of the requests.
var answersTree = map[string]string{
	"README.md": "# Home\n\n[b](docs/b.md#install) [a](docs/a.md)\n",
	"docs/a.md": "# A\n\n[1](b.md#install) [2](b.md#instal) [3](none.md) [4](#a) [5](https://x.example) [6](B.md) [7](sub/c.md)\n",
	"docs/b.md": "# B\n\n## Install\n",
	"docs/c.md": "# C \"q\"\n\n[x](#c-q) [y](/a.md) [z](../../up.md)\n",
}

// TestAnswers has what is answered to each kind of request.
func TestAnswers(t *testing.T) {
	t.Chdir(testkit.Folder(t, answersTree))
	for _, c := range []struct {
		name    string
		req     Request
		summary string
		lines   []string // in the reply
		none    []string // not in it
	}{
		{"all", Request{}, "11 links in 4 documents: 4 broken, 2 unknown", []string{
			"README.md:3 docs/b.md#install -> docs/b.md:3\n", "docs/a.md:3 b.md#instal: broken, no such anchor in docs/b.md; did you mean #install?\n",
			"docs/a.md:3 B.md: broken, in another case; did you mean docs/b.md?\n", "docs/a.md:3 sub/c.md: broken, no such file; did you mean docs/c.md?\n",
			"/a.md: unknown, links.root isn't set\n", "../../up.md: unknown, it leads outside\n",
		}, []string{"https:"}},
		{"broken", Request{Broken: true}, "", []string{"none.md: broken, no such file\n"}, []string{"docs/c.md:", "README"}},
		{"external", Request{External: true}, "1 link of 4 documents", []string{"docs/a.md:3 https://x.example\n"}, []string{"b.md"}},
		{"to a section", Request{To: "docs/b.md#install"}, "2 links of 4 documents", []string{"README.md:3 docs/b.md#install", "docs/a.md:3 b.md#install"}, []string{"instal:"}},
		{"to a document", Request{To: "docs/a.md"}, "2 links of 4 documents", []string{"README.md:3 docs/a.md", "docs/a.md:3 #a"}, nil},
		{"orphans", Request{Orphans: true}, "1 document of 4 documents without a link from another one", []string{"docs/c.md\n"}, []string{"README", "b.md"}},
		{"orphans as objects", Request{Orphans: true, JSON: true}, "", []string{`{"file_path":"docs/c.md"}`}, nil},
		{"github", Request{Broken: true, Format: "github"}, "", []string{"::error file=docs/a.md,line=3,title=link broken::none.md: broken, no such file\n"}, nil},
		{"objects", Request{JSON: true, To: "docs/b.md#install"}, "", []string{`"destination":"docs/b.md#install","status":"ok","target":"docs/b.md","anchor":"install","target_line":3}`}, nil},
		{"dot", Request{Graph: "dot"}, "", []string{"digraph links {\n", `[label="docs/c.md#c-q"]`, "n0 -> n1;"}, nil},
		{"mermaid", Request{Graph: "mermaid"}, "", []string{"flowchart LR\n", `["docs/b.md#35;install"]`, "n0 --> n1"}, nil},
		{"graph in JSON", Request{Graph: "json"}, "", []string{`"id":"docs/b.md#install","file_path":"docs/b.md","anchor":"install","line":3`}, nil},
		{"a page", Request{Max: 2}, "", []string{"README.md:3 docs/a.md", "[2 of 11 links; go on with cursor 2-"}, []string{"instal:"}},
	} {
		var text strings.Builder
		res, err := Links(t.Context(), documents.Set{Paths: []string{"."}}, &c.req, func(part []byte) error {
			text.Write(part)
			return nil
		}, func(e *replies.Error) error { return e })
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := res.Summary(&c.req); c.summary != "" && got != c.summary {
			t.Errorf("%s: %s, want %s", c.name, got, c.summary)
		}
		for _, line := range c.lines {
			if !strings.Contains(text.String(), line) {
				t.Errorf("%s: %q is not in\n%s", c.name, line, text.String())
			}
		}
		for _, line := range c.none {
			if strings.Contains(text.String(), line) {
				t.Errorf("%s: %q is in\n%s", c.name, line, text.String())
			}
		}
	}
}

// TestAnswersOfServer has what a server answers about links to folders and to what it tells
// nothing of, whether it is there or not.
func TestAnswersOfServer(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		"a.md": "# A\n\n[1](sub) [2](sub/) [3](gone) [4](gone/) [5](x.png) [6](gone.png) [7](page) [8](gone.md)\n", "sub/README.md": "# S\n", "x.png": "x", "page.md": "# P\n",
	})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	var text strings.Builder
	if _, err := Links(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w}, &Request{}, func(part []byte) error {
		text.Write(part)
		return nil
	}, func(e *replies.Error) error { return e }); err != nil {
		t.Fatal(err)
	}
	want := ""
	const unseen = "not looked at, as it names no document"
	for _, line := range []string{
		"sub -> sub/README.md", "sub/ -> sub/README.md", "gone: unknown, " + unseen, "gone/: unknown, " + unseen, "x.png: unknown, " + unseen,
		"gone.png: unknown, " + unseen, "page -> page.md", "gone.md: broken, no such file",
	} {
		want += "a.md:3 " + line + "\n"
	}
	if text.String() != want {
		t.Errorf("%s\ninstead of\n%s", text.String(), want)
	}
}

// TestAnswersToPlacesOfServer asks a server for links to a heading, by its anchor and its line.
func TestAnswersToPlacesOfServer(t *testing.T) {
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{testkit.Folder(t, map[string]string{"a.md": "# A\n\n[1](#a)\n"})}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	for _, to := range []string{"a.md", "a.md#a", "a.md:1"} {
		var text strings.Builder
		_, err := Links(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w}, &Request{To: to}, func(part []byte) error {
			text.Write(part)
			return nil
		}, func(e *replies.Error) error { return e })
		if err != nil || text.String() != "a.md:3 #a -> a.md:1\n" {
			t.Errorf("to %s: %q, %v", to, text.String(), err)
		}
	}
}

// TestAnswersToNamesWithSigns asks for links to documents whose names have the sign of a fragment.
func TestAnswersToNamesWithSigns(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{
		"#a.md": "# A\n", "b#c.md": "# C\n", "b.md": "# C.md\n", "links.md": "[1](%23a.md) [2](%23a.md#a) [3](b%23c.md) [4](b%23c.md#c)\n",
	}))
	for to, want := range map[string]string{"#a.md": "%23a.md %23a.md#a", "#a.md#a": "%23a.md#a", "b#c.md": "b%23c.md b%23c.md#c", "b#c.md#c": "b%23c.md#c"} {
		var got []string
		_, err := Links(t.Context(), documents.Set{Paths: []string{"."}}, &Request{To: to}, func(part []byte) error {
			for line := range strings.Lines(string(part)) {
				got = append(got, strings.Fields(line)[1])
			}
			return nil
		}, func(e *replies.Error) error { return e })
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("to %s: %q, %v", to, got, err)
		}
	}
}

// TestAnswersRefused has requests that make no sense.
func TestAnswersRefused(t *testing.T) {
	t.Chdir(testkit.Folder(t, answersTree))
	for _, c := range []struct {
		req        Request
		code, says string
	}{
		{Request{Graph: "svg"}, replies.CodeInvalidArgument, `no graph "svg"; it is one of dot, mermaid, json`},
		{Request{Format: "github", Graph: "dot"}, replies.CodeInvalidArgument, `the format github is for broken links alone`},
		{Request{To: "#x"}, replies.CodeInvalidArgument, `#x is a place in no document`},
		{Request{Format: "x"}, replies.CodeInvalidArgument, `no format "x"`},
		{Request{Broken: true, Orphans: true}, replies.CodeInvalidArgument, "only one of"},
		{Request{Orphans: true, To: "docs/b.md"}, replies.CodeInvalidArgument, "without an address"},
		{Request{Cursor: "x"}, replies.CodeInvalidArgument, `no page at the cursor "x"`},
		{Request{To: "docs/none.md"}, replies.CodeFileNotFound, "no such document"},
		{Request{To: "docs/b.md#instal"}, codeHeadingNotFound, `"#instal"; did you mean #install?`},
	} {
		_, err := Links(t.Context(), documents.Set{Paths: []string{"."}}, &c.req, func([]byte) error { return nil }, func(e *replies.Error) error { return e })
		if e := replies.AsError(err); err == nil || e.Code != c.code || !strings.Contains(e.Message.String(), c.says) {
			t.Errorf("%+v: %v", c.req, err)
		}
	}
}

// TestStrays counts links that led to a name which is gone, also by the name of the file, and
// those that lead to what has taken the name of another; those of the new text are none.
func TestStrays(t *testing.T) {
	const links4 = "[1](#a) [2](a.md#a) [3](b.md#a) [4](#none)\n"
	const html = "<div>\n<h2>One</h2>\n<h2>Two</h2>\n</div>\n\n[1](#one) [2](#two)\n"
	for _, c := range []struct {
		before, after string
		splice        edit.Splice
		gone, astray  int
	}{
		{"# A\n\n" + links4, "# B\n\n" + links4, edit.Splice{Span: markdown.Span{Start: 2, End: 3}, Text: []byte("B")}, 2, 0},
		{"# A\n\n" + links4, "# A\n\n# A\n\n" + links4, edit.Splice{Text: []byte("# A\n\n")}, 0, 2},
		{"# A\n\n" + links4, "# A\n\n" + links4, edit.Splice{Span: markdown.Span{End: 5}, Text: []byte("# A\n\n")}, 0, 0},
		{"# A\n", "# A\n\n[1](#a)\n\n# A\n", edit.Splice{Text: []byte("# A\n\n[1](#a)\n\n")}, 0, 0},
		{"# A\n\n[1](#top) [2](#TOP)\n", "# Top\n\n[1](#top) [2](#TOP)\n", edit.Splice{Span: markdown.Span{Start: 2, End: 3}, Text: []byte("Top")}, 0, 1},
		{"# A\n\n[1](#a)\n", "# B\n\n# A\n\n[1](#a)\n", edit.Splice{Span: markdown.Span{End: 5}, Text: []byte("# B\n\n# A\n\n")}, 0, 0},
		{"x\n\n<p id=n>\n\n[1](#n)\n", "<p id=n>\n\nx\n\n<p id=n>\n\n[1](#n)\n", edit.Splice{Text: []byte("<p id=n>\n\n")}, 0, 1},
		{html, "<div>\n<h2>Zero</h2>\n" + html[6:], edit.Splice{Span: markdown.Span{Start: 6, End: 18}, Text: []byte("<h2>Zero</h2>\n<h2>One</h2>")}, 0, 0},
		{html, "<div>\n" + html[19:], edit.Splice{Span: markdown.Span{Start: 6, End: 19}}, 1, 0},
		{html, "<div>\n<h2>One</h2>\n" + html[6:], edit.Splice{Span: markdown.Span{Start: 6, End: 6}, Text: []byte("<h2>One</h2>\n")}, 0, 1},
		{html, html[:31] + "<h2>Two</h2>" + html[31:], edit.Splice{Span: markdown.Span{Start: 31, End: 31}, Text: []byte("<h2>Two</h2>")}, 0, 0},
	} {
		r := Changed(parse(t, c.before, 0), parse(t, c.after, 0), []edit.Splice{c.splice})
		r.Path = "a.md"
		if gone, astray := r.Strays(); gone != c.gone || astray != c.astray {
			t.Errorf("%q: %d gone, %d astray", c.after, gone, astray)
		}
	}
}

// TestStraysOfTagged counts links that led to headings in HTML: one is where it was if nothing from its tag
// to the end of its text is touched, or only text behind the tag, and otherwise where its name is now.
func TestStraysOfTagged(t *testing.T) {
	const several, quoted = "<h2 align=\"center\">\nBeta\n</h2>\n\n[1](#beta)\n", "> <h2>\n> Beta\n> </h2>\n\n[1](#beta)\n"
	const one = "<h2>A</h2><h2>B</h2>\n\n[1](#a) [2](#b)\n"
	const usage = "<h2 id=\"w\">Usage</h2>\n\nEnd.\n\n[1](#usage) [2](#w)\n"
	type put struct{ old, now string }
	for _, c := range []struct {
		before       string
		puts         []put // in the order of the source
		gone, astray int
	}{
		{several, []put{{several[:32], several[:20] + "New\n</h2>\n\n" + several[:32]}}, 0, 0},
		{several, []put{{"Beta", "New"}}, 1, 0},
		{several, []put{{several[:32], ""}, {"[1]", "## Beta\n\n[1]"}}, 0, 0},
		{quoted, []put{{quoted[:16], "> <h2>\n> New\n> </h2>\n" + quoted[:16]}}, 0, 0},
		{quoted, []put{{"> Beta", "> New"}, {"[1]", "## Beta\n\n[1]"}}, 0, 1},
		{one, []put{{"<h2>A", "<h2>Zero</h2><h2>A"}}, 0, 0},
		{one, []put{{"<h2>B", "<h2>A</h2><h2>B"}}, 0, 0},
		{one, []put{{"<h2>A", "<h2>B</h2><h2>A"}}, 0, 1},
		{one, []put{{"A", "C"}, {"[1]", "## A\n\n[1]"}}, 0, 1},
		{one, []put{{"<h2>A</h2><h2>B</h2>", "<h2>B</h2><h2>A</h2>"}}, 0, 0},
		{usage, []put{{"Usage", "Setup"}, {"End.", "End.\n\n<h3>Usage</h3>"}}, 0, 1},
		{usage, []put{{usage[:21], ""}, {"End.", "End.\n\n" + usage[:21]}}, 0, 0},
	} {
		after, from := "", 0
		var splices []edit.Splice
		for _, p := range c.puts {
			at := from + strings.Index(c.before[from:], p.old)
			splices = append(splices, edit.Splice{Span: markdown.Span{Start: at, End: at + len(p.old)}, Text: []byte(p.now)})
			after += c.before[from:at] + p.now
			from = at + len(p.old)
		}
		after += c.before[from:]
		r := Changed(parse(t, c.before, 0), parse(t, after, 0), splices)
		r.Path = "a.md"
		if gone, astray := r.Strays(); gone != c.gone || astray != c.astray {
			t.Errorf("%q: %d gone, %d astray", after, gone, astray)
		}
	}
}

// TestWouldBreak: the error says what can be done, and names the first links.
func TestWouldBreak(t *testing.T) {
	places := func(n int) []Place {
		all := make([]Place, n)
		for i := range all {
			all[i] = Place{"b.md", i + 1, "a.md#x"}
		}
		return all
	}
	for _, c := range []struct {
		own, elsewhere int
		kept           bool
		says           string
		details        int
	}{
		{2, 0, true, `send it again with links "update"`, 2},
		{2, 0, false, "can't be kept", 2},
		{1, 6, true, "7 links would lead nowhere or elsewhere, 6 links of them in other documents", 6},
	} {
		e := WouldBreak("a.md", places(c.own), places(c.elsewhere), c.kept)
		if e.Code != codeWouldBreak || !strings.Contains(e.Message.String(), c.says) || len(e.Details) != c.details || e.Details[0] != "b.md:1 a.md#x" {
			t.Errorf("%v %q", e, e.Details)
		}
	}
	for n, says := range map[int]string{2: "2 links of this document would", 3: "3 links would"} {
		own := places(n)
		own[n-1].FilePath = map[bool]string{true: "c.md", false: "b.md"}[n == 3]
		if e := WouldBreak("b.md", own, nil, true); !strings.HasPrefix(e.Message.String(), says) {
			t.Error(e)
		}
	}
}

// TestLinksToFoldersThatAreGone: what lies in a folder that isn't there, or in a file, is broken
// like any other, each link by itself.
func TestLinksToFoldersThatAreGone(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{
		"a.md":  "[1](gone/x.md) [2](gone/y.png) [3](b.txt/z.md) [4](there/c.png) [5](gone/) [6](there/) [7](gone/deep/x.md)\n",
		"b.txt": "", "there/c.png": "",
	}))
	var text strings.Builder
	res, err := Links(t.Context(), documents.Set{Paths: []string{"a.md"}}, &Request{}, func(part []byte) error {
		text.Write(part)
		return nil
	}, func(e *replies.Error) error { return e })
	want := `a.md:1 gone/x.md: broken, no such file
a.md:1 gone/y.png: broken, no such file
a.md:1 b.txt/z.md: broken, no such file
a.md:1 there/c.png -> there/c.png
a.md:1 gone/: unknown, no such file
a.md:1 there/ -> there
a.md:1 gone/deep/x.md: broken, no such file
`
	if err != nil || text.String() != want || res.Broken != 4 {
		t.Errorf("%v, %+v, got\n%s", err, res, text.String())
	}
}

// TestOneDocument: of a document alone it is known what lies beside it, and its own name isn't
// what was meant.
func TestOneDocument(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{"a.md": "[1](B.md) [2](\u00e9.md#e) [3](ab.md)\n", "b.md": "", "e\u0301.md": "# E\n", "abc.md": ""}))
	var text strings.Builder
	_, err := Links(t.Context(), documents.Set{Paths: []string{"a.md"}, MaxBytes: 1 << 20}, &Request{}, func(part []byte) error {
		text.Write(part)
		return nil
	}, func(e *replies.Error) error { return e })
	const want = "a.md:1 B.md: broken, no such file\na.md:1 \u00e9.md#e: broken, in another normal form of Unicode; did you mean e\u0301.md?\na.md:1 ab.md: broken, no such file\n"
	if err != nil || text.String() != want {
		t.Errorf("%v, got\n%s", err, text.String())
	}
}

// TestToAnotherNormalForm asks for the links to an anchor that is given in another normal form of
// Unicode, as it is copied from elsewhere.
func TestToAnotherNormalForm(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{"a.md": "# \u00dc\n\n[1](#\u00fc) [2](#u\u0308)\n"}))
	var text strings.Builder
	_, err := Links(t.Context(), documents.Set{Paths: []string{"a.md"}, MaxBytes: 1 << 20}, &Request{To: "a.md#u\u0308"}, func(part []byte) error {
		text.Write(part)
		return nil
	}, func(e *replies.Error) error { return e })
	if err != nil || text.String() != "a.md:3 #\u00fc -> a.md:1\n" {
		t.Errorf("%v, got\n%s", err, text.String())
	}
}
