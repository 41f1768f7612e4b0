package frontmatter

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// scalar makes a single value.
func (b *builder) scalar(made *Node, n *yaml.Node, owner int) {
	kinds := map[string]Kind{"!!null": Null, "!!bool": Bool, "!!int": Int, "!!float": Float, "!!str": String, "!!timestamp": Time}
	kind, ok := kinds[n.ShortTag()]
	if !ok {
		kind = Other
	}
	made.Kind, made.Text = kind, said(kind, n.Value)
	switch kind {
	case Null:
		made.Text = ""
	case Float:
		made.Text = numeral(kind, n.Value)
	case Other:
		made.Text = n.Tag + " " + n.Value
	}
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		if b.at == len(b.source) || b.source[b.at] != '"' && b.source[b.at] != '\'' {
			b.fail()
			return
		}
		made.quote = b.source[b.at]
		b.at += QuotedLength(b.source[b.at:])
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		b.blockScalar(made, owner)
	default:
		b.words(n.Value)
	}
}

// QuotedLength returns the length, in bytes, of the text of YAML in single or double quotes that
// s begins with, up to the end of s if they aren't closed.
func QuotedLength(s string) int {
	for at := 1; at < len(s); at++ {
		switch {
		case s[at] == '\\' && s[0] == '"':
			at++
		case s[at] != s[0]:
		case s[0] == '\'' && strings.HasPrefix(s[at+1:], "'"):
			at++
		default:
			return at + 1
		}
	}
	return len(s)
}

// words goes past a text without quotes: what it says, with other blanks and line breaks
// between its words.
func (b *builder) words(text string) {
	const blanks = " \t\r\n"
	first := true
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(blanks, r) }) {
		at := len(b.source) - len(strings.TrimLeft(b.source[b.at:], blanks))
		if !strings.HasPrefix(b.source[at:], word) || (at == b.at) != first {
			b.fail()
			return
		}
		b.at, first = at+len(word), false
	}
}

// blockScalar goes past a text after | or >: the lines that are indented as its first.
func (b *builder) blockScalar(made *Node, owner int) {
	end := lineEnd(b.source, b.at)
	head := b.source[b.at:end]
	sign := head
	if n := strings.IndexAny(head, " \t"); n >= 0 {
		sign = head[:n]
	}
	if sign == "" || strings.Trim(sign, "|>+-123456789") != "" {
		b.fail()
		return
	}
	made.quote = sign[0]
	b.at = end
	least := -1
	if n := strings.IndexAny(sign, "123456789"); n >= 0 {
		least = max(owner, 0) + int(sign[n]-'0')
	}
	for at := nextLine(b.source, b.at); at < len(b.source); at = nextLine(b.source, at) {
		line := b.source[at:lineEnd(b.source, at)]
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch empty := indent == len(line); {
		case empty && (least < 0 || indent <= least):
			if strings.Contains(sign, "+") {
				b.at = lineEnd(b.source, at)
			}
			continue
		case least < 0:
			least = max(indent, owner+1)
		}
		if indent < least {
			return
		}
		b.at = lineEnd(b.source, at)
	}
}
