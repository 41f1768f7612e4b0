package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
)

// TestRootsInPlace looks at roots by their names after the folders have moved.
func TestRootsInPlace(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, inner := filepath.Join(base, "a"), filepath.Join(base, "a", "b")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	open := func(dir string, o RootOptions) *Roots {
		roots, err := OpenRoots([]string{dir}, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = roots.Close() })
		return roots
	}
	roots := open(dir, RootOptions{})
	if dirs := roots.RealDirs(); !slices.Equal(dirs, []string{dir}) {
		t.Errorf("%v", dirs)
	}
	if err := roots.InPlace(); err != nil {
		t.Error(err)
	}
	missing := func(r *Roots) []string {
		_, err := r.Resolve("reedme.md")
		e, _ := errors.AsType[*fileerror.Error](err)
		if e == nil || e.Code != fileerror.NotFound {
			t.Fatal(err)
		}
		return e.Closest
	}
	if err := os.WriteFile(filepath.Join(dir, "readme.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := missing(roots); !slices.Equal(got, []string{"readme.md"}) {
		t.Errorf("the nearest is %q", got)
	}
	if got := missing(roots.Silent()); got != nil {
		t.Errorf("silent roots name %q", got)
	}
	if err := errors.Join(os.Rename(dir, dir+"2"), os.Mkdir(dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := roots.InPlace(); err == nil {
		t.Error("another folder is taken for the root")
	}
}

func TestIsFolder(t *testing.T) {
	if !fileerror.System("a", os.NewSyscallError("read", eisdir())).IsFolder() {
		t.Error("a folder isn't told of as one")
	}
}

// eisdir returns what the system says of a folder that is read.
func eisdir() error {
	_, err := os.ReadFile(os.TempDir())
	e, _ := errors.AsType[*os.PathError](err)
	return e.Err
}

func TestUnjournaled(t *testing.T) {
	if e := unjournaled("a.md", &os.PathError{Op: "open", Path: "/state/x", Err: os.ErrPermission}); e.Path != "a.md" || e.Reason != "the journal of changes can't be written: permission denied" {
		t.Errorf("%+v", e)
	}
	if notNil(nil) == nil || string(notNil([]byte("a"))) != "a" {
		t.Error("an empty text isn't there")
	}
}
