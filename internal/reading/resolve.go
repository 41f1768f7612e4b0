package reading

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Which part of a document an address names, for who reads it.

// resolveAll resolves the headings that are asked for. Its error is that of the end of the
// work.
func (r *reading) resolveAll() error {
	for _, h := range r.req.Headings {
		if err := r.ended(); err != nil {
			return err
		}
		p, err := r.resolve(h)
		if err != nil {
			p = &passage{asked: h, err: replies.ErrorAbout(r.path, err)}
		}
		r.resolved = append(r.resolved, *p)
	}
	return nil
}

// resolve returns the passage that an address names, or a place in the document as replies
// have it, path:5-16, or a link to it, path#name. A query may stand behind it, and the document
// before it, each once. The error is an *Error.
func (r *reading) resolve(addr string) (*passage, error) {
	rest := addr
	var query *address.Selector
	res, err := r.nth(addr)
	if cut, found := address.SplitQuery(addr); err != nil && found != nil {
		rest, query = cut, found
		res, err = r.nth(rest)
	}
	if file, part, ok := strings.Cut(rest, "::"); err != nil && ok && r.isNamed(file) {
		rest = part
		res, err = r.nth(rest)
	}
	p, err := r.passageBy(rest, res, err)
	if err != nil || query == nil {
		return p, err
	}
	if p.asked = addr; !query.Full {
		p.cut(r.doc, query)
	}
	return p, nil
}

// nth returns the node that an address fits.
func (r *reading) nth(addr string) (*address.Resolution, error) {
	resolver := address.Resolver{Doc: r.doc}
	if r.resolver != nil {
		resolver = r.resolver(r.doc)
	}
	resolver.Compared = &r.compared
	return resolver.Nth(addr, r.req.Occurrence)
}

// passageBy returns the passage of the node that an address fits; or, if the error says that there
// is none, what else it may stand for.
func (r *reading) passageBy(addr string, res *address.Resolution, err error) (*passage, error) {
	if err != nil {
		if file, l, ok := replies.CutPlace(addr); ok && r.isNamed(file) {
			return r.passageOf(addr, l)
		}
		if file, name, ok := strings.Cut(addr, "#"); ok && r.isNamed(file) {
			if linked, missing := r.nth("#" + name); missing == nil {
				res, err = linked, nil
			}
		}
	}
	if plain := strings.TrimSpace(strings.Trim(addr, "#: \t")); err != nil && r.req.Loosely && plain != "" && plain != addr {
		if again, loose := r.nth(plain); loose == nil && again.Kind == address.SectionNode && again.Tier != address.TierNone {
			res, err = again, nil
		}
	}
	if err != nil {
		return nil, r.withoutParts(replies.ErrorAbout(r.path, err))
	}
	p := &passage{
		asked: addr, res: res, span: res.Span(r.doc), lines: res.Lines(r.doc),
		structured: res.Kind == address.SectionNode || res.Kind == address.DocumentNode,
	}
	if r.bodyAlone(p) && !r.doc.Holds(p.lines) {
		p.span, p.lines = r.doc.BodySpan(res.Section), r.doc.BodyLines(res.Section)
	}
	return p, nil
}

// passageOf returns the passage of lines that are asked for in some words.
func (r *reading) passageOf(asked string, l markdown.Lines) (*passage, error) {
	if l.First > r.doc.LineCount {
		return nil, r.beyond(l)
	}
	p := &passage{asked: asked}
	if l.Last > r.doc.LineCount {
		p.beyond, l.Last = l.Last, r.doc.LineCount
	}
	p.span, p.lines = r.doc.LineSpan(l), l
	return p, nil
}

// cut leaves of a passage the first lines, and of these the last, that a query asks for.
func (p *passage) cut(doc *markdown.Document, query *address.Selector) {
	all, kept := p.lines, p.lines
	kept.Last = min(kept.Last, max(doc.LineAt(p.span.Start+len(bytes.TrimRight(doc.Text(p.span), " \t\r\n"))), kept.First)) // a query is about text
	if query.Head > 0 {
		kept.Last = min(kept.Last, kept.First+query.Head-1)
	}
	if query.Tail > 0 {
		kept.First = max(kept.First, kept.Last-query.Tail+1)
	}
	if kept == all {
		return
	}
	lines := doc.LineSpan(kept)
	p.span = markdown.Span{Start: max(p.span.Start, lines.Start), End: min(p.span.End, lines.End)}
	p.lines, p.structured, p.of = kept, false, all.Len()
}

// isNamed reports whether a path is that of the document, as it was given.
func (r *reading) isNamed(file string) bool {
	return file != "" && (filepath.Clean(file) == filepath.Clean(r.source) || file == r.path)
}
