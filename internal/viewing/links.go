package viewing

import (
	"bytes"
	"context"
	"path"
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
	ctx   context.Context //nolint:containedctx // of the request that it belongs to
	named sync.Once       // the set has the names of all documents
}

// newLeads returns the leads of the document of a request.
func newLeads(ctx context.Context, docs documents.Set, req *SectionRequest) (*leads, error) {
	start := ""
	if docs.Workspace != nil {
		start = docs.Workspace.Roots()[0]
	}
	settings, err := project.Links(ctx, start)
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	l := &leads{ctx: ctx, docs: docs, from: req.Path, pages: req.Pages}
	l.set = links.NewSet(links.Options{Look: l.look, HasRoot: settings.Root != "", Root: settings.Root})
	return l, nil
}

// look says what there is at a path.
func (l *leads) look(name string) links.Entry {
	switch l.docs.Look(name) {
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
	t := l.set.ResolveDestination(l.from, d)
	name := t.Path
	if name == "" {
		return nil
	}
	if !files.IsMarkdown(name) {
		name = path.Join(name, "README.md") // of a folder
	}
	if l.docs.Look(name) != documents.AFile {
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
	l.named.Do(func() {
		for _, path := range l.docs.All(l.ctx).Paths {
			l.set.Add(&links.Page{Path: path})
		}
	})
	t := l.set.Resolve(&links.Page{Path: l.from}, &links.Link{Kind: markdown.LinkWiki, Destination: name})
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
	name := path.Join(path.Dir(l.from), d.Path)
	if d.Rooted {
		name = strings.TrimPrefix(d.Path, "/")
	}
	return []byte(l.pages.Picture(name))
}
