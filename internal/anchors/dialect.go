package anchors

import (
	"iter"

	"github.com/sectile/sectile/markdown"
)

// rule is how a dialect makes the anchors of headings.
type rule struct {
	// slug appends what the anchor of heading b is made of.
	slug func(dst []byte, doc *markdown.Document, b int) []byte
	// take returns the anchor of the next heading with the slug, empty for none.
	take func(t taken, slug string) string
	// find returns where the heading is that has an anchor, block -1 if there is none, and whether
	// others have its slug, where that takes less than all anchors; else it is nil.
	find func(doc *markdown.Document, name string) (at Spot, repeated bool)
	// attributes says that "{#id}" behind a heading takes the place of its anchor.
	attributes bool
	// nested says that headings are named by their texts, one below the other, and that
	// blocks may have names.
	nested bool
	// twins says that two headings can get the same anchor, of which the first counts.
	twins bool
}

var rules = [...]rule{
	markdown.GitHub:   {slug: gitHubSlug, take: taken.numbered, find: findGitHub},
	markdown.GitLab:   {slug: gitLabSlug, take: taken.counted, twins: true},
	markdown.MkDocs:   {slug: mkDocsSlug, take: taken.underscored, attributes: true},
	markdown.Obsidian: {slug: obsidianSlug, take: taken.first, nested: true},
}

// ruleOf returns the rule of the document's dialect.
func ruleOf(doc *markdown.Document) *rule { return &rules[doc.Options().Dialect] }

// taken has the anchors that are given away, in the order in which headings come: the last
// number tried for each.
type taken map[string]int

// takenIn returns the anchors that are taken before the first heading gets one.
func (r *rule) takenIn(doc *markdown.Document) taken {
	t := make(taken, len(doc.Sections))
	if !r.attributes {
		return t
	}
	for b := range doc.Blocks {
		if id, ok := OwnID(doc, b); ok {
			_, n := cutCount(string(doc.Text(id)))
			t[string(doc.Text(id))] = n + 1
		}
	}
	return t
}

// Spot is where a heading stands.
type Spot struct {
	Block int
	// Line is that of the tag, and Nth which of the headings in its block it is, from 1, of a
	// heading in a block of HTML; both are 0 for any other.
	Line, Nth int
	// Tag is that of a heading in a block of HTML, and Text reaches from there to the end of its text.
	Tag, Text markdown.Span
}

// IsTagged reports whether the heading is written in HTML, so that it opens no section.
func (s Spot) IsTagged() bool { return s.Nth > 0 }

// All yields where each heading stands with the anchor that the dialect of the document gives it,
// without '#', empty for none.
func All(doc *markdown.Document) iter.Seq2[Spot, string] {
	rule := ruleOf(doc)
	return func(yield func(Spot, string) bool) {
		taken := rule.takenIn(doc)
		slug := make([]byte, 0, 256)
		for at, h := range headings(doc) {
			if h != nil {
				slug = h.slug(slug[:0])
			} else {
				slug = rule.slug(slug[:0], doc, at.Block)
			}
			if !yield(at, rule.take(taken, string(slug))) {
				return
			}
		}
	}
}

// Headings yields the block of each heading that isn't written in HTML, as All does.
func Headings(doc *markdown.Document) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for at, anchor := range All(doc) {
			if !at.IsTagged() && !yield(at.Block, anchor) {
				return
			}
		}
	}
}

// HaveTwins reports whether two headings can get the same anchor, of which the first counts.
func HaveTwins(doc *markdown.Document) bool { return ruleOf(doc).twins }

// Find returns where the heading is that the dialect gives an anchor, or block -1, and whether
// others would have the same one if it weren't taken. It is not ok if that takes all anchors of
// the document, which All has.
func Find(doc *markdown.Document, name string) (at Spot, repeated, ok bool) {
	find := ruleOf(doc).find
	if find == nil {
		return Spot{Block: -1}, false, false
	}
	at, repeated = find(doc, name)
	return at, repeated, true
}

// Repeated reports whether other headings would have the anchor of heading b, in any case, if it
// weren't taken. It isn't asked where Find answers.
func Repeated(doc *markdown.Document, b int) bool {
	same := 0
	rule := ruleOf(doc)
	slug := string(rule.slug(nil, doc, b))
	for b := range doc.Blocks {
		if doc.Blocks[b].HasAnchor() && Folded(string(rule.slug(nil, doc, b))) == Folded(slug) {
			same++
		}
	}
	return same > 1
}
