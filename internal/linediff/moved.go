package linediff

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lines move from one text to another one, and where several are changed one after the other they may be in
// neither meanwhile.

// maxMoving is the number of bytes, of all texts before and after, without what is the same at the beginnings and
// ends of each, of which lines are looked for in others.
const maxMoving = 1 << 20

// ReceiversFirst returns things that each have a text before and after, in an order in which none that
// loses a line comes before one that gets it: whenever only the first so many are changed, each line is in one of
// them. Lines are the same if any of LineHashes is. Where some get lines of each other, in a circle, where none are the same,
// and where more than 1 MiB would have to be compared, those that get longer come first, and else the order stays.
func ReceiversFirst[T any](list []T, texts func(T) (before, after []byte)) []T {
	if len(list) < 2 {
		return list
	}
	m := moves{lost: make([][]uint64, len(list)), seen: make([]bool, len(list))}
	var longer, shorter []int
	rests, size := make([][2][]byte, len(list)), 0
	for i, of := range list {
		before, after := texts(of)
		if len(after) < len(before) {
			shorter = append(shorter, i)
		} else {
			longer = append(longer, i)
		}
		if size <= maxMoving {
			before, after = unequal(before, after)
			rests[i] = [2][]byte{before, after}
			size += len(before) + len(after)
		}
	}
	if size <= maxMoving {
		m.compare(rests)
	}
	for _, i := range slices.Concat(longer, shorter) {
		m.put(i)
	}
	ordered := make([]T, len(list))
	for n, i := range m.ordered {
		ordered[n] = list[i]
	}
	return ordered
}

// moves are lines that texts, by their numbers, lose and get.
type moves struct {
	lost    [][]uint64
	got     []gotLine // by their hashes
	seen    []bool
	ordered []int
}

// gotLine is a line that a text gets, negative for one whose receivers are put.
type gotLine struct {
	hash uint64
	by   int
}

// compare finds the lines that texts lose and get, of which it has what is before and after.
func (m *moves) compare(rests [][2][]byte) {
	seed := maphash.MakeSeed()
	for i, rest := range rests {
		times := map[uint64]int{}
		for hash := range LineHashes(seed, rest[0]) {
			times[hash]--
		}
		for hash := range LineHashes(seed, rest[1]) {
			times[hash]++
		}
		for hash, n := range times {
			switch {
			case n < 0:
				m.lost[i] = append(m.lost[i], hash)
			case n > 0:
				m.got = append(m.got, gotLine{hash, i})
			}
		}
	}
	slices.SortFunc(m.got, func(a, b gotLine) int { return cmp.Or(cmp.Compare(a.hash, b.hash), a.by-b.by) })
}

// put puts a text behind those that get lines of it, unless it is put already.
func (m *moves) put(of int) {
	if m.seen[of] {
		return
	}
	m.seen[of] = true
	for _, line := range m.lost[of] {
		first, _ := slices.BinarySearchFunc(m.got, line, func(g gotLine, hash uint64) int { return cmp.Compare(g.hash, hash) })
		for i := first; i < len(m.got) && m.got[i].hash == line && m.got[i].by >= 0; i++ {
			by := m.got[i].by
			m.got[i].by = -1
			m.put(by)
		}
	}
	m.ordered = append(m.ordered, of)
}

// LineHashes yields what the lines of a text are compared by, but blank ones: a hash of each as it is, without the
// blanks around it, and one of what Letters returns if that is something else and the line has letters or digits.
func LineHashes(seed maphash.Seed, text []byte) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		var letters []byte
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if !yield(maphash.String(seed, line)) {
				return
			}
			letters = appendLetters(letters[:0], line)
			if string(letters) == line || len(letters) == 0 && !strings.ContainsFunc(line, isLetter) {
				continue
			}
			if !yield(maphash.Bytes(seed, letters)) {
				return
			}
		}
	}
}

// isLetter reports whether a character counts for Letters.
func isLetter(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// unequal returns what is left of two texts without the lines at their beginnings, and at their ends, that are the same.
func unequal(a, b []byte) (restA, restB []byte) {
	n, most := 0, min(len(a), len(b))
	for n < most && a[n] == b[n] {
		n++
	}
	n = bytes.LastIndexByte(a[:n], '\n') + 1
	a, b = a[n:], b[n:]
	n, most = 0, min(len(a), len(b))
	for n < most && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	end := a[len(a)-n:]
	if i := bytes.IndexByte(end, '\n'); i >= 0 {
		n -= i + 1
		return a[:len(a)-n], b[:len(b)-n]
	}
	return a, b
}

// Letters returns the letters and digits of a line, without those of where its links lead: what a
// move leaves as it is, which changes the levels of headings too. The forms of links are taken more
// widely than Markdown has them, for nobody knows what is around the line.
func Letters(line string) string { return string(appendLetters(nil, line)) }

// appendLetters appends what Letters returns.
func appendLetters(b []byte, line string) []byte {
	definition, wiki := destination(line), strings.LastIndex(line, "]]")
	for i := 0; i < len(line); {
		rest := line[i:]
		switch c := rest[0]; {
		case i != definition && isPlain(c): // most are
			if c >= '0' {
				b = append(b, c)
			}
			rest = rest[1:]
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
			if isLetter(c) {
				b = utf8.AppendRune(b, c)
			}
			rest = rest[size:]
		}
		i = len(line) - len(rest)
	}
	return b
}

// isPlain reports whether a byte is a letter, a digit or nothing that counts, and begins no link.
func isPlain(c byte) bool { return c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

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
