package repofiles

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestConfigurationOfUser sees that each file is found that git and Jujutsu read of the user's, by
// links, inclusions and keys, and none that is only named in passing.
func TestConfigurationOfUser(t *testing.T) {
	home := testkit.Folder(t, map[string]string{
		".gitconfig": "[user]\n\tname = T\n[include]\n\tpath = more\n[includeIf\t\"gitdir:~/clients/\"] path=\"~/other \"\\\nconfig ; said so\n" +
			"[core]\n\tExcludesFile = ~/ignored # mine\n\teditor = /usr/bin/vi\n[safe]\n\tdirectory = /srv/repository\n",
		"more":                        "[diff]\norderFile = /srv/order\n[include]\npath = .gitconfig\n",
		"other config":                "[core]\n\tattributesFile = attributes\n",
		"dotfiles/jj.toml":            "",
		".config/jj/conf.d/plain":     "",
		"project/shared":              "",
		"ignored":                     "",
		"project/.git/info/exclude":   "",
		"project/.git/config":         "[includeIf \"gitdir:nowhere\"]\n\tpath = ../..\n[include]\n\tpath = ../shared\n[core]\n\texcludesFile = ../../ignored\n",
		"project/.git/empty/.gitkeep": "",
	})
	if err := os.Symlink("../../dotfiles/jj.toml", filepath.Join(home, ".config", "jj", "config.toml")); err != nil {
		testkit.Missing(t, err.Error())
	}
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("JJ_CONFIG", filepath.Join(home, "own.toml"))
	at := func(names ...string) (list []string) {
		for _, name := range names {
			if !filepath.IsAbs(name) {
				name = filepath.Join(home, filepath.FromSlash(name))
			}
			list = append(list, name)
		}
		return list
	}
	got := ConfigurationOfUser()
	for _, want := range at(".gitconfig", "more", "other config", "ignored", "/srv/order", "attributes", "/etc/gitconfig", ".config/git/ignore", ".config/git/config", ".config/jj", ".config/jj/config.toml", ".jjconfig.toml", "own.toml") {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing: %q", want, got)
		}
	}
	for _, not := range at("/usr/bin/vi", "/srv/repository", ".config/jj/conf.d/plain", "T") {
		if slices.Contains(got, not) {
			t.Errorf("%s is none: %q", not, got)
		}
	}
	want := at("project/.git/info/exclude", "project/.git/config", "project/shared", "ignored")
	if got := ConfigurationOfGit(filepath.Join(home, "project", ".git")); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestConfigurationEnds: files that include one another by ever more paths come to an end.
func TestConfigurationEnds(t *testing.T) {
	text := ""
	for i := range 30 {
		text += fmt.Sprintf("[include]\n\tpath = l%d/config\n", i)
	}
	dir := testkit.Folder(t, map[string]string{"config": text})
	for i := range 30 {
		if err := os.Symlink(".", filepath.Join(dir, fmt.Sprint("l", i))); err != nil {
			testkit.Missing(t, err.Error())
		}
	}
	if got := ConfigurationOfGit(dir); len(got) < 30 || len(got) > maxNamed {
		t.Errorf("%d files", len(got))
	}
}
