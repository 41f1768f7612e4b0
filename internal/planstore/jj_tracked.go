package planstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/repofiles"
	"github.com/sectile/sectile/internal/repoproof"
)

// Before Jujutsu takes a snapshot it looks at each file that it tracks in an ignored folder, by its
// path and without a look at the folders above it: through a link in the place of one of these it
// takes the text of a file anywhere for that of the file, and whoever sees the difference, sees it.

// checkTracked returns an error if a link stands in the place of a folder in which Jujutsu tracks
// files, or will with the commit that git is at. One in the project's folder itself is no such
// link: it isn't in an ignored folder.
func (s *jjStore) checkTracked(ctx context.Context, at *repoproof.JJPlace) error {
	if at.Reads == nil { // the user lets the repository lie anywhere
		return nil
	}
	seen := map[string]bool{}
	check := func(dir string) error {
		for ; strings.Contains(dir, "/") && !seen[dir]; dir = dir[:strings.LastIndexByte(dir, '/')] {
			seen[dir] = true
			info, err := os.Lstat(filepath.Join(at.Folder, filepath.FromSlash(dir)))
			if err == nil && info.Mode()&(os.ModeSymlink|os.ModeIrregular) != 0 {
				return &Error{
					Type: TypeUntrusted, Unwritten: true,
					Message: "a folder with files that Jujutsu tracks is a link now, " + code(dir) + ", and it may look for them where that leads",
					Hint:    "take the link away or, if it is meant, have Jujutsu know of it first with " + code("jj status") + "; in an ignored folder, with " + code("jj file untrack"),
				}
			}
		}
		return nil
	}
	state, err := openTreeState(at.Folder)
	if err == nil {
		defer state.Close() //nolint:errcheck // nothing was written
		err = repofiles.TrackedFiles(state, func(path string) error {
			if end := strings.LastIndexByte(path, '/'); end >= 0 {
				return check(path[:end])
			}
			return nil
		})
	}
	if _, ours := errors.AsType[*Error](err); err != nil && !ours {
		err = ofProof(repoproof.Unreadable("`.jj/working_copy/tree_state`", err))
	}
	if err != nil || at.GitDir == "" {
		return err
	}
	git := s.gitAt(at.Folder)
	r, err := git.run(ctx, &call{args: []string{"ls-tree", "-z", "-r", "-d", "--full-tree", "--name-only", "HEAD"}})
	if err != nil {
		if r, _ := git.run(ctx, &call{args: []string{"rev-parse", "-q", "--verify", "HEAD"}}); r.exit == 1 && len(r.out) == 0 {
			return nil // there is no commit yet
		}
		return err
	}
	for dir := range strings.SplitSeq(string(r.out), "\x00") {
		if err := check(dir); err != nil {
			return err
		}
	}
	return nil
}
