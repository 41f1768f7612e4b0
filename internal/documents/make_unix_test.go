//go:build unix

package documents

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
)

// TestMakeFoldersNowhere: a folder that nothing can lead to isn't there, whatever right somebody has.
func TestMakeFoldersNowhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"loop": "circle", strings.Repeat("x", 300): "no file can have this name"} {
		_, _, err := (&Set{}).MakeFolders(t.Context(), filepath.Join(dir, name, "x.md"), nil, true)
		if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != fileerror.NotFound || !strings.Contains(e.Reason, want) {
			t.Errorf("%.20s: %v", name, err)
		}
	}
}
