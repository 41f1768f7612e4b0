package edit_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// What an action on the structure must come to is worked out on a tree of sections, each with
// its heading and its own text, which package edit doesn't know. The new document must be that
// tree, byte by byte but for the marks of headings and blank lines between sections.

// branch is a section in a tree; the root is the document with what stands before the first.
type branch struct {
	level      int
	title      string // the text of its heading, as it is written
	heading    string // all of the heading
	relevels   bool   // the heading gets another level
	underlined bool
	texts      []string // its own, without blank lines around
	blocks     []string // in it, each with its bytes and what it is
	kids       []*branch
	up         *branch
}

// isStructural reports whether the attempt is one action on the structure.
func (a *attempt) isStructural() bool {
	return len(a.ops) == 1 && slices.Contains(edit.Structural(), a.ops[0].Action)
}

// treeOf returns the tree of a document and its branches by section.
func treeOf(doc *markdown.Document) (root *branch, all []*branch) {
	root = &branch{}
	root.fill(doc, doc.Preamble())
	for i, s := range doc.Sections {
		h := &doc.Blocks[s.Heading]
		b := &branch{level: int(s.Level), title: string(doc.Text(doc.Content(int(s.Heading)))), heading: string(doc.Text(h.Span())), underlined: h.Setext(), up: root}
		if s.Parent >= 0 {
			b.up = all[s.Parent]
		}
		b.fill(doc, markdown.Span{Start: int(h.End), End: doc.BodySpan(i).End})
		b.up.kids = append(b.up.kids, b)
		all = append(all, b)
	}
	return root, all
}

// fill adds the text in a range, and the blocks.
func (b *branch) fill(doc *markdown.Document, span markdown.Span) {
	if text := strings.TrimRight(withoutFirstBlanks(string(doc.Text(span))), white); text != "" {
		b.texts = []string{text}
	}
	for i := range doc.Blocks {
		block := &doc.Blocks[i]
		if int(block.Start) < span.Start || int(block.Start) >= span.End {
			continue
		}
		tight := block.Kind == markdown.List && doc.Tight(i)
		b.blocks = append(b.blocks, fmt.Sprintf("%v %v %v %q %v %d %q", block.Kind, block.Level, block.Flags, block.Marker, tight, int(block.Next)-i, doc.Text(block.Span())))
	}
}

// relevel adds so many levels to the branch and those on it.
func (b *branch) relevel(by int) {
	b.level, b.relevels = b.level+by, b.relevels || by != 0
	for _, k := range b.kids {
		k.relevel(by)
	}
}

// take takes the branch off.
func (b *branch) take() {
	b.up.kids = slices.DeleteFunc(b.up.kids, func(k *branch) bool { return k == b })
}

// put puts the branch into another one as the kid with the number.
func (b *branch) put(into *branch, at int) {
	into.kids, b.up = slices.Insert(into.kids, at, b), into
}

// flat returns the branches on it in the order of a document.
func (b *branch) flat() []*branch {
	var all []*branch
	for _, k := range b.kids {
		all = append(append(all, k), k.flat()...)
	}
	return all
}

// meant changes the tree as the operation should, and returns the branch that may come to
// stand anywhere, if there is one.
func meant(root *branch, all []*branch, doc *markdown.Document, o *edit.Op, n address.Node) (*branch, error) {
	b := root
	if n.Kind == address.SectionNode {
		b = all[n.Section]
	}
	switch o.Action {
	case edit.Promote:
		b.relevel(-1)
		return b, nil
	case edit.Demote:
		b.relevel(1)
		return b, nil
	case edit.Dissolve:
		at := slices.Index(b.up.kids, b)
		b.take()
		b.up.texts, b.up.blocks = append(b.up.texts, b.texts...), append(b.up.blocks, b.blocks...)
		if len(b.texts) > 0 && at > 0 {
			return nil, fmt.Errorf("text of a section that others stand before")
		}
		for i, k := range b.kids {
			k.relevel(b.level - k.level)
			k.put(b.up, at+i)
		}
	case edit.Reorder:
		slices.SortStableFunc(b.kids, func(x, y *branch) int {
			if o.Order == nil {
				return strings.Compare(strings.ToLower(titleOf(doc, all, x)), strings.ToLower(titleOf(doc, all, y)))
			}
			return slices.Index(o.Order, titleOf(doc, all, x)) - slices.Index(o.Order, titleOf(doc, all, y))
		})
	case edit.Move:
		r, err := address.Resolve(doc, o.To)
		if err != nil {
			return nil, err
		}
		return nil, b.moveTo(all[r.Section], o)
	}
	return nil, nil
}

// titleOf returns the title of the section that a branch stands for.
func titleOf(doc *markdown.Document, all []*branch, b *branch) string {
	return doc.SectionTitle(slices.Index(all, b))
}

// moveTo moves the branch beside another one or into it.
func (b *branch) moveTo(to *branch, o *edit.Op) error {
	level := to.level
	switch {
	case o.Where != edit.First && o.Where != edit.Last:
	case len(to.kids) == 0:
		level++
	case o.Where == edit.First:
		level = to.kids[0].level
	default:
		level = to.kids[len(to.kids)-1].level
	}
	for up := to; up != nil; up = up.up {
		if up == b {
			return fmt.Errorf("a section is moved into itself")
		}
	}
	b.take()
	switch at := slices.Index(to.up.kids, to); o.Where {
	case edit.Before:
		b.put(to.up, at)
	case edit.After:
		b.put(to.up, at+1)
	case edit.First:
		b.put(to, 0)
	default:
		b.put(to, len(to.kids))
	}
	if !o.KeepLevels {
		b.relevel(level - b.level)
	}
	return nil
}

// structure: the new document is the tree that was meant.
func (j *judgement) structure() error {
	root, all := treeOf(j.doc)
	free, err := meant(root, all, j.doc, &j.ops[0].Op, j.res.Changes[0].Target.Node)
	if err != nil {
		return fmt.Errorf("structure: %w", err)
	}
	newRoot, now := treeOf(j.new)
	want := root.flat()
	if len(want) != len(now) {
		return fmt.Errorf("structure: %d sections, want %d", len(now), len(want))
	}
	became := map[*branch]*branch{root: newRoot}
	for i, b := range want {
		became[b] = now[i]
	}
	for old, is := range became {
		if err := old.compare(is); err != nil {
			return fmt.Errorf("structure: %q: %w", old.heading, err)
		}
		if old != root && old != free && became[old.up] != is.up {
			return fmt.Errorf("structure: the parent of %q is %q, not %q", old.heading, is.up.heading, old.up.heading)
		}
	}
	return j.blanks()
}

// compare compares a branch with what has become of it.
func (b *branch) compare(is *branch) error {
	switch {
	case is.level != b.level || is.title != b.title:
		return fmt.Errorf("%q of level %d, want %q of %d", is.title, is.level, b.title, b.level)
	case !b.relevels && is.heading != b.heading:
		return fmt.Errorf("is written %q", is.heading)
	case !b.underlined && strings.ReplaceAll(is.heading, "#", "") != strings.ReplaceAll(b.heading, "#", ""):
		return fmt.Errorf("is written %q", is.heading)
	case !slices.Equal(is.blocks, b.blocks):
		return fmt.Errorf("has the blocks %q, want %q", is.blocks, b.blocks)
	}
	text := strings.Join(is.texts, "")
	for _, want := range b.texts {
		rest, ok := strings.CutPrefix(withoutFirstBlanks(text), want)
		if !ok {
			return fmt.Errorf("has the text %q, want %q", text, want)
		}
		text = rest
	}
	if strings.Trim(text, white) != "" {
		return fmt.Errorf("has %q too", text)
	}
	return nil
}

// withoutFirstBlanks returns the text without the blank lines that it begins with.
func withoutFirstBlanks(text string) string {
	for {
		i := strings.IndexAny(text, "\r\n")
		if i < 0 || strings.Trim(text[:i], " \t") != "" {
			return text
		}
		text = text[i+1:]
	}
}

// blanks: no blank line comes or goes but one between sections that had none, and one of the
// gaps around a heading that goes.
func (j *judgement) blanks() error {
	count := func(doc *markdown.Document) (n, tight int) {
		for l := 1; l <= doc.LineCount; l++ {
			if isBlank(doc.Text(doc.LineSpan(markdown.Lines{First: l, Last: l}))) {
				n++
			}
		}
		for i := range doc.Sections {
			if n, edge := blankLines(doc, doc.SectionLines(i).First, -1); n == 0 && !edge {
				tight++
			}
		}
		return n, tight
	}
	was, flush := count(j.doc)
	is, _ := count(j.new)
	switch grown := is - was; {
	case j.ops[0].Action == edit.Dissolve && grown <= 1:
	case grown < 0 || grown > flush || grown > 0 && j.ops[0].Action != edit.Move && j.ops[0].Action != edit.Reorder:
		return fmt.Errorf("blanks: %d blank lines, there were %d", is, was)
	}
	return nil
}

// moved: what is told as moved has the bytes that it had and is part of what was put in, and
// all text but that of headings stays where it is or is told as moved.
func (j *judgement) moved() error {
	old, now := j.doc.Source, j.new.Source
	told := make([]bool, len(old))
	at := 0
	for _, m := range j.res.Moved {
		if m.After.Start < at || m.Before.Len() != m.After.Len() || !bytes.Equal(old[m.Before.Start:m.Before.End], now[m.After.Start:m.After.End]) {
			return fmt.Errorf("moved: %+v has other bytes, or is behind %d", m, at)
		}
		at = m.After.End
		for i := m.Before.Start; i < m.Before.End; i++ {
			told[i] = true
		}
		inside := false
		for i, s := range j.res.Splices {
			start := s.Start + j.deltas[i]
			inside = inside || m.After.Start >= start && m.After.End <= start+len(s.Text)
		}
		if !inside {
			return fmt.Errorf("moved: %+v is in no splice", m)
		}
	}
	for i := range j.doc.Sections {
		h := &j.doc.Blocks[j.doc.Sections[i].Heading]
		for k := h.Start; k < h.End; k++ {
			told[k] = true
		}
	}
	for _, s := range j.res.Splices {
		for i := s.Start; i < s.End; i++ {
			if !told[i] && !strings.ContainsRune(white, rune(old[i])) {
				return fmt.Errorf("moved: %q at %d is gone", old[i], i)
			}
		}
	}
	return nil
}

// structural makes an action on the structure, now and then with another operation.
func (r source) structural(doc *markdown.Document) *attempt {
	a := &attempt{doc: doc, ops: []made{r.structuralOp(doc)}, options: edit.Options{Pinned: r.chance(70)}}
	if r.chance(5) {
		a.ops = append(a.ops, r.op(doc))
	}
	return a
}

// structuralOp makes an action on the structure.
func (r source) structuralOp(doc *markdown.Document) (made made) {
	m := &made
	m.Action, m.node = one(r, edit.Structural()), documentNode
	if len(doc.Sections) > 0 && !r.chance(5) {
		m.node = address.NodeOfSection(r.IntN(len(doc.Sections)))
	}
	if m.Action == edit.Reorder {
		if r.chance(30) {
			m.node = documentNode
		}
		r.order(doc, m)
	}
	m.Address, m.sure = r.address(doc, m.node)
	if m.Action == edit.Move && len(doc.Sections) > 0 {
		m.To, _ = r.address(doc, address.NodeOfSection(r.IntN(len(doc.Sections))))
		m.Where = one(r, edit.MovePlaces())
		m.KeepLevels = r.chance(20)
	}
	if r.chance(30) {
		m.ExpectedHash = r.hash(doc, m.node, &m.Op)
	}
	return made
}

// order makes the titles of the node's children, in some order, if they can be told apart.
func (r source) order(doc *markdown.Document, m *made) {
	root, all := treeOf(doc)
	b := root
	if m.node.Kind == address.SectionNode {
		b = all[m.node.Section]
	}
	var titles []string
	for _, k := range b.kids {
		titles = append(titles, titleOf(doc, all, k))
	}
	r.Shuffle(len(titles), func(i, k int) { titles[i], titles[k] = titles[k], titles[i] })
	sorted := slices.Sorted(slices.Values(titles))
	if len(slices.Compact(sorted)) == len(titles) && r.chance(70) {
		m.Order = titles
	}
}
