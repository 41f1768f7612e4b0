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

// linesBeside returns the lines of a text that another one has less often, but for blank ones, by hashes
// of them as they are and of what a move leaves of them; nil is
// no text. The error is IsGone, or is noted, and what it is about is told when it can be read.
func (m *moved) linesBeside(text, other *Text) (lines map[uint64]bool, err error) {
	times := map[uint64]int{}
	count := func(t *Text, by int) error {
		if t == nil {
			return nil
		}
		all, err := m.folder.text(t)
		for line := range strings.Lines(string(all)) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			times[maphash.String(m.seed, line)] += by
			if letters := lettersOf(line); letters != line {
				times[maphash.String(m.seed, letters)] += by
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
// widely than Markdown has them, for nobody knows what is around the line.
func lettersOf(line string) string {
	var b strings.Builder
	definition, wiki := destination(line), strings.LastIndex(line, "]]")
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case strings.HasPrefix(rest, "]("):
			rest = behind(strings.TrimLeft(rest[2:], " \t"), "<", " )")
		case strings.HasPrefix(rest, "[[") && i < wiki:
			rest = behind(rest[2:], "", "|]")
		case i == definition:
			rest = behind(rest, "<", " \t")
		case rest[0] == '=' && isOfLink(line[:i]):
			rest = behind(strings.TrimLeft(rest[1:], " \t"), "\"'", " >")
		default:
			c, size := utf8.DecodeRuneInString(rest)
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				b.WriteRune(c)
			}
			rest = rest[size:]
		}
		i = len(line) - len(rest)
	}
	return b.String()
}

// destination returns where that of a link reference definition begins, -1 if the line is none: but for marks
// of quotes and lists the label begins the line, and it isn't that of a footnote, whose text is no destination.
func destination(line string) int {
	before, rest, ok := strings.Cut(line, "]:")
	marks, label, isLabel := strings.Cut(before, "[")
	if !ok || !isLabel || strings.HasPrefix(label, "^") || strings.ContainsFunc(marks, unicode.IsLetter) {
		return -1
	}
	return len(line) - len(strings.TrimLeft(rest, " \t"))
}

// isOfLink reports whether what is before a "=" ends with the name of an attribute whose value is where a link leads.
func isOfLink(before string) bool {
	before = strings.TrimRight(before, " \t")
	before = before[max(0, len(before)-len("poster")-1):]
	name := before[strings.LastIndexAny(before, " \t\"'/")+1:]
	return slices.ContainsFunc([]string{"href", "src", "data", "poster"}, func(s string) bool { return strings.EqualFold(s, name) })
}

// behind returns what is behind a destination: it is in one of some quotes or angle brackets, or ends before one
// of some characters, or with the line, that no backslash escapes.
func behind(text, quotes, ends string) string {
	if text == "" {
		return ""
	}
	if i := strings.IndexByte(quotes, text[0]); i >= 0 {
		text, ends = text[1:], strings.Replace(quotes[i:i+1], "<", ">", 1)
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
