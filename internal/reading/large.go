package reading

import (
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A document beyond the limit is abridged: its headings are there, and what a request
// reads is filled in before it is answered. Such a document has no version, and no hash of
// what isn't there; nothing can be edited by them, for edits refuse it.

// fillIn fills in what the request reads.
func (r *reading) fillIn() error {
	req := &r.req
	switch {
	case !r.doc.Abridged() || req.Map:
		return nil
	case req.Complete:
		return r.hold(markdown.Lines{First: 1, Last: r.doc.LineCount})
	case req.StartLine > 0 || req.EndLine > 0:
		return r.hold(r.askedLines())
	case req.Heading != "":
		return r.holdPart(req.Heading)
	}
	for _, addr := range req.Headings {
		if err := r.holdPart(addr); err != nil {
			return err
		}
	}
	return nil
}

// hold fills in the sections that lines stand in, each up to its first subsection.
func (r *reading) hold(l markdown.Lines) error {
	if l.First > r.doc.LineCount {
		return nil // which is refused later
	}
	l.Last = min(l.Last, r.doc.LineCount)
	doc, err := r.large.Fill(r.doc, l)
	if err != nil {
		return replies.ErrorAbout(r.path, err)
	}
	r.doc = doc
	return nil
}

// holdPart fills in what an address names, if it is there. Of a part of a section the section
// is needed.
func (r *reading) holdPart(addr string) error {
	if _, l, ok := replies.CutPlace(addr); ok {
		if _, err := address.Resolve(r.doc, addr); err != nil {
			return r.hold(l)
		}
	}
	if strings.HasPrefix(addr, "@") {
		if err := r.hold(r.doc.PreambleLines()); err != nil {
			return err
		}
	}
	for part := addr; part != ""; part = part[:max(strings.LastIndexByte(part, '/'), 0)] {
		p, err := r.resolve(part)
		if err != nil {
			continue
		}
		l := p.lines
		if p.structured && r.bodyAlone(p) {
			l = r.doc.BodyLines(p.res.Section)
		}
		return r.hold(l)
	}
	return nil
}

// bodyAlone reports whether of a section the text up to its first subsection is asked for, in
// a document that hasn't the rest.
func (r *reading) bodyAlone(p *passage) bool {
	return r.req.BodyOnly && r.doc.Abridged() && p.res.Kind == address.SectionNode
}

// hashes returns the hashes of a part that has an address, as far as its text is there: of
// all of it, and of a section up to its first subsection.
func (r *reading) hashes(p *passage) (all, body string) {
	if p.res.Kind != address.SectionNode {
		return markdown.Hash(r.doc.Text(p.res.Span(r.doc))), ""
	}
	if r.doc.Holds(r.doc.SectionLines(p.res.Section)) {
		all = r.doc.SectionHash(p.res.Section)
	}
	return all, r.doc.BodyHash(p.res.Section)
}

// withoutParts adds to the error about an address that parts outside of sections weren't
// looked for.
func (r *reading) withoutParts(err error) error {
	e := replies.AsError(err)
	if !r.doc.Abridged() || e == nil {
		return err
	}
	told := *e
	told.Message = told.Message.Then("; the document is larger than the limit, so only its headings are looked through: name a part below one, such as %s",
		replies.Say("Heading/code.0"))
	return &told
}
