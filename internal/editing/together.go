package editing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// A change with links in other documents: it is made once more, together with them.

// errElsewhere says that links in other documents are to be changed too.
var errElsewhere = errors.New("links in other documents are to be changed too")

// changeTogether makes the change with the links of all documents. Kept is what was kept before.
func (e *editing) changeTogether(ctx context.Context, kept fileerror.Kept) error {
	docs := e.docs
	path := docs.Straight(e.path)
	docs.Paths, e.together, e.phase = []string{path}, true, looking
	t := linking.Together{Docs: docs, Links: e.links, DryRun: e.options.DryRun, Kept: kept, Make: func(ctx context.Context, was []*markdown.Document) (*linking.Made, error) {
		if err := e.apply(ctx, was[0], docs.Work.Ceiling()); err != nil {
			return nil, err
		}
		changed := linking.Document{Path: path, Now: path, Before: e.before, Result: e.result, Apart: true}
		if r, ok := e.renaming(); ok && r.Blocks != nil {
			for _, now := range r.Blocks {
				switch {
				case now >= 0:
					changed.Blocks = append(changed.Blocks, links.Spot{Block: int(now)})
				case r.Instead >= 0:
					changed.Blocks = append(changed.Blocks, links.Spot{Block: r.Instead})
				default:
					changed.Blocks = append(changed.Blocks, links.Gone)
				}
			}
		}
		return &linking.Made{Docs: []linking.Document{changed}, Kept: e.keptLinks}, nil
	}}
	done, err := t.Run(ctx)
	if err != nil {
		return err
	}
	e.result = done.Docs[0].Result
	e.take(done)
	return nil
}

// take keeps what is told of a change with other documents.
func (e *editing) take(done *linking.Done) {
	e.kept, e.undo, e.others, e.keptLinks, e.tookOver = done.Kept, done.Undo, done.Others, done.Links, done.TookOver
}

// rememberOthers tells the session that documents were written of which links alone have
// changed.
func (e *editing) rememberOthers() {
	for i := range e.others {
		o := &e.others[i]
		if key := e.docs.FileKey(o.Path); key != "" {
			e.docs.Session.Wrote(key, o.Before, o.Result.Doc, written(o.Result))
		}
	}
}

// otherData is a document that was changed with another one.
type otherData struct {
	FilePath     string `json:"file_path"`
	LinksChanged int    `json:"links_changed,omitempty"`
	Version      string `json:"version"`
}

// othersOf returns what is told of other documents.
func othersOf(others []linking.Other) (list []otherData) {
	for i := range others {
		o := &others[i]
		if o.Result != nil {
			list = append(list, otherData{replies.DisplayPath(o.Path), o.Links, o.Result.Doc.Version()})
		}
	}
	return list
}

// maxOthers is how many other documents a head names.
const maxOthers = 5

// addOthers adds the line that names other documents.
func addOthers(h *replies.Head, list []otherData) {
	if len(list) == 0 {
		return
	}
	var names []string
	for i, o := range list {
		if i == maxOthers {
			names = append(names, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		name := replies.ClipMiddle(replies.Safe(o.FilePath), replies.MaxShown)
		if o.LinksChanged > 0 {
			name += fmt.Sprintf(" (%s)", replies.Plural(o.LinksChanged, "link"))
		}
		names = append(names, name)
	}
	h.Add("also changed", strings.Join(names, ", "))
}

// fromPath renders where stood what has moved, nothing for what hasn't.
func fromPath(path string) string {
	if path == "" {
		return ""
	}
	return " from " + shownPath(path)
}
