package frontmatter

import "strings"

// setTo gives an entry another value.
func (c *changer) setTo(it *Item, old, v *Node) *Error {
	if c.format == TOML {
		if (old.Kind == Map || old.Kind == List) && !old.flow {
			return byHand("several lines make this table")
		}
		c.replace(old.Start, old.End, c.inline(v, old.flow, old.quote))
		return nil
	}
	isBlock := (old.Kind == List || old.Kind == Map) && !old.flow && old.Len() > 0
	switch {
	case isBlock && v.Kind == old.Kind && len(v.Items) > 0 && c.column(old.Start) <= maxColumn:
		c.replace(old.Start, old.End, c.below(v, c.column(old.Start), endingOf(c.source, old.Start)))
	case old.quote == '|' && isLiteral(v) && c.source[old.Start] == '|':
		c.replace(old.Start, old.End, c.literal(old, v.Text))
	case old.Len() == 0:
		text := c.inline(v, old.flow, 0)
		if it.Key != nil && c.source[it.colon-1] != ':' {
			text = ": " + text
		} else {
			text = " " + text
		}
		c.replace(it.colon, it.colon, text)
	case strings.ContainsAny(c.source[it.colon:old.Start], "\r\n"):
		// The value begins on a line of its own: comments before it stay.
		c.replace(it.colon, it.colon, " "+c.inline(v, old.flow, old.quote))
		from := lineStart(c.source, old.Start) - 1
		if from > 0 && c.source[from] == '\n' && c.source[from-1] == '\r' {
			from--
		}
		c.replace(max(from, it.colon), old.End, "")
	default:
		c.replace(old.Start, old.End, c.inline(v, old.flow, old.quote))
	}
	return nil
}

// isLiteral reports whether a value is a text that can be written in lines as it is.
func isLiteral(v *Node) bool {
	return v.Kind == String && strings.HasSuffix(v.Text, "\n") && !strings.HasSuffix(v.Text, "\n\n") && len(v.Text) > 1 &&
		v.Text[0] != ' ' && v.Text[0] != '\n' && isSingle(strings.ReplaceAll(v.Text, "\n", ""))
}

// literal returns a text in lines, indented as one was before.
func (c *changer) literal(old *Node, text string) string {
	first := nextLine(c.source, old.Start)
	line := c.source[first:lineEnd(c.source, first)]
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if indent == "" || len(indent) > maxColumn || first >= old.End {
		return doubleQuoted(text, YAML)
	}
	ending := endingOf(c.source, old.Start)
	var b strings.Builder
	b.WriteString("|")
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if b.WriteString(ending); l != "" {
			b.WriteString(indent + l)
		}
	}
	return b.String()
}
