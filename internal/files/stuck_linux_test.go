package files

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// TestFileWithoutName: what is open, and has no name that it could be replaced by, isn't said to be changed by
// another program.
func TestFileWithoutName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	write(t, path, "old")
	removed, err := os.Open(path)
	if err == nil {
		defer removed.Close()
		err = os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.MemfdCreate("a.md", 0)
	if err != nil {
		t.Fatal(err)
	}
	memory := os.NewFile(uintptr(fd), "memory")
	defer memory.Close()
	for _, f := range []*os.File{removed, memory} {
		path := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
		err := Update(t.Context(), []string{path}, UpdateOptions{}, put(path, "new"))
		if codeOf(err) != fileerror.IOError || !strings.Contains(reasonOf(err), "has no name") {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
}

// TestLease: who has a lease on a file, as servers of files take, is waited for, and told of if it stays.
func TestLease(t *testing.T) {
	told := make(chan os.Signal, 100)
	signal.Notify(told, unix.SIGIO)
	defer signal.Stop(told)
	for _, lease := range []int{unix.F_RDLCK, unix.F_WRLCK} { // the second one keeps others from reading, too
		path := filepath.Join(t.TempDir(), "a.md")
		write(t, path, "old")
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		if _, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, lease); err != nil {
			t.Skip("no lease is given here: " + err.Error())
		}
		u := &update{seek: seekHost(nil), limit: 100, patience: 10 * time.Millisecond}
		if err := u.run(t.Context(), []string{path}, put(path, "new")); !strings.Contains(reasonOf(err), "another program has it open for writing, or a lease on it") {
			t.Errorf("%d stays: %v", lease, err)
		}
		<-told
		givenBack := make(chan error, 1)
		go func() {
			time.Sleep(200 * time.Millisecond)
			_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
			givenBack <- err
		}()
		if err := Update(t.Context(), []string{path}, UpdateOptions{}, put(path, "new")); err != nil {
			t.Errorf("%d is given back: %v", lease, err)
		}
		if err := <-givenBack; err != nil {
			t.Errorf("%d: the lease isn't given back: %v", lease, err)
		}
		expect(t, filepath.Dir(path), map[string]string{"a.md": "new"})
	}
}
