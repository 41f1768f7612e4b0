package anchors

import (
	"bytes"
	"iter"
	"math"

	"github.com/sectile/sectile/internal/syntax"
	"github.com/sectile/sectile/markdown"
)

// GitHub gives anchors to all headings of the page that it makes, and so to those that are written
// in HTML, by the same rule. Those in blocks of HTML are looked for: no other element is a block.

// tagged is a heading in a block of HTML.
type tagged struct {
	Spot
	text []byte
}

// slug appends the slug of the heading by the rule of GitHub.
func (h *tagged) slug(dst []byte) []byte { return appendSlug(dst, h.text) }

// CountTagged returns how many headings in HTML may have anchors in a document.
func CountTagged(doc *markdown.Document) int {
	if doc.Options().Dialect != markdown.GitHub {
		return 0
	}
	return syntax.HeadingTags(doc.Source, math.MaxInt)
}

// maxTagged is the number of bytes of text that a heading in HTML may have: the tag of a longer one
// isn't closed.
const maxTagged = 1 << 10

// taggedReader finds the headings in HTML, from block to block.
type taggedReader struct {
	doc  *markdown.Document
	open bool // whether a heading has begun and not ended
	last tagged
	html []byte // of one block, without the marks of what it stands in
	by   []int  // by how many bytes each line of it stands further back in the source
}

// read yields the headings that end in block b, or before it: at the end of their elements, or
// where another heading begins. The text of one may stand in paragraphs.
func (r *taggedReader) read(b int, yield func(*tagged) bool) bool {
	switch block := &r.doc.Blocks[b]; {
	case block.Kind == markdown.HTMLBlock:
		if !r.readHTML(b, yield) {
			return false
		}
	case !r.open:
	case block.Kind == markdown.Heading:
		return r.end(int(block.Start), yield)
	case block.Kind == markdown.Paragraph:
		r.last.text = r.doc.AppendTextContent(r.last.text, b)
	}
	return len(r.last.text) <= maxTagged || r.end(int(r.doc.Blocks[b].End), yield)
}

// end ends the heading that has begun, if one has, at an offset of the source.
func (r *taggedReader) end(at int, yield func(*tagged) bool) bool {
	ended := r.open
	r.open, r.last.Text.End = false, at
	ok := !ended || yield(&r.last)
	r.last.text = r.last.text[:0]
	return ok
}

// readHTML is read for a block of HTML.
func (r *taggedReader) readHTML(b int, yield func(*tagged) bool) bool {
	if !r.open && syntax.HeadingTags(r.doc.Text(r.doc.Blocks[b].Span()), 1) == 0 {
		return true
	}
	r.html, r.by = r.html[:0], r.by[:0]
	for l := range r.doc.ContentLines(b) {
		r.by = append(r.by, l.Start-len(r.html))
		r.html = append(append(r.html, r.doc.Text(l.Span)...), '\n')
	}
	var tags syntax.HTMLReader
	line, nth, from := 0, 0, 0
	for i := 0; i < len(r.html); {
		next := bytes.IndexByte(r.html[i:], '<')
		if next < 0 {
			break
		}
		at := i + next
		end := tags.End(r.html, at+1)
		if i = max(at+1, end); end == 0 {
			continue
		}
		r.add(r.html[from:at])
		line += bytes.Count(r.html[from:at], []byte("\n"))
		name := r.html[at+1 : end]
		begins := syntax.IsHeadingTag(name)
		if begins || name[0] == '/' && syntax.IsHeadingTag(name[1:]) || len(r.last.text) > maxTagged {
			if !r.end(at+r.by[line], yield) {
				return false
			}
		}
		if begins {
			nth++
			r.open, r.last.Spot = true, Spot{Block: b, Line: int(r.doc.Blocks[b].StartLine) + line, Nth: nth}
			r.last.Tag.Start = at + r.by[line]
		}
		from = syntax.RawTextEnd(r.html, end, name[:syntax.TagNameLen(name)])
		line += bytes.Count(r.html[at:from], []byte("\n"))
		if begins {
			r.last.Tag.End = from + r.by[line]
			r.last.Text.Start = r.last.Tag.End
		}
		i = max(i, from)
	}
	r.add(r.html[from:])
	return true
}

// add adds HTML without tags to the text of the heading that has begun, if one has.
func (r *taggedReader) add(html []byte) {
	if r.open && len(r.last.text) <= maxTagged {
		r.last.text = syntax.AppendUnescaped(r.last.text, html[:min(len(html), 2*maxTagged)], true)
	}
}

// Tagged yields where each heading in HTML stands that takes an anchor.
func Tagged(doc *markdown.Document) iter.Seq[Spot] {
	return func(yield func(Spot) bool) {
		for at, h := range headings(doc) {
			if h != nil && !yield(at) {
				return
			}
		}
	}
}

// headings yields all headings of a document that take anchors: where they stand, and of one in
// HTML what it is, nil for any other.
func headings(doc *markdown.Document) iter.Seq2[Spot, *tagged] {
	return func(yield func(Spot, *tagged) bool) {
		var r *taggedReader // nil if there can be none in HTML
		yieldTagged := func(h *tagged) bool { return yield(h.Spot, h) }
		if doc.Options().Dialect == markdown.GitHub && syntax.HeadingTags(doc.Source, 1) > 0 {
			r = &taggedReader{doc: doc}
		}
		for b := range doc.Blocks {
			if r != nil && !r.read(b, yieldTagged) || doc.Blocks[b].HasAnchor() && !yield(Spot{Block: b}, nil) {
				return
			}
		}
		if r != nil {
			r.end(len(doc.Source), yieldTagged)
		}
	}
}
