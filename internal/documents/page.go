package documents

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
// paths of the set are those of documents, which need no pages. Workers of the set then know of the
// others why they can't be found. The error is an *Error: a
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
	var failed *replies.Error
	for path, err := range d.Find(ctx) {
		if err != nil {
			if d.unfound == nil {
				d.unfound = map[string]error{}
			}
			d.unfound[path] = err
			failed = cmp.Or(failed, replies.ErrorAbout(path, err))
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
	p.From = 1 + slices.IndexFunc(p.Paths, func(path string) bool { return IsCursorOf(cursor, path) })
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
	return PathCursor(p.Paths[n-1])
}

// maxPathCursor is the number of bytes of a path that is its own cursor.
const maxPathCursor = 200

// PathCursor returns the cursor of a list that ends with a document: its path, or what stands for
// one that is long or has characters which aren't shown, in which two could differ alone.
func PathCursor(path string) string {
	if len(path) <= maxPathCursor && replies.Safe(path) == path {
		return path
	}
	const digits = 16
	h := sha256.Sum256([]byte(path))
	return "~" + hex.EncodeToString(h[:])[:digits]
}

// IsCursorOf reports whether a cursor stands for a document.
func IsCursorOf(cursor, path string) bool { return cursor == path || cursor == PathCursor(path) }

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
