package fileinfo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// TestIsSame compares paths that lead to one folder, to two, and to none.
func TestIsSame(t *testing.T) {
	dir := t.TempDir()
	other, link, none := filepath.Join(dir, "other"), filepath.Join(dir, "link"), filepath.Join(dir, "none")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, link); err != nil {
		testkit.Missing(t, err.Error())
	}
	if !fileinfo.IsSame(link, other) || fileinfo.IsSame(dir, other) || fileinfo.IsSame(none, none) {
		t.Errorf("%v, %v, %v", fileinfo.IsSame(link, other), fileinfo.IsSame(dir, other), fileinfo.IsSame(none, none))
	}
}
