package edit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Apply applies the operations to the document, which stays as it is. The error is
// an Errors with all operations that failed, and there is no result then.
func Apply(doc *markdown.Document, ops []Op) (*Result, error) {
	return ApplyContext(context.Background(), doc, ops, Options{})
}

// ApplyContext is Apply with options, until the context ends, which is seen while something
// is parsed and between two operations. If it ends, the Errors wrap its error; if the limits
// don't allow to parse something, they wrap a *markdown.ComplexityError.
func ApplyContext(ctx context.Context, doc *markdown.Document, ops []Op, o Options) (*Result, error) {
	if len(ops) == 0 {
		return nil, Errors{{Code: InvalidArgument, Message: "there is nothing to do; give an operation"}}
	}
	b := newBatch(ctx, doc, ops, o)
	b.expand()
	for _, do := range []func(*work){b.prepare, b.apply} {
		for i := range b.work {
			if err := ctx.Err(); err != nil {
				return nil, Errors{asError(err)}
			}
			do(&b.work[i])
		}
	}
	if len(b.failed) == 0 {
		b.checkTakenBack()
	}
	if len(b.failed) == 0 {
		b.checkRows() // which says more of a row than what comes of its cells
	}
	if len(b.failed) == 0 {
		b.check()
	}
	if len(b.failed) == 0 {
		b.locate()
	}
	if len(b.failed) == 0 && textlines.Start(b.draft.src) != textlines.Start(doc.Source) {
		b.fail(&b.work[0], &Error{Code: InvalidArgument, Message: "the document would begin with a byte order mark; take it out of the text"})
	}
	if len(b.failed) > 0 {
		slices.SortStableFunc(b.failed, func(a, b *Error) int { return a.Op - b.Op })
		return nil, b.failed
	}
	return b.result()
}

// batch is operations in work.
type batch struct {
	options Options
	draft   *draft
	work    []work
	loose   bool  // an operation allows to restructure
	joined  []int // blocks of the original that text goes on with
	failed  Errors
	later   []*work // whose changes are made with that of the next one

	// Of an action on the structure: the numbers of the old blocks in the new document, -1
	// for a heading that is gone; and the text that moved.
	blocks []int32
	moved  []Moved
}

// work is an operation in work.
type work struct {
	op     *Op
	index  int
	text   *content
	target *target             // nil for text that is replaced anywhere
	found  *address.Resolution // the part, if it is one of many of the operation
	given  string              // the address
	beside bool                // another part of the operation follows, and neither moves the other
	made   *change
	pinned bool // it was found by its name, and is called by its selector
	done   bool
	// refused says that the operation has failed before anybody looked for its target.
	refused bool
	change  Change
	after   int // mark of the part that the reply is about, or -1
	kind    markdown.Kind
	lines   [2]int // marks of the new text's ends, or -1
	// splices are what the operation did to the draft. damage is what became of other
	// blocks by them, if an operation of the batch allows to restructure.
	splices []Splice
	damage  blockcheck.Damage
}

func newBatch(ctx context.Context, doc *markdown.Document, ops []Op, o Options) *batch {
	b := &batch{options: o, draft: newDraft(ctx, doc, o.Limits), work: make([]work, len(ops))}
	for i := range ops {
		b.work[i] = work{op: &ops[i], index: i, given: ops[i].Address, after: -1, lines: [2]int{-1, -1}}
		b.loose = b.loose || ops[i].AllowRestructure
	}
	return b
}

// fail notes that an operation failed.
func (b *batch) fail(w *work, err *Error) {
	err.Op, err.Address = w.index, cmp.Or(err.Address, w.given)
	b.failed = append(b.failed, err)
}

// prepare checks an operation and finds its target.
func (b *batch) prepare(w *work) {
	if w.refused {
		return
	}
	err := b.checkArguments(w)
	if err == nil && w.op.CreateMissing {
		err = b.addMissing(w)
	}
	switch {
	case err != nil || w.op.Address == "":
	case w.found != nil:
		w.target = b.draft.targetOf(w.found)
		err = w.checkEmpty()
	default:
		if w.target, err = b.draft.find(w.op, Options{Pinned: b.options.Pinned || w.pinned}); err == nil {
			err = w.checkEmpty()
		}
	}
	if err == nil && w.op.Rows != nil {
		err = b.prepareRows(w)
	}
	if err != nil {
		b.fail(w, err)
		return
	}
	if w.target != nil {
		w.change.Target = w.target.res
	}
	w.done = true // as far as it can be
}

// apply applies a prepared operation to the draft.
func (b *batch) apply(w *work) {
	if !w.done {
		return
	}
	if w.op.isStructural() {
		if err := b.rearrange(w); err != nil {
			b.fail(w, err)
		}
		return
	}
	ch, err := b.plan(w)
	if err == nil && w.found != nil {
		err = b.draft.repeat(len(ch.splices) * len(w.op.Text))
	}
	if err == nil && w.op.Renumber && !ch.idle {
		ch, err = b.renumbered(w, ch)
	}
	if err == nil {
		b.draft.keepEnding(ch)
	}
	if err == nil && !ch.idle && b.draft.isNoChange(ch.splices) {
		err = noChange()
	}
	if err != nil {
		w.done = false
		b.fail(w, err)
		return
	}
	from := b.draft.parsed // nil if text was replaced in what nobody has looked at since
	w.splices = ch.splices
	b.joined = append(b.joined, b.draft.origins(ch)...)
	w.change.Count = ch.count
	for _, heading := range ch.gone {
		w.change.Headings = append(w.change.Headings, address.HeadingOfBlock(from, heading))
	}
	w.made, b.later = ch, append(b.later, w)
	if !w.beside {
		b.make(from)
	}
}

// make makes the changes that wait for the last one of their operation, at once, and verifies them:
// each would have the document be parsed anew.
func (b *batch) make(from *markdown.Document) {
	if len(b.failed) > 0 { // some of them may have, and nothing is written
		b.later = b.later[len(b.later)-1:]
	}
	first := b.later[0].made
	for _, w := range b.later[1:] {
		first.splices, w.made.splices = append(first.splices, w.made.splices...), nil
	}
	for _, w := range b.later {
		b.draft.move(w, w.made)
	}
	for _, w := range b.later {
		if w.made.verify != nil || b.loose {
			b.verify(w, w.made, from)
		}
		w.made = nil // with what it has parsed
	}
	b.later = nil
}

// checkTakenBack refuses operations that do something each, and nothing together.
func (b *batch) checkTakenBack() {
	if !bytes.Equal(b.draft.src, b.draft.before.Source) {
		return
	}
	for i := range b.work {
		if w := &b.work[i]; len(w.splices) > 0 {
			b.fail(w, &Error{Code: NoChange, Message: "the edits take each other back, and the document stays as it is; leave them out"})
		}
	}
}

// noChange is the error of an operation that does nothing.
func noChange() *Error {
	return &Error{Code: NoChange, Message: "the document is like that already; there is nothing to do"}
}

// plan returns what an operation does to the draft as it is now.
func (b *batch) plan(w *work) (*change, *Error) {
	if w.target == nil { // text anywhere, which needs no parse
		scope := w.op.Within
		if scope.Len() == 0 {
			scope = markdown.Span{Start: textlines.Start(b.draft.src), End: len(b.draft.src)}
		}
		return w.op.replaceText(b.draft, scope)
	}
	doc, parseErr := b.draft.doc()
	if parseErr != nil {
		return nil, asError(parseErr)
	}
	if w.target.key != nil {
		if err := b.draft.keptKey(doc, w.target); err != nil {
			return nil, err
		}
		if b.draft.isSentBack(doc, w.target, w.op) {
			return nil, noChange()
		}
		asked, err := w.op.keyChange(w.target.key)
		if err != nil {
			return nil, err
		}
		return smallChange(parts.ChangeKey(doc, asked, textlines.EndingAt(doc.Source, textlines.Start(doc.Source))))
	}
	node, err := b.draft.now(doc, w.target)
	if err == nil {
		err = b.draft.sameExtent(doc, node, w.target)
	}
	switch {
	case err != nil:
		return nil, err
	case w.op.Action == ReplaceText:
		return w.op.replaceText(b.draft, node.Span(doc))
	}
	if w.op.Action == Replace && !isInTable(doc, node) && (w.op.Scope == AnyScope || node.Kind == address.SectionNode) {
		if ch, err := w.op.inPlace(b.draft, doc, node); ch != nil || err != nil {
			return ch, err
		}
	}
	if w.op.UnlessPresent {
		if ch := w.op.present(doc, node, w.text); ch != nil {
			return ch, nil
		}
	}
	return w.op.on(doc, node, w.text)
}

// on returns what the operation does to a part of the document.
func (op *Op) on(doc *markdown.Document, n address.Node, c *content) (*change, *Error) {
	switch n.Kind {
	case address.SectionNode:
		return op.onSection(doc, n.Section, c)
	case address.ColumnNode:
		return op.onSmall(doc, n)
	case address.BlockNode:
		if op.Action == Set || isInTable(doc, n) {
			return op.onSmall(doc, n)
		}
		return op.onBlock(doc, n, c)
	}
	return op.onNamed(doc, n, c)
}

// move applies the change to the draft and marks what the reply is about.
func (d *draft) move(w *work, ch *change) {
	own := -1 // where the target was
	if w.target != nil && w.target.mark >= 0 {
		own = d.marks[w.target.mark].at
	}
	var same []int // marks of the same target
	if own >= 0 && w.op.Action != ReplaceText {
		for i, m := range d.marks {
			if m.at == own && m.part && m.kind == w.target.kind {
				same = append(same, i)
			}
		}
	}
	if len(ch.splices) > 0 { // or they are made with those of another part
		d.apply(ch.splices)
	}
	if ch.parsed != nil {
		d.parsed, d.last = ch.parsed, ch.parsed
	}
	for _, i := range same {
		d.marks[i].at = ch.newStart
	}
	switch {
	case ch.after >= 0:
		w.after, w.kind = d.markPart(ch.after, ch.kind), ch.kind
	case own >= 0 && w.op.Action == ReplaceText: // it begins where it did, even with other text
		w.after, w.kind = d.markPart(own, w.target.kind), w.target.kind
	}
	if ch.first >= 0 {
		w.lines = [2]int{d.mark(ch.first, false), d.mark(ch.last, true)}
	}
}

// verify checks the draft after an operation, and compares it with the parse of what
// the draft was before, which is nil only if that could not be parsed. No parse is kept
// for later: a batch has many operations, and a parse may be large.
func (b *batch) verify(w *work, ch *change, from *markdown.Document) {
	doc, err := b.draft.doc()
	if err != nil {
		b.fail(w, asError(err))
		return
	}
	switch {
	case ch.damage != nil:
		w.damage = *ch.damage
	case b.loose && from != nil:
		w.damage = w.compare(from, doc, ch)
	}
	if ch.verify != nil {
		if err := ch.verify(doc); err != nil {
			b.fail(w, err)
		}
	}
}

// result makes the result of what was applied.
func (b *batch) result() (*Result, error) {
	d := b.draft
	doc, err := d.doc()
	if err != nil {
		return nil, Errors{asError(err)}
	}
	r := &Result{Doc: doc, Splices: d.splices(), Moved: b.moved, Blocks: b.blocks, before: d.before.Source}
	for i := range b.work {
		w := &b.work[i]
		w.change.Lines = d.linesOf(doc, w.lines)
		if w.op.Action == Move {
			if warning := LooseName(d.before, w.op.To); warning != "" {
				r.Warnings = append(r.Warnings, warning)
			}
		}
		if w.found != nil {
			w.change.Count = 1
			if i > 0 && b.work[i-1].index == w.index {
				r.Changes[len(r.Changes)-1].join(&w.change)
				continue
			}
		}
		r.Changes = append(r.Changes, w.change)
	}
	if at := blockcheck.OpenFrom(doc); at >= 0 && at != blockcheck.OpenFrom(d.before)+len(doc.Source)-len(d.before.Source) {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"nothing closes %s at the end of the document: what is put behind it becomes part of it", blockcheck.Describe(doc, int32(len(doc.Blocks)-1)))) //nolint:gosec // as many as fit)
	}
	r.warnDuplicates(d.before)
	if !b.options.Plain {
		r.warnNarrow(d.before)
	}
	if !b.options.Plain && b.blocks == nil {
		r.warnNumbers(d)
	}
	return r, nil
}
