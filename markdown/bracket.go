package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/syntax"
)

// Links and images are settled at the bracket that closes their text. The label of a
// reference is compared as the source has it, which is why brackets remember where they
// stand.

// bracket is an opening bracket that waits for the one that closes it.
type bracket struct {
	node   int32 // in the raw nodes
	text   int32 // offset of what follows it
	runs   int32 // how many runs were open before it
	image  bool
	nested bool // another bracket opened after it, so its text is no label
}

// openBracket reads the bracket at i. What it begins begins with the '!' of an image, if
// there is one.
func (r *inlineReader) openBracket(i int) int {
	start := i
	if i > r.from && r.text[i-1] == '!' {
		start--
	}
	if n := len(r.brackets); n > 0 {
		r.brackets[n-1].nested = true
	}
	if r.doc.options.WikiLinks {
		if end := r.wikiLink(start, i); end > 0 {
			return end
		}
	}
	if label, end, block := r.footnote(i); block >= 0 && (start == i || !r.followedByTarget(end)) {
		r.leaf(InlineFootnote, Span{i, end}, label)
		r.refer(Target{Kind: LinkFootnote, Definition: block, Label: label})
		return end
	}
	if n := len(r.brackets); n > 0 && i > r.lastClosing() {
		return i + 1 // nothing closes it; that one is open is known
	}
	r.brackets = append(r.brackets, bracket{
		node: int32(len(r.raw)), text: int32(i + 1), runs: int32(r.emphasis.Open()), image: start < i,
	})
	if r.from < start {
		r.brackets[len(r.brackets)-1].node++ // behind the text before it
	}
	r.leaf(inlineOpen, Span{start, i + 1}, Span{})
	r.raw[len(r.raw)-1].ref = -1
	r.marked = true
	return i + 1
}

// refer gives the last node its target.
func (r *inlineReader) refer(t Target) {
	r.raw[len(r.raw)-1].ref = int32(len(r.in.targets))
	r.in.targets = append(r.in.targets, t)
}

// lastClosing returns the offset of the last ']', or less than that of any bracket.
func (r *inlineReader) lastClosing() int {
	if !r.closingKnown {
		r.closing, r.closingKnown = r.start+bytes.LastIndexByte(r.text[r.start:], ']'), true
	}
	return r.closing
}

// wikiLink returns the end of the "[[destination|text]]" at i, whose '!' is at start if it
// has one, or 0. What is a link or an image by the other rules is none.
func (r *inlineReader) wikiLink(start, i int) int {
	if i+1 == len(r.text) || r.text[i+1] != '[' || i > r.lastClosing() {
		return 0
	}
	link, ok := syntax.ReadWikiLink(r.text, i)
	if !ok {
		return 0
	}
	r.leaf(InlineWiki, Span{start, link.End}, Span{link.TextStart, link.TextEnd})
	r.refer(Target{Kind: LinkWiki, Definition: -1, Destination: Span{link.DestinationStart, link.DestinationEnd}})
	return link.End
}

// footnote returns the label and the end of the footnote reference at i, and the block
// that defines it, or -1. It goes before a link with the same text, but not before an
// image.
func (r *inlineReader) footnote(i int) (label Span, end, block int) {
	if i+1 == len(r.text) || r.text[i+1] != '^' {
		return Span{}, 0, -1
	}
	text, end := syntax.LinkLabel(r.text, i)
	if len(text) < 2 || bytes.ContainsAny(text, " \t\n\r") {
		return Span{}, 0, -1
	}
	return Span{i + 2, end - 1}, end, r.doc.footnotes().Find(text[1:], &r.labels)
}

// followedByTarget reports whether the source goes on at i as it does after
// the text of a link with a target or a label of its own.
func (r *inlineReader) followedByTarget(i int) bool {
	if _, ok := syntax.InlineTarget(r.text, i); ok {
		return true
	}
	label, _ := syntax.LinkLabel(r.text, i)
	return r.linkDefinition(label) >= 0
}

// closeBracket reads the bracket at i (6.3, 6.4).
func (r *inlineReader) closeBracket(i int) int {
	last := len(r.brackets) - 1
	if last < 0 {
		return i + 1
	}
	b := r.brackets[last]
	r.brackets = r.brackets[:last]
	dead := last < r.deadLinks && !b.image
	r.deadLinks = min(r.deadLinks, last)
	if dead {
		return i + 1
	}
	target, end := r.target(&b, i)
	if end == 0 {
		return i + 1
	}
	r.emphasis.Settle(int(b.runs))
	r.raw[b.node].ref = int32(len(r.in.targets))
	r.leaf(inlineClose, Span{i, end}, Span{})
	r.in.targets = append(r.in.targets, target)
	if !b.image {
		r.deadLinks = last
	}
	return end
}

// target returns the target and the end of the link or image whose text the bracket at i
// closes, or 0 if it is none.
func (r *inlineReader) target(b *bracket, i int) (t Target, end int) {
	if inline, ok := syntax.InlineTarget(r.text, i+1); ok {
		return Target{
			Kind: LinkInline, Definition: -1,
			Destination: Span{inline.DestinationStart, inline.DestinationEnd},
			Title:       Span{inline.TitleStart, inline.TitleEnd},
		}, inline.End
	}
	t = Target{Kind: LinkShortcut, Label: Span{int(b.text), i}}
	end = i + 1
	if label, labelEnd := syntax.LinkLabel(r.text, i+1); label != nil {
		t.Kind, t.Label, end = LinkFull, Span{i + 2, labelEnd - 1}, labelEnd
	} else {
		if b.nested {
			return Target{}, 0
		}
		if bytes.HasPrefix(r.text[end:], []byte("[]")) {
			t.Kind = LinkCollapsed
			end += 2
		}
	}
	if t.Definition = r.linkDefinition(r.text[t.Label.Start:t.Label.End]); t.Definition < 0 {
		return Target{}, 0
	}
	return t, end
}

// linkDefinition returns the block that defines the label, or -1.
func (r *inlineReader) linkDefinition(label []byte) int {
	set := r.doc.linkDefinitions()
	if set.IsEmpty() || len(label) > syntax.MaxLabelBytes || utf8.RuneCount(label) > maxLabel {
		return -1
	}
	return set.Find(label, &r.labels)
}
