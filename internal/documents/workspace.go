package documents

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// Workspace is what a server may read: the documents below its roots. It keeps
// parses (cache.go) and is safe for concurrent use.
type Workspace struct {
	roots   *files.Roots
	cache   *parseCache
	readers sync.Pool // of *textfile.Reader, for their buffers
	limit   int64     // of the bytes of a document; 0 is that of files
	memory  *Memory
	flights flights
	tell    Told // nil for nobody
}

// maxPooledRead is the number of bytes of a document up to which the memory that
// it was read into is kept for the next one.
const maxPooledRead = 4 << 20

// Options say which documents a workspace holds.
type Options struct {
	// Roots are the folders whose documents can be reached; none means the
	// working directory.
	Roots []string
	// AllowBroadRoot allows the root of the file system and the home folder.
	AllowBroadRoot bool
	// TextFiles allows UTF-8 files that are no Markdown, outside of dot-folders.
	TextFiles bool
	// Walk says what lists of documents leave out.
	Walk WalkOptions
	// MaxBytes is the size beyond which a document is refused; 0 means 64 MiB.
	MaxBytes int64
	// MaxMemory is the budget of memory of the process in bytes, at least MinMaxMemory;
	// 0 means DefaultMaxMemory. RuleMemory makes the runtime keep to it, which is for a
	// process that has one server.
	MaxMemory  int64
	RuleMemory bool
	// Dialect is that of the anchors of all documents.
	Dialect markdown.Dialect
	// Headings are markers of headings that are the user's own; nil for none.
	Headings *headings.Set
	// Unwritten are files of the host that are read like others and never written.
	Unwritten []string
}

// OpenWorkspace opens the roots that the options name. The error is an *Error.
func OpenWorkspace(o Options) (*Workspace, error) {
	roots, err := files.OpenRoots(o.Roots, files.RootOptions{
		Broad: o.AllowBroadRoot, TextFiles: o.TextFiles, Walk: o.Walk, Limit: o.MaxBytes, Unwritten: o.Unwritten,
	})
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	memory := NewMemory(o.MaxMemory)
	w := &Workspace{roots: roots, cache: newParseCache(int(min(cacheBytes, memory.limit/32))), memory: memory, limit: o.MaxBytes}
	memory.kept = func() int { return w.CacheStats().Bytes }
	memory.Read(o.Dialect, o.Headings)
	if o.RuleMemory {
		w.memory.Rule()
		allowGarbage()
	}
	w.readers.New = func() any { return new(textfile.Reader) }
	return w, nil
}

// Told has tell called with what readers are shown. It is set before the first request.
func (w *Workspace) Told(tell Told) { w.tell = tell }

// FileRoots returns the roots of a workspace, nil if there is none.
func (w *Workspace) FileRoots() *files.Roots {
	if w == nil {
		return nil
	}
	return w.roots
}

// Close closes the roots.
func (w *Workspace) Close() error { return w.roots.Close() }

// Roots returns the absolute paths of the folders whose documents can be reached.
func (w *Workspace) Roots() []string {
	dirs := w.roots.Dirs()
	for i, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			dirs[i] = abs
		}
	}
	return dirs
}

// NameOf returns what a file of the host is called below the roots, whether it is there or
// missing, and whether it may be opened or made.
func (w *Workspace) NameOf(host string) (name string, ok bool) {
	called := cmp.Or(w.Called(host), host) // without the path of a root, which may be one that requests can't name
	clean, err := w.roots.Resolve(called)
	if err == nil {
		if w.HasSeveralRoots() { // of which another one may have the same path
			return called, true
		}
		return clean, true
	}
	if e, is := errors.AsType[*fileerror.Error](err); !is || e.Code != fileerror.NotFound || !w.roots.Covers(host) {
		return "", false
	}
	for _, root := range w.roots.RealDirs() {
		if below, err := filepath.Rel(root, host); err == nil && filepath.IsLocal(below) {
			if len(w.roots.Dirs()) > 1 {
				return host, true
			}
			return filepath.ToSlash(below), true
		}
	}
	return "", false
}

// CacheStats returns what the parses that are kept have saved so far.
func (w *Workspace) CacheStats() CacheStats { return w.cache.stats() }

// Begin begins a request; see Memory.Begin.
func (w *Workspace) Begin(ctx context.Context, leave func()) *Work { return w.memory.Begin(ctx, leave) }

// Open reads the document at path and parses it, unless that has been done
// already with the same bytes. The document is valid as long as what is reserved for it.
func (w *Workspace) Open(work *Work, path string) (doc *markdown.Document, reserved Reservation, err error) {
	if work == nil { // nobody tells when the document is no longer needed
		work = w.Begin(context.Background(), nil)
		defer work.End()
		defer func() {
			if reserved != nil {
				reserved.Release()
				reserved = nil
			}
		}()
	}
	doc, reserved, err = w.openAs(work, path, work.Reserve)
	if errors.Is(err, errStrange) {
		return w.openAs(work, path, work.reserveLarge)
	}
	return doc, reserved, err
}

// openAs opens the document at path with what reserve gives for its size. The error is
// errStrange if that is too little and a large document gets more; nothing of the document
// is held then, for hundreds of requests may wait at once.
func (w *Workspace) openAs(
	work *Work, path string, reserve func(size int64) (*Lease, error),
) (doc *markdown.Document, reserved Reservation, err error) {
	var l *Lease
	var spare *textfile.Reader // has no buffer while the reader has it
	size := int64(0)
	reader := textfile.Reader{Limit: w.limit}
	reader.Admit = func(now int64) error {
		size = now
		if err := work.awaitTurn(size); err != nil {
			return err
		}
		if size > maxCacheEntry {
			return errShared
		}
		if l, err = reserve(size); err == nil && spare == nil {
			spare, _ = w.readers.Get().(*textfile.Reader)
			reader.Swap(spare)
		}
		return err
	}
	defer func() {
		if spare != nil && size <= maxPooledRead {
			reader.Swap(spare)
			w.readers.Put(spare)
		}
	}()
	src, err := w.roots.Read(&reader, path)
	if errors.Is(err, errShared) {
		return w.openShared(work, path, size)
	}
	if err != nil {
		l.Release()
		return nil, nil, err
	}
	if l.isStrange(len(src)) {
		doc, err = l.Parse(work.Context(), new(markdown.Parser), bytes.Clone(src))
	} else {
		doc, err = w.cache.parse(work.Context(), l, path, src)
	}
	if err != nil {
		if _, is := errors.AsType[*complexity](err); is && l.most < w.memory.allowance(int64(len(src))) {
			err = errStrange
		}
		l.Release()
		return nil, nil, err
	}
	return doc, l, nil
}

// errStrange says that a document takes more memory than its size tells.
var errStrange = errors.New("it takes more memory than others of its size")

// errShared says that a document is too large to be kept.
var errShared = errors.New("it is shared with other requests")

// Paths returns at most limit paths of documents that contain what is typed, in
// any case, those that begin with it first; and whether there are more.
func (w *Workspace) Paths(ctx context.Context, typed string, limit int) (paths []string, more bool) {
	var begin, inside []string
	folded := bytes.ToLower([]byte(typed))
	for path, err := range w.roots.Find(ctx) {
		if err != nil {
			continue
		}
		switch i := bytes.Index(bytes.ToLower([]byte(path)), folded); {
		case i == 0:
			begin = append(begin, path)
		case i > 0 && len(inside) <= limit:
			inside = append(inside, path)
		}
		if len(begin) > limit {
			break
		}
	}
	paths = slices.Concat(begin, inside)
	if len(paths) > limit {
		return paths[:limit], true
	}
	return paths, false
}

// maxNamed is the number of documents that an error names of a folder.
const maxNamed = 10

// NameDocuments adds to an error about a folder, where a document is expected, the first
// documents in it.
func (w *Workspace) NameDocuments(ctx context.Context, folder string, err error) error {
	typed := strings.TrimPrefix(strings.Trim(folder, "/"), "./") + "/"
	if typed == "./" {
		typed = ""
	}
	paths, more := w.Paths(ctx, typed, maxNamed)
	paths = slices.DeleteFunc(paths, func(path string) bool { return !strings.HasPrefix(path, typed) })
	e := replies.AsError(err)
	if len(paths) == 0 || e == nil {
		return err
	}
	rest := ""
	if more {
		rest = " and others"
	}
	named := *e
	named.Message = named.Message.Then("; its documents: %s%s", replies.Safe(strings.Join(paths, ", ")), rest)
	return &named
}

// Anchors returns at most limit anchors, without #, of the document's headings
// that begin with what is typed, and whether there are more.
func (w *Workspace) Anchors(work *Work, path, typed string, limit int) (anchors []string, more bool) {
	docs := Set{Workspace: w, Work: work}
	doc, err := docs.Open(path)
	if err != nil {
		return nil, false
	}
	return replies.AnchorsOf(doc, typed, limit)
}
