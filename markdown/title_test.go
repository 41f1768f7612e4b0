package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTitle(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"# Plain", "Plain"},
		{"# *a* `b` [c](d) ![e](f)<br>&amp; \\*", "a b c e& *"},
		{"#", ""},
		{"## ##", ""},
		{"a\nb *c*\n===", "a b c"},
		{"> a\n> b\n> ---", "a b"},
		{"- > a\n  > b\n  > ---", "a b"},
		{"# [a] [b]\n\n[a]: /u", "a [b]"},
		{"> # [two words]\n>\n> [two\n> words]: /u", "two words"},
		{"# a[^1] b[^2]\n\n[^1]: note", "a b[^2]"},
		{"no heading", ""},
	} {
		d := mustParse(t, tt.src, Options{})
		for i := range d.Blocks {
			if k := d.Blocks[i].Kind; k == Heading || k == Paragraph {
				if got := d.Title(i); got != tt.want {
					t.Errorf("%q: title %q, want %q", tt.src, got, tt.want)
				}
				if got := string(d.AppendTitle([]byte("- "), i)); got != "- "+tt.want {
					t.Errorf("%q: appended %q, want %q", tt.src, got, "- "+tt.want)
				}
				break
			}
		}
	}
}

// TestTitleOfAHugeHeading reads the beginning of a title, in whole characters, by the
// memory of that and not of all.
func TestTitleOfAHugeHeading(t *testing.T) {
	for _, piece := range []string{"*_", "ü", "[", "a b "} {
		doc := mustParse(t, "# "+strings.Repeat(piece, 3*maxTitle/len(piece))+"\n", Options{})
		title := doc.Title(0)
		if len(title) == 0 || len(title) > maxTitle || !utf8.ValidString(title) {
			t.Errorf("%q: %d bytes", piece, len(title))
		}
	}
	lines := mustParse(t, strings.Repeat("a line\n", maxTitle/3)+"===\n", Options{})
	if title := lines.Title(0); len(title) > maxTitle || !strings.HasPrefix(title, "a line a line") {
		t.Errorf("%d bytes", len(title))
	}
}

// TestTextsOfBlocks: paragraphs, headings and cells have texts, and no other block has one.
func TestTextsOfBlocks(t *testing.T) {
	doc, err := Parse([]byte("a *b*\\\n[c][d] \n\n- [x]  e  f \n\n> g\n> `h\n> i`[^n]\n\n| j \\| k | ~~l~~ |\n|-|-|\n\n# m\n\n[d]: u\n[^n]: o\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for b := range doc.Blocks {
		if text := doc.PlainText(b); text != "" {
			got = append(got, text)
		}
	}
	if text := strings.Join(got, ","); text != "a b c,e f,g h i,j | k,l,m,o" {
		t.Error(text)
	}
}
