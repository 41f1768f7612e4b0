//go:build unix

package fileinfo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestResolved compares with how the system follows paths, and has those that lead
// nowhere.
func TestResolved(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for path, to := range map[string]string{
		"a/b/c": "", "d/e/f": "", "a/toE": "../d/e", "a/abs": "" + base + "/d", "loop": "loop", "chain": "a/toE/../../chain2", "chain2": "d/none",
		"up": "none/../a", "out": "../../none",
	} {
		path = filepath.Join(base, path)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if to == "" {
			err = errors.Join(err, os.WriteFile(path, nil, 0o600))
		} else {
			err = errors.Join(err, os.Symlink(to, path))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"": "", "a/b/c": "a/b/c", "a/./b//c": "a/b/c", "a/toE/f": "d/e/f", "a/toE/../e": "d/e", "a/toE/..": "d", "a/abs/e/../../a": "a",
		"a/../a/b": "a/b",
	} {
		to, err := Resolved(base + "/" + path)
		same, errSame := filepath.EvalSymlinks(base + "/" + path)
		if err != nil || errSame != nil || to != filepath.Join(base, want) || to != same {
			t.Errorf("%q: %q %v, and %q %v", path, to, err, same, errSame)
		}
	}
	for path, want := range map[string]string{"none": "none", "a/none/x/y": "a/none/x/y", "chain": "d/none", "chain/x": "d/none/x"} {
		if to, err := Resolved(base + "/" + path); !errors.Is(err, fs.ErrNotExist) || to != filepath.Join(base, want) {
			t.Errorf("%q: %q %v", path, to, err)
		}
	}
	for _, path := range []string{base + "/none/../a", base + "/up", base + "/loop", base + "/a/b/c/../c", base + "/a/b/c/.", "/proc/self/cwd", "/proc", "/dev/fd/0", "/dev/stdin"} {
		if to, err := Resolved(path); err == nil || to != "" {
			t.Errorf("%q: %q %v", path, to, err)
		}
	}
	if !isOfProcesses("/Dev/fd/0") || !isOfProcesses("/PROC") { // as systems take them that ignore case
		t.Error("by its case")
	}
	for _, path := range []string{os.DevNull, "/"} {
		if to, err := Resolved(path); err != nil || to != path {
			t.Errorf("%q: %q %v", path, to, err)
		}
	}
	if _, err := LeadsTo(base+"/a", "toE/../e"); !errors.Is(err, InTwoWays) {
		t.Error(err)
	}
	for _, path := range []string{"../d/e", base + "/a/../d/e", "toE/.", "./toE"} {
		if to, err := LeadsTo(base+"/a", path); err != nil || to != base+"/d/e" {
			t.Errorf("%q: %q %v", path, to, err)
		}
	}
}

// TestResolvedLongWay has few links on a way of many names.
func TestResolvedLongWay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	err := os.Mkdir(filepath.Join(dir, "d"), 0o700)
	for i := range 3 {
		err = errors.Join(err, os.Symlink(strings.Repeat("d/../", 400)+fmt.Sprint("l", i+1), filepath.Join(dir, fmt.Sprint("l", i))))
	}
	if err != nil {
		t.Fatal(err)
	}
	if to, err := Resolved(filepath.Join(dir, "l1")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, %v", to, err)
	}
	if to, err := Resolved(filepath.Join(dir, "l0")); !errors.Is(err, syscall.ENAMETOOLONG) {
		t.Errorf("%q, %v", to, err)
	}
}
