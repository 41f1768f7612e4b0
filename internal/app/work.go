package app

import (
	"context"
	"errors"
	"sync"

	"github.com/sectile/sectile/markdown"
)

// Work is one request with what is reserved for its documents. The nil one reserves
// nothing and ends never.
type Work struct {
	ctx    context.Context
	memory *Memory
	leave  func() // gives back the turn that others wait for

	mu   sync.Mutex
	held []interface{ release() } // what is reserved until the end
}

// Begin begins a request that ends with the context at the latest. Leave is called, if
// it is not nil, when the request waits for memory or works on a large document, which
// others shall not wait for; perhaps several times. End must be called when the
// documents that the request has opened are no longer needed.
func (m *Memory) Begin(ctx context.Context, leave func()) *Work {
	return &Work{ctx: ctx, memory: m, leave: leave}
}

// End gives back what was reserved for the request.
func (w *Work) End() {
	if w == nil {
		return
	}
	w.mu.Lock()
	held := w.held
	w.held = nil
	w.mu.Unlock()
	for _, h := range held {
		h.release()
	}
}

// hold keeps something until the end of the request.
func (w *Work) hold(h interface{ release() }) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = append(w.held, h)
}

// holds reports whether something is kept until the end.
func (w *Work) holds() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.held) > 0
}

// context is the context of the request.
func (w *Work) context() context.Context {
	if w == nil {
		return context.Background()
	}
	return w.ctx
}

// reserve reserves memory for a document of the size. Nothing is reserved for the nil
// request.
func (w *Work) reserve(size int64) (*lease, error) {
	if w == nil || w.memory == nil {
		return nil, nil //nolint:nilnil // nothing is what is reserved
	}
	if size < largeDocument {
		return w.memory.reserveSmall(w.ctx, size)
	}
	return w.reserveLarge(size)
}

// reserveLarge reserves memory for a document that is large, or takes as much memory.
func (w *Work) reserveLarge(size int64) (*lease, error) {
	if w.leave != nil {
		w.leave()
	}
	return w.memory.reserveLarge(w.ctx, size, w.holds())
}

// parsedWithin returns the parse of a document for which the lease is reserved. If a
// small one takes more than small ones do, it gets as much as a large one; the lease
// is then another.
func (w *Work) parsedWithin(
	l *lease, size int64, parse func(*lease) (*markdown.Document, error),
) (*markdown.Document, *lease, error) {
	doc, err := parse(l)
	if _, strange := errors.AsType[*complexity](err); !strange || l.kind == large {
		return doc, l, err
	}
	l.release()
	l, err = w.reserveLarge(size)
	if err != nil {
		return nil, nil, err
	}
	doc, err = parse(l)
	return doc, l, err
}
