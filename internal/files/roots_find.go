package files

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/glob"
	"github.com/sectile/sectile/internal/walking"
)

// Find yields the Markdown files below the roots, root after root, in the order
// of names, as paths that Read takes: relative to their root, or absolute where
// another root has something at the same path. What is protected is left out, and
// so are links, so that nothing comes twice; a root within another is walked by
// itself alone. What ignore files name and folders that begin with a dot are left out, as
// RootOptions.Walk has it; ignore files above a root don't count. What can't be looked at
// comes with a *fileerror.Error: a root that is no longer there, a folder that can't be read, an
// ignore file that is not obeyed, a file that no path can name or the folder of such files, a folder
// that lies too deep. It ends when ctx does.
func (r *Roots) Find(ctx context.Context) iter.Seq2[string, error] {
	return r.FindMeant(ctx, glob.All("."))
}

// FindMeant yields those of Find that a pattern matches by their paths below a root, and what can't be
// looked at of the folders in which it may match anything. A base that is relative is one of every
// root, and each is one of the innermost root that it lies in.
func (r *Roots) FindMeant(ctx context.Context, meant glob.Pattern) iter.Seq2[string, error] {
	base := path.Clean(filepath.ToSlash(meant.Base()))
	var bases []rootPath
	for _, root := range r.roots {
		in := r.owners(base)
		if filepath.IsLocal(base) {
			in = r.owners(path.Join(filepath.ToSlash(root.dir), base))
		}
		if len(in) > 0 && !slices.Contains(bases, in[0]) {
			bases = append(bases, in[0])
		}
	}
	return func(yield func(string, error) bool) {
		seen := map[string]bool{} // the bases of two roots may lie in one root
		each := func(p string, err error) bool {
			again := seen[p]
			if len(bases) > 1 && err == nil {
				seen[p] = true
			}
			return again || yield(p, err)
		}
		for _, in := range bases {
			if !r.findBelow(ctx, in, meant, each) {
				return
			}
		}
	}
}

// findBelow yields what is meant in the pattern's base, a folder of a root, and reports whether to go on.
func (r *Roots) findBelow(ctx context.Context, in rootPath, meant glob.Pattern, yield func(string, error) bool) bool {
	root, base := in.root, cmp.Or(in.rest, ".")
	if !root.is(root.dir) {
		_, err := os.Stat(root.dir)
		if held, _ := entries(root.handle, 1); len(held) > 0 { // it has another name now, and documents as before
			err = nil
		}
		return yield(root.dir, &fileerror.Error{Code: fileerror.IOError, Path: root.dir, Reason: reasonReplaced, Hint: hintReplaced, Err: bare(err)})
	}
	var only filenames.Chosen
	if base != "." {
		only = filenames.Choose([]string{base})
	}
	return r.finder(ctx, root, meant.At(base), yield).walk(root.handle, root.called, "", "", only, 0)
}

// Among returns those of some files, by their paths below the root that has this folder, with
// links resolved, that Find yields of it. Nothing else in there is looked at.
func (r *Roots) Among(ctx context.Context, dir string, below []string) map[string]bool {
	found := map[string]bool{}
	for _, root := range r.roots {
		if root.real == dir && root.is(root.dir) {
			f := r.finder(ctx, root, glob.All("."), func(p string, err error) bool {
				found[strings.TrimPrefix(p, filepath.ToSlash(root.dir)+"/")] = err == nil
				return true
			})
			f.walk(root.handle, root.called, "", "", filenames.Choose(below), 0)
		}
	}
	return found
}

// finder walks one root for what a pattern matches.
type finder struct {
	ctx   context.Context
	roots *Roots
	root  *root
	meant glob.Pattern // for paths from the root
	yield func(path string, err error) bool
	left  walking.Ignoring
}

func (r *Roots) finder(ctx context.Context, in *root, meant glob.Pattern, yield func(path string, err error) bool) *finder {
	return &finder{ctx: ctx, roots: r, root: in, meant: meant, yield: yield, left: ignoring(r.options.Walk)}
}

// walk yields the files in a folder and below, and reports whether to go on.
// Called are the folder's names, base the one by which the walk has come to it, and prefix
// is its path with a slash after it; both are empty for the root. Only what has some names is
// looked at, and nothing is told of a folder and its ignore files where that isn't all.
func (f *finder) walk(folder *os.Root, called []string, base, prefix string, only filenames.Chosen, depth int) bool {
	list, err := only.Entries(func() ([]fs.DirEntry, error) { return entries(folder, -1) }, folder.Lstat, walking.Names()...)
	if err != nil && !f.yield(f.shown(path.Join(prefix, ".")), systemFailure(prefix, err)) {
		return false
	}
	before, notObeyed := f.left.Come(base, list, func() (*os.Root, error) { return folder.OpenRoot(".") })
	defer f.left.Leave(before)
	for _, e := range notObeyed {
		if e.Path = prefix + e.Path; only == nil && !f.yield(f.shown(e.Path), e) {
			return false
		}
	}
	for _, e := range list {
		if f.ctx.Err() != nil {
			return false
		}
		name := prefix + e.Name()
		p := filenames.Protected(called, e.Name())
		switch {
		case p != nil && !p.Documents:
		case checkPath(name) != nil:
			isFile := e.Type().IsRegular() && IsMarkdown(name) && f.meant.Match(name)
			if (isFile || e.IsDir() && f.meant.Reaches(name)) && !f.left.LeavesOut(e.Name(), e.IsDir()) &&
				(isFile || f.holds(func() { f.enter(folder, e.Name(), prefix, only.In(e.Name()), depth) })) &&
				!f.yield(name, &fileerror.Error{Code: fileerror.InvalidArgument, Path: name, Reason: reasonUnnamed, Hint: hintUnnamed}) {
				return false
			}
		case e.IsDir():
			if f.meant.Reaches(name) && !f.left.LeavesOut(e.Name(), true) && !f.enter(folder, e.Name(), prefix, only.In(e.Name()), depth) {
				return false
			}
		case e.Type().IsRegular() && IsMarkdown(name) && f.meant.Match(name) && !f.left.LeavesOut(e.Name(), false):
			if !f.yield(f.shown(name), nil) {
				return false
			}
		}
	}
	return true
}

// holds reports whether a walk has anything to yield, and ends it there.
func (f *finder) holds(walk func()) (holds bool) {
	yield := f.yield
	defer func() { f.yield = yield }()
	f.yield = func(string, error) bool {
		holds = true
		return false
	}
	walk()
	return holds
}

// enter walks the folder of this name and reports whether to go on.
func (f *finder) enter(folder *os.Root, name, prefix string, only filenames.Chosen, depth int) bool {
	if depth == maxDepth {
		return f.yield(prefix+name, &fileerror.Error{Code: fileerror.NotFound, Path: prefix + name, Reason: reasonDeep, Hint: hintDeep})
	}
	next, info, err := openFolder(folder, name)
	if err != nil || next == nil {
		return errors.Is(err, errChanged) || errors.Is(err, ErrProtected) || err == nil || f.yield(f.shown(prefix+name), systemFailure(prefix+name, err))
	}
	defer next.Close() //nolint:errcheck // nothing was written
	if prefix+name == f.meant.Base() {
		only = nil // from here on all
	}
	return f.roots.same(info) != nil || f.walk(next, []string{name}, name, prefix+name+"/", only, depth+1)
}

// shown returns the path by which Read finds the file at name, a path relative to
// the root, and no other.
func (f *finder) shown(name string) string {
	for _, other := range f.roots.roots {
		if other == f.root {
			continue
		}
		w := f.roots.start(other, name, name)
		err := w.run()
		w.close()
		if err == nil || w.missing == nil && !w.gone {
			return path.Join(filepath.ToSlash(f.root.dir), name)
		}
	}
	return name
}

// entries returns at most n entries of a folder, all if n is negative, in the
// order of their names, and with an error those that came before it.
func entries(folder *os.Root, n int) ([]fs.DirEntry, error) {
	f, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	list, err := f.ReadDir(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}
