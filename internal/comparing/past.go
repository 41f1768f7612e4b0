package comparing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/project"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/repoproof"
	"github.com/sectile/sectile/internal/vcs"
)

// Past is what documents held at a time, as the journal of changes has it.
type Past struct {
	Shown string // what the time is called
	Texts []PastText
	// Forgotten is the time of the newest change that the journal may not have any more, if that is one
	// since the time; otherwise zero. Oldest is the oldest change of the documents that it has, made at OldestTime.
	Forgotten  time.Time
	Oldest     string
	OldestTime time.Time
}

// lacks returns a line that tells from when on the journal knows, where that isn't from the time on; otherwise "".
func (p *Past) lacks() string {
	if p == nil || p.Forgotten.IsZero() {
		return ""
	}
	utc := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	return fmt.Sprintf("more may have changed: the journal no longer has all changes up to %s; the oldest that it has of these documents is %s of %s\n", utc(p.Forgotten), p.Oldest, utc(p.OldestTime))
}

// PastText is what one document held; nil if it wasn't there.
type PastText struct {
	Path   string // that it is opened by
	Text   []byte
	Linked bool // a link leads from there to another place by now, so that it is gone
}

// states finds the documents of both states.
func (c *comparing) states() error {
	if c.req.Revision != "" { // which has the names that folders list, where a system takes others for the same
		c.req.New = c.docs.Listed(c.req.New)
	}
	if err := c.checkMeaning(); err != nil {
		return err
	}
	if c.req.Past != nil {
		c.fromPast()
		return nil
	}
	c.now = onDisk(c.ctx, c.docs, c.req.New)
	if c.req.Old == "" {
		return c.atRevision()
	}
	if c.old == nil {
		c.old = onDisk(c.ctx, c.docs, c.req.Old)
	}
	if !c.old.single && !c.now.single && c.isPattern(c.req.Old) != c.isPattern(c.req.New) && c.old.shares(c.now) {
		c.old.keyByPath()
		c.now.keyByPath()
	}
	return cmp.Or(c.unmatched(c.req.Old, c.old), c.unmatched(c.req.New, c.now))
}

// fromPast makes both states of what documents held, and what they hold now.
func (c *comparing) fromPast() {
	list := c.req.Past.Texts
	single := len(list) == 1
	c.old = &state{shown: c.req.Past.Shown, single: single, sources: map[string]source{}}
	c.now = &state{shown: "now", single: single, sources: map[string]source{}}
	for _, was := range list {
		key, shown := was.Path, replies.DisplayPath(was.Path)
		if single {
			key, c.now.shown = "", shown
		}
		if was.Text != nil {
			c.old.add(key, source{shown: shown, past: &past{text: was.Text, size: int64(len(was.Text)), is: func(text []byte) bool { return bytes.Equal(text, was.Text) }}})
		}
		if !was.Linked && c.docs.Look(was.Path) != documents.Nothing {
			c.now.add(key, source{shown: shown, path: was.Path})
		}
	}
}

// openCommit opens the commit that the revision names in the repository that a path of the host
// lies in.
func (c *comparing) openCommit(host string) (*vcs.Commit, error) {
	folder := host
	if info, err := os.Stat(host); err == nil && !info.IsDir() {
		folder = filepath.Dir(host)
	}
	loaded, err := project.NewLoader(folder, "", c.docs.Workspace.FileRoots()).Load(c.ctx)
	if err != nil {
		return nil, unloaded{replies.ErrorAbout("", err)}
	}
	o := vcs.Options{Folder: folder, Trust: repoproof.Trust(loaded.Trust), ReadOnly: c.req.ReadOnly}
	if roots := c.docs.Workspace.FileRoots(); roots != nil {
		o.Shows = roots.Covering
	}
	commit, err := vcs.Open(c.ctx, o, c.req.Revision)
	if err != nil {
		return nil, c.unopened(err)
	}
	return commit, nil
}

// unloaded is an error of the configuration, which says what is trusted: nothing was asked of a repository.
type unloaded struct{ error }

func (u unloaded) Unwrap() error { return u.error }

// without tells which folders aren't compared, nothing if there are none.
func without(what string, folders []string) string {
	if len(folders) == 0 {
		return ""
	}
	shown := replies.ClipMiddle(replies.Safe(folders[0]), replies.MaxShown)
	if more := len(folders) - 1; more > 0 {
		shown += " and " + replies.Plural(more, "more folder")
	}
	return ", without " + what + " (" + shown + ")"
}

// atRevision makes the old state of what the documents of the new one held in a commit.
func (c *comparing) atRevision() error {
	host, missing := c.hostOf(c.req.New)
	was, err := c.held(host, missing)
	if err != nil {
		return err
	}
	commit, below, blobs := was.commit, was.below, was.blobs
	if missing != nil {
		host = filepath.Join(commit.Top, filepath.FromSlash(below))
		c.now = &state{shown: c.now.shown, sources: map[string]source{}}
	}
	_, wasOne := blobs[below]
	isOne := c.now.single
	c.now.single = isOne && (wasOne || c.req.Section != "") // else it may be in the place of a folder
	const shortID = 12
	c.old = &state{shown: replies.Clip(replies.Safe(c.req.Revision), replies.MaxShown) + " (" + commit.ID[:shortID] + ")", single: c.now.single, sources: map[string]source{}}
	ids := map[*past]vcs.Blob{}
	others, err := c.fill(commit, host, below, blobs, ids)
	if err != nil {
		return c.unopened(err)
	}
	if missing != nil && len(c.old.order) == 0 {
		return missing
	}
	if len(c.old.order) > 0 { // so that something is found in the folder
		c.now.drop(fileerror.NoMatches)
	}
	isOne = (isOne || missing != nil) && (wasOne || len(c.old.order) == 0)
	c.old.single, c.now.single = isOne, isOne
	for i := range others {
		others[i] = replies.DisplayPath(path.Join(filepath.ToSlash(c.req.New), others[i]))
	}
	c.old.shown += without("the repositories in it", others) + without("other roots", c.inOtherRoots(host))
	c.old.hold = c.hold
	c.old.reads = func(ctx context.Context, list []*past) error {
		want := make([]vcs.Blob, len(list))
		for i, p := range list {
			want[i] = ids[p]
		}
		err := commit.Read(ctx, want, func(i int, text []byte) error {
			list[i].text, list[i].lost = text, text == nil
			return nil
		})
		if err != nil {
			return c.unopened(err)
		}
		return nil
	}
	return nil
}

// What the name of a document that is gone takes while it is compared and told of, in bytes; and
// for how many names memory is held at once.
const (
	goneName    = 2 << 10
	namesAtOnce = 1_000
)

// hold counts bytes into the memory of the request.
func (c *comparing) hold(bytes int64) error { return c.docs.Work.HoldBytes(bytes, nil) }

// sorted returns the keys of the documents that are there now, by their paths from the top, but for
// those that lie in repositories of their own, as submodules: these are taken out, and returned with
// the folders. A repository of whose files the commit has some is its own, but for a submodule.
func (c *comparing) sorted(commit *vcs.Commit, folder, below string, blobs map[string]vcs.Blob) (keys map[string]string, inOthers map[string]bool, others []string, err error) {
	keys, inOthers = map[string]string{}, map[string]bool{}
	isTold := map[string]bool{}   // which of the others are in the list
	around := map[string]string{} // the other repositories that folders lie in, by the folders' paths
	isOther := c.others(commit, below, blobs)
	for _, key := range c.now.order {
		if err := c.ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		host, err := c.hostOf(c.now.sources[key].path)
		if err != nil || host == folder && !c.now.single { // a folder in which nothing was found
			continue
		}
		within, err := filepath.Rel(folder, host)
		if err != nil || !filepath.IsLocal(within) {
			delete(c.now.sources, key) // a link leads to another place
			continue
		}
		dir := filepath.Dir(within)
		other, known := around[dir]
		if !known {
			if other, err = repositoryAround(folder, within, isOther); err != nil {
				return nil, nil, nil, err
			}
			around[dir] = other
			if other != "" && !isTold[other] {
				isTold[other], others = true, append(others, other)
			}
		}
		name := path.Join(below, filepath.ToSlash(within))
		if other == "" {
			keys[name] = key
			continue
		}
		delete(c.now.sources, key)
		inOthers[name] = true
	}
	c.now.reorder()
	return keys, inOthers, others, nil
}

// fill adds the documents of a commit that lie below a path: those that are there now, below
// the folder of the host, and those that would be if they weren't gone. What a sparse working
// copy leaves out isn't gone, and what a folder with another repository has isn't added: the commit
// can't have it, or had it before the folder became a submodule. Such folders are returned.
func (c *comparing) fill(commit *vcs.Commit, folder, below string, blobs map[string]vcs.Blob, ids map[*past]vcs.Blob) (others []string, err error) {
	top := commit.Top
	var leftOut func(name string) bool // asked for if something is gone
	keys, inOthers, others, err := c.sorted(commit, folder, below, blobs)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(blobs))
	for name := range blobs {
		names = append(names, name)
	}
	slices.Sort(names)
	added := 0
	for _, name := range names {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		key, there := keys[name]
		within, err := filepath.Rel(filepath.FromSlash(below), filepath.FromSlash(name))
		if err != nil {
			continue
		}
		var shown string
		gone := !there && !c.now.single && (inOthers[name] || c.wouldBe(filepath.Join(top, filepath.FromSlash(below)), within))
		if gone && leftOut == nil {
			if leftOut, err = commit.NotCheckedOut(c.ctx, below); err != nil {
				return nil, err
			}
		}
		switch {
		case there:
			shown = c.now.sources[key].shown
		case !gone || leftOut(name):
			continue
		default:
			if added++; added%namesAtOnce == 0 {
				if err := c.hold(namesAtOnce * goneName); err != nil {
					return nil, err
				}
			}
			key = "\x00" + name // which is no path of another
			shown = replies.DisplayPath(path.Join(filepath.ToSlash(c.req.New), filepath.ToSlash(within)))
		}
		blob := blobs[name]
		from := source{shown: shown, past: &past{is: blob.Is, size: blob.Size}}
		switch {
		case blob.Conflicted:
			from.err = &fileerror.Error{Code: fileerror.InvalidArgument, Path: shown, Reason: "the commit has a conflict in it, so that it held no one text", Hint: "name a commit that has none, such as a side of the conflict"}
		case blob.Size < 0:
			from.err = lost(shown)
		}
		ids[from.past] = blob
		c.old.add(key, from)
	}
	return others, nil
}

// others returns what says whether a folder, by its path within another one below the top, that has a
// repository of its own is none of the commit's: a submodule, or one of whose files the commit has none.
func (c *comparing) others(commit *vcs.Commit, below string, blobs map[string]vcs.Blob) func(folder string) (bool, error) {
	has := sync.OnceValue(func() map[string]bool { // the folders that the commit has
		has := map[string]bool{}
		for name := range blobs {
			for dir := path.Dir(name); !has[dir]; dir = path.Dir(dir) {
				has[dir] = true
			}
		}
		return has
	})
	submodules := sync.OnceValues(func() (map[string]bool, error) { return commit.Submodules(c.ctx, below) })
	return func(folder string) (bool, error) {
		name := path.Join(below, folder)
		if !has()[name] {
			return true, nil
		}
		is, err := submodules() // the index has its files yet, or a commit in their place
		return is[name], err
	}
}

// repositoryAround returns the outermost folder around a file, by its path within another folder, that
// has a repository of its own which is another one; "" if none has.
func repositoryAround(folder, within string, isOther func(folder string) (bool, error)) (string, error) {
	names := strings.Split(filepath.ToSlash(within), "/")
	for i := 1; i < len(names); i++ {
		at := strings.Join(names[:i], "/")
		if !hasRepository(filepath.Join(folder, filepath.FromSlash(at))) {
			continue
		}
		if is, err := isOther(at); is || err != nil {
			return at, err
		}
	}
	return "", nil
}

// hasRepository reports whether a folder has a repository of git or Jujutsu of its own, or says where it is.
func hasRepository(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && info.Mode().IsRegular() {
		return true
	}
	for _, inside := range [...]string{".git/HEAD", ".jj/repo"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(inside))); err == nil {
			return true
		}
	}
	return false
}

// wouldBe reports whether a file of a commit, by its path within the folder of the request, is
// gone and would be a document of it: what is there and left out is left out of the past too.
func (c *comparing) wouldBe(folder, within string) bool {
	folder, within, is := c.couldBe(folder, within)
	if !is {
		return false
	}
	if hasLink(folder, filepath.Dir(within)) { // what lies behind one isn't what was there
		return true
	}
	info, err := os.Lstat(filepath.Join(folder, within))
	isThere := err == nil && info.Mode().IsRegular() || errors.Is(err, fs.ErrPermission) // or nobody can say
	return !isThere
}

// couldBe reports whether a file of a commit, by its path within the folder of the request, could be a
// document of it as far as its names tell, and returns a folder and the path from there. A file in
// whose place that folder is has the folder's own path.
func (c *comparing) couldBe(folder, within string) (dir, name string, is bool) {
	if within == "." && files.IsMarkdown(filepath.Clean(c.req.New)) && c.serves(filepath.Dir(folder)) { // not that of a root
		folder, within = filepath.Dir(folder), filepath.Base(folder)
	}
	slashed := filepath.ToSlash(within)
	hidden := c.docs.Walk.Hidden || c.docs.Workspace != nil && c.docs.Workspace.FileRoots().Walk().Hidden
	is = files.IsMarkdown(within) && filepath.IsLocal(within) && (hidden || !strings.Contains("/"+strings.TrimSuffix(slashed, path.Base(slashed)), "/.")) &&
		filenames.FileProtectionBelow([]string{filepath.Base(folder)}, slashed) == "" &&
		(c.covers == nil || c.covers(filepath.Join(folder, within)))
	return folder, within, is
}

// serves reports whether documents in a folder of the host may be read as far as its names tell.
func (c *comparing) serves(folder string) bool {
	return c.covers == nil || c.covers(filepath.Join(folder, "a.md"))
}

// hasLink reports whether a path below a folder, or a part of it, is a link.
func hasLink(folder, within string) bool {
	for name := range strings.SplitSeq(filepath.ToSlash(within), "/") {
		folder = filepath.Join(folder, name)
		info, err := os.Lstat(folder)
		if err != nil {
			return false
		}
		if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return true
		}
	}
	return false
}

// hostOf returns the path of a document or folder on the host, without links.
func (c *comparing) hostOf(name string) (string, error) {
	w := c.docs.Workspace
	if w == nil {
		host, err := filepath.EvalSymlinks(name)
		if err == nil {
			if info, err := os.Stat(host); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
				return "", replies.ErrorAbout("", &fileerror.Error{Code: fileerror.NotAFile, Path: replies.DisplayPath(name), Reason: "it is a pipe, socket or device", Hint: "name a file"})
			}
			return filepath.Abs(host)
		}
		if _, err := os.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", c.noHost(name, fileerror.System(name, err)) // which knows of rights, and of links in a circle
		}
		return "", c.noHost(name, &fileerror.Error{Code: fileerror.NotFound, Path: name, Reason: "no such file or folder", Hint: "check the path", Err: err})
	}
	host, err := w.FileRoots().Name(name)
	if err == nil {
		return host, nil
	}
	for _, host := range c.places(name) {
		if whole, err := filepath.EvalSymlinks(host); err == nil && (whole == host || c.serves(whole)) && isMany(&c.docs, name) {
			return whole, nil
		}
	}
	return "", c.noHost(name, err)
}

// noHost returns the error for a path that leads to no document or folder. One that reads as a pattern
// may be the name of what is gone.
func (c *comparing) noHost(name string, err error) error {
	if isMany(&c.docs, name) {
		return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(name), Message: replies.Say("a revision has no patterns; name a document or a folder"), Err: err}
	}
	return replies.ErrorAbout(replies.DisplayPath(name), err)
}

// unopened returns the error for a revision that can't be read.
func (c *comparing) unopened(err error) error {
	var failed *planstore.Error
	switch {
	case vcs.IsUnknown(err):
		return &replies.Error{Code: "not_found", Message: replies.Say("the revision %q can't be read: %s", replies.Clip(replies.Safe(c.req.Revision), replies.MaxShown), err.Error())}
	case !errors.As(err, &failed):
		return replies.ErrorAbout("", err)
	}
	message := replies.Say("the revision %q can't be read: %s", replies.Clip(replies.Safe(c.req.Revision), replies.MaxShown), failed.Message)
	if failed.Hint != "" {
		message = message.Then("; %s", failed.Hint)
	}
	code := replies.CodeIOError
	switch {
	case failed.Type == planstore.TypeUntrusted:
		code = "permission"
	case failed.Type == planstore.TypeNoRepository && failed.Command == "": // else a program finds none in one that is damaged
		code = "not_found"
	}
	return &replies.Error{Code: code, Message: message, Err: failed.Err}
}
