package fileinfo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// TestSettleBehindLink: the working directory has the system's name, of no link that PWD names.
func TestSettleBehindLink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(testkit.Folder(t, map[string]string{"docs/a.md": ""}))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("docs", filepath.Join(dir, "link")); err != nil {
		testkit.Missing(t, err.Error())
	}
	t.Chdir(filepath.Join(dir, "link"))
	t.Setenv("PWD", filepath.Join(dir, "link"))
	fileinfo.SettleWorkingDirectory()
	if now, err := os.Getwd(); err != nil || now != filepath.Join(dir, "docs") {
		t.Errorf("it is called %s: %v", now, err)
	}
}

// TestSettleWorkingDirectory: the working directory is called as its folder lists it, in whatever
// case it was entered, and stays so when somebody looks for it in another case.
func TestSettleWorkingDirectory(t *testing.T) {
	top, err := filepath.EvalSymlinks(testkit.FoldingFolder(t, map[string]string{"docs/sub/a.md": ""}))
	if err != nil {
		t.Fatal(err)
	}
	dir, other := filepath.Join(top, "docs", "sub"), filepath.Join(top, "DOCS", "Sub")
	want := fileinfo.Listed(dir) // a test's folder has capitals, which NTFS may list in lower case
	for _, enter := range []string{dir, other} {
		t.Chdir(enter)
		fileinfo.SettleWorkingDirectory()
		_, err := os.Stat(other)
		if now, errOf := os.Getwd(); err != nil || errOf != nil || now != want {
			t.Errorf("entered as %s it is called %s, want %s: %v, %v", enter, now, want, err, errOf)
		}
	}
}
