package filelock

import (
	"context"
	"sync"
)

// queues are those that wait in this process, for every folder that has any.
var queues = queueSet{queues: map[ID]*queue{}}

type queueSet struct {
	mu     sync.Mutex
	queues map[ID]*queue
}

// queue is who has the turn and who waits for it, first come, first served.
type queue struct {
	turn  chan struct{} // is full while somebody has it
	users int           // that have it or wait for it
}

// enter waits for the turn.
func (s *queueSet) enter(ctx context.Context, id ID) error {
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
func (s *queueSet) leave(id ID) {
	s.mu.Lock()
	q := s.queues[id]
	s.mu.Unlock()
	<-q.turn
	s.drop(id, q)
}

// drop counts somebody out.
func (s *queueSet) drop(id ID, q *queue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.users--; q.users == 0 {
		delete(s.queues, id)
	}
}

// Busy returns the number of folders that are locked, or waited for, by this process.
func Busy() int {
	queues.mu.Lock()
	defer queues.mu.Unlock()
	return len(queues.queues)
}

// Users returns how many in this process have the lock on a folder or wait for it.
func Users(id ID) int {
	queues.mu.Lock()
	defer queues.mu.Unlock()
	if q := queues.queues[id]; q != nil {
		return q.users
	}
	return 0
}
