package guide

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/config"
)

// What was asked for in the wrong place is told with the way to ask for it.
func TestServeHints(t *testing.T) {
	c := project(
		t, map[string]string{"docs/a.md": "A\n", "guides/go/b.md": "B\n", "guides/docs/c.md": "C\n"},
		category("docs", "docs", "*.md"), category("rules", "./guides", "**"),
	)
	collect(c, "all", "docs", "rules")
	for _, tt := range []struct {
		name, pattern string
		kind          Type
		has, hasNot   string
	}{
		{"docs/p1.md", "", NotFound, `ask with category "docs", pattern "p1.md"`, ""},
		{"all/go/b.md", "", NotFound, `ask with category "all", pattern "go/b.md"`, ""},
		{"docs/", "", NotFound, `write category "docs", without the slash`, ""},
		{"nobody/x", "", NotFound, `there are "docs"`, "ask with"},
		{"guide://category/docs/a%20b.md", "", NotFound, `ask with category "docs", pattern "a b.md"`, "whole file"},
		{"GUIDE://category/docs/a.md#one", "", NotFound, `pattern "a.md" for the whole file`, ""},
		{"guide://docs", "", NotFound, "as two arguments", ""},
		{"docs", "docs/a.md", NoMatches, `ask with category "docs", pattern "a.md"`, ""},
		{"docs", "./docs/*.md", NoMatches, `ask with category "docs", pattern "*.md"`, ""},
		{"rules", "guides/go/*", NoMatches, `ask with category "rules", pattern "go/*"`, ""},
		{"all", "rules/go/b", NoMatches, `ask with category "rules", pattern "go/b"`, ""},
		{"docs", "docs/z.md", NoMatches, `nearest:`, "ask with"},
		{"docs", "docs/{", InvalidPattern, "", "ask with"},
		{"docs", "guide://category/docs/a.md", NoMatches, `ask with category "docs", pattern "a.md"`, ""},
		{"docs", "a.md#one two", NoMatches, "guide://category/docs/a.md#one%20two", ""},
		{"docs", "*.md#one", NoMatches, "guide://category/NAME/PATH#ANCHOR", ""},
		{"all", "a.md#one", NoMatches, "guide://category/NAME/PATH#ANCHOR", ""},
		{"docs", ".git/config", NoMatches, "never read", ""},
		{"docs", "**/{.jj,.GIT}/**", NoMatches, "never read", ""},
		{"docs", "{.git,x}/*", NoMatches, "", "never read"},
	} {
		_, err := Serve(t.Context(), c, tt.name, tt.pattern, Options{Content: true})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Type != tt.kind || !strings.Contains(e.Message, tt.has) || tt.hasNot != "" && strings.Contains(e.Message, tt.hasNot) {
			t.Errorf("%s %q: %v\nwant %s with %q, without %q", tt.name, tt.pattern, err, tt.kind, tt.has, tt.hasNot)
		}
	}
}

// A file of the configuration that is called otherwise is named with its right name.
func TestServeMisnamed(t *testing.T) {
	for _, tt := range []struct {
		config config.Loaded
		kind   Type
		hasNot string
	}{
		{config.Loaded{Misnamed: "sectile.yaml"}, NoSession, "guide init"},
		{config.Loaded{Root: t.TempDir(), Misnamed: "sectile.yaml"}, NotFound, "guide init"},
	} {
		_, err := Serve(t.Context(), &tt.config, "docs", "", Options{})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Type != tt.kind || !strings.Contains(e.Message, "a file sectile.yaml, which is not read: rename it to .sectile.yaml") || strings.Contains(e.Message, tt.hasNot) {
			t.Errorf("%v", err)
		}
	}
}

func TestLikeliest(t *testing.T) {
	for _, tt := range []struct {
		names, asked, want string
	}{
		{"style.md review.md a/b/testing.md", "testing.md", "a/b/testing.md style.md review.md"},
		{"texting.md deep/folder/far/testing.txt", "testing.md", "deep/folder/far/testing.txt texting.md"},
		{"text.md x/testing-in-go-and-more.md my-long-test-page.md", "test", "x/testing-in-go-and-more.md my-long-test-page.md text.md"},
		{"docs api rules", "APIS", "api docs rules"},
		{"b a", "", "b a"},
	} {
		if diff := cmp.Diff(tt.want, strings.Join(likeliest(strings.Fields(tt.names), tt.asked), " ")); diff != "" {
			t.Errorf("%s\n%s", tt.asked, diff)
		}
	}
	texts := map[string]string{}
	for name := range strings.SplitSeq("abcdefgh", "") {
		texts["docs/"+name+".md"] = name
	}
	c := project(t, texts, category("docs", "docs", "*.md"))
	if _, err := Serve(t.Context(), c, "docs", "none", Options{}); err == nil || !strings.HasSuffix(err.Error(), " and 3 more") {
		t.Errorf("%v, want how many more there are", err)
	}
}

// The way out of the only file that failed is told to its end, and all stays short.
func TestServeTellsTheWholeFailure(t *testing.T) {
	long := strings.Repeat("x", 300)
	c := project(t, map[string]string{"docs/a.md.mustache": "{{" + long + "}}"}, category("docs", "docs", "*.md"))
	_, err := Serve(t.Context(), c, "docs", "", Options{Content: true})
	reply, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatal(err)
	}
	_, failure := Render(t.Context(), Template{Path: "a.md.mustache", Source: []byte("{{" + long + "}}"), Vars: vars(c, &c.Categories[0], "")})
	if failure == nil || utf8.RuneCountInString(failure.Error()) <= maxNamed || !strings.Contains(reply.Message, failure.Error()) {
		t.Errorf("%v\nwithout %v", err, failure)
	}
	s := &serving{config: c, name: long, pattern: long, reply: &Reply{Matched: 1, Skipped: []Skipped{{long, SkipTemplate, strings.Repeat(long, 20)}}}}
	if n := utf8.RuneCountInString(s.nothingRead().Message); n >= 2000 {
		t.Errorf("%d characters", n)
	}
}

// What is left out says why, and which setting it is about.
func TestSkippedDetails(t *testing.T) {
	c := project(t, map[string]string{
		"docs/a.md": "A\n", "docs/large.md": strings.Repeat("x", 2000), "docs/x/y/z.md": "Z\n", "docs/more.md": strings.Repeat("x", 900),
	}, category("docs", "docs", "**"))
	c.Guide = config.Guide{MaxDepth: 1, MaxFileBytes: 1024, MaxReplyBytes: 800}
	if err := os.Symlink("nowhere", filepath.Join(c.Root, "docs", "link.md")); err != nil {
		t.Skip(err)
	}
	r, err := Serve(t.Context(), c, "docs", "", Options{Content: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []Skipped{
		{"large.md", SkipTooLarge, "it has 2000 bytes, and guide.max_file_bytes is 1024"},
		{"link.md", SkipMissing, "it is a link to nothing"},
		{"more.md", SkipTooLarge, "it has 900 bytes, and guide.max_reply_bytes leaves room for 798 more; ask for fewer files at once"},
		{"x/y", SkipDepth, "deeper than guide.max_depth (1)"},
	}
	if diff := cmp.Diff(want, r.Skipped); diff != "" {
		t.Error(diff)
	}
}

func TestPatternReasons(t *testing.T) {
	for text, want := range map[string]string{
		"[z-a]": `"z-a"`, "[!9-0].md": `"9-0"`, "x[ab-cz-y]": `"z-y"`, `[\z-\a]`: `"z-a"`, "[ü-é]": `"ü-é"`, "{}": "braces stand for nothing", "{,a}": "braces stand for nothing",
		"[a-z]": "", "[!-a]": "", "[a-]": "", "[a-a]": "", "[-z]": "",
	} {
		_, err := ParsePattern(text)
		switch {
		case (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, want %q", text, err, want)
		case err != nil && (strings.Contains(errors.Unwrap(err).Error(), patternRules) || !strings.HasPrefix(err.Error(), "invalid_pattern: "+errors.Unwrap(err).Error())):
			t.Errorf("%s: %v", text, errors.Unwrap(err))
		}
	}
}
