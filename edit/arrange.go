package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// What an action on the structure comes to: parts of the document in another order, headings
// with other levels, and a heading that goes. rebuild.go makes the document of it, and proves
// that it is the one that was meant.

// arrangement is the document in another order.
type arrangement struct {
	doc     *markdown.Document
	target  int             // the section, -1 for the document
	chunks  []markdown.Span // whole lines that follow each other and begin with headings
	order   []int           // of the chunks; as they are if there are none
	moves   []bool          // by chunk: it is told as moved, and those around as staying
	edits   []Splice        // of headings, in source order
	levels  map[int]uint8   // by section whose level changes: the new one
	parents map[int]int     // by section that comes to stand in another one: that, or -1
	free    int             // the section that may come to stand in any other, or -1
	gone    int             // the section whose heading goes, or -1
	way     string          // what to do instead where others would come to stand elsewhere
}

// arrange returns what an action on the structure makes of the document.
func (op *Op) arrange(doc *markdown.Document, n address.Node, o Options) (*arrangement, *Error) {
	a := &arrangement{doc: doc, target: n.Section, levels: map[int]uint8{}, parents: map[int]int{}, free: -1, gone: -1}
	a.way = "choose another place"
	if n.Kind != address.SectionNode && (op.Action != Reorder || n.Kind != address.DocumentNode) {
		return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf("%s is for sections; name one by its heading", op.Action)}
	}
	var err *Error
	switch op.Action {
	case Move:
		err = a.move(op, o)
	case Promote:
		a.way = fmt.Sprintf("use %s to put it after the section that it is in, which gives it this level too", Move)
		a.free, err = a.target, a.relevel(a.target, -1)
	case Demote:
		a.free, err = a.target, a.relevel(a.target, 1)
	case Dissolve:
		err = a.dissolve()
	case Reorder:
		err = a.reorder(op, o)
	default:
		err = &Error{Code: InvalidArgument, Message: fmt.Sprintf("%s is no action on the structure", op.Action)}
	}
	return a, err
}

// Relevel returns the splices that add to the levels of section i and of those below it. The
// error is an *Error with the code LevelMismatch.
func Relevel(doc *markdown.Document, i, by int) ([]Splice, error) {
	a := &arrangement{doc: doc, levels: map[int]uint8{}}
	if err := a.relevel(i, by); err != nil {
		return nil, err
	}
	return a.edits, nil
}

// relevel changes the level of section i and those below it.
func (a *arrangement) relevel(i, by int) *Error {
	for s := i; by != 0 && s < int(a.doc.Sections[i].Next); s++ {
		level := int(a.doc.Sections[s].Level) + by
		if level < 1 || level > 6 {
			return &Error{Code: LevelMismatch, Message: fmt.Sprintf(
				"the heading %s would get level %d, and there are 1 to 6", quoted(address.HeadingOf(a.doc, s)), level)}
		}
		edits, err := withLevel(a.doc, s, level)
		if err != nil {
			return err
		}
		a.edits, a.levels[s] = append(a.edits, edits...), uint8(level)
	}
	return nil
}

// withLevel returns what gives the heading of section i another level.
func withLevel(doc *markdown.Document, i, level int) ([]Splice, *Error) {
	b := int(doc.Sections[i].Heading)
	h, content := &doc.Blocks[b], doc.Content(b)
	start, end, old := int(h.Start), int(h.End), int(h.Level)
	marks := strings.Repeat("#", level)
	switch {
	case h.Marker == markdown.OwnMarker:
		return nil, &Error{Code: LevelMismatch, Message: fmt.Sprintf(
			"the heading %s on %s is one by a pattern of your own, which gives it level %d and no other; write it with marks (%s) first, or leave the levels as they are",
			quoted(address.HeadingOf(doc, i)), lineNames(h.Lines()), old, marks)}
	case h.Setext() && level > 2 && h.EndLine-h.StartLine > 1:
		return nil, &Error{Code: LevelMismatch, Message: fmt.Sprintf(
			"the underlined heading on %s has several lines, which no heading of level %d can have; rename it first", lineNames(h.Lines()), level)}
	case h.Setext() && level > 2:
		return []Splice{
			{markdown.Span{Start: start, End: start}, []byte(marks + " ")}, {markdown.Span{Start: content.End, End: end}, nil},
		}, nil
	case h.Setext():
		from := textlines.Before(doc.Source, end)
		line := string(doc.Source[from:end])
		was := strings.Trim(line, " \t")
		from += strings.Index(line, was)
		n := len(was)
		if level == 2 && n == 1 {
			n = 3 // one alone would be an empty item
		}
		return []Splice{{markdown.Span{Start: from, End: from + len(was)}, []byte(strings.Repeat("=-"[level-1:level], n))}}, nil
	}
	edits := []Splice{{markdown.Span{Start: start, End: start + max(old-level, 0)}, []byte(marks[:max(level-old, 0)])}}
	line := strings.TrimRight(string(doc.Source[start+old:end]), " \t")
	text := strings.TrimRight(line, "#")
	if n := len(line) - len(text); n == old && strings.TrimRight(text, " \t") != text { // as many close it
		at := start + old + len(text)
		edits = append(edits, Splice{markdown.Span{Start: at, End: at + max(old-level, 0)}, []byte(marks[:max(level-old, 0)])})
	}
	return edits, nil
}

// move puts the target beside another section or into it.
func (a *arrangement) move(op *Op, o Options) *Error {
	doc, i := a.doc, a.target
	to, err := op.destination(doc, i, o)
	if err != nil {
		return err
	}
	own, there := doc.SectionSpan(i), newSection(doc, to)
	at, level, parent := there.all.Start, there.level, int(doc.Sections[to].Parent)
	if op.Where == After || op.Where == Last {
		at = there.all.End
	}
	if op.Where == First || op.Where == Last {
		parent, level = to, there.level+1
		if there.hasChildren() {
			level = there.childLevel()
		}
	}
	if op.Where == First {
		if at = there.body; there.hasChildren() {
			level = doc.Sections[to+1].Level
		}
	}
	if parent != int(doc.Sections[i].Parent) {
		a.parents[i] = parent
	}
	if a.way = "let the levels be adjusted"; !op.KeepLevels {
		err = a.relevel(i, int(level)-int(doc.Sections[i].Level))
	}
	switch {
	case at < own.Start:
		a.swap(markdown.Span{Start: at, End: own.Start}, own, 1)
	case at > own.End:
		a.swap(own, markdown.Span{Start: own.End, End: at}, 0)
	}
	return err
}

// swap swaps two chunks, of which one is told as moved.
func (a *arrangement) swap(one, other markdown.Span, moved int) {
	a.chunks, a.order, a.moves = []markdown.Span{one, other}, []int{1, 0}, make([]bool, 2)
	a.moves[moved] = true
}

// destination returns the section that the operation moves section i to or beside.
func (op *Op) destination(doc *markdown.Document, i int, o Options) (int, *Error) {
	res, err := address.Resolve(doc, op.To)
	var e *Error
	switch {
	case err != nil:
		e = asError(err)
	case res.Kind != address.SectionNode:
		e = &Error{Code: InvalidArgument, Message: "a section moves to another section; name one by its heading"}
	case res.ByPosition && !o.Pinned:
		e = &Error{Code: HashRequired, Current: res, Hint: GiveVersion, Message: fmt.Sprintf(
			"%s counts, and what it counts may have changed", quoted(op.To))}
	case res.Section >= i && res.Section < int(doc.Sections[i].Next):
		e = &Error{Code: InvalidArgument, Message: "a section can't be moved to itself or to one below it; name another one"}
	default:
		return res.Section, nil
	}
	e.Address = op.To
	return 0, e
}

// dissolve takes the target's heading out. Its text stays where it is, which must be in the
// section that it is in; its subsections come to stand beside where it stood.
func (a *arrangement) dissolve() *Error {
	doc, i := a.doc, a.target
	s, h := newSection(doc, i), int(doc.Sections[i].Heading)
	parent := int(doc.Sections[i].Parent)
	hasText := int(doc.Blocks[h].Next) < len(doc.Blocks) && int(doc.Blocks[doc.Blocks[h].Next].Start) < s.body
	if hasText && i != parent+1 {
		above := "the section " + quoted(address.HeadingOf(doc, i-1))
		return &Error{
			Code: StructureChanged, Changed: []string{"its text would stand in " + above}, Total: 1,
			Message: fmt.Sprintf("its text would come to stand in %s, which is before it; %s it first into the section that it is in, or put its text where it is to stand",
				above, Move),
		}
	}
	a.gone = i
	for c := i + 1; c < int(doc.Sections[i].Next); c = int(doc.Sections[c].Next) {
		a.parents[c] = parent
		if err := a.relevel(c, int(s.level)-int(doc.Sections[c].Level)); err != nil {
			return err
		}
	}
	a.edits = slices.Insert(a.edits, 0, cut(doc.Source, markdown.Span{Start: s.all.Start, End: s.below}))
	return nil
}

// reorder puts the subsections of the target in another order.
func (a *arrangement) reorder(op *Op, o Options) *Error {
	doc, end := a.doc, len(a.doc.Sections)
	if a.target >= 0 {
		end = int(doc.Sections[a.target].Next)
	}
	var children []int
	for c := a.target + 1; c < end; c = int(doc.Sections[c].Next) {
		children, a.chunks = append(children, c), append(a.chunks, doc.SectionSpan(c))
	}
	if len(children) == 0 {
		return &Error{Code: InvalidArgument, Message: "it has no subsections to reorder"}
	}
	a.way = "give those in question the same level first"
	var err *Error
	if len(op.Order) == 0 {
		a.order = byTitle(doc, children)
	} else if a.order, err = ordered(doc, children, op.Order, o); err != nil {
		return err
	}
	// The most that can stay where they are do.
	var was, is []string
	for k, c := range a.order {
		was, is = append(was, fmt.Sprint(k)), append(is, fmt.Sprint(c))
	}
	a.moves = make([]bool, len(children))
	for _, d := range linediff.Compare(was, is) {
		for k := d.ReplStart; k < d.ReplEnd; k++ {
			a.moves[a.order[k]] = true
		}
	}
	if slices.IsSorted(a.order) {
		a.order = nil
	}
	return nil
}

// byTitle returns the order of sections by their titles, whatever their case.
func byTitle(doc *markdown.Document, sections []int) []int {
	order := make([]int, len(sections))
	titles := make([]string, len(sections))
	for k, s := range sections {
		order[k], titles[k] = k, strings.ToLower(doc.SectionTitle(s))
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(titles[a], titles[b]) })
	return order
}

// ordered returns the order of sections, all of which are named.
func ordered(doc *markdown.Document, sections []int, named []string, o Options) ([]int, *Error) {
	var order []int
	for _, name := range named {
		k, err := oneOf(doc, sections, name, o)
		if err != nil {
			return nil, err
		}
		if slices.Contains(order, k) {
			return nil, &Error{Code: InvalidArgument, Message: quoted(name) + " is in the order twice; name each of them once"}
		}
		order = append(order, k)
	}
	for k, s := range sections {
		if len(order) < len(sections) && !slices.Contains(order, k) {
			return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf(
				"the order lacks %d of %d subsections, %s the first of them; name all of them", len(sections)-len(order), len(sections), quoted(address.HeadingOf(doc, s)))}
		}
	}
	return order, nil
}

// oneOf returns the number of the section among others that a heading or another address
// stands for.
func oneOf(doc *markdown.Document, sections []int, name string, o Options) (int, *Error) {
	name = strings.TrimSpace(name)
	e := &Error{Code: address.AmbiguousHeading, Hint: PinSelectors, Message: "several subsections have the heading " + quoted(name)}
	found := -1
	for k, s := range sections {
		if name == address.HeadingOf(doc, s) || name == doc.SectionTitle(s) {
			e.addCandidate(doc, address.NodeOfSection(s))
			found = k
		}
	}
	switch {
	case e.Total == 1:
		return found, nil
	case e.Total > 1:
		return 0, e
	}
	res, err := address.Resolve(doc, name)
	if err == nil && res.Kind == address.SectionNode && (!res.ByPosition || o.Pinned) {
		if k := slices.Index(sections, res.Section); k >= 0 {
			return k, nil
		}
	}
	e.Code, e.Hint, e.Message = address.HeadingNotFound, "", "no subsection of it has the heading "+quoted(name)
	for _, s := range sections {
		e.addCandidate(doc, address.NodeOfSection(s))
	}
	return 0, e
}
