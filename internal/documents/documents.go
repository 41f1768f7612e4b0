package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// Requests about many documents: a folder is walked by one goroutine while
// others read, parse and render what it has found, some files at a time; the
// results are handed over in the order of the walk, so that the same request
// always gives the same reply.

// Stdin is the path that stands for Documents.Stdin.
const Stdin = "-"

// WalkOptions say what a walk of a folder leaves out. The zero value is what people mean.
type WalkOptions = files.WalkOptions

// Set says which documents a request is about.
type Set struct {
	// Paths are files, folders (their Markdown files), patterns, or Stdin.
	Paths []string
	// Part is the address of the section that the request is about, in the one document of
	// Paths; empty for all of it.
	Part string
	// Stdin is what the path Stdin is read from.
	Stdin io.Reader
	kept  *keptStdin // nil if nothing is kept of it
	// unfound says by path why one is that of no document, as far as a page has found it.
	unfound map[string]error
	// Guide returns the text of a document of guides by its address, which is then a path that
	// stands for it; nil where there are none.
	Guide func(work *Work, uri string) ([]byte, error)
	// Walk says what folders and patterns leave out; of a workspace, what they don't leave out
	// beside what it has of its own.
	Walk WalkOptions
	// MaxBytes is the size beyond which a document is refused; 0 means 64 MiB.
	MaxBytes int64
	// Workspace, if there is one, opens the documents: below its roots alone, and
	// within its own limit. Paths are those of files, and Stdin stands for none.
	Workspace *Workspace
	// Work is the request that the documents are opened for, within whose budget they
	// must stay; nil for no budget. What it reserves for a document it holds until it
	// ends, unless the document is needed for a part of it only.
	Work *Work
	// Session remembers what is delivered of the documents; nil for nobody.
	Session *session.Session
	// Reader is who has the session.
	Reader Reader
	// Marks draws the marks of replies with several parts; nil for replies without.
	Marks *replies.Marks
	// Broken returns what reports whether a link of the document at path, which is one of the
	// set, leads nowhere; nil where nobody knows.
	Broken func(d Set, path string, doc *markdown.Document) func(*markdown.Link) bool
	// Progress is called now and then while many documents are worked on, with
	// the number of those that are done and of all. It may be nil.
	Progress func(done, total int)
}

// Resolver returns what resolves addresses in the document at path.
func (d *Set) Resolver(path string, doc *markdown.Document) address.Resolver {
	r := address.Resolver{Doc: doc, Reserve: func(bytes int) (func(), error) {
		l, err := d.Work.borrowBeside(int64(bytes), doc)
		return l.Release, err
	}}
	if d.Broken != nil && !IsGuide(path) { // its links lead on from another place
		var judge func(*markdown.Link) bool // made when it is needed
		r.Broken = func(l *markdown.Link) bool {
			if judge == nil {
				judge = d.Broken(*d, path, doc)
			}
			return judge(l)
		}
	}
	return r
}

// TellProgress tells how far the work is.
func (d *Set) TellProgress(done, total int) {
	if d.Progress != nil {
		d.Progress(done, total)
	}
}

// CheckNew refuses a document that could not be written at path, and a path at which nothing is ever
// written, as a change that writes it would; nil is a document that is removed.
func (d *Set) CheckNew(path string, doc *markdown.Document) error {
	if _, err := d.Host(path); errors.Is(err, files.ErrProtected) { // another error may be that of a folder that isn't made yet
		return err
	}
	limit := d.MaxBytes
	if d.Workspace != nil {
		limit = d.Workspace.limit
	}
	if doc == nil {
		return nil
	}
	return textfile.CheckNew(path, doc.Source, limit)
}

// Worker returns memory to read and parse the documents in.
func (d *Set) Worker() *Worker {
	return &Worker{Reader: textfile.Reader{Limit: d.MaxBytes}, stdin: d.Stdin, kept: d.kept, guide: d.Guide, unfound: d.unfound, workspace: d.Workspace, work: d.Work}
}

// Open reads and parses the document at path. It stays valid, and is reserved until
// the request ends, with what an answer of any length takes, which may have all of its text.
func (d *Set) Open(path string) (*markdown.Document, error) {
	w := d.Worker()
	doc, err := w.open(path)
	switch {
	case err != nil:
		w.Close()
	case w.reserved != nil:
		w.reserved.Shrink(printBytes(doc) + copiesOfText*int64(len(doc.Source)))
		d.Work.Hold(w.reserved)
	}
	return doc, err
}

// OpenKept is [Set.Open] for a document of which much is made: no more stays reserved for it than it
// takes, and what is made of it must be reserved.
func (d *Set) OpenKept(path string) (*markdown.Document, error) {
	w := d.Worker()
	defer w.Close()
	doc, err := w.open(path)
	if err != nil {
		return nil, err
	}
	return w.Kept(doc)
}

// Part is a piece of a reply. The pieces follow each other in the order of the
// documents.
type Part struct {
	Text   []byte           // valid until the function that it is passed to returns
	Errors []*replies.Error // of the documents that could not be read, if Text doesn't hold them
	Failed int              // the number of those documents
	Files  int              // the number of documents so far
}

// Renderer writes the reply for a document.
type Renderer struct {
	// Document appends what is asked for of doc, which is valid until it
	// returns.
	Document func(dst []byte, doc *markdown.Document, path string) ([]byte, error)
	// Errors says that errors are part of the text, as JSON.
	Errors bool
	// Abridged takes of documents beyond the limit their headings.
	Abridged bool
}

// perJob is the number of files that a worker takes at once: handing over one by
// one costs more than reading a small file.
const perJob = 32

// perJobText is the number of bytes that the text of so many documents often has, and little
// more than that: two kilobytes each.
const perJobText = 2 << 10 * perJob

// job is some of the documents, and what became of them.
type job struct {
	paths []string
	errs  []error // by path: why it can't be opened, or nil
	part  Part
	panic any // what a worker panicked with, or nil
	done  chan struct{}

	leases   []*Lease // of the part's text
	reserved int64    // bytes of these
}

// isMuch reports whether so many bytes for a text are much beside the budget.
func (w *Work) isMuch(bytes int64) bool {
	const part = 4
	return w != nil && w.memory != nil && bytes > max(smallExtra, w.memory.pools[large].size/part)
}

// Worker is the memory that a goroutine reads and parses in.
type Worker struct {
	Reader    textfile.Reader
	parser    markdown.Parser
	stdin     io.Reader
	kept      *keptStdin
	guide     func(*Work, string) ([]byte, error)
	unfound   map[string]error
	workspace *Workspace
	work      *Work
	reserved  Reservation // for the document that was opened last; nil for none
}

// Each renders every document and calls emit with the parts of the reply, one
// after another. It returns the first error of emit, or that of the context.
func (d Set) Each(ctx context.Context, r Renderer, emit func(Part) error) error {
	ctx, cancel := context.WithCancel(ctx)
	workers := runtime.GOMAXPROCS(0)
	todo := make(chan *job, workers)
	order := make(chan *job, 4*workers)
	free := make(chan *job, 4*workers)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() {
		defer close(order)
		defer close(todo)
		d.find(ctx, free, func(j *job) bool { return send(ctx, order, j) && send(ctx, todo, j) })
	})
	for range workers {
		running.Go(func() {
			w := d.Worker()
			defer w.Close()
			for j := range todo {
				w.run(ctx, j, r)
				close(j.done)
			}
		})
	}
	n := 0
	for j := range order {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.panic != nil {
			panic(j.panic) // here whoever asked can recover from it
		}
		n += len(j.paths)
		j.part.Files = n
		if err := emit(j.part); err != nil {
			return err
		}
		j.release()
		select {
		case free <- j:
		default:
		}
	}
	return ctx.Err()
}

// send sends j unless the context ends first.
func send(ctx context.Context, to chan<- *job, j *job) bool {
	select {
	case to <- j:
		return true
	case <-ctx.Done():
		return false
	}
}

// find calls take with the documents, in jobs: those that are free, or new ones.
func (d Set) find(ctx context.Context, free <-chan *job, take func(*job) bool) {
	j := newJob(free)
	for path, err := range d.paths() {
		j.paths = append(j.paths, path)
		j.errs = append(j.errs, err)
		if len(j.paths) == perJob {
			if ctx.Err() != nil || !take(j) {
				return
			}
			j = newJob(free)
		}
	}
	if len(j.paths) > 0 {
		take(j)
	}
}

// paths yields the paths of the documents, and why one can't be found.
func (d *Set) paths() iter.Seq2[string, error] {
	if d.Workspace == nil && (d.Guide == nil || !slices.ContainsFunc(d.Paths, IsGuide)) {
		return files.Find(d.Paths, d.Walk)
	}
	return func(yield func(string, error) bool) {
		for i, path := range d.Paths {
			if d.Workspace == nil && !IsGuide(path) {
				for found, err := range files.Find(d.Paths[i:i+1], d.Walk) {
					if !yield(found, err) {
						return
					}
				}
			} else if !yield(path, nil) {
				return
			}
		}
	}
}

// newJob returns an empty job, in the memory of a free one if there is any.
func newJob(free <-chan *job) *job {
	select {
	case j := <-free:
		*j = job{paths: j.paths[:0], errs: j.errs[:0], done: make(chan struct{}), part: Part{Text: j.part.Text[:0]}}
		return j
	default:
		return &job{done: make(chan struct{})}
	}
}

// run reads, parses and renders the documents of a job.
func (w *Worker) run(ctx context.Context, j *job, r Renderer) {
	defer func() {
		if p := recover(); p != nil {
			j.panic = fmt.Errorf("%v\n\n%s", p, debug.Stack())
		}
	}()
	if len(j.paths) == perJob && j.part.Text == nil {
		j.part.Text = make([]byte, 0, perJobText) // a buffer that grows leaves what it was behind
	}
	for i, path := range j.paths {
		if ctx.Err() != nil {
			return
		}
		err := j.errs[i]
		if err == nil {
			err = w.document(j, path, r)
		}
		if err == nil {
			continue
		}
		e := replies.ErrorAbout(path, err)
		j.part.Failed++
		if r.Errors {
			j.part.Text = replies.AppendError(j.part.Text, e)
		} else {
			j.part.Errors = append(j.part.Errors, e)
		}
	}
}

// document adds what is asked for of the document at path to the job's part.
func (w *Worker) document(j *job, path string, r Renderer) error {
	open := w.open
	if r.Abridged && path != Stdin {
		open = w.openHeadings
	}
	doc, err := open(path)
	if err != nil {
		return err
	}
	if more := titlesInJSON(doc); doc.Abridged() && w.work.isMuch(more) { // what is reserved is what they take by themselves
		l, err := w.work.Borrow(more, nil)
		if err != nil {
			return err
		}
		defer l.Release()
	}
	text, err := r.Document(j.part.Text, doc, replies.DisplayPath(path))
	if err == nil {
		err = j.hold(w, text)
	}
	if err != nil {
		return err
	}
	j.part.Text = text
	return nil
}

// hold reserves memory for the text of the part until it is handed over, as a part of that for the document,
// which is done. What is little beside the budget isn't counted: whoever holds something doesn't wait long
// for more.
func (j *job) hold(w *Worker, text []byte) error {
	more := int64(cap(text)) - j.reserved
	if !w.work.isMuch(more) {
		return nil
	}
	if l, ok := w.reserved.(*Lease); ok && l != nil && l.bytes >= more {
		l.Shrink(more)
		w.work.Hold(l)
		w.reserved, j.leases, j.reserved = nil, append(j.leases, l), j.reserved+more
		return nil
	}
	w.Close()
	l, err := w.work.Borrow(more, nil)
	if l != nil {
		w.work.Hold(l)
		j.leases, j.reserved = append(j.leases, l), j.reserved+more
	}
	return err
}

// release gives back what is reserved for the text, which is gone with it.
func (j *job) release() {
	if len(j.leases) == 0 {
		return
	}
	for _, l := range j.leases {
		l.Release()
	}
	j.leases, j.reserved, j.part.Text = nil, 0, nil
}

// Close gives back what is reserved for the document that was opened last.
func (w *Worker) Close() {
	if w.reserved != nil {
		w.reserved.Release()
		w.reserved = nil
	}
}

// open reads and parses the document at path. It is valid until the next call.
func (w *Worker) open(path string) (doc *markdown.Document, err error) {
	if err := w.unfound[path]; err != nil {
		return nil, err
	}
	if w.workspace != nil {
		w.shrink()
		w.Close()
		doc, w.reserved, err = w.workspace.Open(w.work, path)
		return doc, err
	}
	src, err := w.Source(path)
	if err != nil {
		return nil, err
	}
	if doc, err = w.Parsed(src); err != nil {
		return nil, err
	}
	l := w.taken()
	if l == nil {
		return doc, nil
	}
	l, err = w.work.Enough(l, l.readBytesWithin(doc, printedBytes(doc)), doc)
	if l != nil {
		w.reserved = l
	}
	return doc, err
}

// Open reads and parses the document at path. It is valid until the next call.
func (w *Worker) Open(path string) (*markdown.Document, error) { return w.open(path) }

// Keep gives back the slot of the document that was opened last, which stays valid while another
// worker of the request opens others: see [Work.Keep].
func (w *Worker) Keep() {
	if w.reserved != nil {
		w.work.keep(w.reserved)
	}
}

// Kept returns the document that was opened last as one that is still valid when the
// worker goes on to the next one: what a workspace opens is, of others a copy in memory
// of just its size. It stays reserved until the request ends, with no more than it
// takes.
func (w *Worker) Kept(doc *markdown.Document) (*markdown.Document, error) {
	if w.workspace == nil {
		var err error
		l, _ := w.reserved.(*Lease)
		if doc, err = markdown.ParseContext(w.work.Context(), bytes.Clone(doc.Source), doc.Options(), l.Limits(len(doc.Source))); err != nil {
			return nil, l.Explained(err, len(doc.Source))
		}
	}
	if r := w.reserved; r != nil {
		r.Shrink(readBytes(doc))
		w.work.Hold(r)
		w.reserved = nil
	}
	return doc, nil
}

// IsMany reports whether a path may stand for more than one document: a folder
// or a pattern.
func IsMany(path string) bool { return path != Stdin && !IsGuide(path) && files.IsMany(path) }

// IsGuide reports whether a path is the address of a document of guides.
func IsGuide(path string) bool {
	const scheme = "guide://"
	return strings.EqualFold(path[:min(len(path), len(scheme))], scheme)
}

// Count returns the number of documents, or of those that were found when the
// context ended.
func Count(ctx context.Context, docs Set) int {
	n := 0
	for range docs.paths() { //nolint:errcheck // what can't be found is counted too: it has its place in a reply
		if ctx.Err() != nil {
			break
		}
		n++
	}
	return n
}
