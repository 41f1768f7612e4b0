package frontmatter

import (
	"slices"
	"strings"
)

// remove takes out the entry that a way leads to.
func (c *changer) remove(w *way) *Error {
	n, it := w.last()
	parent := w.nodes[len(w.nodes)-2]
	i := slices.IndexFunc(parent.Items, func(other Item) bool { return other.Value == n })
	switch {
	case parent.flow && parent.Len() > 0:
		return c.removeInBrackets(parent, i)
	case c.format == TOML:
		return c.removeLines(n, it)
	case len(parent.Items) == 1 && parent != c.root:
		return c.setTo(w.items[len(w.items)-2], parent, &Node{Kind: parent.Kind})
	case isFirst(c.source, it.start):
		c.replace(lineStart(c.source, it.start), nextLine(c.source, it.end()), "")
		return nil
	}
	if i+1 == len(parent.Items) {
		return byHand("something else stands on its line")
	}
	next := parent.Items[i+1].start
	if strings.Contains(c.source[it.end():next], "#") {
		return byHand("a comment stands between it and what follows")
	}
	c.replace(it.start, next, "")
	return nil
}

// removeInBrackets takes out an entry of a list or mapping in brackets, with its comma.
func (c *changer) removeInBrackets(parent *Node, i int) *Error {
	it := &parent.Items[i]
	if it.Value.scattered {
		return byHand("keys in several places make this table")
	}
	from, to := it.start, it.end()
	switch {
	case i+1 < len(parent.Items):
		to = parent.Items[i+1].start
	case it.comma >= 0:
		to = it.comma
		if i > 0 && !parent.Items[i-1].Value.scattered {
			from = parent.Items[i-1].comma
		}
	case i > 0:
		from = parent.Items[i-1].end()
	}
	if strings.Contains(c.source[from:it.start], "#") || strings.Contains(c.source[it.end():to], "#") {
		return byHand("a comment stands between it and what follows")
	}
	c.replace(from, to, "")
	return nil
}

// removeLines takes out the lines of a key or of a table of TOML.
func (c *changer) removeLines(n *Node, it *Item) *Error {
	if n.scattered {
		return byHand("lines in several places make this table")
	}
	start := it.start
	if (n.Kind == Map || n.Kind == List) && !n.flow {
		start = n.Start
	}
	if !isFirst(c.source, start) {
		return byHand("something else stands on its line")
	}
	c.replace(lineStart(c.source, start), nextLine(c.source, n.End), "")
	return nil
}
