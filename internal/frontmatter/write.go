package frontmatter

import (
	"fmt"
	"strings"
	"unicode"
)

// inline returns a value on one line: in brackets, if it is a list or mapping. flow says
// that it stands in brackets itself, and quote how a text was written before.
func (c *changer) inline(n *Node, flow bool, quote byte) string {
	switch n.Kind {
	case Null:
		return "null"
	case Bool, Int, Float, Time:
		return n.Text
	case List:
		parts := make([]string, len(n.Items))
		for i := range n.Items {
			parts[i] = c.inline(n.Items[i].Value, true, 0)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Map:
		parts := make([]string, len(n.Items))
		for i := range n.Items {
			parts[i] = c.entry(n.Items[i].Key.Text, n.Items[i].Value, true)
		}
		if c.format == TOML && len(parts) > 0 {
			return "{ " + strings.Join(parts, ", ") + " }"
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	if c.format == TOML {
		return tomlText(n.Text, quote)
	}
	return yamlText(n.Text, flow, quote)
}

// entry returns a key and its value on one line.
func (c *changer) entry(key string, n *Node, flow bool) string {
	if c.format == TOML {
		return tomlKey(key) + " = " + c.inline(n, flow, 0)
	}
	return yamlText(key, flow, 0) + ": " + c.inline(n, flow, 0)
}

// tomlKey returns a key of TOML, in quotes if it needs them.
func tomlKey(s string) string {
	bare := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	})
	if bare {
		return s
	}
	return doubleQuoted(s, TOML)
}

// tomlText returns a text of TOML, in the quotes that one was in before if that is possible.
func tomlText(s string, quote byte) string {
	if quote == '\'' && !strings.ContainsFunc(s, func(r rune) bool { return r == '\'' || r != '\t' && !unicode.IsPrint(r) }) {
		return "'" + s + "'"
	}
	return doubleQuoted(s, TOML)
}

// doubleQuoted returns a text in double quotes, on one line.
func doubleQuoted(s string, f Format) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100 && f == YAML:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
