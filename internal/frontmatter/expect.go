package frontmatter

import "slices"

// clone returns a copy of a value, without what is only written of it.
func (n *Node) clone() *Node {
	made := &Node{Kind: n.Kind, Text: n.Text, anchor: n.anchor, flow: n.flow, header: n.header}
	for i := range n.Items {
		it := Item{Value: n.Items[i].Value.clone()}
		if key := n.Items[i].Key; key != nil {
			it.Key = key.clone()
		}
		made.Items = append(made.Items, it)
	}
	return made
}

// expected returns what the text must say after the change; nil if nothing is to be done.
func (c *changer) expected() (*Node, *Error) {
	root := c.root.clone()
	above, n := []*Node{}, root
	for at, name := range c.Path {
		i := n.find(name)
		if i < 0 {
			if err := c.mayAdd(n, at); err != nil {
				return nil, err
			}
			n.Items = append(n.Items, Item{Key: &Node{Kind: String, Text: name}, Value: c.newValue(c.Path[at+1:])})
			n.Kind = Map
			return root, nil
		}
		above, n = append(above, n), n.Items[i].Value
	}
	parent := above[len(above)-1]
	i := parent.find(c.Path[len(c.Path)-1])
	switch c.Action {
	case Set:
		parent.Items[i].Value = c.value
	case Append:
		return c.expectedList(root, n)
	case Rename:
		return root, c.expectName(parent, i)
	case Remove:
		parent.Items = slices.Delete(parent.Items, i, i+1)
		c.prune(above)
	}
	return root, nil
}

// mayAdd checks that a key can be added to a value, at a part of the path.
func (c *changer) mayAdd(n *Node, at int) *Error {
	switch {
	case c.Action == Remove || c.Action == Rename, n.Kind == List:
		return c.notFound(n, c.Path, at)
	case n.Kind != Map && n.Kind != Null && n.Kind != Alias:
		e := c.notFound(n, c.Path, at)
		e.Reason = Refused
		e.Message += "; set it to a mapping first"
		return e
	}
	return nil
}

// expectedList appends to a list; it returns nil if there is nothing to do.
func (c *changer) expectedList(root, n *Node) (*Node, *Error) {
	switch n.Kind {
	case List:
		if c.Unless && slices.ContainsFunc(n.Items, func(i Item) bool { return i.Value.equal(c.value, false) }) {
			return nil, nil
		}
		n.Items = append(n.Items, Item{Value: c.value})
	case Null:
		*n = *c.newValue(nil)
	case Alias:
		return nil, byHand("the value is an alias, *" + n.Text)
	default:
		return nil, wrong(Refused, "%s is no list, so that nothing can be appended to it; set it to a list first", c.Path)
	}
	return root, nil
}

// expectName gives an entry another name.
func (c *changer) expectName(parent *Node, i int) *Error {
	it := &parent.Items[i]
	switch other := parent.find(c.Name); {
	case it.Key == nil:
		return wrong(Invalid, "the items of a list have no names; there are set, append and remove")
	case other >= 0 && other != i:
		return wrong(Refused, "there is a key %q beside it already; take it out first, or choose another name", c.Name)
	}
	it.Key.Kind, it.Key.Text = String, c.Name
	return nil
}

// prune takes out what TOML can't say: tables without keys and without a header.
func (c *changer) prune(above []*Node) {
	if c.format != TOML {
		return
	}
	for i := len(above) - 1; i > 0; i-- {
		n := above[i]
		if len(n.Items) > 0 || n.flow || n.header.Len() > 0 {
			return
		}
		above[i-1].Items = slices.DeleteFunc(above[i-1].Items, func(it Item) bool { return it.Value == n })
	}
}
