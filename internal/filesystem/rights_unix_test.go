//go:build unix

package filesystem

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// ignoring is a file on a file system that takes modes and owners, and ignores them.
type ignoring struct{ *os.File }

func (ignoring) Chmod(os.FileMode) error { return nil }

func (ignoring) Chown(int, int) error { return nil }

// TestIgnoredRights: a mode, owner or group that a file system takes and ignores is an error, and one
// that the file has already is none.
func TestIgnoredRights(t *testing.T) {
	h, err := os.OpenFile(filepath.Join(t.TempDir(), "a"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	info, err := h.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, own := ignoring{h}, OwnerOf(info)
	for name, test := range map[string]struct{ kept, ignored error }{
		"mode":  {second(KeepMode(f, 0o600)), second(KeepMode(f, 0o640))},
		"owner": {KeepOwner(f, own), KeepOwner(f, Owner{own.User + 1, own.Group})},
		"group": {KeepGroup(f, Owner{own.User + 1, own.Group}), KeepGroup(f, Owner{own.User, own.Group + 1})},
	} {
		if test.kept != nil || !errors.Is(test.ignored, ErrIgnored) {
			t.Errorf("%s: %v, %v", name, test.kept, test.ignored)
		}
	}
	if info, err := KeepMode(h, 0o640); err != nil || info.Mode() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
}

func second(_ fs.FileInfo, err error) error { return err }
