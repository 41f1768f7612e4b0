package anchors

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// parseIn parses a document in a dialect.
func parseIn(t testing.TB, dialect markdown.Dialect, src string) *markdown.Document {
	t.Helper()
	doc, err := (&markdown.Parser{Options: markdown.Options{Dialect: dialect}}).Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// anchorsOf returns the anchors of all headings.
func anchorsOf(doc *markdown.Document) (all []string) {
	for _, anchor := range Headings(doc) {
		all = append(all, anchor)
	}
	return all
}

// TestGitHub gives headings the anchors that GitHub gives them.
func TestGitHub(t *testing.T) {
	for heading, want := range map[string]string{
		"# Two  spaces":               "two--spaces",
		"# A\tb":                      "ab", // a tab is no space
		"# `a  b`":                    "a--b",
		"# İstanbul":                  "i\u0307stanbul",
		"# ΟΔΟΣ":                      "οδοσ", // without a final sigma
		"# &#x20;a&#x20;":             "-a-",
		"# &#32;":                     "-",
		"# a&nbsp;b":                  "ab",
		"# a&amp;b \\& c":             "ab--c",
		"# ![logo](x.svg) Name":       "-name", // an image is no text
		"# ![`a` &amp; b][x] &lt; c":  "a--bx--c",
		"# ![a &amp; b](x) &lt;c":     "-c",
		"# [text](x.md) here":         "text-here",
		"# [![a &lt;](b) c](d) &gt;e": "-c-e",
		"# <b>bold</b> <!-- no -->":   "bold-",
		"# *a*  **b**":                "a--b",
		"# 😀 x":                       "-x",
		"# a_b-c.d":                   "a_b-cd",
		"two\n lines\n===":            "twolines", // for a line ending is no space
		"`two\nlines`\n===":           "two-lines",
		"# !?":                        "",
	} {
		doc := parseIn(t, markdown.GitHub, heading+"\n")
		if got := anchorsOf(doc); len(got) != 1 || got[0] != want {
			t.Errorf("%q has the anchor %q, want %q", heading, got, want)
		}
		if want == "" {
			continue
		}
		if at, repeated, ok := Find(doc, want); at.Block != 0 || repeated || !ok {
			t.Errorf("%q isn't found by %q: block %d", heading, want, at.Block)
		}
	}
}

// TestGitHubTwins gives headings that have the same slug numbers that make them new ones.
func TestGitHubTwins(t *testing.T) {
	for src, want := range map[string][]string{
		"# a\n# a\n# a\n":                {"a", "a-1", "a-2"},
		"# a-1\n# a\n# a\n# a-1\n# a\n":  {"a-1", "a", "a-2", "a-1-1", "a-3"},
		"# a\n> # A\n\n- # a\n\n# A\n":   {"a", "a-1", "a-2", "a-3"},
		"# a\n# b\n# B\n# a\n# !\n# ?\n": {"a", "b", "b-1", "a-1", "", "-1"},
	} {
		doc := parseIn(t, markdown.GitHub, src)
		if got := anchorsOf(doc); !slices.Equal(got, want) {
			t.Errorf("%q has the anchors %q, want %q", src, got, want)
		}
		if at, repeated, ok := Find(doc, want[0]); at.Block != 0 || !repeated || !ok {
			t.Errorf("%q: the first is block %d, repeated %v", src, at.Block, repeated)
		}
	}
}

// TestOwnID tells where ids stand that are written behind headings of all forms.
func TestOwnID(t *testing.T) {
	for src, want := range map[string]string{
		"# A {#b}\n": "b", "# A {: .c #b } #\n": "b", "# A {#b .c}  \n": "b", "A {#b}\n=\n": "b", "A {#c}\nB {#b}\n=\n": "b", "A {#b}\nB\n=\n": "",
		"> A\n> B {#b}\n> =\n": "b", "# A {#b} c\n": "", "# A {#}\n": "", "# A {.b}\n": "", "# A\n": "", "# {#b}\n": "b", "text {#b}\n": "",
	} {
		doc, got := parseIn(t, markdown.GitHub, src), ""
		for b := range doc.Blocks {
			if id, ok := OwnID(doc, b); ok {
				got += string(doc.Text(id))
			}
		}
		if got != want {
			t.Errorf("%q has the id %q, want %q", src, got, want)
		}
	}
}

// sluggerEnv names a clone of github.com/Flet/github-slugger, whose test/fixtures.json has
// the anchors that GitHub gave to headings. It isn't part of this repository.
const sluggerEnv = "SECTILE_GITHUB_SLUGGER"

// TestSluggerFixtures gives the headings of github-slugger's fixtures, which are one
// document, the anchors that GitHub has given them.
func TestSluggerFixtures(t *testing.T) {
	dir := os.Getenv(sluggerEnv)
	if dir == "" {
		t.Skip(sluggerEnv + " names no clone of github.com/Flet/github-slugger")
	}
	text, err := os.ReadFile(filepath.Join(dir, "test", "fixtures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var fixtures []struct{ Name, Input, MarkdownOverwrite, Expected string }
	if err := json.Unmarshal(text, &fixtures); err != nil {
		t.Fatal(err)
	}
	escape := strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "&", `\&`, "#", `\#`, "~", `\~`)
	var doc strings.Builder
	for _, f := range fixtures {
		if f.MarkdownOverwrite == "" {
			f.MarkdownOverwrite = "# " + escape.Replace(f.Input)
		}
		doc.WriteString(f.MarkdownOverwrite + "\n\n")
	}
	anchors := anchorsOf(parseIn(t, markdown.GitHub, doc.String()))
	if len(anchors) != len(fixtures) {
		t.Fatalf("%d headings of %d", len(anchors), len(fixtures))
	}
	for i, f := range fixtures {
		if f.Name == "Unassigned" { // when the fixtures were made; Unicode 15 has made letters of two
			anchors[i] = strings.NewReplacer("\U0003174F", "", "\U00031F7B", "").Replace(anchors[i])
		}
		if got := anchors[i]; got != f.Expected {
			t.Errorf("%s: %q, want %q", f.Name, got, f.Expected)
		}
	}
}
