package journal

import (
	"cmp"
	"errors"
	"hash/maphash"
	"slices"

	"github.com/sectile/sectile/internal/linediff"
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
	rest   map[*Entry]bool // files that are to be put back, and aren't yet
	stays  map[*Entry]bool // those that are left, for they may have what was taken out of another one
	got    []gotLine       // by their hashes; nil until somebody has to know
	told   map[uint64]bool // lines of which it was looked who got them
	untold []*Entry        // those of the rest of which nobody knows what they got
	seed   maphash.Seed
}

// gotLine is a line that the change gave a file.
type gotLine struct {
	hash uint64
	by   *Entry
}

func newMoved(f *folder, rest map[*Entry]bool) *moved {
	return &moved{folder: f, rest: rest, stays: map[*Entry]bool{}, told: map[uint64]bool{}, seed: maphash.MakeSeed()}
}

// leave notes a file that can't be put back, and why: there is no room yet, another program has
// saved it, or its place isn't what it was. With it those of the rest stay that may have what was taken out
// of it, with these those that may have what was taken out of them, and so on.
func (m *moved) leave(e *Entry, why error) {
	if e.Before != nil && e.After == nil && !errors.Is(why, errChanged) && !isNoRoom(why) {
		m.lost = why
	}
	delete(m.rest, e)
	for list := []*Entry{e}; len(list) > 0; list = list[1:] {
		for _, heir := range m.heirs(list[0]) {
			if m.rest[heir] {
				delete(m.rest, heir)
				m.stays[heir] = true
				list = append(list, heir)
			}
		}
	}
}

// heirs returns the files that may have what was taken out of one, but for those that stay already.
func (m *moved) heirs(e *Entry) (list []*Entry) {
	if e.Before == nil { // it is one that the change has made
		return nil
	}
	taken, err := m.linesBeside(e.Before, e.After)
	m.blind = m.blind || err != nil
	if len(taken) == 0 {
		return nil
	}
	if m.got == nil {
		m.readGot()
	}
	for hash := range taken {
		list = append(list, m.whoGot(hash)...)
	}
	list, m.untold = append(list, m.untold...), nil
	return list
}

// whoGot returns the files that got a line when it is asked first, and none again: they stay then, and
// many files may have the same lines.
func (m *moved) whoGot(hash uint64) (list []*Entry) {
	if m.told[hash] {
		return nil
	}
	m.told[hash] = true
	first, _ := slices.BinarySearchFunc(m.got, hash, func(g gotLine, hash uint64) int { return cmp.Compare(g.hash, hash) })
	for _, g := range m.got[first:] {
		if g.hash != hash {
			break
		}
		list = append(list, g.by)
	}
	return list
}

// readGot reads what lines the change gave to the files of the rest.
func (m *moved) readGot() {
	m.got = []gotLine{}
	for e := range m.rest {
		if e.After == nil {
			continue
		}
		got, err := m.linesBeside(e.After, e.Before)
		if err != nil {
			m.untold = append(m.untold, e)
		}
		for hash := range got {
			m.got = append(m.got, gotLine{hash, e})
		}
	}
	slices.SortFunc(m.got, func(a, b gotLine) int { return cmp.Compare(a.hash, b.hash) })
}

// isIn reports whether a file may have what was taken out of another one.
func (m *moved) isIn(e *Entry) bool {
	return m.lost != nil || m.stays[e] || m.blind && e.After != nil
}

// linesBeside returns the lines of a text that another one has less often, by their hashes; nil is no text. The error is IsGone, or is noted, and what it is about is told when it can be read.
func (m *moved) linesBeside(text, other *Text) (lines map[uint64]bool, err error) {
	times := map[uint64]int{}
	count := func(t *Text, by int) error {
		if t == nil {
			return nil
		}
		all, err := m.folder.text(t)
		for hash := range linediff.LineHashes(m.seed, all) {
			times[hash] += by
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
