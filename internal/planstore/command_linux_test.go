package planstore

import (
	"path/filepath"
	"testing"
)

// TestMemoryOfPrograms has a program wait until its memory is limited.
func TestMemoryOfPrograms(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	wait := "while [ $(ulimit -d) = unlimited ]; do sleep 0.01; done; exec "
	save(t, jjStoreIn(t, dir, script(t, filepath.Join(t.TempDir(), "jj"), wait+"'"+jj+"' \"$@\"")), plan)
	dir = newGit(t)
	s := open(t, Options{Root: dir, Kind: Git, Git: script(t, filepath.Join(t.TempDir(), "git"), wait+"git \"$@\"")})
	save(t, s, plan)
}
