package linking

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// parse returns the parse of a source in a dialect.
func parse(t testing.TB, src string, dialect markdown.Dialect) *markdown.Document {
	t.Helper()
	doc, err := (&markdown.Parser{Options: markdown.Options{Dialect: dialect, WikiLinks: dialect == markdown.Obsidian}}).Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestContents(t *testing.T) {
	for name, c := range map[string]struct {
		src     string
		depth   int
		dialect markdown.Dialect
		want    string
	}{
		"a title":              {"# T\n\n## A\n\n### B\n\n## A\n", 0, 0, "- [A](#a)\n  - [B](#b)\n- [A](#a-1)\n"},
		"no title":             {"# A\n\n## B\n\n# C\n", 0, 0, "- [A](#a)\n  - [B](#b)\n- [C](#c)\n"},
		"depth":                {"# T\n\n## A\n\n### B\n\n## C\n", 1, 0, "- [A](#a)\n- [C](#c)\n"},
		"levels left out":      {"# T\n\n## A\n\n##### B\n\n### C\n", 0, 0, "- [A](#a)\n  - [B](#b)\n  - [C](#c)\n"},
		"style":                {"* x\r\n\r\n# A\r\n\r\n# B\r\n", 0, 0, "* [A](#a)\r\n* [B](#b)\r\n"},
		"markup":               {"# `a_b` [c](d) *e* \\*\n# x\n", 0, 0, "- [a\\_b c e \\*](#a_b-c-e-)\n- [x](#x)\n"},
		"addresses":            {"# https://a.b www.c.d e@f.g\n# x\n", 0, 0, "- [https\\://a.b www\\.c.d e\\@f.g](#httpsab-wwwcd-efg)\n- [x](#x)\n"},
		"no anchor":            {"# !?\n# x\n", 0, 0, "- \\!?\n- [x](#x)\n"},
		"another has the name": {"<a id=\"x\"></a>\n\n# x\n# <a id=\"z\"></a>y\n", 0, 0, "- x\n- [y](#y)\n"},
		"from the comment on":  {"# A\n\n<!-- toc -->\n<!-- /toc -->\n\n## B\n\n# C\n", 0, 0, "- [B](#b)\n- [C](#c)\n"},
		"attributes":           {"# A {#one}\n# B\n", 0, markdown.MkDocs, "- [A](#one)\n- [B](#b)\n"},
		"spaces":               {"# A b\n# C: (d)\n", 0, markdown.Obsidian, "- [A b](#A%20b)\n- [C: (d)](#C%20d)\n"},
		"nothing":              {"text\n", 0, 0, ""},
	} {
		if got := string(contents(parse(t, c.src, c.dialect), c.depth)); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

// TestKeptTOC: a table is kept only where there is no doubt which it is.
func TestKeptTOC(t *testing.T) {
	const head, tail = "<!-- toc -->\n", "<!-- /toc -->\n"
	for src, now := range map[string]string{
		head + tail + "# A\n":                        "<!-- toc -->\n<!-- /toc -->",
		"# A\n\n" + head + "- old\n\n" + tail:        "<!-- toc -->\n- old\n\n<!-- /toc -->",
		head + "# A\n":                               "",
		tail + head + "# A\n":                        "",
		head + tail + head + "# A\n":                 "",
		head + tail + tail + "# A\n":                 "",
		"> " + head + "> " + tail + "\n# A\n":        "",
		"```\n" + head + tail + "```\n\n# A\n":       "",
		"- x\n\n  " + head + "  " + tail + "\n# A\n": "",
	} {
		doc := parse(t, src, 0)
		got, want, ok := KeptTOC(doc, 0)
		if string(got) != now || ok != (now != "") {
			t.Errorf("%q: %q, %v", src, got, ok)
		}
		if !ok {
			continue
		}
		// What is written is what has to be.
		again := parse(t, strings.Replace(src, now, string(want), 1), 0)
		if got, want, ok := KeptTOC(again, 0); !ok || !bytes.Equal(got, want) {
			t.Errorf("%q: %q becomes %q, %v", src, got, want, ok)
		}
	}
}

// FuzzContents: each line of a table of contents is an item with the title of a section; if
// it is a link, that leads to the section's heading, and there is no other link.
func FuzzContents(f *testing.F) {
	f.Add("## A\n0<A iD='a'>", uint8(50))
	f.Add("# a\n\n# a\n\n## <a id='a'></a> b {#c}\n", uint8(0))
	f.Add("# [x](y) `c` \\[ & <b> www.a.b\n# [ ] x\n# ![i](j) x@y.z\n", uint8(1))
	f.Add("a\n=\n\n# #\n# !\n# 1. x\n# - y\n# https://a.b\n", uint8(2))
	f.Add("# a|b\n# [[c]]\n# d ^e\n# f#g\n", uint8(3))
	f.Fuzz(func(t *testing.T, src string, choice uint8) {
		dialect := markdown.Dialect(choice % 4)
		doc := parse(t, src, dialect)
		toc := contents(doc, int(choice/4)%4)
		if _, ok := tocSpan(doc); ok || bytes.ContainsRune(doc.Source, 0) {
			return
		}
		table := parse(t, string(toc), dialect)
		set := links.NewSet(links.Options{})
		set.Add(links.NewPage("a.md", doc))
		page := links.NewPage("toc.md", table)
		items := 0
		for i := range table.Blocks {
			switch b := &table.Blocks[i]; b.Kind {
			case markdown.Item:
				items++
			case markdown.List, markdown.Paragraph:
			default:
				t.Fatalf("%q has a %v", toc, b.Kind)
			}
		}
		if lines := table.LineCount; items != lines {
			t.Fatalf("%q has %d items", toc, items)
		}
		lines := map[int]bool{}
		for i := range page.Links {
			l := &page.Links[i]
			target := set.ResolveDestination("a.md", links.ParseDestination(l.Destination))
			if lines[l.Line] || l.Kind != markdown.LinkInline || target.Place == nil || doc.Blocks[target.Place.Block].Kind != markdown.Heading {
				t.Fatalf("%q: %q leads to %+v", toc, l.Destination, target)
			}
			lines[l.Line] = true
		}
	})
}

func TestTOC(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\n# B\n"})
	docs := documents.Set{Paths: []string{dir + "/a.md"}}
	if text, err := TOC(docs, TOCRequest{}); err != nil || string(text) != "- [A](#a)\n- [B](#b)\n" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := TOC(docs, TOCRequest{JSON: true}); err != nil || !strings.HasSuffix(string(text), `/a.md","contents":"- [A](#a)\n- [B](#b)\n"}`+"\n") {
		t.Errorf("%q, %v", text, err)
	}
	for _, c := range []struct {
		path, code string
		depth      int
	}{{"a.md", replies.CodeInvalidArgument, -1}, {"none.md", replies.CodeFileNotFound, 0}} {
		docs.Paths = []string{dir + "/" + c.path}
		if text, err := TOC(docs, TOCRequest{Depth: c.depth}); err == nil || replies.AsError(err).Code != c.code || text != nil {
			t.Errorf("%+v: %q, %v", c, text, err)
		}
	}
}
