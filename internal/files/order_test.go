package files

import (
	"errors"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/testkit"
)

// TestReceiversFirst: a file that gets a line is in place before the one that loses it, though that gets longer too and
// comes first by its name: whenever the change is killed the line is in one of both.
func TestReceiversFirst(t *testing.T) {
	t.Parallel()
	r := openRoots(t, RootOptions{}, testkit.Folder(t, map[string]string{"a.md": "# A\n\nmoved\n", "b.md": "# B\n", "c.md": "# C\n"}))
	var placed []string
	ctx := filesystem.WithSteps(t.Context(), func(call, name string) error {
		if (call == "exchange" || call == "rename") && len(name) == len("a.md") {
			placed = append(placed, name)
		}
		return nil
	})
	err := r.Update(ctx, []string{"a.md", "b.md", "c.md"}, func(tx *Tx) error {
		return errors.Join(tx.Remove("c.md"), tx.Write("a.md", []byte("# A\n\na longer line\n")), tx.Write("b.md", []byte("# B\n\nmoved\n")))
	})
	if err != nil || !slices.Equal(slices.Compact(placed), []string{"b.md", "a.md"}) {
		t.Errorf("%q, %v", placed, err)
	}
}
