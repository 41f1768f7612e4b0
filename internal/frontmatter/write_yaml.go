package frontmatter

import (
	"slices"
	"strings"
	"unicode"
)

// YAMLText returns a text as YAML: plain where every reader takes it for the same text, and in
// quotes otherwise. flow says that it stands in brackets.
func YAMLText(s string, flow bool) string {
	switch {
	case isPlain(s, flow):
		return s
	case strings.ContainsAny(s, `"\`) && isSingle(s) && !strings.Contains(s, "'"):
		return "'" + s + "'"
	}
	return doubleQuoted(s, YAML)
}

// yamlText is YAMLText in the quotes that one was in before, if that is possible.
func yamlText(s string, flow bool, quote byte) string {
	switch {
	case quote == '\'' && isSingle(s):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case quote == '"':
		return doubleQuoted(s, YAML)
	}
	return YAMLText(s, flow)
}

// isSingle reports whether a text can stand in single quotes on one line.
func isSingle(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// isPlain reports whether a text needs no quotes.
func isPlain(s string, flow bool) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.HasPrefix(s, "...") || strings.Contains(s, "<<") || isWord(s) || looksLikeNumber(s) {
		return false
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', r == '/', r == '.':
		case i == 0:
			return false
		case unicode.Is(unicode.M, r):
			if !unicode.IsPrint(r) {
				return false
			}
		case r == ' ':
			if s[i-1] == ' ' {
				return false
			}
		case strings.ContainsRune("-+=~$;()", r):
		case s[i-1] == ' ' && strings.ContainsRune("'!?*&@%#", r):
			return false
		case strings.ContainsRune("'!?*&@%#", r):
		case r == ':':
			if flow || i+1 == len(s) || s[i+1] == ' ' {
				return false
			}
		case flow || !strings.ContainsRune(",[]{}\"<>^", r):
			return false
		}
	}
	return true
}

// isWord reports whether some reader of YAML takes a text for null or a truth
// value.
func isWord(s string) bool {
	return slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"}, strings.ToLower(s))
}

// looksLikeNumber reports whether some reader of YAML could take a text for a
// number, date or time.
func looksLikeNumber(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789abcdefABCDEFoOxXtTzZ.,:_+- ") == "" &&
		strings.ContainsAny(s[:1], "0123456789.")
}

// maxColumn is the number of blanks before each line of a value that is put in: one that would be
// indented further, as the text around it is, stands on one line.
const maxColumn = 2 * maxNesting

// lines returns an entry of a block as lines, all but the first indented: a key and its value,
// or behind a dash a value alone.
func (c *changer) lines(key string, n *Node, column int) []string {
	head := yamlText(key, false, 0) + ":"
	switch {
	case n.Kind == Map && len(n.Items) > 0:
		inner := column + c.step()
		if inner > maxColumn {
			break
		}
		lines := []string{head}
		for i := range n.Items {
			for k, line := range c.lines(n.Items[i].Key.Text, n.Items[i].Value, inner) {
				if k == 0 {
					line = strings.Repeat(" ", inner) + line
				}
				lines = append(lines, line)
			}
		}
		return lines
	case n.Kind == List && len(n.Items) > 0:
		indent, ok := c.listIndent()
		if !ok || column+indent > maxColumn {
			break
		}
		lines := []string{head}
		for i := range n.Items {
			lines = append(lines, strings.Repeat(" ", column+indent)+"- "+c.inline(n.Items[i].Value, false, 0))
		}
		return lines
	}
	return []string{head + " " + c.inline(n, false, 0)}
}

// below returns a list or mapping in lines, as one was written that began in a column.
func (c *changer) below(n *Node, column int, ending string) string {
	var lines []string
	for i := range n.Items {
		if n.Kind == List {
			lines = append(lines, "- "+c.inline(n.Items[i].Value, false, 0))
		} else {
			lines = append(lines, c.lines(n.Items[i].Key.Text, n.Items[i].Value, column)...)
		}
	}
	for i, line := range lines {
		if i > 0 && !strings.HasPrefix(line, strings.Repeat(" ", column+1)) {
			lines[i] = strings.Repeat(" ", column) + line
		}
	}
	return strings.Join(lines, ending)
}

// step is how far the text indents a mapping in another one.
func (c *changer) step() int {
	step := 2
	c.eachEntry(c.root, func(it *Item) bool {
		if v := it.Value; v.Kind == Map && !v.flow && it.Key != nil && v.Len() > 0 {
			step = c.column(v.Start) - c.column(it.start)
			return true
		}
		return false
	})
	return max(step, 1)
}

// listIndent returns how far the text indents lists, and whether it writes them in lines.
func (c *changer) listIndent() (indent int, inLines bool) {
	c.eachEntry(c.root, func(it *Item) bool {
		v := it.Value
		if v.Kind != List || len(v.Items) == 0 || it.Key == nil {
			return false
		}
		if inLines = !v.flow; inLines {
			indent = c.column(v.Start) - c.column(it.start)
		}
		return true
	})
	return max(indent, 0), inLines
}

// eachEntry calls a function with the entries of a value and of those in it, until it says
// that it has enough.
func (c *changer) eachEntry(n *Node, enough func(*Item) bool) bool {
	for i := range n.Items {
		if enough(&n.Items[i]) || c.eachEntry(n.Items[i].Value, enough) {
			return true
		}
	}
	return false
}

// column returns how many bytes stand before the offset in its line.
func (c *changer) column(at int) int { return at - lineStart(c.source, at) }
