package address

import (
	"errors"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/markdown"
)

// KeyPath returns the way to a key of front matter that an address has the shape of:
// "@frontmatter.title", "@frontmatter.tags.0", `@frontmatter["a.b"]`. It is empty for all of
// the front matter, and ok is false for an address of another form.
func KeyPath(addr string) (path frontmatter.Path, ok bool) {
	rest, ok := strings.CutPrefix(oneLine(addr), "@frontmatter")
	if !ok {
		return nil, false
	}
	return frontmatter.ParsePath(rest)
}

// FrontMatterOf returns the text of front matter between its two lines of marks, and what it is
// written in. The document has front matter.
func FrontMatterOf(doc *markdown.Document) (markdown.Span, frontmatter.Format) {
	b := doc.FrontMatter()
	format := frontmatter.YAML
	if doc.Blocks[b].Marker == '+' {
		format = frontmatter.TOML
	}
	return doc.Content(b), format
}

// KeysLike returns the keys of front matter to which a path leads with any numbers of items, in
// their order. There are none if there is no front matter, or none that can be read.
func KeysLike(doc *markdown.Document, path frontmatter.Path) []Node {
	if doc.FrontMatter() < 0 {
		return nil
	}
	span, format := FrontMatterOf(doc)
	text, err := frontmatter.Read(string(doc.Text(span)), format)
	if err != nil {
		return nil
	}
	var list []Node
	for _, value := range text.FindLike(path) {
		list = append(list, nodeOfKey(doc, span, value.Span))
	}
	return list
}

// KeyAbove returns the part to which a key of front matter would be added that is not there, and
// the way to it: the nearest value above, or all of the front matter, with an empty way, also where
// the bytes of that value are not one range. ByPosition says that the path of the key counts. The
// part is nil if there is no front matter, or none that can be read.
func KeyAbove(doc *markdown.Document, path frontmatter.Path) (*Resolution, frontmatter.Path) {
	if doc.FrontMatter() < 0 {
		return nil, nil
	}
	span, format := FrontMatterOf(doc)
	text, err := frontmatter.Read(string(doc.Text(span)), format)
	if err != nil {
		return nil, nil
	}
	node, way := NodeOfBlock(doc, doc.FrontMatter()), path[:0]
	for n := len(path) - 1; n > 0; n-- {
		value, err := text.Find(path[:n])
		if err == nil {
			node, way = nodeOfKey(doc, span, value.Span), path[:n:n]
		}
		if e, ok := errors.AsType[*frontmatter.Error](err); !ok || e.Reason != frontmatter.NotFound {
			break
		}
	}
	return &Resolution{Node: node, ByPosition: text.Counts(path), Selector: SelectorOf(doc, node)}, way
}

// lookUpKey looks for a key of front matter.
func lookUpKey(doc *markdown.Document, path frontmatter.Path) *lookup {
	if doc.FrontMatter() < 0 {
		return &lookup{miss: "the document has no front matter"}
	}
	span, format := FrontMatterOf(doc)
	text, err := frontmatter.Read(string(doc.Text(span)), format)
	if err != nil {
		return &lookup{err: &Error{Code: InvalidAddress, Message: err.Error()}}
	}
	value, err := text.Find(path)
	var e *frontmatter.Error
	switch {
	case errors.As(err, &e) && e.Reason == frontmatter.NotFound:
		l := &lookup{miss: e.Message, instead: []Candidate{}}
		names := nearest.Names(path[e.At], e.Keys, maxCandidates)
		if len(names) == 0 { // what there is
			names = e.Keys[:min(len(e.Keys), maxCandidates)]
		}
		naming := NewNames(doc)
		for _, name := range names {
			found := append(slices.Clone(path[:e.At]), name)
			if value, err := text.Find(found); err == nil {
				l.instead = append(l.instead, candidateOfKey(naming, nodeOfKey(doc, span, value.Span), found))
			}
		}
		if len(l.instead) == 0 {
			l.instead = []Candidate{CandidateOf(doc, NodeOfBlock(doc, doc.FrontMatter()))}
		}
		return l
	case err != nil:
		return &lookup{err: &Error{Code: InvalidAddress, Message: err.Error()}}
	}
	return &lookup{nodes: []Node{nodeOfKey(doc, span, value.Span)}, byPosition: text.Counts(path)}
}

// candidateOfKey returns what CandidateOf does of a key of front matter, to which the path leads:
// nothing is read again to find it.
func candidateOfKey(naming *Names, n Node, path frontmatter.Path) Candidate {
	selector, lines := naming.unlessTitle("@frontmatter"+path.String()), n.Lines(naming.doc)
	return Candidate{Address: selector, Selector: selector, StartLine: lines.First, EndLine: lines.Last}
}

// nodeOfKey returns the node of a value of front matter, whose text is a range of the document.
func nodeOfKey(doc *markdown.Document, text markdown.Span, value frontmatter.Span) Node {
	return Node{
		Kind: KeyNode, Section: -1, Block: doc.FrontMatter(),
		Value: markdown.Span{Start: text.Start + value.Start, End: text.Start + value.End},
	}
}

// keySelector returns the address of a key of front matter.
func keySelector(doc *markdown.Document, n Node) string {
	span, format := FrontMatterOf(doc)
	text, err := frontmatter.Read(string(doc.Text(span)), format)
	if err != nil {
		return ""
	}
	path, ok := text.PathOf(frontmatter.Span{Start: n.Value.Start - span.Start, End: n.Value.End - span.Start})
	if !ok {
		return ""
	}
	return "@frontmatter" + path.String()
}
