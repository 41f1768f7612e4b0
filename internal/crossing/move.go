package crossing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
	// Copies are definitions that stand in a second place now.
	Copies []Copy
	// Start and End are the old blocks that have moved: from Start up to End.
	Start, End int
}

// Copy is a definition that is copied to the other document, or one that has moved and is also
// left in the old document: its block there before, and the copy's.
type Copy struct {
	Old, New int
	InTo     bool
}

// Move moves a section with its subsections from one document to another, both of which
// stay as they are. Of the operation, which is a Move, To names a section of the other
// document, and Where the place as seen from it; without To it is the end of that document.
// Definitions of links and footnotes that the section uses are copied to its end, with another
// label where it is taken; those that only stand in it and are used elsewhere are left at the
// end of the old document. Destinations of links are up to package links. Options.Pinned is
// about the first document, toPinned about the second one. The error is an Errors.
func Move(ctx context.Context, from, to *markdown.Document, op *edit.Op, o edit.Options, toPinned bool) (*Result, error) {
	c := &crossing{from: from, to: to, op: op, labels: map[string]bool{}}
	for _, doc := range []*markdown.Document{from, to} {
		for b := range doc.Blocks {
			if label := labelOf(doc, b); label != "" {
				c.labels[label] = true
			}
		}
	}
	res, err := address.ResolveNth(from, op.Address, op.Occurrence)
	if err != nil {
		return nil, failed(op.Address, err)
	}
	if res.Kind != address.SectionNode {
		return nil, failed(op.Address, &edit.Error{Code: edit.InvalidArgument, Message: fmt.Sprintf("%s is for sections; name one by its heading", edit.Move)})
	}
	c.section = res.Section
	if err := c.aim(toPinned); err != nil {
		return nil, failed(op.Address, err)
	}
	if err := c.gather(); err != nil {
		return nil, failed(op.Address, err)
	}
	return c.move(ctx, o)
}

// failed returns an error about an address as those of package edit are.
func failed(about string, err error) error {
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
	section  int
	put      edit.Op         // into the other document, without its text
	edits    []edit.Splice   // of the old source, in what moves
	extra    []int           // definitions of the old document that are copied
	left     []int           // those that stay
	labels   map[string]bool // of either document
}

// aim says where the section is put in, and gives its headings the levels of that place.
func (c *crossing) aim(pinned bool) error {
	level := uint8(1)
	if len(c.to.Sections) > 0 {
		level = c.to.Sections[0].Level
	}
	c.put = edit.Op{Action: edit.Append, Address: "@document"}
	if c.op.To != "" {
		there, err := address.Resolve(c.to, c.op.To)
		switch {
		case err != nil:
			return failed(c.op.To, err)
		case there.Kind != address.SectionNode:
			return &edit.Error{Code: edit.InvalidArgument, Address: c.op.To, Message: "a section moves to another section; name one by its heading"}
		case there.ByPosition && !pinned:
			return &edit.Error{Code: edit.HashRequired, Address: c.op.To, Hint: edit.GiveVersion, Message: fmt.Sprintf("%q counts, and what it counts may have changed", c.op.To)}
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

// beside says that the section is put beside section i or into it, and returns its level there.
func (c *crossing) beside(i int) uint8 {
	there, children := c.to.Sections[i], int(c.to.Sections[i].Next) > i+1
	c.put = edit.Op{Action: edit.InsertAfter, Address: address.SelectorOf(c.to, address.NodeOfSection(i))}
	switch into := c.op.Where == edit.First || c.op.Where == edit.Last; {
	case c.op.Where == edit.Before:
		c.put.Action = edit.InsertBefore
	case into && !children:
		return there.Level + 1
	case c.op.Where == edit.First:
		c.put.Action, c.put.Address = edit.InsertBefore, address.SelectorOf(c.to, address.NodeOfSection(i+1))
		return c.to.Sections[i+1].Level
	case into:
		last := i + 1
		for k := last; k < int(there.Next); k = int(c.to.Sections[k].Next) {
			last = k
		}
		return c.to.Sections[last].Level
	}
	return there.Level
}

// gather finds the definitions that the section uses and that others use of it.
func (c *crossing) gather() error {
	start, end := c.span()
	links := c.from.Links()
	taken := map[string]int{}
	for b := range c.to.Blocks {
		if label := labelOf(c.to, b); label != "" {
			if _, again := taken[label]; !again {
				taken[label] = b
			}
		}
	}
	moves := func(b int) bool { return b >= start && b < end || c.copied(b) }
	names := map[int]string{} // the label of a definition where it is another one in the other document
	for again := true; again; {
		again = false
		for i := range links {
			l := &links[i]
			d := l.Definition
			if d < 0 || d == l.Block || !moves(l.Block) || moves(d) || names[d] != "" {
				continue
			}
			label := labelOf(c.from, d)
			other, there := taken[label]
			if there && definitionText(c.from, d) == definitionText(c.to, other) {
				continue
			}
			if c.from.Blocks[d].Parent >= 0 {
				return &edit.Error{Code: edit.StructureChanged, Message: fmt.Sprintf(
					"the definition of %q stands in another block, which doesn't move; put it on a line of its own first", c.from.Label(d))}
			}
			if names[d] = string(c.from.Label(d)); there {
				names[d] = c.freeLabel(names[d])
			}
			c.extra, again = append(c.extra, d), true
		}
	}
	for i := range links {
		l := &links[i]
		switch d := l.Definition; {
		case d < 0:
		case d == l.Block || !moves(l.Block):
			if d >= start && d < end && !moves(l.Block) && !slices.Contains(c.left, d) {
				c.left = append(c.left, d)
			}
		case names[d] != "" && names[d] != string(c.from.Label(d)):
			c.edits = append(c.edits, relabel(l, names[d]))
		}
	}
	for _, d := range c.extra {
		if names[d] != string(c.from.Label(d)) {
			c.edits = append(c.edits, edit.Splice{Span: c.from.Definition(d).Label, Text: []byte(names[d])})
		}
	}
	slices.SortStableFunc(c.edits, func(a, b edit.Splice) int { return a.Start - b.Start })
	slices.Sort(c.extra)
	slices.Sort(c.left)
	return nil
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

// copied reports whether a block is a definition that is copied, or stands in one.
func (c *crossing) copied(b int) bool {
	return slices.ContainsFunc(c.extra, func(d int) bool { return b >= d && b < int(c.from.Blocks[d].Next) })
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

// definitionText returns a definition without its label.
func definitionText(doc *markdown.Document, b int) string {
	span, label := doc.Blocks[b].Span(), doc.Definition(b).Label
	text := string(doc.Source[span.Start:label.Start]) + string(doc.Source[label.End:span.End])
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// text returns a range of the old source with the edits in it.
func (c *crossing) text(s markdown.Span) string {
	var b strings.Builder
	at := s.Start
	for _, e := range c.edits {
		if e.Start >= s.Start && e.End <= s.End {
			b.Write(c.from.Source[at:e.Start])
			b.Write(e.Text)
			at = e.End
		}
	}
	b.Write(c.from.Source[at:s.End])
	return strings.Trim(b.String(), "\r\n")
}

// move makes both documents and proves them.
func (c *crossing) move(ctx context.Context, o edit.Options) (*Result, error) {
	put, take := c.put, []edit.Op{{
		Action: edit.Remove, Address: c.op.Address, Occurrence: c.op.Occurrence, ExpectedHash: c.op.ExpectedHash,
	}}
	put.Text = c.text(c.from.SectionSpan(c.section))
	for _, d := range c.extra {
		put.Text += "\n\n" + c.text(c.from.Blocks[d].Span())
	}
	if len(c.left) > 0 {
		var texts []string
		for _, d := range c.left {
			texts = append(texts, string(c.from.Text(c.from.Blocks[d].Span())))
		}
		take = append(take, edit.Op{Action: edit.Append, Address: c.lastStaying(), Text: strings.Join(texts, "\n\n")})
	}
	pinned := edit.Options{Pinned: true, Limits: o.Limits}
	target, err := edit.ApplyContext(ctx, c.to, []edit.Op{put}, pinned)
	if err != nil {
		return nil, err
	}
	// The caller's guards are about the section alone.
	source, err := edit.ApplyContext(ctx, c.from, take[:1], o)
	if err == nil && len(take) > 1 {
		source, err = edit.ApplyContext(ctx, c.from, take, pinned)
	}
	if err != nil {
		return nil, err
	}
	a := &Result{From: source, To: target}
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
