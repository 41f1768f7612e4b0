package editing

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
)

// EditFileRequest asks for a text to be replaced in a document, or for a list of
// edits that are all made or none.
type EditFileRequest struct {
	sent.Edit             // if there are no Edits; without an action
	Edits     []sent.Edit // nil if they are missing
	// ExpectedVersion is the version of the document that was read; empty for any.
	// With it, addresses that count need no hash. Of several documents it is that of a
	// preview, and stands for all of them.
	ExpectedVersion string
	EditOptions
}

// maxEdits is the number of edits of a list: as many as a reply can still tell
// something of, and the time that they take stays short.
const maxEdits = 1000

// EditFile changes the one document in docs, or those that its path or the edits name. The
// error is an *Error, and then nothing is written unless it says so.
func EditFile(ctx context.Context, docs documents.Set, req EditFileRequest) (*EditReply, error) {
	docs = docs.AsListed()
	if req.isMany(&docs) {
		return editMany(ctx, docs, req.EditOptions, req.ExpectedVersion, req.ExpectedCount, func(m *many) error {
			if req.Edits != nil {
				return m.addItems(&req)
			}
			ops, err := req.textOps()
			if err != nil {
				return err
			}
			return m.add("", ops[0], 0)
		})
	}
	e := editing{docs: docs, options: req.EditOptions, version: sent.GuardOf(req.ExpectedVersion)}
	var err error
	switch {
	case sent.IsBlankGuard(req.ExpectedVersion):
		err = replies.Invalid(sent.EmptyVersion())
	case req.Edits == nil:
		e.ops, err = req.textOps()
	default:
		e.batch = true
		err = e.addItems(&req)
	}
	if err != nil {
		return nil, replies.Unwritten(err)
	}
	if len(e.wrong) > 0 {
		return nil, replies.Unwritten(e.refuseItems())
	}
	return e.run(ctx)
}

// textOps returns the operation of a request for one text.
func (r *EditFileRequest) textOps() ([]edit.Op, error) {
	switch {
	case r.IsAction():
		return nil, replies.Invalid(replies.Say("an action on a section is one of the edits; put it into %s", replies.Edits))
	case r.OldString == nil && r.NewString == nil:
		return nil, replies.Invalid(replies.Say("say what to change: %s and %s, or %s", replies.OldString, replies.NewString, replies.Edits))
	}
	op, message := r.TextOp()
	if !message.IsEmpty() {
		return nil, replies.Invalid(message)
	}
	return []edit.Op{op}, nil
}

// addItems adds the operations of a list of edits, and what is wrong with those that
// are none. The error is about the list.
func (e *editing) addItems(r *EditFileRequest) error {
	if err := r.checkItems(); err != nil {
		return err
	}
	for i := range r.Edits {
		item := r.Edits[i]
		item.Heading = cmp.Or(item.Heading, r.Heading)
		op, message := item.Op()
		if !message.IsEmpty() {
			e.wrong = append(e.wrong, replies.EditFailure{Index: i, Error: replies.Invalid(message)})
			continue
		}
		e.ops = append(e.ops, op)
		e.items = append(e.items, i)
	}
	return nil
}

// checkItems says what is wrong with a list of edits, whatever each of them is.
func (r *EditFileRequest) checkItems() error {
	switch n := len(r.Edits); {
	case r.IsText():
		return replies.Invalid(replies.Say("%s, %s and %s exclude %s; put them into the edits", replies.OldString, replies.NewString, replies.ReplaceAll, replies.Edits))
	case r.Occurrence != 0 || r.ExpectedHash != "":
		return replies.Invalid(replies.Say("%s and %s stand in each of the edits; put them there", replies.Occurrence, replies.ExpectedHash))
	case n == 0:
		return replies.Invalid(replies.Say("%s is empty; send at least one edit", replies.Edits))
	case n > maxEdits:
		return replies.Invalid(replies.Say("there are %d edits, and %d is the most in one call; split them into several calls", n, maxEdits))
	}
	return nil
}

// refuseItems is the error of a list with items that are no edits. The other items
// are tried, so that all that fails is told at once.
func (e *editing) refuseItems() *replies.Error {
	failed := slices.Clone(e.wrong)
	err := e.try()
	var others []replies.EditFailure
	if refused, ok := errors.AsType[edit.Errors](err); ok {
		others = e.refusal(refused).Edits
	} else if ours, ok := errors.AsType[*replies.Error](err); ok {
		others = ours.Edits
	}
	tried := others != nil
	if tried {
		failed = append(failed, others...)
		slices.SortFunc(failed, func(a, b replies.EditFailure) int { return a.Index - b.Index })
	}
	all := batchError("", failed, len(e.ops)+len(e.wrong))
	switch {
	case tried:
		all.Path = replies.DisplayPath(e.path)
	case err != nil: // about the file
		why := *e.failure(err)
		why.Path = replies.ClipMiddle(why.Path, replies.MaxContext)
		all.Details = []string{replies.Clip(why.Error(), 4*replies.MaxContext)}
	}
	return all
}

// try applies the operations, if there are any, and writes nothing.
func (e *editing) try() error {
	if len(e.ops) == 0 {
		return nil
	}
	if err := e.target(); err != nil {
		return err
	}
	return e.dryRun(e.docs.Work.Context())
}
