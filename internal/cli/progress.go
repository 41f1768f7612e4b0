package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/sectile/sectile/internal/documents"
)

// A progress bar on standard error for those who wait at a terminal. It is a few
// lines of our own because the libraries for it build tables when a program
// starts that cost more than most runs of this one.

const (
	progressDelay = time.Second // nobody waits for what is shorter
	progressEvery = 100 * time.Millisecond
	progressWidth = 40
	eraseLine     = "\r\x1b[K"
)

// progress prints a reply, and a bar below it.
type progress struct {
	s       Streams
	bar     bool // someone looks
	delay   time.Duration
	quit    chan struct{}
	stopped chan struct{}

	mu    sync.Mutex
	quiet bool // the result is being printed, which shows that it goes on
	done  int
	total int // 0 while it is unknown
	shown bool
}

func newProgress(s Streams) *progress {
	return &progress{
		s: s, bar: isTerminal(s.Err), delay: progressDelay,
		quit: make(chan struct{}), stopped: make(chan struct{}),
	}
}

// run shows the bar from when it is due until stop is called. How many documents
// there are is found out only then, by a walk of its own.
func (p *progress) run(ctx context.Context, docs documents.Set) {
	defer close(p.stopped)
	if !p.bar {
		return
	}
	select {
	case <-p.quit:
		return
	case <-time.After(p.delay):
	}
	ctx, cancel := context.WithCancel(ctx)
	var counting sync.WaitGroup
	counting.Go(func() {
		n := documents.Count(ctx, docs)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.total = n
	})
	defer counting.Wait()
	defer cancel()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for p.waiting(tick.C) {
		p.show()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// waiting waits for the next tick and reports whether stop was not called.
func (p *progress) waiting(tick <-chan time.Time) bool {
	select {
	case <-p.quit:
		return false
	case <-tick:
		return true
	}
}

// stop ends run and waits for it.
func (p *progress) stop() {
	close(p.quit)
	<-p.stopped
}

// print prints a part of the reply and its errors.
func (p *progress) print(part documents.Part) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.done = part.Files
	for _, e := range part.Errors {
		printError(p.s.Err, e)
	}
	if len(part.Text) == 0 {
		return nil
	}
	_, err := p.s.Out.Write(part.Text)
	return err
}

// withProgress answers a request whose result comes in pieces that end anywhere: the bar is
// there until the first of them.
func withProgress(ctx context.Context, s Streams, docs documents.Set, request func(docs documents.Set, out, errs io.Writer) error) error {
	p := newProgress(s)
	counted := docs
	docs.Progress = p.tell
	go p.run(ctx, counted)
	defer p.stop()
	return request(docs, printing{p, s.Out}, printing{p, s.Err})
}

// tell says how far the work is.
func (p *progress) tell(done, _ int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = done
}

// printing is where a result is printed once the bar is gone.
type printing struct {
	p  *progress
	to io.Writer
}

// Write implements io.Writer.
func (w printing) Write(piece []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	w.p.erase()
	w.p.quiet = true
	return w.to.Write(piece)
}

// show prints the bar.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet || paging(p.s).runs() { // then the terminal is the pager's
		return
	}
	text := fmt.Sprintf("%d files", p.done)
	if p.total > 0 {
		full := min(p.done*progressWidth/p.total, progressWidth)
		text = fmt.Sprintf("[%s%s] %d of %d files",
			strings.Repeat("#", full), strings.Repeat("-", progressWidth-full), p.done, p.total)
	}
	_, _ = fmt.Fprint(printed(p.s.Err), eraseLine, text) // a bar that can't be shown is no loss
	p.shown = true
}

// erase takes the bar off the terminal.
func (p *progress) erase() {
	if p.shown {
		_, _ = fmt.Fprint(printed(p.s.Err), eraseLine)
		p.shown = false
	}
}
