package edit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/markdown"
)

// whole is the range of a text.
func whole[T string | []byte](text T) markdown.Span { return markdown.Span{End: len(text)} }

func TestPlaceOf(t *testing.T) {
	long := strings.Repeat("é", 500)
	for _, test := range []struct {
		name, src, old string
		want           Place
	}{
		{"a word", "one\ntwo three\n", "three", place(2, 2, 5, "two three")},
		{"characters", "ä ö ü", "ü", place(1, 1, 5, "ä ö ü")},
		{"behind a byte order mark", "\uFEFFab", "b", place(1, 1, 2, "ab")},
		{"several lines", "a\nb c\r\nd\re\n", "c\nd\ne", place(2, 4, 3, "b c")},
		{"a line with its ending", "a\nb\nc", "b\n", place(2, 2, 1, "b")},
		{"an ending", "a\r\nb", "\n", place(1, 1, 2, "a")},
		{"no UTF-8", "\xff\xffa", "a", place(1, 1, 3, "\xff\xffa")},
		{"a long line", long + "x" + long, "x", place(1, 1, 501, "…"+long[:120]+"x"+long[:278]+"…")},
		{"at its start", "x" + long, "x", place(1, 1, 1, "x"+long[:398]+"…")},
		{"near its start", "ab x" + long, "x", place(1, 1, 4, "ab x"+long[:392]+"…")},
		{"at its end", long + "x\n", "x", place(1, 1, 501, "…"+long[:398]+"x")},
		{"not too long", long[:398] + "x\r\n", "x", place(1, 1, 200, long[:398]+"x")},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := parseText(t, test.src)
			places, total := findText(doc.Source, whole(test.src), test.old, 1)
			if total != 1 {
				t.Fatal(total)
			}
			got := placeOf(doc.Source, doc, places[0])
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if n := utf8.RuneCountInString(got.Text); n > maxExcerpt+2 {
				t.Errorf("%d characters", n)
			}
		})
	}
}

func place(first, last, column int, text string) Place {
	return Place{markdown.Lines{First: first, Last: last}, column, text}
}

func parseText(t testing.TB, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
