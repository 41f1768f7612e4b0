package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A lock on a folder has two halves. Within the process one waits in a queue, which
// costs a goroutine and no thread; whoever is at its head takes the system's lock,
// which keeps out other processes and ends with ours, however that ends. Folders
// are told apart by what they are and not by their names, so that roots within
// each other, links and mounts make no difference.

// folderID tells a folder from all others.
type folderID struct{ device, file uint64 }

// lock is a lock on a folder.
type lock struct {
	id   folderID
	hold *hold
}

// lock locks the folders of the transaction, each once, in an order that is the
// same for all, so that no two wait for each other.
func (t *Tx) lock(ctx context.Context) error {
	order := slices.Clone(t.order)
	slices.SortFunc(order, func(a, b *target) int {
		return cmp.Or(cmp.Compare(a.id.device, b.id.device), cmp.Compare(a.id.file, b.id.file))
	})
	for i, f := range order {
		if i > 0 && order[i-1].id == f.id {
			continue
		}
		l, err := acquire(ctx, f.place)
		if err != nil {
			return err
		}
		t.locks = append(t.locks, l)
	}
	return nil
}

// lockPatience is how long a lock is waited for at most by whoever sets no limit.
const lockPatience = 10 * time.Second

// noticeAfter is how long a lock is waited for before WithNotice tells of it.
const noticeAfter = time.Second

// noticeKey is the key of the function of WithNotice.
type noticeKey struct{}

// WithNotice returns a context with a function that is called, once each time, when a
// lock has been waited for for a second. It gets the name of the process that has the
// lock, such as "sectile (process 123)", or nothing if the system doesn't tell.
func WithNotice(ctx context.Context, notice func(holder string)) context.Context {
	return context.WithValue(ctx, noticeKey{}, notice)
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

// acquire waits for the lock on the folder of a place: for nine tenths of the time that
// the context has, so that there is some left to say what was waited for; or, if that
// has no end, for lockPatience; and until the end of WithEnd. The error is the context's
// or an *Error, which is the context's DeadlineExceeded too if it was waited for in vain.
func acquire(ctx context.Context, p *place) (*lock, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	patience := lockPatience
	if end, ok := ctx.Deadline(); ok {
		patience = time.Until(end) * 9 / 10
	}
	timed, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	end := endOf(ctx)
	defer context.AfterFunc(end, cancel)()
	if notice, ok := ctx.Value(noticeKey{}).(func(string)); ok {
		timer := time.AfterFunc(noticeAfter, func() { notice(holderOf(p.id)) })
		defer timer.Stop()
	}
	l, err := acquireWithin(timed, p)
	if err != nil && ctx.Err() == nil && end.Err() != nil && errors.Is(err, context.Canceled) {
		return nil, lockEnded(p)
	}
	if timed.Err() == nil || err == nil || errors.Is(ctx.Err(), context.Canceled) || !errors.Is(err, context.DeadlineExceeded) {
		return l, err
	}
	return nil, lockTimeout(p, patience)
}

// lockTimeout returns the error for a lock that was waited for in vain.
func lockTimeout(p *place, patience time.Duration) *Error {
	who := cmp.Or(holderOf(p.id), "another program")
	waited := patience.Round(100 * time.Millisecond)
	if waited == 0 {
		waited = patience.Round(time.Millisecond)
	}
	return &Error{
		Code: IOError, Path: p.path, Err: context.DeadlineExceeded,
		Reason: fmt.Sprintf("its folder is locked by %s, and was so for %v", who, waited), Hint: "try again, or end that if it hangs",
	}
}

// lockEnded returns the error for a lock that is waited for no longer: the program ends.
func lockEnded(p *place) *Error {
	return &Error{
		Code: IOError, Path: p.path, Err: context.Canceled, Hint: "try again",
		Reason: fmt.Sprintf("its folder is locked by %s, and this program was told to end", cmp.Or(holderOf(p.id), "another program")),
	}
}

// acquireWithin waits for the lock until the context ends.
func acquireWithin(ctx context.Context, p *place) (*lock, error) {
	if err := queues.enter(ctx, p.id); err != nil {
		return nil, err
	}
	h, err := newHold(p.folder)
	if err != nil {
		queues.leave(p.id)
		return nil, systemFailure(p.path, err)
	}
	l := &lock{p.id, h}
	left, err := l.wait(ctx)
	switch {
	case left:
		return nil, err
	case err != nil:
		l.release()
		return nil, lockFailure(p.path, err)
	}
	return l, nil
}

// wait takes the system's lock. Waiting for another process can't be broken off:
// if the context ends first, the lock is left, to be released as soon as it is
// there, and the error is the context's.
func (l *lock) wait(ctx context.Context) (left bool, err error) {
	if err := l.hold.take(false); !errors.Is(err, errHeld) {
		return false, err
	}
	taken := make(chan struct{})
	var failure error
	go func() {
		failure = l.hold.take(true)
		close(taken)
	}()
	select {
	case <-taken:
		return false, failure
	case <-ctx.Done():
		go func() {
			<-taken
			l.release()
		}()
		return true, ctx.Err()
	}
}

// release gives the lock to the next.
func (l *lock) release() {
	l.hold.release()
	queues.leave(l.id)
}

// errHeld says that another process has the lock.
var errHeld = errors.New("another process has the lock")

// lockFailure returns the error for a folder that can't be locked.
func lockFailure(path string, err error) error {
	e := writeFailure(path, err)
	if e.Code == IOError {
		e.Reason, e.Hint = "its folder can't be locked: "+bare(err).Error(), "move it to a file system that has locks"
	}
	return e
}

// queues are those that wait in this process, for every folder that has any.
var queues = queueSet{queues: map[folderID]*queue{}}

type queueSet struct {
	mu     sync.Mutex
	queues map[folderID]*queue
}

// queue is who has the turn and who waits for it, first come, first served.
type queue struct {
	turn  chan struct{} // is full while somebody has it
	users int           // that have it or wait for it
}

// enter waits for the turn.
func (s *queueSet) enter(ctx context.Context, id folderID) error {
	s.mu.Lock()
	q := s.queues[id]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		s.queues[id] = q
	}
	q.users++
	s.mu.Unlock()
	select {
	case q.turn <- struct{}{}: // without waiting, even if the context has just ended
		return nil
	default:
	}
	select {
	case q.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		s.drop(id, q)
		return ctx.Err()
	}
}

// leave gives the turn to the next.
func (s *queueSet) leave(id folderID) {
	s.mu.Lock()
	q := s.queues[id]
	s.mu.Unlock()
	<-q.turn
	s.drop(id, q)
}

// drop counts somebody out.
func (s *queueSet) drop(id folderID, q *queue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.users--; q.users == 0 {
		delete(s.queues, id)
	}
}
