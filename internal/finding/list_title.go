package finding

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// titleOf returns what a document is called: the title in its front matter, else its first
// heading; empty if it has neither.
func titleOf(doc *markdown.Document) string {
	if b := doc.FrontMatter(); b >= 0 {
		if title := frontTitle(doc.Text(doc.Content(b))); title != "" {
			return title
		}
	}
	if len(doc.Sections) > 0 {
		return doc.SectionTitle(0)
	}
	return ""
}

// frontTitle returns the title in front matter (YAML or TOML) if it is written in one line.
// Whatever else stands there is not looked at, so that no front matter costs more than its
// length.
func frontTitle(text []byte) string {
	for line := range bytes.Lines(text) {
		rest, ok := strings.CutPrefix(string(line), "title")
		if !ok {
			continue
		}
		rest = strings.TrimSpace(rest)
		if rest == "" || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		return plainValue(strings.TrimSpace(rest[1:]))
	}
	return ""
}

// plainValue returns the text that a value in one line stands for, empty if it is none.
func plainValue(value string) string {
	if value == "" {
		return ""
	}
	switch value[0] {
	case '"':
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return ""
		}
		text, _ := strconv.Unquote(quoted) // it is one
		return text
	case '\'':
		inner, _, found := strings.Cut(strings.ReplaceAll(value[1:], "''", "\x00"), "'")
		if !found {
			return ""
		}
		return strings.ReplaceAll(inner, "\x00", "'")
	case '|', '>', '[', '{', '&', '*', '!':
		return ""
	}
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value)
}
