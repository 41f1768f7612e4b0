package linking

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestLinksWithinMemory: a document whose links take more than the program may have is named,
// and the others are answered.
func TestLinksWithinMemory(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		"a.md": "# Head\n\n" + strings.Repeat("[x](#head) ", 150_000),
		"b.md": "# Other\n\n[gone](#gone) [there](a.md#head)\n",
	})
	for _, c := range []struct {
		memory int64
		failed string
		links  int
	}{
		{documents.MinMaxMemory, replies.CodeTooComplex + " " + filepath.Join(dir, "a.md"), 2},
		{0, "", 150_002},
	} {
		work := documents.NewMemory(c.memory).Begin(t.Context(), nil)
		failed := ""
		var text strings.Builder
		res, err := Links(t.Context(), documents.Set{Paths: []string{dir}, Work: work, MaxBytes: 1 << 30}, &Request{Tells: true},
			func(part []byte) error { text.Write(part); return nil },
			func(e *replies.Error) error {
				failed = e.Code + " " + e.Path
				return nil
			})
		work.End()
		if err != nil || failed != c.failed || res.Links != c.links || res.Broken != 1 {
			t.Errorf("with %d bytes: %+v, %v, failed: %q", c.memory, res, err, failed)
		}
		for _, told := range []string{"a.md can't be read: its", "a.md#head: unknown, the document can't be read\n"} {
			if strings.Contains(text.String(), told) == (c.failed == "") {
				t.Errorf("with %d bytes: %q is told of or not: %.500s", c.memory, told, text.String())
			}
		}
	}
}
