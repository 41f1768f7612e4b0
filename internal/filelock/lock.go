package filelock

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// ID tells a folder from all others.
type ID struct{ Device, File uint64 }

// Lock is a lock on a folder that somebody holds.
type Lock struct {
	id   ID
	hold *Hold
}

// ID returns which folder it is.
func (l *Lock) ID() ID { return l.id }

// File returns the open folder whose lock it is, or nil where the system has no such thing
// (Windows). It is the lock's and must not be closed. A process that inherits it keeps
// others out until it has ended too, though this process ends before it.
func (l *Lock) File() *os.File { return l.hold.file() }

// Patience is how long a lock is waited for at most by whoever sets no limit.
const Patience = 10 * time.Second

// NoticeAfter is how long a lock is waited for before WithNotice tells of it.
const NoticeAfter = time.Second

// noticeKey is the key of the function of WithNotice.
type noticeKey struct{}

// WithNotice returns a context with a function that is called, once each time, when a
// lock has been waited for for a second. It gets the name of the process that has the
// lock, such as "sectile (process 123)", or nothing if the system doesn't tell.
func WithNotice(ctx context.Context, notice func(holder string)) context.Context {
	return context.WithValue(ctx, noticeKey{}, notice)
}

// patienceKey is the key of the time of WithPatience.
type patienceKey struct{}

// WithPatience returns a context whose locks are waited for no longer than for a time: for work
// that can be done later.
func WithPatience(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, d)
}

// endKey is the key of the context of WithEnd.
type endKey struct{}

// WithEnd returns a context whose locks are waited for no longer than until end is done:
// for a program that ends, and has nobody waiting in it who has written nothing yet. Who
// has a lock by then, or needs not wait for it, goes on. The error of one that was given
// up is an *Error that is context.Canceled.
func WithEnd(ctx, end context.Context) context.Context {
	return context.WithValue(ctx, endKey{}, end)
}

// endOf returns the context of WithEnd, or one that is never done.
func endOf(ctx context.Context) context.Context {
	if end, ok := ctx.Value(endKey{}).(context.Context); ok {
		return end
	}
	return context.Background()
}

// Error says why a folder isn't locked.
type Error struct {
	// Reason says so, a sentence without a full stop; empty if the system has refused it.
	Reason string
	// Hint is the way out.
	Hint string
	// Opening says that the folder can't even be opened.
	Opening bool
	Err     error
}

// Error returns the reason, or what the system says.
func (e *Error) Error() string { return cmp.Or(e.Reason, e.Err.Error()) }

// Unwrap returns what the system or the context says.
func (e *Error) Unwrap() error { return e.Err }

// Acquire waits for the lock on an open folder: for nine tenths of the time that the
// context has, so that there is some left to say what was waited for; or, if that has no
// end, for Patience; no longer than WithPatience says, and until the end of WithEnd. The error is the context's or an *Error,
// which is the context's DeadlineExceeded too if it was waited for in vain.
func Acquire(ctx context.Context, folder *os.Root, id ID) (l *Lock, err error) {
	err = patiently(ctx, func() string { return holderOf(id) }, func(ctx context.Context) error {
		l, err = acquireWithin(ctx, folder, id)
		return err
	})
	return l, err
}

// patiently takes a lock as Acquire does; holder returns who has it.
func patiently(ctx context.Context, holder func() string, take func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	patience := Patience
	if end, ok := ctx.Deadline(); ok {
		patience = time.Until(end) * 9 / 10
	}
	if most, ok := ctx.Value(patienceKey{}).(time.Duration); ok {
		patience = min(patience, most)
	}
	timed, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	end := endOf(ctx)
	defer context.AfterFunc(end, cancel)()
	if notice, ok := ctx.Value(noticeKey{}).(func(string)); ok {
		timer := time.AfterFunc(NoticeAfter, func() { notice(holder()) })
		defer timer.Stop()
	}
	err := take(timed)
	if err != nil && ctx.Err() == nil && end.Err() != nil && errors.Is(err, context.Canceled) {
		return ended(holder())
	}
	if timed.Err() == nil || err == nil || errors.Is(ctx.Err(), context.Canceled) || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return inVain(holder(), patience)
}

// inVain returns the error for a lock that was waited for in vain.
func inVain(holder string, patience time.Duration) *Error {
	who := cmp.Or(holder, "another program")
	waited := patience.Round(100 * time.Millisecond)
	if waited == 0 {
		waited = patience.Round(time.Millisecond)
	}
	return &Error{
		Reason: fmt.Sprintf("its folder is locked by %s, and was so for %v", who, waited),
		Hint:   "try again, or end that if it hangs", Err: context.DeadlineExceeded,
	}
}

// ended returns the error for a lock that is waited for no longer: the program ends.
func ended(holder string) *Error {
	return &Error{
		Reason: fmt.Sprintf("its folder is locked by %s, and this program was told to end", cmp.Or(holder, "another program")),
		Hint:   "try again", Err: context.Canceled,
	}
}

// acquireWithin waits for the lock until the context ends.
func acquireWithin(ctx context.Context, folder *os.Root, id ID) (*Lock, error) {
	if err := queues.enter(ctx, id); err != nil {
		return nil, err
	}
	h, err := NewHold(folder)
	if err != nil {
		queues.leave(id)
		return nil, &Error{Opening: true, Err: err}
	}
	l := &Lock{id, h}
	left, err := l.wait(ctx)
	switch {
	case left:
		return nil, err
	case err != nil:
		l.Release()
		return nil, &Error{Err: err}
	}
	return l, nil
}

// wait takes the system's lock. Waiting for another process can't be broken off:
// if the context ends first, the lock is left, to be released as soon as it is
// there, and the error is the context's.
func (l *Lock) wait(ctx context.Context) (left bool, err error) {
	if err := l.hold.Take(false); !errors.Is(err, ErrHeld) {
		return false, err
	}
	taken := make(chan struct{})
	var failure error
	go func() {
		failure = l.hold.Take(true)
		close(taken)
	}()
	select {
	case <-taken:
		return false, failure
	case <-ctx.Done():
		go func() {
			<-taken
			l.Release()
		}()
		return true, ctx.Err()
	}
}

// Release gives the lock to the next. It is called once.
func (l *Lock) Release() {
	l.hold.Release()
	queues.leave(l.id)
}

// ErrHeld says that another process has the lock.
var ErrHeld = errors.New("another process has the lock")
