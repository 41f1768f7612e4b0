package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// TestPassagesWithinMemory: a part that is asked for many times is in a reply of any length as often,
// within the budget.
func TestPassagesWithinMemory(t *testing.T) {
	text := "# A\n\n" + strings.Repeat("some words\n", 20_000)
	title := "# " + strings.Repeat("t", 50_000) + "\n\n## B\n"
	for _, c := range []struct {
		src, address string
		times        int
		json, fails  bool
	}{
		{text, "A", 20, false, false},
		{text, "A", 40, false, true},
		{text, "A", 20, true, true},
		{text, "A", 10, true, false},
		{title, "B", 100, false, false},
		{title, "B", 100, true, true},
	} {
		work := documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil)
		req := ReadRequest{Headings: slices.Repeat([]string{c.address}, c.times), JSON: c.json, work: work}
		_, err := readIn(mustParse(t, c.src), "a.md", req)
		work.End()
		if (err != nil) != c.fails || err != nil && replies.AsError(err).Code != replies.CodeTooComplex {
			t.Errorf("%s %d times, JSON %v: %v", c.address, c.times, c.json, err)
		}
	}
}

// TestPassagesKeepWhatIsShown: of a part that doesn't fit no more is kept than what fits.
func TestPassagesKeepWhatIsShown(t *testing.T) {
	doc := mustParse(t, "# A\n\n"+strings.Repeat("some words\n", 20_000))
	const times, chars = 20, 10_000
	r := newReading(doc, "a.md", ReadRequest{Headings: slices.Repeat([]string{"A"}, times), MaxChars: chars})
	if err := r.resolveAll(); err != nil {
		t.Fatal(err)
	}
	passages := make([]*passage, times)
	for i := range passages {
		p := r.resolved[i]
		passages[i] = &p
	}
	if _, err := r.reply(passages); err != nil {
		t.Fatal(err)
	}
	for _, p := range passages {
		if cap(p.text) > chars {
			t.Fatalf("%d bytes are kept of one", cap(p.text))
		}
	}
}
