package linking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// file is one that a change writes.
type file struct {
	path   string
	before *markdown.Document // nil if there is none
	after  *markdown.Document // nil if there is none
	from   string             // whose mode it gets, if it is new; empty for nobody's
}

// files returns the files of the change.
func (w *work) files() (list []file) {
	for i := range w.done.Docs {
		d := &w.done.Docs[i]
		switch {
		case d.Result == nil:
			list = append(list, file{path: d.Path, before: d.Before})
		case d.Path == d.Now:
			list = append(list, file{path: d.Now, before: d.Before, after: d.Result.Doc})
		case d.Before == nil:
			list = append(list, file{path: d.Now, after: d.Result.Doc})
		default:
			list = append(list, file{path: d.Path, before: d.Before}, file{path: d.Now, after: d.Result.Doc, from: d.Path})
		}
	}
	for i := range w.done.Others {
		o := &w.done.Others[i]
		list = append(list, file{path: o.Path, before: o.Before, after: o.Result.Doc})
	}
	return list
}

// write writes all files, or none.
func (w *work) write(ctx context.Context) error {
	list := w.files()
	paths := make([]string, len(list))
	for i := range list {
		paths[i] = list[i].path
	}
	var last *files.Tx
	change := func(tx *files.Tx) error {
		last = tx
		tx.Together()
		w.done.Kept = tx.Kept()
		err := w.inPlace(tx)
		if err == nil {
			err = w.unchanged(ctx, tx, list)
		}
		if err != nil {
			return err
		}
		for i := range list {
			tx.Folders(list[i].path, w.Folders[list[i].path])
			if err := list[i].write(tx); err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	if space := w.Docs.Workspace; space != nil {
		err = space.FileRoots().Silent().Update(ctx, paths, change) // new documents are missing, and no mistake
	} else {
		err = files.Update(ctx, paths, files.UpdateOptions{Limit: w.Docs.MaxBytes}, change)
	}
	if err != nil {
		return err
	}
	w.done.Undo, w.done.TookOver = last.Undo(), last.TookOver()
	return nil
}

// write says what a file shall hold.
func (f *file) write(tx *files.Tx) error {
	switch {
	case f.after == nil:
		return tx.Remove(f.path)
	case f.from != "":
		return tx.WriteNew(f.path, f.after.Source, tx.Mode(f.from))
	}
	return tx.Write(f.path, f.after.Source)
}

// inPlace sees that the files of the documents that change lie where they lay when the change was
// asked for, and those that were there by their names and no link: other programs may have put one there
// since, and for what it leads to nobody has asked. Nor are the links of a document seen that has another
// path by then. One that is made may be made through a link that was there already. The error is a
// *fileerror.Error.
func (w *work) inPlace(tx *files.Tx) error {
	for i, path := range w.Docs.Paths {
		host := tx.Host(path)
		if host == "" { // it is left as it is
			continue
		}
		linked := filepath.Base(host) != filepath.Base(filepath.FromSlash(path))
		if host != w.hosts[i] || linked && !slices.Contains(w.Fresh, path) {
			return fileerror.LeadsElsewhere(path)
		}
	}
	return nil
}

// unchanged returns errStale if a document isn't what it was when the change was worked out.
func (w *work) unchanged(ctx context.Context, tx *files.Tx, list []file) error {
	type place struct {
		folder filelock.ID
		name   string
	}
	taken := map[place]bool{}
	for i := range list {
		f := &list[i]
		at := place{tx.Folder(f.path), filepath.Base(f.path)}
		if taken[at] {
			return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(f.path), Message: replies.Say("it is named by two paths; name it by the path that its file has")}
		}
		taken[at] = true
		now, err := tx.Read(f.path)
		e, known := errors.AsType[*fileerror.Error](err)
		switch {
		case known && e.Code == fileerror.NotFound:
			now = nil
		case err != nil:
			return err
		}
		if f.before == nil && now != nil {
			return Exists(f.path)
		}
		if (f.before == nil) != (now == nil) || f.before != nil && !bytes.Equal(f.before.Source, now) {
			return errStale
		}
	}
	if w.Links == LeaveLinks {
		return nil
	}
	state, blind, err := w.stateOf(ctx)
	if err == nil && state != w.state {
		err = cmp.Or(blind, errStale)
	}
	return err
}

// Exists is the error for a document that is to be made and is there.
func Exists(path string) *replies.Error {
	return &replies.Error{Code: codeExists, Path: replies.DisplayPath(path), Message: replies.Say("there is a file already; choose another path, or edit that"), Err: fs.ErrExist}
}

const codeExists = "already_exists"

// Linker returns what makes links in the document at one path to a section of the document
// that is at another, or will be: as Markdown, by the section's name if it has one; and what
// reports whether a destination leads to the same thing from both.
func Linker(ctx context.Context, docs documents.Set, from, to string) (link func(doc *markdown.Document, section int) string, same func(destination string) bool, err error) {
	s, err := newScan(ctx, docs, alone)
	if err != nil {
		return nil, nil, err
	}
	from, to = s.own(s.inSet(from)), s.own(s.inSet(to))
	way := links.PathTo(from, to)
	same = func(destination string) bool {
		switch d := links.ParseDestination(destination); {
		case d.External:
			return true
		case d.Rooted:
			one, _ := s.rootOf(from)
			other, _ := s.rootOf(to)
			return one == other
		default:
			return d.Path != "" && path.Dir(from) == path.Dir(to)
		}
	}
	return func(doc *markdown.Document, section int) string {
		name := ""
		heading, places := int(doc.Sections[section].Heading), address.PlacesOf(doc).All()
		isName := func(p address.Place) bool { return p.Block == heading && p.Kind != address.ElementPlace }
		if i := slices.IndexFunc(places, isName); i >= 0 {
			name = "#" + links.Encoded(places[i].Name)
		}
		return asText("[" + linkText(doc, section) + "](" + way + name + ")")
	}, same, nil
}
