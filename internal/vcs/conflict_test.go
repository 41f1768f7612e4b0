package vcs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/vcs"
)

// TestConflicted has a commit of Jujutsu with a conflict: of its files those are marked in which the
// conflict is, also one that a side has removed, and no others.
func TestConflicted(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"both.md": "base\n", "one.md": "base\n", "sub/gone.md": "base\n", "same.md": "base\n"})
	run(t, dir, "jj", "git", "init", "--no-colocate")
	run(t, dir, "jj", "commit", "-m", "base")
	testkit.WriteFile(t, filepath.Join(dir, "both.md"), "left\n")
	testkit.WriteFile(t, filepath.Join(dir, "one.md"), "left\n")
	testkit.WriteFile(t, filepath.Join(dir, "sub", "gone.md"), "left\n")
	run(t, dir, "jj", "commit", "-m", "left")
	run(t, dir, "jj", "new", "description(substring:base)")
	testkit.WriteFile(t, filepath.Join(dir, "both.md"), "right\n")
	if err := os.Remove(filepath.Join(dir, "sub", "gone.md")); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "jj", "commit", "-m", "right")
	for _, order := range [][]string{{"left", "right"}, {"right", "left"}} { // the tree is that of the first
		run(t, dir, "jj", "new", "description(substring:"+order[0]+")", "description(substring:"+order[1]+")", "-m", "merge")
		c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "@")
		if err != nil {
			t.Fatal(err)
		}
		files, err := c.Files(t.Context(), ".", free)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]bool{"both.md": true, "sub/gone.md": true, "one.md": false, "same.md": false} {
			if blob, ok := files[name]; !ok || blob.Conflicted != want || want && blob.Is([]byte("left\n")) {
				t.Errorf("%v, %s: %+v, %t", order, name, blob, ok)
			}
		}
		if len(files) != 4 { // nothing of Jujutsu's own
			t.Errorf("%v: %+v", order, files)
		}
		if own, err := c.Files(t.Context(), planstore.ConflictPrefix+"side-0", free); err != nil || len(own) != 0 {
			t.Errorf("%v: %+v, %v", order, own, err)
		}
		if is, err := c.Files(t.Context(), "one.md", free); err != nil || len(is) != 1 || !is["one.md"].Is([]byte("left\n")) {
			t.Errorf("%v: %+v, %v", order, is, err)
		}
	}
}
