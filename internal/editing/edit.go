package editing

import (
	"context"
	"errors"
	"slices"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// Changing a document: what was asked for becomes operations of package edit, and
// those are applied to the bytes that are there while nobody else can write. What
// fails, fails before anything is written.

// EditOptions say how a document is changed and how the reply looks.
type EditOptions struct {
	// AllowRestructure allows text whose headings don't fit the place, and what
	// changes the blocks around it.
	AllowRestructure bool
	// DryRun writes nothing and answers with the difference.
	DryRun bool
	// Diff answers with the difference also if it writes.
	Diff bool
	// TextFiles allows UTF-8 files that are no Markdown. In a workspace that is
	// decided by the workspace.
	TextFiles bool
	// MaxChars is the largest number of characters (code points) of the reply, and
	// of what a conflict quotes; 0 sets none.
	MaxChars int
	// Structured wants the reply in JSON too.
	Structured bool
	// Confirm is asked, if it isn't nil, whether a change of many documents shall be made
	// of which nobody has said what it must come to; it gets the preview.
	Confirm func(preview *EditReply) bool
}

// wantsDiff reports whether the reply has the difference.
func (o *EditOptions) wantsDiff() bool { return o.DryRun || o.Diff }

// EditSectionRequest asks for one change of one part of a document.
type EditSectionRequest struct {
	Heading string  // an address
	Action  string  // one of EditActions
	Content *string // nil if it is missing
	// Rows are a table instead of the content, or rows of one that is there; nil for none. The
	// first one is the head.
	Rows         [][]string
	Scope        string // "", "body" or "section"
	Occurrence   int    // which of equal headings, from 1; 0 demands that there is one
	ExpectedHash string // of what was read; empty for none
	// ExpectedVersion is as in EditFileRequest.
	ExpectedVersion string
	// ExpectedCount is how many parts the address must stand for, all of which are changed; 0
	// is for one part. UnlessPresent appends nothing where it is already. Renumber lets
	// the numbers of ordered lists go on.
	ExpectedCount int
	UnlessPresent bool
	Renumber      bool
	// Links says what becomes of links that lead to a heading that is renamed: one of
	// LinkChoices. Without it the change is refused if there are any.
	Links string
	// CreateMissing makes the headings of a path that isn't there yet, for the action append.
	CreateMissing bool
	EditOptions
}

// TakesText reports whether an action, by its name, has a text that is put in.
func TakesText(action string) bool { return edit.Action(action).TakesText() }

// EditSection changes a part of the one document in docs. The error is an *Error,
// and then nothing is written unless it says so.
func EditSection(ctx context.Context, docs documents.Set, req EditSectionRequest) (*EditReply, error) {
	docs = docs.AsListed()
	item := sent.Edit{
		Heading: req.Heading, Action: req.Action, Content: req.Content, Rows: req.Rows, Scope: req.Scope,
		Occurrence: req.Occurrence, ExpectedHash: req.ExpectedHash, ExpectedCount: req.ExpectedCount,
		UnlessPresent: req.UnlessPresent, Renumber: req.Renumber,
	}
	op, message := item.SectionOp()
	if sent.IsBlankGuard(req.ExpectedVersion) {
		message = sent.EmptyVersion()
	}
	if wrong := checkLinks(req.Links, op.Action); message.IsEmpty() {
		message = wrong
	}
	if op.CreateMissing = req.CreateMissing; req.CreateMissing && op.Action != edit.Append && message.IsEmpty() {
		message = replies.Say("%s is for the action %s alone; leave it out", replies.CreateMissing, edit.Append)
	}
	if !message.IsEmpty() {
		return nil, replies.Unwritten(replies.Invalid(message))
	}
	if standsForMany(&docs) {
		return editMany(ctx, docs, req.EditOptions, req.ExpectedVersion, req.ExpectedCount, func(m *many) error {
			m.links = req.Links
			return m.add("", op, 0)
		})
	}
	e := editing{docs: docs, options: req.EditOptions, ops: []edit.Op{op}, version: sent.GuardOf(req.ExpectedVersion), links: req.Links}
	return e.run(ctx)
}

// editing is a change in work.
type editing struct {
	docs       documents.Set
	options    EditOptions
	ops        []edit.Op
	opsOf      func(*markdown.Document) ([]edit.Op, error) // makes them of the document, if it isn't nil
	batch      bool                                        // several edits were asked for, or one in a list
	items      []int                                       // of a list: which of it each operation is
	wrong      []replies.EditFailure                       // of a list: what is no operation
	version    string                                      // that the document must have; empty for any
	links      string                                      // what becomes of those that lead to what is renamed
	pinned     bool                                        // addresses that count may be taken
	byPosition bool                                        // of several documents: an address of this one counts
	// without takes operations out that have nothing to do, if it isn't nil; see many.without.
	without func(err error) error

	strays
	keptLinks int // that were changed too

	phase phase // for what is told when time ends

	alone    bool            // no other documents are asked for
	together bool            // links in other documents are somebody else's concern
	others   []linking.Other // documents that were changed with it

	path      string
	plain     bool // the document is no Markdown
	before    *markdown.Document
	result    *edit.Result
	mark      replies.Mark // for an error that quotes several parts; none on a terminal
	unread    []string     // warnings about what was not read
	kept      fileerror.Kept
	undo      files.Undo
	separated string // what is said of lines that named a heading; "" for nothing
	// tookOver are the files that were another user's before they were written, and are this one's now.
	tookOver []string
}

// run makes the change.
func (e *editing) run(ctx context.Context) (*EditReply, error) {
	if err := e.target(); err != nil {
		return nil, replies.Unwritten(err)
	}
	e.alone = true
	err := e.change(ctx)
	if errors.Is(err, errElsewhere) {
		err = e.changeTogether(ctx, fileerror.KeptOf(err))
	}
	if err != nil {
		return nil, replies.Unwritten(e.failure(err))
	}
	e.remember()
	return e.reply()
}

// change applies the operations to what the file holds and writes the result,
// unless nothing is to be written.
func (e *editing) change(ctx context.Context) error {
	if e.options.DryRun {
		return e.dryRun(ctx)
	}
	// What is reserved for the document is reserved under the lock: who has memory never waits
	// for a lock. The file may have to be read again, when somebody else has changed it.
	var l *documents.Lease
	var last *files.Tx
	change := func(tx *files.Tx) error {
		last = tx
		l.Release()
		err := e.target() // once more, for another file may have come to its path
		if err != nil {
			return err
		}
		l, err = e.applied(ctx, func(*textfile.Reader) ([]byte, error) {
			e.kept = tx.Kept()
			return tx.Read(e.path)
		})
		if err != nil {
			return err
		}
		e.phase = waiting
		return tx.Write(e.path, e.result.Doc.Source)
	}
	var err error
	if w := e.docs.Workspace; w != nil {
		err = w.Update(ctx, e.path, change)
	} else {
		err = files.Update(ctx, []string{e.path}, files.UpdateOptions{Limit: e.docs.MaxBytes}, change)
	}
	if err != nil {
		l.Release()
		return err
	}
	e.undo, e.tookOver = last.Undo(), last.TookOver()
	e.hold(l)
	return nil
}

// dryRun applies the operations to what the file holds.
func (e *editing) dryRun(ctx context.Context) error {
	l, err := e.applied(ctx, e.read)
	e.hold(l)
	return err
}

// applied applies the operations to the document that read reads, within the memory that it returns
// the lease of: that of a large document where old and new text together are no small one.
func (e *editing) applied(ctx context.Context, read func(*textfile.Reader) ([]byte, error)) (*documents.Lease, error) {
	e.phase = changing
	doc, l, err := e.open(ctx, read)
	if err == nil && e.opsOf != nil {
		e.ops, err = e.opsOf(doc)
	}
	if err != nil {
		l.Release()
		return nil, err
	}
	_, l, err = e.docs.Work.ParsedWithin(l, int64(e.sizeWith(doc)), func(l *documents.Lease) (*markdown.Document, error) {
		return doc, e.apply(ctx, doc, l)
	})
	return l, err
}

// sizeWith returns how many bytes the document and all new texts have together.
func (e *editing) sizeWith(doc *markdown.Document) int {
	size := len(doc.Source)
	for i := range e.ops {
		size += len(e.ops[i].Text)
		for _, row := range e.ops[i].Rows {
			for _, cell := range row {
				size += len(cell) + len(" | ")
			}
		}
	}
	return size
}

// copiesIn returns how many bytes the document grows by at the most where one operation puts its text
// into many places.
func (e *editing) copiesIn(doc *markdown.Document) (size int) {
	for i := range e.ops {
		op := &e.ops[i]
		places := op.ExpectedCount
		if op.Action == edit.ReplaceText && op.All {
			_, places = linediff.Find(doc.Source, linediff.Span{End: len(doc.Source)}, op.Old, 0)
		}
		size += places * max(0, len(op.Text)-len(op.Old))
	}
	return size
}

// hold keeps what is reserved until the reply is made: no more than the document takes before and after.
func (e *editing) hold(l *documents.Lease) {
	if l == nil {
		return
	}
	if e.result != nil {
		l.Shrink(max(documents.EditBytes(e.before), documents.EditBytes(e.result.Doc)))
	}
	e.docs.Work.Hold(l)
}

// open reserves memory for a change of the file, reads it with read and parses it.
func (e *editing) open(ctx context.Context, read func(*textfile.Reader) ([]byte, error)) (doc *markdown.Document, l *documents.Lease, err error) {
	defer func() {
		if err != nil {
			l.Release()
			doc, l = nil, nil
		}
	}()
	size := int64(0)
	_, err = e.read(&textfile.Reader{Limit: e.docs.MaxBytes, Admit: func(now int64) error {
		size = now + grows
		return errSized
	}})
	if !errors.Is(err, errSized) {
		return nil, nil, err
	}
	if l, err = e.docs.Work.Reserve(size); err != nil {
		return nil, nil, err
	}
	src, err := read(&textfile.Reader{Limit: e.docs.MaxBytes})
	if err != nil {
		return nil, l, err
	}
	if int64(len(src)) > size {
		return nil, l, documents.ErrGrown
	}
	doc, l, err = e.docs.Work.ParsedWithin(l, size, func(l *documents.Lease) (*markdown.Document, error) {
		return l.Parse(ctx, new(markdown.Parser), src)
	})
	if err == nil {
		l, err = e.docs.Work.Enough(l, documents.EditBytes(doc), doc)
	}
	return doc, l, err
}

// read reads the file.
func (e *editing) read(reader *textfile.Reader) ([]byte, error) {
	if w := e.docs.Workspace; w != nil {
		return w.FileRoots().Read(reader, e.path)
	}
	return reader.Read(e.path)
}

// errSized says that nothing is to be read but the size.
var errSized = errors.New("the size is known")

// grows is the number of bytes by which a file may grow while it is opened.
const grows = 64 << 10

// apply applies the operations to the document.
func (e *editing) apply(ctx context.Context, doc *markdown.Document, l *documents.Lease) error {
	e.before, e.result = doc, nil
	for i := range e.ops {
		e.ops[i].AllowRestructure = e.options.AllowRestructure
	}
	if err := e.checkVersion(doc); err != nil {
		return err
	}
	options := edit.Options{Pinned: e.version != "" || e.pinned, Plain: e.plain, Limits: l.Limits(len(doc.Source) + e.sizeWith(doc))}
	result, err := edit.ApplyContext(ctx, doc, e.ops, options)
	e.result = result
	for e.without != nil {
		if err = e.without(err); !errors.Is(err, errOthers) {
			break
		}
		result, err = edit.ApplyContext(ctx, doc, e.ops, options)
		e.result = result
	}
	if errors.Is(err, markdown.ErrTooComplex) || err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return l.Explained(err, e.sizeWith(doc)+e.copiesIn(doc))
	}
	var after *markdown.Document
	if err == nil {
		after = result.Doc
	}
	if marked := sent.Echoes(e.docs.Marks, doc, after, e.ops); len(marked) > 0 {
		return e.refuseMarked(marked, err)
	}
	if err == nil {
		err = e.keepLinks(ctx, l)
	}
	if err == nil && e.options.DryRun { // else whoever writes it looks
		err = e.docs.CheckNew(e.path, e.result.Doc)
	}
	if e.separated = ""; err == nil && !e.plain && slices.ContainsFunc(e.ops, func(op edit.Op) bool { return op.Action != edit.ReplaceText }) {
		e.separated = targetsSeparated([]*markdown.Document{doc}, []*markdown.Document{e.result.Doc})
	}
	return err
}
