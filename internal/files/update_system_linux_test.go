package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/testkit"
)

// What needs file systems that are full or take no writes, or users that may not do all.

// TestUpdateFullDisk has no room for the new file, and then no room for its name.
func TestUpdateFullDisk(t *testing.T) {
	if !testkit.WithMounts(t) {
		return
	}
	for name, tt := range map[string]struct {
		options string
		fill    func(dir string) error
		text    string
	}{
		"no room for bytes": {"size=64k", func(string) error { return nil }, strings.Repeat("x", 60<<10)},
		"no room for names": {"nr_inodes=3", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "b.md"), nil, 0o600)
		}, "new"},
	} {
		dir := testkit.Mount(t, tt.options)
		old := strings.Repeat("o", 20<<10)
		write(t, filepath.Join(dir, "a.md"), old)
		if err := tt.fill(dir); err != nil {
			t.Fatal(err)
		}
		r := openRoots(t, RootOptions{}, dir)
		err := r.Update(t.Context(), []string{"a.md"}, put("a.md", tt.text))
		if codeOf(err) != fileerror.NoSpace || !strings.Contains(reasonOf(err), "free some") || leaks(err, dir, "a.md") != "" {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.RemoveAll(filepath.Join(dir, "b.md")); err != nil {
			t.Fatal(err)
		}
		expect(t, dir, map[string]string{"a.md": old})
		if err := r.Update(t.Context(), []string{"a.md"}, put("a.md", "small")); err != nil {
			t.Errorf("%s, and when there is room: %v", name, err)
		}
		expect(t, dir, map[string]string{"a.md": "small"})
		r.Close()
	}
}

// TestUpdateReadOnlyFileSystem has a file system that takes no writes.
func TestUpdateReadOnlyFileSystem(t *testing.T) {
	if !testkit.WithMounts(t) {
		return
	}
	dir := testkit.Mount(t, "")
	write(t, filepath.Join(dir, "a.md"), "old")
	testkit.MountReadOnly(t, dir, true)
	r := openRoots(t, RootOptions{}, dir)
	defer r.Close()
	for _, path := range []string{"a.md", "new.md"} {
		err := r.Update(t.Context(), []string{path}, put(path, "new"))
		if codeOf(err) != fileerror.ReadOnly || !strings.Contains(reasonOf(err), "work on a copy") || leaks(err, dir, path) != "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := r.Update(t.Context(), []string{"a.md"}, put("a.md", "old")); err != nil {
		t.Errorf("the same bytes: %v", err)
	}
	expect(t, dir, map[string]string{"a.md": "old"})
}

// asNobody runs the test again, in the folder dir, as a user who has no more rights
// than others, and of groups only nobody's own and 2345.
func asNobody(t *testing.T, dir string) bool {
	t.Helper()
	if testkit.IsElsewhere(t) {
		return true
	}
	self := filepath.Join(dir, "files.test")
	copyProgram(t, self)
	const nobody = 65534
	return testkit.Elsewhere(t, self, dir, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody, Groups: []uint32{2345}}}, "TMPDIR="+dir)
}

// copyProgram copies the test binary to where all may run it.
func copyProgram(t *testing.T, to string) {
	t.Helper()
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(out, from)
	if err := errors.Join(err, out.Close(), os.Chmod(to, 0o755)); err != nil {
		t.Fatal(err)
	}
}

// TestUpdateReadOnlyFolder has a folder that can't be written to, whose files can.
func TestUpdateReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 && !asNobody(t, openFolderForAll(t)) {
		return
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "old")
	write(t, filepath.Join(dir, "b.md"), "old")
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	r := openRoots(t, RootOptions{}, dir)
	for _, path := range []string{"a.md", "new.md"} {
		err := r.Update(t.Context(), []string{"b.md", path}, put(path, "new"))
		if codeOf(err) != fileerror.Permission || !strings.Contains(reasonOf(err), "write to the folder") || leaks(err, dir, path) != "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	expect(t, dir, map[string]string{"a.md": "old", "b.md": "old"})
}

// placeForAll returns a folder for temporary files that all users reach and run programs
// from: the run's own, unless that is closed to others or takes no programs.
func placeForAll(t *testing.T) string {
	t.Helper()
	for _, place := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"} {
		var system unix.Statfs_t
		if unix.Statfs(place, &system) != nil || system.Flags&unix.ST_NOEXEC != 0 || unix.Access(place, unix.W_OK) != nil {
			continue
		}
		reached := true
		for dir := place; reached && dir != "/"; dir = filepath.Dir(dir) {
			info, err := os.Stat(dir)
			reached = err == nil && info.Mode()&0o001 != 0
		}
		if reached {
			return place
		}
	}
	testkit.Missing(t, "no folder for temporary files is open to all users and to programs")
	return ""
}

// openFolderForAll returns a folder in which all users may do all.
func openFolderForAll(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(placeForAll(t), "sectile") //nolint:usetesting // what t.TempDir makes is open to its owner alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestUpdateOfOthersFiles changes files of other users in a folder where all may
// write: whose owner or group the new file couldn't have is refused, and left as it is.
func TestUpdateOfOthersFiles(t *testing.T) {
	if os.Getuid() != 0 && !testkit.IsElsewhere(t) {
		t.Skip("only root may give files away")
	}
	const nobody = 65534
	files := map[string]struct {
		mode        os.FileMode
		user, group uint32
		code        fileerror.Code
		reason      string
	}{
		"closed.md":  {0o644, 1234, 3456, fileerror.Permission, "permission denied"},
		"open.md":    {0o666, 1234, 3456, fileerror.Permission, "its owner and group"},
		"group.md":   {0o664, 1234, 2345, "", ""},
		"setuid2.md": {0o775 | os.ModeSetuid, 1234, 2345, fileerror.Permission, "its owner and group"},
		"foreign.md": {0o664, nobody, 3456, fileerror.Permission, "its owner and group"},
		"other.md":   {0o640, nobody, 2345, "", ""},
		"own.md":     {0o600, nobody, nobody, "", ""},
		"setgid.md":  {0o664 | os.ModeSetgid, nobody, 2345, "", ""},
		"setuid.md":  {0o755 | os.ModeSetuid | os.ModeSticky, nobody, nobody, "", ""},
	}
	if os.Getuid() == 0 {
		dir := openFolderForAll(t)
		for name, f := range files {
			path := write(t, filepath.Join(dir, name), "old")
			if err := errors.Join(os.Chown(path, int(f.user), int(f.group)), os.Chmod(path, f.mode)); err != nil {
				t.Fatal(err)
			}
		}
		asNobody(t, dir)
		return
	}
	for name, f := range files {
		var last *Tx
		err := Update(t.Context(), []string{name}, UpdateOptions{}, func(tx *Tx) error {
			last = tx
			return put(name, "new")(tx)
		})
		if last != nil && slices.Contains(last.TookOver(), name) != (name == "group.md") {
			t.Errorf("%s: %v were taken over", name, last.TookOver())
		}
		if codeOf(err) != f.code || err != nil && !strings.Contains(reasonOf(err), f.reason) {
			t.Errorf("%s: %v, want %q and %q", name, err, f.code, f.reason)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "group.md" { // it is taken over from another user of its group
			f.user = nobody
		}
		if got := filesystem.OwnerOf(info); got != (filesystem.Owner{User: f.user, Group: f.group}) || info.Mode() != f.mode {
			t.Errorf("%s: %+v and mode %v, want %d, %d and %v", name, got, info.Mode(), f.user, f.group, f.mode)
		}
		want := map[bool]string{true: "new", false: "old"}[f.code == ""]
		if text, err := os.ReadFile(name); err == nil && string(text) != want {
			t.Errorf("%s holds %q, want %q", name, text, want)
		}
	}
}

// TestTakenOverInANamespace changes a file of another user of the group as the root of a namespace that doesn't
// have that user: the file isn't theirs any more, and that is told.
func TestTakenOverInANamespace(t *testing.T) {
	if os.Getuid() != 0 && !testkit.IsElsewhere(t) {
		t.Skip("only root may give files away")
	}
	const name = "a.md"
	if !testkit.IsElsewhere(t) {
		dir := openFolderForAll(t)
		path := write(t, filepath.Join(dir, name), "old")
		if err := errors.Join(os.Chown(path, 1234, 2345), os.Chmod(path, 0o664)); err != nil {
			t.Fatal(err)
		}
		self := filepath.Join(dir, "files.test")
		copyProgram(t, self)
		testkit.Elsewhere(t, self, dir, &syscall.SysProcAttr{
			Cloneflags: syscall.CLONE_NEWUSER, UidMappings: []syscall.SysProcIDMap{{HostID: 65534, Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: 2345, Size: 1}},
			Credential: &syscall.Credential{NoSetGroups: true},
		}, "TMPDIR="+dir)
		if info, err := os.Stat(path); err != nil || filesystem.OwnerOf(info) != (filesystem.Owner{User: 65534, Group: 2345}) {
			t.Errorf("%+v, %v", filesystem.OwnerOf(info), err)
		}
		return
	}
	var last *Tx
	err := Update(t.Context(), []string{name}, UpdateOptions{}, func(tx *Tx) error {
		last = tx
		return put(name, "new")(tx)
	})
	if err != nil || !slices.Equal(last.TookOver(), []string{name}) {
		t.Errorf("%v", err)
	}
}

// TestMakeFoldersThatNobodyMayUse: a folder that the umask closes to its owner is taken away again, for
// nothing can be put there.
func TestMakeFoldersThatNobodyMayUse(t *testing.T) {
	dir := openFolderForAll(t)
	if os.Getuid() == 0 && !asNobody(t, dir) {
		return
	}
	before := syscall.Umask(0o777)
	defer syscall.Umask(before)
	inner := filepath.Join(dir, "root")
	if err := errors.Join(os.Mkdir(inner, 0o700), os.Chmod(inner, 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openRoots(t, RootOptions{}, inner).MakeFolders(t.Context(), "new/deep/a.md", nil, false); codeOf(err) != fileerror.Permission {
		t.Errorf("%v", err)
	}
	if names, err := os.ReadDir(inner); err != nil || len(names) > 0 {
		t.Errorf("%v stays, %v", names, err)
	}
}
