package frontmatter

import "strings"

// setTo gives an entry another value.
func (c *changer) setTo(it *Item, old, v *Node) *Error {
	if c.format == TOML {
		if (old.Kind == Map || old.Kind == List) && !old.flow {
			return wrong(Refused, "tables stand there, in lines of their own; set their keys one by one, or change them as text")
		}
		c.replace(old.Start, old.End, c.inline(v, old.flow, old.quote))
		return nil
	}
	isBlock := (old.Kind == List || old.Kind == Map) && !old.flow && old.Len() > 0
	end := old.End
	if isBlock { // a comment behind its last line belongs to that
		end = lineEnd(c.source, end)
	}
	switch {
	case isBlock && v.Kind == old.Kind && len(v.Items) > 0 && c.column(old.Start) <= maxColumn:
		c.setLines(old, v)
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
		c.replace(it.colon, it.colon, " "+c.inline(v, old.flow, old.quote)+c.remark(old))
		from := lineStart(c.source, old.Start) - 1
		if from > 0 && c.source[from] == '\n' && c.source[from-1] == '\r' {
			from--
		}
		c.replace(max(from, it.colon), end, "")
	default:
		c.replace(old.Start, end, c.inline(v, old.flow, old.quote)+c.remark(old))
	}
	return nil
}

// setLines gives a list or mapping in lines other entries. Those that stay at its beginning and its
// end stay as they are written, with the comments behind and above them. A comment above the first
// one stands above the list or mapping, and stays there.
func (c *changer) setLines(old, v *Node) {
	isSame := func(a, b *Item) bool {
		return (a.Key == nil || a.Key.equal(b.Key, true)) && a.Value.equal(b.Value, true)
	}
	from, to, more := 0, len(old.Items), len(v.Items) // what stays in front, and up to where the others go and come
	if old.Start == old.Items[0].start {              // no anchor stands before it
		for from < min(to, more) && isSame(&old.Items[from], &v.Items[from]) {
			from++
		}
		for from < min(to, more) && isSame(&old.Items[to-1], &v.Items[more-1]) {
			to, more = to-1, more-1
		}
	}
	column, ending := c.column(old.Start), endingOf(c.source, old.Start)
	text := c.below(&Node{Kind: v.Kind, Items: v.Items[from:more]}, column, ending)
	indent := ending + strings.Repeat(" ", column)
	end := 0 // of the items that go
	if from < to {
		end = lineEnd(c.source, old.Items[to-1].end())
	}
	switch {
	case from > 0: // the comments above items that go, go with them
		start := lineEnd(c.source, old.Items[from-1].end())
		if from < more {
			text = indent + text
		}
		c.replace(start, max(start, end), text)
	case to == 0:
		c.replace(old.Items[0].start, old.Items[0].start, text+indent)
	case more > 0:
		c.replace(old.Start, end, text)
	case isFirst(c.source, old.Start):
		c.replace(lineStart(c.source, old.Start), nextLine(c.source, end), "")
	default: // what stays begins with its comment, if there is one above it
		next := old.Items[to].start
		if n := strings.IndexByte(c.source[end:next], '#'); n >= 0 {
			next = end + n
		}
		c.replace(old.Start, next, "")
	}
}

// remark returns the comment behind the sign of a text after | or >, with the blanks before it.
func (c *changer) remark(n *Node) string {
	if n.quote != '|' && n.quote != '>' {
		return ""
	}
	head := c.source[n.Start:lineEnd(c.source, n.Start)]
	for i := range head {
		if i > 0 && head[i] == '#' && strings.IndexByte(" \t", head[i-1]) >= 0 {
			return " " + head[i:]
		}
	}
	return ""
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
		return doubleQuoted(text, YAML) + c.remark(old)
	}
	ending := endingOf(c.source, old.Start)
	var b strings.Builder
	b.WriteString("|" + c.remark(old))
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if b.WriteString(ending); l != "" {
			b.WriteString(indent + l)
		}
	}
	return b.String()
}
