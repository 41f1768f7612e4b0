package linking

import (
	"path"
	"strings"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/links"
)

// maxCompared is the number of names up to which it is looked for what was meant.
const maxCompared = 5000

// nearest returns what a broken link probably means, as its destination, "" if nothing is
// like it. For a name in a document that is there, it is another name in it; for a document,
// one of the set.
func (s *scan) nearest(t *links.Target, destination string) string {
	d := links.ParseDestination(destination)
	if t.Reason == links.NoAnchor {
		var names []string
		for _, place := range s.set.PlacesAt(t.Path) {
			names = append(names, place.Name)
		}
		if near := nearest.Names(d.Fragment, names[:min(len(names), maxCompared)], 1); near != nil {
			return "#" + near[0]
		}
		return ""
	}
	if t.Reason == links.OtherCase {
		return s.path(t.Path)
	}
	if ext := path.Ext(t.Path); ext != ".md" && ext != ".markdown" && ext != ".mdx" {
		return "" // what other files there are nobody has looked at
	}
	// A document that is elsewhere has the same name, and one that is called otherwise is in
	// the same folder.
	var elsewhere, names []string
	for _, p := range s.pages[:min(len(s.pages), maxCompared)] {
		switch {
		case strings.EqualFold(path.Base(p.Path), path.Base(t.Path)):
			elsewhere = append(elsewhere, p.Path)
		case path.Dir(p.Path) == path.Dir(t.Path):
			names = append(names, path.Base(p.Path))
		}
	}
	if len(elsewhere) == 1 {
		return s.path(elsewhere[0])
	}
	if near := nearest.Names(path.Base(t.Path), names, 1); near != nil && elsewhere == nil && nearest.Ratio(path.Base(t.Path), near[0]) > 0.6 {
		return s.path(path.Join(path.Dir(t.Path), near[0]))
	}
	return ""
}
