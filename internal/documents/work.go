package documents

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/sectile/sectile/markdown"
)

// Work is one request with what is reserved for its documents. The nil one reserves
// nothing and ends never.
type Work struct {
	ctx    context.Context
	memory *Memory
	leave  func() // gives back the turn that others wait for

	mu        sync.Mutex
	held      []Reservation // until the end
	answer    []Reservation // until the answer is sent
	holding   chan struct{} // closed when something is held
	impatient bool          // it has waited in vain
	whole     bool          // its answer has all of a document
	endTurn   func()        // lets others open documents that their answers have all of; nil if it has no turn
}

// Reservation is memory that is reserved for a document.
type Reservation interface {
	// Release gives it back.
	Release()
	// Shrink gives back what is more than so many bytes, and the slot.
	Shrink(bytes int64)
}

// Begin begins a request that ends with the context at the latest. Leave is called, if
// it is not nil, when the request waits for memory or works on a large document, which
// others shall not wait for; perhaps several times. End must be called when the
// documents that the request has opened are no longer needed.
func (m *Memory) Begin(ctx context.Context, leave func()) *Work {
	return &Work{ctx: ctx, memory: m, leave: leave, holding: make(chan struct{})}
}

// AnswerWhole says that the answer of the request has all of a document. Of such requests few at a time keep
// the text of one that isn't small until memory is reserved for their answers, and of a large one a single one.
func (w *Work) AnswerWhole() {
	if w != nil {
		w.whole = true
	}
}

// awaitTurn waits until the request may open a document of the size, if its answer has all of that.
func (w *Work) awaitTurn(size int64) error {
	if !w.whole || w.endTurn != nil || w.memory == nil || copiesOfAnswer*size <= smallExtra {
		return nil
	}
	kind, bytes := small, size
	if size >= largeDocument {
		kind, bytes = large, largeDocument
	}
	turns := w.memory.whole[kind]
	if !turns.TryAcquire(bytes) {
		if w.leave != nil {
			w.leave()
		}
		if err := turns.Acquire(w.ctx, bytes); err != nil {
			return err
		}
	}
	w.endTurn = func() { turns.Release(bytes) }
	return nil
}

// leaveTurn ends the request's turn, if it has one.
func (w *Work) leaveTurn() {
	if w.endTurn != nil {
		w.endTurn()
		w.endTurn = nil
	}
}

// End gives back what was reserved for the request.
func (w *Work) End() {
	if w == nil {
		return
	}
	w.leaveTurn()
	w.mu.Lock()
	held, answer := w.held, w.answer
	w.held, w.answer = nil, nil
	w.mu.Unlock()
	release := func(all []Reservation) {
		for _, r := range all {
			r.Release()
		}
	}
	release(held)
	if sent := answered(w.ctx); sent.Err() != nil {
		release(answer)
	} else if len(answer) > 0 {
		context.AfterFunc(sent, func() { release(answer) })
	}
}

// Hold keeps what is reserved, but for its slot, until the end of the request.
func (w *Work) Hold(r Reservation) {
	w.keep(r)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = append(w.held, r)
}

// Keep gives back the slot of a lease that the request keeps while it opens other documents,
// for whose memory it waits a moment only from now on.
func (w *Work) Keep(l *Lease) {
	if w != nil && l != nil {
		w.keep(l)
	}
}

// untilAnswered keeps what is reserved until the answer is sent.
func (w *Work) untilAnswered(r Reservation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = append(w.answer, r)
}

// keep gives back the slot of what is reserved.
func (w *Work) keep(r Reservation) {
	r.Shrink(math.MaxInt64)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.holds() {
		close(w.holding)
	}
}

// HoldBytes reserves so many bytes for what is made of a document, until the end of the
// request. It waits for nothing; the error says that there is no room.
func (w *Work) HoldBytes(bytes int64, doc *markdown.Document) error {
	l, err := w.Borrow(bytes, doc)
	if l != nil {
		w.Hold(l)
	}
	return err
}

// Borrow is HoldBytes until the lease is released, which is nil if nothing is reserved. Without
// a document it is for texts that aren't parsed.
func (w *Work) Borrow(bytes int64, doc *markdown.Document) (*Lease, error) {
	if w == nil || w.memory == nil {
		return nil, nil //nolint:nilnil // nothing is what is reserved
	}
	m := w.memory
	if most := m.pools[large].size; bytes > most {
		if doc == nil {
			return nil, &complexity{size: bytes, most: most, limit: m.limit}
		}
		return nil, &complexity{size: int64(len(doc.Source)), most: most, limit: m.limit, blocks: len(doc.Blocks)}
	}
	if !m.pools[large].free.TryAcquire(bytes) {
		return nil, errCrowded
	}
	m.reserve(bytes)
	return &Lease{memory: m, kind: large, bytes: bytes, most: bytes}, nil
}

// borrowBeside is Borrow for what is made of a document that the request holds, for which no more
// stays reserved then than it takes. What is small is part of what any document takes.
func (w *Work) borrowBeside(bytes int64, doc *markdown.Document) (*Lease, error) {
	if w == nil || w.memory == nil || bytes <= smallExtra {
		return nil, nil //nolint:nilnil // nothing is what is reserved
	}
	most, own := w.memory.pools[large].size, printBytes(doc)
	if bytes+own > most {
		return nil, &complexity{size: int64(len(doc.Source)), most: most, limit: w.memory.limit}
	}
	w.mu.Lock()
	for _, r := range w.held {
		if l, ok := r.(*Lease); ok && l.counted == doc {
			l.Shrink(own)
		}
	}
	w.mu.Unlock()
	return w.Borrow(bytes, doc)
}

// Taken is what a request keeps beside its documents, such as texts of the journal, in bytes.
type Taken int64

// Add reserves memory for more of it until the request is answered, of which [WithAnswered] tells, or
// else until its end: what is made of it is in the answer. It waits for nothing, as HoldBytes. What is
// small doesn't wait for what others may have.
func (t *Taken) Add(w *Work, bytes int64) error {
	const free = 1 << 20
	if *t += Taken(bytes); *t <= free {
		return nil
	}
	l, err := w.Borrow(bytes, nil)
	if err != nil {
		*t -= Taken(bytes)
		return err
	}
	if l != nil {
		w.keep(l)
		w.untilAnswered(l)
	}
	return nil
}

// UpTo reserves what is missing to so many bytes in all, as Add does: what is counted once more, when a
// request does the same again, takes nothing.
func (t *Taken) UpTo(w *Work, bytes int64) error {
	if more := bytes - int64(*t); more > 0 {
		return t.Add(w, more)
	}
	return nil
}

// holds reports whether something is held until the end.
func (w *Work) holds() bool {
	select {
	case <-w.holding:
		return true
	default:
		return false
	}
}

// acquire takes so many bytes, as soon as they are free and until the context ends. The
// error is errCrowded if the request holds something meanwhile and has been patient.
func (w *Work) acquire(ctx context.Context, free *semaphore.Weighted, bytes int64) error {
	if free.TryAcquire(bytes) {
		return nil
	}
	return w.patiently(ctx, func(ctx context.Context) error { return free.Acquire(ctx, bytes) })
}

// patiently calls wait, which waits for what other requests may have until its context
// ends: with ctx, or when the request holds something itself and has been patient. Then
// the error is errCrowded.
func (w *Work) patiently(ctx context.Context, wait func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.mu.Lock()
	holding := w.holding
	w.mu.Unlock()
	go func() {
		select {
		case <-holding:
		case <-ctx.Done():
			return
		}
		w.mu.Lock()
		impatient := w.impatient
		w.mu.Unlock()
		if !impatient {
			select {
			case <-time.After(w.memory.patience):
			case <-ctx.Done():
				return
			}
		}
		cancel(errCrowded)
	}()
	err := wait(ctx)
	if err == nil {
		return nil
	}
	if context.Cause(ctx) == errCrowded { //nolint:errorlint // nobody wraps it
		w.mu.Lock()
		w.impatient = true
		w.mu.Unlock()
		return errCrowded
	}
	return err
}

// Context is the context of the request.
func (w *Work) Context() context.Context {
	if w == nil {
		return context.Background()
	}
	return w.ctx
}

// Reserve reserves memory for a document of the size. Nothing is reserved for the nil
// request.
func (w *Work) Reserve(size int64) (*Lease, error) {
	if w == nil || w.memory == nil {
		return nil, nil //nolint:nilnil // nothing is what is reserved
	}
	if size < largeDocument {
		return w.memory.reserveSmall(w, size)
	}
	return w.reserveLarge(size)
}

// reserveLarge reserves memory for a document that is large, or takes as much memory.
func (w *Work) reserveLarge(size int64) (*Lease, error) {
	if w.leave != nil {
		w.leave()
	}
	return w.memory.reserveLarge(w.ctx, w, size)
}

// ParsedWithin returns what parse makes of a document of the size, for which the lease is
// reserved. If it takes more than is reserved, it gets as much as a large one of the size, or of that
// which the error tells of, and parse is called again; the lease is then another.
func (w *Work) ParsedWithin(
	l *Lease, size int64, parse func(*Lease) (*markdown.Document, error),
) (*markdown.Document, *Lease, error) {
	doc, err := parse(l)
	c, strange := errors.AsType[*complexity](err)
	if strange {
		size = max(size, c.size)
	}
	if !strange || l.most >= l.memory.allowance(size) {
		return doc, l, err
	}
	l.Release()
	l, err = w.reserveLarge(size)
	if err != nil {
		return nil, nil, err
	}
	doc, err = parse(l)
	return doc, l, err
}
