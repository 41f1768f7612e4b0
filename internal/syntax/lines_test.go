package syntax

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzLineReader reads the lines of a source in order, all or all but some of them. They end
// where they do for who looks at each byte.
func FuzzLineReader(f *testing.F) {
	for _, src := range []string{
		"", "\n", "\r", "\r\n", "\n\r", "a\rb\nc\r\nd", "a\n\n\nb\r\r\rc\r\n\r\n\r\nd", "no end",
		strings.Repeat("a line\n", 1000) + "\r" + strings.Repeat("another\n", 1000),
		strings.Repeat("a", seenAhead-1) + "\r\n" + strings.Repeat("b", 2*seenAhead) + "\rc\n",
		strings.Repeat("x\r", 5000), strings.Repeat("x\n", 5000) + "\r",
	} {
		f.Add([]byte(src), uint64(0))
		f.Add([]byte(src), uint64(0b10110))
	}
	f.Fuzz(func(t *testing.T, src []byte, skipped uint64) {
		r := LineReader{Source: src}
		for pos, n := 0, 0; pos < len(src); n++ {
			end := len(src)
			if i := bytes.IndexAny(src[pos:], "\r\n"); i >= 0 {
				end = pos + i
			}
			next := SkipEnding(src, end)
			if skipped>>(n%64)&1 == 0 {
				if gotEnd, gotNext := r.Next(pos); gotEnd != end || gotNext != next {
					t.Fatalf("the line at %d ends at %d and %d, want %d and %d", pos, gotEnd, gotNext, end, next)
				}
			}
			pos = next
		}
	})
}

// TestLineReaderAnew reads one line each with many readers of a source that has LF or CR nowhere.
// It takes minutes if each looks for it up to the end.
func TestLineReaderAnew(t *testing.T) {
	for _, sign := range []string{"\r", "\n"} {
		src := bytes.Repeat([]byte("b"+sign+sign), 3<<20)
		for pos := 0; pos < len(src); pos += 3 {
			r := LineReader{Source: src}
			if end, next := r.Next(pos); end != pos+1 || next != pos+2 {
				t.Fatalf("the line at %d ends at %d and %d", pos, end, next)
			}
		}
	}
}
