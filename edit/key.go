package edit

import (
	"bytes"
	"errors"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/markdown"
)

// A key of front matter is changed by splices of the front matter's text, which package
// frontmatter makes and proves. A document without front matter gets one.

// keyActions are the actions on keys.
var keyActions = map[Action]frontmatter.Action{ //nolint:gochecknoglobals // a constant
	Set: frontmatter.Set, Append: frontmatter.Append, Remove: frontmatter.Remove, Rename: frontmatter.Rename,
}

// findKey returns the target of an operation on a key of front matter. One that is to be set
// need not be there. It is nil for an address of something else.
func (d *draft) findKey(op *Op, res *address.Resolution, err error) (*target, *Error) {
	path, ok := address.KeyPath(op.Address)
	if !ok || len(path) == 0 || err == nil && res.Kind != address.KeyNode {
		return nil, nil
	}
	t := &target{res: res, mark: -1, key: path}
	var missing *address.Error
	switch {
	case op.Action == ReplaceText:
		return nil, &Error{Code: InvalidArgument, Message: "a text is replaced in all of @frontmatter, not in a key; or use set on the key"}
	case err == nil:
		return t, nil
	case op.Occurrence == 0 && (op.Action == Set || op.Action == Append) && errors.As(err, &missing) && missing.Code == address.HeadingNotFound:
		if op.ExpectedHash != "" {
			return nil, &Error{Code: Conflict, Message: "the key is not there, and has no hash; leave the hash out to add it"}
		}
		if d.before.FrontMatter() >= 0 {
			t.res, _ = address.Resolve(d.before, "@frontmatter")
		}
		return t, nil
	}
	return nil, asError(err)
}

// keyChange returns what an operation on a key asks for.
func (op *Op) keyChange(path frontmatter.Path) (c frontmatter.Change, err *Error) {
	action, ok := keyActions[op.Action]
	if !ok {
		return c, op.impossible("a key of the front matter", Set, Append, Remove, Rename)
	}
	c = frontmatter.Change{Action: action, Path: path, Unless: op.UnlessPresent, Name: strings.TrimSpace(op.Text)}
	if op.Scope != AnyScope {
		return c, &Error{Code: InvalidArgument, Message: "a key has no scope; leave it out"}
	}
	if op.Action == Set || op.Action == Append {
		value, err := frontmatter.ParseValue(op.Text)
		if err != nil {
			return c, &Error{Code: InvalidArgument, Message: err.Error(), Err: err}
		}
		c.Value = value
	}
	return c, nil
}

// nowKey returns a key in doc, which is the draft as it is now; a key that is to be added has
// no node yet.
func (d *draft) nowKey(doc *markdown.Document, t *target, op *Op) (address.Node, *Error) {
	addr := "@frontmatter" + t.key.String()
	if op.Action == Rename {
		addr = "@frontmatter" + append(t.key[:len(t.key)-1:len(t.key)-1], strings.TrimSpace(op.Text)).String()
	}
	res, err := address.Resolve(doc, addr)
	if err != nil || res.Kind != address.KeyNode {
		return address.Node{}, &Error{Code: Conflict, Message: "an operation before this one has changed or removed it"}
	}
	return res.Node, nil
}

// keptKey refuses an operation on an item of a list by its number, if an operation before has
// changed what has the number.
func (d *draft) keptKey(doc *markdown.Document, t *target) *Error {
	if t.res == nil || t.res.Kind != address.KeyNode || !t.res.ByPosition || doc == d.before {
		return nil
	}
	res, err := address.Resolve(doc, "@frontmatter"+t.key.String())
	if err != nil || !bytes.Equal(doc.Text(res.Span(doc)), d.before.Text(t.res.Span(d.before))) {
		return &Error{Code: Conflict, Message: "an operation before this one has changed or removed it; " +
			"put this one first, or leave it out"}
	}
	return nil
}
