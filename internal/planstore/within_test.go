//go:build unix

package planstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/programs"
)

// TestManySlowCommands: where each command of many ends in time, as one about each worktree does,
// none begins once they have taken their time together, and the error says so.
func TestManySlowCommands(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	for i := range maxHeads {
		worktree := filepath.Join(dir, ".git", "worktrees", fmt.Sprintf("w%d", i))
		if err := os.MkdirAll(worktree, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(worktree, "HEAD"), fmt.Sprintf("ref: refs/heads/unborn%d\n", i))
		write(t, filepath.Join(worktree, "commondir"), "../..\n")
		write(t, filepath.Join(worktree, "gitdir"), "/gone/.git\n")
	}
	s := open(t, Options{Root: dir, Kind: Git, Git: script(t, filepath.Join(t.TempDir(), "git"), "sleep 1\nexec git \"$@\"")})
	start := time.Now()
	_, err := s.List(programs.Within(t.Context(), 5*time.Second))
	e := typed(t, err, TypeFailed)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	if !e.Critical || !strings.Contains(e.Message, "has taken 5s together") || !e.Unwritten || !strings.Contains(e.Hint, "how long commands of git") || !strings.HasPrefix(e.Command, "git ") {
		t.Errorf("%+v", e)
	}
}
