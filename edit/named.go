package edit

import (
	"fmt"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// What the actions do to the parts that have names: the preamble, the front matter
// and the document.

// onNamed returns what the operation does to one of them.
func (op *Op) onNamed(doc *markdown.Document, n address.Node, c *content) (*change, *Error) {
	if op.Scope == ScopeBody {
		return nil, &Error{Code: InvalidArgument, Message: "only a section has a body of its own; leave the scope out"}
	}
	span := n.Span(doc)
	switch n.Kind {
	case address.PreambleNode:
		return op.onPreamble(doc, span, c)
	case address.FrontMatterNode:
		return op.onFrontMatter(doc, span, c)
	}
	return op.onDocument(doc, span, c)
}

// onPreamble returns what the operation does to what stands before the first
// section.
func (op *Op) onPreamble(doc *markdown.Document, span markdown.Span, c *content) (*change, *Error) {
	var ch *change
	switch op.Action {
	case Replace, Remove:
		ch = c.putInto(doc, span)
	case Append:
		ch = c.appendTo(doc, span)
	case Prepend:
		ch = c.prependTo(doc, span)
	default:
		return nil, op.impossible("the preamble", Replace, Append, Prepend, Remove)
	}
	return ch, op.fitsPreamble(c)
}

// fitsPreamble checks that the text has no heading, which would end the preamble.
func (op *Op) fitsPreamble(c *content) *Error {
	if op.AllowRestructure || c.highest() > 6 {
		return nil
	}
	return &Error{Code: LevelMismatch, Message: fmt.Sprintf(
		"the text has a heading, which would end the preamble; use %s on the first section for a section of its own", InsertBefore)}
}

// onFrontMatter returns what the operation does to the front matter.
func (op *Op) onFrontMatter(doc *markdown.Document, span markdown.Span, c *content) (*change, *Error) {
	src := doc.Source
	switch op.Action {
	case Remove:
		return splicing(Splice{Span: markdown.Span{Start: span.Start, End: textlines.TextStart(src, markdown.Span{Start: textlines.End(src, span.End), End: len(src)})}}), nil
	case Replace:
		ch := splicing(Splice{span, []byte(textlines.WithEndings(c.text, src[span.Start:span.End], textlines.EndingAt(src, span.Start)))})
		ch.first, ch.last = span.Start, span.Start+len(ch.splices[0].Text)
		ch.verify = func(doc *markdown.Document) *Error {
			if fm := doc.FrontMatter(); fm >= 0 && int(doc.Blocks[fm].End) == ch.last {
				return nil
			}
			return &Error{Code: StructureChanged, Message: "the text would be no front matter; let it begin and end with a line of --- or +++"}
		}
		return ch, nil
	}
	return nil, op.impossible("front matter", Replace, Remove)
}

// onDocument returns what the operation does to all of the document.
func (op *Op) onDocument(doc *markdown.Document, span markdown.Span, c *content) (*change, *Error) {
	switch op.Action {
	case Replace:
		if len(doc.Sections) > 0 && op.Scope == AnyScope && len(c.asDocument(doc.Options()).Sections) == 0 {
			return nil, dropping(doc, headings(doc, sections(doc)), "the document has sections and the text has none", DropSections)
		}
		ch := c.putInto(doc, span)
		ch.gone = headings(doc, sections(doc))
		return ch, nil
	case Append:
		if len(doc.Sections) > 0 && c.level() == 0 && !op.AllowRestructure {
			return nil, &Error{Code: HeadingRequired, Message: fmt.Sprintf(
				"at the end of the document the text would belong to its last section; let it begin with a heading, or use %s on that section", Append)}
		}
		return c.appendTo(doc, span), nil
	case Prepend:
		preamble := markdown.Span{Start: span.Start, End: doc.Preamble().End}
		if fm := doc.FrontMatter(); fm >= 0 {
			preamble.Start = textlines.End(doc.Source, int(doc.Blocks[fm].End))
			if c.asDocument(doc.Options()).FrontMatter() >= 0 {
				return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf("the document has front matter already; use %s on @frontmatter", Replace)}
			}
		}
		return c.prependTo(doc, preamble), nil
	}
	return nil, op.impossible("the document", Replace, Append, Prepend)
}

// asDocument returns the text as a document in a dialect, which may have front matter.
func (c *content) asDocument(dialect markdown.Options) *markdown.Document {
	if doc, err := (&markdown.Parser{Options: dialect}).Parse([]byte(c.text)); err == nil {
		return doc
	}
	return c.doc
}

// sections returns all sections of the document.
func sections(doc *markdown.Document) []int {
	all := make([]int, len(doc.Sections))
	for i := range all {
		all[i] = i
	}
	return all
}

// impossible refuses an action that a part has not.
func (op *Op) impossible(part string, actions ...Action) *Error {
	return &Error{Code: InvalidArgument, Message: fmt.Sprintf("%s is not possible for %s; there are %s", op.Action, part, names(actions))}
}
