package terminal

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
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

// Progress is a bar on standard error, below what is printed meanwhile.
type Progress struct {
	out     io.Writer // of the results
	to      io.Writer // of the bar
	bar     bool      // someone looks
	delay   time.Duration
	quit    chan struct{}
	stopped chan struct{}

	mu    sync.Mutex
	quiet bool // the result is being printed, which shows that it goes on
	done  int
	total int // 0 while it is unknown
	shown bool
}

// NewProgress returns a bar on errs, if that is a terminal, for results that go to out.
func NewProgress(out, errs io.Writer) *Progress {
	return &Progress{
		out: out, to: errs, bar: Is(errs), delay: progressDelay,
		quit: make(chan struct{}), stopped: make(chan struct{}),
	}
}

// Run shows the bar from when it is due until Stop is called. How many documents there are
// is found out only then, by count.
func (p *Progress) Run(ctx context.Context, count func(ctx context.Context) int) {
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
		n := count(ctx)
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

// waiting waits for the next tick and reports whether Stop was not called.
func (p *Progress) waiting(tick <-chan time.Time) bool {
	select {
	case <-p.quit:
		return false
	case <-tick:
		return true
	}
}

// Stop ends Run and waits for it.
func (p *Progress) Stop() {
	close(p.quit)
	<-p.stopped
}

// Print prints a part of the results by a function, in the place of the bar. So many
// documents are done then.
func (p *Progress) Print(done int, part func() error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.done = done
	return part()
}

// Tell says how far the work is.
func (p *Progress) Tell(done, _ int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = done
}

// Printing returns a writer to w for results that come in pieces that end anywhere: the bar
// is there until the first of them.
func (p *Progress) Printing(w io.Writer) io.Writer { return printing{p, w} }

// printing is the writer of Printing.
type printing struct {
	p  *Progress
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
func (p *Progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet || PagerOf(p.out).runs() { // then the terminal is the pager's
		return
	}
	text := fmt.Sprintf("%d files", p.done)
	if p.total > 0 {
		full := min(p.done*progressWidth/p.total, progressWidth)
		text = fmt.Sprintf("[%s%s] %d of %d files",
			strings.Repeat("#", full), strings.Repeat("-", progressWidth-full), p.done, p.total)
	}
	_, _ = fmt.Fprint(Printed(p.to), eraseLine, text) // a bar that can't be shown is no loss
	p.shown = true
}

// erase takes the bar off the terminal.
func (p *Progress) erase() {
	if p.shown {
		_, _ = fmt.Fprint(Printed(p.to), eraseLine)
		p.shown = false
	}
}
