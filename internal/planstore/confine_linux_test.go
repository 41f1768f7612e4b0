package planstore

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"

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
		t.Skip("jj is a script here, as scripts/install-jj makes, which may write anywhere:", err)
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
