package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/internal/testkit"
)

// hostilePayloads are what could take the blocks around into it, or be taken by
// them.
var hostilePayloads = sync.OnceValue(func() []payload {
	var all []payload
	for _, group := range [][]payload{
		hostileFences(), hostileHTML(), hostileHeadings(), hostileDefinitions(), hostileContainers(), hostileBytes(), hostileSizes(),
	} {
		all = append(all, group...)
	}
	return all
})

// payloadsOf makes payloads of texts, named by the group and what they begin with.
func payloadsOf(group string, texts ...string) []payload {
	all := make([]payload, len(texts))
	for i, text := range texts {
		all[i] = payload{fmt.Sprintf("%s %.24q", group, text), text}
	}
	return all
}

// hostileFences are fences that stay open.
func hostileFences() []payload {
	var all []payload
	for _, mark := range []string{"`", "~"} {
		for _, n := range []int{3, 4, 5, 6, 7, 8, 10, 20, 80, 1000} {
			fence := strings.Repeat(mark, n)
			name := fmt.Sprintf("%d of %s", n, mark)
			all = append(all,
				payload{"open fence, " + name, fence + "\ncode\n"},
				payload{"open fence behind text, " + name, "text\n" + fence + "\n"},
				payload{"closed too short, " + name, fence + "\ncode\n" + fence[1:] + "\n"},
			)
		}
		fence := strings.Repeat(mark, 3)
		all = append(all, payloadsOf("fence of "+mark,
			fence, fence+" go", " "+fence+"\n", "  "+fence+"\ncode\n", "   "+fence+"\ncode\n", "    "+fence+"\n", "text\n    "+fence+"\n", fence+"\n    "+fence+"\n",
			fence+"\ncode\n"+fence+" x\n", fence+"\n"+fence+"\n"+fence+"\n", "- "+fence+"\n  code\n", "> "+fence+"\n> code\n", "1. "+fence+"\n\n   code\n",
			fence+"\n# A heading that is none\n", fence+"\n> "+fence+"\n", "[^a]: "+fence+"\n", "text\n\n"+fence+"md\n## Usage\n", fence+"\r"+"code\r",
		)...)
	}
	return append(all, payloadsOf("mixed fences", "```\n~~~\n", "~~~\n```\n", "``` a`b\n", "~~~ a~b\n", "`````\n```\n````\n")...)
}

// hostileHTML is HTML of all seven kinds that stays open.
func hostileHTML() []payload {
	return payloadsOf("HTML",
		"<!--", "<!--\n", "<!-- text\n# heading\n", "<!-- -- >\n", "<!-\n", "text\n<!--\n", "   <!--\n", "    <!--\n", "- <!--\n", "> <!--\n", "-->\n", "<!-->\n<!--\n", "<!-- a --> <!--\n",
		"<script>\n", "<script>", "<SCRIPT src=a>\ncode\n", "<script\n", "<script>\n</style\n", "text\n<script>\n", "<pre>\n", "<pre", "<pre>\n\n# a\n", "<style>\n", "<textarea>\n\n", "</script>\n",
		"<?", "<?php\n", "text\n<?\n", "<!A", "<!DOCTYPE\n", "<!doctype html\n", "text\n<!A\n", "<![CDATA[", "<![CDATA[\n]]\n", "text\n<![CDATA[\n",
		"<div>", "<div>\ntext\n", "<div\n", "</div>\n", "text\n<div>\n", "<table>\n<tr>\n", "<details>\n<summary>\n", "<p>\n\n", "   <div>\n", "- <div>\n", "> <div>\n",
		"<a>", "<a>\ntext\n", "</a>\n", "<a b=\"c\n", "<x-y>\n", "text\n<a>\n", "<a\n", "<a>\n# heading\n",
	)
}

// hostileHeadings are headings that take what is around, and what would make one
// of the text before.
func hostileHeadings() []payload {
	return payloadsOf("heading",
		"# Top\n", "# Top\n\ntext\n", "text\n\n# Top\n", "text\n# Top\n", "# \n", "#\n", "#\tTop\n", "   # Top\n", "## Second\n", "text\n\n## Second\n", "##\n",
		"### Third\n\n# Top\n", "### Third\n\n## Second\n", "###### Six\n\n# Top\n", "Top\n===\n", "Top\n=\n", "Second\n---\n", "Second\n-\n", "a\nb\n===\n", "text\n\nTop\n===\n",
		"===\n", "=\n", "---\n", "-\n", "--\n", "   ---\n", "   ===\n", "- - -\n", "---\ntext\n", "===\ntext\n", "text\n\n---\n", "text\n---", "text\n===", "text\n--- \n", "text\n=\t\n",
		"text\n\n===\n", "- a\n---\n", "> a\n---\n", "> a\n===\n", "[a]: /u\n===\n", "[a]: /u\n---\n", "# Top\r", "a\r===\r", "a\r\n---\r\n", "\uFEFF# Top\n", "# Top #\n# Top\n",
		"- # Top\n# Top\n", "> # Top\n\n# Top\n",
	)
}

// hostileDefinitions are definitions that reach over lines, tables, front matter.
func hostileDefinitions() []payload {
	return payloadsOf("definition",
		"[a]:\n", "[a]:", "[a]: /u '", "[a]: /u 'open\n", "[a]: /u \"open\n", "[a]: /u (open\n", "[a]: /u\n'open\n", "[a]: <open\n", "[open\n", "[a]: /u\n", "[a\n", "[a]: /u\n\"t\"\n", "[^a]:\n", "[^a]: note\n",
		"[^a]: note\n\n    more\n", "[^a]:", "[^a]: - b\n", "[a]: /u '\n\n'\n", "[a]: /u\n[b]:\n",
		"| a |\n", "|---|\n", "| a |\n|---|\n", "a | b\n", "--|--\n", ":-\n", "| a |\n|---|\n| b |", "|\n", "a | b\n- | -\n", "text\n|---|\n", "| a | b |\n|---|\n", "|:-:|\n| a |\n", "text\n:-:\n",
		"---\na: b\n---\n", "---\na: b\n", "+++\na = 1\n+++\n", "+++\n", "--- \n---\n", "---\n---\n", "---\n", "...\n", "a: b\n---\n", "a: b\n...\n",
	)
}

// hostileContainers are lists, quotes and code that run into their neighbours.
func hostileContainers() []payload {
	return payloadsOf("container",
		"-\n", "- \n", "*\n", "+\n", "1.\n", "1)\n", "- a", "- a\n-", "- - - a\n", "1. a\n1) b\n", "-\n\n  a\n", "- a\n\n\n\n- b\n", "  - a\n", "   1. a\n", "- a\n b\n", "-     code\n", "10. a\n", "999999999. a\n",
		">", ">\n", "> a", "> a\nb", ">>>>> a\n", "> - > - a\n", "> a\n>\n", "   > a\n", ">\n>\n", "> [a]: /u\n",
		"    code\n", "\tcode\n", "    a\n\n    b\n", "     a\n", "  \tcode\n", "a\n    b\n", "    - a\n", "- [ ]\n", "- [ ] \n", "- [x]a\n",
		"\\\n", "a\\", "a  ", "*a\n", "`a\n", "[a](\n", "![\n", "&#35; a\n", "a\n \n  \n", "***\n", "___", "* * *\n", "*\n*\n*\n",
	)
}

// hostileBytes are bytes that are no text, or no plain one.
func hostileBytes() []payload {
	return payloadsOf("bytes",
		"\x00", "a\x00b\n", "\x00\n# a\n", "\xff", "a\xfe\n", "\xc3", "\xed\xa0\x80\n", "\xf4\x90\x80\x80\n", "\r", "a\rb", "a\r", "\ra", "a\r\r\nb\n", "a\n\rb\n", "\r\n\r", "a\rb\nc\r\nd",
		"\uFEFF", "\uFEFF\uFEFFa\n", "a\uFEFFb\n", "\u2028# a\n", "\u0085# a\n", "\v# a\n", "\f\n# a\n", "\x1b[2J\n", "\x7f\n", "\u202e# a\n", "\u00a0# a\n", "\u3000\n", " ", "\t", "\n", "\n\n\n", "", "\u200b\n",
		"a\u00a0\n===\n", "\b\b\b# a\n", "\x01\n", "#\u00a0a\n", "-\u00a0a\n",
	)
}

// hostileSizes are long and deep; with SECTILE_LONG the long ones have a megabyte.
func hostileSizes() []payload {
	long := 1 << 17
	if testkit.Long() {
		long = 1 << 20
	}
	return []payload{
		{"a long line", strings.Repeat("word ", long/5)},
		{"a long word", strings.Repeat("x", long)},
		{"a lot of backticks", strings.Repeat("`", long)},
		{"a lot of tildes", strings.Repeat("~", long)},
		{"a lot of dashes", strings.Repeat("-", long)},
		{"a lot of equals signs", "text\n" + strings.Repeat("=", long)},
		{"a lot of blanks", strings.Repeat(" ", long) + "x\n"},
		{"a lot of blank lines", strings.Repeat("\n", long)},
		{"a lot of blank lines in text", "a" + strings.Repeat("\n", long) + "b"},
		{"a lot of carriage returns", "a" + strings.Repeat("\r", long) + "b"},
		{"a lot of brackets", strings.Repeat("[", long)},
		{"a long definition", "[a]: /" + strings.Repeat("u", long)},
		{"a long comment", "<!--" + strings.Repeat("-", long)},
		{"a long heading", "###### " + strings.Repeat("h", long)},
		{"a long cell", "| " + strings.Repeat("c", long) + " |\n|---|\n"},
		{"a long info string", "```" + strings.Repeat("i", long)},
		{"10,000 quotes deep", strings.Repeat(">", 10_000) + " a\n"},
		{"5,000 items deep", strings.Repeat("- ", 5_000) + "a\n"},
		{"10,000 items", strings.Repeat("- a\n", 10_000)},
		{"10,000 headings", strings.Repeat("###### a\n", 10_000)},
		{"10,000 top headings", strings.Repeat("# a\n", 10_000)},
		{"10,000 fences", strings.Repeat("```\n", 9_999)},
		{"10,000 comments", strings.Repeat("<!--\n", 10_000)},
	}
}

// smallHostile are those that can be tried by the million.
var smallHostile = sync.OnceValue(func() []payload {
	return slices.DeleteFunc(slices.Clone(hostilePayloads()), func(p payload) bool { return len(p.text) > 2000 })
})
