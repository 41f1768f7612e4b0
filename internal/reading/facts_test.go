package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestTags: tags are words of the text, and of nothing else that a paragraph has.
func TestTags(t *testing.T) {
	for text, want := range map[string]string{
		"#a b #c_d (#e) #1 #2f x#g": "a c_d e 2f", "# T #a\n\n#b": "a b", "> x\n> #a\n> #b": "a b", "*#a* *x #b* \\#c": "b",
		"[L](#a) [L]( #b ) ![i](c.png \"a #d\")": "", "[l #a](x) [l](#b) #c": "a c", "`a #define b` #c": "c", "`a\n#b`": "", "<b title=' #a'> #b": "b", "<!-- #a -->b": "",
		"[a][ #b ]\n\n[ #b ]: c": "", "&amp; #a": "a", "a  \n#b": "b", "## T {.c #id}": "", "T {#id .c}\n===": "",
	} {
		doc, err := markdown.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		s := sectionReader{doc: doc}
		if got := s.tagsIn(0, len(doc.Blocks)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}
