package reading

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
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

// TestJSONWithinMemory: a reply in JSON of any length, in which each control character is six bytes, is
// refused where there is no memory for that, and the same text is there, as is another one of the size.
func TestJSONWithinMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	const size = 2 << 20
	body := func(unit string) string { return "# A\n\n" + strings.Repeat(unit, size/len(unit)) + "\n" }
	titles := func(unit string) string {
		return strings.Repeat("## "+strings.Repeat(unit, 1000/len(unit))+"\n\ntext\n\n", size/1000)
	}
	read := func(req ReadRequest) func(documents.Set) error {
		return func(docs documents.Set) error {
			_, err := Read(docs, req)
			return err
		}
	}
	for name, c := range map[string]struct {
		make func(unit string) string
		ask  func(json bool) func(documents.Set) error
	}{
		"section": {body, func(json bool) func(documents.Set) error { return read(ReadRequest{Heading: "A", JSON: json}) }},
		"sections": {body, func(json bool) func(documents.Set) error {
			return read(ReadRequest{Headings: []string{"A"}, JSON: json})
		}},
		"lines": {body, func(json bool) func(documents.Set) error {
			return read(ReadRequest{StartLine: 1, EndLine: 3, JSON: json})
		}},
		"complete": {body, func(json bool) func(documents.Set) error { return read(ReadRequest{Complete: true, JSON: json}) }},
		"tree": {titles, func(json bool) func(documents.Set) error {
			if !json {
				return nil
			}
			return func(docs documents.Set) error {
				return failedIn(func(emit func(documents.Part) error) error { return Tree(t.Context(), docs, TreeRequest{}, emit) })
			}
		}},
		"list": {titles, func(json bool) func(documents.Set) error {
			if !json {
				return nil
			}
			return func(docs documents.Set) error {
				return failedIn(func(emit func(documents.Part) error) error {
					return Sections(t.Context(), docs, SectionsRequest{JSON: true}, emit)
				})
			}
		}},
	} {
		for _, unit := range []string{"\x01", "words "} {
			path := filepath.Join(t.TempDir(), "plans", "a.md")
			if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(c.make(unit)), 0o600)); err != nil {
				t.Fatal(err)
			}
			for _, json := range []bool{true, false} {
				ask := c.ask(json)
				if ask == nil {
					continue
				}
				work := documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil)
				err := ask(documents.Set{Paths: []string{path}, Work: work})
				work.End()
				refused := json && unit == "\x01"
				if (err != nil) != refused || err != nil && replies.AsError(err).Code != replies.CodeTooComplex {
					t.Errorf("%s of %q, JSON %v: %v", name, unit, json, err)
				}
			}
		}
	}
}

// failedIn returns the error of a request, or one that stands in the place of a document.
func failedIn(ask func(emit func(documents.Part) error) error) error {
	var failed error
	err := ask(func(part documents.Part) error {
		if part.Failed > 0 {
			failed = &replies.Error{Code: replies.CodeTooComplex}
			if !bytes.Contains(part.Text, []byte(replies.CodeTooComplex)) {
				failed = errors.New(string(part.Text))
			}
		}
		return nil
	})
	return errors.Join(err, failed)
}
