package editing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Several documents are looked at one by one, and written all at once.

// look looks at all documents: what the edits come to in each, and what all of them hold.
func (m *many) look(ctx context.Context) error {
	sum := sha256.New()
	worker := m.docs.Worker()
	defer worker.Close()
	m.pass = pass{}
	for i, d := range m.all {
		if err := ctx.Err(); err != nil {
			return replies.ErrorAbout("", err)
		}
		src, err := worker.Source(d.path)
		if err != nil {
			m.fail(d.path, err)
			continue
		}
		text := bytes.Clone(src)
		worker.Close()
		d.version = addVersion(sum, d.path, text)
		if !m.mayChange(d, text) {
			m.docs.TellProgress(i+1, len(m.all))
			continue
		}
		lease, err := m.apply(ctx, d, m.version != "" || !m.isGuarded(), func(*textfile.Reader) ([]byte, error) { return text, nil })
		lease.Release()
		if err != nil {
			m.fail(d.path, err)
			continue
		}
		if d.e != nil {
			if err := m.tell(d); err != nil {
				return err
			}
			err := m.pass.add(d.e.before, d.e.result.Doc)
			if d.e.forget(); err != nil {
				return err
			}
			if d.host, err = m.docs.Host(d.path); err != nil {
				m.fail(d.path, err)
				continue
			}
		}
		m.docs.TellProgress(i+1, len(m.all))
	}
	m.now = hex.EncodeToString(sum.Sum(nil))[:versionDigits]
	return m.failure()
}

// versionDigits is the number of digits of the version of several documents, as many as that
// of one has.
const versionDigits = 16

// addVersion adds a document to the version of all of them, and returns its own.
func addVersion(sum hash.Hash, path string, text []byte) string {
	own := sumOf(text)
	_, _ = fmt.Fprintf(sum, "%q %s\n", path, own) // a hash takes all
	return own
}

// sumOf returns the version of one document.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// mayChange reports whether an edit may have something to do in a document: one that only
// looks for texts has nothing to do where they aren't.
func (m *many) mayChange(d *manyDocument, text []byte) bool {
	if len(m.all) == 1 {
		return true
	}
	for _, one := range m.editsOf(d) {
		if !one.each || one.op.Action != edit.ReplaceText || strings.ContainsAny(one.op.Old, "\r\n") || bytes.Contains(text, []byte(one.op.Old)) {
			return true
		}
	}
	return false
}

// errNothing says that no edit has anything to do in a document.
var errNothing = errors.New("there is nothing to do")

// apply applies the edits to a document that read reads. Pinned says that addresses which
// count may be taken, for somebody looks at what they are. If nothing is to be done there, d.e
// is nil. The error is an *Error.
func (m *many) apply(ctx context.Context, d *manyDocument, pinned bool, read func(*textfile.Reader) ([]byte, error)) (*documents.Lease, error) {
	e := m.editing(d, pinned)
	d.e, d.places = nil, 0
	if err := e.target(); err != nil {
		return nil, err
	}
	lease, err := e.applied(ctx, read)
	switch {
	case errors.Is(err, errNothing):
		return lease, nil
	case err != nil:
		return lease, e.failure(err)
	case len(e.result.Splices) == 0: // which UnlessPresent allows
		m.present = true
		return lease, nil
	}
	for i, c := range e.result.Changes {
		if wasPresent(&e.ops[i], &c) {
			continue
		}
		n := max(c.Count, 1)
		m.edits[e.items[i]].places += n
		d.places += n
		e.byPosition = e.byPosition || c.Target != nil && c.Target.ByPosition
	}
	d.e = e
	return lease, nil
}

// forget leaves of a change what is told of it.
func (e *editing) forget() { e.before, e.result, e.ops, e.items = nil, nil, nil, nil }

// keptBytes is about how much memory the edits of a change take until it is told, beside the
// documents.
func (e *editing) keptBytes() int64 {
	const (
		perEdit   = 600 // the operation, and its change with what its address stands for
		perSplice = 64
	)
	return int64(perEdit*len(e.ops) + perSplice*len(e.result.Splices))
}

// firstLine returns the line of the new document that the first splice is on.
func (e *editing) firstLine() int {
	return e.result.Doc.LineAt(min(e.result.Splices[0].Start, max(len(e.result.Doc.Source)-1, 0)))
}

// editing returns the change of one document.
func (m *many) editing(d *manyDocument, pinned bool) *editing {
	docs := m.docs
	docs.Paths, docs.Progress = []string{d.path}, nil
	e := &editing{docs: docs, options: m.options, batch: m.batch, links: m.links, pinned: pinned}
	if m.isRenaming() {
		e.links = linking.LeaveLinks // they are looked at for all documents together
	}
	e.opsOf = func(doc *markdown.Document) ([]edit.Op, error) { return m.opsOf(e, doc), nil }
	for i, one := range m.editsOf(d) {
		e.ops, e.items = append(e.ops, one.op), append(e.items, i)
	}
	e.without = func(err error) error { return m.without(e, err) }
	return e
}

// write changes the documents, all or none.
func (m *many) write(ctx context.Context) error {
	list := m.changing()
	var paths []string
	for _, d := range list {
		paths = append(paths, d.path)
	}
	var last *files.Tx
	change := func(tx *files.Tx) error {
		last = tx
		tx.Together()
		m.kept = tx.Kept()
		for _, d := range list {
			if tx.Host(d.path) != d.host { // a folder stands for no links, and one has come
				return fileerror.LeadsElsewhere(d.path)
			}
		}
		return m.applyAll(ctx, list, tx.Read, func(d *manyDocument) error {
			return tx.Write(d.path, d.e.result.Doc.Source)
		})
	}
	var err error
	if w := m.docs.Workspace; w != nil {
		err = w.FileRoots().Update(ctx, paths, change)
	} else {
		err = files.Update(ctx, paths, files.UpdateOptions{Limit: m.docs.MaxBytes}, change)
	}
	if err != nil {
		m.release()
		return (&editing{path: paths[0], phase: m.phase}).failure(err)
	}
	m.undo, m.tookOver = last.Undo(), last.TookOver()
	for _, l := range m.leases {
		m.docs.Work.Hold(l)
	}
	return nil
}

// preview looks at all that the edits do to links, with all documents as they would be, and writes
// nothing.
func (m *many) preview(ctx context.Context) error {
	list := m.changing()
	switch {
	case m.isRenaming():
		return m.renameTogether(ctx, true)
	case !slices.ContainsFunc(list, func(d *manyDocument) bool { return d.e.renames }):
		return nil
	}
	defer m.release()
	read := func(path string) ([]byte, error) {
		return (&editing{docs: m.docs, path: path}).read(&textfile.Reader{Limit: m.docs.MaxBytes})
	}
	err := m.applyAll(ctx, list, read, func(*manyDocument) error { return nil })
	for _, d := range list {
		if d.e != nil {
			d.e.forget()
		}
	}
	if err != nil {
		return (&editing{path: list[0].path, phase: m.phase}).failure(err)
	}
	return nil
}

// changing returns the documents that the edits change.
func (m *many) changing() (list []*manyDocument) {
	for _, d := range m.all {
		if d.e != nil {
			list = append(list, d)
		}
	}
	return list
}

// applyAll applies the edits to all documents that they change, and looks at the links to these.
func (m *many) applyAll(ctx context.Context, list []*manyDocument, read func(path string) ([]byte, error), write func(*manyDocument) error) error {
	m.release()
	m.failed, m.failures, m.pass = nil, 0, pass{}
	for i := range m.edits {
		m.edits[i].places = 0
	}
	for _, d := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		version := ""
		lease, err := m.apply(ctx, d, m.version != "", func(*textfile.Reader) ([]byte, error) {
			src, err := read(d.path)
			version = sumOf(src)
			return src, err
		})
		if lease != nil && d.e != nil {
			lease.Shrink(max(documents.EditBytes(d.e.before), documents.EditBytes(d.e.result.Doc)))
			m.docs.Work.Keep(lease)
		}
		m.keep(lease)
		switch {
		case err != nil:
			m.fail(d.path, err)
			continue
		case m.version != "" && version != d.version:
			m.fail(d.path, &replies.Error{Code: string(edit.Conflict), Message: replies.Say("it has changed since the preview; ask for that again")})
			continue
		case d.e == nil:
			continue
		}
		if err := m.pass.add(d.e.before, d.e.result.Doc); err != nil {
			return err
		}
		m.pass.kept += d.e.keptBytes()
		if err := m.taken.UpTo(m.docs.Work, m.pass.kept); err != nil {
			return err
		}
		if err := write(d); err != nil {
			m.fail(d.path, err)
		}
		if err := m.tell(d); err != nil {
			return err
		}
	}
	if err := m.failure(); err != nil {
		return err
	}
	version := m.version
	m.version = "" // that of each document was compared
	defer func() { m.version = version }()
	if err := m.check(); err != nil {
		return err
	}
	return m.countStrays(ctx)
}

// countStrays counts the links that lead elsewhere than they led: of each document that changes, to
// others of them, and of all other documents.
func (m *many) countStrays(ctx context.Context) error {
	m.strays = strays{}
	list := m.changing()
	if !slices.ContainsFunc(list, func(d *manyDocument) bool { return d.e.renames }) {
		return nil
	}
	docs := m.docs
	docs.Paths, docs.Progress = nil, nil
	var all []*links.Renaming
	for _, d := range list {
		if was, is := d.e.before, d.e.result; !d.e.plain {
			docs.Paths = append(docs.Paths, d.path)
			all = append(all, linking.Changed(was, is.Doc, is.Splices))
		}
	}
	m.phase = looking
	elsewhere, err := linking.Astray(ctx, docs, all)
	m.strays.elsewhere, m.strays.unreadable = elsewhere, err != nil
	if ctx.Err() != nil {
		return ctx.Err()
	}
	m.phase = waiting
	return nil
}

// keep keeps what is reserved for a document until the request ends.
func (m *many) keep(l *documents.Lease) {
	if l != nil {
		m.leases = append(m.leases, l)
	}
}

// release gives back what is reserved for documents.
func (m *many) release() {
	for _, l := range m.leases {
		l.Release()
	}
	m.leases = nil
}
