package edit

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Who reads a block in containers is shown its bytes: all of its lines but the first
// with the containers' prefix. A text that is sent for it comes as it was read, with the
// prefix, or as a text of its own, without. Taken for the other one, code would get
// marks of quotes or blanks into it, and its closing fence would be none.

// sent is a text for a block in containers, line by line.
type sent struct {
	n        *nested
	lines    []string
	stripped []string        // without the prefix, those that have it
	written  []string        // with the prefix
	old      map[string]bool // the block's lines that were read with a prefix

	all      bool // lines after the first have the prefix
	shared   bool // one of them is one of the block's
	marked   bool // one of them begins with the mark of a quote
	odd      bool // one of those has not the whole prefix
	same     bool // the mark of a quote in an item of the text stands where that of the block's quote does
	other    bool // one stands elsewhere
	gap      bool // one of them is blank and has no prefix
	isQuote  bool // all of them are in a quote without the prefix
	isLine   bool // the first line has the prefix too
	inQuotes bool // there are marks in the prefix
}

// newSent looks at a text.
func (op *Op) newSent(n *nested, c *content) *sent {
	s := &sent{n: n, lines: strings.Split(c.text, "\n"), old: map[string]bool{}, inQuotes: slices.Contains(n.containers, textlines.Quote)}
	if op.Action == Replace {
		for _, line := range n.read()[1:] {
			s.old[line] = true
		}
	}
	_, _, s.isLine = n.containers.Strip(s.lines[0])
	s.stripped, s.written = append(s.stripped, s.lines[0]), append(s.written, s.lines[0])
	s.all, s.isQuote = len(s.lines) > 1, len(s.lines) > 1
	inner := blockcheck.InnerQuotes(c.doc)
	mark, _, _ := strings.Cut(n.lead, ">")
	for i, line := range s.lines[1:] {
		rest, _, ok := n.containers.Strip(line)
		marked := s.inQuotes && isMarked(line)
		ok = ok && marked == s.inQuotes // a blank line without marks ends a quote
		if s.old[line] {
			ok = true // a paragraph may go on without the whole prefix
			s.shared = s.shared || strings.TrimSpace(rest) != ""
		}
		if at, _, _ := strings.Cut(line, ">"); marked && inner[i+1] && !s.old[line] {
			s.same, s.other = s.same || at == mark, s.other || at != mark
		}
		s.all, s.marked, s.odd = s.all && ok, s.marked || marked, s.odd || marked && !ok
		s.gap = s.gap || !ok && strings.Trim(line, " \t") == ""
		s.isQuote = s.isQuote && ok && (rest == "" || isMarked(rest))
		if !ok {
			rest, line = line, textlines.PrefixedLine(n.prefix, line)
		}
		s.stripped, s.written = append(s.stripped, rest), append(s.written, line)
	}
	return s
}

// isMarked reports whether a line begins with the mark of a quote.
func isMarked(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") }

// asRead returns a text as it is without the containers' prefix, and its lines as they
// are written, if it came with the prefix; else the text and nil. The error is for a text
// of which neither can be told.
func (op *Op) asRead(n *nested, c *content) (bare *content, written []string, failed *Error) {
	s := op.newSent(n, c)
	if op.Action == Replace && slices.Equal(s.lines, n.read()) {
		return nil, nil, noChange()
	}
	asRead := false
	switch {
	case len(s.lines) == 1, !s.inQuotes && !s.all:
	case !s.inQuotes, s.isLine && s.all && s.isQuote:
		asRead = true // or not, see below
	case s.isLine && n.block.Kind == markdown.BlockQuote: // its own mark is there in both forms
		asRead = s.shared
	case s.isLine && s.all && s.shared: // whole lines were sent
		asRead = true
		s.stripped[0], _, _ = n.containers.Strip(s.lines[0])
		s.written[0] = s.stripped[0]
	case s.all && s.other && !s.same && !s.shared:
	case s.isLine && s.all, s.shared && (s.other || !s.all && (s.odd || s.gap)), !s.all && s.marked && !s.shared && blockcheck.IsLazy(c.doc):
		return nil, nil, unclearMarks()
	default:
		asRead = s.all || s.shared
	}
	if !asRead {
		return c, nil, nil
	}
	if bare, failed = c.of(strings.Join(s.stripped, "\n")); failed != nil {
		return nil, nil, failed
	}
	switch {
	case s.same && !s.shared && blockcheck.HasLazyItem(bare.doc): // or there is a quote in the item
		return nil, nil, unclearMarks()
	case !s.inQuotes && !s.shared && (!n.isLike(bare) || !s.showsPrefix() && !bare.isCode()):
		return c, nil, nil
	case !s.inQuotes && s.isUnclear(c, bare):
		return nil, nil, &Error{Code: InvalidArgument, Message: "it can't be told whether the lines after the first are indented as they stand in the document or as a text of its own; " +
			"indent all lines as they are to stand there, the first one too"}
	}
	return bare, s.written, nil
}

// unclearMarks is the error for a text whose marks may be its own or those of the quote around it.
func unclearMarks() *Error {
	return &Error{Code: InvalidArgument, Message: "it can't be told which marks at the beginning of lines are those of the quote that the block stands in; " +
		"write these before each line but the first, or before none and with a blank line before a quote in the text"}
}

// isUnclear reports whether a text for an item or a list is another one without the prefix, so that
// either may be meant.
func (s *sent) isUnclear(c, bare *content) bool {
	switch s.n.block.Kind {
	case markdown.Item:
		return !c.isSameAs(bare) && (bare.items() != c.items() || !s.shared && !s.n.hasShape(bare))
	case markdown.List: // who has read several items knows where they stand
		return !s.shared && bare.items() != c.items() && int(s.n.doc.Blocks[s.n.index+1].Next) == int(s.n.block.Next)
	}
	return false
}

// showsPrefix reports whether who has read the block has seen the prefix.
func (s *sent) showsPrefix() bool {
	for line := range s.old {
		if rest, _, ok := s.n.containers.Strip(line); ok && rest != "" {
			return true
		}
	}
	return false
}

// read returns the lines of the block as a read shows them.
func (n *nested) read() []string {
	return strings.Split(textlines.WithEnding(string(n.doc.Source[n.span.Start:n.end()]), "\n"), "\n")
}

// isLike reports whether a text is one block of the kind, or a heading with what is below
// it.
func (n *nested) isLike(c *content) bool {
	if len(c.doc.Blocks) == 0 {
		return false
	}
	first, kind := &c.doc.Blocks[0], n.block.Kind
	if kind == markdown.Item {
		kind = markdown.List
	}
	return first.Kind == kind && (kind == markdown.Heading || int(first.Next) == len(c.doc.Blocks))
}

// items returns how many items the list has that a text begins with.
func (c *content) items() int {
	n := 0
	if len(c.doc.Blocks) > 0 {
		for range c.doc.Children(0) {
			n++
		}
	}
	return n
}

// hasShape reports whether a text is an item with blocks of the kinds that are in the block.
func (n *nested) hasShape(c *content) bool {
	old := n.doc.Blocks[n.index:n.block.Next]
	return len(c.doc.Blocks) > 0 && slices.EqualFunc(old, c.doc.Blocks[1:], func(x, y markdown.Block) bool { return x.Kind == y.Kind })
}

// isCode reports whether the text begins with fenced code. Without the blanks before its
// lines its fences stand below each other, so they were not meant for the code.
func (c *content) isCode() bool {
	return len(c.doc.Blocks) > 0 && c.doc.Blocks[0].Kind == markdown.FencedCode
}
