package markdown

import (
	"bytes"
	"slices"

	"github.com/sectile/sectile/internal/syntax"
)

// LinkKind says how a link is written.
type LinkKind uint8

// The kinds of links.
const (
	_                       LinkKind = iota
	LinkInline                       // "[text](destination)", CommonMark 6.3
	LinkFull                         // "[text][label]"
	LinkCollapsed                    // "[label][]"
	LinkShortcut                     // "[label]"
	LinkReferenceDefinition          // "[label]: destination", CommonMark 4.7
	LinkAutolink                     // "<https://a.example>", CommonMark 6.5
	LinkBareURL                      // "https://a.example", GFM 6.9
	LinkFootnote                     // "[^label]", GFM
	LinkFootnoteDefinition           // "[^label]: text", GFM
	LinkWiki                         // "[[a#b|text]]", with Options.WikiLinks
	LinkHTML                         // the value of href or src in a tag, of data in that of an object, or of poster in that of a video
	LinkHTMLAnchor                   // the value of id in a tag, or of name in that of an a: where links lead to
)

var linkKindNames = [...]string{
	"invalid", "inline", "full", "collapsed", "shortcut", "reference_definition", "autolink",
	"bare_url", "footnote", "footnote_definition", "wiki", "html", "html_anchor",
}

// String returns the kind's name in lower case with underscores, such as "inline".
func (k LinkKind) String() string {
	if int(k) < len(linkKindNames) {
		return linkKindNames[k]
	}
	return linkKindNames[0]
}

// A Link is something in a document that leads somewhere, or that is led to.
//
// Its ranges are of bytes in the document's source, without the marks around them. One
// that is 0 to 0 stands for a part that isn't there; one that is there but empty has
// another offset. If Multiline is set and the block stands in a quote, a range may hold
// the prefixes of lines: Document.AppendLinkText reads without them.
type Link struct {
	Kind LinkKind
	// Image marks an image, and a wiki link that shows what it leads to ("![[a]]").
	Image bool
	// Email marks an address that is one of a mailbox and doesn't say so.
	Email bool
	// Multiline marks a link that stands on more than one line.
	Multiline bool
	// Block is the paragraph, heading, cell, HTML block or definition that it stands in.
	Block int
	// Definition is the block that defines the label of a reference or footnote, or -1.
	Definition int

	Whole       Span // the link with all its marks; the tag of an attribute
	Text        Span // what is shown
	Destination Span // as it is written, with escapes and the fragment
	Fragment    Span // of the destination, behind the first '#'
	Title       Span
	Label       Span // of a reference, footnote or definition; the value of an anchor's attribute
}

// Links returns all links of the document in source order, a link before the image in
// its text. What counts as a link is what CommonMark and GFM say; in HTML, attributes of
// any element.
func (d *Document) Links() []Link { return new(LinkReader).Append(nil, d, 0) }

// A LinkReader finds the links of documents, one after another in the same memory. Its
// zero value is ready to be used. It must not be used by several goroutines at once.
type LinkReader struct{ inlines Inlines }

// Append appends what Document.Links returns to dst, of one kind if that isn't 0.
func (r *LinkReader) Append(dst []Link, d *Document, kind LinkKind) []Link {
	return r.AppendBlocks(dst, d, kind, 0, len(d.Blocks))
}

// AppendBlocks is Append for the blocks from one up to another; an abridged document has none.
func (r *LinkReader) AppendBlocks(dst []Link, d *Document, kind LinkKind, from, end int) []Link {
	r.inlines.reader.forLinks = true
	for b := from; b < end && d.abridged == nil; b++ {
		first := len(dst)
		switch d.Blocks[b].Kind {
		case Paragraph, Heading, TableCell:
			if d.mayLink(b) {
				r.inlines.Read(d, b)
				dst = r.inlines.appendLinks(dst)
			}
		case HTMLBlock:
			dst = r.appendBlock(dst, d, b)
		case LinkDefinition, FootnoteDefinition:
			dst = append(dst, d.definitionLink(b))
		}
		d.finishLinks(dst[first:], b)
		if kind != 0 {
			dst = dst[:first+len(slices.DeleteFunc(dst[first:], func(l Link) bool { return l.Kind != kind }))]
		}
	}
	return dst
}

// mayLink reports whether block b holds what links have.
func (d *Document) mayLink(b int) bool {
	text := d.Text(d.Blocks[b].Span())
	colon := bytes.IndexByte(text, ':')
	return bytes.IndexByte(text, '[') >= 0 || bytes.IndexByte(text, '<') >= 0 || colon >= 0 && bytes.Contains(text[colon:], []byte("://")) ||
		d.specials()['@'] && (bytes.IndexByte(text, '@') >= 0 || bytes.Contains(text, []byte("www.")))
}

// finishLinks sets what follows from the ranges of the links of block b, in source order.
func (d *Document) finishLinks(links []Link, b int) {
	block := &d.Blocks[b]
	ending := -1 // of the first line that ends behind the start of the link
	for i := range links {
		l := &links[i]
		if l.Destination.Len() > 0 {
			l.Fragment = fragment(d.Source, l.Destination, l.Kind == LinkHTML)
		}
		if block.StartLine == block.EndLine {
			continue
		}
		for ending < l.Whole.Start {
			next := bytes.IndexAny(d.Source[l.Whole.Start:block.End], "\r\n")
			if next < 0 {
				next = int(block.End)
			}
			ending = l.Whole.Start + next
		}
		l.Multiline = ending < l.Whole.End
	}
}

// fragment returns the range behind the first '#' of the destination, however that is
// written.
func fragment(src []byte, s Span, isHTML bool) Span {
	for i := s.Start; i < s.End; i++ {
		switch src[i] {
		case '#':
			return Span{i + 1, s.End}
		case '&':
			if end, text := syntax.Entity(src[:s.End], i); end > 0 {
				if text == "#" {
					return Span{end, s.End}
				}
				i = end - 1
			}
		case '\\':
			if !isHTML && i+1 < s.End && src[i+1] != '#' {
				i++
			}
		}
	}
	return Span{}
}

// definitionLink returns the link that definition b is.
func (d *Document) definitionLink(b int) Link {
	t := d.Definition(b)
	l := Link{
		Kind: t.Kind, Block: b, Definition: -1, Whole: d.Blocks[b].Span(),
		Destination: t.Destination, Title: t.Title, Label: t.Label,
	}
	if t.Kind == LinkFootnoteDefinition { // what it holds has blocks of its own
		l.Whole = Span{t.Label.Start - 2, t.Label.End + 2}
	}
	return l
}

// appendLinks appends the links of the content.
func (in *Inlines) appendLinks(dst []Link) []Link {
	for i := range in.Nodes {
		n := &in.Nodes[i]
		l := Link{Block: in.block, Definition: -1, Whole: n.Span(), Text: n.Inner(), Email: n.Email}
		switch n.Kind {
		case InlineLink, InlineImage, InlineFootnote, InlineWiki:
			t := &in.targets[n.ref]
			l.Kind, l.Definition = t.Kind, t.Definition
			l.Destination, l.Title, l.Label = t.Destination, t.Title, t.Label
			l.Image = n.Kind == InlineImage || n.Kind == InlineWiki && in.source()[n.Start] == '!'
			if n.Kind == InlineFootnote {
				l.Text = Span{}
			}
		case InlineAutolink, InlineBareURL:
			if l.Kind, l.Destination = LinkAutolink, n.Inner(); n.Kind == InlineBareURL {
				l.Kind = LinkBareURL
			}
		case InlineHTML:
			first := len(dst)
			if len(in.lines) == 0 {
				dst = appendTag(dst, in.text[:n.End], int(n.Start), in.block)
				continue
			}
			// Read as it was joined, and put in the source again.
			whole := Span{in.joinedOffset(n.Start), in.joinedOffset(n.End-1) + 1}
			dst = appendTag(dst, in.text[:whole.End], whole.Start, in.block)
			in.toSourceLinks(dst[first:])
			continue
		default:
			continue
		}
		dst = append(dst, l)
	}
	return dst
}

// joinedOffset returns the offset in the joined text of a byte of the source.
func (in *Inlines) joinedOffset(offset uint32) int {
	l := in.lines[in.lineOfSource(int(offset))]
	return int(l.at + offset - l.source.Start)
}

// toSourceLinks turns the ranges of links in the joined text into those of the source.
func (in *Inlines) toSourceLinks(links []Link) {
	for i := range links {
		l := &links[i]
		for _, s := range []*Span{&l.Whole, &l.Destination, &l.Label} {
			*s = in.sourceSpan(*s)
		}
	}
}

// AppendLinkText appends the text of a range of link l without the prefixes of lines,
// which are joined with a space, and with escapes and entities resolved: of a destination,
// title or label as they are compared and followed.
func (d *Document) AppendLinkText(dst []byte, l *Link, s Span) []byte {
	src := d.Text(s)
	if l.Multiline && bytes.ContainsAny(src, "\r\n") {
		src = nil
		d.contentLines(l.Block, d.lineStart(s.Start), d.LineAt(s.Start), func(line ContentLine) bool {
			if start, end := max(line.Start, s.Start), min(line.End, s.End); start <= end {
				if start > s.Start {
					src = append(src, ' ')
				}
				src = append(src, d.Source[start:end]...)
			}
			return line.End < s.End
		})
	}
	switch l.Kind {
	case LinkAutolink, LinkBareURL, LinkWiki:
		return appendLiteral(dst, src)
	}
	return syntax.AppendUnescaped(dst, src, l.Kind == LinkHTML || l.Kind == LinkHTMLAnchor)
}
