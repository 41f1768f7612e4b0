package terminal

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
)

// What a server tells beside its answers must hold up neither them nor its end, whoever reads it:
// it waits in a queue for a goroutine that writes it, which exists while there is any. What finds
// no room is left out, and counted: the next line says how many lines are missing.

// maxQueued is the number of bytes that wait. A text that is longer waits alone.
const maxQueued = 256 << 10

// queue writes what it is given to a writer, and never waits for that. It is safe for concurrent
// use.
type queue struct {
	to io.Writer

	mu      sync.Mutex
	texts   [][]byte // the first is being written
	bytes   int      // of them
	missing int      // lines that were left out since the last text
	empty   chan struct{}
}

func newQueue(to io.Writer) *queue { return &queue{to: to} }

// Write puts a text, which is of whole lines, in the queue, or leaves it out. It never fails.
func (q *queue) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	notice := q.notice()
	if len(q.texts) > 0 && q.bytes+len(notice)+len(p) > maxQueued {
		q.missing += lines(p)
		return len(p), nil
	}
	q.missing = 0
	q.put(append(notice, p...))
	return len(p), nil
}

// notice tells of what is missing, nil if nothing is. q.mu is held.
func (q *queue) notice() []byte {
	switch q.missing {
	case 0:
		return nil
	case 1:
		return []byte("sectile: 1 line is missing here: it could not be written in time\n")
	}
	return fmt.Appendf(nil, "sectile: %d lines are missing here: they could not be written in time\n", q.missing)
}

// put puts a text behind what is to be written. q.mu is held.
func (q *queue) put(text []byte) {
	if len(text) == 0 {
		return
	}
	q.texts = append(q.texts, text)
	q.bytes += len(text)
	if len(q.texts) == 1 {
		q.empty = make(chan struct{})
		go q.write(text)
	}
}

// write writes a text and those behind it.
func (q *queue) write(text []byte) {
	for text != nil {
		_, err := q.to.Write(text)
		text = q.next(err)
	}
}

// next takes the text out that was written, or failed to be, and returns the one behind it, nil
// for none.
func (q *queue) next(failed error) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	text := q.texts[0]
	q.texts = q.texts[1:]
	q.bytes -= len(text)
	switch {
	case failed != nil:
		q.missing += lines(text)
	case len(q.texts) == 0 && q.missing > 0:
		notice := q.notice()
		q.missing = 0
		q.texts, q.bytes = append(q.texts, notice), len(notice)
	}
	if len(q.texts) == 0 {
		close(q.empty)
		return nil
	}
	return q.texts[0]
}

// end waits until all is written, but no longer than patience.
func (q *queue) end(patience time.Duration) {
	q.mu.Lock()
	waits, empty := len(q.texts) > 0, q.empty
	q.mu.Unlock()
	if !waits {
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-empty:
	case <-timer.C:
	}
}

// lines returns how many lines a text has; the last may have no end.
func lines(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// Queue has what is printed to w from now on wait in a queue, so that nobody waits for who reads
// it. What finds no room there is left out, with a line in its place that says how many are
// missing. It returns w, which is safe for concurrent use then unless it prints JSON.
func Queue(w io.Writer) io.Writer {
	if out, ok := w.(*Output); ok && out.queue == nil {
		out.queue = newQueue(out.to)
	}
	return w
}

// lastWords is how long the end of a program waits for who reads what is in a queue.
const lastWords = 2 * time.Second

// End waits for a while until what is in the queue is written.
func (o *Output) End() {
	if o.queue != nil {
		o.queue.end(lastWords)
	}
}
