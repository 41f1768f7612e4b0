package finding

import (
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A pass looks at all documents: one goroutine finds them, and one for each processor reads
// them, in the order in which they are found.

// perJob is the number of documents that are handed over at once.
const perJob = 16

// job is some documents to look at.
type job struct {
	first int // number of the first
	paths []string
}

// pass is what a pass over all documents has come to.
type pass struct {
	paths  []string
	others int              // documents that are not wanted
	unread int              // paths whose document could not be looked at
	failed []*replies.Error // those, and what has no path
}

// looker looks at documents in one goroutine.
type looker interface {
	// look looks at a document.
	look(number int, path string, src []byte, parse func([]byte) (*markdown.Document, error)) error
	// lookPart looks at a part of a document beyond the limit, which has a version.
	lookPart(number int, path string, part *documents.DocumentPart, version uint64, parse func([]byte) (*markdown.Document, error)) error
}

// each looks at all documents whose path is wanted, each by one of the lookers.
func (s *searching) each(wanted func(path string) bool, newLooker func() looker) (*pass, error) {
	p, err := s.lookAt(s.docs.Find(s.ctx), wanted, newLooker)
	if err != nil {
		return nil, err
	}
	return p, s.checkPass(p)
}

// lookAt looks at documents whose path is wanted, each by one of the lookers.
func (s *searching) lookAt(paths iter.Seq2[string, error], wanted func(path string) bool, newLooker func() looker) (*pass, error) {
	p := &pass{}
	jobs := make(chan job, 4)
	var (
		mu       sync.Mutex
		workers  sync.WaitGroup
		panicked any
	)
	fail := func(path string, err error, unread int) {
		mu.Lock()
		defer mu.Unlock()
		p.unread += unread
		p.failed = append(p.failed, replies.ErrorAbout(replies.DisplayPath(path), err))
	}
	for range runtime.GOMAXPROCS(0) {
		l := newLooker()
		workers.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					mu.Lock()
					panicked = fmt.Errorf("%v\n\n%s", r, debug.Stack())
					mu.Unlock()
					for range jobs { // who finds documents must not wait for ever
					}
				}
			}()
			w := s.docs.Worker()
			defer w.Close()
			for j := range jobs {
				for i, path := range j.paths {
					if s.ctx.Err() != nil {
						break
					}
					if err := s.lookAtOne(l, w, j.first+i, path); err != nil {
						fail(path, err, 1)
					}
				}
			}
		})
	}
	next := job{}
	for path, err := range paths {
		switch {
		case err != nil:
			fail(path, err, 0)
			continue
		case wanted != nil && !wanted(replies.DisplayPath(path)):
			p.others++
			continue
		}
		p.paths = append(p.paths, path)
		if next.paths = append(next.paths, path); len(next.paths) == perJob {
			jobs <- next
			next = job{first: len(p.paths)}
		}
	}
	jobs <- next
	close(jobs)
	workers.Wait()
	if panicked != nil {
		panic(panicked) // here whoever asked can recover from it
	}
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// lookAtOne looks at one document.
func (s *searching) lookAtOne(l looker, w *documents.Worker, number int, path string) error {
	src, err := w.Source(path)
	if large := s.docs.Large(path, err); large != nil {
		return s.lookAtParts(l, number, path, large)
	}
	if err != nil {
		return err
	}
	return l.look(number, replies.DisplayPath(path), src, w.Parsed)
}

// lookAtParts looks at a document beyond the limit.
func (s *searching) lookAtParts(l looker, number int, path string, large *documents.Abridged) error {
	stamp, err := large.Stamp()
	if err != nil {
		return err
	}
	version := versionOfStamp(stamp)
	doc, err := large.Parts(s.ctx, func(part *documents.DocumentPart) (found bool, err error) {
		err = l.lookPart(number, replies.DisplayPath(path), part, version, func([]byte) (*markdown.Document, error) {
			found = true
			return part.Parse(s.ctx, s.docs.Work.Options())
		})
		return found, err
	})
	if doc != nil {
		s.abridged.Store(documentState{path, version}, &abridged{doc, large})
	}
	return err
}

// abridged is a document beyond the limit, with what reads its texts.
type abridged struct {
	doc  *markdown.Document
	from *documents.Abridged
}

// documentState is a state of a document.
type documentState struct {
	path    string
	version uint64
}

// versionOfStamp returns what tells a state of a large file from others.
func versionOfStamp(stamp documents.Stamp) uint64 { return maphash.Comparable(seed, stamp) }

// checkPass returns an error if there was nothing to look at: that is not the same as nothing
// that was found.
func (s *searching) checkPass(p *pass) error {
	if p.unread < len(p.paths) {
		return nil
	}
	switch {
	case len(p.failed) > 0:
		return p.failed[0]
	case p.others > 0:
		return &replies.Error{Code: string(fileerror.NoMatches), Message: replies.Say("none of %s has a path that the query names with \"path:\"; change it, or leave it out", replies.Plural(p.others, "document"))}
	}
	return &replies.Error{Code: string(fileerror.NotFound), Message: replies.Say("there is no Markdown document to search; name a folder that has some")}
}

// seed is that of the versions of documents, which live as long as a request.
var seed = maphash.MakeSeed() //nolint:gochecknoglobals // a constant

// versionOf returns what tells a text from all others.
func versionOf(src []byte) uint64 { return maphash.Bytes(seed, src) }

// opened is a document as it is now.
type opened struct {
	path   string
	doc    *markdown.Document
	named  *replies.Named      // what names its sections
	wanted map[int]bool        // the sections whose lines are asked for; nil for all
	lines  map[int]*matching   // of each section, if a finder has found them
	large  *documents.Abridged // reads texts, if the document is abridged
}

// open reads a document again. The error is errChanged if it is not the one that was searched.
func (s *searching) open(w *documents.Worker, h *hit) (*opened, error) {
	src, large, err := s.read(w, h)
	switch {
	case err != nil:
		return nil, err
	case large != nil:
		return s.openLarge(h, large)
	}
	doc, err := w.Parsed(src)
	if err != nil {
		return nil, replies.ErrorAbout(replies.DisplayPath(h.path), err)
	}
	return openedOf(h.path, doc), nil
}

// read reads the text of a document again, or returns what reads it if it is beyond the limit.
// The error is errChanged if it is not the one that was searched.
func (s *searching) read(w *documents.Worker, h *hit) (src []byte, large *documents.Abridged, err error) {
	src, err = w.Source(h.path)
	if large = s.docs.Large(h.path, err); large != nil {
		if stamp, err := large.Stamp(); err != nil || versionOfStamp(stamp) != h.version {
			return nil, nil, errChanged
		}
		return nil, large, nil
	}
	if _, ok := errors.AsType[*fileerror.Error](err); ok {
		return nil, nil, errChanged // it was read a moment ago
	}
	if err == nil && versionOf(src) != h.version {
		err = errChanged
	}
	return src, nil, err
}

// openLarge is open for a document beyond the limit.
func (s *searching) openLarge(h *hit, large *documents.Abridged) (_ *opened, err error) {
	a := &abridged{from: large}
	if kept, ok := s.abridged.Load(documentState{h.path, h.version}); ok {
		a = kept.(*abridged) //nolint:forcetypeassert // the map holds nothing else
	} else if a.doc, err = large.Open(); err != nil {
		return nil, replies.ErrorAbout(replies.DisplayPath(h.path), err)
	}
	d := openedOf(h.path, a.doc)
	d.large = a.from
	return d, nil
}

// openedOf returns a document as one that is opened.
func openedOf(path string, doc *markdown.Document) *opened {
	return &opened{path: path, doc: doc, named: replies.NewNamed(doc)}
}
