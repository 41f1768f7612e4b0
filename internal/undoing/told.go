package undoing

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// Differences are text of documents. What is told of a change stands before them, also what is
// left out, and nothing of ours after them.

// told is a reply about one change.
type told struct {
	maxChars int      // of the reply; 0 sets none
	head     string   // of ours, whole lines
	diffs    [][]byte // of its first files
	left     int      // how many files more there are
	part     linesPart
	memory   documents.Taken
}

// linesPart is some lines of differences that follow each other.
type linesPart struct {
	first, most int // from which on, counted from 0, and how many; 0 for all
	lines       int // how many there were so far, if not all are wanted
}

// of returns the lines of a difference that are wanted.
func (p *linesPart) of(diff []byte) []byte {
	if p.most == 0 {
		return diff
	}
	from, end, at := 0, 0, 0
	for line := range bytes.Lines(diff) {
		at += len(line)
		if p.lines < p.first {
			from = at
		}
		if p.lines < p.first+p.most {
			end = at
		}
		p.lines++
	}
	return bytes.Clone(diff[from:end]) // what is around it isn't kept
}

// kept returns of the difference of a file what is told, for which memory is reserved until the reply
// is sent.
func (t *told) kept(work *documents.Work, diff []byte, inJSON bool) ([]byte, error) {
	diff = t.part.of(diff)
	const times = 4 // beside itself it is in all of them, and in the reply, which grows
	told := diff
	if t.maxChars > 0 {
		told = diff[:min(len(diff), 4*t.maxChars)] // or it isn't told
	}
	taken := int64(times * len(told))
	if inJSON {
		taken += documents.InJSON(told)
	}
	return diff, t.memory.Add(work, taken)
}

// headRoom is how many characters are kept for what is told of the differences.
const headRoom = 400

// isFull reports whether there is no room for the difference of another file.
func (t *told) isFull() bool { return t.left > 0 }

// add adds the difference of a file, if there is room for all of it.
func (t *told) add(diff []byte) {
	room := t.maxChars - headRoom
	for _, one := range append(t.diffs, diff, []byte(t.head)) {
		room -= replies.Chars(one)
	}
	if t.isFull() || t.maxChars > 0 && room < 0 {
		t.left++
		return
	}
	t.diffs = append(t.diffs, diff)
}

// text returns the whole reply, and the differences that it has.
func (t *told) text(marks *replies.Marks) (text, diff []byte) {
	for n := len(t.diffs); n > 0 && t.maxChars > 0 && replies.Chars([]byte(t.head))+replies.Chars(slices.Concat(t.diffs...))+headRoom > t.maxChars; n-- {
		t.diffs, t.left = t.diffs[:n-1], t.left+1
	}
	diff = slices.Concat(t.diffs...)
	head := t.head
	if t.left > 0 {
		head += fmt.Sprintf("left_out: the difference of %s; the command line prints all of it\n", replies.Plural(t.left, "file"))
	}
	if marks == nil {
		return slices.Concat([]byte(head), diff), diff
	}
	for _, warning := range replies.UnseenIn(diff) {
		head += "warning: " + replies.Safe(warning) + "\n"
	}
	switch {
	case len(diff) == 0:
		return []byte(head), diff
	case replies.AnyAnnouncing([]byte(head), diff):
		mark := marks.Draw([]byte(head), diff)
		return slices.Concat([]byte(mark.Top()), mark.Lines([]byte(head)), diff), diff
	}
	return slices.Concat([]byte(head), []byte("\n"), diff), diff // the first empty line divides them
}
