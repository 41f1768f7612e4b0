package viewing

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/project"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// leads tells where the links and images of a document lead on the page.
type leads struct {
	docs  documents.Set
	from  string
	pages Pages
	set   *links.Set
	named func() *links.Set // a set that has the names of all documents
	above string            // how paths of the host begin, which they don't in the set
	place string            // that of the document
	root  string            // the folder that paths are relative to which begin with '/'
}

// newLeads returns the leads of the document of a request.
func newLeads(ctx context.Context, docs documents.Set, req *SectionRequest) (*leads, error) {
	sites, err := project.Sites(ctx, docs.Workspace.FileRoots())
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	// Paths are those of the host: a relative one may be another root's, and links may lead from one
	// root into another, or be relative to a folder around it.
	host := docs.Workspace.Host(req.Path)
	l := &leads{docs: docs, from: req.Path, pages: req.Pages, place: strings.TrimLeft(filepath.ToSlash(host), "/")}
	l.above = filepath.ToSlash(host)[:len(host)-len(l.place)]
	l.root = strings.TrimPrefix(filepath.ToSlash(project.SiteOf(sites, host).Root), l.above)
	l.set = links.NewSet(links.Options{Look: l.look, Root: l.root})
	l.named = sync.OnceValue(func() *links.Set {
		set := links.NewSet(links.Options{Look: func(name string) links.Entry { return entryOf(docs.Look(name)) }})
		all, _ := docs.All(ctx)
		for _, path := range all.Paths {
			set.Add(&links.Page{Path: path})
		}
		return set
	})
	return l, nil
}

// document returns what the document at a path is called, and whether there is one.
func (l *leads) document(name string) (called string, ok bool) {
	kind, own := l.docs.Own(l.above + name)
	if kind != documents.AFile {
		return "", false
	}
	return cmp.Or(l.docs.Workspace.Called(own), own), true
}

// look says what there is at a path.
func (l *leads) look(name string) links.Entry { return entryOf(l.docs.Look(l.above + name)) }

// entryOf returns what there is, as a set takes it.
func entryOf(kind documents.Kind) links.Entry {
	switch kind {
	case documents.AFile:
		return links.File
	case documents.AFolder:
		return links.Folder
	case documents.Nothing:
		return links.Nothing
	case documents.NoFolder:
		return links.NoFolder
	}
	return links.Unseen
}

// schemes are those of links that lead out of the page.
var schemes = []string{"http://", "https://", "mailto:"} // http:a is a path of the page itself to a browser

// link returns where a link leads, nil for nowhere.
func (l *leads) link(destination []byte) []byte {
	d := links.ParseDestination(string(destination))
	if d.External {
		for _, scheme := range schemes {
			if len(destination) > len(scheme) && bytes.EqualFold(destination[:len(scheme)], []byte(scheme)) {
				return destination
			}
		}
		return nil
	}
	at := ""
	if d.HasFragment && d.Fragment != "" {
		at = "#" + d.Fragment
	}
	if d.Path == "" {
		return []byte(l.pages.Read(l.from, at))
	}
	t := l.set.ResolveDestination(l.place, d)
	name := t.Path
	if name == "" {
		return nil
	}
	if !files.IsMarkdown(name) {
		name = path.Join(name, "README.md") // of a folder
	}
	name, ok := l.document(name)
	if !ok {
		return nil
	}
	return []byte(l.pages.Read(name, at))
}

// wiki returns where a wiki link leads, nil for nowhere: to a document by its path or its name,
// and there to a heading by its title.
func (l *leads) wiki(destination []byte) []byte {
	name, fragment, _ := strings.Cut(string(destination), "#")
	at := ""
	if fragment = strings.TrimSpace(fragment); !strings.HasPrefix(fragment, "^") { // which names a block
		at = strings.ReplaceAll(fragment, "#", " > ")
	}
	if strings.TrimSpace(name) == "" {
		return []byte(l.pages.Read(l.from, at))
	}
	t := l.named().Resolve(&links.Page{Path: l.from}, &links.Link{Kind: markdown.LinkWiki, Destination: name})
	if t.Path == "" || !files.IsMarkdown(t.Path) || l.docs.Look(t.Path) != documents.AFile {
		return nil
	}
	return []byte(l.pages.Read(t.Path, at))
}

// image returns where an image is taken from, nil for nowhere: those of other hosts aren't
// loaded, for that would tell them who reads what.
func (l *leads) image(destination []byte) []byte {
	d := links.ParseDestination(string(destination))
	if d.External || d.Path == "" {
		return nil
	}
	folder := path.Dir(l.place)
	if d.Rooted {
		folder = l.root
	}
	name := l.docs.Workspace.Called(filepath.FromSlash(l.above + path.Join(folder, d.Path)))
	if name == "" { // it lies in no root
		return nil
	}
	return []byte(l.pages.Picture(name))
}
