package linking

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Some changes of one or two documents let links in any others lead elsewhere. All of them
// change in one transaction: what they become is worked out from the documents as they are,
// proved, and written under the locks of all folders, if none has changed meanwhile.

// Together is a change of documents with the links of all others.
type Together struct {
	// Docs is the request, whose paths are the documents that change, by the names that
	// their files have and no link.
	Docs documents.Set
	// Links is UpdateLinks or LeaveLinks; without either the change is refused if links would
	// lead elsewhere.
	Links string
	// Fresh are the paths of documents that need not be there yet.
	Fresh []string
	// Folders are the numbers of folders above documents, by their paths, that were made for
	// them or go with them.
	Folders map[string]int
	// Moved are folders that lie elsewhere afterwards with all of their documents: their new
	// paths by the old ones.
	Moved map[string]string
	// DryRun writes nothing.
	DryRun bool
	// Kept is what was kept before by the same request.
	Kept fileerror.Kept
	// Make makes the change of the documents as they are, nil for one of Fresh that isn't
	// there. It may be called again, when somebody else has changed them.
	Make func(ctx context.Context, was []*markdown.Document) (*Made, error)

	hosts []string // where the files of Docs lie, in their order
}

// Made is what a change makes of documents.
type Made struct {
	Docs   []Document
	Copies []links.Pair
	Kept   int // links that were changed already
}

// Document is one that changes.
type Document struct {
	// Path and Now are where it lies before and after, empty for nowhere.
	Path, Now string
	Before    *markdown.Document // nil if there is none
	Result    *edit.Result       // nil if there is none after
	// Blocks and Apart are those of links.Shifted.
	Blocks []links.Spot
	Apart  bool
}

// Done is what became of a change.
type Done struct {
	*Made
	Links  int     // that were changed, in all documents
	Others []Other // in the order of their paths
	Kept   fileerror.Kept
	Undo   files.Undo
	// TookOver are documents that belonged to another user.
	TookOver []string
}

// Other is a document of which nothing but links is changed.
type Other struct {
	Path   string
	Links  int
	Before *markdown.Document
	Result *edit.Result

	places []Place
	lost   []Place
}

// maxTries is how often a change is begun that others come between.
const maxTries = 8

// errStale says that a document has changed since it was read.
var errStale = errors.New("a document has changed meanwhile")

// Run makes the change. The error is an *Error, an edit.Errors, the context's or that of Make;
// fileerror.KeptOf names what any of the tries has kept.
func (t *Together) Run(ctx context.Context) (*Done, error) {
	kept := t.Kept
	t.hosts = make([]string, len(t.Docs.Paths))
	for i, path := range t.Docs.Paths {
		t.hosts[i], _ = t.Docs.Host(path) // whoever writes it tells why there is none
	}
	for range maxTries {
		done, err := t.once(ctx)
		kept = kept.And(fileerror.KeptOf(err))
		switch {
		case errors.Is(err, errStale):
		case err != nil:
			return nil, fileerror.WithKept(err, kept)
		default:
			done.Kept = kept.And(done.Kept)
			return done, nil
		}
	}
	return nil, fileerror.WithKept(&replies.Error{Code: "conflict", Path: replies.DisplayPath(t.Docs.Paths[0]), Message: replies.Say("documents are changed by others again and again meanwhile; try again")}, kept)
}

// work is one try.
type work struct {
	*Together
	scan   *scan
	others documents.Set
	unread []*replies.Error  // of others
	state  [sha256.Size]byte // of all documents when it began
	shift  *links.Shift
	turn   sync.Mutex // of documents that get many new destinations
	done   *Done
	own    []Place
	lost   []Place
}

// once tries once. The error is errStale if somebody came between.
func (t *Together) once(ctx context.Context) (*Done, error) {
	s, err := newScan(ctx, t.Docs, alone)
	if err != nil {
		return nil, err
	}
	w := &work{Together: t, scan: s, done: &Done{}}
	if t.Links != LeaveLinks {
		w.others, w.unread = s.others(ctx)
		if w.state, _, err = w.stateOf(ctx); err != nil { // why one can't be read is told with all others
			return nil, err
		}
	}
	was := make([]*markdown.Document, len(t.Docs.Paths))
	for i, path := range t.Docs.Paths {
		if slices.Contains(t.Fresh, path) && t.Docs.Look(path) == documents.Nothing {
			continue
		}
		doc, err := t.Docs.Open(path)
		if e, ok := errors.AsType[*fileerror.Error](err); ok && e.Code == fileerror.NotFound && slices.Contains(t.Fresh, path) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// For what it becomes, for the links of both, and for the proof.
		if err := t.Docs.Work.HoldBytes(documents.EditBytes(doc)+2*PageBytes(doc), doc); err != nil {
			return nil, err
		}
		was[i] = doc
	}
	if w.done.Made, err = t.Make(ctx, was); err != nil {
		return nil, err
	}
	w.done.Links = w.done.Made.Kept
	if t.Links != LeaveLinks {
		if err := w.keep(ctx); err != nil {
			return nil, err
		}
	}
	if t.DryRun {
		for _, f := range w.files() {
			if err := t.Docs.CheckNew(f.path, f.after); err != nil {
				return nil, err
			}
		}
		return w.done, nil
	}
	return w.done, w.write(ctx)
}

// keep changes the links of all documents.
func (w *work) keep(ctx context.Context) error {
	w.newShift(ctx)
	if err := w.keepOwn(ctx); err != nil {
		return err
	}
	if err := w.keepOthers(ctx); err != nil {
		return err
	}
	var elsewhere []Place
	for i := range w.done.Others {
		elsewhere = append(elsewhere, w.done.Others[i].places...)
		w.lost = append(w.lost, w.done.Others[i].lost...)
		w.done.Links += w.done.Others[i].Links
	}
	shown := replies.DisplayPath(w.Docs.Paths[0])
	if len(w.lost) > 0 {
		return WouldBreak(shown, nil, w.lost, false)
	}
	if w.Links != UpdateLinks && len(w.own)+len(elsewhere) > 0 {
		return WouldBreak(shown, w.own, elsewhere, true)
	}
	return nil
}

// newShift returns the change as one of links: with the documents that change, and others by
// their paths.
func (w *work) newShift(ctx context.Context) {
	s := w.scan
	gone, made, moved := map[string]bool{}, map[string]bool{}, map[string]string{}
	for from, to := range w.Moved {
		moved[s.inSet(from)] = s.own(s.inSet(to))
		gone[s.inSet(from)] = true
	}
	change := func(name string) (entry links.Entry, changes bool) {
		switch {
		case made[name]:
			return links.File, true
		case gone[name]:
			return links.Nothing, true
		}
		for path := range made {
			if strings.HasPrefix(path, name+"/") {
				return links.Folder, true
			}
		}
		return links.Unseen, false
	}
	look := func(name string) links.Entry {
		if entry, changes := change(name); changes {
			return entry
		}
		is := s.see(name)
		if entry, changes := change(is.own); changes {
			return entry
		}
		return is.entry
	}
	after := s.options
	after.Look = look
	w.shift = &links.Shift{
		Was: links.NewSet(s.options), Is: links.NewSet(after),
		Docs: make([]links.Shifted, len(w.done.Docs)), Copies: w.done.Copies, Folders: moved,
		MaxBytes: maxDestinations,
	}
	for i := range w.done.Docs {
		d, to := &w.done.Docs[i], &w.shift.Docs[i]
		if to.Blocks, to.Apart = d.Blocks, d.Apart; d.Before != nil {
			to.Before = links.NewPage(s.inSet(d.Path), d.Before)
			w.shift.Was.Add(to.Before)
			gone[to.Before.Path] = true
		}
	}
	for i := range w.done.Docs {
		if d, to := &w.done.Docs[i], &w.shift.Docs[i]; d.Result != nil {
			to.After, to.Source = links.NewPage(s.own(s.inSet(d.Now)), d.Result.Doc), d.Result.Doc.Source
			w.shift.Is.Add(to.After)
			made[to.After.Path] = true
		}
	}
	for path, err := range w.found(ctx) {
		in := s.inSet(path)
		if err != nil || w.shift.Was.Page(in) != nil || w.shift.Is.Page(in) != nil {
			continue
		}
		stub := links.UnreadPage(in)
		w.shift.Was.Add(stub)
		w.shift.Is.Add(stub)
	}
}

// maxDestinations is the number of bytes that the new destinations of one document have at most:
// 100,000 links to a long path come to less. It keeps a title of 100 kB from being put into each
// link to it.
const maxDestinations = 16 << 20

// copiesOfDestinations is how often new destinations are there while they are put in and proved: as
// splices of links and of edits, in the text, and twice as what its links lead to. The text stays.
const copiesOfDestinations = 5

// manyDestinations is the number of bytes of new destinations from which on documents get them one after
// the other, so that whether there is memory for them depends on no other one's copies.
const manyDestinations = 64 << 10

// bytesOf returns the number of bytes that splices put in.
func bytesOf(splices []links.Splice) (bytes int64) {
	for i := range splices {
		bytes += int64(len(splices[i].Text))
	}
	return bytes
}

// keepOwn changes the links of the documents that change, and proves them.
func (w *work) keepOwn(ctx context.Context) error {
	splices, lost := w.shift.Keep()
	for _, l := range lost {
		d := &w.done.Docs[l.Document]
		place := Place{FilePath: replies.DisplayPath(d.Path)}
		if page := w.shift.Docs[l.Document].Before; l.Link >= 0 {
			place.Line, place.Destination = page.Links[l.Link].Line, page.Links[l.Link].Destination
		}
		w.lost = append(w.lost, place)
	}
	if len(lost) > 0 {
		return nil
	}
	kept := false
	for i := range splices {
		if len(splices[i]) == 0 {
			continue
		}
		d := &w.done.Docs[i]
		for _, s := range splices[i] {
			w.own = append(w.own, Place{replies.DisplayPath(d.Now), d.Result.Doc.LineAt(s.Span.Start), string(d.Result.Doc.Text(s.Span))})
		}
		if err := w.Docs.Work.HoldBytes(copiesOfDestinations*bytesOf(splices[i]), nil); err != nil {
			return err
		}
		l, size := w.Docs.Work.Ceiling(), len(d.Result.Doc.Source)
		result, err := d.Result.Also(ctx, editsOf(splices[i]), l.Limits(size))
		if err != nil {
			return l.Explained(err, size)
		}
		kept, d.Result = true, result
	}
	w.done.Links += len(w.own)
	if !kept {
		return nil
	}
	w.newShift(ctx)
	splices, lost = w.shift.Keep()
	for i := range splices {
		if len(splices[i])+len(lost) > 0 {
			return unproved(w.done.Docs[i].Now)
		}
	}
	return nil
}

// unproved is the error for links that don't lead where they shall, when all is done.
func unproved(path string) error {
	return &replies.Error{Code: codeWouldBreak, Path: replies.DisplayPath(path), Message: replies.Say(
		"it can't be proved that all links lead where they led; do it another way, or send it again with %s", replies.Given{Arg: replies.Links, Value: LeaveLinks})}
}

// editsOf returns splices of links as those of edits.
func editsOf(splices []links.Splice) []edit.Splice {
	more := make([]edit.Splice, len(splices))
	for i, s := range splices {
		more[i] = edit.Splice{Span: s.Span, Text: []byte(s.Text)}
	}
	return more
}

// keepOthers changes the links of all other documents, and proves them.
func (w *work) keepOthers(ctx context.Context) error {
	var mu sync.Mutex
	err := w.others.Each(ctx, documents.Renderer{Document: func(dst []byte, doc *markdown.Document, at string) ([]byte, error) {
		in := w.scan.inSet(at)
		if w.isOwn(in) || !mayLink(doc.Source) {
			return dst, nil
		}
		other, err := w.other(ctx, in, at, doc)
		if err != nil || other == nil {
			return dst, err
		}
		mu.Lock()
		defer mu.Unlock()
		w.done.Others = append(w.done.Others, *other)
		return dst, nil
	}}, func(part documents.Part) error {
		w.unread = append(w.unread, slices.DeleteFunc(part.Errors, isGone)...)
		return nil
	})
	if err == nil && len(w.unread) > 0 {
		err = unreadable(w.unread)
	}
	slices.SortFunc(w.done.Others, func(a, b Other) int { return strings.Compare(a.Path, b.Path) })
	return err
}

// isOwn reports whether a path is that of a document that changes.
func (w *work) isOwn(in string) bool {
	return slices.ContainsFunc(w.shift.Docs, func(d links.Shifted) bool { return d.Before != nil && d.Before.Path == in })
}

// other returns what becomes of the links of another document, nil if nothing does.
func (w *work) other(ctx context.Context, in, at string, doc *markdown.Document) (*Other, error) {
	page := links.NewPage(in, doc)
	splices, lost := w.shift.KeepIn(page, page, doc.Source)
	if len(splices)+len(lost) == 0 {
		return nil, nil //nolint:nilnil // nothing is what becomes of it
	}
	o := &Other{Path: at, Links: len(splices)}
	for _, i := range lost {
		o.lost = append(o.lost, Place{at, page.Links[i].Line, page.Links[i].Destination})
	}
	for _, s := range splices {
		o.places = append(o.places, Place{at, doc.LineAt(s.Span.Start), string(doc.Text(s.Span))})
	}
	if len(lost) > 0 || w.Links != UpdateLinks {
		return o, nil
	}
	if err := w.Docs.Work.HoldBytes(documents.EditBytes(doc), doc); err != nil {
		return nil, err
	}
	added := bytesOf(splices)
	if added > manyDestinations {
		w.turn.Lock()
		defer w.turn.Unlock()
	}
	lease, err := w.Docs.Work.Borrow(copiesOfDestinations*added, nil)
	if err != nil {
		return nil, err
	}
	if err := w.put(ctx, o, page, doc, splices); err != nil {
		lease.Release()
		return nil, err
	}
	if lease != nil {
		lease.Shrink(added)
		w.Docs.Work.Hold(lease)
	}
	return o, nil
}

// put puts new destinations into another document, and proves them.
func (w *work) put(ctx context.Context, o *Other, page *links.Page, doc *markdown.Document, splices []links.Splice) (err error) {
	l, size := w.Docs.Work.Ceiling(), len(doc.Source)
	if o.Before, err = doc.ReparseContext(ctx, bytes.Clone(doc.Source), l.Limits(size)); err != nil { // it outlasts this call
		return l.Explained(err, size)
	}
	if o.Result, err = edit.Unchanged(o.Before).Also(ctx, editsOf(splices), l.Limits(size)); err != nil {
		return l.Explained(err, size)
	}
	now := links.NewPage(page.Path, o.Result.Doc)
	if more, lost := w.shift.KeepIn(page, now, o.Result.Doc.Source); len(more)+len(lost) > 0 {
		return unproved(o.Path)
	}
	return nil
}

// found yields the paths of all documents, as they are now.
func (w *work) found(ctx context.Context) iter.Seq2[string, error] {
	all := w.others
	if all.Workspace != nil {
		all.Paths = nil
	}
	return all.Find(ctx)
}

// stateOf returns what tells whether a document was made, changed or removed, and the first of the errors
// of the system, such as too many open files, for which it may tell that though none was.
func (w *work) stateOf(ctx context.Context) (state [sha256.Size]byte, blind, err error) {
	h := sha256.New()
	for path, failed := range w.found(ctx) {
		var info fs.FileInfo
		if failed == nil {
			info, failed = w.others.Stat(path)
		}
		if failed != nil {
			if e := replies.ErrorAbout(path, failed); blind == nil && e.Code == replies.CodeIOError {
				blind = e
			}
			_, _ = fmt.Fprintf(h, "%q\n", path)
			continue
		}
		_, _ = fmt.Fprintf(h, "%q %d %d %d\n", path, info.Size(), info.ModTime().UnixNano(), fileinfo.ChangeTime(info).UnixNano())
	}
	if err := ctx.Err(); err != nil {
		return state, nil, err
	}
	return [sha256.Size]byte(h.Sum(nil)), blind, nil
}
