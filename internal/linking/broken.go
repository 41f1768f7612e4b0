package linking

import (
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Broken returns what reports whether a link of the document at path leads nowhere, as Links
// finds it: a reference does if its definition does. What can't be judged is not broken.
func Broken(d documents.Set, path string, doc *markdown.Document) func(*markdown.Link) bool {
	d.Paths = []string{path}
	s, err := newScan(d.Work.Context(), d, together)
	if err != nil || path == documents.Stdin {
		return func(*markdown.Link) bool { return false }
	}
	name := s.own(s.inSet(path))
	page, err := s.page(name, doc)
	if err != nil {
		return func(*markdown.Link) bool { return false }
	}
	s.set.Add(page)
	bad := map[int]bool{} // by where the link begins
	at := map[int]int{}   // where the definition in a block begins
	for i := range page.Links {
		l := &page.Links[i]
		switch s.set.Resolve(page, l).Status {
		case links.Broken, links.Ambiguous:
			bad[l.Whole.Start] = true
		}
		if l.Kind == markdown.LinkReferenceDefinition {
			at[l.Block] = l.Whole.Start
		}
	}
	return func(l *markdown.Link) bool {
		if l.Definition >= 0 {
			start, is := at[l.Definition]
			return is && bad[start]
		}
		return bad[l.Whole.Start]
	}
}
