package selecting

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestSelectionIsOneReading asks for a document that can be read only once.
func TestSelectionIsOneReading(t *testing.T) {
	src := []byte("# A\n\ntext\n\n## B\n\nmore\n")
	once := func() documents.Set {
		return documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
	}

	var text, structured, wantText, want, none bytes.Buffer
	if err := Index(t.Context(), once(), IndexRequest{MaxChars: 10_000, Structured: &structured}, &text, &text); err != nil {
		t.Fatal(err)
	}
	_ = Index(t.Context(), once(), IndexRequest{MaxChars: 10_000}, &wantText, &none)
	_ = Index(t.Context(), once(), IndexRequest{JSON: true}, &want, &none)
	if text.String() != wantText.String() || structured.String() != want.String() {
		t.Errorf("index: %s%s", text.String(), cmp.Diff(want.String(), structured.String()))
	}
	for _, selector := range []string{"h2.0", "h1", "h2.9", "x"} {
		for _, b := range []*bytes.Buffer{&text, &structured, &wantText, &want} {
			b.Reset()
		}
		req := SelectRequest{Selector: selector, MaxChars: 10_000}
		_ = Select(t.Context(), once(), req, &wantText, &none)
		req.Structured = &structured
		_ = Select(t.Context(), once(), req, &text, &text)
		_ = Select(t.Context(), once(), SelectRequest{Selector: selector, JSON: true}, &want, &none)
		if text.String() != wantText.String() || structured.String() != want.String() {
			t.Errorf("%s: %s%s", selector, text.String(), cmp.Diff(want.String(), structured.String()))
		}
	}
}

// TestSelectionsInLimit leaves JSON out that is longer than the reply may be, of
// as many documents as there may be; the text is there.
func TestSelectionsInLimit(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Chdir(t.TempDir())
	paths := testkit.WriteDocuments(t, ".", []testkit.CorpusFile{
		{Name: "a.md", Data: testkit.HeadingDocument(2000, 2000)},
		{Name: "b.md", Data: testkit.HeadingDocument(1)},
		{Name: "c.md", Data: []byte("# C\n\nlast\n")},
		{Name: "d.md", Data: testkit.HeadingDocument(110)},
	})
	there, without := 0, 0
	for _, list := range [][]string{paths, paths[:1], paths[1:3], {paths[2], paths[1], "missing.md"}, {paths[3], paths[1]}} {
		for _, limit := range []int{500, 1000, 2000, 40_000} {
			docs := documents.Set{Paths: list}
			requests := map[string]func(out, structured io.Writer, asJSON bool) error{
				"index": func(out, structured io.Writer, asJSON bool) error {
					return Index(t.Context(), docs, IndexRequest{Literal: true, MaxChars: limit, Structured: structured, JSON: asJSON}, out, out)
				},
			}
			for _, selector := range []string{"h1.0", "h1", "h2", "para", "h9"} {
				requests[selector] = func(out, structured io.Writer, asJSON bool) error {
					req := SelectRequest{Selector: selector, Literal: true, MaxChars: limit, Structured: structured, JSON: asJSON}
					return Select(t.Context(), docs, req, out, out)
				}
			}
			for name, request := range requests {
				var out, structured, alone bytes.Buffer
				_ = request(&out, &structured, false) // a file is missing now and then
				_ = request(&alone, nil, true)
				if n := replies.Chars(out.Bytes()); n == 0 || n > limit {
					t.Errorf("%s of %q in %d: a text of %d characters", name, list, limit, n)
				}
				switch n := replies.Chars(structured.Bytes()); {
				case n > limit:
					t.Errorf("%s of %q in %d: JSON of %d characters", name, list, limit, n)
				case n == 0 && replies.Chars(alone.Bytes()) > limit:
					without++
				default:
					there++
					if diff := cmp.Diff(alone.String(), structured.String()); diff != "" {
						t.Errorf("%s of %q in %d: not the JSON that there is without a text: %s", name, list, limit, diff)
					}
				}
			}
		}
	}
	if there < 20 || without < 20 {
		t.Errorf("JSON %d times, and %d times none", there, without)
	}
}
