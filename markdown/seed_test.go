package markdown

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hardSeeds are where parsers were seen to differ or to fail, for the fuzzers to
// start from.
var hardSeeds = []string{
	// Starts of documents.
	"\uFEFF# After a byte order mark\n", "\uFEFF---\na: b\n---\n# x\n", "\uFEFF    code\n",
	"---\na: b\n...\ntext\n", "+++\na = 1\n+++\n", "---\nnot closed\n", "--- \n---\t\n", "---\n---\n---\n",
	// Line endings.
	"a\rb\r\rc\r\n# d\r", "# a\r\n\r\n```\r\nb\r\n```\r\n", "- a\r  b\n\rc", "\r\n\r", "[a]:\r/u\r\n'x\ry'\r",
	// Headings.
	"#\ttab\n#\n## ##\n### a \\#\n#### b #\\##\n####### c\n#d\n", "a\n  ===  \nb\n---\t\n", "[a]: /u\n===\n", "[a]: /u\n---\n",
	"[a]: /u\n-\n", "[a]: /u\nb\n===\n", "> a\n===\n", "> a\n---\n", "- a\n---\n", "- a\n===\n", "a\n    ---\n", "    a\n---\n",
	// Headings of the reader's own, with testkit.OwnHeadings.
	"**A**\n\ntext\n", "**A**\nb\n", "b\n**A**\n", "[a]: /u\n**A**\n", "[a]: /u\n'b'\n**A**", "**A**\n===\n", "**A**\n# B\n== C ==\n- d\n", "> **A**\nb\n", "- **A**\n\n**B**\n",
	"   **A**  \n", "    **A**\n", "\t**A**\n", "**A**\n|a|\n|-|\n**B**\n", "\uFEFF**A**\n", "**A**\r\n\r\n@x B\r", "<div>\n**A**\n</div>\n\n**B**", "```\n**A**\n```\n**B**\n", "---\n**A**\n---\n**B**\n",
	"[a] **b**\n", "[a]: /u\n[b]\n", "| a |\n", "**  **\n", "== = ==\n", "@x \u00A0\n", "**A\x00**\n", "**\xff**\n", "**A `b** c`\n", "[^1]: **A**\n\n**B**\n", "A:\n***\n", "** A **\n",
	// Lists.
	"-\n\n  a\n", "-\n  a\n", "- \n-\n\n\n- b\n", "-     code\n", "-\t\tcode\n", "1. a\n\n\n   b\n", "a\n2. b\n", "a\n1. b\n", "a\n-\n", "- a\n-\n",
	"- a\n - b\n  - c\n   - d\n    - e\n", "10) a\n\n    b\n", "1234567890. a\n", "0. a\n1. b\n2) c\n", "- a\n+ b\n* c\n",
	"- - - a\n    - b\n", "* * *\n* * a\n", "- a\n\n  b\n\n\n  c\nd\n", "-\ta\n\n\tb\n\n  c\n", " -\ta\n \n \tb\n", "1.\ta\n\t-\tb\n\n\t\tc\n",
	"- a\n\n      code\n", "- [ ] a\n- [x] b\n- [X]\n- [ ]\n  c\n1. [ ] d\n- [x]\ty\n", "-\n-\n", "- a\n  - b\n\n    c\n- d\n",
	// Quotes.
	">\ta\n>\t\tb\n", "> a\nb\n> c\n\nd\n", ">>> a\n> b\nc\n", "> - a\nb\n", "> ```\na\n", ">     a\n    b\n", "> 1. a\n>\n>    b\n",
	">\n> a\n>\n", "> [a]: /u\nb\n", "> a\n- b\n> c\n", "- > a\n  b\n> c\n",
	// Code.
	"```\n``\n````\n", "~~~ a`b\n~~~\n", "``` a`b\n", "```\n    ```\n", "  ```\n a\n   b\n    c\n  ```\n", "- ```\n a\n  ```\n", "\ta\n\n \tb\n  \t \n", "```",
	"> ```\n>  \n", "- ```\n\n\n  b\n", "a\n```\nb", "```\n```\n```\n",
	// HTML.
	"<div>\n*a*\n\n*b*\n", "<pre>\n\n</pre>\n</pre>\n", "</pre>\n# a\n", "<a>\n# b\n", "a\n<a>\n", "a\n<div>\n", "<!-->\n# a\n", "<!--\n\n-->b\n# c\n", "<?a\n?>\n", "<!a>\n<!A\n>",
	"<![CDATA[\n]]>\n", "<script>a</style>\n# b\n", "<a b='c\nd'>\n", "</a >\n", "<a/>\nb\n", "<search>\n", "- item\n</context>\n<PRD>\n# Heading\n", "> a\n<b>\n# c\n",
	"- <div>\n# a\n", "   <!-- a -->\n", "<a b=c d>\n", "<a\tb>\n", "<a-b>\n", "<1>\n", "<textarea>\n\n</TEXTAREA>\n",
	// Definitions.
	"[a]: /u 'b'\n[c]: <d>\n\"e\nf\"\ng\n", "[a]:\n\n/u\n", "[a]: /u 'b' c\n", "[a]: /u\n'b' c\n", "[\na\n]: /u\n", "[]: /u\n", "[ ]: /u\n", "[a]: <>\n", "[a\\]b]: /u\n",
	"[[a]: /u\n", "[a]: /u(b(c)\n", "[a]: /u\n[b]\n", "a\n[b]: /u\n", "[a]: /u '\n\n'\n", "[a]: <b\n>\n", "[a]:/u\n# b\n", "[a]: /u\n    b\n",
	// Tables.
	"| a | b |\n|---|:-:|\n| c\n| d | e | f |\n\ng\n", "a | b\n-|-\nc\nd | e\n# f\n", "a\n:-\n", "a\n-|\n", "|\n|-\n", "| a |\n| - | - |\n", "a\nb | c\n- | -\n",
	"| \\| | `|` |\n|--|--|\n| a \\\\| b |\n", "- | -\n-|-\n", "> a | b\n> -|-\nc | d\n", "- a | b\n  -|-\n  c | d\ne | f\n", "|a|\n|-|\n|b|\n---\n", "|a|\n|-|\n> b\n",
	"|a|\n|-|\n    b\n", "[a]: /u\n|b|\n|-|\n", "[a]: /u\n|-|\n", "|a|\n|-|\n<x>\n", "|||\n|-|-|\n", "a|\n|:|\n", "a | b\n- | -  \\\n",
	// Footnotes.
	"[^a]: b\n    c\n\n    d\n\n  e\n", "[^a]:\n# b\n", "a\n[^b]: c\n", "[^a b]: c\n", "[^]: a\n", "> [^a]: b\n> c\nd\n", "[^a]: - b\n    - c\n", "[^a]:     code\n",
	"- [^a]: b\n", "[^\\]:]:", "[^a]: [^b]: c\n", "[^a]: b\n===\n",
	// Odd bytes.
	"\x00\n# \x00\n", "\xFF\xFE\n- \x80\n", "a\x0Bb\n\x0C\nc\n", "\u00A0\n# \u00A0a\n", "\u2028# a\n", "#\u00A0a\n", "-\u00A0a\n",
	// Depth.
	strings.Repeat(">", 50) + "a\n", strings.Repeat("- ", 30) + "a\n\n" + strings.Repeat("  ", 30) + "b\n", strings.Repeat("1. > ", 9) + "a\nb\n",
}

// seeds returns the specifications' examples and what is known to be hard.
func seeds(t testing.TB) []string {
	t.Helper()
	all := slices.Clone(hardSeeds)
	for _, s := range specs {
		var examples []specExample
		readJSON(t, filepath.Join("testdata", "spec", s.file), &examples)
		for _, e := range examples {
			all = append(all, e.Markdown)
		}
	}
	return all
}
