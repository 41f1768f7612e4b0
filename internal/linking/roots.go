package linking

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A server may have several roots, beside each other or one in another, and documents of one
// link to those of another by the way that leads there. What a document is called is no place
// then: those of all roots are in one set, by where they lie in the folder around all roots.

// placeRoots says where the roots lie in the set. Paths that begin with '/' are relative to a
// folder below each.
func (s *scan) placeRoots(root string) {
	dirs := s.docs.Workspace.FileRoots().RealDirs()
	s.base = dirs[0]
	for _, dir := range dirs {
		for !below(s.base, dir) && filepath.Dir(s.base) != s.base {
			s.base = filepath.Dir(s.base)
		}
	}
	for _, dir := range dirs {
		s.dirs = append(s.dirs, s.fromBase(dir))
	}
	slices.SortStableFunc(s.dirs, func(a, b string) int { return len(a) - len(b) })
	s.site = root
}

// rootOf returns the folder that paths in a document which begin with '/' are relative to: the
// outermost root around it, or what is set below that.
func (s *scan) rootOf(document string) string {
	for _, dir := range s.dirs {
		if dir == "." || strings.HasPrefix(document, dir+"/") {
			return path.Join(dir, s.site)
		}
	}
	return s.options.Root
}

// place returns the path in the set of one below several roots.
func (s *scan) place(name string) string {
	if in, known := s.placed.Load(name); known {
		return in.(string) //nolint:forcetypeassert // it has nothing else
	}
	in := s.fromBase(s.docs.Workspace.Host(name))
	s.placed.Store(name, in)
	return in
}

// fromBase returns the path in the set of one of the host.
func (s *scan) fromBase(host string) string {
	if rel, err := filepath.Rel(s.base, host); err == nil {
		host = rel
	}
	return filepath.ToSlash(host)
}
