package links

import (
	"bytes"
	"path"
	"strings"
	"sync"

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

// reader is memory to find the links of one document after another in.
type reader struct {
	links markdown.LinkReader
	all   []markdown.Link
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// maxKept is the number of links up to which a reader is used again.
const maxKept = 1 << 10

// NewPage returns what is known of a document at a path. It keeps nothing of the document.
func NewPage(name string, doc *markdown.Document) *Page {
	r := readers.Get().(*reader) //nolint:forcetypeassert // it has nothing else
	r.all = r.links.Append(r.all[:0], doc, 0)
	p := newPage(name, doc, r.all)
	if len(r.all) <= maxKept {
		readers.Put(r)
	}
	return p
}

// newPage is NewPage, given all links of the document.
func newPage(name string, doc *markdown.Document, all []markdown.Link) *Page {
	p := &Page{Path: name, Places: address.PlacesWith(doc, all), Open: isOpen(name, doc.Source)}
	count := 0
	for i := range all {
		if leads(&all[i]) {
			count++
		}
	}
	p.Links = make([]Link, 0, count)
	section := -1
	lines := lineCounter{doc: doc}
	var room [256]byte
	for i := range all {
		l := &all[i]
		if !leads(l) {
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
			Kind: l.Kind, Image: l.Image, Block: l.Block, Section: section, Line: lines.at(l.Block, l.Whole.Start),
			Whole: l.Whole, Written: l.Destination, Fragment: l.Fragment, HasFragment: l.Fragment != markdown.Span{},
			Destination: string(dst),
		})
	}
	return p
}

// leads reports whether a link has a destination of its own.
func leads(l *markdown.Link) bool {
	switch l.Kind {
	case markdown.LinkInline, markdown.LinkReferenceDefinition, markdown.LinkAutolink, markdown.LinkBareURL,
		markdown.LinkWiki, markdown.LinkHTML:
		return true
	}
	return false
}

// lineCounter tells on which lines links stand, which come in the order of their blocks. It
// counts along them: an index of all lines costs more than most links do.
type lineCounter struct {
	doc        *markdown.Document
	block      int // of the link before
	line, from int // its line and where it begins; line is 0 before the first
}

// at returns the line of what stands in a block.
func (c *lineCounter) at(block, offset int) int {
	b := &c.doc.Blocks[block]
	if c.line == 0 || block != c.block || offset < c.from {
		c.block, c.line, c.from = block, int(b.StartLine), int(b.Start)
	}
	if b.StartLine < b.EndLine && offset > c.from {
		between := c.doc.Source[c.from:offset]
		c.line += bytes.Count(between, []byte{'\n'})
		if cr := bytes.Count(between, []byte{'\r'}); cr > 0 {
			c.line += cr - bytes.Count(between, []byte("\r\n"))
		}
		c.from = offset
	}
	return c.line
}

// UnreadPage returns the page of a document of which nothing is known but that it is there, so
// that no link to it is told to be broken.
func UnreadPage(name string) *Page { return &Page{Path: name, Places: &address.Places{}, Open: true} }

// isOpen reports whether parts of a document may come from elsewhere: by MkDocs' snippets
// ("--8<--"), Jinja and Liquid, mdBook, MyST, or a wiki link that shows what it leads to.
func isOpen(name string, src []byte) bool {
	if strings.EqualFold(path.Ext(name), ".mdx") || bytes.Contains(src, []byte("![[")) {
		return true
	}
	for at := 0; ; at++ { // of '8' there are fewer than of '-'
		i := bytes.Index(src[at:], []byte("8<--"))
		if i < 0 {
			break
		}
		if at += i; bytes.HasSuffix(src[:at], []byte("--")) {
			return true
		}
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
