package files

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/fileerror"
)

// TestFolderThatKeepsNames: in a folder in which nothing can be renamed or removed no copy is made.
func TestFolderThatKeepsNames(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "old")
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	const appendOnly = 0x20 // FS_APPEND_FL
	fd := int(folder.Fd())
	flags, err := unix.IoctlGetUint32(fd, unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, int(flags)|appendOnly)
	}
	if err != nil {
		t.Skip("no folder can be made append-only here: " + err.Error()) // it takes root
	}
	defer func() { _ = unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, int(flags)) }()
	for _, name := range []string{"a.md", "new.md"} {
		path := filepath.Join(dir, name)
		if err := Update(t.Context(), []string{path}, UpdateOptions{}, put(path, "new")); codeOf(err) != fileerror.Permission {
			t.Errorf("%s: %v", name, err)
		}
	}
	expect(t, dir, map[string]string{"a.md": "old"})
}
