package linking

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/links"
)

// maxCompared is the number of names up to which it is looked for what was meant.
const maxCompared = 5000

// neighbours are documents by what somebody may have meant by a path: one that is elsewhere
// has the same name, and one that is called otherwise is in the same folder.
type neighbours struct {
	named map[string][]string // paths by their last name in lower case
	in    map[string][]string // last names by the folder
}

// neighboursOf returns the neighbours among some documents.
func neighboursOf(pages []*links.Page) *neighbours {
	n := &neighbours{map[string][]string{}, map[string][]string{}}
	for _, p := range pages {
		folder, base := path.Dir(p.Path), path.Base(p.Path)
		lower := strings.ToLower(base)
		n.named[lower] = append(n.named[lower], p.Path)
		n.in[folder] = append(n.in[folder], base)
	}
	return n
}

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
	if t.Place != nil {
		return "#" + t.Place.Name
	}
	if t.Reason == links.OtherCase || t.Reason == links.OtherForm {
		return s.path(t.Path)
	}
	if !files.IsMarkdown(t.Path) {
		return "" // what other files there are nobody has looked at
	}
	if s.near == nil {
		s.near = neighboursOf(s.pages[:min(len(s.pages), maxCompared)])
	}
	elsewhere, names := s.near.named[strings.ToLower(path.Base(t.Path))], s.near.in[path.Dir(t.Path)]
	if len(elsewhere) == 1 {
		return s.path(elsewhere[0])
	}
	if near := nearest.Names(path.Base(t.Path), names, 1); near != nil && elsewhere == nil && nearest.Ratio(bareName(t.Path), bareName(near[0])) > 0.6 {
		return s.path(path.Join(path.Dir(t.Path), near[0]))
	}
	return ""
}

// bareName returns the name of a document without its extension.
func bareName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
