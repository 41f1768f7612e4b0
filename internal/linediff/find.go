package linediff

import (
	"bytes"
	"iter"
	"slices"
	"strings"
)

// A text is looked for as readers see it, with each line ending as one thing: LF,
// CRLF and CR are all LF here, on both sides. So a line ending is found whole or
// not at all. The time is linear in both lengths whatever they hold.

// Find returns the places in the scope of src where old is, overlapping ones
// too, in order and at most limit of them; total is how many there are. Each line
// ending in old stands for any one in src. There is none of an empty text, and a
// byte order mark at the start of src is no part of any.
func Find(src []byte, scope Span, old string, limit int) (places []Span, total int) {
	lines := newPlainLines(src, scope)
	want := unifiedEndings(old)
	for i := range occurrences(lines.text, want, true) {
		if total < limit {
			places = append(places, lines.span(i, len(want)))
		}
		total++
	}
	return places, total
}

// All returns the places that are replaced when all are: from the first on,
// each after the end of the one before.
func All(src []byte, scope Span, old string) []Span {
	lines := newPlainLines(src, scope)
	want := unifiedEndings(old)
	var places []Span
	for i := range occurrences(lines.text, want, false) {
		places = append(places, lines.span(i, len(want)))
	}
	return places
}

// plainLines is a part of a source with LF for every line ending.
type plainLines struct {
	text []byte
	from int   // where it begins in the source
	crlf []int // offsets in text of the line endings that take two bytes in the source
}

// newPlainLines returns the scope of src without half line endings at its ends.
func newPlainLines(src []byte, scope Span) plainLines {
	from, to := max(scope.Start, textStart(src)), min(scope.End, len(src))
	if from > 0 && from < to && src[from] == '\n' && src[from-1] == '\r' {
		from++
	}
	if to < len(src) && to > from && src[to] == '\n' && src[to-1] == '\r' {
		to--
	}
	if from >= to {
		return plainLines{from: from}
	}
	p := plainLines{text: src[from:to], from: from}
	if bytes.IndexByte(p.text, '\r') < 0 {
		return p
	}
	text := make([]byte, 0, len(p.text))
	for rest := p.text; ; {
		i := bytes.IndexByte(rest, '\r')
		if i < 0 {
			text = append(text, rest...)
			p.text = text
			return p
		}
		text = append(text, rest[:i]...)
		rest = rest[i+1:]
		if len(rest) > 0 && rest[0] == '\n' {
			p.crlf = append(p.crlf, len(text))
			rest = rest[1:]
		}
		text = append(text, '\n')
	}
}

// span returns where n bytes of the text are in the source.
func (p *plainLines) span(i, n int) Span {
	return Span{Start: p.offset(i), End: p.offset(i + n)}
}

// offset returns where the byte at i is in the source.
func (p *plainLines) offset(i int) int {
	pairs, _ := slices.BinarySearch(p.crlf, i)
	return p.from + i + pairs
}

// unifiedEndings returns the text with LF for every line ending.
func unifiedEndings(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// textStart returns where the text begins: after a byte order mark.
func textStart(src []byte) int {
	const mark = "\uFEFF"
	if bytes.HasPrefix(src, []byte(mark)) {
		return len(mark)
	}
	return 0
}

// occurrences yields where want is in text, those that overlap too if asked for.
// It is the algorithm of Knuth, Morris and Pratt, which never goes back, and jumps
// to the next place where the beginning of want is, as most texts are not there.
func occurrences(text []byte, want string, overlapping bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		if want == "" || len(want) > len(text) {
			return
		}
		head := []byte(want[:min(len(want), maxHead)])
		borders := bordersOf(want)
		for i, n := 0, 0; ; { // n bytes of want end before i
			if n == 0 {
				jump := bytes.Index(text[i:], head)
				if jump < 0 {
					return
				}
				i, n = i+jump+len(head), len(head)
			}
			if n < len(want) {
				if i == len(text) {
					return
				}
				if text[i] == want[n] {
					i, n = i+1, n+1
					continue
				}
				n = borders[n]
				continue
			}
			if !yield(i - n) {
				return
			}
			if n = borders[n]; !overlapping {
				n = 0
			}
		}
	}
}

// maxHead is so short that bytes.Index takes no more than some steps a byte.
const maxHead = 32

// bordersOf returns for each length how long the longest shorter beginning of want
// is that the beginning of this length ends with.
func bordersOf(want string) []int {
	borders := make([]int, len(want)+1)
	n := 0
	for i := 1; i < len(want); i++ {
		for n > 0 && want[i] != want[n] {
			n = borders[n]
		}
		if want[i] == want[n] {
			n++
		}
		borders[i+1] = n
	}
	return borders
}
