package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// A block in containers shares its lines with their marks. Where a text is put
// beside it or in its place, every line but the first gets the containers' prefix:
// marks of quotes, and blanks as wide as the markers of items.

// nested is a block in containers and what an operation on it needs to know.
type nested struct {
	doc        *markdown.Document
	index      int
	block      *markdown.Block
	span       markdown.Span
	line       int // where its first line begins
	containers textlines.Containers
	prefix     string // of these, before all lines but the first
	lead       string // before another line that the block may come to begin
	own        bool   // nothing but a prefix stands before it on its first line
	indent     int    // bytes of indentation of its own before it there, which an item's prefix has too
	outdented  bool   // items are put beside it without that
	tight      bool   // there are no blank lines between blocks like it
}

func newNested(doc *markdown.Document, b int, span markdown.Span) *nested {
	n := &nested{doc: doc, index: b, block: &doc.Blocks[b], span: span, line: textlines.Begin(doc.Source, span.Start)}
	first := doc.Source[n.line:span.Start]
	n.own = textlines.IsBlank(first, ">")
	n.containers = textlines.ContainersOf(doc, b)
	n.lead = string(bytes.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, first))
	rest, col, ok := n.containers.Strip(n.lead + "x")
	if n.own && ok && strings.HasSuffix(n.lead+"x", rest) { // no part of a tab
		n.indent = len(rest) - len("x")
	}
	switch n.block.Kind {
	case markdown.TableRow:
		n.tight = true
	case markdown.Item:
		n.tight = doc.Tight(int(n.block.Parent))
		if ok { // the items beside it begin where it does
			n.containers = append(n.containers, textlines.Columns(strings.TrimSuffix(rest, "x"), col)-col)
		}
	}
	n.prefix = n.containers.Prefix()
	return n
}

// onNested returns what the operation does to a block in containers.
func (op *Op) onNested(n *nested, c *content) (*change, *Error) {
	below := n.headingsBelow()
	if op.Action == Remove {
		ch := splicing(n.cut())
		if n.block.Kind == markdown.Heading {
			ch.gone = append([]int{n.index}, below...)
		}
		return ch, nil
	}
	c, err := c.within()
	whole := false
	if err == nil && (n.block.Kind == markdown.Item || n.block.Kind == markdown.List && n.isLike(c)) {
		c, whole, err = c.atMargin()
	}
	if err != nil {
		return nil, err
	}
	var written []string
	if !whole || slices.Contains(n.containers, textlines.Quote) {
		c, written, err = op.asRead(n, c)
	}
	if err == nil {
		err = op.fitsNested(n, c)
	}
	if err != nil {
		return nil, err
	}
	if op.Action == Replace && len(below) > 0 && !c.hasBelow(n.block.Level) {
		return nil, dropping(n.doc, below, fmt.Sprintf(
			"the headings below it (%d) would go, and the text has none; send them with it, or remove them first", len(below)), "")
	}
	ch := op.putNested(n, c, written, below)
	if written == nil && n.block.Kind == markdown.Item && n.indent > 0 {
		if now, err := c.draft.with(n.doc, ch.splices[0]); err == nil && ch.verify(now) != nil {
			n.outdent()
			ch = op.putNested(n, c, written, below)
		}
	}
	return ch, nil
}

// outdent has items be put beside the block without its own indentation.
func (n *nested) outdent() {
	n.outdented = true
	n.prefix = n.prefix[:len(n.prefix)-n.containers[len(n.containers)-1]]
	n.containers = n.containers[:len(n.containers)-1]
}

// putNested returns the change that puts a text beside a block in containers or in its place: lines
// that are written so, or if these are nil the text with the prefix.
func (op *Op) putNested(n *nested, c *content, written []string, below []int) *change {
	ending := textlines.EndingAt(n.doc.Source, n.span.Start)
	at, before, after := n.span, "", ""
	text, skipped := strings.Join(written, "\n"), 0
	if written == nil {
		skipped = textlines.IdleBlanks(c.text)
		text = textlines.WithPrefix(n.prefix, c.text[skipped:])
	}
	if written == nil || op.Action == InsertBefore {
		at.Start -= n.indent
		if n.block.Kind == markdown.Item && !n.outdented {
			before = n.lead[len(n.lead)-n.indent:]
		}
	}
	switch op.Action {
	case InsertBefore:
		at.End = at.Start
		before, after = cmp.Or(n.gapBefore(ending), before), ending+n.gap(ending)+n.lead[:len(n.lead)-n.indent]
	case InsertAfter:
		at.Start = n.end()
		at.End = at.Start
		ending = cmp.Or(string(textlines.EndingBefore(n.doc.Source, textlines.End(n.doc.Source, at.Start))), ending) // its line keeps it
		before, after = ending+n.gap(ending)+n.prefix, n.gapAfter(at.Start, ending)
	}
	text = textlines.WithEndings(text, n.doc.Source[at.Start:at.End], ending)
	ch := splicing(Splice{at, []byte(before + text + after)})
	if op.Action == Replace {
		ch.gone = below
	}
	for p := n.block.Parent; p >= 0; p = n.doc.Blocks[p].Parent {
		ch.joined = append(ch.joined, int(p))
	}
	ch.first = at.Start + len(before)
	ch.last = ch.first + len(text)
	ch.newStart, ch.after, ch.kind = n.span.Start, ch.first, n.block.Kind
	switch op.Action {
	case Replace:
		ch.newStart = ch.first
	case InsertBefore:
		ch.newStart += len(before + text + after)
	}
	c.verifyNested(ch, skipped)
	return ch
}

// atMargin returns a text for a place among items as it is at the margin, and whether all of its
// lines were indented. Whole tab stops go, as they change nothing else; a text that is another one
// at the margin keeps the blanks that are left.
func (c *content) atMargin() (*content, bool, *Error) {
	width := textlines.Indentation(c.text)
	margin := textlines.AtMargin(c.text, width)
	if margin == c.text {
		return c, false, nil
	}
	sent, err := c.of(textlines.AtMargin(c.text, width-width%4))
	if err != nil || width%4 == 0 {
		return sent, true, err
	}
	if c, err = c.of(margin); err == nil && !sent.isSameAs(c) {
		c = sent
	}
	return c, true, err
}

// verifyNested has the change of a block check that the text is what it is to be: a row, items, or
// the blocks that it is by itself, behind so many blanks that are left out.
func (c *content) verifyNested(ch *change, skipped int) {
	switch ch.kind {
	case markdown.TableRow:
		ch.verify = func(doc *markdown.Document) *Error { return isKind(doc, ch.after, ch.kind) }
		return
	case markdown.Item:
	default:
		ch.after, ch.kind = c.firstBlock(ch.first)-skipped, c.doc.Blocks[0].Kind
	}
	ch.verify = func(doc *markdown.Document) *Error {
		if err := isKind(doc, ch.after, ch.kind); err != nil {
			return err
		}
		return c.isSame(doc, markdown.Span{Start: ch.first, End: ch.last})
	}
}

// isSame checks that the text has become the same blocks in a range of a document as it
// is by itself.
func (c *content) isSame(doc *markdown.Document, at markdown.Span) *Error {
	first, last := blockFrom(doc, at.Start), blockFrom(doc, at.End)
	want := 0
	if n := len(c.doc.Blocks); n > 0 && c.doc.Blocks[0].Kind == markdown.List && last-first == n-1 {
		want++ // the items are those of a list that is there
	}
	ok := last-first == len(c.doc.Blocks)-want
	for i := first; ok && i < last; i++ {
		a, b := want+i-first, i
		x, y := &c.doc.Blocks[a], &doc.Blocks[b]
		ok = x.Kind == y.Kind && x.Flags == y.Flags && x.Marker == y.Marker && max(int(x.Parent)-want, -1) == max(int(y.Parent)-first, -1) &&
			(x.Kind == markdown.Item || x.Level == y.Level) && blockcheck.SameContent(c.doc, a, doc, b)
	}
	if !ok {
		return &Error{Code: StructureChanged, Message: "the text would be something else there than it is by itself; " +
			"indent its lines as Markdown of its own, with blanks and no tabs, or as they stand in the document"}
	}
	return nil
}

// isSameAs reports whether two texts are the same blocks.
func (c *content) isSameAs(other *content) bool {
	return len(c.doc.Blocks) == len(other.doc.Blocks) && c.isSame(other.doc, markdown.Span{End: len(other.doc.Source)}) == nil
}

// headingsBelow returns the headings that stand below the block, if it is a heading, in
// its container.
func (n *nested) headingsBelow() []int {
	var below []int
	for b := int(n.block.Next); n.block.Kind == markdown.Heading && b < len(n.doc.Blocks) && int(n.doc.Blocks[b].Start) < n.span.End; b = int(n.doc.Blocks[b].Next) {
		if n.doc.Blocks[b].Kind == markdown.Heading {
			below = append(below, b)
		}
	}
	return below
}

// fitsNested checks that what is put among rows is rows, and among the items of a
// list items of that list.
func (op *Op) fitsNested(n *nested, c *content) *Error {
	first := &c.doc.Blocks[0]
	several := int(first.Next) < len(c.doc.Blocks)
	var message string
	switch {
	case n.block.Flags&markdown.Head != 0 && op.Action == InsertBefore:
		message = fmt.Sprintf("nothing stands before the head of a table; use %s, or put a table before it", InsertAfter)
	case n.block.Kind == markdown.TableRow && (several || first.Kind != markdown.Paragraph):
		message = "the text is no row of a table; write rows alone, such as | a | b |"
	case n.block.Kind == markdown.Item && (several || first.Kind != markdown.List || first.Marker != n.block.Marker):
		message = fmt.Sprintf("the text is no item of this list; write items alone, with the marker %q, and indent what belongs to them",
			itemMarker(n.block.Marker))
	default:
		return nil
	}
	return becoming(message, "")
}

// itemMarker is what an item of a list begins with.
func itemMarker(marker byte) string {
	if marker == '.' || marker == ')' {
		return "1" + string(marker)
	}
	return string(marker)
}

// isKind checks that a block of the kind begins at the offset.
func isKind(doc *markdown.Document, at int, kind markdown.Kind) *Error {
	if _, ok := nodeAt(doc, at, kind); ok {
		return nil
	}
	return &Error{Code: StructureChanged, Message: fmt.Sprintf(
		"the text would be no %s in the place of one; write it as one, with its marks", kindName(kind))}
}

// blank is the prefix of a line with nothing else.
func (n *nested) blank() string { return strings.TrimRight(n.prefix, " \t") }

// gap returns a blank line with the prefix, if one belongs beside the block.
func (n *nested) gap(ending string) string {
	if n.tight {
		return ""
	}
	return n.blank() + ending
}

// gapBefore returns what makes a blank line of the beginning of the block's line,
// if the line before is not blank and is in the same container.
func (n *nested) gapBefore(ending string) string {
	src := n.doc.Source
	if n.tight || !n.own || n.index == int(n.block.Parent)+1 || textlines.IsBlank(src[textlines.Before(src, n.line):n.line], ">") {
		return ""
	}
	return ending + n.prefix
}

// gapAfter returns a blank line with the prefix, if one belongs after a text that
// is put in at the end of a line.
func (n *nested) gapAfter(at int, ending string) string {
	src := n.doc.Source
	next := textlines.End(src, at)
	if n.tight || n.isLast() || textlines.IsBlank(src[next:textlines.End(src, next)], ">") {
		return ""
	}
	return ending + n.blank()
}

// end returns where the block's last line ends, without its line ending; after the
// delimiter row for the head of a table.
func (n *nested) end() int {
	src := n.doc.Source
	at := textlines.End(src, n.span.End)
	if n.block.Flags&markdown.Head != 0 {
		at = textlines.End(src, at)
	}
	return at - len(textlines.EndingBefore(src, at))
}

// isLast reports whether nothing follows the block in its container.
func (n *nested) isLast() bool {
	return n.doc.LineAt(int(n.doc.Blocks[n.block.Parent].End)) <= n.doc.LineAt(n.span.End)
}

// cut returns the splice that takes the block out, with one of the gaps around it
// if it stands in lines of its own. The marker of an item that it begins stays, before what
// follows in the item.
func (n *nested) cut() Splice {
	src := n.doc.Source
	if !n.own {
		s := Splice{Span: n.span}
		below := textlines.End(src, s.End)
		if !n.isLast() && textlines.IsBlank(src[below:textlines.End(src, below)], ">") {
			s.End = int(n.doc.Blocks[blockFrom(n.doc, s.End)].Start) // behind a blank line nothing belongs to a marker alone
		}
		return s
	}
	s := markdown.Span{Start: n.line, End: textlines.End(src, n.span.End)}
	before, after := s.Start, s.End
	for before > textlines.Start(src) && textlines.IsBlank(src[textlines.Before(src, before):before], ">") {
		before = textlines.Before(src, before)
	}
	for after < len(src) && textlines.IsBlank(src[after:textlines.End(src, after)], ">") {
		after = textlines.End(src, after)
	}
	switch {
	case n.isLast():
		if s.Start = before; len(textlines.EndingBefore(src, s.End)) == 0 {
			s.Start -= len(textlines.EndingBefore(src, s.Start))
		}
	case before < s.Start || n.index == int(n.block.Parent)+1:
		s.End = after
	}
	return Splice{Span: s}.apart(src)
}
