package linking

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/project"
)

// A server may have several roots, beside each other or one in another, and documents of one
// link to those of another by the way that leads there. What a document is called is no place
// then: those of all roots are in one set, by where they lie in the folder around all roots.

// placeRoots says where the roots lie in the set, and what paths that begin with '/' are relative to:
// to what is set below the project's folder in each root that lies in that, and below any other itself.
func (s *scan) placeRoots(settings project.LinkSettings) {
	roots := s.docs.Workspace.FileRoots().RealDirs()
	around := roots
	site := ""
	if settings.Folder != "" && settings.Root != "" {
		site = siteOf(settings)
		around = append(slices.Clone(roots), site)
	}
	if len(roots) == 1 && (site == "" || site == roots[0] || !below(site, roots[0])) {
		s.options.Root = s.siteBelow(roots[0], site, settings.Root)
		return
	}
	s.base = roots[0]
	for _, dir := range around {
		for !below(s.base, dir) && filepath.Dir(s.base) != s.base {
			s.base = filepath.Dir(s.base)
		}
	}
	s.sites = map[string]string{}
	for _, root := range roots {
		dir := s.fromBase(root)
		s.dirs = append(s.dirs, dir)
		if s.sites[dir] = path.Join(dir, filepath.ToSlash(settings.Root)); site != "" && below(settings.Folder, root) {
			s.sites[dir] = s.fromBase(site)
		}
	}
	slices.SortStableFunc(s.dirs, func(a, b string) int { return len(a) - len(b) })
	s.options.Root, s.options.RootOf = s.dirs[0], s.rootOf
}

// siteOf returns the folder on the host that is set, links resolved.
func siteOf(settings project.LinkSettings) string {
	site := filepath.Join(settings.Folder, filepath.FromSlash(settings.Root))
	if resolved, err := filepath.EvalSymlinks(site); err == nil {
		return resolved
	}
	return site
}

// siteBelow returns the path in the only root of what is set: of a folder on the host, or, where there
// is no project, of one below the root.
func (s *scan) siteBelow(root, site, set string) string {
	if site != "" {
		if set, _ = filepath.Rel(root, site); set == "" { // on another drive
			set = ".."
		}
	}
	if set == "" || !filepath.IsLocal(set) { // beside the root, where nothing is looked at
		return filepath.ToSlash(set)
	}
	return filepath.ToSlash(s.docs.Straight(set))
}

// rootOf returns the folder that paths in a document which begin with '/' are relative to: that of
// the outermost root around it.
func (s *scan) rootOf(document string) string {
	for _, dir := range s.dirs {
		if dir == "." || strings.HasPrefix(document, dir+"/") {
			return s.sites[dir]
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
