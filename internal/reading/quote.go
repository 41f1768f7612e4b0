package reading

import (
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// QuoteOf returns a part of the document as it is, in at most so many characters (code
// points), 0 for any number; what does not fit is left out by structure, with lines that
// begin with the mark in its place.
func QuoteOf(doc *markdown.Document, res *address.Resolution, room int, mark replies.Mark) replies.Quote {
	p := passage{
		res: res, span: res.Span(doc), lines: res.Lines(doc),
		structured: res.Kind == address.SectionNode || res.Kind == address.DocumentNode,
	}
	q := replies.Quote{
		Selector: res.Selector, StartLine: p.lines.First, EndLine: p.lines.Last, Hash: markdown.Hash(doc.Text(p.span)),
	}
	if res.Kind == address.SectionNode {
		q.Heading, q.BodyHash = HeadingOf(doc, res.Section), doc.BodyHash(res.Section)
	} else {
		q.Selector = strings.TrimSpace(res.Selector + " " + KindOf(doc, res.Node))
	}
	if p.lines.Len() > 0 {
		f := newFitter(doc, &p)
		f.mark = mark
		kept := choice{lines: []markdown.Lines{p.lines}}
		if room > 0 {
			kept = f.fit(room, p.structured)
		}
		p.keep(f, kept)
	}
	q.Text, q.Warning, q.Thinned = string(p.text), p.warning, p.hasGaps()
	q.Whole = len(p.left) == 0
	q.Shown = q.Whole || len(p.spans) > 0
	return q
}
