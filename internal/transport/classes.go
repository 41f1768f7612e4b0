package transport

import (
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/sectile/sectile/internal/rawjson"
)

// Who can wait for whom. A request that reads documents waits for memory and for the
// processor, which others give back. Two classes of requests wait for what is not ours,
// for as long as a call may take:
//
//	edits  ──► the lock on a folder ──► another edit here, or another program
//	       ──► git or jj (those that write a plan)
//	plans  ──► git or jj ──► a lock of theirs ──► another program
//	reads  ──► neither
//
// So that nobody waits for another class, each has slots of its own in the guards, and on
// standard input and output a share of its own of the calls in flight: all edits
// and plans that may be leave room for reads. What is beyond a share waits in the
// queue, where others pass it; when that is full too and nothing moves, calls of the class
// are refused. Within a class all may have to wait for one lock.

// Class is what a request may wait for.
type Class int

// The classes of requests, by what they may wait for.
const (
	ClassRead Class = iota // nothing that is not ours
	ClassEdit              // locks, and programs: it may write
	ClassPlan              // programs: it reads a plan
	Classes                // how many there are
)

// The most requests of a class that are worked on at once. On standard input and output
// both must leave room in maxInFlight.
const (
	MaxEdits = 40
	MaxPlans = 8
)

// Beyond them MaxSlowWaiting calls of a class wait in the queue, and so many bytes of messages
// may be in flight and in the queue; one may always.
const (
	MaxSlowWaiting = 512
	maxSlowBytes   = 16 << 20
)

// refusal says why a call of the class is refused.
func (k Class) refusal() string {
	if k == ClassPlan {
		return "too many calls that read the plan are waiting for git or jj, and none has moved on; " +
			"try again when some of them are answered, or end what holds up git or jj"
	}
	return fmt.Sprintf("too many calls that write are waiting for locks on folders, %d of them in work, and none has moved on; nothing was written; "+
		"try again when some of them are answered, or end the program that has the lock", MaxEdits)
}

// slowCalls are calls of a class that may wait for others, of one connection. The zero
// value, without a most, is that of the class ClassRead, which is counted elsewhere.
type slowCalls struct {
	most          int // in flight
	waiting       int // in the queue
	waitingBytes  int
	inFlight      int
	inFlightBytes int
	moved         time.Time // when one has last left the queue, or was the first to come
}

// isHeld reports whether the call must wait for others of its class.
func (k *slowCalls) isHeld(c *stdioCall) bool {
	return k.most > 0 && k.inFlight > 0 && (k.inFlight >= k.most || k.inFlightBytes+c.size > maxSlowBytes)
}

// isFull reports whether the queue has no room for the call.
func (k *slowCalls) isFull(c *stdioCall) bool {
	return k.most > 0 && k.waiting > 0 && (k.waiting >= MaxSlowWaiting || k.waitingBytes+c.size > maxSlowBytes)
}

// begin counts a call that the library has got, and end one that is answered.
func (k *slowCalls) begin(c *stdioCall) {
	k.inFlight++
	k.inFlightBytes += c.size
}

func (k *slowCalls) end(c *stdioCall) {
	k.inFlight--
	k.inFlightBytes -= c.size
}

// Bound has the connection bound calls by their class. It is called before Connect.
func (s *Stdio) Bound(classOf func(method, name string) Class) {
	s.classOf = classOf
	s.slow[ClassEdit].most, s.slow[ClassPlan].most = MaxEdits, MaxPlans
}

// classOfCall is the class of a call.
func (s *Stdio) classOfCall(req *jsonrpc.Request) Class {
	if s.classOf == nil {
		return ClassRead
	}
	for key, value := range rawjson.Fields(req.Params) {
		if field, _ := rawjson.Name(key); field == "name" {
			text, _ := rawjson.Text(value)
			return s.classOf(req.Method, text)
		}
	}
	return ClassRead
}

// awaitSlow waits until the queue has room for a call of its class, and reports whether it
// has. It waits as long as the queue moves: a client may send many edits at once.
func (s *Stdio) awaitSlow(c *stdioCall) bool {
	for {
		s.mu.Lock()
		k := &s.slow[c.class]
		full, wait := k.isFull(c), time.Until(k.moved.Add(s.limit.slow))
		over := s.ended != nil || s.cause != nil
		s.mu.Unlock()
		if !full || over {
			return true
		}
		if wait <= 0 {
			return false
		}
		timer := time.NewTimer(wait)
		select {
		case <-s.room:
		case <-s.done:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// slowWaiting is how many messages in the queue are calls that may wait for others. s.mu
// is held.
func (s *Stdio) slowWaiting() int { return s.slow[ClassEdit].waiting + s.slow[ClassPlan].waiting }

// enqueue puts a message at the end of the queue. s.mu is held.
func (s *Stdio) enqueue(m stdioMessage) {
	s.waiting = append(s.waiting, m)
	s.countWaiting(&m, 1)
}

// takeOut takes a message out of the queue. s.mu is held.
func (s *Stdio) takeOut(i int) stdioMessage {
	m := s.waiting[i]
	if i == 0 {
		s.waiting[0] = stdioMessage{} // so that it can be freed
		s.waiting = s.waiting[1:]
	} else {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	s.countWaiting(&m, -1)
	return m
}

// countWaiting counts a message that has come into the queue, by 1, or has left it, by
// -1. s.mu is held.
func (s *Stdio) countWaiting(m *stdioMessage, by int) {
	if m.call == nil || m.call.class == ClassRead {
		s.waitingBytes += by * m.size
		return
	}
	k := &s.slow[m.call.class]
	k.waiting += by
	k.waitingBytes += by * m.size
	if by < 0 || k.waiting == 1 {
		k.moved = time.Now()
	}
}
