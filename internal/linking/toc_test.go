package linking

import (
	"bytes"
	"fmt"
	"slices"
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
		"another has the name": {"<a id=\"x\"></a>z\n\n# x\n# <a id=\"z\"></a>y\n", 0, 0, "- x\n- [y](#y)\n"},
		"it is named so, too":  {"<a id=\"x\"></a>\n\n# x\n# y\n", 0, 0, "- [x](#x)\n- [y](#y)\n"},
		"from the comment on":  {"# A\n\n<!-- toc -->\n<!-- /toc -->\n\n## B\n\n# C\n", 0, 0, "- [B](#b)\n- [C](#c)\n"},
		"attributes":           {"# A {#one}\n# B\n", 0, markdown.MkDocs, "- [A](#one)\n- [B](#b)\n"},
		"attributes as code":   {"# A `{#one}`\n# A\n", 0, markdown.MkDocs, "- [A {#one}](#a-one)\n- [A](#a)\n"},
		"attributes by name":   {"# A {k=\"v w\"}\n# Take {name}\n", 0, markdown.MkDocs, "- [A](#a)\n- [Take {name}](#take-name)\n"},
		"attributes of a link": {"# Use  [x](y){ .z } *n*\\{ow}{: .v } {#u}\n# `a`{b} **[c](d){.e} f**{.g}\n", 0, markdown.MkDocs, "- [Use x n{ow}{: .v }](#u)\n- [a{b} c f](#ab-c-f)\n"},
		"spaces":               {"# A b\n# C: (d)\n", 0, markdown.Obsidian, "- [A b](#A%20b)\n- [C: (d)](#C%20d)\n"},
		"nothing":              {"text\n", 0, 0, ""},
	} {
		if got := string(contents(parse(t, c.src, c.dialect), c.depth)); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

// TestKeptTOC: a table is kept only where there is no doubt which it is, and nothing in its
// place that nobody makes again.
func TestKeptTOC(t *testing.T) {
	const head, tail = "<!-- toc -->\n", "<!-- /toc -->\n"
	for src, now := range map[string]string{
		head + tail + "# A\n":                          "<!-- toc -->\n<!-- /toc -->",
		"# A\n\n" + head + "- [old](#old)\n\n" + tail:  "<!-- toc -->\n- [old](#old)\n\n<!-- /toc -->",
		head + "1. [A](#a)\n   * [B *b*](#b)\n" + tail: "<!-- toc -->\n1. [A](#a)\n   * [B *b*](#b)\n<!-- /toc -->",
		head + "- \n- \\!?\n" + tail + "# !?\n":        "<!-- toc -->\n- \n- \\!?\n<!-- /toc -->",
		head + "- [A][a]\n" + tail + "\n[a]: #a\n":     "<!-- toc -->\n- [A][a]\n<!-- /toc -->",
		head + "# A\n":                               codeNoTOC,
		tail + head + "# A\n":                        codeNoTOC,
		head + tail + head + "# A\n":                 codeNoTOC,
		head + tail + tail + "# A\n":                 codeNoTOC,
		"> " + head + "> " + tail + "\n# A\n":        codeNoTOC,
		"```\n" + head + tail + "```\n\n# A\n":       codeNoTOC,
		"- x\n\n  " + head + "  " + tail + "\n# A\n": codeNoTOC,
	} {
		doc := parse(t, src, 0)
		at, want, err := KeptTOC(doc, 0)
		if err != nil {
			if code := replies.AsError(err).Code; code != now {
				t.Errorf("%q: %v", src, err)
			}
			continue
		}
		if got := string(doc.Text(at)); got != now {
			t.Errorf("%q: %q", src, got)
		}
		// What is written is what has to be.
		again := parse(t, src[:at.Start]+string(want)+src[at.End:], 0)
		if at, want, err := KeptTOC(again, 0); err != nil || !bytes.Equal(again.Text(at), want) {
			t.Errorf("%q: %q becomes %q, %v", src, again.Text(at), want, err)
		}
	}
}

// TestKeptTOCText: whatever stands between the comments and isn't an entry is named by its
// first line.
func TestKeptTOCText(t *testing.T) {
	for between, line := range map[string]int{
		"## B\n\nText.\n":                2,
		"\n- [A](#a)\n\nText.\n":         5,
		"- [A](#a)\ntext\n":              2,
		"- [A](#a) text\n":               2,
		"- [A](#a \"text\")\n":           2,
		"- [A](#a)\n\n  text\n":          4,
		"- [A](#a)\n- text\n":            3,
		"- [A](#a) [B](#b)\n":            2,
		"- [A](b.md#a)\n":                2,
		"- ![A](#a)\n":                   2,
		"- [A <a id=\"b\">](#a)\n":       2,
		"- [A[^1]](#a)\n\n[^1]: x\n":     2,
		"- [ ] [A](#a)\n":                2,
		"- [A](#a)\n  ## B\n":            3,
		"- [A][a]\n\n[a]: #a\n":          4,
		"- [A](#a)\n  - > x\n":           3,
		"- [A](#a)\n\n<!-- x -->\n":      4,
		"- [A](#a)\n\n      code\n":      4,
		"***\n":                          2,
		"| a |\n| - |\n":                 2,
		"- [A](#a)\n  - ~~~\n    x\n":    3,
		"[A](#a)\n":                      2,
		"> - [A](#a)\n":                  2,
		"- [A](#a)\n\n[b]: <c>\n- [B]\n": 4,
	} {
		src := "<!-- toc -->\n" + between + "<!-- /toc -->\n\n# A\n"
		_, want, err := KeptTOC(parse(t, src, 0), 0)
		if err == nil || want != nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d stands between", line)) {
			t.Errorf("%q: %q, %v", src, want, err)
		}
	}
}

// checkKept: a table of contents that was written is the one that has to be there.
func checkKept(t *testing.T, doc *markdown.Document, depth int) {
	t.Helper()
	at, want, err := KeptTOC(doc, depth)
	if err != nil {
		return
	}
	again, err := markdown.ParseContext(t.Context(), slices.Concat(doc.Source[:at.Start], want, doc.Source[at.End:]), doc.Options(), markdown.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	at, now, err := KeptTOC(again, depth)
	if err != nil || !bytes.Equal(now, want) || !bytes.Equal(again.Text(at), want) {
		t.Fatalf("%q has %q, and then %q, %v", doc.Source, want, now, err)
	}
}

// FuzzContents: each line of a table of contents is an item with the title of a section; if
// it is a link, that leads to the section's heading, and there is no other link. One that a
// document keeps has to be as it was written.
func FuzzContents(f *testing.F) {
	f.Add("## A\n0<A iD='a'>", uint8(50))
	f.Add("# a\n\n# a\n\n## <a id='a'></a> b {#c}\n", uint8(0))
	f.Add("# [x](y) `c` \\[ & <b> www.a.b\n# [ ] x\n# ![i](j) x@y.z\n", uint8(1))
	f.Add("a\n=\n\n# #\n# !\n# 1. x\n# - y\n# https://a.b\n", uint8(2))
	f.Add("# a\n\n<!-- toc -->\n- [b](#b)\n- \\!?\n<!-- /toc -->\n\n# b\n# b\n# !?\n", uint8(0))
	f.Add("# a|b\n# [[c]]\n# d ^e\n# f#g\n", uint8(3))
	f.Fuzz(func(t *testing.T, src string, choice uint8) {
		dialects := uint8(len(markdown.Dialects()))
		dialect := markdown.Dialect(choice % dialects)
		doc := parse(t, src, dialect)
		depth := int(choice/dialects) % 4
		toc := contents(doc, depth)
		if _, ok := tocSpan(doc); ok {
			checkKept(t, doc, depth)
			return
		}
		if bytes.ContainsRune(doc.Source, 0) {
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
