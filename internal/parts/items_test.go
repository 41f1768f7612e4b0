package parts

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestItems looks for items in the first list of documents.
func TestItems(t *testing.T) {
	for _, c := range []struct {
		doc, text string
		want      bool
	}{
		{"1. a\n2. a\n3. b\n", "7. a\n8. b\n", true},
		{"1. a\n2. b\n3. a\n4. b\n5. c\n", "1. a\n2. b\n3. c\n", true},
		{"1. a\n2. a\n3. b\n4. a\n5. a\n6. a\n7. b\n8. c\n", "1. a\n2. a\n3. b\n4. a\n5. c\n", false},
		{"1. a\n2. a\n3. b\n4. a\n5. a\n6. b\n7. c\n", "1. a\n2. a\n3. b\n4. c\n", true},
		{"1. a\n2. b\n", "1. b\n2. c\n", false},
		{"1. a\n", "1) a\n", false},
		{"1. a\n", "- a\n", false},
		{"1. a\n", "1. a\n\ntext\n", false},
		{" 9.  a\n\n     b\n", "10. a\n\n    b\n", true},
		{"1.     code\n2. x\n", "3. code\n", false}, // code is no paragraph
		{"1. code\n", "2.     code\n", false},
		{"1.     code\n", "10.     code\n", true},
		{"1.\tcode\n", "2. code\n", true},
		{"1.   \n   a\n", "2.\n   a\n", true},
		{"1. a\n", "2. a\r\n", true},
		{"1.    a\n    - x\n", "2. a\n   - x\n", false}, // text of the paragraph
		{"1.    > b\n    > c\n", "2. > b\n   > c\n", false},
		{"1.    a\n      - x\n", "2. a\n   - x\n", true},
	} {
		doc, err := markdown.Parse([]byte(c.doc))
		if err != nil {
			t.Fatal(err)
		}
		text, err := markdown.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if items := ItemsOf(text); (items != nil && items.In(doc, 0)) != c.want {
			t.Errorf("%q in %q: want %v", c.text, c.doc, c.want)
		}
	}
}

// TestItemsEqual looks for many items in more that are the same but for the last: in a time that
// grows with both and not with their product, which would be minutes.
func TestItemsEqual(t *testing.T) {
	doc, err := markdown.Parse([]byte(strings.Repeat("1. x\n", 400_000)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := markdown.Parse([]byte(strings.Repeat("1. x\n", 200_000) + "1. y\n"))
	if err != nil {
		t.Fatal(err)
	}
	if ItemsOf(text).In(doc, 0) {
		t.Error("the last item isn't there")
	}
}

// TestOccurrences looks for a sequence in another one, also where it stands within itself.
func TestOccurrences(t *testing.T) {
	for _, c := range []struct {
		in, want string
		at       []int
	}{
		{"aaaa", "aa", []int{0, 1, 2}},
		{"abababcab", "abab", []int{0, 2}},
		{"abacabab", "abab", []int{4}},
		{"a", "ab", nil},
		{"a", "", nil},
	} {
		if at := slices.Collect(Occurrences([]byte(c.in), []byte(c.want))); !slices.Equal(at, c.at) {
			t.Errorf("%q in %q: %v, want %v", c.want, c.in, at, c.at)
		}
	}
}
