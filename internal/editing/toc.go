package editing

import (
	"context"
	"errors"
	"fmt"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// KeepTOC writes the table of contents that the one document in docs keeps between the
// comments <!-- toc --> and <!-- /toc -->, with so many levels, 0 for all. It is nothing new
// if the table is right already: then changed is false. The error is an *Error, and then
// nothing is written unless it says so.
func KeepTOC(ctx context.Context, docs documents.Set, depth int, o EditOptions) (reply *EditReply, changed bool, err error) {
	if err := linking.CheckDepth(depth); err != nil {
		return nil, false, replies.Unwritten(err)
	}
	docs = docs.AsListed()
	e := editing{docs: docs, options: o, opsOf: func(doc *markdown.Document) ([]edit.Op, error) {
		at, want, err := linking.KeptTOC(doc, depth)
		if err != nil {
			failed := replies.AsError(err)
			failed.Path = replies.DisplayPath(docs.Paths[0])
			return nil, failed
		}
		return []edit.Op{{Action: edit.ReplaceText, Within: at, Old: string(doc.Text(at)), Text: string(want)}}, nil
	}}
	reply, err = e.run(ctx)
	if failed, ok := errors.AsType[*replies.Error](err); ok && failed.Code == string(edit.NoChange) {
		head := fmt.Sprintf("%s has the table of contents that it has to have\n", replies.Safe(replies.DisplayPath(e.path)))
		return &EditReply{Head: []byte(head), JSON: replies.AppendJSON(nil, edited{FilePath: replies.DisplayPath(e.path), Edits: []outcome{}, Version: e.before.Version()})}, false, nil
	}
	return reply, true, err
}
