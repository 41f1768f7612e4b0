package undoing

import (
	"fmt"
	"slices"

	"github.com/sectile/sectile/internal/replies"
)

// Differences are text of documents. What is told of a change stands before them, also what is
// left out, and nothing of ours after them.

// told is a reply about one change.
type told struct {
	head  string   // of ours, whole lines
	diffs [][]byte // of its files
}

// add adds the difference of a file.
func (t *told) add(diff []byte) { t.diffs = append(t.diffs, diff) }

// headRoom is how many characters are kept for what is told of the differences.
const headRoom = 400

// text returns the whole reply in so many characters, 0 for any number, and the differences
// that it has: those of the first files, each whole.
func (t *told) text(marks *replies.Marks, maxChars int) (text, diff []byte) {
	room := maxChars - replies.Chars([]byte(t.head)) - headRoom
	shown := 0
	for _, one := range t.diffs {
		if room -= replies.Chars(one); maxChars > 0 && room < 0 {
			break
		}
		diff = append(diff, one...)
		shown++
	}
	head := t.head
	if more := len(t.diffs) - shown; more > 0 {
		head += fmt.Sprintf("left_out: %s; the command line prints all of it\n", replies.LeftOutDifference("that of "+replies.Plural(more, "file")))
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
