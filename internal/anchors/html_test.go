package anchors

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestTagged: on GitHub headings in HTML take anchors, in the order of the document; in other
// dialects they don't.
func TestTagged(t *testing.T) {
	for src, want := range map[string][]string{
		"<h2 align=\"center\">Install</h2>\n\n## Install\n\n<H2>Install</H2>\n":        {"install:1", "install-1", "install-2:5"},
		"<div>\n<h1>\n  <img alt='x'> A &amp; <b>B</b>\n</h1>\n</div>\n":               {"---a--b:2"},
		"> <h1\n> id=x>a\n> b</h1>\n":                                                  {"ab:1"},
		"<h1>\n\n*A* [b](c)\n\n</h1>\n\nd\n\n# A b\n":                                  {"a-b:1", "a-b-1"},
		"<h1>a\n# b\n\n# b\n":                                                          {"a-b:1", "b"},
		"<h1>a\n\n# b\n":                                                               {"a:1", "b"},
		"<h1>a<h2>b</h3><hr><header>c</header></h1>\n":                                 {"a:1", "b:1"},
		"<!-- <h1>a</h1> --><h1>b<!-- c --></h1>\n":                                    {"b:1"},
		"`<h1>a</h1>`\n\n```\n<h1>a</h1>\n```\n\n# A\n":                                {"a"},
		"<script>\nx = '<h2>a</h2>'\n</script>\n\n<h2>a<STYLE>\nb\n</style\n>c</h2>\n": {"ac:5"},
		"<textarea><h1>a</textarea><h1>b\n</h1>\n<h1>c</h1><style>\n<h1>d</h1>\n":      {"b:1", "c:3"},
		"<h1>" + strings.Repeat("a", maxTagged+1) + "\n\nb\n\n# c\n":                   {strings.Repeat("a", maxTagged+1) + ":1", "c"},
	} {
		doc := parseIn(t, markdown.GitHub, src)
		var got []string
		for at, anchor := range All(doc) {
			if found, _, ok := Find(doc, anchor); !ok || found != at {
				t.Errorf("%q of %q is found at %v, want %v", anchor, src, found, at)
			}
			if at.IsTagged() {
				anchor += fmt.Sprintf(":%d", at.Line)
			}
			got = append(got, anchor)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has the anchors %q, want %q", src, got, want)
		}
	}
	for _, dialect := range []markdown.Dialect{markdown.GitLab, markdown.MkDocs, markdown.Obsidian} {
		doc := parseIn(t, dialect, "<h2>a</h2>\n")
		for at, anchor := range All(doc) {
			t.Errorf("%v: %q at %v", dialect, anchor, at)
		}
	}
}

// TestTaggedSpans: a heading in HTML reaches from its tag to the end of its text, at the bytes of the source.
func TestTaggedSpans(t *testing.T) {
	for src, want := range map[string][]string{
		"<div><h2>A</h2><h3 id=x>B <b>c</b></h3>\n":    {"<h2>|A", "<h3 id=x>|B <b>c</b>"},
		"> - <h2\n>   id=x>\n>   A\n>   </h2>\n":       {"<h2\n>   id=x>|\n>   A\n>   "},
		"<h2>\r\nA\r\n</h2>\r\n":                       {"<h2>|\r\nA\r\n"},
		"<h2>A\n\nb\n\n# C\n":                          {"<h2>|A\n\nb\n\n"},
		"<h2>A\n\nb":                                   {"<h2>|A\n\nb"},
		"<!-- <h1>\n-->\n\n<script>\n</script><h1>A\n": {"<h1>|A\n"},
	} {
		var got []string
		for at := range Tagged(parseIn(t, markdown.GitHub, src)) {
			got = append(got, src[at.Tag.Start:at.Tag.End]+"|"+src[at.Text.Start:at.Text.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", src, got, want)
		}
	}
}
