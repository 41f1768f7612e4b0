package editing

import (
	"context"
	"errors"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// A heading that is renamed in several documents may be linked to from each of them, and from any
// others: what becomes of all links is worked out and proved for all of these documents together.

// isRenaming reports whether all that is asked for is that a part is renamed, with the links to
// it. A list of edits says nothing of links, in one document as in several.
func (m *many) isRenaming() bool {
	return !m.batch && len(m.edits) == 1 && m.edits[0].op.Action == edit.Rename && m.links != linking.LeaveLinks
}

// renameTogether renames a heading in all documents, with the links of all others.
func (m *many) renameTogether(ctx context.Context, dry bool) error {
	var list []*manyDocument
	docs := m.docs
	docs.Paths, docs.Progress = nil, nil
	for _, d := range m.all {
		if d.e != nil {
			list, docs.Paths = append(list, d), append(docs.Paths, docs.Straight(d.path))
		}
	}
	t := linking.Together{Docs: docs, Links: m.links, DryRun: dry, Make: func(ctx context.Context, was []*markdown.Document) (*linking.Made, error) {
		return m.renamed(ctx, list, docs.Paths, was)
	}}
	done, err := t.Run(ctx)
	if err != nil {
		return (&editing{docs: m.docs, path: docs.Paths[0]}).failure(err)
	}
	m.pass = pass{}
	m.kept, m.undo, m.others, m.moreLinks, m.tookOver = done.Kept, done.Undo, done.Others, done.Links, done.TookOver
	for k, d := range list {
		if d.e != nil {
			d.e.result = done.Docs[k].Result
			d.e.keptLinks, d.e.strays = 0, strays{}
			if err := m.tell(d); err != nil && dry { // what is written is told without it
				return err
			}
		}
	}
	m.more = differences{limit: m.options.MaxChars, work: m.docs.Work}
	if m.options.wantsDiff() {
		m.more.addOthers(&m.docs, m.others)
	}
	return m.more.wanted(!dry)
}

// renamed renames in the documents as they are.
func (m *many) renamed(ctx context.Context, list []*manyDocument, paths []string, was []*markdown.Document) (*linking.Made, error) {
	made := &linking.Made{}
	m.edits[0].places, m.pass = 0, pass{}
	for k, d := range list {
		doc := was[k]
		if m.version != "" && sumOf(doc.Source) != d.version {
			return nil, &replies.Error{Code: string(edit.Conflict), Path: replies.DisplayPath(d.path), Message: replies.Say("it has changed since the preview; ask for that again")}
		}
		one := linking.Document{Path: paths[k], Now: paths[k], Before: doc, Result: edit.Unchanged(doc)}
		e := m.editing(d, m.version != "" || !m.isGuarded())
		d.e, d.places = nil, 0
		err := e.target()
		if err == nil {
			e.ops, err = e.opsOf(doc)
		}
		if err == nil {
			err = e.apply(ctx, doc, m.docs.Work.Ceiling())
		}
		switch {
		case errors.Is(err, errNothing):
		case err != nil:
			return nil, e.failure(err)
		default:
			d.places = max(e.result.Changes[0].Count, 1)
			m.edits[0].places += d.places
			d.e, one.Result = e, e.result
			if err = m.pass.add(doc, e.result.Doc); err == nil {
				m.pass.kept += int64(max(0, len(e.result.Doc.Source)-len(doc.Source)))
				err = m.taken.UpTo(m.docs.Work, m.pass.kept)
			}
			if err != nil {
				return nil, err
			}
		}
		if len(doc.Blocks) == len(one.Result.Doc.Blocks) {
			one.Blocks = make([]links.Spot, len(doc.Blocks))
			for i := range one.Blocks {
				one.Blocks[i] = links.Spot{Document: k, Block: i}
			}
		}
		made.Docs = append(made.Docs, one)
	}
	version := m.version
	m.version = "" // that of each document was compared
	defer func() { m.version = version }()
	return made, m.check()
}
