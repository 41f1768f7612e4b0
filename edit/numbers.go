package edit

import (
	"bytes"
	"fmt"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/markdown"
)

// Where items of an ordered list come or go, its numbers don't go on by themselves: those who
// want it say so, and the others are warned.

// renumbered returns the change of a document with numbers of ordered lists that go on.
func (b *batch) renumbered(w *work, ch *change) (*change, *Error) {
	doc := b.draft.parsed
	if n := len(ch.splices); n == 1 && len(bytes.TrimSpace(ch.splices[0].Text)) == 0 {
		if s, ok := parts.KeepFirst(doc, ch.splices[0].Span); ok {
			ch.splices, ch.parsed = append(ch.splices, Splice(s)), nil
		}
	}
	d := newDraft(b.draft.ctx, doc, b.draft.limits)
	offsets := ch.offsets()
	d.apply(ch.splices)
	for _, offset := range offsets {
		d.mark(*offset, true) // before a marker that begins there
	}
	now, parseErr := d.doc()
	if parseErr != nil {
		return nil, asError(parseErr)
	}
	all := parts.Numberings(doc, now, d.itemsBefore())
	if len(all) == 0 {
		return ch, nil
	}
	if err := b.compareBefore(w, now, ch); err != nil {
		return nil, err
	}
	asked, refused := parts.Renumber(now, all)
	more, err := smallChange(asked, refused)
	if err != nil {
		return nil, err
	}
	d.apply(more.splices)
	for i, offset := range offsets {
		*offset = d.marks[i].at
	}
	ch.splices, ch.parsed = d.splices(), nil
	verify := ch.verify
	ch.verify = func(doc *markdown.Document) *Error {
		if verify != nil {
			if err := verify(doc); err != nil {
				return err
			}
		}
		return more.verify(doc)
	}
	return ch, nil
}

// compareBefore compares the blocks while none is touched by its number alone: with those of the
// original, or of the draft if each operation is compared for itself.
func (b *batch) compareBefore(w *work, now *markdown.Document, ch *change) *Error {
	if b.loose {
		damage := w.compare(b.draft.parsed, now, ch)
		ch.damage = &damage
		return nil
	}
	next := *b.draft
	next.marks = nil
	next.apply(ch.splices)
	joined := append(b.draft.origins(ch), b.joined...)
	if d := compare(b.draft.before, now, next.splices(), joined, blockcheck.Comparison{Divides: b.divides()}); d.Total > 0 {
		return w.op.structureChanged(d)
	}
	return nil
}

// itemsBefore returns for each block of the draft's parse that is an item of an ordered list which
// block of the original it was, and -1 for others; nil if there is no such list.
func (d *draft) itemsBefore() []int32 {
	var was []int32
	p, from := 0, 0 // the piece that holds the block, and the block of the original to look from
	for b := range d.parsed.Blocks {
		block := &d.parsed.Blocks[b]
		if block.Kind == markdown.List && block.Ordered() && was == nil {
			was = make([]int32, len(d.parsed.Blocks))
			for i := range was {
				was[i] = -1
			}
		}
		if block.Kind != markdown.Item || !block.Ordered() {
			continue
		}
		for d.pieces[p].at+d.pieces[p].n <= int(block.Start) {
			p++
		}
		if d.pieces[p].from < 0 {
			continue
		}
		at := d.pieces[p].from + int(block.Start) - d.pieces[p].at
		for from < len(d.before.Blocks) && int(d.before.Blocks[from].Start) < at {
			from++
		}
		for i := from; i < len(d.before.Blocks) && int(d.before.Blocks[i].Start) == at; i++ {
			if old := &d.before.Blocks[i]; old.Kind == markdown.Item && old.Ordered() {
				was[b] = int32(i)
				break
			}
		}
	}
	return was
}

// warnNumbers warns of the first ordered list whose numbers don't go on any more, and says how
// many such lists there are.
func (r *Result) warnNumbers(d *draft) {
	was := d.itemsBefore()
	if was == nil {
		return
	}
	all := parts.Numberings(d.before, r.Doc, was)
	if len(all) == 0 {
		return
	}
	i, item := all[0].First(r.Doc)
	warning := fmt.Sprintf("the numbers of the ordered list don't go on at line %d, where %d would; ask for it with renumber",
		r.Doc.Blocks[item].StartLine, all[0].Numbers[i])
	if len(all) > 1 {
		warning += fmt.Sprintf("; the numbers of %d lists don't go on", len(all))
	}
	r.Warnings = append(r.Warnings, warning)
}
