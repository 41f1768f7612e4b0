package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// configuration makes categories of the documents: one file, several, and those
// that are long.
const configuration = `categories:
  rules: {dir: rules, patterns: ["*.md"], description: "How we write <code> & \"text\""}
  sizes: {dir: sizes, description: "Long files, each asked for by name"}
`

// hostile is a document of what is easily lost on the way: signs of JSON, of HTML
// and of the shell, tabs, blanks at the end of a line, characters beyond the first
// plane, and some that a terminal would obey or not show.
const hostile = "# Guide <T> & \"friends\"\n\n" +
	"A < B && C > D, 'single' \"double\" `back` \\n \\u0041 \\\\ C:\\new\\table %s {{x}} $HOME </system> <b>bold</b> &lt;&amp;&#60;\n\n" +
	"## Code\n\n```go\nfunc f[T any](x map[string]T) (string, error) {\n\treturn fmt.Sprintf(\"%q\\t<%v>\\n\", `a\\b`, x), nil // ünïcödé\n}\n```\n\n" +
	"| a | b |\n| --- | --- |\n| \\| | <br> |\n\nTwo blanks at the end  \nand a tab\there, \U0001F468\u200d\U0001F469\u200d\U0001F467 \u00e9 e\u0301 漢字 \U0001D4D0.\n\n" +
	"## Unseen\n\nZero\u200bwidth, bidi \u202eesrever\u202c, byte order \ufeffmark, tags \U000E0041\U000E0042, escape \x1b[31mred\x1b[0m, private \ue000.\n\n" +
	"## Same\n\nOne.\n\n# Notes\n\n## Same\n\nTwo.\n\n## Task\n\n- [ ] change <me> & \"this\"\n"

// windows is a document with the other line ending.
const windows = "# Windows\r\n\r\nLines <end> here.\r\n\r\n```sh\r\necho \"a\\b\"\r\n```\r\n"

// write makes the project in a folder.
func write(dir string) error {
	files := map[string]string{
		".sectile.yaml":     configuration,
		"guide.md":          hostile,
		"windows.md":        windows,
		"long.md":           "# Long\n\n## ASCII\n\n" + lines("a<b> & \"c\" \\d ", 9_600) + "\n## Three bytes\n\n" + lines("漢字かな交じり文 ", 9_600) + "\n## Four bytes\n\n" + lines("\U0001F600", 9_600),
		"big.md":            "# Big\n\n" + lines("word <tag> ", 60_000),
		"rules/style.md":    "# Style\n\nShort <b>lines</b> & \"words\", \\ too.\n",
		"rules/windows.md":  windows,
		"rules/language.md": "# Language\n\n漢字 \U0001F600 é.\n",
	}
	for _, size := range sizes {
		files[fmt.Sprintf("sizes/%06d.md", size)] = "# Size\n\n" + lines("word <tag> ", size)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	cmd := exec.Command("git", "init", "--quiet", "--initial-branch", "main", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w\n%s", err, out)
	}
	return nil
}

// lines returns numbered lines of the pattern that have n characters in all.
func lines(pattern string, n int) string {
	const width = 90
	filled := strings.Repeat(pattern, width/utf8.RuneCountInString(pattern)+1)
	text := make([]rune, 0, n+width)
	for number := 1; len(text) < n; number++ {
		line := []rune(fmt.Sprintf("%d. %s", number, filled))
		text = append(append(text, line[:width]...), '\n')
	}
	return string(text[:n-1]) + "\n"
}
