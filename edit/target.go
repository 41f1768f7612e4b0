package edit

import (
	"fmt"
	"sort"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// The target of an operation is found in the document as it was before the first
// one, and its hash is compared there. A mark keeps it in sight while other
// operations change the text around it.

// target is what an operation is about.
type target struct {
	res   *address.Resolution
	moved bool          // it was found by its hash
	mark  int           // of the draft, at its beginning; -1 for what is found by its name
	kind  markdown.Kind // of a block
}

// find resolves the operation's address in the draft's original, and checks that
// it may be written to.
func (d *draft) find(op *Op, o Options) (*target, *Error) {
	res, err := address.Resolve(d.before, op.Address, address.Options{Occurrence: op.Occurrence})
	if err != nil && op.ExpectedHash == "" {
		return nil, asError(0, op.Address, err)
	}
	t := &target{res: res, mark: -1}
	if err == nil {
		if e := d.verify(t, op, o); e != nil {
			return nil, e
		}
	} else if t.res = d.sectionOf(op); t.res == nil || !counts(op.Address) {
		return nil, asError(0, op.Address, err)
	} else {
		t.moved = true
	}
	switch t.res.Kind {
	case address.SectionNode:
		t.mark = d.mark(d.before.SectionSpan(t.res.Section).Start, false)
	case address.BlockNode:
		block := &d.before.Blocks[t.res.Block]
		t.mark, t.kind = d.mark(int(block.Start), false), block.Kind
	}
	return t, nil
}

// counts reports whether an address that stands for nothing any more counts: a
// selector or a line.
func counts(addr string) bool {
	addr = strings.TrimSpace(addr)
	if s, err := address.ParseSelector(addr); err == nil {
		last := s.Steps[len(s.Steps)-1]
		return last.Index != nil && last.Type.Level() > 0
	}
	return false
}

// minHash is the number of characters of a hash that prove something.
const minHash = 12

// verify checks that the hash is that of the target. If it isn't, and the address
// counts, the target becomes the one section that has it.
func (d *draft) verify(t *target, op *Op, o Options) *Error {
	switch {
	case op.ExpectedHash == "" && t.res.ByPosition && !o.Pinned:
		return &Error{Code: HashRequired, Current: t.res, Message: fmt.Sprintf(
			"%s counts, and what it counts may have changed; give the hash of what you have read there as expected_hash, or name the heading",
			quoted(op.Address))}
	case op.ExpectedHash == "":
		return nil
	case len(op.ExpectedHash) < minHash:
		return &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"the expected hash %s is too short; give all of it, or at least %d characters", quoted(op.ExpectedHash), minHash)}
	case d.proves(t.res.Node, op):
		return nil
	}
	if t.res.ByPosition && t.res.Kind == address.SectionNode {
		if res := d.sectionOf(op); res != nil {
			t.res, t.moved = res, true
			return nil
		}
	}
	message := "it has changed since it was read; look at it as it is now, and try again with its hash " + d.hash(t.res.Node)
	if t.res.Kind == address.SectionNode && isHash(d.before.BodyHash(t.res.Section), op.ExpectedHash) {
		message = fmt.Sprintf("this is the hash of the body alone, and the operation touches the subsections too; "+
			"read all of it, and try again with its hash %s, or with the scope %q", d.hash(t.res.Node), ScopeBody)
	}
	return &Error{Code: Conflict, Current: t.res, Message: message}
}

// isHash reports whether expected is the hash, or enough of it.
func isHash(hash, expected string) bool {
	return len(expected) >= minHash && strings.HasPrefix(hash, strings.ToLower(expected))
}

// hash returns the hash of a node of the original.
func (d *draft) hash(n address.Node) string {
	return markdown.Hash(d.before.Text(n.Span(d.before)))
}

// proves reports whether the expected hash is that of what the operation touches.
func (d *draft) proves(n address.Node, op *Op) bool {
	if isHash(d.hash(n), op.ExpectedHash) {
		return true
	}
	switch n.Kind {
	case address.SectionNode:
		return !op.touchesAll() && isHash(d.before.BodyHash(n.Section), op.ExpectedHash)
	case address.DocumentNode:
		return isHash(d.before.Version(), op.ExpectedHash)
	}
	return false
}

// touchesAll reports whether the operation changes a section's subsections.
func (op *Op) touchesAll() bool {
	switch op.Action {
	case Replace, Remove:
		return op.Scope != ScopeBody
	case ReplaceText:
		return true
	}
	return false
}

// sectionOf returns the one section that has the expected hash, or nil.
func (d *draft) sectionOf(op *Op) *address.Resolution {
	found := -1
	for i := range d.before.Sections {
		if !d.proves(address.NodeOfSection(i), op) {
			continue
		}
		if found >= 0 {
			return nil
		}
		found = i
	}
	if found < 0 {
		return nil
	}
	node := address.NodeOfSection(found)
	return &address.Resolution{
		Node: node, ByPosition: true,
		Selector: address.SelectorOf(d.before, node), Breadcrumb: address.Breadcrumb(d.before, node),
	}
}

// now returns the target in doc, which is the draft as it is now.
func (d *draft) now(doc *markdown.Document, t *target) (address.Node, *Error) {
	if t.mark < 0 {
		res, err := address.Resolve(doc, "@"+nameOf(t.res.Kind), address.Options{})
		if err != nil {
			return address.Node{}, asError(0, "", err)
		}
		return res.Node, nil
	}
	node, ok := nodeAt(doc, d.marks[t.mark].at, t.kind)
	if !ok {
		return address.Node{}, &Error{Code: Conflict, Message: "an operation before this one has changed or removed it; " +
			"put this one first, or leave it out"}
	}
	return node, nil
}

// nameOf returns the name of a part that has one.
func nameOf(k address.NodeKind) string {
	switch k {
	case address.PreambleNode:
		return "preamble"
	case address.FrontMatterNode:
		return "frontmatter"
	}
	return "document"
}

// nodeAt returns the section whose first line begins at the offset, if the kind is
// 0; else the block of the kind that begins there.
func nodeAt(doc *markdown.Document, at int, kind markdown.Kind) (address.Node, bool) {
	if at < 0 {
		return address.Node{}, false
	}
	if kind == 0 {
		i := sort.Search(len(doc.Sections), func(i int) bool { return doc.SectionSpan(i).Start >= at })
		return address.NodeOfSection(i), i < len(doc.Sections) && doc.SectionSpan(i).Start == at
	}
	b := blockAt(doc, at, kind)
	if b < 0 {
		return address.Node{}, false
	}
	return address.NodeOfBlock(doc, b), true
}

// blockAt returns the block of the kind that begins at the offset, or -1.
func blockAt(doc *markdown.Document, at int, kind markdown.Kind) int {
	i := sort.Search(len(doc.Blocks), func(i int) bool { return int(doc.Blocks[i].Start) >= at })
	for ; i < len(doc.Blocks) && int(doc.Blocks[i].Start) == at; i++ {
		if doc.Blocks[i].Kind == kind {
			return i
		}
	}
	return -1
}

// quoted renders an argument in an error.
func quoted(s string) string {
	const most = 80 // bytes
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}
