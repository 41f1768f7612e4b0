package anchors

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/markdown"
)

// TestMkDocs gives headings the anchors that Python-Markdown has given them:
// testdata/mkdocs.json is what dev/anchors/mkdocs.py has recorded.
func TestMkDocs(t *testing.T) {
	text, err := os.ReadFile("testdata/mkdocs.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Cases []struct {
			Source string
			IDs    []string
		}
	}
	if err := json.Unmarshal(text, &recorded); err != nil || len(recorded.Cases) < 50 {
		t.Fatal(len(recorded.Cases), err)
	}
	for _, c := range recorded.Cases {
		doc := parseIn(t, markdown.MkDocs, c.Source)
		if got := anchorsOf(doc); !slices.Equal(got, c.IDs) {
			t.Errorf("%q has the anchors %q, want %q", c.Source, got, c.IDs)
		}
	}
}

// TestMkDocsTime: the attributes of a long heading take no longer than their bytes.
func TestMkDocsTime(t *testing.T) {
	doc := parseIn(t, markdown.MkDocs, "# A {"+strings.Repeat("#a ", 33_000)+"}\n\n# *b*{"+strings.Repeat(".a {", 25_000)+"}\n")
	best := time.Hour
	for range 3 {
		start := time.Now()
		if got := anchorsOf(doc); !slices.Equal(got[:1], []string{"a"}) {
			t.Fatalf("%.100q", got)
		}
		best = min(best, time.Since(start))
	}
	if best > 500*time.Millisecond { // some 5 ms
		t.Error(best)
	}
}

// TestGitLab has the example of GitLab's documentation but for the emoji in it,
// and what its other rules say.
func TestGitLab(t *testing.T) {
	for src, want := range map[string][]string{
		"# This heading has spaces in it\n## This heading has Unicode in it: 한글\n## This heading has spaces in it\n### This heading has spaces in it\n" +
			"## This heading has 3.5 in it (and parentheses)\n## This heading has  multiple spaces and --- hyphens\n": {
			"this-heading-has-spaces-in-it", "this-heading-has-unicode-in-it-한글", "this-heading-has-spaces-in-it-1",
			"this-heading-has-spaces-in-it-2", "this-heading-has-35-in-it-and-parentheses", "this-heading-has-multiple-spaces-and-hyphens",
		},
		"# 2024\n# 2024\n":              {"anchor-2024", "anchor-2024-1"},
		"# a\n# a-1\n# a\n":             {"a", "a-1", "a-1"}, // the number isn't looked at
		"# -- a_b --\n":                 {"-a_b-"},
		"# !?\n":                        {""},
		"# A 👍 b\n":                     {"a-b"},
		"# " + strings.Repeat("a", 300): {strings.Repeat("a", 255)},
	} {
		if got := anchorsOf(parseIn(t, markdown.GitLab, src)); !slices.Equal(got, want) {
			t.Errorf("%q has the anchors %q, want %q", src, got, want)
		}
	}
}

// TestObsidian has what its documentation shows: headings by their text, below others, and
// blocks by their ids; and the example of stripHeading in its API.
func TestObsidian(t *testing.T) {
	const src = "# Links are first-class citizens\n\ntext ^37066d\n\n## What's new?\n\n- item\n- other ^item-1\n\n| a |\n| - |\n\n^table\n\n" +
		"# foo!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\bar\n\n## What's new?\n\n> quote\n\n^quote\n\nno^name ^\n"
	doc := parseIn(t, markdown.Obsidian, src)
	if got, want := anchorsOf(doc), []string{"Links are first-class citizens", "What's new", "foo bar", ""}; !slices.Equal(got, want) {
		t.Errorf("the anchors are %q, want %q", got, want)
	}
	nested := NestedOf(doc)
	for name, section := range map[string]int{
		"links are FIRST-class citizens": 0, "What's new": 1, "What's new?": 1, "foo bar": 2, "foo bar#what's new?": 3,
		"nothing": -1, "": -1, "foo bar#Links are first-class citizens": -1,
	} {
		h, ok := nested.Find(name)
		if want := section >= 0; ok != want || ok && (h.Section != section || h.Block != int(doc.Sections[section].Heading) || h.Line != doc.LineAt(int(doc.Blocks[h.Block].Start))) {
			t.Errorf("%q is %+v, %v, want section %d", name, h, ok, section)
		}
	}
	var named []string
	for b, id := range Blocks(doc) {
		line, _, _ := strings.Cut(string(doc.Text(doc.Blocks[b].Span())), "\n")
		named = append(named, string(doc.Text(id))+" is "+line)
	}
	if want := []string{"37066d is text ^37066d", "item-1 is - other ^item-1", "table is | a |", "quote is > quote"}; !slices.Equal(named, want) {
		t.Errorf("the blocks are %q, want %q", named, want)
	}
	gitHub := parseIn(t, markdown.GitHub, src)
	if NestedOf(gitHub) != nil || NamesBlocks(gitHub) {
		t.Error("headings are nested in the dialect of GitHub")
	}
	for b := range Blocks(gitHub) {
		t.Errorf("block %d has a name in the dialect of GitHub", b)
	}
}
