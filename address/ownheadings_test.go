package address

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// parseOwn parses a source with markers of headings that are the reader's own.
func parseOwn(t testing.TB, src string, dialect markdown.Dialect) *markdown.Document {
	t.Helper()
	doc, err := (&markdown.Parser{Options: markdown.Options{Headings: testkit.OwnHeadings(), Dialect: dialect}}).Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// A heading of the reader's own is found by its text, its path and its selector, and by no
// anchor: nobody who renders the document makes one, so that it doesn't take that of another
// heading either.
func TestOwnHeadings(t *testing.T) {
	const src = "# Guide\n\n**Install**\n\nRun.\n\n== Linux ==\n\n## Install\n\n**Notes {#n}**\n\n## Usage\n"
	doc := parseOwn(t, src, markdown.GitHub)
	for _, c := range []struct{ address, selector string }{
		{"## Notes {#n}", "h2.2"},
		{"Linux > Usage", "h2.3"},
		{"h2.0", "h2.0"},
		{"L3", "h2.0"},
		{"Linux", "h1.1"},
		{"# Linux", "h1.1"},
		{"linux", "h1.1"},
		{"h2.0/para.0", "h2.0/para.0"},
		{"#install", "h2.1"},
		{"Notes", "h2.2"},
	} {
		r, err := Resolve(doc, c.address)
		if err != nil || r.Selector != c.selector {
			t.Errorf("%s: %+v, %v; want %s", c.address, r, err, c.selector)
		}
	}
	for _, dialect := range []markdown.Dialect{markdown.GitHub, markdown.GitLab, markdown.MkDocs, markdown.Obsidian} {
		doc := parseOwn(t, src, dialect)
		for _, anchor := range []string{"#linux", "#Linux", "#install-1", "#install_1", "#n", "#notes", "#Guide#Linux"} {
			if r, err := Resolve(doc, anchor); err == nil {
				t.Errorf("%v: %s leads to %s", dialect, anchor, r.Selector)
			}
		}
		all := Anchors(doc)
		if all[1] != "" || all[2] != "" || all[4] != "" || !strings.EqualFold(all[3], "#install") || !strings.EqualFold(all[5], "#usage") {
			t.Errorf("%v: %q", dialect, all)
		}
		if slices.ContainsFunc(PlacesOf(doc).All(), func(p Place) bool { return !doc.Blocks[p.Block].HasAnchor() }) {
			t.Errorf("%v: %+v", dialect, PlacesOf(doc).All())
		}
	}
}
