package finding

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A list of documents is made of their names, and only those that a page shows are opened,
// so that ten thousand cost no more than a walk. A page ends with the path of its last
// document, where the next one begins: what comes or goes meanwhile moves nothing.

// The orders of a list.
const (
	sortName     = "name"     // folder by folder
	sortModified = "modified" // what was changed last comes first
	sortSize     = "size"     // the largest first
)

// Sorts are the orders of a list, the first of which is taken if none is named.
func Sorts() []string { return []string{sortName, sortModified, sortSize} }

// DefaultListLimit is the number of documents of a page.
const DefaultListLimit = 100

// ListRequest asks which documents there are.
type ListRequest struct {
	Sort string // one of Sorts; "" for the first
	// Limit is the number of documents on a page, 0 for DefaultListLimit, -1 for all.
	Limit  int
	Cursor string // goes on where a page ended
	// MaxChars is the largest number of characters (code points) of the reply; 0 sets none.
	MaxChars int
	// ErrorsApart leaves documents that can't be read to who tells of ListReply.Failed.
	ErrorsApart bool
	// JSON makes ListReply.Text JSON, and Structured wants it beside the text.
	JSON, Structured bool
}

// ListReply is the answer.
type ListReply struct {
	Text       []byte
	Structured []byte           // nil unless it was asked for
	Failed     []*replies.Error // documents on the page that can't be read
}

// listed is a document on a list, or what is wrong with it.
type listed struct {
	Path     string         `json:"path"`
	Title    string         `json:"title,omitempty"`
	Lines    int            `json:"lines"`
	Words    int            `json:"words"`
	Bytes    int64          `json:"bytes"`
	Modified string         `json:"modified,omitempty"` // in UTC, RFC 3339
	Error    *replies.Error `json:"error,omitempty"`

	path string      // as it is opened
	info fs.FileInfo // nil of standard input
	err  error
}

// listPage is a page in JSON.
type listPage struct {
	Total     int       `json:"total"`
	Documents []*listed `json:"documents"`
	Next      string    `json:"next_cursor,omitempty"`
}

// List lists the documents of a set; none named stands for all of the project, or of a
// workspace. A document that can't be read has its place and is told of; if none
// can, the first one's error is returned. The error is an *Error, or the context's.
func List(ctx context.Context, docs documents.Set, req ListRequest) (*ListReply, error) {
	if !slices.Contains(Sorts(), cmp.Or(req.Sort, sortName)) {
		return nil, invalid("there is no order %q; there are %s", replies.Clip(req.Sort, replies.MaxShown), strings.Join(Sorts(), ", "))
	}
	if req.Limit < -1 {
		return nil, invalid("%s must be at least 1", replies.Limit)
	}
	list, err := inOrder(ctx, &docs, req.Sort)
	if err != nil {
		return nil, err
	}
	from := 0
	if req.Cursor != "" {
		at := slices.IndexFunc(list, func(l *listed) bool { return documents.IsCursorOf(req.Cursor, l.path) })
		if from = at + 1; at < 0 {
			return nil, invalid("the cursor %q is no document of this list any more; begin again without %s", replies.Clip(req.Cursor, replies.MaxShown), replies.Cursor)
		}
	}
	return listing(ctx, &docs, &req, list, from)
}

// inOrder finds the documents and puts them in order. Those of which nothing is known but an
// error come first.
func inOrder(ctx context.Context, docs *documents.Set, order string) ([]*listed, error) {
	var list []*listed
	for path, err := range docs.Find(ctx) {
		l := &listed{Path: replies.DisplayPath(path), path: path, err: err}
		if err != nil { // what was asked for may be of any length
			l.Path = replies.Clip(l.Path, maxWrongPath)
		}
		if err == nil && order != "" && order != sortName {
			_ = l.stat(docs) // opening it tells what is wrong
		}
		list = append(list, l)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	by := func(key func(l *listed) int64) {
		slices.SortStableFunc(list, func(a, b *listed) int { return cmp.Compare(key(b), key(a)) })
	}
	last := func(key func(info fs.FileInfo) int64) func(l *listed) int64 {
		return func(l *listed) int64 {
			if l.info == nil {
				return 1<<63 - 1
			}
			return key(l.info)
		}
	}
	switch order {
	case sortModified:
		by(last(func(info fs.FileInfo) int64 { return info.ModTime().UnixNano() }))
	case sortSize:
		by(last(fs.FileInfo.Size))
	}
	if len(list) == 0 {
		return nil, &replies.Error{Code: string(fileerror.NoMatches), Message: replies.Say("there is no Markdown document")}
	}
	return list, nil
}

// listing opens the documents of a page and renders it.
func listing(ctx context.Context, docs *documents.Set, req *ListRequest, list []*listed, from int) (*ListReply, error) {
	limit := req.Limit
	switch {
	case limit == 0:
		limit = DefaultListLimit
	case limit < 0:
		limit = len(list)
	}
	w := docs.Worker()
	defer w.Close()
	page := listPage{Total: len(list), Documents: []*listed{}}
	size, r := 0, &ListReply{}
	for i := from; i < len(list) && i-from < limit; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := list[i]
		l.open(docs, w)
		if req.MaxChars > 0 {
			l.Path = replies.ClipMiddle(l.Path, max(replies.MaxShown, req.MaxChars/3))
		}
		line := l.line()
		if size += chars(line); req.JSON || req.Structured {
			size += max(0, len(replies.AppendJSON(nil, l))-chars(line))
		}
		if req.MaxChars > 0 && len(page.Documents) > 0 && size+listRoom+2*len(documents.PathCursor(l.path)) > req.MaxChars {
			break
		}
		if page.Documents = append(page.Documents, l); l.Error != nil {
			r.Failed = append(r.Failed, l.Error)
		}
		if l.Error == nil || !req.ErrorsApart {
			r.Text = append(r.Text, line...)
		}
		docs.TellProgress(i+1-from, min(limit, len(list)-from))
	}
	if len(r.Failed) == len(list) {
		return nil, page.Documents[0].Error
	}
	if end := from + len(page.Documents); end < len(list) && len(page.Documents) > 0 {
		page.Next = documents.PathCursor(list[end-1].path)
		r.Text = fmt.Appendf(r.Text, "[%d of %d; next_cursor: %s]\n", end, len(list), replies.JSON(page.Next))
	}
	if req.JSON || req.Structured {
		r.Structured = replies.AppendJSON(nil, page)
	}
	if req.JSON {
		r.Text = r.Structured
	}
	return r, nil
}

// maxWrongPath is the number of characters that are shown of the path of no document.
const maxWrongPath = 160

// listRoom is the number of characters of a page besides its documents and a path.
const listRoom = 120

// open reads the document and notes what is told of it.
func (l *listed) open(docs *documents.Set, w *documents.Worker) {
	var doc *markdown.Document
	err := l.err
	if err == nil {
		doc, err = w.Open(l.path)
	}
	if err == nil && l.info == nil {
		err = l.stat(docs)
	}
	if err != nil {
		l.Error = replies.ErrorAbout(l.Path, err)
		return
	}
	l.Title = replies.Safe(replies.Clip(titleOf(doc), maxTitle))
	l.Lines, l.Words, l.Bytes = doc.LineCount, replies.CountWords(doc.Source), int64(len(doc.Source))
	if l.info != nil {
		l.Modified = l.info.ModTime().UTC().Format(time.RFC3339)
	}
}

// stat notes what the system knows of the document's file; standard input is none.
func (l *listed) stat(docs *documents.Set) (err error) {
	if docs.Workspace != nil || l.path != documents.Stdin {
		l.info, err = docs.Stat(l.path)
	}
	return err
}

// maxTitle is the number of characters of a title that are shown.
const maxTitle = 120

// line renders the document in a line, as other replies have places and sizes.
func (l *listed) line() string {
	path := replies.Safe(l.Path)
	if l.Error != nil {
		return fmt.Sprintf("%s: %s: %s\n", path, l.Error.Code, replies.Safe(l.Error.Message.String()))
	}
	if l.Lines > 0 {
		path += ":" + replies.LineRange(markdown.Lines{First: 1, Last: l.Lines})
	}
	changed := "-" // of standard input
	if l.info != nil {
		changed = l.info.ModTime().UTC().Format("2006-01-02T15:04Z")
	}
	line := fmt.Sprintf("%s %dw %s %s", path, l.Words, changed, l.Title)
	return strings.TrimRight(line, " ") + "\n"
}
