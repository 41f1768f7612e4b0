package glob

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzGlob reads any pattern. It is refused with a reason, or it matches what Go's own
// patterns match where both mean the same, and nothing outside of its base.
func FuzzGlob(f *testing.F) {
	for _, pattern := range []string{
		"*.md", "docs/**/*.md", "{a,b{c,d}}/*.md", "[a-z]?.md", `a\*b`, `a/\b/**`, "./a//b/*.md", "**", "[^a]", "{", "[", `\`, "{a,{b,c}", "a{,b}", "/a/*", "***/x", "b***/x", "{docs,**}/x.md", "{a,aa}{a,aa}{a,aa}{a,aa}{a,aa}{a,aa}{a,aa}",
	} {
		for _, name := range []string{"a.md", "docs/x/y.md", "a/b/c.md", "a/b", "ac/x.md", "a*b", "/a/b", "é"} {
			f.Add(pattern, name)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		g, err := Parse(pattern)
		if err != nil {
			e, ok := err.(*Error) //nolint:errorlint // no other error wraps it
			if !ok || e.Reason == "" || utf8.RuneCountInString(e.Reason) > 100 {
				t.Errorf("%q: %#v", pattern, err)
			}
			return
		}
		// The library takes all bytes that are no UTF-8 for the same character.
		if name == "" || len(name) > 200 || filepath.Separator != '/' || !utf8.ValidString(pattern) || !utf8.ValidString(name) {
			return
		}
		matches, whole := g.Match(name), inNames(withoutEmptyParts(pattern))
		if !HasMeta(pattern) && !strings.ContainsAny(pattern, `\]}`) && matches != (name == whole) {
			t.Errorf("%q matches %q: %v", pattern, name, matches)
		}
		if base := filepath.ToSlash(g.base); matches && base != "." && name != base && !strings.HasPrefix(name, strings.TrimSuffix(base, "/")+"/") {
			t.Errorf("%q matches %q, which is not below %q", pattern, name, base)
		}
		for i, c := range name {
			if c == '/' && i > 0 && name[i-1] != '/' && matches && !g.Reaches(name[:i]) {
				t.Errorf("%q matches %q, and nothing in %q", pattern, name, name[:i])
			}
		}
		// path.Match knows no braces and no **, writes [!a] as [^a], takes [] for a mistake, and the bytes of a
		// character behind a star for several.
		if strings.ContainsAny(whole, "{}[]!\\") || strings.Contains(whole, "**") || strings.Contains(whole, "?") && len(name) > utf8.RuneCountInString(name) {
			return
		}
		if want, err := path.Match(whole, name); err == nil && want != matches {
			t.Errorf("%q matches %q: %v, and by path.Match %v", pattern, name, matches, want)
		}
	})
}
