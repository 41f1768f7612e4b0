package app

import (
	"context"
	"fmt"

	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/markdown"
)

// Guides are answered whole, however long they are, so the answer takes what most
// replies don't: memory by its own size, until it is sent.

// What a reply with guides takes: so many times what it is in an answer, which is made in
// steps with a copy of it each; and what is around it.
const (
	answerFactor = 5
	answerExtra  = 64 << 10
	headerFactor = 3 // a path in the header of a part
)

// reserveAnswer reserves memory for an answer with the parts, until it is sent; more if it
// has structured content beside the text, which is no longer than that. Who waits has read
// the parts already, and keeps the turn, so that only as many wait as have one.
func (w *Work) reserveAnswer(structured bool, parts ...guide.Part) error {
	if w == nil || w.memory == nil {
		return nil
	}
	size := int64(0)
	for i := range parts {
		encoded := guide.Encoded(parts[i].Content) + headerFactor*int64(len(parts[i].Path))
		size += int64(len(parts[i].Content)) + encoded
		if structured {
			size += encoded
		}
	}
	l, err := w.memory.reserveAnswer(w, answerFactor*size+answerExtra)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = append(w.answer, l)
	return nil
}

// reserveAnswer reserves so many bytes for an answer of the request, as soon as they are
// free.
func (m *Memory) reserveAnswer(w *Work, bytes int64) (*lease, error) {
	kind := small
	if bytes > min(memoryFactor*largeDocument, m.pools[small].size/2) {
		kind = large
	}
	if most := m.pools[kind].size; bytes > most {
		return nil, &Error{Code: codeTooComplex, Message: fmt.Sprintf(
			"the answer takes %s of memory, and there are %s for one; ask for fewer files at once with a pattern, "+
				"lower guide.max_reply_bytes, or raise the memory of the program (%s) with --max-memory",
			sizeText(bytes), sizeText(most), sizeText(m.limit))}
	}
	if err := w.acquire(w.ctx, m.pools[kind].free, bytes); err != nil {
		return nil, err
	}
	if kind == small {
		m.inSmall.Add(bytes)
	} else {
		m.reserve(bytes)
	}
	return &lease{memory: m, kind: kind, bytes: bytes, most: bytes}, nil
}

// parseGuide parses a document of a category within what is reserved for it, which the
// caller releases.
func (w *Work) parseGuide(part *guide.Part) (*markdown.Document, *lease, error) {
	size := int64(len(part.Content))
	l, err := w.reserve(size)
	if err != nil {
		return nil, nil, err
	}
	doc, l, err := w.parsedWithin(l, size, func(l *lease) (*markdown.Document, error) {
		return l.parse(w.context(), new(markdown.Parser), part.Content)
	})
	if err != nil {
		l.release()
		return nil, nil, err
	}
	return doc, l, nil
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
