package address

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// parseIn parses a document in a dialect.
func parseIn(t *testing.T, dialect markdown.Dialect, src string) *markdown.Document {
	t.Helper()
	doc, err := (&markdown.Parser{Options: markdown.Options{Dialect: dialect}}).Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestAnchorsOfObsidian has what its documentation shows: headings by their text, below
// others, and blocks by their ids; and the example of stripHeading in its API.
func TestAnchorsOfObsidian(t *testing.T) {
	const src = "# Links are first-class citizens\n\ntext ^37066d\n\n## What's new?\n\n- item\n- other ^item-1\n\n| a |\n| - |\n\n^table\n\n" +
		"# foo!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\bar\n\n## What's new?\n\n> quote\n\n^quote\n"
	doc := parseIn(t, markdown.Obsidian, src)
	want := []string{"#Links%20are%20first-class%20citizens", "#What's%20new", "#foo%20bar", ""}
	if got := Anchors(doc); !slices.Equal(got, want) {
		t.Errorf("the anchors are %q, want %q", got, want)
	}
	for anchor, line := range map[string]string{
		"#Links%20are%20first-class%20citizens": "# Links", "#links%20are%20FIRST-class%20citizens": "# Links",
		"#What's%20new": "## What's", "#foo%20bar#what's%20new?": "## What's new?\n\n>", "#^37066d": "text ^37066d",
		"#^item-1": "- other", "#^ITEM-1": "- other", "#^table": "| a |", "#^quote": "> quote",
	} {
		r, err := Resolve(doc, anchor)
		if err != nil || !strings.HasPrefix(string(doc.Text(r.Span(doc))), line) {
			t.Errorf("%s: %v, want what begins with %q", anchor, err, line)
		}
	}
	for _, anchor := range []string{"#nothing", "#^nothing", "#foo%20bar#Links%20are%20first-class%20citizens"} {
		if r, err := Resolve(doc, anchor); err == nil {
			t.Errorf("%s is %q", anchor, doc.Text(r.Span(doc)))
		}
	}
	if _, err := Resolve(parse(t, src), "#^37066d"); err == nil {
		t.Error("a block has a name in the dialect of GitHub")
	}
}

// TestWrittenAnchors finds ids behind headings in each dialect, before the anchors that it
// makes itself.
func TestWrittenAnchors(t *testing.T) {
	const src = "# Other\n\n## Title {#own}\n\n# Own\n\nSetext {: .c #two }\n===\n"
	for _, name := range markdown.Dialects() {
		dialect, _ := markdown.DialectNamed(name)
		doc := parseIn(t, dialect, src)
		for anchor, begin := range map[string]string{"#own": "## Title", "#two": "Setext"} {
			r, err := Resolve(doc, anchor)
			twice := anchor == "#own" && (dialect == markdown.GitHub || dialect == markdown.GitLab) // which give it to a heading, too
			if err != nil || !strings.HasPrefix(string(doc.Text(r.Span(doc))), begin) || r.ByPosition != twice {
				t.Errorf("%s: %s: %+v, %v", dialect, anchor, r, err)
			}
		}
		if _, err := Resolve(doc, "#title-own"); (err == nil) != (dialect == markdown.GitHub || dialect == markdown.GitLab) {
			t.Errorf("%s: #title-own: %v", dialect, err)
		}
	}
}

// TestAnchorsWrittenTwice: of parts with the same name the first is found, and it counts.
func TestAnchorsWrittenTwice(t *testing.T) {
	for _, c := range []struct {
		dialect     markdown.Dialect
		src, anchor string
		counts      bool
	}{
		{markdown.GitHub, "## A {#x}\n\n## B {#x}\n", "#x", true},
		{markdown.GitHub, "## A {#x}\n\n## B {#y}\n", "#x", false},
		{markdown.GitHub, "## A {#x}\n\n## B {#X}\n", "#x", false},
		{markdown.GitLab, "## A {#Foo}\n\n## B {#fOO}\n", "#foo", true},
		{markdown.GitLab, "## A {#Foo}\n\n## foo\n", "#FOO", true},
		{markdown.Obsidian, "a ^Id\n\nb ^iD\n", "#^id", true},
		{markdown.Obsidian, "a ^Id\n\nb ^iD\n", "#^iD", false},
		{markdown.GitHub, "<a id=\"x\"></a>\n\n## A {#x}\n", "#x", false},
		{markdown.Obsidian, "a ^q\n\nb ^q\n", "#^q", true},
		{markdown.Obsidian, "a ^q\n\nb ^r\n", "#^q", false},
	} {
		r, err := Resolve(parseIn(t, c.dialect, c.src), c.anchor)
		if err != nil || r.ByPosition != c.counts {
			t.Errorf("%s in %q: %+v, %v", c.anchor, c.src, r, err)
		}
	}
}

// TestAnchorOfTheFirst: of parts with the same id the first is found, as by a browser, whether the
// id is an element's or a heading's.
func TestAnchorOfTheFirst(t *testing.T) {
	for _, src := range []string{"# F\n\n<a id=\"x\"></a>\n\n# A\n\n# B {#x}\n", "# F\n\n# A {#x}\n\n# B\n\n<p id=x>\n"} {
		for _, dialect := range []markdown.Dialect{markdown.GitHub, markdown.MkDocs} {
			doc := parseIn(t, dialect, src)
			if r, err := Resolve(doc, "#x"); err != nil || doc.SectionTitle(r.Section)[0] != 'A' {
				t.Errorf("%v: #x in %q: %+v, %v", dialect, src, r, err)
			}
		}
	}
}

// TestAnchorInHTML: the anchor of a heading in HTML leads to the section in which it stands.
func TestAnchorInHTML(t *testing.T) {
	doc := parseIn(t, markdown.GitHub, "<h1>A</h1>\n\n# A\n\n<h2>B</h2>\n")
	for anchor, want := range map[string]Node{"#a": NodeOfPreamble(), "#a-1": NodeOfSection(0), "#b": NodeOfSection(0)} {
		if r, err := Resolve(doc, anchor); err != nil || r.Node != want || !r.ByPosition {
			t.Errorf("%s: %+v, %v", anchor, r, err)
		}
	}
	if got := Anchors(doc); got[0] != "#a-1" {
		t.Errorf("the anchors are %q", got)
	}
}

// TestAnchorsResolve holds for every dialect: what Anchors says leads back to the section.
func TestAnchorsResolve(t *testing.T) {
	const src = "# a\n\n# a\n\n## a_1\n\n## A\n\n# a-1\n\n# b%20c\n\n# é\n\n# \n\n# a b {#x}\n\n# x\n\n> # a\n\n# a\n"
	for _, name := range markdown.Dialects() {
		dialect, _ := markdown.DialectNamed(name)
		doc := parseIn(t, dialect, src)
		for i, anchor := range Anchors(doc) {
			if anchor == "" {
				continue
			}
			if r, err := Resolve(doc, anchor); err != nil || r.Node != NodeOfSection(i) {
				t.Errorf("%s: %s: %v, %v, want section %d", dialect, anchor, r, err, i)
			}
		}
	}
}

// TestElementAnchors finds names of elements: of a heading, of what stands just before one,
// and of what stands in a section, which counts.
func TestElementAnchors(t *testing.T) {
	const src = "<a name=\"top\"></a>\n\n# One <a id=\"in\"></a>\n\ntext <span id='mid'>x</span>\n\n<div id=before></div>\n\n## Two\n\n## in\n\n`<a id=\"code\">`\n"
	doc := parse(t, src)
	for anchor, want := range map[string]struct {
		node     Node
		position bool
	}{
		"#top": {NodeOfSection(0), true}, "#in": {NodeOfSection(0), true}, "#mid": {NodeOfSection(0), true},
		"#before": {NodeOfSection(1), true}, "#two": {NodeOfSection(1), false},
	} {
		r, err := Resolve(doc, anchor)
		if err != nil || r.Node != want.node || r.ByPosition != want.position {
			t.Errorf("%s: %+v, %v, want %+v", anchor, r, err, want)
		}
	}
	if _, err := Resolve(doc, "#code"); err == nil {
		t.Error("code has a name")
	}
	if got, want := Anchors(doc), []string{"#one-", "#two", ""}; !slices.Equal(got, want) {
		t.Errorf("the anchors are %q, want %q", got, want)
	}
}
