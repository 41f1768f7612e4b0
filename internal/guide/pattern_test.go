package guide

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// patterns reads patterns that are right.
func patterns(tb testing.TB, texts ...string) []Pattern {
	tb.Helper()
	list := make([]Pattern, len(texts))
	for i, text := range texts {
		p, err := ParsePattern(text)
		if err != nil {
			tb.Fatal(err)
		}
		list[i] = p
	}
	return list
}

// shelf are the paths that patterns are matched with.
var shelf = []string{
	".env", ".hidden/a.md", ".hidden/.deep/b.md", "README", "a.md", "a.txt", "ab.md", "abc.md", "b.md", "c-d.md", "docs",
	"docs/a.md", "docs/api/v1/x.md", "docs/deep/er/y.md", "docs/deep/z.md", "docs/intro.md", "docs/.draft.md", "docs/b.txt",
	"é.md", "guides/docs/a.md", "guides/docs/deep/b.md", "intro", "intro.md", "intro.md.bak", "introduction.md", "we[i]rd.md",
	"s p.md", "star*.md", "{x}.md", "back\\slash.md", "line\nbreak.md", "日本.md", "]", "-.md", "a,b.md",
}

func TestPatternMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		want    []string // of the shelf
	}{
		// One component.
		{"a.md", []string{"a.md"}},
		{"*.md", []string{
			"a.md", "ab.md", "abc.md", "b.md", "c-d.md", "é.md", "intro.md", "introduction.md", "we[i]rd.md", "s p.md",
			"star*.md", "{x}.md", "back\\slash.md", "line\nbreak.md", "日本.md", "-.md", "a,b.md",
		}},
		{"?.md", []string{"a.md", "b.md", "é.md", "-.md"}},
		{"??.md", []string{"ab.md", "日本.md"}},
		{"a*.md", []string{"a.md", "ab.md", "abc.md", "a,b.md"}},
		{"*b*.md", []string{"ab.md", "abc.md", "b.md", "back\\slash.md", "line\nbreak.md", "a,b.md"}},
		{"a?c.md", []string{"abc.md"}},
		{"a**.md", []string{"a.md", "ab.md", "abc.md", "a,b.md"}},
		{"**a.md", []string{"a.md"}},
		{"a***", []string{"a.md", "a.txt", "ab.md", "abc.md", "a,b.md"}},
		{"a.md****", []string{"a.md"}},
		{"***.txt", []string{"a.txt"}},
		{"A.md", nil},
		{"*", slices.DeleteFunc(slices.Clone(shelf), func(p string) bool { return strings.Contains(p, "/") || p == ".env" })},
		{"***", slices.DeleteFunc(slices.Clone(shelf), func(p string) bool { return strings.Contains(p, "/") || p == ".env" })},
		{"*.MD", nil},
		{"s p.md", []string{"s p.md"}},
		{"line\nbreak.md", []string{"line\nbreak.md"}},
		{"日?.md", []string{"日本.md"}},
		// Classes.
		{"[ab].md", []string{"a.md", "b.md"}},
		{"[a-c].md", []string{"a.md", "b.md"}},
		{"[!a].md", []string{"b.md", "é.md", "-.md"}},
		{"[^a].md", []string{"b.md", "é.md", "-.md"}},
		{"[!a-z].md", []string{"é.md", "-.md"}},
		{"[-a].md", []string{"a.md", "-.md"}},
		{"[a-].md", []string{"a.md", "-.md"}},
		{"[é].md", []string{"é.md"}},
		{"a[,]b.md", []string{"a,b.md"}},
		{"[日]本.md", []string{"日本.md"}},
		{`[\]]`, []string{"]"}},
		{"]", []string{"]"}},
		{`[{]x\}.md`, []string{"{x}.md"}},
		{"[*]", nil},
		{"star[*].md", []string{"star*.md"}},
		{"we[[]i].md", nil},
		{"we[[]i]rd.md", []string{"we[i]rd.md"}},
		{"docs[!x]a.md", nil}, // a class is never a slash
		{"[a-z].txt", []string{"a.txt"}},
		// Escapes.
		{`star\*.md`, []string{"star*.md"}},
		{`we\[i\]rd.md`, []string{"we[i]rd.md"}},
		{`{\{,}x\}.md`, []string{"{x}.md"}},
		{`back\\slash.md`, []string{"back\\slash.md"}},
		{`a\.md`, []string{"a.md"}},
		{`docs\/a.md`, []string{"docs/a.md"}},
		{`*\日本.md`, []string{"日本.md"}},
		{`日\本.md`, []string{"日本.md"}},
		// Braces.
		{"{a,b}.md", []string{"a.md", "b.md"}},
		{"a.{md,txt}", []string{"a.md", "a.txt"}},
		{"{a}.md", []string{"a.md"}},
		{"a{,b,bc}.md", []string{"a.md", "ab.md", "abc.md"}},
		{"{a{,b{,c}}}.md", []string{"a.md", "ab.md", "abc.md"}},
		{"{docs,guides/docs}/a.md", []string{"docs/a.md", "guides/docs/a.md"}},
		{"{docs/{a,intro},b}.md", []string{"b.md", "docs/a.md", "docs/intro.md"}},
		{"{?,*c}.md", []string{"a.md", "abc.md", "b.md", "é.md", "-.md"}},
		{"{[,],a}.md", []string{"a.md"}},
		{"a{[,],x}b.md", []string{"a,b.md"}},
		{`a{\,,x}b.md`, []string{"a,b.md"}},
		{"a,b.md", []string{"a,b.md"}},
		{"a{}.md", []string{"a.md"}},
		{"{**/deep,docs}/*.md", []string{"docs/a.md", "docs/deep/z.md", "docs/intro.md", "guides/docs/deep/b.md"}},
		// Folders.
		{"docs/*.md", []string{"docs/a.md", "docs/intro.md"}},
		{"docs/**", []string{"docs/a.md", "docs/api/v1/x.md", "docs/b.txt", "docs/deep/er/y.md", "docs/deep/z.md", "docs/intro.md"}},
		{"docs/**/*.md", []string{"docs/a.md", "docs/api/v1/x.md", "docs/deep/er/y.md", "docs/deep/z.md", "docs/intro.md"}},
		{"**/docs/*.md", []string{"docs/a.md", "docs/intro.md", "guides/docs/a.md"}},
		{"docs/**/deep/*.md", []string{"docs/deep/z.md"}},
		{"**/docs/**/deep/*.md", []string{"docs/deep/z.md", "guides/docs/deep/b.md"}},
		{"**/deep/**", []string{"docs/deep/er/y.md", "docs/deep/z.md", "guides/docs/deep/b.md"}},
		{"**/**/**/**/y.md", []string{"docs/deep/er/y.md"}},
		{"docs/**/**", []string{"docs/a.md", "docs/api/v1/x.md", "docs/b.txt", "docs/deep/er/y.md", "docs/deep/z.md", "docs/intro.md"}},
		{"*/*/*.md", []string{"docs/deep/z.md", "guides/docs/a.md"}},
		{"*/**/*/*.md", []string{"docs/api/v1/x.md", "docs/deep/er/y.md", "docs/deep/z.md", "guides/docs/a.md", "guides/docs/deep/b.md"}},
		{"**/a.md", []string{"a.md", "docs/a.md", "guides/docs/a.md"}},
		{"**", slices.DeleteFunc(slices.Clone(shelf), func(p string) bool { return strings.HasPrefix(p, ".") || p == "docs/.draft.md" })},
		{"./docs//./a.md", []string{"docs/a.md"}},
		{".//a.md", []string{"a.md"}},
		{"docs**/a.md", []string{"docs/a.md"}},
		{"**docs/a.md", []string{"docs/a.md"}},
		{"docs", []string{"docs"}},
		{"docs/a", nil},
		// Hidden.
		{".env", []string{".env"}},
		{".*", nil},
		{"?env", nil},
		{"[.]env", nil},
		{".[e]nv", nil},
		{"{.env,a.md}", []string{".env", "a.md"}},
		{".{env,x}", []string{".env"}},
		{"**/.env", []string{".env"}},
		{".hidden/**", []string{".hidden/a.md"}},
		{".hidden/.deep/*", []string{".hidden/.deep/b.md"}},
		{"**/.deep/*", nil},
		{".hidden/**/.deep/*", []string{".hidden/.deep/b.md"}},
		{"**/.draft.md", []string{"docs/.draft.md"}},
		{"docs/.*", nil},
	} {
		p := patterns(t, tt.pattern)[0]
		var got []string
		for _, path := range shelf {
			if p.Match(path) {
				got = append(got, path)
			}
		}
		want := slices.Clone(tt.want)
		slices.SortFunc(want, func(a, b string) int { return slices.Index(shelf, a) - slices.Index(shelf, b) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.pattern, diff)
		}
		if p.String() != tt.pattern {
			t.Errorf("%q is shown as %q", tt.pattern, p)
		}
	}
}

// TestPatternInvalid reads what is no pattern: each is refused with the pattern, what
// is wrong with it, and the rules.
func TestPatternInvalid(t *testing.T) {
	for _, tt := range []struct{ pattern, reason string }{
		{"", "it is empty"},
		{"/usr/**", "absolute"},
		{"/", "absolute"},
		{"//a", "absolute"},
		{`\usr\x`, "absolute"},
		{`\\server\share`, "absolute"},
		{`\*.md`, "[*]"},
		{"C:/x", "absolute"},
		{"c:x", "absolute"},
		{"{/usr,docs}/**", "absolute"},
		{"{,docs}/a.md", "absolute"},
		{"{C:,docs}/a.md", "absolute"},
		{"../**", `".."`},
		{"..", `".."`},
		{"docs/../a.md", `".."`},
		{"docs/..", `".."`},
		{"./../a", `".."`},
		{"{..,docs}/a.md", `".."`},
		{".{.,x}/a.md", `".."`},
		{`docs/\.\./a.md`, `".."`},
		{`docs/\.`, "escaped"},
		{"docs/", "NAME/**"},
		{"docs/.", "NAME/**"},
		{".", "NAME/**"},
		{"{docs,a}/", "NAME/**"},
		{"{docs/,a}", "NAME/**"},
		{"a\x00b", "NUL"},
		{"a\xffb", "UTF-8"},
		{"[abc", "not closed"},
		{"[", "not closed"},
		{"[!", "not closed"},
		{"a[b/c]", "before the next slash"},
		{`[\]`, "not closed"},
		{"[]", "no characters"},
		{"[!]", "no characters"},
		{"[]a]", "no characters"},
		{"{a,b", "not closed"},
		{"{a,{b}", "not closed"},
		{"{[}]", "not closed"},
		{"a}", "no \"{\""},
		{"{a}}", "no \"{\""},
		{`a\`, "backslash"},
		{"*.mustache", ".mustache"},
		{"a.md.mustache", ".mustache"},
		{"*.{md,mustache}", ".mustache"},
		{"docs/.mustache", ".mustache"},
		{"*.mustache*", ".mustache"},
		{`a\.mustache`, ".mustache"},
		{`*\.mustache`, ".mustache"},
		{strings.Repeat("{a,aa}", 30), "more than 64"},
		{strings.Repeat("{", 9) + "a,b" + strings.Repeat(",c}", 9) + "{a,b,c,d,e,f,g,h,i}", "more than 64"},
		{strings.Repeat("x", maxPattern+1), "longer than 1000"},
		{strings.Repeat("*", 10_000), "longer than 1000"},
	} {
		_, err := ParsePattern(tt.pattern)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Type != InvalidPattern || !strings.Contains(e.Message, tt.reason) {
			t.Errorf("%.50q: %v, want %s", tt.pattern, err, tt.reason)
			continue
		}
		if !strings.Contains(e.Message, quoted(tt.pattern)) || !strings.Contains(e.Message, "relative to the category") || len(e.Message) > 1500 {
			t.Errorf("%.50q: the pattern or the rules are missing in %q", tt.pattern, e.Message)
		}
	}
	// As many as are allowed.
	for _, text := range []string{strings.Repeat("{a,b}", 6), strings.Repeat("x", maxPattern), strings.Repeat("{a}", maxPattern/3), strings.Repeat("{", 499) + "a" + strings.Repeat("}", 499), "foo.mustache-tips.md", "x.mustache/a.md"} {
		p, err := ParsePattern(text)
		if err != nil || len(p.alternatives) > maxAlternatives {
			t.Errorf("%.50q: %d alternatives, %v", text, len(p.alternatives), err)
		}
	}
}

// TestPatternAlternatives counts what a pattern is matched as: work is bounded by it.
func TestPatternAlternatives(t *testing.T) {
	for _, tt := range []struct {
		pattern    string
		number     int
		components int // of the first
	}{
		{"a", 1, 1},
		{"{a,a,a}", 1, 1},
		{"{a,b}{c,d}", 4, 1},
		{"{a,{b,c}d}", 3, 1},
		{strings.Repeat("**/", 300) + "x", 1, 2},
		{"**/" + strings.Repeat("**/", 8) + "**", 1, 2},
		{strings.Repeat("{a,b}", 6), 64, 1},
		{"*" + strings.Repeat("a*", 100) + "b", 1, 1},
	} {
		p := patterns(t, tt.pattern)[0]
		if len(p.alternatives) != tt.number || len(p.alternatives[0]) != tt.components {
			t.Errorf("%.40q: %d alternatives, the first of %d components", tt.pattern, len(p.alternatives), len(p.alternatives[0]))
		}
	}
	if p := patterns(t, "a******b?**")[0].alternatives[0][0]; p.text != "a*b?*" {
		t.Errorf("stars stay: %q", p.text)
	}
}

// TestPatternPlaces goes through folders that are named alike: no place is kept twice,
// and there are no more than the pattern has components.
func TestPatternPlaces(t *testing.T) {
	for _, text := range []string{"**/a/**/a/**/x", "**/*/**/*/**/*", "**/**/a/**", "{**/a,**/*}/**/*/x", "a/**/a/**"} {
		p := patterns(t, text)[0]
		most := 0
		for _, a := range p.alternatives {
			most += len(a)
		}
		places := p.begin(nil, 0)
		for range 20 {
			var next []place
			for _, at := range places {
				next = p.enter(next, at, "a")
			}
			places = next
			kept := map[place]bool{}
			for _, at := range places {
				kept[at] = true
			}
			if len(places) == 0 || len(kept) != len(places) || len(places) > most {
				t.Fatalf("%s: %v", text, places)
			}
		}
	}
}

// TestPatternBare asks which patterns also mean NAME.*.
func TestPatternBare(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          match
	}{
		{"intro", "intro", exact},
		{"intro", "intro.md", extended},
		{"intro", "intro.md.bak", extended},
		{"intro", "intro.", extended},
		{"intro", "introduction.md", different},
		{"intro", "docs/intro.md", different},
		{"docs/intro", "docs/intro.md", extended},
		{"*/intro", "docs/intro.md", extended},
		{"**/intro", "docs/intro.md", extended},
		{"**/intro", "intro.md", extended},
		{"{docs,x}/intro", "docs/intro.md", extended},
		{"a.b", "a.b.c", extended},
		{`a\*`, "a*.md", extended},
		{"intr?", "intro.md", different},
		{"{intro,x}", "intro.md", different},
		{"{docs/intro,x}", "docs/intro.md", different},
		{"[i]ntro", "intro.md", different},
		{".env", ".env.local", different},
		{".hidden/a", ".hidden/a.md", extended},
	} {
		if got := patterns(t, tt.pattern)[0].match(tt.path); got != tt.want {
			t.Errorf("%s, %s: %d, want %d", tt.pattern, tt.path, got, tt.want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for _, path := range append(shelf, `\x.md`, "c:x.md", "**", "*", "a{b", "[", strings.Repeat("d/", 1500)+"x.md", "..x/...", "docs//./a.md") {
		p, err := Literal(path)
		if err != nil {
			t.Errorf("%.40q: %v", path, err)
			continue
		}
		for _, other := range append(shelf, path, path+".md", "x"+path) {
			want := other == path && path != "docs//./a.md" || path == "docs//./a.md" && other == "docs/a.md"
			if p.match(other) == exact != want || p.match(other) == extended {
				t.Errorf("%.40q matches %.40q: %v, want %v", path, other, !want, want)
			}
		}
	}
	for _, path := range []string{"", "/a", "../a", "a/..", "a/", ".", "a\x00", "a\xff", "a.md.mustache", strings.Repeat("x", maxLiteral+1)} {
		if _, err := Literal(path); err == nil {
			t.Errorf("%.40q is a path", path)
		} else if e, ok := errors.AsType[*Error](err); !ok || e.Type != InvalidPattern {
			t.Errorf("%.40q: %v", path, err)
		}
	}
}

// BenchmarkPattern reads patterns that are made to take long, and matches one that
// goes back again and again.
func BenchmarkPattern(b *testing.B) {
	for name, text := range map[string]string{
		"braces":    strings.Repeat("{a,aa}", 30),
		"nested":    strings.Repeat("{a,", 249) + strings.Repeat("}", 249),
		"single":    strings.Repeat("{a}", 333),
		"allowed":   strings.Repeat("{a,b}", 6) + strings.Repeat("{c}", 300),
		"deep":      strings.Repeat("{", 499) + "a" + strings.Repeat("}", 499),
		"long":      strings.Repeat("x", 10_000),
		"folders":   strings.Repeat("**/", 300) + "x",
		"slashes":   "{" + strings.Repeat("a,", 63) + "a}/" + strings.Repeat("*/", 400) + "x",
		"classes":   strings.Repeat("[a-z]", 200),
		"unclosed":  strings.Repeat("{[", 500),
		"leaving":   "../**",
		"backslash": strings.Repeat(`\a`, 499),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, _ = ParsePattern(text)
			}
		})
	}
	p := patterns(b, strings.Repeat("*a", 400)+"b")[0]
	name := strings.Repeat("a", 255)
	b.Run("match", func(b *testing.B) {
		for b.Loop() {
			if p.Match(name) {
				b.Fatal("matched")
			}
		}
	})
}

// TestPatternProblem says of a pattern what is wrong, and not the rules.
func TestPatternProblem(t *testing.T) {
	for text, want := range map[string]string{"*.md": "", "../a.md": `the pattern "../a.md" is not valid: `} {
		got := PatternProblem(text)
		if want == "" && got != "" || !strings.HasPrefix(got, want) || strings.Contains(got, patternRules) {
			t.Errorf("%q: %s", text, got)
		}
	}
}
