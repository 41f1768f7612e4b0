package glob

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAlternatives: braces stand for each of their texts, and what is in a class is no brace and no
// comma, so that none hides how many patterns there are.
func TestAlternatives(t *testing.T) {
	for pattern, want := range map[string][]string{
		`\{a,b\}{c,d}`:   {`\{a,b\}c`, `\{a,b\}d`},
		"{a,{b,c}d}/{e}": {"a/e", "bd/e", "cd/e"},
		"x{,y/}z":        {"xz", "xy/z"},
		"{[}],a}[{,]b":   {"[}][{,]b", "a[{,]b"},
		"[a[{]{b,c}":     {"[a[{]b", "[a[{]c"},
	} {
		got := alternatives(pattern)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
	if _, err := Parse(strings.Repeat("{[}],a,aa}", 40) + "b"); err == nil {
		t.Error("3^40 patterns are read")
	}
}

// TestReaches: a pattern reaches the folders in which something may match, and no others.
func TestReaches(t *testing.T) {
	for pattern, want := range map[string]string{
		"*.md": "", "**.md": "", "***": "", "docs/*.md": "", "a/*.md": "a", "a/b/*.md": "a a/b", "a/b/**": "a a/b a/b/c", "{*,a}.md": "", `a[!b/].md`: "",
		"**": "a b a/b b/a a/b/c", "**/*.md": "a b a/b b/a a/b/c", "{*.md,**/x}": "a b a/b b/a a/b/c",
		"*/a.md": "a b", "{a,b}/x": "a b", "{a,c}/x": "a", "{a/b,b}/x": "a b a/b", `[a]\/b/x`: "a a/b", "?/b/**": "a b a/b a/b/c",
		"a{/**,}/x": "a a/b a/b/c", "[a/-]/x": "a", "{a,}{/b,c}/x": "a a/b", "a/{b,c}/*/x": "a a/b a/b/c",
		"a***/x": "a", "***/x": "a b", "a**b/**/x": "", "*a**/**": "a a/b a/b/c", "a/***": "a", `**\/x`: "a b a/b b/a a/b/c",
	} {
		if filepath.Separator == '\\' && strings.Contains(pattern, `\`) {
			continue
		}
		p, err := Parse(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, folder := range []string{"a", "b", "a/b", "b/a", "a/b/c"} {
			if p.Reaches(folder) {
				got = append(got, folder)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s reaches %q, want %q", pattern, got, want)
		}
	}
}

// TestClasses: a class of other characters is one of characters of a name.
func TestClasses(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"v[!0-9]*.md", "vx.md", true},
		{"v[!0-9]*.md", "v/note.md", false},
		{"v[^0-9]x", "v/x", false},
		{"[!a][!b]", "ba", true},
		{"[!a][!b]", "bb", false},
		{`v\[!a]x`, "v[!a]x", true},
		{`v[\]!]x`, "v!x", true},
		{`v[!\]]x`, "v]x", false},
		{`v[!\]]x`, "v/x", false},
		{"v[a[!b]x", "v!x", true},
		{"v[a[!b]x", "v/x", false},
		{"{v[!a],w}x", "v/x", false},
		{"v[!-a]x", "v-x", false},
		{"v[!-a]x", "vbx", true},
		{"v[+-9]x", "v/x", false},
		{"v[+-9]x", "v.x", true},
		{"v[+-9]x", "v9x", true},
		{"v[+-9-z]x", "v-x", true},
		{"v[+-9-z]x", "vax", false},
		{"v[ -~]x", "v/x", false},
		{"v[/-9]x", "v/x", false},
		{"v[/-9]x", "v.x", false},
		{"v[/-9]x", "v0x", true},
		{"v[--/]x", "v/x", false},
		{"v[--/]x", "v.x", true},
		{"v[/-/]x", "v/x", false},
		{"v[/]x", "v/x", false},
		{"v[/a]x", "vax", true},
		{`v[\+-\9]x`, "v/x", false},
		{`v[\+-\9]x`, "v+x", true},
		{`v[\\+-9]x`, `v\x`, true},
		{`v[\\+-9]x`, "v/x", false},
		{`v[\\/-.]x`, `v\x`, true},
		{`v[\--9]x`, "v/x", false},
		{`v[\--9]x`, "v-x", true},
		{"{v[!a],w}x", "vbx", true},
	} {
		if filepath.Separator == '\\' && strings.Contains(tt.pattern, `\`) {
			continue
		}
		p, err := Parse(tt.pattern)
		if got := p.Match(tt.path); err != nil || got != tt.want {
			t.Errorf("%s matches %s: %t, %v", tt.pattern, tt.path, got, err)
		}
	}
}
