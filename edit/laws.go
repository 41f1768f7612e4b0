package edit

import (
	"slices"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/markdown"
)

// What the laws ask of all operations together: blocks that they don't touch are what
// they were, and what they put in is found where it was put.

// compare returns what has become of blocks that the splices don't touch.
func compare(old, now *markdown.Document, splices []Splice, joined []int, how blockcheck.Comparison) blockcheck.Damage {
	list := make([]blockcheck.Splice, len(splices))
	for i, s := range splices {
		list[i] = blockcheck.Splice(s)
	}
	return blockcheck.Compare(old, now, list, joined, how)
}

// compare returns what becomes of blocks by a change, the operation's own.
func (w *work) compare(old, now *markdown.Document, ch *change) blockcheck.Damage {
	return compare(old, now, ch.splices, ch.joined, blockcheck.Comparison{Done: w.op.AllowRestructure, Divides: w.divides()})
}

// check compares the blocks of the original with those of the draft. If an
// operation allows to restructure, each is compared for itself.
func (b *batch) check() {
	if b.options.Plain || b.blocks != nil { // or it is proved
		return
	}
	if b.loose {
		b.judgeSteps()
		return
	}
	doc, err := b.draft.doc()
	if err != nil {
		b.fail(&b.work[0], asError(err))
		return
	}
	if d := compare(b.draft.before, doc, b.draft.splices(), b.joined, blockcheck.Comparison{Divides: b.divides()}); d.Total > 0 {
		w := b.culprit()
		b.fail(w, w.op.structureChanged(d))
	}
}

// divides reports whether the batch may divide sections: no headings are put in but by text
// that is replaced.
func (b *batch) divides() bool {
	return !slices.ContainsFunc(b.work, func(w work) bool { return !w.divides() })
}

// divides reports whether the operation may divide sections, or puts no heading in.
func (w *work) divides() bool {
	return w.op.Action == ReplaceText || w.text == nil || len(w.text.doc.Sections) == 0
}

// judgeSteps fails the operations that damaged blocks and don't allow to restructure.
func (b *batch) judgeSteps() {
	for i := range b.work {
		w := &b.work[i]
		if w.op.AllowRestructure {
			w.change.Restructured = append(w.change.Restructured, w.damage.Changed...)
		} else if w.damage.Total > 0 {
			b.fail(w, w.op.structureChanged(w.damage))
		}
	}
}

// structureChanged says that blocks would not be as they were after the operation.
func (op *Op) structureChanged(d blockcheck.Damage) *Error {
	e := &Error{Code: StructureChanged, Changed: d.Changed, Total: d.Total}
	switch first := d.Changed[0]; d.First {
	case blockcheck.HalfOfFront:
		e.Message = first + "; keep the lines that it begins and ends with, or take it out whole"
	case blockcheck.Swallowed:
		e.Message, e.Hint = first+"; close what the text opens", Allow
	case blockcheck.Ended:
		e.Message, e.Hint = first+", before the rest of what the text stands in; begin each line of the text as the lines around it begin, or replace whole lines", Allow
	case blockcheck.Elsewhere:
		e.Message, e.Hint = first+"; mend the text", Allow
	}
	if op.Text == "" && op.Rows == nil && e.Hint == Allow { // there is nothing to mend
		e.Message = d.Changed[0]
	}
	return e
}

// culprit returns an operation after which blocks are not as they were, and before
// which they are.
func (b *batch) culprit() *work {
	good, bad := 0, len(b.work) // numbers of operations
	for bad-good > 1 {
		n := (good + bad) / 2
		d := newDraft(b.draft.ctx, b.draft.before, b.draft.limits)
		for i := range b.work[:n] {
			d.apply(b.work[i].splices)
		}
		doc, err := d.doc()
		if err != nil {
			break
		}
		if compare(b.draft.before, doc, d.splices(), b.joined, blockcheck.Comparison{Divides: b.divides()}).Total > 0 {
			bad = n
		} else {
			good = n
		}
	}
	return &b.work[bad-1]
}

// locate finds in the new document what the operations are about. What an open fence
// before it has swallowed is not there.
func (b *batch) locate() {
	doc, err := b.draft.doc()
	if err != nil {
		return // result fails too
	}
	for i := range b.work {
		w := &b.work[i]
		if w.after < 0 {
			w.locateTarget(b.draft, doc)
			continue
		}
		at := b.draft.marks[w.after].at
		if node, ok := nodeAt(doc, at, w.kind); ok {
			w.change.After = &node
		} else if at >= 0 && !w.op.AllowRestructure && w.op.Action != ReplaceText {
			b.fail(w, becoming("the text would become part of what stands before it", "; close what is open there, or put the text elsewhere"))
		}
	}
}

// locateTarget finds the target again, for operations that put in no part of their
// own.
func (w *work) locateTarget(d *draft, doc *markdown.Document) {
	if w.target == nil || w.op.Action == Remove {
		return
	}
	if w.target.key != nil {
		if node, err := d.nowKey(doc, w.target, w.op); err == nil {
			w.change.After = &node
		}
		return
	}
	if node, err := d.now(doc, w.target); err == nil {
		w.change.After = &node
	}
}
