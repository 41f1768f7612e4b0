//go:build unix

package finding

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestNamesForgeNoLines: a file's name makes no line of its own, and acts on no terminal.
func TestNamesForgeNoLines(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"x\nb.md:1-9 h9.9 #0 \x1b[2JF.md": "# One\n\nalpha\n", "z.md": "# One\n\nalpha\n"})
	for _, req := range []SearchRequest{{Query: "alpha"}, {Query: "alpha", Match: MatchText}, {Query: "alpha", Names: true}} {
		got, err := answerOf(t, dir, req)
		if err != nil || strings.Contains(got, "\nb.md") || strings.Contains(got, "\x1b") || !strings.Contains(got, "b.md:1-9") {
			t.Errorf("%+v: %q, %v", req, got, err)
		}
	}
}
