package markdown

import "testing"

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
