package editing

import (
	"bytes"
	"fmt"

	"github.com/sectile/sectile/internal/replies"
)

// The difference of a dry run is for patch as well as for reading, so that what
// does not fit is left out by whole hunks.

// diffLeftOut is what of a difference is not in the reply.
type diffLeftOut struct {
	Hunks int `json:"hunks"`
	Lines int `json:"lines"`
	All   int `json:"hunks_total"`
}

// String says what is left out, and how to see it.
func (d *diffLeftOut) String() string {
	return fmt.Sprintf("%d of %s of the difference, %s; the command line prints all of them with --dry-run",
		d.Hunks, replies.Plural(d.All, "hunk"), replies.Plural(d.Lines, "line"))
}

// leftOutRoom is the number of characters of the line that says what is left out.
const leftOutRoom = 160

// fitDiff returns the first hunks that fit into so many characters, 0 for any
// number, and what is left out.
func fitDiff(diff []byte, room int) ([]byte, *diffLeftOut) {
	if room == 0 || replies.Chars(diff) <= room {
		return diff, nil
	}
	head, hunks := splitHunks(diff)
	room -= replies.Chars(head) + leftOutRoom
	n := 0
	for n < len(hunks) && replies.Chars(hunks[n]) <= room {
		room -= replies.Chars(hunks[n])
		n++
	}
	left := &diffLeftOut{Hunks: len(hunks) - n, All: len(hunks)}
	for _, hunk := range hunks[n:] {
		left.Lines += bytes.Count(hunk, []byte("\n")) - 1 // that of its head
	}
	if n == 0 {
		return nil, left
	}
	return bytes.Join(append([][]byte{head}, hunks[:n]...), nil), left
}

// splitHunks returns the lines before the first hunk, and the hunks. The lines that give a file
// another name begin one.
func splitHunks(diff []byte) (head []byte, hunks [][]byte) {
	start, at, renames := -1, 0, false
	for line := range bytes.Lines(diff) {
		isHunk := bytes.HasPrefix(line, []byte("@@ "))
		begins := isHunk && !renames
		if bytes.HasPrefix(line, []byte("diff ")) {
			begins, renames = true, true
		} else if isHunk {
			renames = false
		}
		if begins {
			if start < 0 {
				head = diff[:at]
			} else {
				hunks = append(hunks, diff[start:at])
			}
			start = at
		}
		at += len(line)
	}
	if start < 0 {
		return diff, nil
	}
	return head, append(hunks, diff[start:])
}

// json renders the reply in JSON in at most so many characters, 0 for any number.
// It returns nil if not even the facts fit.
func (o *edited) json(diff []byte, limit int) []byte {
	// In JSON more is escaped, so that less fits.
	for room := limit; ; room = room * 3 / 4 {
		fitted, left := fitDiff(diff, room)
		o.Diff, o.LeftOut = string(fitted), left
		text := replies.AppendJSON(nil, o)
		switch {
		case limit == 0 || replies.Chars(text) <= limit:
			return text
		case len(fitted) == 0:
			return nil
		}
	}
}
