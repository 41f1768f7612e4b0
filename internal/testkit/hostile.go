package testkit

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// Hostile inputs are documents that parsers take quadratic time, deep
// recursion or too much memory for. Each is made for a size in bytes, so that
// time at twice the size can be compared.

// HostileInput is a kind of hostile document.
type HostileInput struct {
	Name string
	// Size is the number of bytes that the kind is meant for.
	Size int
	// Make returns a document of about so many bytes.
	Make func(size int) []byte
}

const mega = 1_000_000

// HostileInputs returns every kind.
func HostileInputs() []HostileInput {
	var all []HostileInput
	for _, group := range [][]HostileInput{lines(), nesting(), definitions(), tables(), openers()} {
		all = append(all, group...)
	}
	return all
}

// repeat is a kind that repeats a text.
func repeat(name string, size int, text string) HostileInput {
	return HostileInput{name, size, func(size int) []byte { return fill(size, "", text) }}
}

// fill returns head and then as many times text as fit into size.
func fill(size int, head, text string) []byte {
	n := max(0, size-len(head)) / len(text)
	return append([]byte(head), bytes.Repeat([]byte(text), n)...)
}

// lines are long lines, and many of them.
func lines() []HostileInput {
	return []HostileInput{
		repeat("blank-lines", 5*mega, "\n"),
		repeat("spaces", 5*mega, " "),
		repeat("lines-of-spaces", 5*mega, "     \n"),
		repeat("one-line", 10*mega, "word "),
		repeat("backticks", 10*mega, "`"),
		repeat("brackets", 10*mega, "["),
		repeat("bracket-pairs", 10*mega, "[]"),
		repeat("stars", 10*mega, "*"),
		repeat("stars-and-spaces", 10*mega, "* "),
		repeat("underscores-and-text", 10*mega, "_a"),
		repeat("headings", 12*mega, "# a heading\n"),
		repeat("setext-headings", 8*mega, "a\n=\n"),
		repeat("items", 8*mega, "- item\n"),
		repeat("items-of-lists", 8*mega, "- a\n* b\n+ c\n"),
		repeat("paragraph-lines", 10*mega, "some text\n"),
		repeat("paragraph-dashes", 8*mega, "text\n--a\n"),
		repeat("digits", 8*mega, "123456789"),
		repeat("digit-lines", 8*mega, "1234567890. a\n"),
		repeat("number-lines", 8*mega, "2. a\nb\n"),
		repeat("tabs", 5*mega, "\t"),
		repeat("nul", 5*mega, "\x00"),
		repeat("nul-lines", 5*mega, "\x00\n"),
		repeat("cr-only", 5*mega, "text\r"),
		repeat("cr-blank", 5*mega, "\r"),
		repeat("cr-headings", 5*mega, "# a\r"),
		{"cr-front-matter", 5 * mega, func(size int) []byte { return fill(size, "---\r", "a: 1\r") }},
		{"front-matter-unclosed", 5 * mega, func(size int) []byte { return fill(size, "---\n", "a: 1\n") }},
	}
}

// nesting is depth: in one line, in steps, and over many lines.
func nesting() []HostileInput {
	return []HostileInput{
		repeat("quotes-on-a-line", 100_000, ">"),
		repeat("items-on-a-line", 40_000, "- "),
		repeat("ordered-on-a-line", 60_000, "1. "),
		repeat("quoted-items-on-a-line", 60_000, "> - "),
		{"items-on-a-line-then-text", 40_000, func(size int) []byte { return append(fill(size, "", "- "), "a\nb\nc\n"...) }},
		{"quote-stairs", 4 * mega, func(size int) []byte { return stairs(size, "> ", "a") }},
		{"list-stairs", 4 * mega, func(size int) []byte { return stairs(size, "  ", "- a") }},
		{"ordered-stairs", 6 * mega, func(size int) []byte { return stairs(size, "   ", "1. a") }},
		{"tab-stairs", 4 * mega, func(size int) []byte { return stairs(size, "\t", "- a") }},
		{"stairs-down", 2 * mega, stairsDown},
		{"deep-quote-lines", 4*mega + 20_000, func(size int) []byte { return fill(size, "", strings.Repeat("> ", 500)+"text\n") }},
		{"deep-list-blank-lines", 4 * mega, func(size int) []byte {
			return fill(size, strings.Repeat("- ", size/8)+"a\n", "\n")
		}},
		{"deep-list-blank-and-text", 4 * mega, func(size int) []byte {
			return fill(size, strings.Repeat("- ", 1000)+"a\n", "\n"+strings.Repeat(" ", 2000)+"b\n")
		}},
		{"deep-quote-lazy", 4 * mega, func(size int) []byte { return fill(size, strings.Repeat("> ", size/8)+"a\n", "lazy\n") }},
		{"quote-blank-quote", 4 * mega, func(size int) []byte { return fill(size, "", strings.Repeat("> ", 200)+"a\n\n") }},
		{"tabs-in-depth", 4 * mega, func(size int) []byte { return fill(size, "", strings.Repeat(">\t", 200)+"- \ta\n") }},
		repeat("footnotes", 4*mega, "[^a]: b\n"),
		repeat("footnotes-on-a-line", 60_000, "[^a]: "),
	}
}

// stairs are lines that each go one step deeper than the line before.
func stairs(size int, step, text string) []byte {
	n := int(math.Sqrt(float64(2 * size / len(step))))
	var b bytes.Buffer
	for i := range n {
		b.WriteString(strings.Repeat(step, i))
		b.WriteString(text)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// stairsDown are quotes that begin deep and lose a step on each line.
func stairsDown(size int) []byte {
	n := int(math.Sqrt(float64(size)))
	var b bytes.Buffer
	for i := n; i > 0; i-- {
		b.WriteString(strings.Repeat("> ", i))
		b.WriteString("a\n\n")
	}
	return b.Bytes()
}

// definitions are link reference definitions, and what looks like them.
func definitions() []HostileInput {
	return []HostileInput{
		repeat("definitions", 3*mega, "[a]: /url\n"),
		repeat("definitions-over-lines", mega, "[a]:\n/url\n'title'\n"),
		repeat("definitions-then-dashes", 3*mega, "[a]: /u\n-\n"),
		repeat("titles-unclosed", 3*mega, "[a]: /url \"title\n"),
		repeat("titles-unclosed-next-line", 3*mega, "[a]: /url\n\"title\n"),
		repeat("titles-in-parentheses", 3*mega, "[a]: /url (\n"),
		repeat("labels-unclosed", 3*mega, "[a\n"),
		repeat("labels-escaped", 3*mega, "[\\\n"),
		repeat("destinations-nested", 3*mega, "[a]: (((\n"),
		{"one-definition-then-titles", 3 * mega, func(size int) []byte { return fill(size, "[a]: /url\n'", "title\n") }},
		{"label-without-end", 5 * mega, func(size int) []byte { return fill(size, "[", "a ") }},
		{"definition-paragraph", 3 * mega, func(size int) []byte { return fill(size, "", "[a]: /url\n[b\n\n") }},
	}
}

// tables are rows, columns, and heads that promise more than there is.
func tables() []HostileInput {
	return []HostileInput{
		{"table-rows", 2 * mega, func(size int) []byte { return fill(size, "|a|b|\n|-|-|\n", "| a | b |\n") }},
		{"table-columns", 6 * mega, func(size int) []byte {
			n := size / 6
			return []byte(strings.Repeat("a|", n) + "\n" + strings.Repeat("-|", n) + "\n" + strings.Repeat("b|", n) + "\n")
		}},
		{"row-columns", 2 * mega, func(size int) []byte { return fill(size, "|a|\n|-|\n", "b|") }},
		{"rows-that-fill-up", 4 * mega, func(size int) []byte {
			n := size / 8
			return fill(size, strings.Repeat("|a", n)+"\n"+strings.Repeat("|-", n)+"\n", "a\n")
		}},
		repeat("heads", 4*mega, "|a|b|\n|-|-|\n\n"),
		repeat("heads-that-do-not-fit", 4*mega, "|a|b|\n|-|-|-|\n"),
		repeat("delimiter-rows", 4*mega, "|-|-|\n"),
		{"long-head-many-delimiters", 4 * mega, func(size int) []byte {
			return fill(size, strings.Repeat("|a", size/4)+"\n", "|-|\n")
		}},
		repeat("backslashes", 4*mega, "\\"),
		{"backslash-row", 4 * mega, func(size int) []byte { return fill(size, "|a|\n|-|\n", "\\|") }},
	}
}

// openers begin what never ends.
func openers() []HostileInput {
	return []HostileInput{
		repeat("fences", 4*mega, "```\n"),
		repeat("fences-alternating", 4*mega, "```\n~~~\n"),
		{"fence-then-ticks", 4 * mega, func(size int) []byte { return fill(size, "```\n", "`a`\n") }},
		{"fence-then-long-line", 4 * mega, func(size int) []byte { return fill(size, "```\n", "`a") }},
		{"fences-growing", 2 * mega, func(size int) []byte {
			var b bytes.Buffer
			for i := 3; b.Len() < size; i++ {
				b.WriteString(strings.Repeat("`", i) + " a\n")
			}
			return b.Bytes()
		}},
		repeat("fence-infos", 4*mega, "``` a`\n"),
		repeat("html-openers", 5*mega, "<div\n"),
		repeat("html-openers-apart", 4*mega, "<div>\n\n"),
		repeat("html-tags", 4*mega, "<a b='c'>\n\n"),
		repeat("html-attributes", 4*mega, "<a b c d e\n"),
		{"html-tag-without-end", 4 * mega, func(size int) []byte { return fill(size, "<a", " b=c") }},
		repeat("comments", 5*mega, "<!--\n"),
		repeat("comments-closed", 4*mega, "<!-- -->\n"),
		repeat("cdata", 10*mega, "<![CDATA[\n"),
		repeat("instructions", 4*mega, "<?\n"),
		{"instructions-in-html", 4 * mega, func(size int) []byte { return fill(size, "<div>\n", "<?a>\n") }},
		{"cdata-in-html", 4 * mega, func(size int) []byte { return fill(size, "<div>\n", "<![CDATA[a>\n") }},
		repeat("declarations", 4*mega, "<!A\n"),
		repeat("script-slashes", 4*mega, "<script></"),
		{"script-then-slashes", 4 * mega, func(size int) []byte { return fill(size, "<script>\n", "</") }},
		repeat("angles", 4*mega, "<"),
	}
}

// FindHostileInput returns the kind with this name.
func FindHostileInput(name string) (HostileInput, error) {
	names := []string{}
	for _, in := range HostileInputs() {
		if in.Name == name {
			return in, nil
		}
		names = append(names, in.Name)
	}
	return HostileInput{}, fmt.Errorf("no input is called %q; there are: %s", name, strings.Join(names, ", "))
}
