package edit

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// A key of front matter is changed by splices of the front matter's text, which package
// frontmatter makes and proves. A document without front matter gets one.

// keyActions are the actions on keys.
var keyActions = map[Action]frontmatter.Action{ //nolint:gochecknoglobals // a constant
	Set: frontmatter.Set, Append: frontmatter.Append, Remove: frontmatter.Remove, Rename: frontmatter.Rename,
}

// findKey returns the target of an operation on a key of front matter. One that is to be set
// need not be there: then the part that it is added to is found and verified in its place. The
// target is nil for an address of something else.
func (d *draft) findKey(op *Op, res *address.Resolution, err error, o Options) (*target, *Error) {
	path, ok := address.KeyPath(op.Address)
	if !ok || len(path) == 0 || err == nil && res.Kind != address.KeyNode {
		return nil, nil
	}
	t := &target{res: res, mark: -1, key: path, way: path}
	var missing *address.Error
	switch {
	case op.Action == ReplaceText:
		return nil, &Error{Code: InvalidArgument, Message: "a text is replaced in all of @frontmatter, not in a key; or use set on the key"}
	case err == nil:
		t.item = d.markValue(res)
		return t, nil
	case op.Occurrence == 0 && (op.Action == Set || op.Action == Append) && errors.As(err, &missing) && missing.Code == address.HeadingNotFound:
		if t.res, t.way = address.KeyAbove(d.before, path); t.res != nil {
			t.item = d.markValue(t.res)
		}
		return t, d.verifyAbove(t, op, o)
	}
	return nil, asError(err)
}

// markValue makes a mark where a value begins, or in front of what is put in for one of no bytes.
func (d *draft) markValue(res *address.Resolution) int {
	span := res.Span(d.before)
	return d.mark(span.Start, span.Len() == 0)
}

// verifyAbove is verify for a key that is to be added: the hash is that of the part that it is
// added to, for what an address counts may have changed there too.
func (d *draft) verifyAbove(t *target, op *Op, o Options) *Error {
	if t.res == nil {
		if op.ExpectedHash != "" {
			return &Error{Code: Conflict, Message: "the key is not there, and has no hash; leave the hash out to add it"}
		}
		return nil
	}
	above := *op
	above.Address = "@frontmatter" + t.way.String()
	err := d.verify(t.res, &above, o)
	switch {
	case err == nil:
	case err.Code == HashRequired:
		err.Message = fmt.Sprintf("%s counts, and what it counts may have changed; the key is not there, and would be added to %s", quoted(op.Address), above.Address)
	case err.Code == Conflict:
		err.Message = fmt.Sprintf("the key is not there, and the hash is not that of %s, to which it would be added; look at that as it is now, and try again with its hash %s",
			above.Address, d.hash(t.res.Node))
	}
	return err
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

// isSentBack reports whether an operation sets a key to the very text that a read shows of its value,
// which is YAML or TOML, and no JSON. For a value of no bytes the text stands for itself.
func (d *draft) isSentBack(doc *markdown.Document, t *target, op *Op) bool {
	if op.Action != Set || op.Scope != AnyScope {
		return false
	}
	node, err := d.nowKey(doc, t, op)
	if err != nil {
		return false
	}
	lines := func(text string) string {
		return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	}
	read := lines(string(doc.Text(node.Span(doc))))
	return read != "" && lines(op.Text) == read
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
// changed the item, or let another one have the number, even an equal one; to an item that a key
// is added to, others may have been.
func (d *draft) keptKey(doc *markdown.Document, t *target) *Error {
	if t.res == nil || !t.res.ByPosition || doc == d.before {
		return nil
	}
	res, err := address.Resolve(doc, "@frontmatter"+t.way.String())
	if err == nil {
		at, now, before := d.marks[t.item].at, res.Span(doc), t.res.Span(d.before)
		isThere := 0 <= at && at <= now.Start && textlines.IsBlank(d.src[at:now.Start], "") // a value of no bytes may get some
		isEqual := bytes.Equal(doc.Text(now), d.before.Text(before))
		if isThere && (isEqual || len(t.way) > 0 && len(t.way) < len(t.key) && d.holds(now, before)) {
			return nil
		}
	}
	return changedBefore()
}
