package reading

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// What a tool is asked of a folder or pattern is answered in pages: an object with that of each
// document, as many as fit.

// TreePage is Tree of the documents of a page, as the reply of a tool of at most
// req.MaxChars characters: an object with documents, total, and next_cursor if there are more.
// Documents without a match of the pattern are left out. The error is an *Error, or that of
// the context.
func TreePage(ctx context.Context, docs documents.Set, page *documents.Page, req TreeRequest) ([]byte, error) {
	format, err := outline.ParseFormat(req.Format)
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	if req.MaxDepth < 0 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("the depth must not be negative; 0 shows every level")}
	}
	opts := outline.TreeOptions{Pattern: req.Pattern, KeepChildren: req.KeepChildren, MaxDepth: req.MaxDepth, Raw: req.Raw, Safe: true}
	return inPage(ctx, docs, page, req.MaxChars, func(doc *markdown.Document, path string, room int) ([]byte, error) {
		tree := outline.NewTree(doc, opts)
		if req.Pattern != "" && tree.Len() == 0 {
			return nil, nil
		}
		one := req
		one.MaxChars = room
		return singleTree(tree, format, filepath.Base(path), &one)
	})
}

// SectionsPage is the same for Sections.
func SectionsPage(ctx context.Context, docs documents.Set, page *documents.Page, req SectionsRequest) ([]byte, error) {
	level, err := outline.ParseLevel(req.Level)
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	if req.Max < 0 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("the number of sections must not be negative; 0 lists all")}
	}
	if err := checkFacts(req.With); err != nil {
		return nil, err
	}
	opts := outline.ListOptions{Pattern: req.Pattern, Level: level, Raw: req.Raw, Safe: true, Max: req.Max}
	chosen := req.Pattern != "" || level != 0 || req.Status != ""
	return inPage(ctx, docs, page, req.MaxChars, func(doc *markdown.Document, _ string, room int) ([]byte, error) {
		opts := req.options(doc, opts)
		if list, err := outline.List(doc, opts); err != nil || chosen && list.Count == 0 {
			return nil, err
		}
		return singlePage(docs.Work, doc, opts, req.With, room)
	})
}

// pageRoom is the number of characters around the documents of a page, besides its cursor.
const pageRoom = len(`{"documents":[],"total":1234567,"next_cursor":""}`)

// inPage renders an object for each document of a page. Render returns that of one in at most so
// many characters, 0 for any number, or nil if it is left out.
func inPage(ctx context.Context, docs documents.Set, page *documents.Page, limit int, render func(doc *markdown.Document, path string, room int) ([]byte, error)) ([]byte, error) {
	if message := checkMaxChars(limit); !message.IsEmpty() {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: message}
	}
	w := docs.Worker()
	defer w.Close()
	text := []byte(`{"documents":[`)
	size, done := pageRoom, 0
	for i, path := range page.Paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		head := replies.AppendString([]byte(`{"file_path":`), path)
		room := limit - size - replies.Chars(head) - len(",}") - 2*len(path) // for the cursor, escaped
		object, err := documentIn(w, path, head, max(room, replies.MinChars), render)
		if err != nil {
			object = failedObject(head, replies.ErrorAbout(path, err))
		}
		if object == nil {
			done = i + 1
			continue
		}
		if n := replies.Chars(object) + len(","); limit > 0 && size+n+2*len(path) > limit {
			if size > pageRoom {
				break
			}
			small := &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s %d is too small for this document; raise it", replies.MaxChars, limit)}
			if object = failedObject(head, small); size+replies.Chars(object)+len(",")+2*len(path) > limit {
				return nil, replies.ErrorAbout(path, small)
			}
		} else if size > pageRoom {
			text = append(text, ',')
		}
		size += replies.Chars(object) + len(",")
		text, done = append(text, object...), i+1
		docs.TellProgress(done, len(page.Paths))
	}
	text = fmt.Appendf(text, `],"total":%d`, page.Total)
	if next := page.Next(done); next != "" {
		text = replies.AppendString(append(text, `,"next_cursor":`...), next)
	}
	return append(text, '}'), nil
}

// failedObject renders the object of a document that can't be shown, which begins with its path.
func failedObject(head []byte, err *replies.Error) []byte {
	return append(append(append(bytes.Clone(head), `,"error":`...), replies.JSON(err)...), '}')
}

// documentIn renders the object of a document, with its path; nil if it is left out.
func documentIn(w *documents.Worker, path string, head []byte, room int, render func(doc *markdown.Document, path string, room int) ([]byte, error)) ([]byte, error) {
	doc, err := w.Open(path)
	if err != nil {
		return nil, err
	}
	object, err := render(doc, path, room)
	if err != nil || object == nil {
		return nil, err
	}
	return append(append(head, ','), object[1:]...), nil
}
