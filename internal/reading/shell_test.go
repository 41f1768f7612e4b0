package reading

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// special is what some shell takes for more than itself, wherever it stands, but for
// what a single completion may have, which is quoted.
const special = "!\"$&'()*;<>?[\\]^`{|}~\t\r\n\x00"

// What a shell is handed in brackets: a word, or of a single completion words in quotes.
var (
	inBrackets = regexp.MustCompile(`^([^\[@]+)\[([^\["\-:@+=%][^\["]*)\]`)
	inQuotes   = regexp.MustCompile(`^([^\[@]+)\["([^\["]+)"\]$`)
)

// checkForShell is the law of what a shell is handed.
func checkForShell(t *testing.T, found []replies.Completion) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range found {
		also, selector := " #,", inBrackets.ReplaceAllString(c.Selector, "$1/$2")
		if len(found) == 1 {
			also, selector = "", inQuotes.ReplaceAllString(selector, "$1/$2")
		}
		if selector == "" || seen[c.Selector] || strings.ContainsAny(selector, special+also) || strings.ContainsAny(selector[:1], "-:+=%") ||
			strings.Contains(selector, "  ") {
			t.Errorf("a shell is handed %q", c.Selector)
		}
		seen[c.Selector] = true
		for _, r := range c.Selector {
			if r >= 0x80 && !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd) {
				t.Errorf("a shell is handed %q with %U", c.Selector, r)
			}
		}
		if replies.Safe(c.Selector) != c.Selector || replies.Safe(c.Description) != c.Description || strings.ContainsAny(c.Description, "\t\r\n") {
			t.Errorf("a shell is handed %q, described as %q", c.Selector, c.Description)
		}
	}
}

func TestForShell(t *testing.T) {
	doc := func(titles ...string) []replies.Completion {
		src := mustParse(t, "## "+strings.Join(titles, "\n\n## ")+"\n")
		found, _ := HeadingAddresses(src, "", 100)
		PlainAddresses(src, "", found)
		return found
	}
	named := func(names ...string) (found []replies.Completion) {
		for _, name := range names {
			found = append(found, replies.Completion{Selector: name})
		}
		return found
	}
	for _, tt := range []struct {
		found []replies.Completion
		typed string
		want  string
	}{
		{doc("Use", "Install it", "Größe", "日本語", "a;b", "--help", "@document", "“q”", "a–b", "C#", "a, b"), "", "Use h2.1 Größe 日本語 h2.4 h2.5 h2.6 h2.7 h2.8 h2.9 h2.10"},
		{doc("Use", "Use"), "", "h2.0 h2.1"},
		{doc("$(x)"), "$", "h2.0"},
		{named("a b"), "a", "a b"},
		{named("a b"), "", ""},
		{named("## a, b"), "#", "## a, b"},
		{named("a > b"), "a", ""},
		{named("a  b"), "a", ""},
		{named("a -b"), "a", ""},
		{named("a b", "a c"), "a", ""},
		{named("a", "a", "a=b", "a:b", "=b", "a/b.md"), "a", "a a=b a:b a/b.md"},
		{named("task[open]", "task[done]", "a/code[c++].1"), "t", "task[open] task[done] a/code[c++].1"},
		{named(`task["Buy milk"]`), "task[", `task["Buy milk"]`},
		{named(`task["a"]`, `task["b"]`), "task[", ""},
		{named(`task["$(x)"]`), "task[", ""},
		{named("task[]", "[a]", "a[b", "a]b[", "a[b][c]", "a[*]", "a[-b]"), "a", ""},
		{named("@frontmatter.a", "@frontmatter.b"), "@f", "@frontmatter.a @frontmatter.b"},
		{named("@frontmatter.a", "@frontmatter.b"), "", ""},
		{named("x\u200d", "y\u202e", "z\ufe0f", "\xff", "q\u3164"), "", ""},
	} {
		got := replies.ForShell(tt.found, tt.typed)
		checkForShell(t, got)
		var texts []string
		for _, c := range got {
			texts = append(texts, c.Selector)
		}
		if joined := strings.Join(texts, " "); joined != tt.want {
			t.Errorf("%q typed: %q, want %q", tt.typed, joined, tt.want)
		}
	}
}

// FuzzForShell completes any text in any document: whatever its titles say, a shell is
// handed plain text, each of which stands for one part.
func FuzzForShell(f *testing.F) {
	f.Add([]byte(installs), "Inst")
	f.Add([]byte("# a\"$(b)\"1\n\n# a\"$(b)\"2\n"), "a")
	f.Add([]byte("# `a b`\n\n# -x\n\n## ~\n"), "")
	f.Fuzz(func(t *testing.T, src []byte, typed string) {
		doc, err := markdown.Parse(src)
		if err != nil {
			t.Skip()
		}
		found, _ := HeadingAddresses(doc, typed, 20)
		PlainAddresses(doc, typed, found)
		found = append(found, replies.Completion{Selector: string(src), Description: typed})
		offered := replies.ForShell(found[:len(found)-1], typed)
		checkForShell(t, offered)
		checkForShell(t, replies.ForShell(found, typed))
		for _, c := range offered {
			if _, err := address.Resolve(doc, c.Selector); err != nil {
				t.Errorf("%q: %v", c.Selector, err)
			}
		}
	})
}
