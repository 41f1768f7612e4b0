package project

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/files"
)

// Site says what links that begin with '/' are relative to in the documents below a root of a server.
type Site struct {
	// Dir is the root.
	Dir string
	// Root is the folder that they are relative to, links resolved where it is there.
	Root string
	// Set says that a configuration names it.
	Set bool
}

// SiteOf returns that of sites in which a document lies, by its path on the host without links; the last
// one for what lies in none.
func SiteOf(sites []Site, document string) Site {
	for _, site := range sites {
		if below, err := filepath.Rel(site.Dir, document); err == nil && filepath.IsLocal(below) {
			return site
		}
	}
	return sites[len(sites)-1]
}

// Sites returns the sites of roots in the order in which they count: that of a document is the first whose
// Dir is around it. Roots in whose project it is set come first, inner ones before outer ones; then others,
// which stand for themselves, outer ones before inner ones. One that was removed or replaced since it was
// opened stands for itself, whatever is set there by now. The error is that of Links.
func Sites(ctx context.Context, roots *files.Roots) ([]Site, error) {
	var inner, outer []Site
	dirs := roots.RealDirs()
	for _, dir := range dirs {
		var settings LinkSettings
		if now, err := os.Stat(dir); err == nil && roots.StillHas(now) {
			if settings, err = Links(ctx, dir); err != nil && len(dirs) > 1 {
				err = fmt.Errorf("below %s: %w", dir, err)
			}
			if err != nil {
				return nil, err
			}
		}
		site := Site{Dir: dir, Root: dir}
		if site.Set = settings.Root != ""; site.Set {
			site.Root = filepath.Join(cmp.Or(settings.Folder, dir), filepath.FromSlash(settings.Root))
			if resolved, err := filepath.EvalSymlinks(site.Root); err == nil {
				site.Root = resolved
			}
		}
		if site.Set && settings.Folder != "" {
			inner = append(inner, site)
		} else {
			outer = append(outer, site)
		}
	}
	// Of two folders on one way down the longer path is that of the inner one.
	slices.SortStableFunc(inner, func(a, b Site) int { return len(b.Dir) - len(a.Dir) })
	slices.SortStableFunc(outer, func(a, b Site) int { return len(a.Dir) - len(b.Dir) })
	return append(inner, outer...), nil
}
