package editing

import (
	"bytes"
	"fmt"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
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
	return cutDiff(diff, room)
}

// cutDiff is fitDiff for a difference that doesn't fit with what is said of the rest.
func cutDiff(diff []byte, room int) ([]byte, *diffLeftOut) {
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

// differences are those of the documents of a change, one behind the other: as much of them as a reply
// has room for, and of a reply of any length those for which there is memory.
type differences struct {
	text  []byte
	rest  diffLeftOut // what isn't kept, behind the text, without how many there are
	limit int         // the most characters of the reply, 0 for any number
	chars int         // of the text
	work  *documents.Work
	taken documents.Taken
	err   error // that there is no memory for all of them, nil if nothing is left out for that

	encoded documents.Taken // by the reply while it becomes JSON
}

// differences returns none yet.
func (e *editing) differences() *differences {
	return &differences{limit: e.options.MaxChars, work: e.docs.Work}
}

// copiesOfDiff is how often a difference is there: by itself, among all, and in the reply.
const copiesOfDiff = 3

// add adds the difference of the document at a path, for which memory is reserved.
func (d *differences) add(path string, diff []byte) {
	fitted, left := d.shown(diff)
	if err := d.taken.Add(d.work, int64(copiesOfDiff*len(fitted))); err != nil {
		d.err = replies.ErrorAbout(replies.DisplayPath(path), err)
		fitted, left = nil, &diffLeftOut{}
		left.add(diff)
	}
	d.keep(fitted, left)
}

// shown is fitDiff for the next difference. Nothing is shown behind what is left out.
func (d *differences) shown(diff []byte) ([]byte, *diffLeftOut) {
	room := d.limit - d.chars
	if d.rest.Hunks > 0 || d.limit > 0 && room <= 0 {
		left := &diffLeftOut{}
		left.add(diff)
		return nil, left
	}
	return fitDiff(diff, max(room, 0))
}

// keep keeps what is shown of a difference.
func (d *differences) keep(diff []byte, left *diffLeftOut) {
	if len(d.text) == 0 {
		d.text = diff
	} else {
		d.text = append(d.text, diff...)
	}
	d.chars += replies.Chars(diff)
	if left != nil {
		d.rest.Hunks, d.rest.Lines = d.rest.Hunks+left.Hunks, d.rest.Lines+left.Lines
	}
}

// isEmpty reports whether nothing is told.
func (d *differences) isEmpty() bool { return len(d.text) == 0 && d.rest.Hunks == 0 }

// addOthers adds the differences of other documents.
func (d *differences) addOthers(docs *documents.Set, others []linking.Other) {
	for i := range others {
		if o := &others[i]; o.Result != nil {
			d.add(o.Path, o.Result.Diff(labelOf(docs, o.Path)))
		}
	}
}

// wanted returns the error for a preview whose differences there is no memory for; what was written is
// told without them.
func (d *differences) wanted(written bool) error {
	if written || d.err == nil {
		return nil
	}
	return replies.Unwritten(d.err)
}

// json renders a reply in JSON: what data returns for as much of the differences as fits into so many
// characters, with what is left out. What was written is told without them where there is no memory for
// that.
func (d *differences) json(written bool, room int, data func(diff string, left *diffLeftOut) any) ([]byte, error) {
	shown, left := d.fit(room)
	text, err := d.encoded.JSON(d.work, nil, data(string(shown), left))
	switch {
	case err == nil:
		return text, nil
	case !written:
		return nil, replies.Unwritten(err)
	}
	all := d.rest
	all.add(d.text)
	none := differences{rest: all, limit: d.limit}
	_, left = none.fit(room)
	return replies.AppendJSON(nil, data("", left)), nil
}

// fit is fitDiff for all of them.
func (d *differences) fit(room int) ([]byte, *diffLeftOut) {
	if d.rest.Hunks == 0 {
		return fitDiff(d.text, room)
	}
	fitted, left := d.text, &diffLeftOut{}
	if room > 0 && d.chars > room-leftOutRoom {
		fitted, left = cutDiff(d.text, room)
	}
	_, hunks := splitHunks(d.text)
	left.Hunks, left.Lines, left.All = left.Hunks+d.rest.Hunks, left.Lines+d.rest.Lines, len(hunks)+d.rest.Hunks
	return fitted, left
}

// add adds a whole difference to what is left out. The lines that name its files count with the hunk
// before them.
func (d *diffLeftOut) add(diff []byte) {
	_, hunks := splitHunks(diff)
	d.Hunks += len(hunks)
	d.Lines += bytes.Count(diff, []byte("\n")) - len(hunks)
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
// It returns nil if not even the facts fit. The error is that of a preview, an *Error.
func (o *edited) json(diff *differences, limit int) ([]byte, error) {
	// In JSON more is escaped, so that less fits.
	for room := limit; ; room = room * 3 / 4 {
		text, err := diff.json(o.Written, room, func(shown string, left *diffLeftOut) any {
			o.Diff, o.LeftOut = shown, left
			return o
		})
		switch {
		case err != nil || limit == 0 || replies.Chars(text) <= limit:
			return text, err
		case o.Diff == "":
			return nil, nil
		}
	}
}
