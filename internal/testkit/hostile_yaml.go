package testkit

import (
	"fmt"
	"strings"
)

// HostileYAML returns texts that are hard on a parser of YAML, of about n bytes.
func HostileYAML(n int) map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, n/len(s)) }
	grow := func(next func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(next(i))
		}
		return b.String()
	}
	texts := map[string]string{
		"stairs":         grow(func(i int) string { return strings.Repeat(" ", i) + "a:\n" }),
		"brothers":       grow(func(i int) string { return fmt.Sprintf("k%d: x\n", i) }),
		"heads":          grow(func(i int) string { return fmt.Sprintf("k%d:\n", i) }),
		"categories":     "categories:\n" + grow(func(i int) string { return fmt.Sprintf("  k%d: {dir: x}\n", i) }),
		"collections":    "collections:\n" + grow(func(i int) string { return fmt.Sprintf("  k%d: [k%d]\n", i, i+1) }),
		"crossings":      "collections:\n" + grow(func(i int) string { return fmt.Sprintf("  k%d: [k0, k1, k2, k3, k%d]\n", i, i+1) }),
		"wrong names":    "categories:\n" + grow(func(i int) string { return fmt.Sprintf("  k.%d: {dir: x}\n", i) }),
		"entries":        "collections:\n  a:\n" + repeat("  - b\n"),
		"in brackets":    "collections: {a: [" + repeat("b,") + "]}",
		"in a text":      "guide: " + repeat("x "),
		"in quotes":      `guide: "` + repeat(`\x41`) + `"`,
		"tabs in quotes": `guide: "` + repeat("\t") + `"`,
		"lines of tabs":  `guide: "` + repeat(strings.Repeat("\t", 200)+strings.Repeat("x", 1000)+"\n") + `"`,
		"blank lines":    "guide: |\n x\n" + repeat("\n"),
		"keeping blanks": "guide: |+\n x\n" + repeat("\n"),
		"literal":        "guide: |\n" + repeat("  x: - ? # [\n"),
		"folded":         "guide: >\n" + repeat("  x\n"),
		"blocks":         grow(func(i int) string { return fmt.Sprintf("a%d: |\n x\n%s", i, strings.Repeat("\n", 50)) }),
		"text in a list": "a:\n" + repeat("  x\n"),
		"comments":       repeat("#\n"),
		"long comment":   repeat("# "),
		"variables":      "categories: {a: {dir: x, vars: " + repeat("{a: ") + "}}",
		"long name":      "categories: {" + repeat("x") + ": {dir: a}}",
		"long unknown":   repeat("x") + ": 1",
		"laughs": "a0: &a0 [x]\n" + grow(func(i int) string {
			return fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
		}),
		"unknown keys": grow(func(i int) string { return fmt.Sprintf("categorie%d: 1\n", i) }),
	}
	for _, s := range []string{
		"[", "{", "]", "}", "{a: ", "[a, ", "- ", "-\n", "a: ", "a:", "a:\n", "? ", ": ", "&", "&a ", "*", "*a ", "!", "! ", "!!a ", "|", "|\n",
		"a: |\n", ">", "---\n", "...\n", "---\n...\n", "%", "%\n", "<", "<<", "<< ", "<<: ", "@", "`", "'", "''", "' '", "\"", "\"\"", "\"\\", "\t", "\t\n",
		"\n", "\r", "\r\n", " ", ",", "[,", "{,", "x", "x ", "x\n", "é", "\u2028", "#", "\\", "a: [\n", "- - a\n", "\"a\": ", "'a' ", "~\n", "1\n", "{}\n", "[]\n", "\uFEFF",
	} {
		texts["many "+fmt.Sprintf("%q", s)] = repeat(s)
	}
	return texts
}
