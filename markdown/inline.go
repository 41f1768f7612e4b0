package markdown

import (
	"bytes"
	"iter"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/syntax"
)

// Inline content is read where somebody asks for it, block by block, into flat lists: a
// node is a small value with ranges and indexes, so that content of any size costs a
// handful of allocations, and none in memory that is used again.

// InlineKind says what a node of inline content is.
type InlineKind uint8

// The kinds of inline content. The first group has no nodes in it.
const (
	_                   InlineKind = iota
	InlineText                     // bytes that stand for themselves, on one line
	InlineEscape                   // CommonMark 2.4, a backslash and what it escapes
	InlineEntity                   // CommonMark 2.5, an entity or character reference
	InlineCode                     // CommonMark 6.1, a code span
	InlineAutolink                 // CommonMark 6.5, an address in '<' and '>'
	InlineBareURL                  // GFM 6.9, an address without any mark
	InlineHTML                     // CommonMark 6.6, a tag, comment and the like
	InlineHardBreak                // CommonMark 6.7, with its blanks or backslash and line ending
	InlineSoftBreak                // CommonMark 6.8
	InlineFootnote                 // GFM, "[^label]" of a footnote that is there
	InlineWiki                     // "[[a#b|c]]", with Options.WikiLinks
	InlineEmphasis                 // CommonMark 6.2; from here on a node holds others
	InlineStrong                   // CommonMark 6.2
	InlineStrikethrough            // GFM 6.5
	InlineLink                     // CommonMark 6.3
	InlineImage                    // CommonMark 6.4; what it holds is its description

	// While content is read: a run of delimiters, and brackets.
	inlineRun
	inlineOpen
	inlineClose
)

// An Inline is a node of inline content.
//
// Start and End are byte offsets into the document's source, End exclusive, with the
// node's marks; InnerStart and InnerEnd are those of what is between the marks: the code,
// the address, the label of a footnote, the text of a link. If the block stands in
// containers, their prefixes are in the range from its second line on; Inlines.Pieces
// leaves them out.
type Inline struct {
	Kind InlineKind
	// Email marks an address that is one of a mailbox and doesn't say so.
	Email bool
	// Next is the index just after the node's last descendant: that of its next sibling,
	// if it has one. The nodes in node i begin at i+1.
	Next                 int32
	Start, End           uint32
	InnerStart, InnerEnd uint32
	ref                  int32 // target of a link, image, footnote or wiki link; run of delimiters
}

// Span returns the node's byte range.
func (n *Inline) Span() Span { return Span{int(n.Start), int(n.End)} }

// Inner returns the byte range of what is between the node's marks.
func (n *Inline) Inner() Span { return Span{int(n.InnerStart), int(n.InnerEnd)} }

// A Target is where a link leads to, as byte ranges without the marks around them. A
// range that is 0 to 0 stands for a part that isn't there.
type Target struct {
	Kind LinkKind
	// Definition is the block that defines the label of a reference or footnote, or -1;
	// in an abridged document it is not -1 if there is one, and no block.
	Definition  int
	Destination Span // of an inline link, wiki link or definition
	Title       Span
	Label       Span // of a reference, footnote or definition
}

// Inlines is the inline content of a block. Its zero value is ready for Read. It must
// not be used by several goroutines at once.
type Inlines struct {
	// Nodes holds the content in source order: a node before what is in it.
	Nodes []Inline

	doc     *Document
	block   int
	text    []byte   // what was read
	targets []Target // of links
	joined  []byte
	lines   []joinedLine // where lines of the text are in the source, if it was joined
	reader  inlineReader
}

// joinedLine is a line of content that was joined from lines with prefixes.
type joinedLine struct {
	at     uint32 // offset in the text
	source segment
}

// Inlines returns the inline content of block b: of a paragraph, heading or cell; of any
// other block there is none.
func (d *Document) Inlines(b int) *Inlines {
	in := new(Inlines)
	in.Read(d, b)
	return in
}

// Read reads the inline content of block b of the document, as Document.Inlines does, in
// the memory of what was read before.
func (in *Inlines) Read(d *Document, b int) { in.readUpTo(d, b, MaxSize) }

// readUpTo is Read, of so many bytes at most.
func (in *Inlines) readUpTo(d *Document, b, limit int) {
	in.Nodes, in.lines = in.Nodes[:0], in.lines[:0]
	in.doc, in.block = d, b
	block := &d.Blocks[b]
	switch block.Kind {
	case Paragraph, Heading, TableCell:
	default:
		return
	}
	s := d.Content(b)
	in.text = d.Source
	lines := block.EndLine - block.StartLine + 1
	if block.Setext() {
		lines--
	}
	if lines > 1 && d.quoted(b) {
		in.join(limit)
		in.text, s = in.joined, Span{0, len(in.joined)}
	}
	if s.Len() > limit {
		s.End = wholeCharacters(in.text, s.Start, s.Start+limit)
	}
	in.read(s)
	if len(in.lines) > 0 {
		in.toSource()
	}
}

// read reads the range of in.text.
func (in *Inlines) read(s Span) {
	for s.Start < s.End && syntax.IsWhite(in.text[s.Start]) {
		s.Start++
	}
	if block := in.block; block > 0 && in.doc.Blocks[block].Kind == Paragraph {
		item := &in.doc.Blocks[block-1]
		if item.Flags&Task != 0 && in.doc.Blocks[block].Parent == int32(block-1) {
			s.Start = min(syntax.SkipWhite(in.text, s.Start+len("[ ]")), s.End)
		}
	}
	for s.End > s.Start && syntax.IsWhite(in.text[s.End-1]) {
		s.End--
	}
	in.reader.read(in, s)
}

// wholeCharacters returns the largest offset up to end that cuts no character.
func wholeCharacters(text []byte, start, end int) int {
	for cut := end; cut > max(start, end-utf8.UTFMax); cut-- {
		if utf8.RuneStart(text[cut]) {
			return cut
		}
	}
	return end
}

// quoted reports whether block b stands in a block quote, so that more than blanks may
// stand before its lines.
func (d *Document) quoted(b int) bool {
	for p := d.Blocks[b].Parent; p >= 0; p = d.Blocks[p].Parent {
		if d.Blocks[p].Kind == BlockQuote {
			return true
		}
	}
	return false
}

// join joins the lines of the block, with their endings and without prefixes.
func (in *Inlines) join(limit int) {
	in.joined = in.joined[:0]
	src := in.doc.Source
	for l := range in.doc.ContentLines(in.block) {
		if len(in.joined) > limit {
			break
		}
		end := l.End
		if end < len(src) && (src[end] == '\r' || src[end] == '\n') {
			end = syntax.SkipEnding(src, end)
		}
		in.lines = append(in.lines, joinedLine{uint32(len(in.joined)), segment{Start: uint32(l.Start), End: uint32(end)}})
		in.joined = append(in.joined, src[l.Start:end]...)
	}
}

// toSource turns the offsets of what was read into those of the source.
func (in *Inlines) toSource() {
	for i := range in.Nodes {
		n := &in.Nodes[i]
		inner := in.sourceSpan(n.Inner())
		whole := in.sourceSpan(n.Span())
		n.Start, n.End = uint32(whole.Start), uint32(whole.End)
		n.InnerStart, n.InnerEnd = uint32(inner.Start), uint32(inner.End)
	}
	for i := range in.targets {
		t := &in.targets[i]
		t.Destination, t.Title, t.Label = in.sourceSpan(t.Destination), in.sourceSpan(t.Title), in.sourceSpan(t.Label)
	}
}

// sourceSpan returns the range of the source that a range of the joined text is from.
func (in *Inlines) sourceSpan(s Span) Span {
	if s == (Span{}) {
		return s
	}
	l := in.lineAt(s.Start)
	start := int(l.source.Start) + s.Start - int(l.at)
	if s.End == s.Start {
		return Span{start, start}
	}
	l = in.lineAt(s.End - 1)
	return Span{start, int(l.source.Start) + s.End - int(l.at)}
}

// lineAt returns the line in which the offset of the joined text is.
func (in *Inlines) lineAt(offset int) joinedLine {
	low, high := 0, len(in.lines)
	for high-low > 1 {
		if middle := (low + high) / 2; int(in.lines[middle].at) <= offset {
			low = middle
		} else {
			high = middle
		}
	}
	return in.lines[low]
}

// Block returns the index of the block whose content it is.
func (in *Inlines) Block() int { return in.block }

// Pieces yields the range of the source line by line, without line endings and what
// stands before the content of the block's lines: prefixes of containers, and blanks. A
// range within a line is one piece.
func (in *Inlines) Pieces(s Span) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		if len(in.lines) == 0 {
			piecesOf(in.text, s, yield)
			return
		}
		first := in.lineOfSource(s.Start)
		for _, l := range in.lines[first:] {
			piece := Span{min(max(int(l.source.Start), s.Start), s.End), min(int(l.source.End), s.End)}
			for piece.End > piece.Start && (in.doc.Source[piece.End-1] == '\n' || in.doc.Source[piece.End-1] == '\r') {
				piece.End--
			}
			if !yield(piece) || piece.End == s.End { // behind a line ending is a part of the next line, if an empty one
				return
			}
		}
	}
}

// piecesOf yields the lines of the range of text, from their first character on.
func piecesOf(text []byte, s Span, yield func(Span) bool) {
	for {
		n := bytes.IndexAny(text[s.Start:s.End], "\n\r")
		if n < 0 {
			yield(s)
			return
		}
		if !yield(Span{s.Start, s.Start + n}) {
			return
		}
		s.Start += n + 1
		if text[s.Start-1] == '\r' && s.Start < s.End && text[s.Start] == '\n' {
			s.Start++
		}
		for s.Start < s.End && syntax.IsBlank(text[s.Start]) {
			s.Start++
		}
	}
}

// lineOfSource returns the index of the joined line that the offset is on.
func (in *Inlines) lineOfSource(offset int) int {
	low, high := 0, len(in.lines)
	for high-low > 1 {
		if middle := (low + high) / 2; int(in.lines[middle].source.Start) <= offset {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Target returns where node i leads to, which is a link, image, footnote or wiki link;
// that of any other node has the kind 0.
func (in *Inlines) Target(i int) Target {
	switch in.Nodes[i].Kind {
	case InlineLink, InlineImage, InlineFootnote, InlineWiki:
		return in.targets[in.Nodes[i].ref]
	}
	return Target{Definition: -1}
}
