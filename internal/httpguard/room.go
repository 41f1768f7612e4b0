package httpguard

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// All long bodies together have so much room in memory. A body takes its place at once,
// for who took it bit by bit would hold a part while waiting for the next, and several
// could wait for each other for ever. So that one who announces much and sends little
// holds up nobody, it is the slowest body that gives way when another finds no room;
// and so that many large ones don't hold up a small one, the smallest that waits is the
// next.

// bodyRoom is the room for bodies. It is safe for concurrent use.
type bodyRoom struct {
	patience time.Duration // how long a body has before it may have to give way

	mu      sync.Mutex
	free    int64
	leaving int64                   // of places that were given up and are not free yet
	sending map[*bodyPlace]struct{} // places of bodies that have not come whole
	waiting []*bodyPlace            // the smallest first, and then the one that came first
}

// bodyPlace is the place of one body.
type bodyPlace struct {
	room     *bodyRoom
	size     int64
	come     atomic.Int64  // bytes that came since it has the place
	abort    func()        // ends the reading of the body
	got      chan struct{} // closed when it has the place
	since    time.Time     // when that was
	givenWay bool          // another one needed the place
}

func newBodyRoom(size int64, patience time.Duration) *bodyRoom {
	return &bodyRoom{patience: patience, free: size, sending: map[*bodyPlace]struct{}{}}
}

// The reasons why a body has no place, or has it no more.
var (
	errNoRoom   = errors.New("too much is being sent at once; try again")
	errGivenWay = errors.New("the body came so slowly that it had to make room for others; try again")
)

// take returns a place of so many bytes, as soon as there is one. The error is errNoRoom
// if there is none before the context ends. abort is called, once at most, if the body
// has to give way.
func (r *bodyRoom) take(ctx context.Context, size int64, abort func()) (*bodyPlace, error) {
	p := &bodyPlace{room: r, size: size, abort: abort, got: make(chan struct{})}
	again := time.NewTicker(max(r.patience/10, time.Millisecond))
	defer again.Stop()
	r.mu.Lock()
	at, _ := slices.BinarySearchFunc(r.waiting, size+1, func(w *bodyPlace, after int64) int { return int(w.size - after) })
	r.waiting = slices.Insert(r.waiting, at, p)
	r.mu.Unlock()
	for {
		r.serve()
		select {
		case <-p.got:
			return p, nil
		case <-again.C:
		case <-ctx.Done():
			return nil, r.leave(p)
		}
	}
}

// leave takes one that waits out of the queue, or gives back the place that it has got
// meanwhile.
func (r *bodyRoom) leave(p *bodyPlace) error {
	r.mu.Lock()
	if i := slices.Index(r.waiting, p); i >= 0 {
		r.waiting = slices.Delete(r.waiting, i, i+1)
		p.size = 0
	}
	r.mu.Unlock()
	p.release()
	return errNoRoom
}

// serve gives places to those who wait, and makes room for the next one of them.
func (r *bodyRoom) serve() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for len(r.waiting) > 0 && r.waiting[0].size <= r.free {
		p := r.waiting[0]
		r.waiting = slices.Delete(r.waiting, 0, 1)
		r.free -= p.size
		p.since = now
		r.sending[p] = struct{}{}
		close(p.got)
	}
	for len(r.waiting) > 0 && r.free+r.leaving < r.waiting[0].size {
		p := r.slowest(now)
		if p == nil {
			return
		}
		delete(r.sending, p)
		p.givenWay = true
		r.leaving += p.size
		p.abort()
	}
}

// slowest returns the place of the body that has come most slowly, of those that had
// time to come; nil for none. The lock is held.
func (r *bodyRoom) slowest(now time.Time) *bodyPlace {
	var slowest *bodyPlace
	var least float64
	for p := range r.sending {
		took := now.Sub(p.since)
		if took < r.patience {
			continue
		}
		speed := float64(p.come.Load()) / max(took.Seconds(), 1e-9)
		if slowest == nil || speed < least {
			slowest, least = p, speed
		}
	}
	return slowest
}

// whole says that the body has come whole, with so many bytes, and gives back what it
// doesn't need. It reports whether the body still has its place; from then on it has it
// until it is released.
func (p *bodyPlace) whole(size int64) bool {
	if p == nil {
		return true
	}
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	delete(p.room.sending, p)
	if p.givenWay {
		return false
	}
	p.room.free += p.size - size
	p.size = size
	return true
}

// gaveWay reports whether another one needed the place.
func (p *bodyPlace) gaveWay() bool {
	if p == nil {
		return false
	}
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	return p.givenWay
}

// release gives the place back.
func (p *bodyPlace) release() {
	if p == nil {
		return
	}
	p.room.mu.Lock()
	delete(p.room.sending, p)
	if p.givenWay {
		p.room.leaving -= p.size
	}
	p.room.free += p.size
	p.size = 0
	p.room.mu.Unlock()
	p.room.serve()
}
