package httpguard

import (
	"context"
	"errors"
	"testing"
	"time"
)

// The smallest that waits is the next, the slowest gives way, and those that are whole
// or new don't.
func TestBodyRoom(t *testing.T) {
	r := newBodyRoom(100, time.Hour)
	gone := make(chan string, 10)
	take := func(name string, size int64) *bodyPlace {
		t.Helper()
		p, err := r.take(t.Context(), size, func() { gone <- name })
		if err != nil {
			t.Error(err)
		}
		return p
	}
	whole, stalled, slow, quick, fresh := take("whole", 20), take("stalled", 20), take("slow", 20), take("quick", 20), take("new", 20)
	if !whole.whole(20) {
		t.Error("a body has lost its place to nobody")
	}
	for _, p := range []*bodyPlace{whole, stalled, slow, quick} {
		p.since = p.since.Add(-2 * time.Hour)
	}
	slow.come.Add(5)
	quick.come.Add(10)
	large, small := make(chan *bodyPlace), make(chan *bodyPlace)
	go func() { large <- take("large", 50) }()
	// A place for 50 takes the room of three, and two others must not go for it.
	if first, second, third := <-gone, <-gone, <-gone; first != "stalled" || second != "slow" || third != "quick" {
		t.Errorf("%s, %s and %s give way", first, second, third)
	}
	if stalled.whole(20) || !slow.gaveWay() || fresh.gaveWay() || whole.gaveWay() {
		t.Error("it is not known who gave way")
	}
	go func() { small <- take("small", 15) }()
	for waiting := 0; waiting < 2; { // until both wait
		r.mu.Lock()
		waiting = len(r.waiting)
		r.mu.Unlock()
	}
	stalled.release()
	second := <-small
	slow.release()
	quick.release()
	second.release()
	first := <-large
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := r.take(ctx, 90, func() { gone <- "nobody" }); p != nil || !errors.Is(err, errNoRoom) {
		t.Errorf("%v, %v", p, err)
	}
	for _, p := range []*bodyPlace{whole, fresh, first, first, nil} { // twice is once
		p.release()
	}
	if r.free != 100 || r.leaving != 0 || len(r.sending)+len(r.waiting)+len(gone) != 0 {
		t.Errorf("%d free, %d leaving, %d sending, %d waiting, %d gone", r.free, r.leaving, len(r.sending), len(r.waiting), len(gone))
	}
}
