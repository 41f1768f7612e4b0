package frontmatter

import "strings"

// add adds the key that the rest of a way begins with to the last value of it.
func (c *changer) add(w *way, v *Node) *Error {
	n, it := w.last()
	key := w.rest[0]
	switch {
	case n.flow && n.Kind == Map:
		c.addInBrackets(n, c.entry(key, v, true))
	case c.format == TOML:
		c.addLine(n, w.rest, v)
	case n.Kind == Null && (it.Key == nil || n.flow || n.Len() > 0):
		return c.setTo(it, n, c.mapping(key, v))
	case n.Kind == Null:
		column := c.column(it.start) + c.step()
		c.addBelow(it.colon, column, c.lines(key, v, column))
	case len(n.Items) == 0: // nothing but comments
		c.replace(len(c.source), len(c.source), c.closed()+strings.Join(c.lines(key, v, 0), endingOf(c.source, 0))+endingOf(c.source, 0))
	default:
		column := c.column(n.Items[0].start)
		c.addBelow(n.Items[len(n.Items)-1].end(), column, c.lines(key, v, column))
	}
	return nil
}

// mapping returns the mapping of one key.
func (c *changer) mapping(key string, v *Node) *Node {
	return &Node{Kind: Map, Items: []Item{{Key: &Node{Kind: String, Text: key}, Value: v}}}
}

// closed returns a line ending if the text ends without one.
func (c *changer) closed() string {
	if c.source == "" || strings.HasSuffix(c.source, "\n") || strings.HasSuffix(c.source, "\r") {
		return ""
	}
	return endingOf(c.source, 0)
}

// addBelow adds lines behind the line that holds the offset, the first of them indented.
func (c *changer) addBelow(at, column int, lines []string) {
	ending := endingOf(c.source, at)
	end := lineEnd(c.source, at)
	c.replace(end, end, ending+strings.Repeat(" ", column)+strings.Join(lines, ending))
}

// appendTo adds the value at the end of a list.
func (c *changer) appendTo(n *Node) *Error {
	switch {
	case n.flow:
		c.addInBrackets(n, c.inline(c.value, true, 0))
	case c.format == TOML:
		return byHand("each item of this list is a table")
	default:
		last := &n.Items[len(n.Items)-1]
		gap := c.source[last.colon:last.Value.Start]
		if strings.Trim(gap, " ") != "" || gap == "" {
			gap = " "
		}
		c.addBelow(last.end(), c.column(n.Items[0].start), []string{"-" + gap + c.inline(c.value, false, last.Value.quote)})
	}
	return nil
}

// addInBrackets adds an entry at the end of a list or mapping in brackets, on a line of its own
// if the last one has one.
func (c *changer) addInBrackets(n *Node, text string) {
	if len(n.Items) == 0 {
		c.replace(n.Start+1, n.Start+1, text)
		return
	}
	last := &n.Items[len(n.Items)-1]
	at, comma := max(last.end(), lastEnd(n)), ","
	if last.comma >= at {
		at, comma = last.comma, ""
	}
	if !isFirst(c.source, last.start) || lineStart(c.source, last.start) <= n.Start {
		c.replace(at, at, comma+" "+text)
		return
	}
	lead := endingOf(c.source, at) + c.source[lineStart(c.source, last.start):last.start]
	if comma != "" {
		c.replace(at, at, ",")
		at = lineEnd(c.source, at)
		c.replace(at, at, lead+text)
		return
	}
	at = lineEnd(c.source, at)
	c.replace(at, at, lead+text+",")
}

// addLine adds the line of a key to a table of TOML.
func (c *changer) addLine(n *Node, names Path, v *Node) {
	for range names[1:] { // the mappings around the value are parts of the key
		v = v.Items[0].Value
	}
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = tomlKey(name)
	}
	line := strings.Join(parts, ".") + " = " + c.inline(v, false, 0)
	var last *Item
	for i := range n.Items {
		if it := &n.Items[i]; it.Value.flow || it.Value.Kind != Map && it.Value.Kind != List {
			last = it
		}
	}
	switch {
	case last != nil:
		lead := c.source[lineStart(c.source, last.start):last.Key.Start]
		at := lineEnd(c.source, last.end())
		c.replace(at, at, endingOf(c.source, at)+lead+line)
	case n.header.Len() > 0:
		c.replace(n.header.End, n.header.End, endingOf(c.source, n.header.End)+line)
	case n == c.root:
		c.replace(0, 0, line+endingOf(c.source, 0))
	default:
		c.addToTable(n, line)
	}
}

// addToTable adds the line of a key to a table of TOML that holds nothing but tables: behind
// the first of them if keys with dots make it, else below a header above the first.
func (c *changer) addToTable(n *Node, line string) {
	at := lineStart(c.source, n.Start)
	if !strings.HasPrefix(strings.TrimLeft(c.source[at:], " \t"), "[") {
		end := lineEnd(c.source, n.Items[0].Value.End)
		c.replace(end, end, endingOf(c.source, end)+c.source[at:n.Items[0].Key.Start]+line)
		return
	}
	names := make([]string, 0, len(c.Path))
	for inner, i := c.root, 0; inner != n; i++ {
		if inner.Kind == Map { // the last item of a list is what a header means
			names = append(names, tomlKey(c.Path[i]))
		}
		inner = inner.Items[inner.find(c.Path[i])].Value
	}
	for at > 0 { // the comments above it are the other one's
		above := lineStart(c.source, len(strings.TrimSuffix(strings.TrimSuffix(c.source[:at], "\n"), "\r")))
		if !strings.HasPrefix(strings.TrimLeft(c.source[above:], " \t"), "#") {
			break
		}
		at = above
	}
	ending := endingOf(c.source, at)
	c.replace(at, at, "["+strings.Join(names, ".")+"]"+ending+line+ending+ending)
}
