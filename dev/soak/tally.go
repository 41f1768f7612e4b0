package main

import (
	"fmt"
	"strings"
	"sync"
)

// roundsChecked is the line that every part counts in.
const roundsChecked = "rounds that were checked"

// tallyLines are the lines of the table, in their order.
var tallyLines = []string{
	"edits tried",
	"edits acknowledged",
	"edits acknowledged: with a hash",
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
	"processes with a limit of file size for a full disk",
	"saves by another program",
	"saves while an edit is written",
	"saves while an edit is written that were lost",
	"saves among edits",
	"edits among saves",
	"edits among saves refused: conflict",
	"edits among saves that a save had copied",
	"edits among saves not ended in time",
	"files kept among edits, and named",
	"reads tried",
	"reads of a whole version",
	"reads of what was half written",
	"reads refused: other file or none there",
	"outlines tried",
	"outlines of a whole version",
	"outlines of what was half written",
	"outlines refused: other file or none there",
	"changes under readers",
	"MB of the server that reads after its first round",
	"MB of it at the end",
	"files open in it after its first round",
	"files open in it at the end",
	"good lines answered",
	"malformed lines answered with their id",
	"malformed lines answered with no id",
	"lines without an answer",
	"lines damaged by chance",
	"plan writes tried",
	"plan marks acknowledged",
	"plan writes acknowledged: with a version",
	"plan writes refused: concurrent change",
	"plan writes refused: disk full",
	"plan writes without an answer",
	"plan writes without an answer that were made",
	"commits of plans",
	roundsChecked,
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

// addAll counts what another one has counted.
func (t *tally) addAll(other *tally) {
	for _, name := range tallyLines {
		t.add(name, other.get(name))
	}
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
	width := 0
	for _, name := range tallyLines {
		width = max(width, len(name))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %-*s | %8s |\n| %s | %s: |\n", width, "what", "count", strings.Repeat("-", width), strings.Repeat("-", 7))
	for _, name := range tallyLines {
		fmt.Fprintf(&b, "| %-*s | %8d |\n", width, name, t.counts[name])
	}
	return b.String()
}
