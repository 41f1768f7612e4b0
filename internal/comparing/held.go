package comparing

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/vcs"
)

// Where a commit has what a request asks for: at the path itself, in the place of a link on the way,
// or where nothing is any more.

// held is what the commit of a repository has at a path from its top.
type held struct {
	commit *vcs.Commit
	below  string
	blobs  map[string]vcs.Blob
	failed error // why the commit can't be read, where one may have the name
}

// held returns what the commit has at the path of the request, which leads to one of the host or to
// nothing.
func (c *comparing) held(host string, missing error) (held, error) {
	if missing != nil {
		return c.gone(missing)
	}
	was, err := c.behindLink(c.asked())
	if err := cmp.Or(err, was.failed); err != nil {
		return held{}, err
	}
	if _, isOne := was.blobs[was.below]; !isOne {
		if maps.DeleteFunc(was.blobs, c.untold(was)); len(was.blobs) == 0 {
			return c.inPlace(host)
		}
	}
	return was, nil
}

// inPlace returns what the commit of the repository that a path of the host lies in has there.
func (c *comparing) inPlace(host string) (held, error) {
	commit, err := c.openCommit(host)
	if err != nil {
		return held{}, err
	}
	below, err := filepath.Rel(commit.Top, host)
	if err != nil || !filepath.IsLocal(below) {
		return held{}, c.unopened(&planstore.Error{Type: planstore.TypeNoRepository, Message: "links lead from the repository to it"})
	}
	below = filepath.ToSlash(below)
	blobs, err := commit.Files(c.ctx, below, c.hold)
	if err != nil {
		return held{}, c.unopened(err)
	}
	return held{commit: commit, below: below, blobs: blobs}, nil
}

// gone is inPlace for a path that leads to no document or folder, whatever is there: of what the commit
// has there, in the place of a link on the way or below the folder that is left of it, and may be told
// of. The error is what a repository of one of the roots fails at; if all of that is nothing, the one for what is missing.
func (c *comparing) gone(missing error) (was held, err error) {
	var failed error
	for _, name := range c.places(c.req.New) {
		one, err := c.behindLink(name)
		if err == nil && len(one.blobs) == 0 {
			failed = cmp.Or(failed, one.failed)
			one, err = c.left(name)
		}
		if err != nil {
			return held{}, err
		}
		failed = cmp.Or(failed, one.failed)
		maps.DeleteFunc(one.blobs, c.untold(one))
		switch {
		case len(one.blobs) == 0:
		case len(was.blobs) > 0 && c.asked() != "": // more than one has something there now
			return held{}, missing
		case len(was.blobs) > 0:
			return held{}, &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(c.req.New), Message: replies.Say(
				"nothing is at this path now, and more than one root had something there; give the absolute path, which begins with one of the roots")}
		default:
			was = one
		}
	}
	switch {
	case failed != nil: // it may have had a document, too
		return held{}, failed
	case len(was.blobs) == 0:
		return held{}, missing
	}
	return was, nil
}

// untold returns what reports whether a file of a commit isn't told of where it is gone, as far as its
// names tell.
func (c *comparing) untold(was held) func(name string, _ vcs.Blob) bool {
	return func(name string, _ vcs.Blob) bool {
		within, err := filepath.Rel(filepath.FromSlash(was.below), filepath.FromSlash(name))
		if err != nil || c.isProtected(was.commit.Top, name) {
			return true
		}
		_, _, is := c.couldBe(filepath.Join(was.commit.Top, filepath.FromSlash(was.below)), within)
		return !is
	}
}

// isProtected reports whether a file of a commit, by its path from the top, isn't told of, whoever
// names it.
func (c *comparing) isProtected(top, name string) bool {
	if c.covers != nil {
		return !c.covers(filepath.Join(top, filepath.FromSlash(name)))
	}
	return filenames.FileProtectionBelow([]string{filepath.Base(top)}, name) != ""
}

// left is inPlace for a path of the host of which the last names lead to nothing.
func (c *comparing) left(name string) (held, error) {
	folder, rest := deepest(name)
	if folder == "" { // a drive that isn't there
		return held{}, nil
	}
	return c.below(folder, rest)
}

// deepest returns the folder of the host, without links, that is left of an absolute path, and what the
// path has behind it, with forward slashes; "" if nothing is.
func deepest(name string) (folder, rest string) {
	folder, err := filepath.EvalSymlinks(name)
	for err != nil && name != filepath.Dir(name) {
		name, rest = filepath.Dir(name), path.Join(filepath.Base(name), rest)
		folder, err = filepath.EvalSymlinks(name)
	}
	if err != nil {
		return "", ""
	}
	return folder, rest
}

// behindLink is inPlace for a path of the host that leads through a link, where the commit has a
// document or a folder in the place of the last one; there are no files else.
func (c *comparing) behindLink(name string) (held, error) {
	folder, rest := lastLink(name)
	if folder == "" {
		return held{}, nil
	}
	return c.below(folder, rest)
}

// below is inPlace for a path below a folder of the host; there are no files if that lies in no
// repository, or in none that has the revision.
func (c *comparing) below(folder, rest string) (held, error) {
	if !c.serves(folder) {
		return held{}, nil
	}
	commit, err := c.openCommit(folder)
	switch {
	case err == nil:
	case errors.As(err, &unloaded{}), replies.AsError(err).Code != replies.CodeIOError: // nothing is asked of that repository, or it has none
		return held{}, nil // another folder may have one
	default:
		return held{failed: err}, nil
	}
	below, err := filepath.Rel(commit.Top, folder)
	if err != nil || !filepath.IsLocal(below) {
		return held{}, nil //nolint:nilerr // as above
	}
	below = path.Join(filepath.ToSlash(below), rest)
	blobs, err := commit.Files(c.ctx, below, c.hold)
	if err != nil {
		return held{}, c.unopened(err)
	}
	return held{commit: commit, below: below, blobs: blobs}, nil
}

// places returns the paths of the host that a path may have: one, or one in each root.
func (c *comparing) places(name string) (places []string) {
	w := c.docs.Workspace
	if w == nil {
		if name, err := filepath.Abs(name); err == nil {
			places = append(places, name)
		}
		return places
	}
	for i, top := range w.FileRoots().RealDirs() {
		below := filepath.FromSlash(name)
		for _, root := range [...]string{top, w.Roots()[i]} {
			if rel, err := filepath.Rel(root, below); err == nil && filepath.IsLocal(rel) {
				below = rel
			}
		}
		if host := filepath.Join(top, below); filepath.IsLocal(below) && !slices.Contains(places, host) {
			places = append(places, host)
		}
	}
	return places
}

// inOtherRoots returns the folders that the path of the request leads to in other roots, and that aren't in the one of the
// host that is compared.
func (c *comparing) inOtherRoots(host string) (folders []string) {
	for _, name := range c.places(c.req.New) {
		folder, err := filepath.EvalSymlinks(name)
		if err != nil {
			continue
		}
		info, failed := os.Stat(folder)
		if rel, err := filepath.Rel(host, folder); failed == nil && info.IsDir() && (err != nil || !filepath.IsLocal(rel)) && c.serves(folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// asked returns that of places which has something.
func (c *comparing) asked() string {
	places := c.places(c.req.New)
	for _, name := range places {
		if _, err := os.Lstat(name); err == nil {
			return name
		}
	}
	return ""
}

// lastLink returns the folder of the host in which the last link lies that an absolute path leads
// through, and the path from there, with forward slashes; "" if it leads through none.
func lastLink(name string) (folder, rest string) {
	for below := ""; name != ""; {
		base := filepath.Base(name)
		name, below = filepath.Dir(name), path.Join(base, below)
		if name == filepath.Dir(name) {
			break
		}
		if hasLink(name, base) {
			if folder, err := filepath.EvalSymlinks(name); err == nil {
				return folder, below
			}
			break
		}
	}
	return "", ""
}
