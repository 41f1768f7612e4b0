package planstore

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"github.com/sectile/sectile/internal/testkit"

	"github.com/sectile/sectile/internal/fileinfo"
)

// TestProgramsAreConfined has git and Jujutsu be told to write elsewhere, as a repository would by
// a way that its proof doesn't know: the system refuses it.
func TestProgramsAreConfined(t *testing.T) {
	t.Parallel()
	if version, err := landlock.LandlockGetABIVersion(); err != nil || version < 2 {
		t.Skip("the kernel has no Landlock, or an old one:", version, err)
	}
	dir, jj := newJJ(t)
	outside := t.TempDir()
	g, err := gitStoreIn(t, newGit(t)).(*gitStore).try(t.Context(), &call{args: []string{"init", "--bare", outside + "/git"}})
	if err != nil || g.exit == 0 {
		t.Errorf("git: exit code %d, %v", g.exit, err)
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) > 0 {
		t.Errorf("git wrote: %v, %v", list, err)
	}
	if begin, err := os.ReadFile(jj); err != nil || bytes.HasPrefix(begin, []byte("#!")) {
		testkit.Missing(t, fmt.Sprint("jj is a script here, which may write anywhere: ", err))
	}
	j, err := jjStoreIn(t, dir, jj).(*jjStore).run(t.Context(), &call{args: []string{"git", "init", outside + "/jj"}})
	if !isType(err, TypeExit) {
		t.Errorf("jj: exit code %d, %v", j.exit, err)
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) > 0 {
		t.Errorf("jj wrote: %v, %v", list, err)
	}
}

// TestWritesOfJujutsu sees that Jujutsu may write in its repository, the project's folder and the
// user's configuration of it, and nowhere else, whatever program it is here.
func TestWritesOfJujutsu(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	at, err := jjStoreIn(t, dir, jj).(*jjStore).place(t.Context())
	if err != nil || len(at.Writes) == 0 {
		t.Fatalf("%+v, %v", at, err)
	}
	for _, folder := range at.Writes {
		if !fileinfo.LiesIn(dir, folder) && filepath.Base(folder) != "jj" && !slices.Contains([]string{"repos", "workspaces"}, filepath.Base(folder)) {
			t.Errorf("it may write in %s", folder)
		}
	}
}

// TestProgramsReadWithin has git and Jujutsu be led to read elsewhere, as a repository would by a way
// that its proof doesn't know: the system refuses it. What the user's own configuration names is read,
// through links and inclusions.
func TestProgramsReadWithin(t *testing.T) {
	if version, err := landlock.LandlockGetABIVersion(); err != nil || version < 2 {
		t.Skip("the kernel has no Landlock, or an old one:", version, err)
	}
	repository := newGit(t)
	dir, jj := newJJ(t)
	home := testkit.Folder(t, map[string]string{
		"dotfiles/gitconfig": "[include]\n\tpath = more\n", "dotfiles/more": "[user]\n\tname = Of dotfiles\n\temail = d@example.com\n",
		"dotfiles/jj.toml": "user.name = \"Of dotfiles\"\nuser.email = \"d@example.com\"\n", ".config/jj/.keep": "", "keys/secret": "SECRET\n",
	})
	for name, to := range map[string]string{".gitconfig": "dotfiles/gitconfig", "more": "dotfiles/more", ".config/jj/config.toml": "../../dotfiles/jj.toml"} {
		if err := os.Symlink(to, filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	for variable, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": "", "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"), "JJ_CONFIG": filepath.Join(home, ".config", "jj", "config.toml")} {
		t.Setenv(variable, value)
	}
	git := gitStoreIn(t, repository).(*gitStore)
	r, err := git.run(t.Context(), &call{args: []string{"var", "GIT_AUTHOR_IDENT"}})
	if err != nil || !strings.HasPrefix(string(r.out), "Of dotfiles <") {
		t.Errorf("git: %s, %v", r.out, err)
	}
	secret := filepath.Join(home, "keys", "secret")
	if r, err := git.try(t.Context(), &call{args: []string{"hash-object", "--", secret}}); err != nil || r.exit == 0 {
		t.Errorf("git read: %s, %v", r.out, err)
	}
	if begin, err := os.ReadFile(jj); err != nil || bytes.HasPrefix(begin, []byte("#!")) {
		testkit.Missing(t, fmt.Sprint("jj is a script here, which may read anything: ", err))
	}
	store := jjStoreIn(t, dir, jj).(*jjStore)
	if r, err := store.run(t.Context(), &call{args: []string{"config", "get", "user.name"}}); err != nil || string(r.out) != "Of dotfiles\n" {
		t.Errorf("jj: %s, %v", r.out, err)
	}
	// Jujutsu looks at tracked files in an ignored folder without a look at the folders above them.
	write(t, filepath.Join(dir, "ignored", "keys", "secret"), "old\n")
	run(t, dir, jj, "new")
	write(t, filepath.Join(dir, ".gitignore"), "ignored/\n")
	if err := os.RemoveAll(filepath.Join(dir, "ignored", "keys")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "keys"), filepath.Join(dir, "ignored", "keys")); err != nil {
		t.Fatal(err)
	}
	// That is looked for beforehand (TestTrackedBehindLinks), and here left to the system.
	at, err := store.place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r, err := store.program.try(t.Context(), &call{args: []string{"diff", "--git"}, writes: at.Writes, reads: at.Reads}); err != nil || r.exit == 0 || r.failure() != refused {
		t.Errorf("jj read: exit code %d, %s, %v", r.exit, r.out, err)
	}
	if r, err := store.program.try(t.Context(), &call{args: []string{"diff", "--git"}}); err != nil || !strings.Contains(string(r.out), "SECRET") {
		t.Errorf("without confinement it doesn't: %s, %v", r.out, err)
	}
}
