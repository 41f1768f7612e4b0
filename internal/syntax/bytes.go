package syntax

import (
	"unicode"
	"unicode/utf8"
)

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsWhite reports whether c is a space, a tab or part of a line ending.
func IsWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// IsBlank reports whether c is a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsPunctuation reports whether c is ASCII punctuation (2.1).
func IsPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// isControlOrSpace reports whether c is an ASCII control character or a space.
// NUL is neither, for it stands for U+FFFD (2.3).
func isControlOrSpace(c byte) bool { return c <= ' ' && c != 0 || c == 0x7F }

func isOneOf(c byte, set string) bool {
	for i := range len(set) {
		if set[i] == c {
			return true
		}
	}
	return false
}

// SkipWhite returns the offset of the first byte from i on that is no white space. Blank
// lines never get here, so there is no need to count the line endings.
func SkipWhite(src []byte, i int) int {
	for i < len(src) && IsWhite(src[i]) {
		i++
	}
	return i
}

// SkipBlanks returns the offset of the first byte from i on that is no space or tab.
func SkipBlanks(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	return i
}

// TrimBlanks returns the end of line[:end] without its trailing spaces and tabs, not before
// start.
func TrimBlanks(line []byte, start, end int) int {
	for end > start && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	return end
}

// flank is what stands beside a run of delimiters, as far as the rules of emphasis tell
// it apart (6.2).
type flank uint8

// The kinds of what stands beside a run.
const (
	flankText flank = iota // anything that is neither of the others
	flankSpace
	flankPunctuation
)

// flankBefore returns what stands before i in src, of which nothing before start counts.
func flankBefore(src []byte, start, i int) flank {
	if i == start {
		return flankSpace
	}
	if c := src[i-1]; c < utf8.RuneSelf {
		return flankOfASCII(c)
	}
	r, _ := utf8.DecodeLastRune(src[start:i])
	return flankOf(r)
}

// flankAfter returns what stands at i in src.
func flankAfter(src []byte, i int) flank {
	if i == len(src) {
		return flankSpace
	}
	if c := src[i]; c < utf8.RuneSelf {
		return flankOfASCII(c)
	}
	r, _ := utf8.DecodeRune(src[i:])
	return flankOf(r)
}

// flankOf says what r, which isn't ASCII, is by 2.1: white space is Zs, punctuation is P
// and S. Broken UTF-8 arrives as U+FFFD, a symbol.
func flankOf(r rune) flank {
	switch {
	case unicode.Is(unicode.Zs, r):
		return flankSpace
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return flankPunctuation
	}
	return flankText
}

// flankOfASCII says what c is by 2.1. NUL stands for U+FFFD.
func flankOfASCII(c byte) flank {
	switch {
	case IsWhite(c), c == '\f':
		return flankSpace
	case IsPunctuation(c), c == 0:
		return flankPunctuation
	}
	return flankText
}
