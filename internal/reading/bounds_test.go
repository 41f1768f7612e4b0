package reading

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestBoundsLimited is the law of bounds of limited length: as much of the name is
// there as fits.
func TestBoundsLimited(t *testing.T) {
	testkit.OneGoroutine(t)
	type bounds struct {
		Name  string `json:"section_name"`
		First int    `json:"start_line"`
		Level string
		Hint  string
	}
	for _, unit := range []string{"x", "word ", `"`, `\`, "漢", "👩", "\u202E", "<&>"} {
		for _, n := range []int{1, 350, 395, 400, 410, 420, 430, 440, 450, 50_000} {
			for _, limit := range []int{0, 500, 501, 502, 503, 40_000} {
				name := strings.TrimSpace(strings.Repeat(unit, n/utf8.RuneCountInString(unit)+1))
				docs := func() documents.Set {
					return documents.Set{Paths: []string{documents.Stdin}, Stdin: strings.NewReader("# A\n\n## " + name + "\n\ntext\n")}
				}
				text, err := Bounds(docs(), BoundsRequest{Heading: "L3", Single: true, MaxChars: limit})
				var got bounds
				if err == nil {
					err = json.Unmarshal(text, &got)
				}
				if err != nil || got.First != 3 || got.Level != "H2" {
					t.Fatalf("%q in %d: %v, %+v", unit, limit, err, got)
				}
				whole, err := Bounds(docs(), BoundsRequest{Heading: "L3", Single: true})
				if err != nil {
					t.Fatal(err)
				}
				size := utf8.RuneCount(text)
				if limit == 0 || utf8.RuneCount(whole) <= limit {
					if !bytes.Equal(text, whole) {
						t.Errorf("%d times %q in %d: it fits and is another: %.300s", n, unit, limit, text)
					}
					continue
				}
				cut, is := strings.CutSuffix(got.Name, "…")
				if size > limit || size < limit-1 || !is || !strings.HasPrefix(replies.Safe(name), cut) || got.Hint == "" {
					t.Errorf("%d times %q in %d: %d characters: %.300s", n, unit, limit, size, text)
				}
			}
		}
	}
	_, err := Bounds(documents.Set{Paths: []string{documents.Stdin}}, BoundsRequest{Heading: "A", Single: true, MaxChars: 499})
	if e, ok := errors.AsType[*replies.Error](err); !ok || e.Message.String() != "max_chars must be at least 500" {
		t.Errorf("499 characters: %v", err)
	}
}
