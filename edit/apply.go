package edit

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// Apply applies the operations to the document, which stays as it is. The error is
// an Errors with all operations that failed, and there is no result then.
func Apply(doc *markdown.Document, ops []Op) (*Result, error) {
	return ApplyWith(doc, ops, Options{})
}

// ApplyWith is Apply with options.
func ApplyWith(doc *markdown.Document, ops []Op, o Options) (*Result, error) {
	if len(ops) == 0 {
		return nil, Errors{{Code: InvalidArgument, Message: "there is nothing to do; give an operation"}}
	}
	b := newBatch(doc, ops, o)
	for i := range b.work {
		b.prepare(&b.work[i])
	}
	for i := range b.work {
		b.apply(&b.work[i])
	}
	if len(b.failed) == 0 {
		b.check()
	}
	if len(b.failed) == 0 {
		b.locate()
	}
	if len(b.failed) == 0 && start(b.draft.src) != start(doc.Source) {
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
}

// work is an operation in work.
type work struct {
	op     *Op
	index  int
	text   *content
	target *target // nil for text that is replaced anywhere
	done   bool
	change Change
	after  int // mark of the part that the reply is about, or -1
	kind   markdown.Kind
	lines  [2]int // marks of the new text's ends, or -1
	step   step
}

// step is what is compared if an operation allows to restructure.
type step struct {
	from, to *markdown.Document
	splices  []Splice
	joined   []int
}

func newBatch(doc *markdown.Document, ops []Op, o Options) *batch {
	b := &batch{options: o, draft: newDraft(doc), work: make([]work, len(ops))}
	for i := range ops {
		b.work[i] = work{op: &ops[i], index: i, after: -1, lines: [2]int{-1, -1}}
		b.loose = b.loose || ops[i].AllowRestructure
	}
	return b
}

// fail notes that an operation failed.
func (b *batch) fail(w *work, err *Error) {
	err.Op, err.Address = w.index, w.op.Address
	b.failed = append(b.failed, err)
}

// prepare checks an operation and finds its target.
func (b *batch) prepare(w *work) {
	err := b.checkArguments(w)
	if err == nil && w.op.Address != "" {
		w.target, err = b.draft.find(w.op, b.options)
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

// checkArguments refuses an operation that can't be, whatever the document holds.
func (b *batch) checkArguments(w *work) (err *Error) {
	op := w.op
	if op.Action == ReplaceText {
		if b.options.Plain && op.Address != "" {
			return &Error{Code: InvalidArgument, Message: "the file is no Markdown and has no sections; leave the address out"}
		}
		return op.checkReplace()
	}
	if w.text, err = newContent(op.Text); err != nil {
		return err
	}
	clears := op.Action == Replace && op.Scope != AnyScope
	var message string
	switch {
	case !slices.Contains(Actions(), op.Action):
		message = fmt.Sprintf("there is no action %q; there are %s", op.Action, names(Actions()))
	case b.options.Plain:
		message = "the file is no Markdown and has no sections; replace text in it"
	case op.Address == "":
		message = "say which part is meant: a heading, or another address"
	case op.Scope != AnyScope && op.Scope != ScopeSection && op.Scope != ScopeBody:
		message = fmt.Sprintf("there is no scope %q; there are %q and %q", op.Scope, ScopeSection, ScopeBody)
	case op.Scope == ScopeBody && !slices.Contains([]Action{Replace, Remove, Append, Prepend}, op.Action):
		message = fmt.Sprintf("%s has no scope; leave it out", op.Action)
	case op.Action == Remove && w.text.text != "":
		message = fmt.Sprintf("%s takes no text; leave it out, or use %s", Remove, Replace)
	case op.Action == Replace && w.text.text == "" && !clears:
		message = fmt.Sprintf("the text is empty; to clear what is there give a scope, or use %s", Remove)
	case op.Action != Remove && w.text.text == "" && !clears:
		message = "the text is empty; give what is to be put in"
	case op.Old != "" || op.All:
		message = fmt.Sprintf("what is looked for belongs to %s; leave it out", ReplaceText)
	default:
		return nil
	}
	return &Error{Code: InvalidArgument, Message: message}
}

// names lists actions in a sentence.
func names(actions []Action) string {
	all := make([]string, len(actions))
	for i, a := range actions {
		all[i] = string(a)
	}
	return strings.Join(all, ", ")
}

// apply applies a prepared operation to the draft.
func (b *batch) apply(w *work) {
	if !w.done {
		return
	}
	ch, err := b.plan(w)
	if err == nil {
		b.draft.keepEnding(ch)
	}
	if err == nil && b.draft.isNoChange(ch.splices) {
		err = &Error{Code: NoChange, Message: "the document is like that already; there is nothing to do"}
	}
	if err != nil {
		w.done = false
		b.fail(w, err)
		return
	}
	from := b.draft.parsed // nil if text was replaced in what nobody has looked at since
	w.step = step{from: from, splices: ch.splices, joined: ch.joined}
	for _, i := range ch.joined {
		if i = b.draft.origin(i); i >= 0 {
			b.joined = append(b.joined, i)
		}
	}
	w.change.Count = ch.count
	for _, i := range ch.gone {
		w.change.Headings = append(w.change.Headings, headingOf(from, i))
	}
	b.draft.move(w, ch)
	if ch.verify != nil || b.loose {
		b.verify(w, ch)
	}
}

// plan returns what an operation does to the draft as it is now.
func (b *batch) plan(w *work) (*change, *Error) {
	if w.target == nil { // text anywhere, which needs no parse
		src := b.draft.src
		return w.op.replaceText(b.draft, markdown.Span{Start: start(src), End: len(src)})
	}
	doc, parseErr := b.draft.doc()
	if parseErr != nil {
		return nil, &Error{Code: InvalidArgument, Message: parseErr.Error(), Err: parseErr}
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
	case node.Kind == address.SectionNode:
		return w.op.onSection(doc, node.Section, w.text)
	case node.Kind == address.BlockNode:
		return w.op.onBlock(doc, node, w.text)
	}
	return w.op.onNamed(doc, node, w.text)
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
	d.apply(ch.splices)
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

// verify checks the draft after an operation.
func (b *batch) verify(w *work, ch *change) {
	doc, err := b.draft.doc()
	if err != nil {
		b.fail(w, &Error{Code: InvalidArgument, Message: err.Error(), Err: err})
		return
	}
	w.step.to = doc
	if ch.verify != nil {
		if err := ch.verify(doc); err != nil {
			b.fail(w, err)
		}
	}
}

// check compares the blocks of the original with those of the draft. If an
// operation allows to restructure, each is compared for itself.
func (b *batch) check() {
	if b.options.Plain {
		return
	}
	if b.loose {
		b.checkSteps()
		return
	}
	doc, err := b.draft.doc()
	if err != nil {
		b.fail(&b.work[0], &Error{Code: InvalidArgument, Message: err.Error(), Err: err})
		return
	}
	splices := b.draft.splices()
	changed, total := compare(b.draft.before, doc, splices, b.joined, false)
	switch {
	case total > 0:
		b.fail(b.culprit(), structureChanged(changed, total))
	case losesFrontMatter(b.draft.before, doc, splices):
		what := "the front matter would be none"
		b.fail(b.culprit(), &Error{Code: StructureChanged, Changed: []string{what}, Total: 1, Message: what +
			"; keep the lines that it begins and ends with, or take it out whole"})
	}
}

// losesFrontMatter reports whether some of the front matter is still there and none of
// it is front matter any more.
func losesFrontMatter(old, now *markdown.Document, splices []Splice) bool {
	fm := old.FrontMatter()
	if fm < 0 || now.FrontMatter() >= 0 {
		return false
	}
	span := old.Blocks[fm].Span()
	for _, s := range splices {
		if s.Start <= span.Start && s.End >= span.End {
			return false
		}
	}
	return true
}

// checkSteps compares the documents before and after each operation.
func (b *batch) checkSteps() {
	for i := range b.work {
		w := &b.work[i]
		if w.step.to == nil {
			continue
		}
		changed, total := compare(w.step.from, w.step.to, w.step.splices, w.step.joined, w.op.AllowRestructure)
		if w.op.AllowRestructure {
			w.change.Restructured = changed
		} else if total > 0 {
			b.fail(w, structureChanged(changed, total))
		}
	}
}

// structureChanged says that blocks would not be as they were.
func structureChanged(changed []string, total int) *Error {
	way := "mend the text"
	if strings.Contains(changed[0], "part of") {
		way = "close what the text opens"
	}
	return &Error{Code: StructureChanged, Changed: changed, Total: total, Message: fmt.Sprintf(
		"%s; %s, put it elsewhere, edit the part that holds both, or allow it with allow_restructure", changed[0], way)}
}

// culprit returns an operation after which blocks are not as they were, and before
// which they are.
func (b *batch) culprit() *work {
	good, bad := 0, len(b.work) // numbers of operations
	for bad-good > 1 {
		n := (good + bad) / 2
		d := newDraft(b.draft.before)
		for i := range b.work[:n] {
			d.apply(b.work[i].step.splices)
		}
		doc, err := d.doc()
		if err != nil {
			break
		}
		splices := d.splices()
		if _, total := compare(b.draft.before, doc, splices, b.joined, false); total > 0 || losesFrontMatter(b.draft.before, doc, splices) {
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
			what := "the text would become part of what stands before it"
			b.fail(w, &Error{Code: StructureChanged, Changed: []string{what}, Total: 1, Message: what + "; " +
				"close what is open there, or put the text elsewhere"})
		}
	}
}

// locateTarget finds the target again, for operations that put in no part of their
// own.
func (w *work) locateTarget(d *draft, doc *markdown.Document) {
	if w.target == nil || w.op.Action == Remove {
		return
	}
	if node, err := d.now(doc, w.target); err == nil {
		w.change.After = &node
	}
}

// result makes the result of what was applied.
func (b *batch) result() (*Result, error) {
	d := b.draft
	doc, err := d.doc()
	if err != nil {
		return nil, Errors{{Code: InvalidArgument, Message: err.Error(), Err: err}}
	}
	r := &Result{Doc: doc, Splices: d.splices(), before: d.before.Source}
	for i := range b.work {
		w := &b.work[i]
		w.change.Lines = d.linesOf(doc, w.lines)
		r.Changes = append(r.Changes, w.change)
	}
	if at := openFrom(doc); at >= 0 && at != openFrom(d.before)+len(doc.Source)-len(d.before.Source) {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"nothing closes %s at the end of the document: what is put behind it becomes part of it", lastLeaf(doc)))
	}
	r.warnDuplicates(d.before)
	return r, nil
}

// linesOf returns the lines between two marks.
func (d *draft) linesOf(doc *markdown.Document, marks [2]int) markdown.Lines {
	if marks[0] < 0 {
		return markdown.Lines{First: 1}
	}
	first, last := d.marks[marks[0]].at, d.marks[marks[1]].at
	if first < 0 || last <= first {
		return markdown.Lines{First: 1}
	}
	return markdown.Lines{First: lineAt(doc, first), Last: lineAt(doc, last-1)}
}

// lineAt returns the number of the line that holds the byte at an offset, as
// markdown.Document.LineAt does, which makes a table of all lines for it. One
// question does not need that: it takes counting from the block before.
func lineAt(doc *markdown.Document, at int) int {
	from, line := 0, 1
	if b := sort.Search(len(doc.Blocks), func(i int) bool { return int(doc.Blocks[i].Start) > at }) - 1; b >= 0 {
		from, line = int(doc.Blocks[b].Start), int(doc.Blocks[b].StartLine)
	}
	for end := lineEnd(doc.Source, from); end <= at; end = lineEnd(doc.Source, end) {
		line++
	}
	return line
}
