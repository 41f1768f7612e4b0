package edit

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// The target of an operation is found in the document as it was before the first
// one, and its hash is compared there. A mark keeps it in sight while other
// operations change the text around it.

// target is what an operation is about.
type target struct {
	res  *address.Resolution
	mark int              // of the draft, at its beginning; -1 for what is found by its name
	kind markdown.Kind    // of a block
	key  frontmatter.Path // of a key of front matter, nil for other parts
	way  frontmatter.Path // the same, or of a key that is to be added that to res, which is above it
	item int              // the mark of the draft where the value at the end of the way begins
}

// noSuchPart says what to do about a named part that is not there, where text is to
// be put: for an address alone there is nothing to be found.
func noSuchPart(addr string, e *Error) *Error {
	switch addr = strings.TrimSpace(addr); {
	case e.Code != address.HeadingNotFound:
	case addr == "@preamble":
		e.Message = fmt.Sprintf("nothing stands before the first heading; to put text there, use %s on @document", Prepend)
	case addr == "@frontmatter":
		e.Message = fmt.Sprintf("there is no front matter; to put some there, use %s on @document, with its marks", Prepend)
	}
	return e
}

// find resolves the operation's address in the draft's original, and checks that
// it may be written to.
func (d *draft) find(op *Op, o Options) (*target, *Error) {
	res, err := address.Resolver{Doc: d.before, Whole: op.Whole, Write: true, Compared: &d.compared}.Nth(op.Address, op.Occurrence)
	t, e := d.findKey(op, res, err, o)
	switch {
	case e != nil:
		return nil, e
	case err != nil && t == nil:
		return nil, noSuchPart(op.Address, asError(err))
	case err != nil: // a key that is to be added
		return t, nil //nolint:nilerr // it is not there because it is to be added
	case res.TwoReadings:
		return nil, &Error{Code: address.AmbiguousHeading, Message: twoReadings}
	}
	if e := d.verify(res, op, o); e != nil {
		return nil, e
	}
	if t != nil {
		return t, nil
	}
	return d.targetOf(res), nil
}

// targetOf returns the target that a part of the original is.
func (d *draft) targetOf(res *address.Resolution) *target {
	t := &target{res: res, mark: -1}
	switch res.Kind {
	case address.SectionNode:
		t.mark = d.markPart(d.before.SectionSpan(res.Section).Start, 0)
	case address.BlockNode, address.ColumnNode:
		block := &d.before.Blocks[res.Block]
		t.kind = block.Kind
		t.mark = d.markPart(int(block.Start), t.kind)
	}
	return t
}

// minHash is the number of characters of a hash that prove something.
const minHash = 12

// verify checks that the hash is that of the target, and of nothing else if the
// address counts.
func (d *draft) verify(res *address.Resolution, op *Op, o Options) *Error {
	switch {
	case op.ExpectedHash == "" && res.ByPosition && !o.Pinned:
		return &Error{Code: HashRequired, Current: res, Hint: GiveHash, Message: fmt.Sprintf(
			"%s counts, and what it counts may have changed", quoted(op.Address))}
	case op.ExpectedHash == "":
		return nil
	case len(op.ExpectedHash) < minHash:
		return &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"the expected hash %s is too short; give all of it, or at least %d characters", quoted(op.ExpectedHash), minHash)}
	}
	proven, ok := d.proven(res.Node, op)
	if !ok {
		return d.conflict(res, op)
	}
	if res.ByPosition && !o.Pinned {
		if twins := d.twins(proven, op); len(twins) > 0 {
			return d.ambiguous(append([]address.Node{proven}, twins...))
		}
	}
	return nil
}

// conflict says that the target is not what was read, and where that is now.
func (d *draft) conflict(res *address.Resolution, op *Op) *Error {
	now := d.hash(res.Node)
	e := &Error{Code: Conflict, Current: res}
	e.Message = "it has changed since it was read; look at it as it is now, and try again with its hash " + now
	if res.Kind != address.SectionNode {
		if around := d.sectionOfHash(res.Section, op.ExpectedHash); around >= 0 {
			e.Message = "this is the hash of the section around it, " + quoted(address.AddressOf(d.before, address.NodeOfSection(around))) +
				", which is as it was; look at the part, and try again with its own hash " + now
		}
		return e
	}
	if isHash(d.before.BodyHash(res.Section), op.ExpectedHash) {
		e.Message = "this is the hash of the body alone, and the operation touches the subsections too; " +
			"read all of it, and try again with its hash " + now
		if op.Action == Replace {
			e.Hint = UseBodyScope
		}
		return e
	}
	for i := range d.before.Sections {
		if d.sectionProves(i, op) {
			e.addCandidate(d.before, address.NodeOfSection(i))
		}
	}
	if e.Total > 0 {
		e.Message = "another part stands there now, and the text that was read is elsewhere; " +
			"take its address from the candidates if it is that, or look at what stands here and use its hash " + now
	}
	return e
}

// sectionOfHash returns the innermost of a section and those that it stands in that has the hash, with
// its subsections or without, -1 if none has.
func (d *draft) sectionOfHash(section int, hash string) int {
	for ; section >= 0; section = int(d.before.Sections[section].Parent) {
		if isHash(d.before.SectionHash(section), hash) || isHash(d.before.BodyHash(section), hash) {
			return section
		}
	}
	return -1
}

// twins returns the other parts of the document that the operation could as well be about, for
// their text is that of the part which the hash proves, byte by byte.
func (d *draft) twins(proven address.Node, op *Op) []address.Node {
	switch proven.Kind {
	case address.SectionNode:
		return d.twinSections(proven.Section, op)
	case address.KeyNode:
		return d.twinKeys(proven, op)
	case address.BlockNode:
		return d.twinBlocks(proven)
	}
	return nil
}

// twinSections returns the other sections that the hash proves, too, or could have been read of:
// it may be that of a body where the operation goes below.
func (d *draft) twinSections(section int, op *Op) []address.Node {
	var twins []address.Node
	text := d.text(d.before.SectionSpan(section))
	if !isHash(d.before.SectionHash(section), op.ExpectedHash) {
		text = d.text(d.before.BodySpan(section))
	}
	for i := range d.before.Sections {
		if i != section && (bytes.Equal(d.text(d.before.SectionSpan(i)), text) || bytes.Equal(d.text(d.before.BodySpan(i)), text)) {
			twins = append(twins, address.NodeOfSection(i))
		}
	}
	return twins
}

// twinBlocks returns the other blocks of the kind with the same text.
func (d *draft) twinBlocks(n address.Node) []address.Node {
	var twins []address.Node
	text, kind := d.text(n.Span(d.before)), d.before.Blocks[n.Block].Kind
	for b := range d.before.Blocks {
		if d.before.Blocks[b].Kind != kind || b == n.Block {
			continue
		}
		if other := address.NodeOfBlock(d.before, b); other.Kind == n.Kind && bytes.Equal(d.text(other.Span(d.before)), text) {
			twins = append(twins, other)
		}
	}
	return twins
}

// twinKeys returns the keys with the same text to which the operation's address leads with other
// numbers of items.
func (d *draft) twinKeys(n address.Node, op *Op) []address.Node {
	var twins []address.Node
	path, _ := address.KeyPath(op.Address)
	for _, other := range address.KeysLike(d.before, path) {
		if other.Value != n.Value && bytes.Equal(d.text(other.Value), d.text(n.Value)) {
			twins = append(twins, other)
		}
	}
	return twins
}

// text returns the text of a part of the original without the white space at its end.
func (d *draft) text(span markdown.Span) []byte {
	return bytes.TrimRight(d.before.Text(span), " \t\r\n")
}

// ambiguous is the error for parts between which a hash does not decide.
func (d *draft) ambiguous(nodes []address.Node) *Error {
	e := &Error{Code: address.AmbiguousHeading, Hint: TellApart, Message: fmt.Sprintf(
		"%d parts of the document have this very text, so a position and a hash don't tell which one was read", len(nodes))}
	for _, n := range nodes {
		e.addCandidate(d.before, n)
	}
	return e
}

// isHash reports whether expected is the hash, or enough of it.
func isHash(hash, expected string) bool {
	return len(expected) >= minHash && strings.HasPrefix(hash, strings.ToLower(expected))
}

// hash returns the hash of a node of the original.
func (d *draft) hash(n address.Node) string {
	return markdown.Hash(d.before.Text(n.Span(d.before)))
}

// proven returns the part of the original whose hash the expected one is, and whether there is one:
// what the operation touches, or what that stands in, which the operation can't be about wrongly
// if it is the only one of its text.
func (d *draft) proven(n address.Node, op *Op) (address.Node, bool) {
	is := func(n address.Node) bool { return isHash(d.hash(n), op.ExpectedHash) }
	switch n.Kind {
	case address.SectionNode:
		return n, is(n) || !op.touchesAll() && isHash(d.before.BodyHash(n.Section), op.ExpectedHash)
	case address.DocumentNode:
		return n, is(n) || isHash(d.before.Version(), op.ExpectedHash)
	case address.KeyNode:
		block := address.NodeOfBlock(d.before, n.Block)
		if is(block) {
			return block, true
		}
	case address.ColumnNode: // whose hash is that of its table
		n = address.NodeOfBlock(d.before, n.Block)
	case address.BlockNode: // of a cell, that of its row or its table
		b := n.Block
		for !is(address.NodeOfBlock(d.before, b)) && (d.before.Blocks[b].Kind == markdown.TableCell || d.before.Blocks[b].Kind == markdown.TableRow) {
			b = int(d.before.Blocks[b].Parent)
		}
		n = address.NodeOfBlock(d.before, b)
	}
	return n, is(n)
}

// sectionProves reports whether the hash is that of section i, with hashes that are kept: where one is
// stale, those of all sections are asked for.
func (d *draft) sectionProves(i int, op *Op) bool {
	if d.hashes == nil {
		d.hashes = make([][2]string, len(d.before.Sections))
		for i := range d.hashes {
			d.hashes[i] = [2]string{d.before.SectionHash(i), d.before.BodyHash(i)}
		}
	}
	h := &d.hashes[i]
	return isHash(h[0], op.ExpectedHash) || !op.touchesAll() && isHash(h[1], op.ExpectedHash)
}

// touchesAll reports whether the operation changes a section's subsections.
func (op *Op) touchesAll() bool {
	r := op.Action.rule()
	return r == nil || r.below && op.Scope != ScopeBody // nil: the text may be anywhere
}

// now returns the target in doc, which is the draft as it is now.
func (d *draft) now(doc *markdown.Document, t *target) (address.Node, *Error) {
	if t.mark < 0 {
		res, err := address.Resolve(doc, "@"+nameOf(t.res.Kind))
		if err != nil {
			return address.Node{}, asError(err)
		}
		return res.Node, nil
	}
	node, ok := nodeAt(doc, d.marks[t.mark].at, t.kind)
	if ok && t.res.Kind == address.ColumnNode {
		columns, head := parts.TableOf(d.before, t.res.Block, t.res.Column)
		now, headNow := parts.TableOf(doc, node.Block, t.res.Column)
		ok = columns == now && head == headNow
		node = address.NodeOfColumn(doc, node.Block, t.res.Column)
	}
	if !ok {
		return address.Node{}, changedBefore()
	}
	return node, nil
}

// sameExtent checks that the target reaches as far as it did, for an operation that
// uses its range: what operations before have made stand in it goes with it else, and
// nobody has asked for that.
func (d *draft) sameExtent(doc *markdown.Document, now address.Node, t *target) *Error {
	if len(d.pieces) < 2 && len(d.src) == len(d.before.Source) || d.holds(now.Span(doc), t.res.Span(d.before)) {
		return nil
	}
	return &Error{Code: Conflict, Message: "an operation before this one has changed how far this part goes; " +
		"make both in one, or put this one first"}
}

// holds reports whether a range of the draft holds of the original what is left of
// another range, and nothing else; blanks don't count. New text that stands in it was
// put in there, and in the place of nothing that stood elsewhere.
func (d *draft) holds(now, before markdown.Span) bool {
	blank := func(start, end int) bool { return start >= end || textlines.IsBlank(d.before.Source[start:end], "") }
	end := 0 // of the piece of the original before the current one
	for i, p := range d.pieces {
		in := markdown.Span{Start: max(p.at, now.Start), End: min(p.at+p.n, now.End)}
		if p.from < 0 {
			next := len(d.before.Source)
			if i+1 < len(d.pieces) {
				next = d.pieces[i+1].from
			}
			if in.Len() > 0 && (!blank(end, min(before.Start, next)) || !blank(max(before.End, end), next)) {
				return false
			}
			continue
		}
		end = p.from + p.n
		// What is inside of one range and outside of the other is blank.
		shift := p.from - p.at
		was := markdown.Span{Start: max(p.from, before.Start), End: min(end, before.End)}
		is := markdown.Span{Start: in.Start + shift, End: in.End + shift}
		if in.Len() <= 0 {
			is = markdown.Span{Start: was.Start, End: was.Start}
		}
		if was.Len() <= 0 {
			was = markdown.Span{Start: is.Start, End: is.Start}
		}
		if !blank(min(was.Start, is.Start), max(was.Start, is.Start)) || !blank(min(was.End, is.End), max(was.End, is.End)) {
			return false
		}
	}
	return true
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
	b := parts.BlockAt(doc, at, kind)
	if b < 0 {
		return address.Node{}, false
	}
	return address.NodeOfBlock(doc, b), true
}

// blockFrom returns the first block that begins at the offset or after it; the number of all
// blocks if there is none.
func blockFrom(doc *markdown.Document, at int) int {
	return sort.Search(len(doc.Blocks), func(i int) bool { return int(doc.Blocks[i].Start) >= at })
}
