package repofiles

import (
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestIgnoredOfUser finds the file of ignored names as git does: the user's own file comes last.
func TestIgnoredOfUser(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		"system": "[core] excludesFile = /system\n", "mine": "[core] excludesFile = ~/mine\n", "none": "", "conf/git/config": "",
		"xdg/git/config": "[core]\n\texcludesFile = /xdg\n",
	})
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	for _, tt := range [][4]string{
		{"system", "xdg", "mine", filepath.Join(dir, "mine")},
		{"system", "xdg", "none", "/xdg"},
		{"system", "conf", "none", "/system"},
		{"none", "conf", "none", filepath.Join(dir, "conf", "git", "ignore")},
	} {
		t.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(dir, tt[0]))
		t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, tt[1]))
		t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, tt[2]))
		if got := IgnoredOfUser(); got != tt[3] {
			t.Errorf("%q: %s", tt, got)
		}
	}
}
