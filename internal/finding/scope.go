package finding

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/engine"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/glob"
)

// What a request is about becomes scopes of an engine: for each path the root that it lies in,
// and where in it.

// region is documents of a folder that a request is about.
type region struct {
	dir     string // absolute, links resolved
	prefix  string // of their paths below it, with forward slashes; empty for all
	path    string // the one document's
	pattern string // a glob that their paths below it match
	// name returns what the request calls a document of the folder.
	name func(below string) string
	// among returns those of some paths below the folder that a pass through it finds; the one
	// document needs no pass.
	among func(below []string) map[string]bool
}

// regions returns what the request is about; ok is false if an engine can't have all of it.
func (s *searching) regions() (list []region, ok bool) {
	if s.docs.Workspace != nil {
		return s.regionsOfRoots(), true
	}
	paths := s.docs.Paths
	if len(paths) == 0 {
		paths = []string{documents.Project()}
	}
	for _, p := range paths {
		r, ok := regionOf(p, s.docs.Walk)
		if !ok {
			return nil, false
		}
		list = append(list, r)
	}
	return list, true
}

// regionOf returns the region of an argument of a command.
func regionOf(arg string, walk documents.WalkOptions) (region, bool) {
	if arg == documents.Stdin {
		return region{}, false
	}
	var r region
	dir := arg
	switch many := documents.IsMany(arg); {
	case many && glob.HasMeta(arg) && !isFolder(arg):
		g, err := glob.Parse(arg)
		if err != nil {
			return region{}, false // reading the documents tells
		}
		dir, r.pattern, walk.Hidden = g.Base(), g.Rest(), walk.Hidden || g.Hidden()
	case !many:
		dir, r.path = filepath.Dir(arg), filepath.Base(arg)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return region{}, false
	}
	if r.dir, err = filepath.EvalSymlinks(abs); err != nil {
		return region{}, false
	}
	r.name = func(below string) string {
		if r.path != "" {
			return arg
		}
		return filepath.Join(dir, filepath.FromSlash(below))
	}
	r.among = func(below []string) map[string]bool { return files.Among(dir, below, walk) }
	return r, true
}

// regionsOfRoots returns the regions of a workspace, by the paths of the request.
func (s *searching) regionsOfRoots() []region {
	var list []region
	type place struct{ root, below, pattern string }
	seen := map[place]bool{}
	roots := s.docs.Workspace.FileRoots().RealDirs()
	for _, root := range roots {
		paths := s.docs.Paths
		if len(paths) == 0 {
			paths = []string{root}
		}
		for _, p := range paths {
			pattern, below := "", path.Clean(filepath.ToSlash(p))
			if filepath.IsAbs(p) {
				rel, err := filepath.Rel(root, p)
				if err != nil || rel != "." && !filepath.IsLocal(rel) {
					continue
				}
				below = filepath.ToSlash(rel)
			}
			if glob.HasMeta(below) && !s.docs.IsFolder(p) {
				g, err := glob.Parse(below)
				if err != nil {
					continue // reading the documents tells
				}
				below, pattern = filepath.ToSlash(g.Base()), g.Rest()
			}
			at, below := innermost(roots, root, below)
			if seen[place{at, below, pattern}] {
				continue
			}
			seen[place{at, below, pattern}] = true
			r := s.regionOfRoot(at)
			switch {
			case pattern != "":
				if r.pattern = pattern; below != "." {
					r.pattern = quotedGlob(below+"/") + pattern
				}
			case below != ".":
				list = append(list, region{dir: at, path: below, name: r.name})
				r.prefix = below + "/"
			}
			list = append(list, r)
		}
	}
	return list
}

// regionOfRoot returns the region of all below a root.
func (s *searching) regionOfRoot(root string) region {
	roots := s.docs.Workspace.FileRoots()
	return region{
		dir: root,
		name: func(below string) string {
			name, ok := s.docs.Workspace.NameOf(filepath.Join(root, filepath.FromSlash(below)))
			if !ok {
				return ""
			}
			return name
		},
		among: func(below []string) map[string]bool { return roots.Among(s.ctx, root, below) },
	}
}

// innermost returns the innermost of some roots that a path below one of them lies in, and the path below
// that, with forward slashes.
func innermost(roots []string, root, below string) (in, rest string) {
	in, rest = root, below
	for _, other := range roots {
		rel, err := filepath.Rel(other, filepath.Join(root, filepath.FromSlash(below)))
		if err == nil && (rel == "." || filepath.IsLocal(rel)) && len(other) > len(in) {
			in, rest = other, filepath.ToSlash(rel)
		}
	}
	return in, rest
}

// scoped is a region as an engine has it.
type scoped struct {
	scope  engine.Scope
	region region
	offset string // of the region's folder below the root, with a slash after it
	root   config.SearchRoot
}

// scopes returns the scopes of the regions, and false if one of them lies in no root that the
// engine has.
func scopes(regions []region, roots []config.SearchRoot) ([]scoped, bool) {
	var list []scoped
	for _, r := range regions {
		best, offset := -1, ""
		for i, root := range roots {
			below, err := filepath.Rel(root.Dir, r.dir)
			if root.Dir == "" || err != nil || below != "." && !filepath.IsLocal(below) || best >= 0 && len(root.Dir) < len(roots[best].Dir) {
				continue
			}
			best, offset = i, ""
			if below != "." {
				offset = filepath.ToSlash(below) + "/"
			}
		}
		if best < 0 {
			return nil, false
		}
		one := scoped{scope: engine.Scope{Root: engine.RootID(roots[best].Name), Prefix: offset + r.prefix}, region: r, offset: offset, root: roots[best]}
		if r.path != "" {
			one.scope.Path = offset + r.path
		}
		if r.pattern != "" {
			one.scope.Pattern = quotedGlob(offset) + r.pattern
		}
		list = append(list, one)
	}
	return list, true
}

// quotedGlob returns the glob that matches a path alone.
func quotedGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(path)
}

// below returns the path of a document of the engine below the region's folder; ok is false if
// the request is not about it.
func (s *scoped) below(h *engine.Hit) (below string, ok bool) {
	below, ok = strings.CutPrefix(h.Path, s.offset)
	switch {
	case h.Root != s.scope.Root || !ok || s.region.path != "" && below != s.region.path || !strings.HasPrefix(below, s.region.prefix):
		return "", false
	case s.region.pattern != "":
		g, err := glob.Parse(s.region.pattern)
		return below, err == nil && g.Match(below)
	}
	return below, true
}

// about returns the candidates that the request is about.
func (s *scoped) about(hits []engine.Hit) (list []*engine.Hit) {
	for i := range hits {
		if _, ok := s.below(&hits[i]); ok {
			list = append(list, &hits[i])
		}
	}
	return list
}

// found returns those of the candidates' documents that a pass through the region's folder finds,
// by their paths below it: the engine may name any.
func (s *scoped) found(about []*engine.Hit) map[string]bool {
	var named []string
	for _, h := range about {
		below, _ := s.below(h)
		named = append(named, below)
	}
	if s.region.path != "" {
		return map[string]bool{s.region.path: len(named) > 0}
	}
	return s.region.among(named)
}

// elsewhereOf returns the scopes of roots whose files are on other machines.
func elsewhereOf(roots []config.SearchRoot) []scoped {
	var list []scoped
	for _, root := range roots {
		if root.Dir == "" {
			list = append(list, scoped{scope: engine.Scope{Root: engine.RootID(root.Name)}, root: root})
		}
	}
	return list
}

// onlyScopes returns what the engine is told of scopes.
func onlyScopes(list []scoped) []engine.Scope {
	var only []engine.Scope
	for i := range list {
		if !slices.Contains(only, list[i].scope) {
			only = append(only, list[i].scope)
		}
	}
	return only
}
