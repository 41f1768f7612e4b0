package crossing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// Result is what a move to another document makes of both.
type Result struct {
	From, To *edit.Result
	Section  int // the section's number in To
	// Blocks says which block of From or To each block of the old document is: of To in the
	// section, of From around it. InTo says so of each block of the document that it moved to.
	Blocks, InTo []int32
	// Copies are definitions that stand in a second place now, and each block in them; with
	// Options.Leave also the heading that stays.
	Copies []Copy
	// Start and End are the old blocks that have moved: from Start up to End.
	Start, End int
}

// Copy is a block of a definition that is copied to the other document, or of what has moved
// and is also left in the old document: its block there before, and the copy's.
type Copy struct {
	Old, New int
	InTo     bool
}

// Move moves a section with its subsections from one document to another, both of which
// stay as they are. Of the operation, which is a Move, To names a section of the other
// document, and Where the place as seen from it; without To it is the end of that document,
// below its title if it has one.
// Definitions of links and footnotes that the section uses are copied to its end, with another
// label where it is taken; those that only stand in it and are used elsewhere, and those that these
// use, are left at the end of the old document. Destinations of links are up to package links. Options.Pinned is
// about the first document, toPinned about the second one. The error is an Errors, in an
// InOther if it is about the second document.
func Move(ctx context.Context, from, to *markdown.Document, op *edit.Op, o Options) (*Result, error) {
	c := &crossing{from: from, to: to, op: op, options: o, labels: map[string]bool{}, hashes: map[*markdown.Document]map[int]hash{}}
	for _, doc := range []*markdown.Document{from, to} {
		for b := range doc.Blocks {
			if label := labelOf(doc, b); label != "" {
				c.labels[label] = true
			}
		}
	}
	res, err := address.Resolver{Doc: from, Write: true}.Nth(op.Address, op.Occurrence)
	if err != nil {
		return nil, failed(op.Address, err)
	}
	if res.Kind != address.SectionNode {
		return nil, failed(op.Address, &edit.Error{Code: edit.InvalidArgument, Message: fmt.Sprintf("%s is for sections; name one by its heading", edit.Move)})
	}
	c.section = res.Section
	if err := c.aim(); err != nil {
		return nil, failed(op.Address, err)
	}
	if err := c.gather(); err != nil {
		return nil, failed(op.Address, err)
	}
	return c.move(ctx)
}

// Options are those of package edit for the document that the section leaves, and more.
type Options struct {
	edit.Options

	// ToPinned is Pinned for the other document.
	ToPinned bool
	// Same reports whether a destination leads to the same thing from both documents; nil if
	// none does.
	Same func(destination string) bool
	// Leave returns the text that is left below the section's heading, which stays too, for
	// where the section stands now; nil if nothing is left.
	Leave func(to *markdown.Document, section int) string
}

// InOther is an error about the document that a section is to move to.
type InOther struct{ error }

// Unwrap returns what is wrong with it.
func (e InOther) Unwrap() error { return e.error }

// failed returns an error about an address as those of package edit are.
func failed(about string, err error) error {
	if other, ok := errors.AsType[InOther](err); ok {
		return InOther{failed(about, other.error)}
	}
	e, ours := errors.AsType[*edit.Error](err)
	if other, ok := errors.AsType[*address.Error](err); ok && !ours {
		e = &edit.Error{Code: other.Code, Message: other.Message, Candidates: other.Candidates, Total: other.Total, Err: err}
	}
	if e == nil {
		return err
	}
	e.Address = cmp.Or(e.Address, about)
	return edit.Errors{e}
}

// crossing is a move to another document in work.
type crossing struct {
	from, to *markdown.Document
	op       *edit.Op
	options  Options
	section  int
	put      edit.Op         // into the other document, without its text
	edits    []edit.Splice   // of the old source, in what moves
	extra    []int           // definitions of the old document that are copied
	left     []int           // those that stay
	renamed  []int           // those that move with the section and get another label
	labels   map[string]bool // of either document
	links    []markdown.Link // of the old document
	moving   []bool          // which blocks of the old document move or are copied
	names    map[int]string  // the labels of copied definitions in the other document
	hashes   map[*markdown.Document]map[int]hash
}

// aim says where the section is put in, and gives its headings the levels of that place.
func (c *crossing) aim() error {
	level := c.endLevel()
	c.put = edit.Op{Action: edit.Append, Address: "@document"}
	if c.op.To != "" {
		there, err := address.Resolver{Doc: c.to, Write: true}.Nth(c.op.To, 0)
		switch {
		case err != nil:
			return InOther{failed(c.op.To, err)}
		case there.Kind != address.SectionNode:
			return InOther{&edit.Error{Code: edit.InvalidArgument, Address: c.op.To, Message: "a section moves to another section; name one by its heading"}}
		case there.ByPosition && !c.options.ToPinned:
			return InOther{&edit.Error{Code: edit.HashRequired, Address: c.op.To, Message: fmt.Sprintf("%q counts, and what it counts may have changed; name the heading or its path", c.op.To)}}
		}
		level = c.beside(there.Section)
	}
	if c.op.KeepLevels {
		return nil
	}
	edits, err := edit.Relevel(c.from, c.section, int(level)-int(c.from.Sections[c.section].Level))
	c.edits = edits
	return err
}

// endLevel returns the level of the section at the end of the other document: that of its first
// section, but below it if all of that document stands below this one, its title, and the
// section was no title itself.
func (c *crossing) endLevel() uint8 {
	if len(c.to.Sections) == 0 {
		return 1
	}
	title := c.to.Sections[0]
	if int(title.Next) < len(c.to.Sections) || c.from.Sections[c.section].Level <= title.Level {
		return title.Level
	}
	return c.lastLevel(0)
}

// lastLevel returns the level of the last subsection of section i of the other document, or the
// next one if there is none.
func (c *crossing) lastLevel(i int) uint8 {
	there := c.to.Sections[i]
	level := there.Level + 1
	for k := i + 1; k < int(there.Next); k = int(c.to.Sections[k].Next) {
		level = c.to.Sections[k].Level
	}
	return level
}

// beside says that the section is put beside section i or into it, and returns its level there.
func (c *crossing) beside(i int) uint8 {
	there, children := c.to.Sections[i], int(c.to.Sections[i].Next) > i+1
	c.put = edit.Op{Action: edit.InsertAfter, Address: address.SelectorOf(c.to, address.NodeOfSection(i))}
	switch into := c.op.Where == edit.First || c.op.Where == edit.Last; {
	case c.op.Where == edit.Before:
		c.put.Action = edit.InsertBefore
	case c.op.Where == edit.First && children:
		c.put.Action, c.put.Address = edit.InsertBefore, address.SelectorOf(c.to, address.NodeOfSection(i+1))
		return c.to.Sections[i+1].Level
	case into:
		return c.lastLevel(i)
	}
	return there.Level
}

// gather finds the definitions that the section uses and that others use of it, each once, in
// time that grows with the number of links.
func (c *crossing) gather() error {
	start, end := c.span()
	c.links = c.from.Links()
	links := c.links
	c.names, c.moving = map[int]string{}, make([]bool, len(c.from.Blocks)) // which blocks move or are copied
	taken := map[string]int{}
	for b := range c.to.Blocks {
		if label := labelOf(c.to, b); label != "" {
			if _, again := taken[label]; !again {
				taken[label] = b
			}
		}
	}
	known := map[int]bool{}
	// The links of what moves come first, then those of the definitions that are copied.
	for next := []markdown.Span{{Start: start, End: end}}; len(next) > 0; next = next[1:] {
		for b := next[0].Start; b < next[0].End; b++ {
			c.moving[b] = true
		}
		for _, l := range links[linkOf(links, next[0].Start):linkOf(links, next[0].End)] {
			d := l.Definition
			if d < 0 || d == l.Block || known[d] {
				continue
			}
			known[d] = true
			if d >= start && d < end {
				c.rename(d, taken)
				continue
			}
			copies, err := c.take(d, taken)
			if err != nil {
				return err
			}
			if copies {
				next = append(next, markdown.Span{Start: d, End: int(c.from.Blocks[d].Next)})
			}
		}
	}
	c.relabelAll(links)
	c.leave(start, end)
	return nil
}

// linkOf returns the index of the first link of a block, or of one behind it.
func linkOf(links []markdown.Link, block int) int {
	return sort.Search(len(links), func(i int) bool { return links[i].Block >= block })
}

// take reports whether a definition that the section uses is copied: it isn't if the other
// document has the same one.
func (c *crossing) take(d int, taken map[string]int) (copies bool, err error) {
	other, there := taken[labelOf(c.from, d)]
	if there && c.hash(c.from, d) == c.hash(c.to, other) && c.isSame(d) {
		return false, nil
	}
	if c.from.Blocks[d].Parent >= 0 {
		return false, &edit.Error{Code: edit.StructureChanged, Message: fmt.Sprintf(
			"the definition of %q stands in another block, which doesn't move; put it on a line of its own first", c.from.Label(d))}
	}
	if c.names[d] = string(c.from.Label(d)); there {
		c.names[d] = c.freeLabel(c.names[d])
	}
	c.extra = append(c.extra, d)
	return true, nil
}

// rename gives a definition that moves with the section a label of its own, if the other document
// has another definition by that.
func (c *crossing) rename(d int, taken map[string]int) {
	other, there := taken[labelOf(c.from, d)]
	if there && (c.hash(c.from, d) != c.hash(c.to, other) || !c.isSame(d)) {
		c.names[d] = c.freeLabel(string(c.from.Label(d)))
		c.renamed = append(c.renamed, d)
	}
}

// isSame reports whether a definition means the same in both documents: what is relative to
// its own doesn't, though the other document may have the same text.
func (c *crossing) isSame(d int) bool {
	for _, l := range c.links[linkOf(c.links, d):linkOf(c.links, int(c.from.Blocks[d].Next))] {
		if l.Block == d && l.Definition == d && l.Destination.Len() == 0 {
			continue // a note is no link itself
		}
		if c.options.Same == nil || !c.options.Same(string(c.from.AppendLinkText(nil, &l, l.Destination))) {
			return false
		}
	}
	return true
}

// relabelAll gives references and copied definitions the labels that they have in the other
// document.
func (c *crossing) relabelAll(links []markdown.Link) {
	for i := range links {
		l := &links[i]
		if l.Definition < 0 || l.Definition == l.Block || !c.moving[l.Block] {
			continue
		}
		if name := c.names[l.Definition]; name != "" && name != string(c.from.Label(l.Definition)) {
			c.edits = append(c.edits, relabel(l, name))
		}
	}
	for _, d := range slices.Concat(c.extra, c.renamed) {
		if c.names[d] != string(c.from.Label(d)) {
			c.edits = append(c.edits, edit.Splice{Span: c.from.Definition(d).Label, Text: []byte(c.names[d])})
		}
	}
	slices.SortStableFunc(c.edits, func(a, b edit.Splice) int { return a.Start - b.Start })
	slices.Sort(c.extra)
}

// leave finds the definitions of the section that what stays uses, and those that these use.
func (c *crossing) leave(start, end int) {
	left, stays := map[int]bool{}, start
	if c.options.Leave != nil {
		stays++ // the heading, too
	}
	for next := []markdown.Span{{End: stays}, {Start: end, End: len(c.from.Blocks)}}; len(next) > 0; next = next[1:] {
		for _, l := range c.links[linkOf(c.links, next[0].Start):linkOf(c.links, next[0].End)] {
			d := l.Definition
			if d < start || d >= end || d == l.Block || left[d] {
				continue
			}
			left[d], c.left = true, append(c.left, d)
			next = append(next, markdown.Span{Start: d, End: int(c.from.Blocks[d].Next)})
		}
	}
	slices.Sort(c.left)
	end = 0
	c.left = slices.DeleteFunc(c.left, func(d int) bool { // what stands in one that is left is left with it
		inside := d < end
		end = max(end, int(c.from.Blocks[d].Next))
		return inside
	})
}

// span returns the blocks of the section.
func (c *crossing) span() (start, end int) {
	s := c.from.Sections[c.section]
	start, end = int(s.Heading), len(c.from.Blocks)
	if int(s.Next) < len(c.from.Sections) {
		end = int(c.from.Sections[s.Next].Heading)
	}
	return start, end
}

// freeLabel returns a label that neither document has.
func (c *crossing) freeLabel(label string) string {
	for n := 2; ; n++ {
		if free := fmt.Sprintf("%s-%d", label, n); !c.labels["link "+folded(free)] && !c.labels["note "+folded(free)] {
			c.labels["link "+folded(free)], c.labels["note "+folded(free)] = true, true
			return free
		}
	}
}

// relabel returns the splice that gives a reference another label.
func relabel(l *markdown.Link, label string) edit.Splice {
	switch l.Kind {
	case markdown.LinkCollapsed:
		return edit.Splice{Span: markdown.Span{Start: l.Whole.End - 1, End: l.Whole.End - 1}, Text: []byte(label)}
	case markdown.LinkShortcut:
		return edit.Splice{Span: markdown.Span{Start: l.Whole.End, End: l.Whole.End}, Text: []byte("[" + label + "]")}
	}
	return edit.Splice{Span: l.Label, Text: []byte(label)}
}

// labelOf returns what a definition is found by, "" for a block that is none.
func labelOf(doc *markdown.Document, b int) string {
	switch doc.Blocks[b].Kind {
	case markdown.LinkDefinition:
		return "link " + folded(string(doc.Label(b)))
	case markdown.FootnoteDefinition:
		return "note " + folded(string(doc.Label(b)))
	}
	return ""
}

// folded returns a label without the case and white space that don't matter.
func folded(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

// text returns a range of the old source with the edits in it.
func (c *crossing) text(s markdown.Span) string {
	var b strings.Builder
	at := s.Start
	first := sort.Search(len(c.edits), func(i int) bool { return c.edits[i].Start >= s.Start })
	for _, e := range c.edits[first:] {
		if e.End > s.End {
			break
		}
		b.Write(c.from.Source[at:e.Start])
		b.Write(e.Text)
		at = e.End
	}
	b.Write(c.from.Source[at:s.End])
	return strings.Trim(b.String(), "\r\n")
}

// definitions joins blocks of the old document: those of links line by line, as they are mostly
// written, others apart.
func (c *crossing) definitions(blocks []int, text func(markdown.Span) string) string {
	var b strings.Builder
	for i, d := range blocks {
		if i > 0 {
			b.WriteString("\n")
			if c.from.Blocks[d].Kind != markdown.LinkDefinition || c.from.Blocks[blocks[i-1]].Kind != markdown.LinkDefinition {
				b.WriteString("\n")
			}
		}
		b.WriteString(text(c.from.Blocks[d].Span()))
	}
	return b.String()
}

// move makes both documents and proves them.
func (c *crossing) move(ctx context.Context) (*Result, error) {
	put, take := c.put, []edit.Op{{
		Action: edit.Remove, Address: c.op.Address, Occurrence: c.op.Occurrence, ExpectedHash: c.op.ExpectedHash,
	}}
	put.Text = c.text(c.from.SectionSpan(c.section))
	if len(c.extra) > 0 {
		put.Text += "\n\n" + c.definitions(c.extra, c.text)
	}
	left := c.definitions(c.left, func(s markdown.Span) string { return string(c.from.Text(s)) })
	pinned := edit.Options{Pinned: true, Limits: c.options.Limits}
	target, err := edit.ApplyContext(ctx, c.to, []edit.Op{put}, pinned)
	if err != nil {
		return nil, InOther{err}
	}
	if warning := edit.LooseName(c.to, c.op.To); warning != "" {
		target.Warnings = append(target.Warnings, warning)
	}
	a := &Result{To: target}
	if err := c.find(a); err != nil {
		return nil, failed(c.op.Address, err)
	}
	if c.options.Leave != nil {
		take[0].Action, take[0].Scope, take[0].Text = edit.Replace, edit.ScopeSection, c.options.Leave(target.Doc, a.Section)
	}
	switch {
	case left == "":
	case c.options.Leave != nil && int(c.from.Sections[c.section].Next) == len(c.from.Sections): // which stays last
		take[0].Text += "\n\n" + left
	default:
		take = append(take, edit.Op{Action: edit.Append, Address: c.lastStaying(), Text: left})
	}
	// The caller's guards are about the section alone.
	a.From, err = edit.ApplyContext(ctx, c.from, take[:1], c.options.Options)
	if err == nil && len(take) > 1 {
		a.From, err = edit.ApplyContext(ctx, c.from, take, pinned)
	}
	if err != nil {
		return nil, err
	}
	if err := c.prove(a); err != nil {
		return nil, failed(c.op.Address, err)
	}
	return a, nil
}

// lastStaying returns the address of the last part that doesn't move.
func (c *crossing) lastStaying() string {
	switch last := len(c.from.Sections) - 1; {
	case last >= int(c.from.Sections[c.section].Next):
		return address.SelectorOf(c.from, address.NodeOfSection(last))
	case c.section > 0:
		return address.SelectorOf(c.from, address.NodeOfSection(c.section-1))
	}
	return "@preamble"
}
