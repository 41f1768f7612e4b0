package markdown

import (
	"bytes"
	"regexp"

	"github.com/sectile/sectile/internal/syntax"
)

// A rewrite changes a source without changing its tree, by the specification's
// text. If goldmark agrees with us on the rewritten source and we say the same
// of both, then what it makes of the first is its own fault: a difference
// explains itself without anybody looking at it.
type rewrite struct {
	class   string
	example string
	apply   func(src []byte) []byte
}

var rewrites = []rewrite{
	// CommonMark says nothing of byte order marks; what reads a file drops it.
	{"byte order mark", "\uFEFF# a\n", func(src []byte) []byte { return src[syntax.BOMLen(src):] }},
	// CommonMark 2.1: a line ending is LF, CR not followed by LF, or both.
	{"carriage return", "a\r# b\n", func(src []byte) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	}},
	// CommonMark 2.1: a blank line holds spaces and tabs alone; 4.1 to 4.9 speak
	// of spaces and tabs wherever white space counts. Form feed, vertical tab and
	// NUL are text, like any other control character.
	{"other white space", "- [\f] a\n", func(src []byte) []byte {
		return bytes.Map(func(r rune) rune {
			if r == '\f' || r == '\v' || r == 0 {
				return 1
			}
			return r
		}, toASCII(src))
	}},
	// CommonMark 2.2: where white space matters, tabs are spaces up to the next
	// stop of 4.
	{"tab", "<a\t>\n", expandTabs},
	// Blanks at the end of a line mean nothing to blocks.
	{"blanks at the end of a line", "> a\n--\t", func(src []byte) []byte { return trailingBlanks.ReplaceAll(src, nil) }},
	// CommonMark 4.6: "<!" followed by an ASCII letter, of either case since 0.31.
	{"HTML: declaration in lower case", "<!a>\n", func(src []byte) []byte { return declaration.ReplaceAllFunc(src, bytes.ToUpper) }},
	{"no line ending at the end", "> a\n--\t", func(src []byte) []byte {
		if n := len(src); n > 0 && src[n-1] != '\n' {
			return append(bytes.Clone(src), '\n')
		}
		return src
	}},
}

var (
	declaration    = regexp.MustCompile(`<![a-z]`)
	trailingBlanks = regexp.MustCompile(`(?m)[ \t]+$`)
)

// toASCII returns src with a letter for each byte that isn't ASCII.
func toASCII(src []byte) []byte {
	out := bytes.Clone(src)
	for i, c := range out {
		if c >= 0x80 {
			out[i] = 'x'
		}
	}
	return out
}

// expandTabs returns src with spaces for tabs.
func expandTabs(src []byte) []byte {
	out := make([]byte, 0, len(src))
	column := 0
	for _, c := range src {
		if c == '\t' {
			for n := 4 - column%4; n > 0; n-- {
				out = append(out, ' ')
				column++
			}
			continue
		}
		if isEnding(c) {
			column = -1
		}
		out = append(out, c)
		column++
	}
	return out
}
