package documents

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// Documents that are too large to be kept are read and parsed once for all requests
// that want the same at the same time: the first one starts, and the others compare
// the file with what was read. The work has a context of its own, which ends when the
// last of them has gone away.

// flights are the large documents that are in use, by the names of their files.
type flights struct {
	mu  sync.Mutex
	all map[string]*flight
}

// flight is a large document that is being read and parsed, or in use.
type flight struct {
	of    *flights
	name  string
	users int // under of.mu

	end      context.CancelFunc
	reserved chan struct{} // closed when there is memory for it, or the flight is over
	read     chan struct{} // closed when the source is there, or the flight is over
	done     chan struct{} // closed when it is over: then doc, turns and err are there

	source []byte
	lease  *Lease
	doc    *markdown.Document
	turns  *semaphore.Weighted // of users who make an answer, for whom there is memory
	err    error
}

// use is a user's turn in a flight.
type use struct{ *flight }

// Release ends the turn and the use.
func (u use) Release() {
	u.turns.Release(1)
	u.release()
}

// Shrink is there for Reservation: a flight gives back itself what it needs no more.
func (u use) Shrink(int64) {}

// join returns the flight of the name for another user, who must release it. If there
// is none but the other one, whose file has changed since, it begins one, and the user
// is its first.
func (f *flights) join(ctx context.Context, name string, other *flight, work func(context.Context, *flight)) (joined *flight, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if there := f.all[name]; there != nil && there != other {
		there.users++
		return there, false
	}
	ctx, end := context.WithCancel(context.WithoutCancel(ctx))
	begun := &flight{of: f, name: name, users: 1, end: end, reserved: make(chan struct{}), read: make(chan struct{}), done: make(chan struct{})}
	if f.all == nil {
		f.all = map[string]*flight{}
	}
	f.all[name] = begun
	go begun.run(ctx, work)
	return begun, true
}

// run does the work, and gives back what it has if everybody has gone meanwhile.
func (f *flight) run(ctx context.Context, work func(context.Context, *flight)) {
	defer func() {
		if f.lease == nil {
			close(f.reserved)
		}
		if f.source == nil {
			close(f.read)
		}
		f.of.mu.Lock()
		close(f.done)
		f.of.mu.Unlock()
		f.giveBack()
	}()
	f.err = errUnparsed // if the next line panics
	work(ctx, f)
}

// has sets the source.
func (f *flight) has(source []byte) {
	f.source = source
	close(f.read)
}

// release ends the use of one user.
func (f *flight) release() {
	f.of.mu.Lock()
	f.users--
	if f.users == 0 {
		f.end()
		if f.of.all[f.name] == f {
			delete(f.of.all, f.name)
		}
	}
	f.of.mu.Unlock()
	f.giveBack()
}

// giveBack gives back what is reserved if nobody needs it any more.
func (f *flight) giveBack() {
	var l *Lease
	f.of.mu.Lock()
	select {
	case <-f.done: // before, the others are still written
		if f.users == 0 {
			l = f.lease
			f.lease, f.doc, f.source = nil, nil, nil
		}
	default:
	}
	f.of.mu.Unlock()
	l.Release()
}

// wait waits until something is closed or the context ends.
func wait(ctx context.Context, on <-chan struct{}) error {
	select {
	case <-on:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// openShared returns the parse of a large document, which is valid until the
// reservation is released.
func (w *Workspace) openShared(work *Work, path string, size int64) (*markdown.Document, Reservation, error) {
	name, err := w.roots.Name(path)
	if err != nil {
		return nil, nil, err
	}
	if work.leave != nil {
		work.leave()
	}
	read := func(ctx context.Context, f *flight) { w.fly(ctx, f, work, path, size) }
	var other *flight
	for {
		f, first := w.flights.join(work.ctx, name, other, read)
		if err := work.patiently(work.ctx, func(ctx context.Context) error { return wait(ctx, f.reserved) }); err != nil {
			f.release()
			return nil, nil, err
		}
		if !first {
			same, err := w.holdsStill(work.ctx, f, path)
			if err != nil {
				f.release()
				return nil, nil, err
			}
			if !same {
				f.release()
				other = f
				continue
			}
		}
		if err := wait(work.ctx, f.done); err != nil {
			f.release()
			return nil, nil, err
		}
		if err := f.err; err != nil {
			f.release()
			if !first && errors.Is(err, errCrowded) { // its first user held others
				other = f
				continue
			}
			return nil, nil, err
		}
		if err := work.acquire(work.ctx, f.turns, 1); err != nil {
			f.release()
			return nil, nil, err
		}
		return f.doc, use{f}, nil
	}
}

// fly reads and parses the document of a flight, which the request begins.
func (w *Workspace) fly(ctx context.Context, f *flight, work *Work, path string, size int64) {
	l, err := w.memory.reserveLarge(ctx, work, size)
	if err != nil {
		f.err = err
		return
	}
	f.lease = l
	close(f.reserved)
	reader := textfile.Reader{Admit: func(now int64) error {
		if now > size {
			return ErrGrown
		}
		return nil
	}}
	src, err := w.roots.Read(&reader, path)
	if err != nil {
		f.err = err
		return
	}
	f.has(src)
	w.cache.count(false)
	f.doc, f.err = l.Parse(ctx, new(markdown.Parser), src)
	if f.err == nil {
		shared := int64(len(src)) + int64(parseBytes(f.doc))
		answer := printBytes(f.doc) - shared
		turns := min(max((l.bytes-shared)/answer, 1), int64(max(2, runtime.GOMAXPROCS(0))))
		l.Shrink(shared + turns*answer)
		f.turns = semaphore.NewWeighted(turns)
	}
}

// ErrGrown says that a file has more bytes than it had a moment ago.
var ErrGrown = &replies.Error{Code: replies.CodeIOError, Message: replies.Say("the file grows while it is read; try again")}

// holdsStill reports whether the file at path holds the source of a flight.
func (w *Workspace) holdsStill(ctx context.Context, f *flight, path string) (bool, error) {
	if err := wait(ctx, f.read); err != nil {
		return false, err
	}
	f.of.mu.Lock()
	source := f.source
	f.of.mu.Unlock()
	if source == nil { // it has failed
		return false, nil
	}
	reader := textfile.Reader{Known: source, Admit: func(int64) error { return errOther }}
	_, err := w.roots.Read(&reader, path)
	if errors.Is(err, errOther) {
		return false, nil
	}
	return err == nil, err
}

// errOther says that a file holds something else.
var errOther = errors.New("the file holds something else")
