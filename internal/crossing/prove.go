package crossing

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// find finds the section in its new document.
func (c *crossing) find(a *Result) error {
	a.Start, a.End = c.span()
	a.Section = -1
	if n := a.To.Changes[0].After; n != nil && n.Kind == address.SectionNode {
		a.Section = n.Section
	} else if c.put.Action == edit.Append {
		a.Section = len(c.to.Sections)
	}
	if added := len(a.To.Doc.Blocks) - len(c.to.Blocks); a.Section < 0 || a.Section >= len(a.To.Doc.Sections) || added < a.End-a.Start {
		return openSection()
	}
	return nil
}

// openSection is the error for a section that isn't one any more in its new place.
func openSection() error {
	return &edit.Error{Code: edit.StructureChanged, Message: "the section would be another one there; close what is open in it first"}
}

// prove finds each old block in the new documents, and compares what moved and all references.
func (c *crossing) prove(a *Result) error {
	old, from, to := c.from, a.From.Doc, a.To.Doc
	added, gone, stays := len(to.Blocks)-len(c.to.Blocks), a.End-a.Start, 0
	if c.options.Leave != nil {
		stays = 2                                                     // the heading and a paragraph
		a.Copies = append(a.Copies, Copy{Old: a.Start, New: a.Start}) // of which all links lead where they led
	}
	if len(from.Blocks) < len(old.Blocks)-gone+stays {
		return openSection()
	}
	first := int(to.Sections[a.Section].Heading)
	for b := range old.Blocks {
		switch {
		case b < a.Start:
			a.Blocks = append(a.Blocks, int32(b))
		case b < a.End:
			a.Blocks = append(a.Blocks, int32(first+b-a.Start)) //nolint:gosec // as many as fit
		default:
			a.Blocks = append(a.Blocks, int32(b-gone+stays)) //nolint:gosec // as many as fit
		}
	}
	for b := range c.to.Blocks {
		if b >= first {
			b += added
		}
		a.InTo = append(a.InTo, int32(b))
	}
	if e := c.proveSection(a, first); e != nil {
		return e
	}
	if e := c.proveCopies(a, first+gone); e != nil {
		return e
	}
	return c.proveReferences(a)
}

// proveCopies finds the definitions that were copied behind the section, and those that were
// left, with the blocks in them.
func (c *crossing) proveCopies(a *Result, at int) error {
	for _, d := range c.extra {
		if err := c.proveCopy(a, d, at, true); err != nil {
			return err
		}
		at += int(c.from.Blocks[d].Next) - d
	}
	if len(c.left) == 0 {
		return nil
	}
	stayed := make([]bool, len(a.From.Doc.Blocks)) // which are old ones
	for b, now := range a.Blocks {
		if b < a.Start || b >= a.End {
			stayed[now] = true
		}
	}
	copies := map[string]int{}
	for b := range a.From.Doc.Blocks {
		if label := labelOf(a.From.Doc, b); label != "" && !stayed[b] {
			if _, again := copies[label]; !again {
				copies[label] = b
			}
		}
	}
	for _, d := range c.left {
		b, there := copies[labelOf(c.from, d)]
		if !there {
			b = len(stayed)
		}
		if err := c.proveCopy(a, d, b, false); err != nil {
			return err
		}
	}
	return nil
}

// proveCopy compares a definition with its copy, and says that each block in it stands in a
// second place, so that links there are kept like those of the section.
func (c *crossing) proveCopy(a *Result, d, at int, inTo bool) error {
	old, doc := c.from, a.From.Doc
	if inTo {
		doc = a.To.Doc
	}
	same := at < len(doc.Blocks) && labelOf(doc, at) != "" && int(old.Blocks[d].Next)-d == int(doc.Blocks[at].Next)-at
	if same && old.Blocks[d].Kind == markdown.LinkDefinition {
		same = c.hash(doc, at) == c.hash(old, d)
	}
	for b := d; same && b < int(old.Blocks[d].Next); b++ {
		was, is := &old.Blocks[b], &doc.Blocks[at+b-d]
		same = was.Kind == is.Kind && was.Level == is.Level && int(was.Next)-b == int(is.Next)-(at+b-d)
		a.Copies = append(a.Copies, Copy{b, at + b - d, inTo})
	}
	if !same {
		return &edit.Error{Code: edit.StructureChanged, Message: fmt.Sprintf("the definition on %s would be another one in its new place", textlines.Named(old.Blocks[d].Lines()))}
	}
	return nil
}

// proveSection compares the blocks that moved with what they are now.
func (c *crossing) proveSection(a *Result, first int) error {
	old, to := c.from, a.To.Doc
	by := int(to.Blocks[first].Level) - int(old.Blocks[a.Start].Level)
	for b := a.Start; b < a.End; b++ {
		was, is := &old.Blocks[b], &to.Blocks[a.Blocks[b]]
		level, marker := int(was.Level), was.Marker
		if was.Kind == markdown.Heading && was.Parent < 0 {
			level += by
			if by != 0 && was.Setext() {
				marker = is.Marker // each level has its own
			}
		}
		inner := was.Parent < 0 && is.Parent < 0 || was.Parent >= 0 && is.Parent == a.Blocks[was.Parent]
		if was.Kind != is.Kind || level != int(is.Level) || marker != is.Marker || int(was.Next)-b != int(is.Next)-int(a.Blocks[b]) || !inner {
			return &edit.Error{Code: edit.StructureChanged, Message: fmt.Sprintf(
				"the block on %s would be another one there; close what is open before it", textlines.Named(was.Lines()))}
		}
	}
	for i := range to.Sections {
		want := 0
		if i >= a.Section && i < a.Section+int(old.Sections[c.section].Next)-c.section {
			want = 1
		}
		if inside := int(to.Sections[i].Heading) >= first && int(to.Sections[i].Heading) < first+a.End-a.Start; inside != (want == 1) {
			return &edit.Error{Code: edit.StructureChanged, Message: "sections would come to stand elsewhere; choose another place"}
		}
	}
	moved := markdown.Span{Start: to.SectionSpan(a.Section).Start}
	for b := first; b < first+a.End-a.Start; b = int(to.Blocks[b].Next) { // an inner block may end before the one around it
		moved.End = int(to.Blocks[b].End)
	}
	text := c.text(c.from.SectionSpan(c.section))
	if was, is := strings.ReplaceAll(text, "\r\n", "\n"), bytes.ReplaceAll(to.Text(moved), []byte("\r\n"), []byte("\n")); !strings.HasPrefix(was, string(is)) || strings.TrimSpace(was[len(is):]) != "" {
		return &edit.Error{Code: edit.StructureChanged, Message: "the section would have another text there"}
	}
	return nil
}

// proveReferences checks that each reference has the definition that it had, also in copies of
// definitions, and that no text has become one.
func (c *crossing) proveReferences(a *Result) error {
	was, other := c.references(c.from), c.references(c.to)
	from, to := c.references(a.From.Doc), c.references(a.To.Doc)
	for b := range c.from.Blocks {
		now := from
		if b >= a.Start && b < a.End {
			now = to
		}
		if !slices.Equal(was[b], now[int(a.Blocks[b])]) {
			return c.redefined(c.from, b)
		}
	}
	for _, copied := range a.Copies {
		now := from
		if copied.InTo {
			now = to
		}
		if !slices.Equal(was[copied.Old], now[copied.New]) {
			return c.redefined(c.from, copied.Old)
		}
	}
	for b := range c.to.Blocks {
		if !slices.Equal(other[b], to[int(a.InTo[b])]) {
			return c.redefined(c.to, b)
		}
	}
	return nil
}

// redefined is the error for a reference in a block that would have another definition.
func (c *crossing) redefined(doc *markdown.Document, b int) error {
	which := "of the document"
	if doc == c.to {
		which = "of the other document"
	}
	return &edit.Error{Code: edit.StructureChanged, Message: fmt.Sprintf(
		"a reference on %s %s would get another definition, or text would become one; rename the label first", textlines.Named(doc.Blocks[b].Lines()), which)}
}

// references returns the definitions of the references in each block, in their order.
func (c *crossing) references(doc *markdown.Document) map[int][]hash {
	all := map[int][]hash{}
	for _, l := range doc.Links() {
		if l.Definition >= 0 && l.Block != l.Definition {
			all[l.Block] = append(all[l.Block], c.hash(doc, l.Definition))
		}
	}
	return all
}

// hash is of a definition without its label.
type hash [sha256.Size]byte

// hash returns what tells whether two definitions are the same but for their labels.
func (c *crossing) hash(doc *markdown.Document, definition int) hash {
	if c.hashes[doc] == nil {
		c.hashes[doc] = hashesOf(doc)
	}
	return c.hashes[doc][definition]
}

// hashesOf returns the hashes of all definitions. One that stands in another is part of that
// by its hash, so that no text is looked at twice.
func hashesOf(doc *markdown.Document) map[int]hash {
	all := map[int]hash{}
	for b := len(doc.Blocks) - 1; b >= 0; b-- {
		kind := doc.Blocks[b].Kind
		if kind != markdown.LinkDefinition && kind != markdown.FootnoteDefinition {
			continue
		}
		span, parts := doc.Blocks[b].Span(), doc.Definition(b)
		h := sha256.New()
		write := func(start, end int) { // as if all line endings were LF
			for line := range bytes.Lines(doc.Source[start:end]) {
				if text, ok := bytes.CutSuffix(line, []byte("\r\n")); ok {
					line = append(bytes.Clone(text), '\n')
				}
				_, _ = h.Write(line) // it never fails
			}
		}
		if kind == markdown.LinkDefinition { // what stands between its parts means nothing
			write(parts.Destination.Start, parts.Destination.End)
			_, _ = h.Write([]byte{0})
			write(parts.Title.Start, parts.Title.End)
			all[b] = hash(h.Sum(nil))
			continue
		}
		write(span.Start, parts.Label.Start)
		at := parts.Label.End
		for k := b + 1; k < int(doc.Blocks[b].Next); k++ {
			if inner, is := all[k]; is {
				write(at, max(at, int(doc.Blocks[k].Start)))
				_, _ = h.Write(inner[:])
				_, _ = h.Write(doc.Label(k))
				at, k = max(at, int(doc.Blocks[k].End)), int(doc.Blocks[k].Next)-1
			}
		}
		write(at, max(at, span.End))
		all[b] = hash(h.Sum(nil))
	}
	return all
}
