package files

import (
	"context"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Find yields the Markdown files below the roots, root after root, in the order
// of names, as paths that Read takes: relative to their root, or absolute where
// another root has something at the same path. What Read refuses is left out, and
// so are links, so that nothing comes twice; a root within another is walked by
// itself alone. Folders that can't be read are skipped. It ends when ctx does.
func (r *Roots) Find(ctx context.Context) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, root := range r.roots {
			f := finder{ctx: ctx, roots: r, root: root, yield: yield}
			if root.is(root.dir) && !f.walk(root.handle, root.called, "", 0) {
				return
			}
		}
	}
}

// finder walks one root.
type finder struct {
	ctx   context.Context
	roots *Roots
	root  *root
	yield func(string) bool
}

// walk yields the files in a folder and below, and reports whether to go on.
// Called are the folder's names, and prefix is its path with a slash after it, empty for
// the root.
func (f *finder) walk(folder *os.Root, called []string, prefix string, depth int) bool {
	for _, e := range entries(folder, -1) {
		if f.ctx.Err() != nil {
			return false
		}
		name := prefix + e.Name()
		p := protectedUnder(called, e.Name())
		switch {
		case checkPath(name) != nil, p != nil && !p.documents:
		case e.IsDir():
			if depth < maxDepth && !f.enter(folder, e.Name(), prefix, depth) {
				return false
			}
		case e.Type().IsRegular() && IsMarkdown(e.Name()):
			if !f.yield(f.shown(name)) {
				return false
			}
		}
	}
	return true
}

// enter walks the folder of this name and reports whether to go on.
func (f *finder) enter(folder *os.Root, name, prefix string, depth int) bool {
	next, info, err := openFolder(folder, name)
	if err != nil || next == nil {
		return true
	}
	defer next.Close() //nolint:errcheck // nothing was written
	return f.roots.same(info) != nil || f.walk(next, []string{name}, prefix+name+"/", depth+1)
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
// order of their names. Of a folder that can't be read there are none.
func entries(folder *os.Root, n int) []fs.DirEntry {
	f, err := folder.Open(".")
	if err != nil {
		return nil
	}
	defer f.Close()         //nolint:errcheck // nothing was written
	list, _ := f.ReadDir(n) // what came before an error is worth having
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}
