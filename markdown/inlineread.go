package markdown

import (
	"bytes"
	"slices"

	"github.com/sectile/sectile/internal/syntax"
)

// Reading inline content. One pass from left to right finds code, tags, escapes and
// entities, which take precedence; links are settled at their closing bracket and
// emphasis at the end of what holds it, as the specification's parsing strategy has it.
// What may turn out to be a mark is a node of its own until then; a second pass, which
// content without such nodes needs not, makes the tree of them. No step looks twice at
// more than a constant multiple of the source, whatever the source is. Section numbers
// are those of CommonMark 0.31.2.

// inlineReader is the state of reading one inline content, and memory for the next one.
type inlineReader struct {
	in       *Inlines
	doc      *Document
	text     []byte // up to the end of the content
	start    int    // of the content
	from     int    // of the text that is no node yet
	special  *[256]bool
	forLinks bool // nothing but links is asked for

	raw    []Inline // what the first pass found
	marked bool     // there are brackets, runs or mailboxes among raw

	brackets  []bracket // opening brackets that are not closed yet
	deadLinks int       // brackets below this index open no link, for one stands in them
	open      []int32   // nodes that the second pass has opened
	links     int       // how many of them are links
	mailboxes bool      // text may hold addresses of mailboxes

	// What is known about the rest of the source, so that no search for the
	// end of something fails twice.
	emphasis     syntax.EmphasisReader
	code         syntax.CodeReader
	html         syntax.HTMLReader
	urls         syntax.URLReader
	closing      int // see lastClosing
	closingKnown bool

	labels syntax.LabelMemory
}

// Bytes at which the first pass stops. Constant indexes make it data of the binary:
// nothing is computed at start.
var (
	specialBytes = [256]bool{'\\': true, '&': true, '`': true, '<': true, '*': true, '_': true, '[': true, ']': true, '\n': true, '\r': true}
	specialGFM   = [256]bool{'\\': true, '&': true, '`': true, '<': true, '*': true, '_': true, '[': true, ']': true, '\n': true, '\r': true, '~': true, ':': true}
	// The letter is far too frequent to stop at in a document without "www.".
	specialWWW = [256]bool{'\\': true, '&': true, '`': true, '<': true, '*': true, '_': true, '[': true, ']': true, '\n': true, '\r': true, '~': true, ':': true, 'w': true, '@': true}
	// Emphasis and the ends of lines change nothing about where links are.
	specialForLinks    = [256]bool{'\\': true, '&': true, '`': true, '<': true, '[': true, ']': true}
	specialForLinksGFM = [256]bool{'\\': true, '&': true, '`': true, '<': true, '[': true, ']': true, ':': true}
	specialForLinksWWW = [256]bool{'\\': true, '&': true, '`': true, '<': true, '[': true, ']': true, ':': true, 'w': true}
)

// Facts about a document's source that save work.
const (
	factsKnown = 1 << iota
	factWWW    // "www." or '@' stands somewhere
)

// specials returns the bytes at which to stop in the document.
func (d *Document) specials() *[256]bool {
	facts := d.lazy.facts.Load()
	if facts == 0 {
		facts = factsKnown
		if bytes.IndexByte(d.Source, '@') >= 0 || bytes.Contains(d.Source, []byte("www.")) {
			facts |= factWWW
		}
		d.lazy.facts.Store(facts)
	}
	switch {
	case d.options.NoBareURLs && d.options.NoStrikethrough:
		return &specialBytes
	case facts&factWWW != 0:
		return &specialWWW
	}
	return &specialGFM
}

// stops returns the bytes at which the first pass stops in the content.
func (r *inlineReader) stops() *[256]bool {
	special := r.doc.specials()
	if !r.forLinks || special['@'] && bytes.IndexByte(r.text[r.start:], '@') >= 0 { // mailboxes end where emphasis does
		return special
	}
	switch special {
	case &specialBytes:
		return &specialForLinks
	case &specialGFM:
		return &specialForLinksGFM
	}
	return &specialForLinksWWW
}

// read reads the range of the text into the nodes of in.
func (r *inlineReader) read(in *Inlines, s Span) {
	r.in, r.doc, r.text = in, in.doc, in.text[:s.End]
	r.start, r.from = s.Start, s.Start
	r.special = r.stops()
	r.raw, r.brackets = r.raw[:0], r.brackets[:0]
	r.emphasis.Reset()
	r.marked, r.mailboxes, r.deadLinks, r.closingKnown = false, false, 0, false
	r.code, r.html, r.urls = syntax.CodeReader{}, syntax.HTMLReader{}, syntax.URLReader{}
	in.targets = in.targets[:0]

	r.scan(s.Start)
	r.flush(len(r.text))
	r.emphasis.Settle(0)
	if r.marked {
		r.settle()
		return
	}
	in.Nodes, r.raw = r.raw, in.Nodes[:0]
}

// scan reads the text from i on. It is a function of its own for its loop, which takes most of
// the time, to have the registers.
func (r *inlineReader) scan(i int) {
	text, special := r.text, r.special
	for i < len(text) {
		if !special[text[i]] {
			i++
			continue
		}
		i = r.construct(i)
	}
}

// construct reads what begins at i and returns the offset after it.
func (r *inlineReader) construct(i int) int {
	switch r.text[i] {
	case '\n', '\r':
		return r.lineEnding(i)
	case '\\':
		return r.escape(i)
	case '&':
		if end, _ := syntax.Entity(r.text, i); end > 0 {
			return r.leaf(InlineEntity, Span{i, end}, Span{i + 1, end - 1})
		}
	case '`':
		return r.codeSpan(i)
	case '<':
		return r.angle(i)
	case '*', '_':
		return r.delimiterRun(i)
	case '~':
		if !r.doc.options.NoStrikethrough {
			return r.delimiterRun(i)
		}
	case '[':
		return r.openBracket(i)
	case ']':
		return r.closeBracket(i)
	case ':', 'w':
		return r.bareURL(i)
	case '@':
		r.mailboxes = !r.doc.options.NoBareURLs
		r.marked = r.marked || r.mailboxes
	}
	return i + 1
}

// flush makes a node of the text before end.
func (r *inlineReader) flush(end int) {
	if end > r.from {
		r.add(InlineText, Span{r.from, end}, Span{r.from, end})
	}
}

// add adds a node, which is so far the last one.
func (r *inlineReader) add(kind InlineKind, whole, inner Span) {
	r.raw = append(r.raw, Inline{
		Kind: kind, Next: int32(len(r.raw) + 1), Start: uint32(whole.Start), End: uint32(whole.End),
		InnerStart: uint32(inner.Start), InnerEnd: uint32(inner.End),
	})
}

// leaf adds a node without others in it, and returns its end.
func (r *inlineReader) leaf(kind InlineKind, whole, inner Span) int {
	r.flush(whole.Start)
	r.add(kind, whole, inner)
	r.from = whole.End
	return whole.End
}

// escape reads the backslash at i (2.4).
func (r *inlineReader) escape(i int) int {
	if i+1 == len(r.text) {
		return i + 1
	}
	next := r.text[i+1]
	switch {
	case syntax.IsPunctuation(next):
		return r.leaf(InlineEscape, Span{i, i + 2}, Span{i + 1, i + 2})
	case next == '\n', next == '\r': // a hard line break (6.7)
		return r.lineBreak(InlineHardBreak, i, i+1)
	}
	return i + 1
}

// lineEnding reads the line ending at i (6.7, 6.8).
func (r *inlineReader) lineEnding(i int) int {
	start := i
	for start > r.from && syntax.IsBlank(r.text[start-1]) {
		start--
	}
	if i-start >= 2 && r.text[i-1] == ' ' && r.text[i-2] == ' ' {
		return r.lineBreak(InlineHardBreak, start, i)
	}
	return r.lineBreak(InlineSoftBreak, start, i)
}

// lineBreak adds the break that begins at start with the line ending at i, and returns
// where the text of the next line begins.
func (r *inlineReader) lineBreak(kind InlineKind, start, i int) int {
	end := i + 1
	if r.text[i] == '\r' && end < len(r.text) && r.text[end] == '\n' {
		end++
	}
	r.leaf(kind, Span{start, end}, Span{end, end})
	for end < len(r.text) && syntax.IsBlank(r.text[end]) {
		end++
	}
	r.from = end
	return end
}

// codeSpan reads the backticks at i and the code that they begin (6.1).
func (r *inlineReader) codeSpan(i int) int {
	start, end := r.code.Range(r.text, i)
	if end == 0 {
		return start
	}
	return r.leaf(InlineCode, Span{i, end + start - i}, Span{start, end})
}

// angle reads the '<' at i: an autolink (6.5) or raw HTML (6.6).
func (r *inlineReader) angle(i int) int {
	if end, email := syntax.AutolinkEnd(r.text, i+1); end > 0 {
		r.leaf(InlineAutolink, Span{i, end}, Span{i + 1, end - 1})
		r.raw[len(r.raw)-1].Email = email
		return end
	}
	if end := r.html.End(r.text, i+1); end > 0 {
		return r.leaf(InlineHTML, Span{i, end}, Span{i + 1, end - 1})
	}
	return i + 1
}

// bareURL reads the ':' or 'w' at i, which may stand in the start of an address
// (GFM 6.9), and returns the offset from which to go on.
func (r *inlineReader) bareURL(i int) int {
	if i+2 >= len(r.text) || r.text[i+1] != '/' && r.text[i+1] != 'w' ||
		len(r.brackets) > 0 || r.doc.options.NoBareURLs { // in what may be a link there are no others
		return i + 1
	}
	start, end := r.urls.Range(r.text, r.from, i)
	if end == 0 {
		return start
	}
	return r.leaf(InlineBareURL, Span{start, end}, Span{start, end})
}

// settle makes the tree of what the first pass found.
func (r *inlineReader) settle() {
	r.in.Nodes = slices.Grow(r.in.Nodes[:0], len(r.raw))
	r.open, r.links = r.open[:0], 0
	for i := range r.raw {
		switch n := &r.raw[i]; n.Kind {
		case inlineRun:
			r.settleRun(n)
		case inlineOpen:
			r.settleOpen(n)
		case inlineClose:
			r.closeNode(n.Start, n.End)
		case InlineText:
			r.addText(n.Start, n.End)
		default:
			r.push(*n)
		}
	}
	r.splitMailboxes()
}

// push adds a node to the tree.
func (r *inlineReader) push(n Inline) {
	r.splitMailboxes()
	n.Next = int32(len(r.in.Nodes) + 1)
	r.in.Nodes = append(r.in.Nodes, n)
}

// addText adds text to the tree, to the node before it if that is text.
func (r *inlineReader) addText(start, end uint32) {
	if n := len(r.in.Nodes); n > 0 && start > uint32(r.start) {
		last := &r.in.Nodes[n-1]
		if last.Kind == InlineText && last.End == start {
			last.End, last.InnerEnd = end, end
			return
		}
	}
	r.push(Inline{Kind: InlineText, Start: start, End: end, InnerStart: start, InnerEnd: end})
}

// settleOpen adds what the opening bracket n stands for.
func (r *inlineReader) settleOpen(n *Inline) {
	if n.ref < 0 { // it is text
		r.addText(n.Start, n.End)
		return
	}
	kind := InlineLink
	if n.End-n.Start == 2 {
		kind = InlineImage
	}
	r.openNode(kind, n.Start, n.End, n.ref)
}

// openNode adds a node that is to be closed.
func (r *inlineReader) openNode(kind InlineKind, start, inner uint32, ref int32) {
	r.push(Inline{Kind: kind, Start: start, InnerStart: inner, ref: ref})
	r.open = append(r.open, int32(len(r.in.Nodes)-1))
	if kind == InlineLink {
		r.links++
	}
}

// closeNode closes the node that was opened last.
func (r *inlineReader) closeNode(inner, end uint32) {
	r.splitMailboxes()
	n := &r.in.Nodes[r.open[len(r.open)-1]]
	r.open = r.open[:len(r.open)-1]
	n.InnerEnd, n.End, n.Next = inner, end, int32(len(r.in.Nodes))
	if n.Kind == InlineLink {
		r.links--
	}
}

// splitMailboxes makes nodes of the addresses of mailboxes in the text that was added
// last, which is all of it (GFM 6.9). In a link there are none.
func (r *inlineReader) splitMailboxes() {
	last := len(r.in.Nodes) - 1
	if !r.mailboxes || last < 0 || r.links > 0 || r.in.Nodes[last].Kind != InlineText {
		return
	}
	from, textEnd := int(r.in.Nodes[last].Start), int(r.in.Nodes[last].End)
	at := bytes.IndexByte(r.text[from:textEnd], '@')
	if at < 0 {
		return
	}
	r.in.Nodes = r.in.Nodes[:last]
	add := func(kind InlineKind, start, end int, email bool) {
		if start < end {
			s, e := uint32(start), uint32(end)
			r.in.Nodes = append(r.in.Nodes, Inline{
				Kind: kind, Email: email, Next: int32(len(r.in.Nodes) + 1), Start: s, End: e, InnerStart: s, InnerEnd: e,
			})
		}
	}
	for i := from + at; ; {
		if start, end := syntax.EmailRange(r.text[:textEnd], from, i); end > 0 {
			add(InlineText, from, start, false)
			add(InlineBareURL, start, end, bytes.IndexByte(r.text[start:i], ':') < 0)
			from, i = end, end
		} else {
			i++
		}
		next := bytes.IndexByte(r.text[i:textEnd], '@')
		if next < 0 {
			break
		}
		i += next
	}
	add(InlineText, from, textEnd, false)
}
