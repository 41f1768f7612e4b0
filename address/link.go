package address

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/internal/syntax"
	"github.com/sectile/sectile/markdown"
)

// Links, images and definitions are parts too, though they are no blocks: `h2.1/link.0`,
// `link["the pear"]`, `link[broken]`, `image["a map"]`, `def["label"]`. They are counted in
// the innermost section that they stand in, before the first one in the document.

// linkSteps lead to them.
var linkSteps = []struct { //nolint:gochecknoglobals // a constant
	kind       NodeKind
	name, noun string
}{{LinkNode, "link", "link"}, {ImageNode, "image", "image"}, {DefinitionNode, "def", "definition"}}

// linkStep returns the name of a step and what a message calls one of its parts.
func linkStep(k NodeKind) (name, noun string) {
	for _, s := range linkSteps {
		if s.kind == k {
			return s.name, s.noun
		}
	}
	return "", ""
}

// kindOfStep returns the kind of node that a step of the name leads to, 0 if none does.
func kindOfStep(name string) NodeKind {
	for _, s := range linkSteps {
		if s.name == name {
			return s.kind
		}
	}
	return 0
}

// IsLink reports whether a node is a link, an image or a definition.
func (k NodeKind) IsLink() bool { return k == LinkNode || k == ImageNode || k == DefinitionNode }

const wordBroken = "broken" // what link[broken] asks for

// linked is a link of a document, as a part.
type linked struct {
	node Node
	link *markdown.Link
}

// kindOfLink returns the kind of node that a link is, 0 for a name that links lead to.
func kindOfLink(l *markdown.Link) NodeKind {
	switch {
	case l.Kind == markdown.LinkHTMLAnchor:
		return 0
	case l.Kind == markdown.LinkReferenceDefinition || l.Kind == markdown.LinkFootnoteDefinition:
		return DefinitionNode
	case l.Image:
		return ImageNode
	}
	return LinkNode
}

// linksIn returns the links of a kind in a node, in order.
func (f *partFinder) linksIn(n Node, k NodeKind) []linked {
	first, end := 0, len(f.doc.Blocks)
	if n.Section >= 0 && !f.several {
		first, end = int(f.doc.Sections[n.Section].Heading), f.blockAfter(n)
	}
	if f.links == nil || f.linksFrom != first || f.linksEnd != end {
		f.links = map[NodeKind][]linked{}
		f.linksFrom, f.linksEnd = first, end
		f.readLinks(n.Section, first, end)
	}
	span := n.Span(f.doc)
	if n.Kind == DocumentNode {
		span = markdown.Span{Start: 0, End: len(f.doc.Source)}
	}
	all := f.links[k]
	at := func(offset int) int {
		i, _ := slices.BinarySearchFunc(all, offset, func(l linked, offset int) int { return l.node.Value.Start - offset })
		return i
	}
	return all[at(span.Start):at(max(span.Start, span.End))]
}

// firstBlock returns the first block of a node that stands in a section, or is in a block.
func (f *partFinder) firstBlock(n Node) int {
	if n.Kind == SectionNode {
		return int(f.doc.Sections[n.Section].Heading)
	}
	return n.Block
}

// blockAfter returns the first block behind a node that stands in a section.
func (f *partFinder) blockAfter(n Node) int {
	if n.Kind == SectionNode {
		_, end := childRange(f.doc, n)
		return end
	}
	return int(f.doc.Blocks[lastBlock(f.doc, n.Block)].Next)
}

// readLinks reads the links of blocks, which begin with the heading of a section or, if that is
// -1, with the document.
func (f *partFinder) readLinks(section, first, end int) {
	var r markdown.LinkReader
	all := r.AppendBlocks(nil, f.doc, 0, first, end)
	if first == 0 {
		section = -1
	}
	counts := map[NodeKind]int{}
	for i := range all {
		l := &all[i]
		for section+1 < len(f.doc.Sections) && int(f.doc.Sections[section+1].Heading) <= l.Block {
			section++
			clear(counts)
		}
		k := kindOfLink(l)
		if k == 0 {
			continue
		}
		n := Node{Kind: k, Section: section, Block: l.Block, Value: l.Whole, Ordinal: counts[k]}
		if k == DefinitionNode {
			n.Value = f.doc.Blocks[l.Block].Span()
		}
		counts[k]++
		f.links[k] = append(f.links[k], linked{n, l})
	}
	for k := range f.links {
		slices.SortStableFunc(f.links[k], func(a, b linked) int { return a.node.Value.Start - b.node.Value.Start })
	}
}

// linkText returns what a link is called: its text, that of what it leads to where it has
// none, or the label of a definition. One of HTML may be called by both.
func (f *partFinder) linkText(l *markdown.Link) partText {
	text := func(s markdown.Span) string { return string(f.doc.AppendLinkText(nil, l, s)) }
	mark := ""
	switch l.Kind {
	case markdown.LinkFootnoteDefinition, markdown.LinkFootnote:
		mark = "^"
		fallthrough
	case markdown.LinkReferenceDefinition:
		label := mark + text(l.Label)
		return partText{label, withoutMarkup(label)}
	}
	if l.Text.Len() == 0 {
		to := text(l.Destination)
		return partText{to, cmp.Or(f.htmlText(l), withoutMarkup(to))}
	}
	return partText{text(l.Text), f.plainOfLink(l)}
}

// plainOfLink returns the text of a link of Markdown without formatting.
func (f *partFinder) plainOfLink(l *markdown.Link) string {
	if f.inlines.Nodes == nil || f.inlines.Block() != l.Block {
		f.inlines.Read(f.doc, l.Block)
	}
	nodes := f.inlines.Nodes
	i := sort.Search(len(nodes), func(i int) bool { return int(nodes[i].Start) >= l.Whole.Start })
	switch {
	case i == len(nodes):
		return ""
	case l.Kind == markdown.LinkAutolink || l.Kind == markdown.LinkBareURL || l.Kind == markdown.LinkWiki:
		return string(f.inlines.AppendPlain(nil, i, i+1))
	}
	return string(f.inlines.AppendPlain(nil, i+1, int(nodes[i].Next)))
}

// htmlText returns the text of a link of HTML: what an element "a" holds up to its end or the next
// one, with the descriptions of images, or the description of an image; empty if it has none.
func (f *partFinder) htmlText(l *markdown.Link) string {
	if l.Kind != markdown.LinkHTML {
		return ""
	}
	src, at := f.doc.Source[:f.doc.Blocks[l.Block].End], l.Whole.Start
	if !isElementA(src[at+1:]) {
		return string(f.appendAlt(nil, l, src, at))
	}
	src = src[:min(len(src), l.Whole.End+maxHTMLText)]
	whole := *l
	whole.Multiline = true // as what stands behind the tag may be
	var text []byte
	var html syntax.HTMLReader
	for at = l.Whole.End; ; {
		next := len(src)
		if n := bytes.IndexByte(src[at:], '<'); n >= 0 {
			next = at + n
		}
		text = f.doc.AppendLinkText(text, &whole, markdown.Span{Start: at, End: next})
		if next == len(src) || isElementA(bytes.TrimPrefix(src[next+1:], []byte("/"))) {
			break
		}
		if at = html.End(src, next+1); at == 0 {
			text, at = append(text, '<'), next+1
			continue
		}
		text = f.appendAlt(text, l, src[:at], next)
	}
	plain := strings.Join(strings.Fields(string(text)), " ")
	if f.doc.Blocks[l.Block].Kind != markdown.HTMLBlock {
		plain = withoutMarkup(plain)
	}
	return plain
}

// maxHTMLText is the number of bytes behind the tag of a link that are read for its text.
const maxHTMLText = 1000

// isElementA reports whether a tag is one of an element "a", whose name it begins with.
func isElementA(tag []byte) bool {
	return syntax.TagNameLen(tag) == 1 && tag[0]|0x20 == 'a'
}

// appendAlt appends the description of the image whose tag, in the block of a link, is at i;
// nothing for another tag.
func (f *partFinder) appendAlt(dst []byte, l *markdown.Link, src []byte, i int) []byte {
	n := syntax.TagNameLen(src[i+1:])
	if name := syntax.LowerName(src[i+1 : i+1+n]); name.String() != "img" {
		return dst
	}
	for next := i + 1 + n; ; {
		a, end, ok := syntax.NextAttribute(src, next)
		if next = end; !ok {
			return dst
		}
		if name := syntax.LowerName(src[a.NameStart:a.NameEnd]); name.String() == "alt" {
			return f.doc.AppendLinkText(dst, l, markdown.Span{Start: a.ValueStart, End: a.ValueEnd})
		}
	}
}

// admitLinks reserves what the look for links takes, if an address names one, until it is released.
// The lookup is what becomes of the address where that may not be; else nil.
func (r Resolver) admitLinks(p *partAddress) (release func(), refused *lookup) {
	none := func() {}
	i := slices.IndexFunc(p.steps, func(s partStep) bool { return s.link != 0 })
	switch {
	case i < 0:
	case r.Write:
		_, noun := linkStep(p.steps[i].link)
		article := "a"
		if p.steps[i].link == ImageNode {
			article = "an"
		}
		return none, &lookup{err: &Error{Code: InvalidArgument, Message: runes.Quoted(p.text) + " is " + article + " " + noun +
			", which can be read and not written to; replace its text, or the part that it stands in"}}
	case r.Reserve != nil:
		release, err := r.Reserve(linkPartBytes(r.Doc))
		if err != nil {
			return none, &lookup{refused: err}
		}
		return release, nil
	}
	return none, nil
}

// linkPartBytes returns about how many bytes of memory it takes to look for links as parts of a
// document.
func linkPartBytes(doc *markdown.Document) int {
	const perSign = 350 // a link, a part and its texts, each in a list that grows
	n := bytes.Count(doc.Source, []byte("www."))
	for _, sign := range []string{"[", "<", "://", "@"} {
		n += bytes.Count(doc.Source, []byte(sign))
	}
	return perSign*n + LinkBytes(doc)
}

// linkNodes returns what a step to links leads to from a node.
func (f *partFinder) linkNodes(n Node, s *partStep) []Node {
	all := f.linksIn(n, s.link)
	if s.asks != nil {
		all = f.linksAsked(all, s.asks[0])
	}
	var nodes []Node
	for _, i := range chosen(upTo(len(all)), s.index) {
		nodes = append(nodes, all[i].node)
	}
	return nodes
}

// upTo returns the numbers from 0 up to one.
func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// linksAsked returns the links that have what a step asks for.
func (f *partFinder) linksAsked(all []linked, ask asked) []linked {
	var found []linked
	if !ask.quoted {
		if f.broken == nil {
			f.unknown = true
			return nil
		}
		for _, l := range all {
			if f.broken(l.link) {
				found = append(found, l)
			}
		}
		return found
	}
	texts := make([]partText, len(all))
	for i, l := range all {
		texts[i] = f.linkText(l.link)
	}
	for _, i := range matching(ask.text, texts, true) {
		found = append(found, all[i])
	}
	return found
}

// missingLink says why a step to links leads nowhere.
func (f *partFinder) missingLink(from []Node, s *partStep, where string) string {
	_, noun := linkStep(s.link)
	var there []linked
	for _, n := range from {
		there = append(there, f.linksIn(n, s.link)...)
	}
	switch {
	case len(there) == 0:
		return "there is no " + noun + where
	case s.asks == nil:
		return "not so many are there" + where + ": " + number(len(there), noun) + ", counted from 0"
	case !s.asks[0].quoted:
		return "none of the " + number(len(there), noun) + where + " is broken"
	}
	called := f.names(s.asks[0].text, upTo(len(there)), func(i int) string { return f.linkText(there[i].link).plain })
	return "none of the " + number(len(there), noun) + where + " is called " + runes.Quoted(s.asks[0].text) + called
}

// LinkNames returns what links, images or definitions may be called in brackets, each once and
// in order, at most so many: `"the pear"`.
func LinkNames(doc *markdown.Document, step string, most int) []string {
	k := kindOfStep(step)
	if k == 0 {
		return nil
	}
	f := partFinder{doc: doc}
	var names []string
	for _, l := range f.linksIn(NodeOfDocument(), k) {
		name := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(f.linkText(l.link).plain) + `"`
		if len(names) < most && runes.Safe(name) && name != `""` && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
