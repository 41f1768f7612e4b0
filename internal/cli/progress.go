package cli

import (
	"context"
	"fmt"
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

// show prints the bar.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if paging(p.s).runs() {
		return // the terminal is the pager's
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
