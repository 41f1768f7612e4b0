package textlines

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestPlain finds each range of a text without its line endings where it stands with them.
func TestPlain(t *testing.T) {
	for _, src := range []string{"", "ab", "a\nb\n", "a\r\nb\r\n", "a\r\n\r\n\nb\r\rc\r\n", "\r\n", "\n\r\n\r"} {
		for begin := 0; begin <= len(src); begin++ {
			if begin > 0 && strings.HasSuffix(src[:begin], "\r") && strings.HasPrefix(src[begin:], "\n") {
				continue
			}
			p := PlainOf([]byte(src), markdown.Span{Start: begin, End: len(src)})
			if got, want := string(p.Text), WithEnding(src[begin:], "\n"); got != want {
				t.Errorf("%q is %q, want %q", src[begin:], got, want)
			}
			for i := 0; i <= len(p.Text); i++ {
				s := p.In(markdown.Span{Start: i, End: len(p.Text)})
				if got := WithEnding(src[s.Start:s.End], "\n"); got != string(p.Text[i:]) {
					t.Errorf("%q from %d is at %v: %q", p.Text, i, s, got)
				}
			}
		}
	}
}
