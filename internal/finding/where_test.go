package finding

import (
	"strings"
	"testing"
)

// TestWhere tells where a text has what was asked for.
func TestWhere(t *testing.T) {
	for _, c := range []struct{ query, match, text, want string }{
		{"proxy", "", "A proxy behind proxies.", "A [proxy] behind [proxies]."},
		{`"behind a" -proxy`, MatchWords, "It is behind a proxy, a wall.", "It is [behind] [a] proxy, [a] wall."},
		{"inst*", "", "Install the installer", "[Install] the [installer]"},
		{"日本", "", "名前は日本です", "名前は[日本]です"},
		{"aa", MatchText, "aaaa baa", "[aa][aa] b[aa]"},
		{"Aa", MatchText, "aaAaa", "aa[Aa]a"},
		{"b?", MatchRegex, "abc", "a[b]c"},
		{"b?", MatchRegex, strings.Repeat("a", 2*maxWhere) + "b", strings.Repeat("a", 2*maxWhere) + "[b]"},
		{"(", MatchRegex, "a(b", "a(b"},
		{"", "", "text", "text"},
	} {
		got, from := "", 0
		for _, p := range Where(SearchRequest{Query: c.query, Match: c.match})(c.text) {
			got, from = got+c.text[from:p[0]]+"["+c.text[p[0]:p[1]]+"]", p[1]
		}
		if got += c.text[from:]; got != c.want {
			t.Errorf("%q, %s: %s, want %s", c.query, c.match, got, c.want)
		}
	}
}
