package editing

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/crossing"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// A section that moves to another document: both change, and with them every document whose
// links lead to it.

// across is such a move in work.
type across struct {
	editing

	req  *MoveSectionRequest
	to   string // the path of the other document
	link func(to *markdown.Document, section int) string
	same func(destination string) bool // whether it leads to the same thing from both documents
	move *crossing.Result
}

// moveAcross moves a section to another document.
func moveAcross(ctx context.Context, e *editing, req *MoveSectionRequest) (*EditReply, error) {
	a := &across{editing: *e, req: req, to: e.docs.Listed(req.ToPath)}
	if err := a.target(); err != nil {
		return nil, replies.Unwritten(err)
	}
	if err := checkDocument(&a.docs, a.path); err != nil {
		return nil, replies.Unwritten(err)
	}
	if err := checkDocument(&a.docs, a.to); err != nil {
		return nil, replies.Unwritten(err)
	}
	if err := a.run(ctx); err != nil {
		return nil, replies.Unwritten(a.failure(err))
	}
	return a.reply()
}

// checkDocument refuses a path that can't be that of a Markdown document.
func checkDocument(docs *documents.Set, path string) error {
	if err := checkNoGuide(path); err != nil {
		return err
	}
	if !files.IsMarkdown(filepath.Base(filepath.FromSlash(path))) || !files.IsMarkdown(filepath.Base(filepath.FromSlash(docs.Straight(path)))) {
		return &replies.Error{Code: string(fileerror.NotAFile), Path: replies.DisplayPath(path), Message: replies.Say("it is no Markdown file (.md, .markdown or .mdx)")}
	}
	if docs.Workspace != nil {
		return nil // its roots look at the names
	}
	if err := files.CheckWritable(path); err != nil {
		return replies.ErrorAbout(replies.DisplayPath(path), err)
	}
	return nil
}

// run makes the move.
func (a *across) run(ctx context.Context) error {
	docs := a.docs
	var err error
	unmake, made := func() {}, 0
	if a.req.Create {
		if made, unmake, err = docs.MakeFolders(ctx, a.to, nil, a.options.DryRun); err != nil {
			return err
		}
	}
	from, to := docs.Straight(a.path), docs.Straight(a.to)
	if from == to {
		return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(a.path), Message: replies.Say("it is the same document; leave %s out, and name the section that it goes beside or into", replies.ToPath)}
	}
	docs.Paths = []string{from, to}
	if a.link, a.same, err = linking.Linker(ctx, docs, from, to); err != nil {
		unmake()
		return err
	}
	a.phase = looking
	t := linking.Together{
		Docs: docs, Links: cmp.Or(a.links, linking.UpdateLinks), Fresh: []string{to}, Folders: map[string]int{to: made}, DryRun: a.options.DryRun,
		Make: func(ctx context.Context, was []*markdown.Document) (*linking.Made, error) {
			return a.made(ctx, docs.Paths, was)
		},
	}
	done, err := t.Run(ctx)
	if err != nil {
		unmake()
		return err
	}
	a.take(done)
	a.result, a.move.To = done.Docs[0].Result, done.Docs[1].Result
	return nil
}

// made makes the move of the documents as they are.
func (a *across) made(ctx context.Context, paths []string, was []*markdown.Document) (*linking.Made, error) {
	from, to := was[0], was[1]
	a.before = from
	if err := a.checkVersion(from); err != nil {
		return nil, err
	}
	second := linking.Document{Path: paths[1], Now: paths[1], Before: to}
	switch {
	case to == nil && !a.req.Create:
		return nil, &replies.Error{Code: replies.CodeFileNotFound, Path: replies.DisplayPath(a.to), Message: replies.Say("no such document; to make it, give %s", replies.Create)}
	case to != nil && a.req.Create:
		return nil, linking.Exists(a.to)
	case to == nil:
		var err error
		if to, err = from.ReparseContext(ctx, []byte{}, markdown.Limits{}); err != nil {
			return nil, err
		}
		second.Path = ""
	}
	l, size := a.docs.Work.Ceiling(), len(from.Source)+len(to.Source)
	o := crossing.Options{Options: edit.Options{Pinned: a.version != "", Limits: l.Limits(2 * size)}, Same: a.same} // the text of one stands in the other, too
	if a.req.LeaveLink {
		o.Leave = a.link
	}
	res, err := crossing.Move(ctx, from, to, &a.ops[0], o)
	if other, ok := errors.AsType[crossing.InOther](err); ok {
		a.before, a.path = to, a.to
		return nil, other.Unwrap()
	}
	if err != nil {
		return nil, l.Explained(err, size)
	}
	a.move = res
	a.separated = targetsSeparated([]*markdown.Document{from, to}, []*markdown.Document{res.From.Doc, res.To.Doc})
	first := linking.Document{Path: paths[0], Now: paths[0], Before: from, Result: res.From}
	for old, now := range res.Blocks {
		spot := links.Spot{Block: int(now)}
		if old >= res.Start && old < res.End {
			spot.Document = 1
		}
		first.Blocks = append(first.Blocks, spot)
	}
	if second.Result = res.To; second.Before != nil {
		for _, now := range res.InTo {
			second.Blocks = append(second.Blocks, links.Spot{Document: 1, Block: int(now)})
		}
	}
	made := &linking.Made{Docs: []linking.Document{first, second}}
	for _, k := range res.Copies {
		p := links.Pair{Old: links.Spot{Block: k.Old}, New: links.Spot{Block: k.New}}
		if k.InTo {
			p.New.Document = 1
		}
		made.Copies = append(made.Copies, p)
	}
	return made, nil
}

// reply tells what was moved. The error is that of a preview, an *Error.
func (a *across) reply() (*EditReply, error) {
	if key := a.docs.FileKey(a.path); key != "" && !a.options.DryRun {
		// In the other document the section is what it was: read or not.
		a.docs.Session.Wrote(key, a.before, a.result.Doc, written(a.result))
		a.rememberOthers()
	}
	to := a.move.To.Doc
	target := a.result.Changes[0].Target
	out := edited{
		FilePath: replies.DisplayPath(a.to), From: replies.DisplayPath(a.path), fate: a.fate(), Version: to.Version(),
		LinksChanged: a.keptLinks, Warnings: append(slices.Clone(a.move.To.Warnings), a.common()...),
		Documents: append([]otherData{{FilePath: replies.DisplayPath(a.path), Version: a.result.Doc.Version()}}, othersOf(a.others)...),
	}
	one := outcome{
		Action: string(edit.Move), Now: newEditedPart(to, address.NodeOfSection(a.move.Section)),
		parted: int(to.Sections[a.move.Section].Next) > a.move.Section+1,
	}
	one.tellTarget(newEditedPart(a.before, target.Node), target)
	there := editing{result: a.move.To, ops: a.ops}
	one.joint = there.joint(&edit.Op{Action: edit.InsertAfter}, &a.move.To.Changes[0])
	out.Edits = []outcome{one}
	added, removed := a.move.To.LineCounts()
	more, fewer := a.result.LineCounts()
	out.LinesAdded, out.LinesRemoved = added+more, removed+fewer
	diff := a.differences()
	if a.options.wantsDiff() {
		diff.add(a.to, a.move.To.Diff(labelOf(&a.docs, a.to)))
		diff.add(a.path, a.result.Diff(a.diffLabel()))
		diff.addOthers(&a.docs, a.others)
	}
	return out.reply(&a.editing, diff)
}
