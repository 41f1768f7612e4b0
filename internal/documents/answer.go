package documents

import (
	"context"
	"fmt"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Some replies are answered whole, however long they are, as guides are. Such an answer
// takes what most replies don't: memory by its own size, until it is sent.

// TooLarge says that an answer takes more memory than there is for one. All are bytes.
type TooLarge struct{ Bytes, Most, Limit int64 }

// Code returns the error's code.
func (*TooLarge) Code() string { return replies.CodeTooComplex }

// Error returns the error's message, without the way out, which depends on the request.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("the answer takes %s of memory, and there are %s for one of the program's %s", sizeText(e.Bytes), sizeText(e.Most), sizeText(e.Limit))
}

// ReserveAnswer reserves so many bytes for the answer of the request, as soon as they are
// free, until it is sent, of which [WithAnswered] tells. The error is a *TooLarge, errCrowded
// or the context's. Nothing is reserved for the nil request.
func (w *Work) ReserveAnswer(bytes int64) error {
	if w == nil || w.memory == nil {
		return nil
	}
	m, kind := w.memory, small
	if bytes > min(memoryFactor*largeDocument, m.pools[small].size/2) {
		kind = large
	}
	if most := m.pools[kind].size; bytes > most {
		return &TooLarge{Bytes: bytes, Most: most, Limit: m.limit}
	}
	if err := w.acquire(w.ctx, m.pools[kind].free, bytes); err != nil {
		return err
	}
	if kind == small {
		m.inSmall.Add(bytes)
	} else {
		m.reserve(bytes)
	}
	w.untilAnswered(&Lease{memory: m, kind: kind, bytes: bytes, most: bytes})
	return nil
}

// copiesOfAnswer is how many copies there are of a text that is answered, and of the JSON that it becomes:
// an answer is made in steps, with one in each.
const copiesOfAnswer = 5

// ReserveTexts is ReserveAnswer for the texts of an answer, unless as much is reserved for it already. They
// are all that is needed yet: what is more than little has the request let go of its documents.
func (w *Work) ReserveTexts(texts ...[]byte) error {
	if w == nil || w.memory == nil {
		return nil
	}
	defer w.leaveTurn()
	bytes := int64(0)
	for _, text := range texts {
		bytes += copiesOfAnswer * int64(replies.TextBytes(text))
	}
	w.mu.Lock()
	for _, r := range w.answer {
		if l, ok := r.(*Lease); ok {
			bytes -= l.bytes
		}
	}
	w.mu.Unlock()
	if bytes <= smallExtra { // as any call takes
		return nil
	}
	w.mu.Lock()
	held := w.held
	if w.held = nil; len(w.answer) == 0 && w.holds() { // it keeps nothing from others then, and waits as long as any
		w.holding = make(chan struct{})
	}
	w.mu.Unlock()
	for _, r := range held {
		r.Release()
	}
	return w.ReserveAnswer(bytes)
}

// Reserved returns how many bytes of the budget are reserved now.
func (m *Memory) Reserved() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reserved + m.inSmall.Load()
}

// Parse parses a text within what is reserved for it, which the caller releases.
func (w *Work) Parse(text []byte) (*markdown.Document, *Lease, error) {
	return w.ParseStored(Stored{int64(len(text)), func() ([]byte, error) { return text, nil }})
}

// Stored is a text of a known size that lies elsewhere, such as one that a document had once.
type Stored struct {
	Size int64 // bytes
	Load func() ([]byte, error)
}

// ParseStored loads a text and parses it within what is reserved for it, which the caller releases.
func (w *Work) ParseStored(s Stored) (*markdown.Document, *Lease, error) {
	l, err := w.Reserve(s.Size)
	if err != nil {
		return nil, nil, err
	}
	var doc *markdown.Document
	text, err := s.Load()
	if err == nil {
		doc, l, err = w.ParsedWithin(l, s.Size, func(l *Lease) (*markdown.Document, error) {
			return l.Parse(w.Context(), new(markdown.Parser), text)
		})
	}
	if err != nil {
		l.Release()
		return nil, nil, err
	}
	return doc, l, nil
}

// Retain parses a text that the request keeps until its end, for which no more stays reserved than it
// takes.
func (w *Work) Retain(text []byte) (*markdown.Document, error) {
	doc, l, err := w.Parse(text)
	if l != nil {
		l.Shrink(readBytes(doc))
		w.Hold(l)
	}
	return doc, err
}

// answeredKey is the key of a context that ends when the request is answered.
type answeredKey struct{}

// WithAnswered returns a context that knows of ctx that it ends when the answer of the
// request is sent, whatever is derived from it and ends before.
func WithAnswered(ctx context.Context) context.Context {
	return context.WithValue(ctx, answeredKey{}, ctx)
}

// answered returns the context that ends when the request of ctx is answered; one that is
// over if nobody has said.
func answered(ctx context.Context) context.Context {
	if sent, ok := ctx.Value(answeredKey{}).(context.Context); ok {
		return sent
	}
	sent, cancel := context.WithCancel(context.Background())
	cancel()
	return sent
}
