package syntax

import "bytes"

// CodeReader finds code spans in one text (6.1). No search for the end of some is made twice.
type CodeReader struct {
	last map[int]int // start of the last run of so many backticks, once a search has failed
}

// Range returns the range of the code that the backticks at i begin, with as many behind it as
// before it. Its end is 0 if they begin none, and then start is behind them.
func (r *CodeReader) Range(text []byte, i int) (start, end int) {
	start = i + 1
	for start < len(text) && text[start] == '`' {
		start++
	}
	return start, r.closing(text, start, start-i)
}

// closing returns the start of the next run of exactly n backticks, or 0.
func (r *CodeReader) closing(text []byte, start, n int) int {
	if r.last != nil && r.last[n] < start {
		return 0
	}
	for i := start; ; {
		next := bytes.IndexByte(text[i:], '`')
		if next < 0 {
			break
		}
		i += next
		run := countByte(text[i:], '`')
		if run == n {
			return i
		}
		i += run
	}
	// The first search that fails pays for all that would.
	r.last = make(map[int]int)
	for i := start; i < len(text); i++ {
		run := countByte(text[i:], '`')
		if run > 0 {
			r.last[run] = i
			i += run
		}
	}
	return 0
}

// countByte returns how many times c stands at the start of s.
func countByte(s []byte, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}
