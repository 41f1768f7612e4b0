package selecting

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
)

// TestNothingTold says of what isn't found what stands deeper.
func TestNothingTold(t *testing.T) {
	dir := t.TempDir()
	var set documents.Set
	for i := range 2 {
		path := filepath.Join(dir, fmt.Sprintf("k%d.md", i))
		if err := os.WriteFile(path, []byte("- a\n- b\n\n> ```\n> c\n> ```\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		set.Paths = append(set.Paths, path)
	}
	for _, c := range []struct {
		selector string
		files    int
		want     string
	}{
		{"item", 1, "No matches: document has no items, but 2 items stand deeper in it\n~list.0/item.0 ~list.0/item.1\n"},
		{"code", 1, "No matches: document has no code blocks, but 1 code block stands deeper in it\n~quote.0/code.0\n"},
		{"code.0", 1, "document has no code blocks, but 1 code block stands deeper in it\n~quote.0/code.0\n"},
		{"table", 1, "No matches: document has no tables\n"},
		{"table", 2, "No matches found in any document\n"},
	} {
		docs := set
		docs.Paths = set.Paths[:c.files]
		req := SelectRequest{Selector: c.selector, MaxChars: 1000}
		var out, errs bytes.Buffer
		if err := Select(t.Context(), docs, req, &out, &errs); !errors.Is(err, ErrNothing) {
			t.Fatal(err)
		}
		if got := out.String() + errs.String(); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
