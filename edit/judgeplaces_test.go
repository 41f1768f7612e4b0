package edit_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// place is where an operation may change the old document.
type place struct {
	markdown.Span
	blank bool // what it takes out there is white space alone
}

const white = " \t\r\n"

// places: the splices of an operation lie within its target and the gaps around.
func (j *judgement) places() error {
	if len(j.ops) > 1 || j.ops[0].Action == edit.ReplaceText {
		return nil
	}
	p := j.place(&j.ops[0].Op, j.res.Changes[0].Target.Node)
	for _, s := range j.res.Splices {
		if s.Start < p.Start || s.End > p.End {
			return fmt.Errorf("place: %v is spliced at %v, and its place is %v", j.ops[0].Action, s.Span, p.Span)
		}
		if gone := bytes.Trim(j.doc.Text(s.Span), white+">"); p.blank && len(gone) > 0 {
			return fmt.Errorf("place: %v takes out %q", j.ops[0].Action, gone)
		}
	}
	return nil
}

func (j *judgement) place(o *edit.Op, n address.Node) place {
	span := n.Span(j.doc)
	switch n.Kind {
	case address.SectionNode:
		return j.sectionPlace(o, n.Section)
	case address.KeyNode:
		return place{j.doc.Content(n.Block), false}
	case address.ColumnNode:
		return place{span, o.Action == edit.InsertBefore || o.Action == edit.InsertAfter}
	case address.BlockNode, address.FrontMatterNode:
		lines := n.Lines(j.doc)
		if j.doc.Blocks[n.Block].Flags&markdown.Head != 0 && j.doc.Blocks[n.Block].Kind == markdown.TableRow {
			lines.Last++ // the delimiter row belongs to the head
		}
		span = j.doc.LineSpan(lines)
		end := j.gapAfter(span.End)
		if o.Action == edit.Remove && j.doc.Blocks[n.Block].Parent >= 0 { // what follows may come to stand behind a marker
			end += len(j.doc.Source[end:]) - len(bytes.TrimLeft(j.doc.Source[end:], " \t>"))
		}
		return place{markdown.Span{Start: j.gapBefore(span.Start), End: end}, o.Action == edit.InsertBefore || o.Action == edit.InsertAfter}
	}
	start := j.doc.Preamble().Start
	if n.Kind == address.PreambleNode {
		start = j.gapBefore(span.Start)
	}
	switch o.Action {
	case edit.Append:
		return place{markdown.Span{Start: max(start, j.textEnd(span)), End: span.End}, true}
	case edit.Prepend:
		if f := j.doc.FrontMatter(); f >= 0 {
			span.Start = int(j.doc.Blocks[f].End)
		}
		return place{markdown.Span{Start: min(start, span.Start), End: j.gapAfter(span.Start)}, true}
	}
	return place{markdown.Span{Start: start, End: span.End}, false}
}

func (j *judgement) sectionPlace(o *edit.Op, i int) place {
	span, body := j.doc.SectionSpan(i), j.doc.BodySpan(i)
	heading := &j.doc.Blocks[j.doc.Sections[i].Heading]
	target := span
	if o.Scope == edit.ScopeBody {
		target = body
	}
	switch o.Action {
	case edit.Replace:
		if !j.ownHeading(o, i) {
			target.Start = int(heading.End)
		}
		return place{target, false}
	case edit.Remove:
		return place{markdown.Span{Start: j.gapBefore(span.Start), End: target.End}, false}
	case edit.InsertBefore:
		return place{markdown.Span{Start: j.gapBefore(span.Start), End: span.Start}, true}
	case edit.InsertAfter:
		return place{markdown.Span{Start: j.textEnd(span), End: span.End}, true}
	case edit.Append:
		return place{markdown.Span{Start: j.textEnd(body), End: body.End}, true}
	case edit.Prepend:
		return place{markdown.Span{Start: int(heading.End), End: min(body.End, j.gapAfter(int(heading.End)))}, true}
	}
	return place{markdown.Span{Start: span.Start, End: int(heading.End)}, false} // of a heading's text
}

// ownHeading reports whether the text begins with a heading of section i's level.
func (j *judgement) ownHeading(o *edit.Op, i int) bool {
	opts := j.doc.Options()
	opts.NoFrontMatter = true
	text, err := (&markdown.Parser{Options: opts}).Parse([]byte(bare(o.Text)))
	return err == nil && len(text.Sections) > 0 && text.Sections[0].Heading == 0 && text.Sections[0].Level == j.doc.Sections[i].Level
}

// textEnd returns where the last line of the range that isn't blank has its last
// character.
func (j *judgement) textEnd(s markdown.Span) int {
	return s.Start + len(bytes.TrimRight(j.doc.Text(s), white))
}

// gapBefore returns where the last line that isn't blank before the offset has its
// last character. Lines that hold only the marks of quotes count as blank.
func (j *judgement) gapBefore(offset int) int {
	return max(j.doc.Preamble().Start, len(bytes.TrimRight(j.doc.Source[:offset], white+">")))
}

// gapAfter returns where the next line that isn't blank begins.
func (j *judgement) gapAfter(offset int) int {
	rest := j.doc.Source[offset:]
	gap := len(rest) - len(bytes.TrimLeft(rest, white+">"))
	if gap == len(rest) {
		return len(j.doc.Source)
	}
	return max(offset, j.doc.LineSpan(markdown.Lines{First: j.doc.LineAt(offset + gap), Last: j.doc.LineAt(offset + gap)}).Start)
}

// blankLines counts the blank lines that stand directly before or after a line of
// the document; edge is true if they reach its start or end.
func blankLines(doc *markdown.Document, line, step int) (n int, edge bool) {
	for l := line + step; ; l += step {
		if l < 1 || l > doc.LineCount {
			return n, true
		}
		if len(bytes.Trim(bytes.TrimPrefix(doc.Text(doc.LineSpan(markdown.Lines{First: l, Last: l})), []byte("\uFEFF")), white)) > 0 {
			return n, false
		}
		n++
	}
}

// gaps: new text has exactly one blank line on a side where none was, and as many
// as were there where some were.
func (j *judgement) gaps() error {
	o, c := &j.ops[0], &j.res.Changes[0]
	if len(j.ops) > 1 || c.Target == nil || c.Target.Kind != address.SectionNode || o.AllowRestructure {
		return nil
	}
	if o.Action == edit.Remove {
		return j.gapsOfRemove(o, c.Target.Section)
	}
	if bare(o.Text) == "" {
		return nil
	}
	i := c.Target.Section
	span, body := j.doc.SectionSpan(i), j.doc.BodySpan(i)
	heading := &j.doc.Blocks[j.doc.Sections[i].Heading]
	// The old lines between which the new text stands.
	first, last := j.doc.LineAt(j.textEnd(span)-1), 0
	switch o.Action {
	case edit.InsertBefore:
		first, last = 0, int(heading.StartLine)
	case edit.InsertAfter:
	case edit.Append:
		first = j.doc.LineAt(j.textEnd(body) - 1)
	case edit.Prepend:
		first = int(heading.EndLine)
	case edit.Replace:
		return j.gapsOfReplace(o, c)
	default:
		return nil
	}
	if j.joinable(o, c.Target.Node) >= 0 && (o.Action == edit.Append || o.Action == edit.Prepend) {
		return nil
	}
	if n := len(j.doc.Blocks); int(j.doc.Blocks[n-1].End) > j.textEnd(markdown.Span{Start: 0, End: len(j.doc.Source)}) {
		return nil // blank lines at the end belong to code or HTML that isn't closed
	}
	var there int
	var edge bool
	if last > 0 {
		there, edge = blankLines(j.doc, last, -1)
	} else {
		there, edge = blankLines(j.doc, first, 1)
	}
	before, atStart := blankLines(j.new, c.Lines.First, -1)
	after, atEnd := blankLines(j.new, c.Lines.Last, 1)
	switch {
	case edge && atEnd: // the tail has a law of its own
		if before != 1 {
			return fmt.Errorf("gaps: %d blank lines before what is put at the end", before)
		}
	case edge && atStart:
		if before+after != there+1 && (before != 0 || after != max(there, 1)) {
			return fmt.Errorf("gaps: %d and %d blank lines around what is put at the start, where %d were", before, after, there)
		}
	case there == 0 && before == 0 && after == 1 && (o.Action == edit.InsertBefore || o.Action == edit.InsertAfter):
		// A section may stand as near to what is above as the one did that it is put before.
	case min(before, after) != 1 || max(before, after) != max(there, 1):
		return fmt.Errorf("gaps: %d and %d blank lines around new text, where %d were", before, after, there)
	}
	return nil
}

// gapsOfRemove: of the gaps around what is taken out one stays. Where there was none,
// a blank line may keep its neighbours apart.
func (j *judgement) gapsOfRemove(o *made, i int) error {
	span := j.doc.SectionSpan(i)
	if o.Scope == edit.ScopeBody {
		span = j.doc.BodySpan(i)
	}
	first := int(j.doc.Blocks[j.doc.Sections[i].Heading].StartLine)
	above, top := blankLines(j.doc, first, -1)
	below, bottom := blankLines(j.doc, j.doc.LineAt(j.textEnd(span)-1), 1)
	if top || bottom || len(j.res.Splices) == 0 {
		return nil
	}
	left, _ := blankLines(j.new, j.new.LineAt(j.image(j.gapAfter(span.End))), -1)
	if left != above && left != below && (left != 1 || max(above, below) > 0) {
		return fmt.Errorf("gaps: %d blank lines where %d and %d were around what is taken out", left, above, below)
	}
	return nil
}

func (j *judgement) gapsOfReplace(o *made, c *edit.Change) error {
	i := c.Target.Section
	span := j.doc.SectionSpan(i)
	heading := &j.doc.Blocks[j.doc.Sections[i].Heading]
	if o.Scope == edit.ScopeBody {
		span = j.doc.BodySpan(i)
	}
	first, last := int(heading.StartLine), j.doc.LineAt(j.textEnd(span)-1)
	var wantBefore int
	var startEdge bool
	if j.ownHeading(&o.Op, i) {
		wantBefore, startEdge = blankLines(j.doc, first, -1)
	} else {
		wantBefore, _ = blankLines(j.doc, int(heading.EndLine), 1)
	}
	wantAfter, endEdge := blankLines(j.doc, last, 1)
	before, _ := blankLines(j.new, c.Lines.First, -1)
	after, _ := blankLines(j.new, c.Lines.Last, 1)
	if !j.ownHeading(&o.Op, i) && last == int(heading.EndLine) { // an empty body
		if !endEdge && (min(before, after) != 1 || max(before, after) != max(wantAfter, 1)) || endEdge && before != 1 {
			return fmt.Errorf("gaps: %d and %d blank lines around new text, where %d were", before, after, wantAfter)
		}
		return nil
	}
	wasFlushBefore, wasFlushAfter := wantBefore == 0, wantAfter == 0
	if !startEdge {
		wantBefore = max(wantBefore, 1)
	}
	if !endEdge {
		wantAfter = max(wantAfter, 1)
	}
	// Where there was none there is one or none: that the blocks stay apart is for the laws of
	// blocks, and that none is made where what was read is sent back is TestSentBack.
	if before != wantBefore && (before > 0 || !wasFlushBefore) || after != wantAfter && (after > 0 || !wasFlushAfter) {
		return fmt.Errorf("gaps: %d and %d blank lines around what was replaced, want %d and %d", before, after, wantBefore, wantAfter)
	}
	return nil
}

// after: what a change says about the new document is so.
func (j *judgement) after() error {
	for i := range j.ops {
		o, c := &j.ops[i], &j.res.Changes[i]
		if c.Lines.Len() > 0 && (c.Lines.First < 1 || c.Lines.Last > j.new.LineCount) {
			return fmt.Errorf("after of %d: lines %v of %d", i, c.Lines, j.new.LineCount)
		}
		if c.After != nil {
			if err := nodeThere(j.new, *c.After); err != nil {
				return fmt.Errorf("after of %d: %w", i, err)
			}
		}
		if len(j.ops) > 1 || c.Target == nil || c.Target.Kind != address.SectionNode {
			continue
		}
		if err := j.sectionAfter(o, c); err != nil {
			return fmt.Errorf("after of %d, %v: %w", i, o.Action, err)
		}
	}
	return nil
}

// nodeThere reports a node that the document hasn't.
func nodeThere(doc *markdown.Document, n address.Node) error {
	if n.Section >= len(doc.Sections) || n.Block >= len(doc.Blocks) || n.Kind == address.SectionNode && n.Section < 0 || n.Kind == address.BlockNode && n.Block < 0 {
		return fmt.Errorf("the document has no %+v", n)
	}
	if s := address.SelectorOf(doc, n); s != "" {
		if r, err := address.Resolve(doc, s); err != nil || r.Node != n {
			return fmt.Errorf("%+v is not what %q stands for", n, s)
		}
	}
	return nil
}

func (j *judgement) sectionAfter(o *made, c *edit.Change) error {
	i := c.Target.Section
	old := j.doc.SectionSpan(i)
	if o.Action == edit.Remove {
		want := int(j.doc.Sections[i].Next) - i
		if o.Scope == edit.ScopeBody {
			want = 1
		}
		if c.After != nil || len(c.Headings) != want && !o.AllowRestructure {
			return fmt.Errorf("is %+v, headings %q, want %d of them", c.After, c.Headings, want)
		}
		return nil
	}
	if o.Action == edit.ReplaceText || o.AllowRestructure {
		return nil
	}
	if c.After == nil || c.After.Kind != address.SectionNode {
		return fmt.Errorf("is %+v", c.After)
	}
	span := c.After.Span(j.new)
	switch o.Action {
	case edit.InsertBefore, edit.InsertAfter:
		if first := j.new.SectionLines(c.After.Section).First; first != c.Lines.First {
			return fmt.Errorf("begins at line %d, the new text at %d", first, c.Lines.First)
		}
	default:
		// What stood before it is as it was, but for a blank line.
		if before := j.new.Source[:span.Start]; strings.TrimRight(string(before), white) != strings.TrimRight(string(j.doc.Source[:old.Start]), white) {
			return fmt.Errorf("%+v begins elsewhere", c.After)
		}
		if j.new.Sections[c.After.Section].Level != j.doc.Sections[i].Level {
			return fmt.Errorf("has level %d", j.new.Sections[c.After.Section].Level)
		}
	}
	return nil
}

// arrived: the new text is there as it was given, but for line endings and blank
// lines around it.
func (j *judgement) arrived() error {
	o, c := &j.ops[0], &j.res.Changes[0]
	if len(j.ops) > 1 || c.Target == nil || o.Action == edit.ReplaceText || o.Action == edit.Rename {
		return nil
	}
	if c.Target.Kind == address.BlockNode && j.doc.Blocks[c.Target.Block].Parent >= 0 || c.Target.Kind == address.KeyNode || c.Target.Kind == address.ColumnNode {
		return nil // see small
	}
	want := bare(o.Text)
	got := ""
	if c.Lines.Len() > 0 {
		got = strings.TrimSuffix(unified(string(j.new.Text(j.new.LineSpan(c.Lines)))), "\n")
		got = strings.TrimLeft(got, "\uFEFF")
	}
	switch {
	case got == want:
	case o.Action == edit.Replace && got == j.blanksBefore(c.Target)+want:
	case (o.Action == edit.Append || o.Action == edit.Prepend) && isIndentedList(got, want):
	default:
		return fmt.Errorf("arrived: at lines %v is %q instead of %q", c.Lines, got, want)
	}
	return nil
}

// itemFirst finds a text that begins with an item of a list.
var itemFirst = regexp.MustCompile(`^([-+*]|\d+[.)])[ \t]`)

// isIndentedList reports whether a text is a list that stands elsewhere with up to three blanks before
// each line: those of the items beside it.
func isIndentedList(there, text string) bool {
	blanks := there[:len(there)-len(strings.TrimLeft(there, " "))]
	if len(blanks) == 0 || len(blanks) > 3 || !itemFirst.MatchString(text) {
		return false
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = blanks + line
		}
	}
	return there == strings.Join(lines, "\n")
}

// blanksBefore returns the blanks that stand before a block on its first line: a read doesn't
// show them, and so a text in its place keeps them.
func (j *judgement) blanksBefore(n *address.Resolution) string {
	if n.Kind != address.BlockNode {
		return ""
	}
	before := string(j.doc.Source[:j.doc.Blocks[n.Block].Start])
	line := before[strings.LastIndexAny(before, "\r\n")+1:]
	return line[len(strings.TrimRight(line, " ")):]
}

// bare returns a text as it is to arrive: with LF, without blank lines around it and
// without byte order marks before it.
func bare(s string) string {
	return strings.TrimLeft(withoutBlankLines(strings.TrimLeft(unified(s), "\uFEFF"+white[2:])), "\uFEFF")
}

// withoutBlankLines returns a text with LF without blank lines around it and without
// its last line ending.
func withoutBlankLines(s string) string {
	for {
		line, rest, found := strings.Cut(s, "\n")
		if strings.Trim(line, white) != "" || !found && s == "" {
			break
		}
		s = rest
	}
	trimmed := strings.TrimRight(s, white)
	end, _, _ := strings.Cut(s[len(trimmed):], "\n")
	return trimmed + end
}
