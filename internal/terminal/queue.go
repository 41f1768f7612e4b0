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
	texts   []queued // the first is being written
	bytes   int      // of them
	missing int      // lines that were left out behind the last text
	empty   chan struct{}
}

// queued is a text in a queue.
type queued struct {
	text    []byte
	missing int // lines that were left out before it
}

func newQueue(to io.Writer) *queue { return &queue{to: to} }

// Write puts a text, which is of whole lines, in the queue, or leaves it out. It never fails.
func (q *queue) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.texts) > 0 && q.bytes+len(p) > maxQueued {
		q.missing += lines(p)
		return len(p), nil
	}
	if len(p) > 0 {
		q.put(bytes.Clone(p))
	}
	return len(p), nil
}

// put puts a text, with what is missing before it, behind what is to be written. q.mu is held.
func (q *queue) put(text []byte) {
	q.texts = append(q.texts, queued{text, q.missing})
	q.bytes += len(text)
	q.missing = 0
	if len(q.texts) == 1 {
		q.empty = make(chan struct{})
		go q.write()
	}
}

// write writes the texts, one after the other, until there is none.
func (q *queue) write() {
	for more := true; more; {
		notice, text := q.first()
		n, err := q.to.Write(append(notice, text...))
		if err == nil {
			n = len(notice) + len(text)
		}
		more = q.next(n-len(notice), err != nil)
	}
}

// first returns the text that is to be written, and what tells of the lines that are missing
// before it.
func (q *queue) first() (notice, text []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	one := q.texts[0]
	return missingLines(one.missing), one.text
}

// missingLines tells of lines that were left out, nil of none.
func missingLines(n int) []byte {
	switch n {
	case 0:
		return nil
	case 1:
		return []byte("sectile: 1 line is missing here: it could not be written in time\n")
	}
	return fmt.Appendf(nil, "sectile: %d lines are missing here: they could not be written in time\n", n)
}

// next takes the text out of which so many bytes were written, or fewer than none if not all that
// tells of missing lines was. It reports whether there is another one to write now.
func (q *queue) next(written int, failed bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	one := q.texts[0]
	q.texts = q.texts[1:]
	q.bytes -= len(one.text)
	lost := lines(one.text[max(written, 0):])
	if written < 0 {
		lost += one.missing
	}
	if len(q.texts) > 0 {
		q.texts[0].missing += lost
		return true
	}
	q.missing += lost
	if q.missing == 0 || failed { // the next text tells
		close(q.empty)
		return false
	}
	q.texts, q.missing = append(q.texts, queued{missing: q.missing}), 0
	return true
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
