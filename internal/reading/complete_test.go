package reading

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

const installs = "# Guide\n\n## Install\n\n### On Linux\n\n## Use *it* & go\n\n# Notes\n\n## Install\n\n## \u202Ehidden\n\n## A > B\n\n### Under\n"

func TestHeadingAddresses(t *testing.T) {
	for _, tt := range []struct {
		typed string
		want  []string
	}{
		{"", []string{"# Guide", "Guide > Install", "### On Linux", "## Use *it* & go", "# Notes", "Notes > Install", "h2.3", "## A > B", "### Under"}},
		{"Gui", []string{"Guide"}},
		{"GUI", []string{"Guide"}},
		{"# g", []string{"# Guide"}},
		{"Guide", []string{"Guide"}},
		{"Guide ", []string{"Guide > Install", "Guide > Install > On Linux", "Guide > Use it & go"}},
		{"guide > ", []string{"Guide > Install", "Guide > Install > On Linux", "Guide > Use it & go"}},
		{"Guide > In", []string{"Guide > Install", "Guide > Install > On Linux"}},
		{"Install >", []string{"Install > On Linux"}},
		// Nothing that begins so stands for one of them alone.
		{"Inst", []string{"Guide > Install", "Notes > Install"}},
		{"## I", []string{"Guide > Install", "Notes > Install"}},
		{"Use", []string{"Use it & go"}},
		{"## Use i", []string{"## Use it & go"}},
		{"## Use *", []string{"## Use *it* & go"}},
		{"A", []string{"A > B"}}, // as a path it is nothing
		{"Notes > A", []string{`Notes > A \> B`, `Notes > A \> B > Under`}},
		{`A \> B >`, []string{`A \> B > Under`}},
		{"Guide > X", nil},
		{"nstall", nil},
		{"## Guide", nil},
	} {
		found, more := HeadingAddresses(mustParse(t, installs), tt.typed, 10)
		var got []string
		for _, c := range found {
			got = append(got, c.Selector)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || more {
			t.Errorf("%q: more %v (-want +got)\n%s", tt.typed, more, diff)
		}
	}
	if found, more := HeadingAddresses(mustParse(t, installs), "", 3); len(found) != 3 || !more {
		t.Errorf("%d addresses, more %v", len(found), more)
	}
}

// checkCompletion is the law of completions: each resolves, and begins with what
// was typed if the heading's title or path does, unless that names others too.
func checkCompletion(doc *markdown.Document, typed string) error {
	found, _ := HeadingAddresses(doc, typed, 20)
	for _, c := range found {
		res, err := address.Resolve(doc, c.Selector)
		if err != nil {
			return fmt.Errorf("%q offers %q: %w", typed, c.Selector, err)
		}
		if lines := "lines " + replies.LineRange(res.Lines(doc)); c.Description != lines {
			return fmt.Errorf("%q offers %q: %s, want %s", typed, c.Selector, lines, c.Description)
		}
		if hasFoldedPrefix(c.Selector, typed) {
			continue
		}
		title := doc.SectionTitle(res.Section)
		for _, form := range []string{title, address.Path(doc, res.Section)} {
			if !hasFoldedPrefix(form, typed) || len(form) > maxForm || replies.Safe(form) != form {
				continue
			}
			if other, err := address.Resolve(doc, form); err == nil && other.Node == res.Node && !other.ByPosition {
				return fmt.Errorf("%q offers %q, not %q", typed, c.Selector, form)
			}
		}
	}
	return nil
}

// typedOf returns what may be typed on the way to a section.
func typedOf(doc *markdown.Document, i int) []string {
	title := []rune(doc.SectionTitle(i))
	half := string(title[:(len(title)+1)/2])
	typed := []string{half, strings.ToUpper(half), "######"[:doc.Sections[i].Level] + " " + half}
	if parent := doc.Sections[i].Parent; parent >= 0 {
		typed = append(typed, escapedTitle(doc.SectionTitle(int(parent)))+" > "+escapedTitle(half))
	}
	return typed
}

func TestCompletionsResolve(t *testing.T) {
	sources := []string{installs, guideText, "#\n\n##\n\n# A\n\n# a\n\n# `A`\n\n# h1.0\n\n# L1\n\n# #a\n\n# @document\n\nA\nB\n===\n"}
	for _, d := range testkit.Fixtures() {
		sources = append(sources, string(d.Source))
	}
	if os.Getenv("SECTILE_CORPUS") != "" {
		for i, f := range testkit.CorpusFiles(t) {
			if i%25 == 0 && isText(f.Data) {
				sources = append(sources, string(f.Data))
			}
		}
	}
	for _, src := range sources {
		doc := mustParse(t, src)
		for i := 0; i < len(doc.Sections); i += 1 + len(doc.Sections)/10 {
			for _, typed := range typedOf(doc, i) {
				if err := checkCompletion(doc, typed); err != nil {
					t.Errorf("%.40q: %v", src, err)
				}
				found, more := HeadingAddresses(doc, typed, 20)
				there := more
				for _, c := range found {
					there = there || c.Description == "lines "+replies.LineRange(doc.SectionLines(i))
				}
				if addr := address.AddressOf(doc, address.NodeOfSection(i)); !there && replies.Safe(addr) == addr {
					t.Errorf("%.40q: %q offers %v, not %s", src, typed, found, addr)
				}
			}
		}
	}
}

func TestHasFoldedPrefix(t *testing.T) {
	for _, tt := range []struct {
		s, prefix string
		want      bool
	}{
		{"Install", "inst", true},
		{"install", "INSTALL", true},
		{"in", "inst", false},
		{"", "", true},
		{"ÉCOLE", "éc", true},
		{"\u212Aelvin", "ke", true},
		{"a\xFFb", "a\xFFb", true},
		{"ab", "b", false},
	} {
		if got := hasFoldedPrefix(tt.s, tt.prefix); got != tt.want {
			t.Errorf("%q begins with %q: %v", tt.s, tt.prefix, got)
		}
	}
}
