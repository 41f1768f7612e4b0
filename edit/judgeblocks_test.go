package edit_test

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// blocks: each block that no splice touches is there with its bytes, its kind and
// level, all that is in it, in the container and the section in which it was. What
// was touched may have become another block, but no two of them the same one.
func (j *judgement) blocks() error {
	if j.restructured() {
		return nil
	}
	w := &blockWalk{
		judgement: j, grows: j.grows(), sections: images{to: map[int]int{-1: -1}, from: map[int]int{-1: -1}},
		containers: images{to: map[int]int{-1: -1}, from: map[int]int{-1: -1}}, divided: map[int]int{},
	}
	inserts := len(j.ops) == 1 && slices.Contains([]edit.Action{edit.InsertBefore, edit.InsertAfter, edit.Append, edit.Prepend}, j.ops[0].Action)
	for b := 0; b < len(j.doc.Blocks); {
		block := &j.doc.Blocks[b]
		if block.Start == block.End { // an empty cell is nowhere in particular
			b++
			continue
		}
		touched := j.touched(int(block.Start), int(block.End))
		if touched && inserts && !w.grows[b] {
			return fmt.Errorf("blocks: text is put into %v at line %d", block.Kind, block.StartLine)
		}
		if touched || w.grows[b] {
			b++
			continue
		}
		if err := w.untouched(b); err != nil {
			return fmt.Errorf("blocks: %v at line %d, %.40q: %w", block.Kind, block.StartLine, j.doc.Text(block.Span()), err)
		}
		b = int(block.Next)
	}
	return nil
}

// images maps indexes of the old document to those of the new one, and back.
type images struct{ to, from map[int]int }

// set notes that a has become b, and reports whether that agrees with what is known.
func (m images) set(a, b int) bool {
	if to, ok := m.to[a]; ok {
		return to == b
	}
	if _, ok := m.from[b]; ok {
		return false
	}
	m.to[a], m.from[b] = b, a
	return true
}

// blockWalk compares the blocks of the old document with those of the new one.
type blockWalk struct {
	*judgement
	grows                map[int]bool
	sections, containers images
	divided              map[int]int // new sections that divide old ones
}

// undivided returns the section that a new section divides: the first one above it whose
// heading isn't one with '#' of the text that was put in.
func (w *blockWalk) undivided(s int) int {
	for s >= 0 {
		h := &w.new.Blocks[w.new.Sections[s].Heading]
		line := w.new.Source[h.Start:h.End]
		written := slices.ContainsFunc(w.res.Splices, func(p edit.Splice) bool {
			from := p.Start
			for _, before := range w.res.Splices {
				if before.End <= p.Start && before.Start < p.Start {
					from += len(before.Text) - before.Len()
				}
			}
			return from <= int(h.Start) && int(h.End) <= from+len(p.Text)
		})
		if !written || line[0] != '#' || w.isLoose() && !w.isReplaced(h) {
			return s
		}
		s = int(w.new.Sections[s].Parent)
	}
	return s
}

// isLoose reports whether an operation may change blocks: each is judged by itself then, and a
// heading that one puts in doesn't keep another one from dividing a section.
func (j *judgement) isLoose() bool {
	return slices.ContainsFunc(j.ops, func(o made) bool { return o.AllowRestructure })
}

// isReplaced reports whether a heading of the new document is in a text that stands in the place
// of another one.
func (j *judgement) isReplaced(h *markdown.Block) bool {
	for i := range j.ops {
		lines := j.res.Changes[i].Lines
		if j.ops[i].Action == edit.ReplaceText && lines.First <= int(h.StartLine) && int(h.EndLine) <= lines.Last &&
			strings.Contains(unified(j.ops[i].Text), string(j.new.Text(h.Span()))) {
			return true
		}
	}
	return false
}

// divides reports whether new section now is written within what old section was is now,
// and nothing of another section stands in it.
func (w *blockWalk) divides(was, now int) bool {
	for i := range w.ops {
		o := &w.ops[i]
		text, err := w.textOf(o)
		if o.Action != edit.ReplaceText && (err != nil || len(text.Sections) > 0) && !w.isLoose() {
			return false
		}
	}
	if of, ok := w.divided[now]; ok {
		return of == was
	}
	if _, ok := w.sections.from[now]; ok {
		return false
	}
	above := w.undivided(now)
	if to, ok := w.sections.to[was]; above == now || !ok || to != above {
		return false
	}
	w.divided[now] = was
	return true
}

// find returns the block of the new document that old block b is now, or -1.
func (j *judgement) find(b int) int {
	block := &j.doc.Blocks[b]
	start := uint32(j.image(int(block.Start)))
	i := sort.Search(len(j.new.Blocks), func(i int) bool { return j.new.Blocks[i].Start >= start })
	for ; i < len(j.new.Blocks) && j.new.Blocks[i].Start == start; i++ {
		if n := &j.new.Blocks[i]; n.Kind == block.Kind && n.End-n.Start == block.End-block.Start {
			return i
		}
	}
	return -1
}

// untouched compares block b, and all that is in it, with what it is now.
func (w *blockWalk) untouched(b int) error {
	block := &w.doc.Blocks[b]
	n := w.find(b)
	if n < 0 {
		return fmt.Errorf("is gone or has other bytes")
	}
	delta := w.new.Blocks[n].Start - block.Start
	for k := range int(block.Next) - b {
		if n+k >= len(w.new.Blocks) {
			return fmt.Errorf("has less in it")
		}
		old, now := w.doc.Blocks[b+k], w.new.Blocks[n+k]
		if old.Kind != now.Kind || old.Level != now.Level || old.Flags != now.Flags || old.Marker != now.Marker ||
			old.Start+delta != now.Start || old.End+delta != now.End || int(old.Next)-b != int(now.Next)-n || k > 0 && int(old.Parent)-b != int(now.Parent)-n {
			return fmt.Errorf("was %+v and is %+v", old, now)
		}
		if old.Kind == markdown.List && w.doc.Tight(b+k) != w.new.Tight(n+k) {
			return fmt.Errorf("tight was %v", w.doc.Tight(b+k))
		}
		if old.Kind == markdown.Heading && !bytes.Equal(w.doc.Text(w.doc.Content(b+k)), w.new.Text(w.new.Content(n+k))) {
			return fmt.Errorf("has another text")
		}
	}
	if err := w.container(int(block.Parent), int(w.new.Blocks[n].Parent)); err != nil {
		return err
	}
	top := b
	for w.doc.Blocks[top].Parent >= 0 {
		top = int(w.doc.Blocks[top].Parent)
	}
	newTop := n
	for w.new.Blocks[newTop].Parent >= 0 {
		newTop = int(w.new.Blocks[newTop].Parent)
	}
	if block.Kind == markdown.Heading && block.Parent < 0 {
		// Its own section is where its heading is.
		if !w.sections.set(sectionOf(w.doc, b), sectionOf(w.new, n)) {
			return fmt.Errorf("its section stands for another one")
		}
	}
	was, now := homeOf(w.doc, top), homeOf(w.new, newTop)
	// What is in a block that another operation of the batch touches goes along with it.
	if (b == top && block.Kind != markdown.Heading || b != top && len(w.ops) > 1 && w.isLoose()) && w.divides(was, now) {
		return nil
	}
	if _, divides := w.divided[now]; divides || !w.sections.set(was, now) {
		return fmt.Errorf("stood in section %s and stands in %s", sectionName(w.doc, homeOf(w.doc, top)), sectionName(w.new, homeOf(w.new, newTop)))
	}
	return nil
}

// container compares the containers in which a block stood and stands.
func (w *blockWalk) container(old, now int) error {
	for old >= 0 && now >= 0 {
		if w.doc.Blocks[old].Kind != w.new.Blocks[now].Kind {
			return fmt.Errorf("stood in a %v and stands in a %v", w.doc.Blocks[old].Kind, w.new.Blocks[now].Kind)
		}
		if !w.containers.set(old, now) {
			return fmt.Errorf("stands in another %v", w.doc.Blocks[old].Kind)
		}
		old, now = int(w.doc.Blocks[old].Parent), int(w.new.Blocks[now].Parent)
	}
	if old != now {
		return fmt.Errorf("stands at another depth")
	}
	return nil
}

// sectionOf returns the section of a block at the top level: its own, if it is a
// heading.
func sectionOf(doc *markdown.Document, b int) int {
	return sort.Search(len(doc.Sections), func(i int) bool { return int(doc.Sections[i].Heading) > b }) - 1
}

// homeOf returns the section in which a block at the top level stands: that above,
// if it is a heading.
func homeOf(doc *markdown.Document, b int) int {
	s := sectionOf(doc, b)
	if s >= 0 && int(doc.Sections[s].Heading) == b {
		return int(doc.Sections[s].Parent)
	}
	return s
}

func sectionName(doc *markdown.Document, s int) string {
	if s < 0 {
		return "none"
	}
	return fmt.Sprintf("%q at line %d", doc.SectionTitle(s), doc.SectionLines(s).First)
}

// grows returns the blocks that operations may make longer at their ends: lists to
// which a list is appended, tables to which rows are, what a nested block stands in.
func (j *judgement) grows() map[int]bool {
	all := map[int]bool{}
	for i := range j.ops {
		t := j.res.Changes[i].Target
		if t == nil {
			continue
		}
		o := &j.ops[i]
		switch {
		case t.Kind == address.KeyNode:
			all[t.Block] = true
		case t.Kind == address.ColumnNode:
			for row := range j.doc.Children(t.Block) {
				all[row] = true
			}
			for b := t.Block; b >= 0; b = int(j.doc.Blocks[b].Parent) {
				all[b] = true
			}
		case t.Kind == address.BlockNode:
			for b := int(j.doc.Blocks[t.Block].Parent); b >= 0; b = int(j.doc.Blocks[b].Parent) {
				all[b] = true
			}
			if o.Action == edit.Replace || o.Action == edit.Remove || o.Action == edit.Append || j.goesOn(o, t.Block) {
				all[t.Block] = true
			}
		case o.Action == edit.Rename && t.Kind == address.SectionNode:
			all[int(j.doc.Sections[t.Section].Heading)] = true
		case o.Action == edit.Append || o.Action == edit.Prepend:
			if b := j.joinable(o, t.Node); b >= 0 {
				all[b] = true
			}
			if len(j.ops) > 1 {
				j.growsInBatch(o, all)
			}
		}
	}
	return all
}

// textOf parses the text of an operation as the document was.
func (a *attempt) textOf(o *made) (*markdown.Document, error) {
	return (&markdown.Parser{Options: a.doc.Options()}).Parse([]byte(o.Text))
}

// goesOn reports whether the text begins with items of the list that block b is.
func (j *judgement) goesOn(o *made, b int) bool {
	text, err := j.textOf(o)
	return err == nil && len(text.Blocks) > 0 && text.Blocks[0].Kind == markdown.List && j.doc.Blocks[b].Kind == markdown.List && text.Blocks[0].Marker == j.doc.Blocks[b].Marker
}

// growsInBatch adds the lists that a list may go on with because an operation before
// has taken out what stood between: those next to a splice, of the same type.
func (j *judgement) growsInBatch(o *made, all map[int]bool) {
	text, err := j.textOf(o)
	if err != nil {
		return
	}
	for _, there := range text.Children(-1) {
		for b, here := range j.doc.Children(-1) {
			if here.Kind != markdown.List || there.Kind != markdown.List || here.Marker != there.Marker {
				continue
			}
			for _, s := range j.res.Splices {
				behind, before := s.Start >= int(here.End) && isBlank(j.doc.Source[here.End:s.Start]), s.End <= int(here.Start) && isBlank(j.doc.Source[s.End:here.Start])
				if behind || before {
					all[b] = true
				}
			}
		}
	}
}

// joinable returns the list or table at the end or the start of the node's own text which
// the operation's text, a list of the same type there, goes on with; or -1.
func (j *judgement) joinable(o *made, n address.Node) int {
	span := n.Span(j.doc)
	if n.Kind == address.SectionNode {
		span = j.doc.BodySpan(n.Section)
	}
	opts := j.doc.Options()
	opts.NoFrontMatter = true
	text, err := (&markdown.Parser{Options: opts}).Parse([]byte(o.Text))
	if err != nil {
		return -1
	}
	var inside []int
	for b, block := range j.doc.Children(-1) {
		if int(block.Start) >= span.Start && int(block.End) <= span.End && block.Kind != markdown.FrontMatter && (block.Kind != markdown.Heading || n.Kind != address.SectionNode) {
			inside = append(inside, b)
		}
	}
	var tops []int
	for b := range text.Children(-1) {
		tops = append(tops, b)
	}
	if len(inside) == 0 || len(tops) == 0 {
		return -1
	}
	here, there := inside[len(inside)-1], tops[0]
	if o.Action == edit.Prepend {
		here, there = inside[0], tops[len(tops)-1]
	}
	a, b := &j.doc.Blocks[here], &text.Blocks[there]
	if a.Kind == markdown.List && b.Kind == markdown.List && a.Marker == b.Marker {
		return here
	}
	if a.Kind == markdown.Table && o.Action == edit.Append && len(text.Blocks) == 1 && b.Kind == markdown.Paragraph && strings.HasPrefix(strings.TrimLeft(o.Text, "\uFEFF\r\n"), "|") {
		return here // rows go on with their table
	}
	return -1
}

// outlineOf returns level and text of each section's heading.
func outlineOf(doc *markdown.Document) []outlineEntry {
	all := make([]outlineEntry, len(doc.Sections))
	for i, s := range doc.Sections {
		all[i] = outlineEntry{int(s.Level), contentText(doc, int(s.Heading))}
	}
	return all
}

// contentText returns the text of a heading without white space at the ends of its
// lines.
func contentText(doc *markdown.Document, b int) string {
	var text []byte
	for l := range doc.ContentLines(b) {
		text = append(append(text, doc.Text(l.Span)...), '\n')
	}
	return squeeze(string(text))
}

type outlineEntry struct {
	level int
	text  string
}

// sameEnds reports whether the first n entries and the last m are the same.
func sameEnds(a, b []outlineEntry, n, m int) bool {
	return len(a) >= n+m && len(b) >= n+m && slices.Equal(a[:n], b[:n]) && slices.Equal(a[len(a)-m:], b[len(b)-m:])
}
