package edit

import (
	"fmt"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/markdown"
)

// An address may stand for many parts: the open tasks of a section, a column of every table.
// Who says how many there must be changes all of them by one operation. Each is a piece of work
// of its own, and what became of them is told together.

// maxCount is the number of parts that one operation may change: address.ResolveAll names as many.
const maxCount = 1000

// expand makes a piece of work for each part of the operations that are for many.
func (b *batch) expand() {
	var all []work
	for i := range b.work {
		w := b.work[i]
		if w.op.ExpectedCount == 0 {
			all = append(all, w)
			continue
		}
		found, err := b.many(w.op)
		if err != nil {
			b.fail(&w, err)
			w.refused = true
			all = append(all, w)
			continue
		}
		for k := range found {
			one := w
			one.found, one.beside = &found[k], w.op.Action == Set && !b.loose && k+1 < len(found) && found[k].Block < found[k+1].Block
			all = append(all, one)
		}
	}
	b.work = all
}

// many returns the parts that an operation is for, those that it has nothing to do at left out.
func (b *batch) many(op *Op) ([]address.Resolution, *Error) {
	var message string
	switch {
	case op.ExpectedCount < 0 || op.ExpectedCount > maxCount:
		message = fmt.Sprintf("the number of parts must be 1 to %d", maxCount)
	case op.Action == ReplaceText || op.isStructural():
		message = fmt.Sprintf("%s is for one part; leave the number of parts out", op.Action)
	case op.Occurrence != 0 || op.ExpectedHash != "":
		message = "an occurrence and a hash choose one part, and a number of parts is for all of them; give one or the other"
	}
	if message != "" {
		return nil, &Error{Code: InvalidArgument, Message: message}
	}
	found, err := address.Resolver{Doc: b.draft.before, Whole: op.Whole, Write: true, Compared: &b.draft.compared}.All(op.Address)
	if err != nil {
		return nil, asError(err)
	}
	if len(found) != op.ExpectedCount {
		e := &Error{Code: Conflict, Message: fmt.Sprintf("the address stands for %d parts, not %d; look at them, and send the number that is right", len(found), op.ExpectedCount)}
		for i := range found {
			e.addCandidate(b.draft.before, found[i].Node)
		}
		return nil, e
	}
	var todo []address.Resolution
	for _, res := range found {
		switch {
		case !op.isForMany(b.draft.before, res.Node):
			return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf(
				"of many parts, tasks can be set, cells replaced, and columns changed; use %s on each of these parts", op.Action)}
		case res.ByPosition && !b.options.Pinned:
			return nil, &Error{Code: HashRequired, Hint: GiveVersion, Message: fmt.Sprintf("%s counts, and what it counts may have changed", quoted(op.Address))}
		case res.TwoReadings:
			return nil, &Error{Code: address.AmbiguousHeading, Message: twoReadings}
		case op.Action != Set || !parts.IsSet(b.draft.before, res.Block, op.Text):
			todo = append(todo, res)
		}
	}
	if len(todo) == 0 {
		return nil, noChange()
	}
	return todo, nil
}

// isForMany reports whether the operation may change many parts such as this one at once.
func (op *Op) isForMany(doc *markdown.Document, n address.Node) bool {
	return op.Action == Set && n.Kind == address.BlockNode || isInTable(doc, n)
}

// twoReadings says what to do about an address that is a title and a part.
const twoReadings = "the address is the text of a heading, and the form of another part that is there too; write the heading with its marks, or the part by its selector"

// join adds what became of another part of the same operation.
func (c *Change) join(o *Change) {
	c.Count += o.Count
	c.Headings = append(c.Headings, o.Headings...)
	c.Restructured = append(c.Restructured, o.Restructured...)
	if o.Lines.Len() > 0 {
		c.Lines.Last = max(c.Lines.Last, o.Lines.Last)
	}
}
