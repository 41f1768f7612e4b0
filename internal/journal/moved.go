package journal

import (
	"errors"
	"hash/maphash"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// What a change has taken out of one file may be in another one now: a document that has moved, a
// section, a line. While the first can't be put back, the second is left as it is too, for nothing
// else in the project may have the text.

// moved is what an interrupted change has taken out of files that can't be put back.
type moved struct {
	folder *folder
	lost   error           // why a file that was removed can't be put back; then all others are left
	blind  bool            // nobody knows what was taken out
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
	taken, ok := m.linesBeside(e.Before, e.After)
	m.blind = m.blind || !ok
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
	got, ok := m.linesBeside(e.After, e.Before)
	if !ok {
		return true
	}
	for line := range got {
		if m.lines[line] {
			return true
		}
	}
	return false
}

// linesBeside returns the lines of a text, but for blank ones, that another one hasn't, and whether
// both can be read; nil is no text.
func (m *moved) linesBeside(text, other *Text) (lines map[uint64]bool, ok bool) {
	lines = map[uint64]bool{}
	add := func(t *Text, has bool) error {
		if t == nil {
			return nil
		}
		all, err := m.folder.text(t)
		for line := range strings.Lines(string(all)) {
			key := maphash.String(m.seed, withoutDestinations(strings.TrimSpace(line)))
			if has && strings.TrimSpace(line) != "" {
				lines[key] = true
			} else {
				delete(lines, key)
			}
		}
		return err
	}
	err := errors.Join(add(text, true), add(other, false))
	return lines, err == nil
}

// destinations are what a move may change in a line: those of links, in each form.
var destinations = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\]\([^)]*\)|\[\[[^\]|]*|^\[[^\]]*\]:.*|(?i:href|src|data|poster)\s*=\s*("[^"]*"|'[^']*')`)
})

// withoutDestinations returns a line without what leads elsewhere.
func withoutDestinations(line string) string {
	if !strings.ContainsAny(line, "[=") {
		return line
	}
	return destinations().ReplaceAllString(line, "")
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
