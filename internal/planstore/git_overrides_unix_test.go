//go:build unix

package planstore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestIgnoredOfUser: in the place of a file of ignored names elsewhere that a repository names, git
// takes that of the user's own configuration which applies to the repository.
func TestIgnoredOfUser(t *testing.T) { //nolint:paralleltest // it sets the environment
	dir := newGit(t)
	home := testkit.Folder(t, map[string]string{
		"none": "", "mine": "[core]\n\texcludesFile = ~/.mine\n[includeIf \"gitdir:~/elsewhere/\"]\n\tpath = ~/.work\n", ".work": "[core]\n\texcludesFile = ~/.others\n",
		"empty": "[core]\n\texcludesFile =\n", ".mine": "a\n", ".others": "b\n", "xdg/git/config": "[core]\n\texcludesFile = ~/.others\n", "plain/git/ignore": "c\n",
		"foreign": "a\nb\nc\n",
	})
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	run(t, dir, "git", "config", "core.excludesFile", filepath.Join(home, "foreign"))
	put(t, dir, map[string]string{"a": "", "b": "", "c": ""})
	for _, tt := range []struct{ global, xdg, want string }{
		{"mine", "none", "b c"},
		{"mine", "xdg", "b c"},
		{"empty", "xdg", "a b c"},
		{"none", "xdg", "a b c"},
		{"none", "plain", "a b"},
		{"", "xdg", "a c"},
		{"", "plain", "a b"},
	} {
		t.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(home, "none"))
		t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, tt.xdg))
		t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, tt.global))
		if tt.global == "" {
			if err := os.Unsetenv("GIT_CONFIG_GLOBAL"); err != nil {
				t.Fatal(err)
			}
		}
		r, err := gitStoreIn(t, dir).(*gitStore).run(t.Context(), &call{args: []string{"ls-files", "--others", "--exclude-standard"}})
		if got := strings.Join(strings.Fields(string(r.out)), " "); err != nil || got != tt.want {
			t.Errorf("%+v: %q, %v", tt, got, err)
		}
	}
}
