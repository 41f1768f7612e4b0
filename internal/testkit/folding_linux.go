package testkit

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// foldingSystems are file systems that don't tell names in another case apart, by what makes one
// in an image, what mounts that, and the programs of both.
var foldingSystems = map[string]struct{ make, mount, programs []string }{
	"exfat": {
		[]string{"mkfs.exfat"},
		[]string{"mount", "-t", "exfat-fuse", "-o", "loop"},
		[]string{"mkfs.exfat", "mount.exfat-fuse"},
	},
	"ntfs": { // it lists names in lower case
		[]string{"mkfs.ntfs", "-q", "-F", "-f"},
		[]string{"lowntfs-3g", "-o", "ignore_case"},
		[]string{"mkfs.ntfs", "lowntfs-3g"},
	},
}

// Folding runs a test with its temporary files in a file system of its own, exfat or ntfs, that
// doesn't tell names in another case apart. It skips the test around where none can be mounted; that
// runs in a process that WithMounts has started.
func Folding(t *testing.T, kind string, test func(t *testing.T)) {
	t.Helper()
	system := foldingSystems[kind]
	for _, program := range system.programs {
		if _, err := exec.LookPath(program); err != nil {
			Missing(t, err.Error()+"; scripts/install-tools installs it")
		}
	}
	dir := Mount(t, "size=64m")
	image, top := filepath.Join(dir, "image"), filepath.Join(dir, "top")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 32<<20), os.Mkdir(top, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{append(system.make, image), append(system.mount, image, top)} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil { //nolint:gosec // those above
			t.Skipf("nothing can be mounted: %s: %v: %s", args[0], err, out)
		}
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(top, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	t.Setenv("GOTMPDIR", "") // which testing prefers
	t.Setenv("TMPDIR", top)
	t.Run(kind, test)
}
