package address

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Queries that are easy to get wrong, each with what it must lead to: a selector
// and a tier, or an error's code and, if several fit, how many.

// Documents that the queries are asked of.
const (
	docPlain = `---
title: x
---

Before.

# Guide
## Install
### Linux
### Windows
## Use
### Linux
# Reference
## Install
## Installation notes
## Reinstall
`
	docUnseen = "# ⚙\uFE0F Settings\n\n# so\u00ADft\u200Bware\n\n# Re\u0301sume\u0301\n"
	docMarkup = "# Use `go build` now\n" + // h1.0
		"# **Bold** and _em_ and ~~gone~~\n" +
		"# [Text](https://example.com/a?b=c \"t\") here\n" +
		"# ![Alt](a.png) image\n" +
		"# Press <kbd>Ctrl</kbd>\n" +
		"# Closed ##\n" + // h1.5
		"# C \\#\n" +
		"# Options {#opts}\n" +
		"# Flags {.cls #f k=v}\n" +
		"# R&amp;D &copy; 2024\n" +
		"# snake_case_name\n" + // h1.10
		"# `a > b` and c\n" +
		"Set *text*\nin two lines\n===\n" +
		"Short\n---\n" + // h2.0
		"# Path \\> like\n" +
		"# Kramdown {: #kd}\n"
	docUnicode = "# Caf\u00e9\n" + // h1.0, NFC
		"# Re\u0301sume\u0301\n" + // NFD
		"# It\u2019s \u201cfine\u201d \u2014 really\n" +
		"# 10\u00a0km run\n" +
		"# \U0001F389 Release\n" +
		"# \u898b\u51fa\u3057\n" + // h1.5
		"# \u898b\u51fa\u3057\u306e\u4f8b\n" +
		"# Stra\u00dfe\n" +
		"# \u00c9COLE\n" +
		"# Don't \"quote\"\n" +
		"# \u212Aelvin\n" + // h1.10
		"# \u0395\u03bb\u03bb\u03ac\u03b4\u03b1\n"
	docShapes = "# h2.1\n" + // h1.0
		"# L3\n" +
		"# #install\n" +
		"# @preamble\n" +
		"# A > B\n" +
		"# code.0\n" + // h1.5
		"# h1.0/code.0\n" +
		"# Note: this\n" +
		"# std::vector\n" +
		"# 1. First\n" +
		"# L\n" + // h1.10
		"# h7.0\n" +
		"# v1.2\n" +
		"# #hash tag\n" +
		"# list.0 is first\n" +
		"# @types/node\n" + // h1.15
		"# ## nested marks\n" +
		"# *\n" +
		"# Is h2.1?\n"
	docClash = `# Auth
## auth
## Auth flow
# AUTH
## Authentication
## OAuth
# Same
# Same
## Child
# Same
### Deep
#
##
## Auth
`
	docQuoted = "# Top\n\n> # Quoted\n>\n> text\n>\n> ## Sub\n>\n> more\n>\n> # Next\n\n- # Item\n\n  para\n\n      code\n\n```\n# fenced\n```\n\n<!--\n# comment\n-->\n\n# Quoted\n"
)

var hardQueries = []struct {
	doc, query string
	want       string
	tier       Tier
}{
	// Texts, and how much of them is enough.
	{docPlain, "Guide", "h1.0", TierExact},
	{docPlain, "# Guide", "h1.0", TierExact},
	{docPlain, "  #   Guide \n", "h1.0", TierExact},
	{docPlain, "#\tGuide", "h1.0", TierExact},
	{docPlain, "guide", "h1.0", TierStripped},
	{docPlain, "# GUIDE #", "h1.0", TierStripped},
	{docPlain, "## Guide", "heading_not_found", 0},
	{docPlain, "Gui", "h1.0", TierPrefix},
	{docPlain, "uide", "h1.0", TierSubstring},
	{docPlain, "Install", "ambiguous_heading 2", 0},
	{docPlain, "install", "ambiguous_heading 2", 0},
	{docPlain, "Installation", "h2.3", TierPrefix},
	{docPlain, "stall", "ambiguous_heading 4", 0},
	{docPlain, "ation notes", "h2.3", TierSubstring},
	{docPlain, "### Linux", "ambiguous_heading 2", 0},
	{docPlain, "Linux on a mainframe", "heading_not_found", 0},
	{docPlain, "", "invalid_argument", 0},
	{docPlain, " \t\n", "invalid_argument", 0},
	{docPlain, "\u00a0", "invalid_argument", 0},
	{docPlain, "title: x", "heading_not_found", 0},
	// Paths.
	{docPlain, "Guide > Install", "h2.0", TierExact},
	{docPlain, "Reference > Install", "h2.2", TierExact},
	{docPlain, "Guide > Linux", "ambiguous_heading 2", 0},
	{docPlain, "Guide > Use > Linux", "h3.2", TierExact},
	{docPlain, "Install > Linux", "h3.0", TierExact}, // one Install alone has a Linux
	{docPlain, "guide > inst > WIN", "h3.1", TierPrefix},
	{docPlain, "Guide > ## Linux", "heading_not_found", 0},
	{docPlain, "Guide > ### Windows", "h3.1", TierExact},
	{docPlain, "Install > Guide", "heading_not_found", 0},
	{docPlain, "Windows > Linux", "heading_not_found", 0},
	{docPlain, "Guide >  > Linux", "invalid_address", 0},
	{docPlain, "# Guide > Install", "heading_not_found", 0}, // marks first: a text
	// Selectors, lines, anchors, names.
	{docPlain, "h2.3", "h2.3", TierNone},
	{docPlain, "heading:h2[3]", "h2.3", TierNone},
	{docPlain, "h1.1/h2.0", "h2.2", TierNone},
	{docPlain, "h2.9", "heading_not_found", 0},
	{docPlain, "h2.0-4294967295", "heading_not_found", 0},
	{docPlain, "h2.99999999999999999999", "heading_not_found", 0},
	{docPlain, "h2.0-1", "ambiguous_heading 2", 0},
	{docPlain, "h2.0,0", "h2.0", TierNone},
	{docPlain, "h2.1-0", "invalid_selector", 0},
	{docPlain, "h2[0", "invalid_selector", 0},
	{docPlain, "h2.0/thing", "invalid_selector", 0},
	{docPlain, "h2.0?full=true", "invalid_selector", 0},
	{docPlain, "h2", "heading_not_found", 0}, // no index: a text
	{docPlain, "para.0", "para.0", TierNone},
	{docPlain, "frontmatter.0", "@frontmatter", TierNone},
	{docPlain, "root.0", "@document", TierNone},
	{docPlain, "page.0", "heading_not_found", 0},
	{docPlain, "readme::h2.0", "heading_not_found", 0},
	{docPlain, "L1", "@frontmatter", TierNone},
	{docPlain, "L5", "@preamble", TierNone},
	{docPlain, "L007", "h1.0", TierNone},
	{docPlain, "L9", "h3.0", TierNone},
	{docPlain, "L16", "h2.4", TierNone},
	{docPlain, "L0", "invalid_address", 0},
	{docPlain, "L17", "invalid_address", 0},
	{docPlain, "L99999999999999999999", "invalid_address", 0},
	{docPlain, "#install", "h2.0", TierNone},
	{docPlain, "#install-1", "h2.2", TierNone},
	{docPlain, "#install-2", "heading_not_found", 0},
	{docPlain, "#Installation-Notes", "h2.3", TierNone},
	{docPlain, "@preamble", "@preamble", TierNone},
	{docPlain, "@frontmatter", "@frontmatter", TierNone},
	{docPlain, "@document", "@document", TierNone},
	{docMarkup, "@preamble", "heading_not_found", 0},
	{docMarkup, "@frontmatter", "heading_not_found", 0},
	// As it is typed, and as lists show it.
	{docUnseen, "⚙ Settings", "h1.0", TierStripped},
	{docUnseen, "⚙\uFE0F Settings", "h1.0", TierExact},
	{docUnseen, "software", "h1.1", TierStripped},
	{docUnseen, "so\uFFFDft\uFFFDware", "h1.1", TierStripped},
	{docUnseen, "Résumé", "h1.2", TierStripped},
	// Markup.
	{docMarkup, "Use `go build` now", "h1.0", TierExact},
	{docMarkup, "Use go build now", "h1.0", TierStripped},
	{docMarkup, "Use *go build* now", "h1.0", TierStripped},
	{docMarkup, "Bold and em and gone", "h1.1", TierStripped},
	{docMarkup, "__Bold__ and *em*", "h1.1", TierPrefix},
	{docMarkup, "Text here", "h1.2", TierStripped},
	{docMarkup, "[Text](other) here", "h1.2", TierStripped},
	{docMarkup, "Alt image", "h1.3", TierStripped},
	{docMarkup, "example.com", "heading_not_found", 0},
	{docMarkup, "Press Ctrl", "h1.4", TierStripped},
	{docMarkup, "Closed", "h1.5", TierExact},
	{docMarkup, "# Closed ##", "h1.5", TierExact},
	{docMarkup, "# Closed #", "h1.5", TierStripped},
	{docMarkup, "C #", "h1.6", TierStripped},
	{docMarkup, `C \#`, "h1.6", TierExact},
	{docMarkup, "Options", "h1.7", TierStripped},
	{docMarkup, "Options {#other}", "h1.7", TierStripped},
	{docMarkup, "flags", "h1.8", TierStripped},
	{docMarkup, "R&D © 2024", "h1.9", TierStripped},
	{docMarkup, "R&amp;D", "h1.9", TierPrefix},
	{docMarkup, "snake_case", "h1.10", TierPrefix},
	{docMarkup, `a \> b and c`, "h1.11", TierStripped},
	{docMarkup, "# a > b and c", "h1.11", TierStripped},
	{docMarkup, "Set text in two lines", "h1.12", TierStripped},
	{docMarkup, "Set *text*\n   in two lines", "h1.12", TierExact},
	{docMarkup, "## Short", "h2.0", TierExact},
	{docMarkup, `Path \> like`, "h1.13", TierExact},
	{docMarkup, "#r-d--2024", "heading_not_found", 0},
	{docMarkup, "#rd--2024", "h1.9", TierNone},
	{docMarkup, "kramdown", "h1.14", TierStripped},
	// Unicode.
	{docUnicode, "Cafe\u0301", "h1.0", TierStripped},
	{docUnicode, "CAFÉ", "h1.0", TierStripped},
	{docUnicode, "Cafe", "heading_not_found", 0},
	{docUnicode, "R\u00e9sum\u00e9", "h1.1", TierStripped},
	{docUnicode, `It's "fine" - really`, "h1.2", TierStripped},
	{docUnicode, "It’s “fine” — really", "h1.2", TierExact},
	{docUnicode, "10 km run", "h1.3", TierStripped},
	{docUnicode, "🎉 Release", "h1.4", TierExact},
	{docUnicode, "Release", "h1.4", TierSubstring},
	{docUnicode, "見出し", "h1.5", TierExact},
	{docUnicode, "見出しの", "h1.6", TierPrefix},
	{docUnicode, "の例", "h1.6", TierSubstring},
	{docUnicode, "STRAẞE", "h1.7", TierStripped},
	{docUnicode, "école", "h1.8", TierStripped},
	{docUnicode, "Don’t “quote”", "h1.9", TierStripped},
	{docUnicode, "kelvin", "h1.10", TierStripped},
	{docUnicode, "ΕΛΛΆΔΑ", "h1.11", TierStripped},
	{docUnicode, "#見出しの例", "h1.6", TierNone},
	{docUnicode, "#caf%C3%A9", "h1.0", TierNone},
	{docUnicode, "#-release", "h1.4", TierNone},
	{docUnicode, "#its-fine--really", "h1.2", TierNone},
	// Headings that look like other forms of address.
	{docShapes, "h2.1", "h1.0", TierExact},
	{docShapes, "# h2.1", "h1.0", TierExact},
	{docShapes, "L3", "h1.2", TierNone},
	{docShapes, "# L3", "h1.1", TierExact},
	{docShapes, "#install", "h1.2", TierNone},
	{docShapes, "# #install", "h1.2", TierExact},
	{docShapes, "@preamble", "heading_not_found", 0},
	{docShapes, "# @preamble", "h1.3", TierExact},
	{docShapes, "A > B", "h1.4", TierExact},
	{docShapes, `A \> B`, "h1.4", TierExact},
	{docShapes, "# A > B", "h1.4", TierExact},
	{docShapes, "code.0", "h1.5", TierExact},
	{docShapes, "# code.0", "h1.5", TierExact},
	{docShapes, "# h1.0/code.0", "h1.6", TierExact},
	{docShapes, "Note: this", "h1.7", TierExact},
	{docShapes, "std::vector", "h1.8", TierExact},
	{docShapes, "1. First", "h1.9", TierExact},
	{docShapes, "L", "h1.10", TierExact},
	{docShapes, "h7.0", "h1.11", TierExact},
	{docShapes, "v1.2", "h1.12", TierExact},
	{docShapes, "#hash tag", "h1.13", TierExact},
	{docShapes, "list.0 is first", "h1.14", TierExact},
	{docShapes, "@types/node", "h1.15", TierExact},
	{docShapes, "## nested marks", "h1.16", TierExact},
	{docShapes, "# ## nested marks", "h1.16", TierExact},
	{docShapes, "*", "h1.17", TierExact},
	{docShapes, "Is h2.1?", "h1.18", TierExact},
	{docShapes, "##install", "heading_not_found", 0},
	// Clashes.
	{docClash, "Auth", "ambiguous_heading 2", 0},
	{docClash, "# Auth", "h1.0", TierExact},
	{docClash, "## Auth", "h2.6", TierExact},
	{docClash, "auth", "h2.0", TierExact},
	{docClash, "aUTH", "ambiguous_heading 4", 0},
	{docClash, "# aUTH", "ambiguous_heading 2", 0},
	{docClash, "AUTH", "h1.1", TierExact},
	{docClash, "authe", "h2.2", TierPrefix},
	{docClash, "oauth", "h2.3", TierStripped},
	{docClash, "Auth > Auth", "h2.0", TierStripped},
	{docClash, "Same", "ambiguous_heading 3", 0},
	{docClash, "Same > Child", "h2.4", TierExact},
	{docClash, "Same > Deep", "h3.0", TierExact},
	{docClash, "#same-2", "h1.4", TierNone},
	{docClash, "#", "h1.5", TierExact},
	{docClash, "##", "h2.5", TierExact},
	{docClash, "###", "heading_not_found", 0},
	// What stands in containers, and what is no heading.
	{docQuoted, "Quoted", "h1.1", TierExact},
	{docQuoted, "#quoted", "heading_not_found", 0},
	{docQuoted, "#quoted-1", "h1.1", TierNone},
	{docQuoted, "Sub", "heading_not_found", 0},
	{docQuoted, "Item", "heading_not_found", 0},
	{docQuoted, "fenced", "heading_not_found", 0},
	{docQuoted, "comment", "heading_not_found", 0},
	{docQuoted, "quote.0/h1.0", "h1.0/quote.0/h1.0", TierNone},
	{docQuoted, "quote.0/h1.0/h2.0/para.0", "h1.0/quote.0/para.1", TierNone},
	{docQuoted, "quote.0/h1.0/para.1", "h1.0/quote.0/para.1", TierNone},
	{docQuoted, "quote.0/h1.1/para.0", "heading_not_found", 0},
	{docQuoted, "list.0/item.0/code.0", "h1.0/list.0/item.0/code.0", TierNone},
	{docQuoted, "html.0", "h1.0/html.0", TierNone},
	{docQuoted, "L5", "h1.0", TierNone},
}

func TestHardQueries(t *testing.T) {
	for _, q := range hardQueries {
		t.Run(q.query, func(t *testing.T) {
			doc := parse(t, q.doc)
			r, err := Resolve(doc, q.query)
			if err == nil {
				if r.Selector != q.want || r.Tier != q.tier {
					t.Errorf("%s by %v, want %s by %v", r.Selector, r.Tier, q.want, q.tier)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) || e.Address != q.query {
				t.Fatalf("%T: %v", err, err)
			}
			got := string(e.Code)
			if e.Code == AmbiguousHeading {
				got += fmt.Sprint(" ", e.Total)
			}
			if got != q.want {
				t.Errorf("%v, want %s", err, q.want)
			}
			checkError(t, doc, e)
		})
	}
}

// TestByPosition says which addresses count, and so are not enough to write.
func TestByPosition(t *testing.T) {
	doc := parse(t, docClash)
	for addr, want := range map[string]bool{
		"# Auth": false, "Same > Child": false, "#authentication": false, "@document": false,
		"h1.0": true, "L3": true, "#same": true, "#same-1": true, "#auth-flow": false,
	} {
		r, err := Resolve(doc, addr)
		if err != nil || r.ByPosition != want {
			t.Errorf("%q: %+v, %v", addr, r, err)
		}
	}
}

func TestErrorCauses(t *testing.T) {
	doc := parse(t, docPlain)
	_, err := Resolve(doc, "h2.9")
	if e, ok := errors.AsType[*RangeError](err); !ok || e.Index != 9 || e.Count != 5 || e.Type != TypeH2 || e.In != "document" {
		t.Errorf("%#v", e)
	}
	_, err = Resolve(doc, "h2.0/table")
	if e, ok := errors.AsType[*NoMatchError](err); !ok || e.Step != 1 || e.In != "h2.0" {
		t.Errorf("%#v", e)
	}
	_, err = Resolve(doc, "h2[0")
	if e, ok := errors.AsType[*SelectorError](err); !ok || e.Code != UnclosedBracket {
		t.Errorf("%#v", e)
	}
}

// TestClosestFirst says in which order candidates of a miss come.
func TestClosestFirst(t *testing.T) {
	doc := parse(t, docPlain)
	for query, want := range map[string]string{
		"### Guide":        "# Guide",
		"References":       "# Reference",
		"Installing notes": "## Installation notes",
		"#reinstal":        "## Reinstall",
		"Guide > Uze":      "## Use",
		"h2.7":             "Guide > Install",
	} {
		_, err := Resolve(doc, query)
		e, ok := errors.AsType[*Error](err)
		if !ok || len(e.Candidates) == 0 || e.Candidates[0].Address != want {
			t.Errorf("%q: %v", query, err)
		}
	}
}

func TestOccurrence(t *testing.T) {
	doc := parse(t, docClash)
	for _, c := range []struct {
		addr       string
		occurrence int
		want       string
	}{
		{"Same", 1, "h1.2"},
		{"Same", 3, "h1.4"},
		{"Same", 4, "heading_not_found: there is no occurrence 4, only 3 matches for \"Same\""},
		{"# Auth", 1, "h1.0"},
		{"# Auth", 2, "heading_not_found: there is no occurrence 2, only 1 match for"},
		{"Same", -1, "invalid_argument: occurrence must be 1 or more"},
		{"h2.0-2", 2, "h2.1"},
		{"nothing at all", 1, "heading_not_found: no heading matches"},
	} {
		r, err := ResolveNth(doc, c.addr, c.occurrence)
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%q %d: %v, want %s", c.addr, c.occurrence, err, c.want)
			}
			continue
		}
		if r.Selector != c.want || !r.ByPosition {
			t.Errorf("%q %d: %+v, want %s", c.addr, c.occurrence, r, c.want)
		}
	}
}
