package testkit

import (
	"strconv"
	"strings"
)

// HostileInlines returns documents whose inline content readers take quadratic time, deep
// recursion or too much memory for: emphasis, brackets, links, autolinks, HTML, code.
func HostileInlines() []HostileInput {
	twice := func(name, open, inner, closing string) HostileInput {
		return HostileInput{name, 2 * mega, func(size int) []byte {
			n := (size - len(inner)) / (len(open) + len(closing))
			return []byte(strings.Repeat(open, n) + inner + strings.Repeat(closing, n))
		}}
	}
	long := func(name, unit string) HostileInput { return repeat(name, 2*mega, unit) }
	return []HostileInput{
		long("emphasis-open", "*a "), long("emphasis-close", "a* "), long("emphasis-both", "*a_ "), long("emphasis-of-three", "***a** "),
		long("emphasis-pairs", "a**b"), long("emphasis-mixed", "*a_b**c__"), twice("emphasis-nested", "*a ", "b", " c*"),
		twice("strong-nested", "**a ", "b", " c**"), long("underscores", "_"), long("strikethrough-open", "~a "), twice("strikethrough-nested", "~~a ", "b", " c~~"),
		long("stars-of-many-lengths", "*a**b***c****d"),
		long("links-open", "[a](<b"), long("links-unclosed", "[a]("), long("links-of-titles", "[a](b 'c"), long("link-parentheses", "[a](b((("),
		twice("links-nested", "[", "a", "](b)"), twice("images-nested", "![", "a", "](b)"), twice("brackets-nested", "[", "a", "]"),
		long("brackets-of-images", "![[]()"), long("references", "[a][b] "), long("reference-tails", "[a]["), long("footnotes-open", "[^a"),
		{"references-to-one", 2 * mega, func(size int) []byte { return fill(size, "[a]: "+strings.Repeat("x", size/2)+"\n\n", "[a] ") }},
		{"definitions-and-references", 2 * mega, func(size int) []byte {
			var b strings.Builder
			for i := 0; b.Len() < size; i++ {
				name := strconv.Itoa(i)
				b.WriteString("[" + name + "]: x\n\n[" + name + "] ![y][" + name + "]\n\n")
			}
			return []byte(b.String())
		}},
		long("links-over-lines", "[a](\nb) "), long("labels-over-lines", "[a\nb] "), long("titles-over-lines", "[a](b\n'c\nd') "),
		{"quoted-links-over-lines", 2 * mega, func(size int) []byte { return fill(size, "", "> [a](\n> b)\n") }},
		long("wiki-links", "[[a|b]] "), long("wiki-links-open", "[[a|"),
		long("autolinks-open", "<a:"), long("autolinks", "<a:b> "), long("mail-open", "<a@b."), long("mail", "a@b.c "), long("mail-at", "a@"), long("mail-dots", "a.b-"),
		long("urls", "http://a.b "), long("urls-joined", "http://a.b/("), long("url-parentheses", "http://a.b)"), long("url-entities", "http://a.b&amp;"),
		long("www", "www.a"), long("www-dots", "www.a.b. "),
		{"one-url", 2 * mega, func(size int) []byte { return fill(size, "http://a.b/", "a)") }},
		long("schemes", "http:"), long("xmpp", "xmpp:a@b.c/d "),
		long("tags", "<a b='c'> "), long("tags-open", "<a b='c' "), long("attributes-open", "<a b=\""), long("comments-inline", "a <!-- "),
		long("instructions-inline", "a <? "), long("declarations-inline", "a <!A "), long("cdata-inline", "a <![CDATA["), long("tags-over-lines", "a <b\nid='c\nd'> "),
		long("code-open", "`a ``b ```c "),
		{"code-of-many-lengths", 2 * mega, func(size int) []byte {
			var b strings.Builder
			for i := 1; b.Len() < size; i++ {
				b.WriteString("a" + strings.Repeat("`", i))
			}
			return []byte(b.String())
		}},
		long("code", "`a` "), long("escapes", "\\*\\[\\`"), long("entities", "&amp;&#x61;&copy;"), long("entities-open", "&a"), long("hard-breaks", "a  \nb\\\n"),
		long("blanks-in-lines", "a"+strings.Repeat(" ", 200)+"b\n"), long("cells", "a|"),
		{"cells-of-links", 2 * mega, func(size int) []byte { return fill(size, "|a|b|\n|-|-|\n", "|[a](b\\|c)|`d\\|e`|\n") }},
	}
}
