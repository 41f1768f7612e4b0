package documents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
)

// A request to a server may name folders and patterns, which stand for more documents than a
// reply has room for. It is answered in pages, each of which goes on behind the last document
// of the one before: what comes or goes meanwhile moves nothing.

// Page is some of the documents of a request.
type Page struct {
	Paths []string // from where the page before ended, to the end
	From  int      // how many there are before them
	Total int      // how many there are in all
}

// Page returns the documents of a set behind a cursor, of all if that is empty; and nil if all
// paths of the set are those of documents, which need no pages. The error is an *Error: a
// cursor that is no document of the set, a folder or pattern that stands for none, or that of
// the context.
func (d *Set) Page(ctx context.Context, cursor string) (*Page, error) {
	if !slices.ContainsFunc(d.Paths, d.Workspace.IsMany) {
		if cursor != "" {
			return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s is for folders and patterns; leave it out", replies.Cursor)}
		}
		return nil, nil //nolint:nilnil // there is none
	}
	p := &Page{}
	known := map[string]bool{}
	var failed error
	for path, err := range d.Find(ctx) {
		if err != nil && failed == nil {
			failed = replies.ErrorAbout(path, err)
		}
		if !known[path] {
			known[path] = true
			p.Paths = append(p.Paths, path)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(p.Paths) == 1 && failed != nil {
		return nil, failed
	}
	if p.Total = len(p.Paths); cursor == "" {
		return p, nil
	}
	p.From = 1 + slices.IndexFunc(p.Paths, func(path string) bool { return path == cursor || replies.Safe(path) == cursor })
	if p.From == 0 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(
			"the cursor %q is no document of these; begin again without %s", replies.Clip(cursor, replies.MaxShown), replies.Cursor)}
	}
	p.Paths = p.Paths[p.From:]
	return p, nil
}

// Next returns the cursor of the page after one of so many documents, empty if it was the last.
func (p *Page) Next(n int) string {
	if n == 0 || n >= len(p.Paths) {
		return ""
	}
	return replies.Safe(p.Paths[n-1])
}

// More returns the line that says how to go on behind so many documents, empty if there are no
// more.
func (p *Page) More(n int) string {
	next := p.Next(n)
	if next == "" {
		return ""
	}
	return fmt.Sprintf("[%d of %d documents; next_cursor: %s]\n", p.From+n, p.Total, replies.JSON(next))
}

// IsMany reports whether a path means a folder or is a pattern, and not that of a document.
func (w *Workspace) IsMany(name string) bool {
	_, err := w.roots.Resolve(name)
	e, failed := errors.AsType[*fileerror.Error](err)
	return failed && (e.IsFolder() || e.Code == fileerror.NotFound && strings.ContainsAny(name, globCharacters))
}
