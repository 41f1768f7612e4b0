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
	// Those before and after it come in order, so that what is known of one folder is enough.
	looked, missing := "", ""
	check := func(dir string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if missing != "" && (dir == missing || strings.HasPrefix(dir, missing+"/")) {
			return nil
		}
		for end := sharedFolders(looked, dir); end < len(dir); {
			next := strings.IndexByte(dir[end+1:], '/')
			if end += 1 + next; next < 0 {
				end = len(dir)
			}
			folder := dir[:end]
			info, _ := os.Lstat(filepath.Join(at.Folder, filepath.FromSlash(folder)))
			switch {
			case info == nil:
				looked, missing = folder, folder
				return nil
			case strings.Contains(folder, "/") && info.Mode()&(os.ModeSymlink|os.ModeIrregular) != 0:
				return &Error{
					Type: TypeUntrusted, Unwritten: true,
					Message: "a folder with files that Jujutsu tracks is a link now, " + code(folder) + ", and it may look for them where that leads",
					Hint:    "take the link away or, if it is meant, have Jujutsu know of it first with " + code("jj status") + "; in an ignored folder, with " + code("jj file untrack"),
				}
			}
		}
		looked = dir
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
	if _, ours := errors.AsType[*Error](err); err != nil && !ours && ctx.Err() == nil {
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

// sharedFolders returns the length of the beginning that two paths of folders share in whole
// names, 0 for none.
func sharedFolders(a, b string) (end int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return end
		}
		if a[i] == '/' {
			end = i
		}
	}
	if len(a) == len(b) || len(a) < len(b) && b[len(a)] == '/' || len(b) < len(a) && a[len(b)] == '/' {
		return min(len(a), len(b))
	}
	return end
}
