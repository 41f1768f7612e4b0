package editing

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Whole documents: made, moved with all links of and to them, and deleted unless links lead
// there.

// DocumentRequest asks for one of these. The path is that of the one document of the set.
type DocumentRequest struct {
	Content *string // of one that is made; nil if it is missing
	To      string  // where one moves to: a path, or a folder with a slash behind it
	// ExpectedVersion is as in EditFileRequest.
	ExpectedVersion string
	// Links says what becomes of links: for a move one of LinkChoices, which are updated
	// without it; a document to which links lead is deleted with "leave" alone.
	Links string
	EditOptions
}

// document is such a request in work.
type document struct {
	editing

	req    *DocumentRequest
	to     string // where it lies afterwards, empty for nowhere
	action string // as it is told
	done   *linking.Done
	beside []string // symbolic links in its folder that lead to it
}

// documentData is what was done, in JSON.
type documentData struct {
	FilePath string `json:"file_path"`
	Action   string `json:"action"`
	From     string `json:"from,omitempty"`

	fate

	Lines        int         `json:"lines"`
	Version      string      `json:"version"`
	LinksChanged int         `json:"links_changed,omitempty"`
	Documents    []otherData `json:"documents,omitempty"`
	Kept         []string    `json:"kept,omitempty"`
	Warnings     []string    `json:"warnings,omitempty"`
	Diff         string      `json:"diff,omitempty"`
}

// CreateDocument makes the one document in docs, and the folders on the way to it. One that is
// there is refused. The error is an *Error, and then nothing is written unless it says so.
func CreateDocument(ctx context.Context, docs documents.Set, req DocumentRequest) (*EditReply, error) {
	d := newDocument(docs, &req, "created")
	if req.Content == nil {
		return nil, replies.Unwritten(replies.Invalid(sent.NoContent(replies.Say("send the text of the document, or an empty one"))))
	}
	d.links = linking.LeaveLinks // none is changed by a document that comes
	return d.run(ctx, func(ctx context.Context, was []*markdown.Document) (linking.Document, error) {
		if was[0] != nil {
			return linking.Document{}, linking.Exists(d.path)
		}
		empty, err := markdown.ParseContext(ctx, nil, d.docs.Work.Options(), markdown.Limits{})
		if err != nil {
			return linking.Document{}, err
		}
		d.ops = []edit.Op{{Action: edit.Append, Text: *req.Content}}
		if marked := sent.Echoes(d.docs.Marks, empty, nil, d.ops); len(marked) > 0 {
			return linking.Document{}, d.refuseMarked(marked, nil)
		}
		l, size := d.docs.Work.Ceiling(), len(*req.Content)
		doc, err := empty.ReparseContext(ctx, []byte(*req.Content), l.Limits(size))
		if err != nil {
			return linking.Document{}, l.Explained(err, size)
		}
		return linking.Document{Now: d.path, Result: edit.Unchanged(doc)}, d.docs.Work.HoldBytes(documents.EditBytes(doc), doc)
	})
}

// MoveDocument moves the one document in docs, or all those of a folder, to another path, and
// changes their links and all that lead to them. The error is an *Error, and then nothing is written unless it says so.
func MoveDocument(ctx context.Context, docs documents.Set, req DocumentRequest) (*EditReply, error) {
	d := newDocument(docs, &req, "moved")
	message := checkLinks(req.Links, edit.Move)
	if req.To == "" && message.IsEmpty() {
		message = replies.Say("%s is missing; name the path that it moves to, or a folder with / behind it", replies.ToPath)
	}
	if !message.IsEmpty() {
		return nil, replies.Unwritten(replies.Invalid(message))
	}
	if err := checkNoGuide(req.To); err != nil { // before it is made a path of a file
		return nil, replies.Unwritten(err)
	}
	docs = d.docs
	if len(docs.Paths) == 1 && docs.IsFolder(docs.Paths[0]) {
		return moveFolder(ctx, d)
	}
	d.to, d.links = req.To, cmp.Or(req.Links, linking.UpdateLinks)
	if strings.HasSuffix(filepath.ToSlash(d.to), "/") || isFolder(&docs, d.to) {
		d.to = path.Join(filepath.ToSlash(d.to), path.Base(filepath.ToSlash(docs.Paths[0])))
	}
	return d.run(ctx, func(_ context.Context, was []*markdown.Document) (linking.Document, error) {
		doc := was[0]
		if doc == nil { // it is to go where it isn't either
			return linking.Document{}, replies.ErrorAbout(d.path, &fileerror.Error{Code: fileerror.NotFound, Path: d.path, Reason: "no such file", Hint: "name one that is there, and another path to move it to"})
		}
		d.before = doc
		if len(was) > 1 && was[1] != nil {
			return linking.Document{}, taken(d.path, d.to)
		}
		return movedWhole(d.path, d.to, doc, 0), d.checkVersion(doc)
	})
}

// movedWhole returns a document, one of some that move, as it lies at another path.
func movedWhole(from, to string, doc *markdown.Document, index int) linking.Document {
	moved := linking.Document{Path: from, Now: to, Before: doc, Result: edit.Unchanged(doc), Blocks: make([]links.Spot, len(doc.Blocks))}
	for i := range moved.Blocks {
		moved.Blocks[i] = links.Spot{Document: index, Block: i}
	}
	return moved
}

// taken is the error for a move to a path where there is something. Where the system takes names
// in another case for the same ones that may be what moves: its old name can't be taken away
// from under the new one, but it can go by a third.
func taken(from, to string) *replies.Error {
	e := linking.Exists(to)
	if from != to && strings.EqualFold(from, to) {
		e.Message = e.Message.Then("; if it is the same file, by a name in another case, move it to a third name first, and from there")
	}
	return e
}

// isFolder reports whether there is a folder at a path.
func isFolder(docs *documents.Set, path string) bool {
	return !files.IsMarkdown(filepath.Base(filepath.FromSlash(path))) && isFolderOrPattern(docs, path)
}

// DeleteDocument deletes the one document in docs. It is refused while links of others lead
// there, unless they are left. The error is an *Error, and then nothing is written unless it
// says so.
func DeleteDocument(ctx context.Context, docs documents.Set, req DocumentRequest) (*EditReply, error) {
	d := newDocument(docs, &req, "deleted")
	if req.Links != "" && req.Links != linking.LeaveLinks {
		return nil, replies.Unwritten(replies.Invalid(replies.Say(
			"there is no %s %q here; links to what is gone can be left, with %s", replies.Links, replies.Clip(req.Links, replies.MaxShown), replies.Given{Arg: replies.Links, Value: linking.LeaveLinks})))
	}
	return d.run(ctx, func(_ context.Context, was []*markdown.Document) (linking.Document, error) {
		doc := was[0]
		d.before = doc
		gone := linking.Document{Path: d.path, Before: doc, Blocks: make([]links.Spot, len(doc.Blocks))}
		for i := range gone.Blocks {
			gone.Blocks[i] = links.Gone
		}
		return gone, d.checkVersion(doc)
	})
}

// newDocument returns a request about a document in work.
func newDocument(docs documents.Set, req *DocumentRequest, action string) *document {
	d := &document{req: req, action: action}
	d.docs, d.options, d.version, d.links = docs.AsListed(), req.EditOptions, sent.GuardOf(req.ExpectedVersion), req.Links
	return d
}

// run makes the change.
func (d *document) run(ctx context.Context, change func(ctx context.Context, was []*markdown.Document) (linking.Document, error)) (*EditReply, error) {
	if err := d.check(); err != nil {
		return nil, replies.Unwritten(err)
	}
	docs := d.docs
	fresh, made, unmake := cmp.Or(d.to, d.path), 0, func() {}
	if d.to == "" && d.req.Content == nil {
		fresh = ""
	} else {
		var err error
		if made, unmake, err = docs.MakeFolders(ctx, fresh, nil, d.options.DryRun); err != nil {
			return nil, replies.Unwritten(d.failure(err))
		}
		if fresh = docs.Straight(fresh); docs.Listed(fresh) != d.path { // else it is the same file in another case, which has its own error
			fresh = docs.Listed(fresh)
		}
	}
	if docs.Paths = []string{d.path}; d.to != "" {
		d.to = fresh
		docs.Paths = append(docs.Paths, fresh)
	} else if fresh != "" {
		d.path, docs.Paths[0] = fresh, fresh
	}
	if d.req.Content == nil {
		d.beside = docs.LinksBeside(ctx, d.path)
	}
	d.phase = looking
	t := linking.Together{Docs: docs, Links: d.links, Fresh: []string{fresh}, Folders: map[string]int{fresh: made}, DryRun: d.options.DryRun, Make: func(ctx context.Context, was []*markdown.Document) (*linking.Made, error) {
		made, err := change(ctx, was)
		return &linking.Made{Docs: []linking.Document{made}}, err
	}}
	var err error
	if d.done, err = t.Run(ctx); err != nil {
		unmake()
		return nil, replies.Unwritten(d.failure(err))
	}
	d.take(d.done)
	return d.reply()
}

// check refuses paths that can't be those of documents.
func (d *document) check() error {
	if err := d.target(); err != nil {
		return err
	}
	if sent.IsBlankGuard(d.req.ExpectedVersion) {
		return replies.Invalid(sent.EmptyVersion())
	}
	if d.req.Content == nil && isFolderOrPattern(&d.docs, d.path) {
		return &replies.Error{Code: string(fileerror.NotAFile), Path: replies.DisplayPath(d.path), Message: replies.Say("it stands for several documents; name one")}
	}
	for _, path := range []string{d.path, d.to} {
		if path == "" {
			continue
		}
		if err := checkDocument(&d.docs, path); err != nil {
			return err
		}
	}
	if d.req.Content != nil {
		return nil // its way is looked at when its folders are made
	}
	at := d.docs.Straight(d.path)
	switch {
	case d.docs.Look(at) == documents.Nothing: // which is told by the name that was given
		return nil
	case filepath.Base(at) != filepath.Base(filepath.FromSlash(d.path)):
		return &replies.Error{Code: string(fileerror.NotAFile), Path: replies.DisplayPath(d.path), Message: replies.Say("it is a link to %s; name that", replies.Safe(replies.DisplayPath(at)))}
	}
	d.path = at
	return nil
}

// reply tells what was done. The error is that of a preview, an *Error.
func (d *document) reply() (*EditReply, error) {
	one := &d.done.Docs[0]
	doc := one.Before
	data := documentData{
		FilePath: replies.DisplayPath(cmp.Or(d.to, d.path)), Action: d.action, fate: d.fate(), LinksChanged: d.done.Links,
		Documents: othersOf(d.others), Kept: d.kept.Paths(), Warnings: d.common(),
	}
	if d.to != "" {
		data.From = replies.DisplayPath(d.path)
	}
	if one.Result != nil {
		doc = one.Result.Doc
	}
	data.Lines, data.Version = doc.LineCount, doc.Version()
	diff := d.differences()
	if d.options.wantsDiff() {
		diff.addOthers(&d.docs, d.others)
		diff.add(d.path, d.diff(one))
	}
	data.Warnings = append(data.Warnings, d.dangling()...)
	data.Warnings = append(data.Warnings, replies.UnseenIn(diff.text)...)
	d.rememberDocument(one)
	return d.shown(d.head(&data), diff, func(shown string) any {
		data.Diff = shown
		return data
	})
}

// dangling returns the warning of symbolic links that led to the document; none for no links.
func (d *document) dangling() []string {
	if len(d.beside) == 0 {
		return nil
	}
	first := replies.Safe(replies.DisplayPath(d.beside[0]))
	if n := len(d.beside); n > 1 {
		return []string{fmt.Sprintf("%d symbolic links beside it lead nowhere without it, and stay as they are, such as %s", n, first)}
	}
	return []string{"1 symbolic link beside it leads nowhere without it, and stays as it is: " + first}
}

// shown returns the reply of a head and as much of the difference as there is room for, and of
// what data makes of that for JSON.
func (d *document) shown(h replies.Head, diff *differences, data func(diff string) any) (*EditReply, error) {
	if err := diff.wanted(!d.options.DryRun); err != nil {
		return nil, err
	}
	room := 0
	if limit := d.options.MaxChars; limit > 0 {
		room = max(limit-replies.Chars(h)-len("\n"), 1)
	}
	shown, left := diff.fit(room)
	if left != nil {
		h.Add("left_out", left)
	}
	reply := &EditReply{Head: h, Diff: shown}
	if d.docs.Marks != nil && len(shown) > 0 && replies.AnyAnnouncing(h, shown) {
		mark := d.docs.Marks.Draw(shown)
		reply.Head, reply.marked = append([]byte(mark.Top()), mark.Lines(h)...), true
	}
	if d.options.MaxChars == 0 || d.options.Structured {
		var err error
		reply.JSON, err = diff.json(!d.options.DryRun, room, func(shown string, _ *diffLeftOut) any { return data(shown) })
		if err != nil {
			return nil, replies.ErrorAbout(replies.DisplayPath(d.path), err)
		}
	}
	return reply, nil
}

// head renders the reply without the difference.
func (d *document) head(data *documentData) replies.Head {
	h := replies.Head(fmt.Sprintf("%s %s%s, %s version %s%s%s\n", shownPath(data.FilePath), done(data.Action, data.Written), fromPath(data.From),
		replies.Plural(data.Lines, "line"), replies.HashMark, data.Version, data.ending()))
	if data.LinksChanged > 0 {
		h.Add("links changed", data.LinksChanged)
	}
	addOthers(&h, data.Documents)
	addWarnings(&h, data.Warnings)
	return h
}

// diff returns the difference of the document: of one that moves, of its path and links. It ends a
// reply, for where the links stay nothing else tells a program that the next file begins.
func (d *document) diff(one *linking.Document) []byte {
	switch {
	case one.Before == nil:
		return linediff.Unified(nil, one.Result.Doc.Source, labelOf(&d.docs, d.path))
	case one.Result == nil:
		return linediff.Unified(one.Before.Source, nil, labelOf(&d.docs, d.path))
	}
	to := labelOf(&d.docs, d.to)
	return linediff.Renamed(one.Result.Diff(to), labelOf(&d.docs, d.path), to)
}

// rememberDocument tells the session what was written: whoever has made a document knows it.
func (d *document) rememberDocument(one *linking.Document) {
	if d.options.DryRun {
		return
	}
	d.rememberOthers()
	if one.Before == nil {
		doc := one.Result.Doc
		d.docs.Coverage(d.path).Deliver(doc, markdown.Span{End: len(doc.Source)})
	}
}
