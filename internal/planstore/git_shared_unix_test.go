//go:build unix

package planstore

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitSharedRepository has a repository say who may write to what git makes: its group may, and
// others may read, but nobody else may change a plan.
func TestGitSharedRepository(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]fs.FileMode{ // of the ref; 0 for what the umask leaves
		"group": 0o664, "0660": 0o660, "0664": 0o664, "all": 0o664, "2": 0o664, "0600": 0o600, "": 0o664,
		"0666": 0o664, "0646": 0o644, "666": 0o664, "umask": 0, "false": 0,
		"-1": 0, "\" 0666\"": 0, "+0666": 0, "40000000666": 0, "99999999999999999999999": 0,
	} {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			dir := newGit(t)
			before := filesIn(t, dir)
			own := filepath.Join(dir, ".git", "config")
			setting := "\tsharedRepository = " + value + "\n"
			if value == "" {
				setting = "\tsharedRepository\n"
			}
			write(t, own, read(t, own)+"[core]\n\tsharedRepository = 0666\n"+setting)
			s := gitStoreIn(t, dir)
			save(t, s, plan)
			save(t, s, "feat: two\n")
			for path, mode := range filesIn(t, dir) {
				switch _, ok := before[path]; {
				case ok:
				case mode&0o002 != 0:
					t.Errorf("%s has %o", path, mode)
				case want != 0 && strings.HasSuffix(path, plansRef+"main") && mode != want:
					t.Errorf("%s has %o, want %o", path, mode, want)
				}
			}
		})
	}
}

// TestOthersWriteToRefs shows what the repository's word would do.
func TestOthersWriteToRefs(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"0666", "-1", " 0666", "+0666", "40000000666"} {
		dir := newGit(t)
		run(t, dir, "git", "-c", "core.sharedRepository="+value, "update-ref", plansRef+"main", "HEAD")
		if mode := filesIn(t, dir)[filepath.Join(dir, ".git", plansRef, "main")]; mode != 0o666 {
			t.Errorf("%q gives %o", value, mode)
		}
	}
}

// filesIn returns the modes of files and folders in one.
func filesIn(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	modes := map[string]fs.FileMode{}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err == nil {
			modes[path] = info.Mode().Perm()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return modes
}
