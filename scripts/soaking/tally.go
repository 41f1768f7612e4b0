package main

import (
	"fmt"
	"strings"
	"sync"
)

// tallyLines are the lines of the table, in their order.
var tallyLines = []string{
	"edits tried",
	"edits acknowledged",
	"edits refused: conflict",
	"edits refused: structure changed",
	"edits refused: disk full",
	"edits without an answer",
	"edits without an answer that were made",
	"commands killed",
	"commands killed while they write",
	"servers killed",
	"temporary files left by kills",
	"times the disk was filled",
	"reads tried",
	"reads of a whole version",
	"reads of what was half written",
	"reads refused: other file or none there",
	"changes under readers",
	"good lines answered",
	"malformed lines",
	"plan writes tried",
	"plan writes acknowledged",
	"plan writes refused: concurrent change",
	"plan writes without an answer",
	"plan writes without an answer that were made",
	"rounds that were checked",
}

// tally counts what happened.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func newTally() *tally {
	t := &tally{counts: map[string]int{}}
	for _, name := range tallyLines {
		t.counts[name] = 0
	}
	return t
}

// add counts n more of what a line names. A name that is no line would be lost, so it
// stops the program.
func (t *tally) add(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.counts[name]; !known {
		panic("no line of the table: " + name)
	}
	t.counts[name] += n
}

// get returns the count of a line.
func (t *tally) get(name string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[name]
}

// table returns the counts as a table.
func (t *tally) table() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "| %-44s | %8s |\n| %s | %s: |\n", "what", "count", strings.Repeat("-", 44), strings.Repeat("-", 7))
	for _, name := range tallyLines {
		fmt.Fprintf(&b, "| %-44s | %8d |\n", name, t.counts[name])
	}
	return b.String()
}
