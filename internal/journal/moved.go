package journal

import (
	"cmp"
	"errors"
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a change has taken out of one file may be in another one now: a document that has moved, a
// section, a line. While the first can't be put back, the second is left as it is too, for nothing
// else in the project may have the text.

// moved is what an interrupted change has taken out of files that can't be put back.
type moved struct {
	folder *folder
	lost   error           // why a file that was removed can't be put back; then all others are left
	blind  bool            // nobody knows what was taken out
	unread error           // why a text can't be read now, so that nothing can be told yet
	lines  map[uint64]bool // that were taken out, by their hashes
	seed   maphash.Seed
}

func newMoved(f *folder) *moved {
	return &moved{folder: f, lines: map[uint64]bool{}, seed: maphash.MakeSeed()}
}

// leave notes a file that can't be put back, and why: there is no room yet, another program has
// saved it, or its place isn't what it was.
func (m *moved) leave(e *Entry, why error) {
	switch {
	case e.Before == nil: // it is one that the change has made
		return
	case e.After == nil && !errors.Is(why, errChanged) && !isNoRoom(why):
		m.lost = why
	}
	taken, err := m.linesBeside(e.Before, e.After)
	m.blind = m.blind || err != nil
	for line := range taken {
		m.lines[line] = true
	}
}

// isIn reports whether a file may have what was taken out of another one. Those of which the change
// has taken text out itself are put back first.
func (m *moved) isIn(e *Entry) bool {
	switch {
	case m.lost != nil:
		return true
	case e.After == nil:
		return false
	case m.blind:
		return true
	case len(m.lines) == 0:
		return false
	}
	got, err := m.linesBeside(e.After, e.Before)
	if err != nil {
		return true
	}
	for line := range got {
		if m.lines[line] {
			return true
		}
	}
	return false
}

// linesBeside returns the lines of a text that another one has less often, but for blank ones; nil is
// no text. The error is IsGone, or is noted, and what it is about is told when it can be read.
func (m *moved) linesBeside(text, other *Text) (lines map[uint64]bool, err error) {
	times := map[uint64]int{}
	count := func(t *Text, by int) error {
		if t == nil {
			return nil
		}
		all, err := m.folder.text(t)
		for line := range strings.Lines(string(all)) {
			if strings.TrimSpace(line) != "" {
				times[maphash.String(m.seed, lettersOf(line))] += by
			}
		}
		return err
	}
	if err = cmp.Or(count(text, 1), count(other, -1)); err != nil && !IsGone(err) {
		m.unread = err
	}
	lines = map[uint64]bool{}
	for line, n := range times {
		if n > 0 {
			lines[line] = true
		}
	}
	return lines, err
}

// lettersOf returns the letters and digits of a line, without those of where its links lead: what a
// move leaves as it is, which changes the levels of headings too. The forms of links are taken more
// widely than Markdown has them.
func lettersOf(line string) string {
	var b strings.Builder
	for rest := line; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "]("):
			rest = behind(rest[2:], " )")
		case strings.HasPrefix(rest, "[["):
			rest = behind(rest[2:], "|]")
		case strings.HasPrefix(rest, "]:"):
			rest = ""
		case rest[0] == '=':
			rest = behind(strings.TrimLeft(rest[1:], " \t"), " >")
		default:
			c, size := utf8.DecodeRuneInString(rest)
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				b.WriteRune(c)
			}
			rest = rest[size:]
		}
	}
	return b.String()
}

// behind returns what is behind a destination: it is in quotes or angle brackets, or ends before one
// of some characters that no backslash escapes.
func behind(text, ends string) string {
	if text == "" {
		return ""
	}
	if i := strings.IndexByte("\"'<", text[0]); i >= 0 {
		text, ends = text[1:], "\"'>"[i:i+1]
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.IndexByte(ends, text[i]) >= 0:
			return text[i:]
		}
	}
	return ""
}

// inOrder returns the entries in the order in which they are taken back: those of files that the
// change removed or made shorter first, for what comes of them decides about the others.
func (r *Record) inOrder() []*Entry {
	list := make([]*Entry, len(r.Entries))
	for i := range r.Entries {
		list[i] = &r.Entries[i]
	}
	slices.SortStableFunc(list, func(a, b *Entry) int { return a.rank() - b.rank() })
	return list
}

// rank is 0 for a file that the change removed, 1 for one that it made shorter, 2 for others.
func (e *Entry) rank() int {
	switch {
	case e.After == nil:
		return 0
	case e.Before != nil && e.After.Size < e.Before.Size:
		return 1
	}
	return 2
}
