package linking

import (
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/project"
	"github.com/sectile/sectile/links"
)

// A server may have several roots, beside each other or one in another, and documents of one
// link to those of another by the way that leads there. What a document is called is no place
// then: those of all roots are in one set, by where they lie in the folder around all roots.

// placeRoots says where the roots lie in the set, and what paths that begin with '/' are relative to there.
func (s *scan) placeRoots(sites []project.Site, options *links.Options) {
	if only := sites[0]; len(sites) == 1 && (only.Root == only.Dir || !below(only.Root, only.Dir)) {
		options.Root, options.HasRoot = s.siteBelow(only), only.Set
		return
	}
	s.base = sites[0].Dir
	for _, site := range sites {
		for (!below(s.base, site.Dir) || !below(s.base, site.Root)) && filepath.Dir(s.base) != s.base {
			s.base = filepath.Dir(s.base)
		}
	}
	for _, site := range sites {
		s.sites = append(s.sites, project.Site{Dir: s.fromBase(site.Dir), Root: s.fromBase(site.Root), Set: site.Set})
	}
	options.RootOf = s.rootOf
}

// siteBelow returns the path in the only root of what links that begin with '/' are relative to.
func (s *scan) siteBelow(only project.Site) string {
	rel, err := filepath.Rel(only.Dir, only.Root)
	if err != nil { // on another drive
		rel = ".."
	}
	if rel == "." || !filepath.IsLocal(rel) { // itself, or beside it, where nothing is looked at
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(s.docs.Straight(rel))
}

// rootOf returns the folder that paths in a document which begin with '/' are relative to, and whether
// that is set.
func (s *scan) rootOf(document string) (root string, set bool) {
	for _, site := range s.sites {
		if site.Dir == "." || strings.HasPrefix(document, site.Dir+"/") {
			return site.Root, site.Set
		}
	}
	return s.options.Root, s.options.HasRoot
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
