package testkit

import (
	"bytes"
	"fmt"
)

// Extremes returns documents that have much of one thing, honest ones and others:
// what memory is measured with. Each has a heading that RareHeading names.
func Extremes() []HostileInput {
	return []HostileInput{
		{"prose", 64 * mega, func(size int) []byte {
			return fill(size, rare, "Some words of prose that go on for a line or so.\nAnd a second line.\n\n")
		}},
		{"heading-each-200-bytes", 64 * mega, func(size int) []byte {
			return numbered(size, rare, "## Heading number %d\n\n", string(fill(160, "", "some words "))+"\n\n")
		}},
		{"changelog", 20 * mega, func(size int) []byte {
			return numbered(size, rare, "## 1.2.%d\n\n", "- fix: the thing that did not work (#1234)\n- feat: another thing\n\n")
		}},
		{"paragraphs", 64 * mega, func(size int) []byte { return fill(size, rare, "para para para\n\n") }},
		{"one-line", 64 * mega, func(size int) []byte { return fill(size, rare, "word ") }},
		{"headings", 64 * mega, func(size int) []byte { return numbered(size, rare, "# %d\n", "") }},
		{"equal-headings", 13 * mega, func(size int) []byte { return fill(size, rare, "## a heading\n") }},
		{"short-paragraphs", 4 * mega, func(size int) []byte { return fill(size, rare, "a\n\n") }},
		{"hashes", 64 * mega, func(size int) []byte { return fill(size, rare, "#\n") }},
		{"heading-of-brackets", 64 * mega, func(size int) []byte { return fill(size, rare+"# ", "[") }},
		{"heading-of-links", 64 * mega, func(size int) []byte {
			return append(fill(size/2, rare+"# ", "["), bytes.Repeat([]byte("]"), size/2)...)
		}},
		{"heading-of-emphasis", 64 * mega, func(size int) []byte { return fill(size, rare+"# ", "*_") }},
		{"quoted-items-on-a-line", 2 * mega, func(size int) []byte { return fill(size, rare, "> - ") }},
		{"items", 64 * mega, func(size int) []byte { return fill(size, rare, "- a\n") }},
		{"table-cells", 64 * mega, func(size int) []byte { return fill(size, rare+"|a|b|c|\n|-|-|-|\n", "|1|2|3|\n") }},
		{"carriage-returns", 64 * mega, func(size int) []byte { return fill(size, rare, "\r") }},
		{"line-feeds", 64 * mega, func(size int) []byte { return fill(size, rare, "\n") }},
		{"definitions", 64 * mega, func(size int) []byte { return numbered(size, rare+"## Z [r5]\n\n", "[r%d]: /u\n", "") }},
	}
}

// Honest returns the kinds of Extremes that people write, which no limit may refuse.
func Honest() []HostileInput { return Extremes()[:5] }

// RareHeading is a heading that every document of Extremes has once, below which it
// has a line.
const (
	RareHeading = "## Rare"
	rare        = RareHeading + "\n\nold text\n\n"
)

// numbered returns head and then, as long as they fit into size, a text with a
// number in it, and a tail.
func numbered(size int, head, format, tail string) []byte {
	b := bytes.NewBuffer(make([]byte, 0, size+len(tail)+64))
	b.WriteString(head)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(b, format, i)
		b.WriteString(tail)
	}
	return b.Bytes()
}
