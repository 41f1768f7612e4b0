package links

import (
	"bytes"
	"path"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// A Page is what is known of a document without the document.
type Page struct {
	// Path is that of the document, relative to the folder of the set, clean, with slashes.
	Path   string
	Links  []Link // in the order of the document
	Places *address.Places
	// Open says that parts of the document come from elsewhere, and anchors with them.
	Open bool
}

// A Link is a link with a destination of its own: a reference has that of its definition,
// which is a link here.
type Link struct {
	Kind    markdown.LinkKind
	Image   bool
	Block   int // index of the block in which it stands
	Section int // index of the innermost section in which it stands, -1 for none
	Line    int // on which it begins, from 1
	// Whole is the link, Written its destination as it is written, and Fragment what stands
	// behind '#' in that, in bytes; HasFragment says that there is a '#'.
	Whole, Written, Fragment markdown.Span
	HasFragment              bool
	Destination              string // with escapes and entities resolved
}

// Wiki reports whether the destination is the name of a document, and no path.
func (l *Link) Wiki() bool { return l.Kind == markdown.LinkWiki }

// NewPage returns what is known of a document at a path. It keeps nothing of the document.
func NewPage(name string, doc *markdown.Document) *Page {
	all := doc.Links()
	p := &Page{Path: name, Places: address.PlacesWith(doc, all), Open: isOpen(name, doc.Source)}
	section := -1
	var room [256]byte
	for i := range all {
		l := &all[i]
		switch l.Kind {
		case markdown.LinkInline, markdown.LinkReferenceDefinition, markdown.LinkAutolink, markdown.LinkBareURL,
			markdown.LinkWiki, markdown.LinkHTML:
		default:
			continue
		}
		for section+1 < len(doc.Sections) && int(doc.Sections[section+1].Heading) <= l.Block {
			section++
		}
		dst := room[:0]
		switch {
		case l.Email:
			dst = append(dst, "mailto:"...)
		case l.Kind == markdown.LinkBareURL && doc.Source[l.Whole.Start]|0x20 == 'w':
			dst = append(dst, "http://"...)
		}
		dst = doc.AppendLinkText(dst, l, l.Destination)
		p.Links = append(p.Links, Link{
			Kind: l.Kind, Image: l.Image, Block: l.Block, Section: section, Line: doc.LineAt(l.Whole.Start),
			Whole: l.Whole, Written: l.Destination, Fragment: l.Fragment, HasFragment: l.Fragment != markdown.Span{},
			Destination: string(dst),
		})
	}
	return p
}

// UnreadPage returns the page of a document of which nothing is known but that it is there, so
// that no link to it is told to be broken.
func UnreadPage(name string) *Page { return &Page{Path: name, Places: &address.Places{}, Open: true} }

// isOpen reports whether parts of a document may come from elsewhere: by MkDocs' snippets
// ("--8<--"), Jinja and Liquid, mdBook, MyST, or a wiki link that shows what it leads to.
func isOpen(name string, src []byte) bool {
	if path.Ext(name) == ".mdx" || bytes.Contains(src, []byte("![[")) || bytes.Contains(src, []byte("--8<--")) {
		return true
	}
	for at := 0; ; at++ {
		i := bytes.IndexByte(src[at:], '{')
		if i < 0 {
			return false
		}
		at += i
		rest := src[at+1:]
		if len(rest) > 0 && (rest[0] == '%' || rest[0] == '{') || bytes.HasPrefix(rest, []byte("include}")) || bytes.HasSuffix(src[:at], []byte(":::")) {
			return true
		}
	}
}
