package anchors

import (
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/markdown"
)

// Obsidian: https://help.obsidian.md/links, and stripHeading of its API: a heading is named
// by its text as it is written, in any case, in which special characters are spaces and
// several spaces one; of twins the first is meant, unless a heading above it is named
// before it, "Install#Linux".

// obsidianSlug appends the name of heading b by the rule of Obsidian.
func obsidianSlug(dst []byte, doc *markdown.Document, b int) []byte {
	return appendNamed(dst, string(HeadingText(doc, b)))
}

// appendNamed appends a text without the characters that can't be in the name of a
// heading.
func appendNamed(dst []byte, text string) []byte {
	start, space := len(dst), false
	for _, r := range text {
		if unicode.IsSpace(r) || r == '\ufeff' || strings.ContainsRune("!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\", r) {
			space = true
			continue
		}
		if space && len(dst) > start {
			dst = append(dst, ' ')
		}
		space = false
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// first is the rule of Obsidian for an anchor that is taken: of twins the first has the name.
func (t taken) first(slug string) string {
	folded := Folded(slug)
	if _, taken := t[folded]; taken {
		return ""
	}
	t[folded] = 0
	return slug
}

// BlockSign stands before the name of a block: "#^id".
const BlockSign = "^"

// NamesBlocks reports whether the dialect of a document has names for blocks.
func NamesBlocks(doc *markdown.Document) bool { return ruleOf(doc).nested }

// Blocks yields the blocks that have names, and where those stand, without the sign: "^id" at
// the end of a paragraph or heading, which in an item means the item, or alone behind a block
// that can't have one.
func Blocks(doc *markdown.Document) iter.Seq2[int, markdown.Span] {
	return func(yield func(int, markdown.Span) bool) {
		if !ruleOf(doc).nested {
			return
		}
		for b := range doc.Blocks {
			block := &doc.Blocks[b]
			if block.Kind != markdown.Paragraph && block.Kind != markdown.Heading {
				continue
			}
			id, alone, ok := blockID(doc, b)
			if !ok {
				continue
			}
			named := b
			switch {
			case alone:
				if before := siblingBefore(doc, b); before >= 0 {
					named = before
				}
			case block.Parent >= 0 && doc.Blocks[block.Parent].Kind == markdown.Item && int(block.Parent) == b-1:
				named = b - 1
			}
			if !yield(named, id) {
				return
			}
		}
	}
}

// siblingBefore returns the block before block b in the same container, -1 if there is none.
func siblingBefore(doc *markdown.Document, b int) int {
	before := -1
	// The block before b, or what it stands in, is the sibling.
	for i := b - 1; i >= 0 && int32(i) != doc.Blocks[b].Parent; i = int(doc.Blocks[i].Parent) {
		before = i
	}
	return before
}

// blockID returns where the id stands that ends a block, "^id" after white space, and
// whether nothing else is in the block.
func blockID(doc *markdown.Document, b int) (id markdown.Span, alone, ok bool) {
	content := doc.Content(b)
	text := doc.Text(content)
	end := len(text)
	for end > 0 && (text[end-1] == ' ' || text[end-1] == '\t' || text[end-1] == '\n' || text[end-1] == '\r') {
		end--
	}
	start := end
	for start > 0 && (isAlphanumeric(text[start-1]) || text[start-1] == '-') {
		start--
	}
	if start == end || start == 0 || text[start-1] != '^' {
		return id, false, false
	}
	alone = start == 1
	if !alone && text[start-2] != ' ' && text[start-2] != '\t' && text[start-2] != '\n' {
		return id, false, false
	}
	return markdown.Span{Start: content.Start + start, End: content.Start + end}, alone, true
}

// Nested are the headings of a document that are named by their texts, one below the other. They
// don't keep the document, and are safe for concurrent use.
type Nested struct {
	sections []nested

	once  sync.Once
	texts map[string][]int32 // the sections that have a text
}

// nested is a section that is named by its text.
type nested struct {
	text            string // folded
	parent, heading int32
	line            uint32
}

// NestedOf returns the headings of a document that are named by their texts, nil in a dialect
// that has no such names.
func NestedOf(doc *markdown.Document) *Nested {
	if !ruleOf(doc).nested {
		return nil
	}
	n := &Nested{sections: make([]nested, len(doc.Sections))}
	for i, s := range doc.Sections {
		if n.sections[i].parent = s.Parent; doc.Blocks[s.Heading].HasAnchor() {
			n.sections[i] = nested{Folded(string(obsidianSlug(nil, doc, int(s.Heading)))), s.Parent, s.Heading, doc.Blocks[s.Heading].StartLine}
		}
	}
	return n
}

// maxTwins is the number of headings of the same text up to which it is looked which of
// them stands below the others that a name names.
const maxTwins = 1000

// A NestedHeading is one that Nested has found.
type NestedHeading struct {
	Section, Block int
	Line           int // on which it begins, from 1
}

// Find returns the first heading with the last of the texts in a name, "Install#Linux", that
// stands below those before it, and whether there is one.
func (n *Nested) Find(name string) (h NestedHeading, ok bool) {
	n.once.Do(n.index)
	var keys []string
	for text := range strings.SplitSeq(name, "#") {
		keys = append(keys, Folded(string(appendNamed(nil, text))))
	}
	twins := n.texts[keys[len(keys)-1]]
	for _, s := range twins[:min(len(twins), maxTwins)] {
		rest := keys[:len(keys)-1]
		for up := n.sections[s].parent; up >= 0 && len(rest) > 0; up = n.sections[up].parent {
			if n.sections[up].text == rest[len(rest)-1] {
				rest = rest[:len(rest)-1]
			}
		}
		if len(rest) == 0 {
			return NestedHeading{Section: int(s), Block: int(n.sections[s].heading), Line: int(n.sections[s].line)}, true
		}
	}
	return h, false
}

// index makes the map by which headings are found.
func (n *Nested) index() {
	n.texts = map[string][]int32{}
	for i, s := range n.sections {
		if s.text != "" {
			n.texts[s.text] = append(n.texts[s.text], int32(i))
		}
	}
}
