package editing

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// The reply to a change says what was found before what was done: whoever meant
// another part sees it in the first lines. Then it says how the part is now, with
// the hashes for the next change.

// EditReply tells what was changed, or would be.
type EditReply struct {
	Head []byte // lines of keys and values
	// Diff is the difference, of a dry run alone: whole hunks, as many as fit.
	Diff []byte
	// JSON is all of it on one line. With EditOptions.MaxChars it is nil if it does
	// not fit.
	JSON []byte

	marked bool // the lines of the head have a mark, and the difference is what has none
}

// Text returns the reply in one piece.
func (r *EditReply) Text() []byte {
	if len(r.Diff) == 0 || r.marked {
		return slices.Concat(r.Head, r.Diff)
	}
	return slices.Concat(r.Head, []byte("\n"), r.Diff)
}

// editedPart is a part of a document before a change or after it.
type editedPart struct {
	Heading    string   `json:"heading,omitempty"`
	Part       string   `json:"part,omitempty"`
	Selector   string   `json:"selector,omitempty"`
	Breadcrumb []string `json:"breadcrumb,omitempty"`
	Tier       string   `json:"tier,omitempty"`
	StartLine  int      `json:"start_line"`
	EndLine    int      `json:"end_line"`
	Hash       string   `json:"hash"`
	BodyHash   string   `json:"body_hash,omitempty"`
}

// outcome is what became of one edit.
type outcome struct {
	Target   *editedPart `json:"target,omitempty"` // nil for the whole file
	Action   string      `json:"action"`
	Replaced int         `json:"replaced,omitempty"`       // places of a text
	Now      *editedPart `json:"now,omitempty"`            // nil if nothing is left of it
	Lines    []int       `json:"new_text_lines,omitempty"` // the first and last of the new text
	Removed  []string    `json:"removed,omitempty"`
	Warnings []string    `json:"warnings,omitempty"`
}

// edited is the whole reply.
type edited struct {
	FilePath     string       `json:"file_path"`
	Edits        []outcome    `json:"edits"`
	Written      bool         `json:"written"`
	LinesAdded   int          `json:"lines_added"`
	LinesRemoved int          `json:"lines_removed"`
	Kept         []string     `json:"kept,omitempty"` // files that were kept beside it
	Version      string       `json:"version"`
	Warnings     []string     `json:"warnings,omitempty"`
	Diff         string       `json:"diff,omitempty"`
	LeftOut      *diffLeftOut `json:"diff_left_out,omitempty"`

	plain bool         // the first empty line is where the difference begins
	mark  replies.Mark // instead of it, if the difference seems to tell of one
}

// reply tells what was changed.
func (e *editing) reply() *EditReply {
	out := edited{
		FilePath: replies.DisplayPath(e.path), Written: !e.options.DryRun, Version: e.result.Doc.Version(),
		Warnings: slices.Clone(e.result.Warnings),
	}
	if !e.kept.None() {
		out.Kept, out.Warnings = e.kept.Paths(), append(out.Warnings, replies.Safe(e.kept.String()))
	}
	if e.takesOver && !e.options.DryRun {
		out.Warnings = append(out.Warnings, "the file belonged to another user of its group, and belongs to you now; its group and mode are the same")
	}
	out.Warnings = append(out.Warnings, e.unread...)
	out.LinesAdded, out.LinesRemoved = e.result.LineCounts()
	for i := range e.result.Changes {
		out.Edits = append(out.Edits, e.outcome(&e.ops[i], &e.result.Changes[i]))
	}
	out.plain = e.docs.Marks != nil
	var diff []byte
	if e.options.DryRun {
		diff = e.result.Diff(e.diffLabel())
		out.Warnings = append(out.Warnings, replies.UnseenIn(diff)...)
		if out.plain && replies.Announcing(diff) {
			out.mark = e.docs.Marks.Draw(diff)
		}
	}
	reply := &EditReply{marked: out.mark != ""}
	limit := e.options.MaxChars
	reply.Head, reply.Diff = out.text(e.batch, diff, limit)
	if limit == 0 || e.options.Structured {
		reply.JSON = out.json(diff, limit)
	}
	return reply
}

// outcome tells what became of an operation.
func (e *editing) outcome(op *edit.Op, c *edit.Change) outcome {
	o := outcome{Action: string(op.Action), Removed: c.Headings}
	if op.Action == edit.ReplaceText {
		o.Replaced = c.Count
	}
	if c.Target != nil {
		o.Target = newEditedPart(e.before, c.Target.Node)
		o.Target.Selector, o.Target.Breadcrumb = c.Target.Selector, c.Target.Breadcrumb
		o.Target.Tier = c.Target.Tier.String()
	}
	if node := c.After; node != nil {
		o.Now = newEditedPart(e.result.Doc, *node)
	}
	if c.Lines.Len() > 0 && (o.Now == nil || o.Now.StartLine != c.Lines.First || o.Now.EndLine != c.Lines.Last) {
		o.Lines = []int{c.Lines.First, c.Lines.Last}
	}
	if op.Action == edit.Remove && c.Target != nil && len(o.Removed) == 0 {
		o.Removed = []string{strings.TrimSpace(c.Target.Selector + " " + reading.KindOf(e.before, c.Target.Node))}
	}
	for _, line := range c.Restructured {
		o.Warnings = append(o.Warnings, "restructured: "+line)
	}
	return o
}

// newEditedPart describes a part of a document.
func newEditedPart(doc *markdown.Document, n address.Node) *editedPart {
	lines := n.Lines(doc)
	p := &editedPart{
		Selector: address.SelectorOf(doc, n), StartLine: lines.First, EndLine: lines.Last,
		Hash: markdown.Hash(doc.Text(n.Span(doc))),
	}
	if n.Kind == address.SectionNode {
		p.Heading, p.BodyHash = reading.HeadingOf(doc, n.Section), doc.BodyHash(n.Section)
	} else {
		p.Part = reading.KindOf(doc, n)
	}
	return p
}

// What a head holds of texts from documents, in characters.
const (
	headingChars  = 160
	selectorChars = 300
	warningChars  = 300
	removedChars  = 1000
	warningLines  = 10 // warnings
)

// text renders the reply in at most so many characters, 0 for any number.
func (o *edited) text(batch bool, diff []byte, limit int) (head, fitted []byte) {
	room := limit
	if limit > 0 && len(diff) > 0 {
		room = limit / 2
	}
	if batch {
		head = o.batchHead(room)
	} else {
		head = o.head()
	}
	if o.plain && len(diff) > 0 {
		head = bytes.ReplaceAll(head, []byte("\n\n"), []byte("\n"))
	}
	head = append([]byte(o.mark.Top()), o.mark.Lines(head)...)
	if limit > 0 {
		room = max(limit-replies.Chars(head)-len("\n"), 1)
	}
	fitted, o.LeftOut = fitDiff(diff, room)
	if o.LeftOut != nil {
		head = append(head, o.mark.Lines(fmt.Appendf(nil, "left_out: %s\n", o.LeftOut))...)
	}
	return head, fitted
}

// head renders the reply for one edit.
func (o *edited) head() []byte {
	var h replies.Head
	h.Add("path", replies.ClipMiddle(replies.Safe(o.FilePath), pathChars))
	one := &o.Edits[0]
	one.addTarget(&h)
	h.Add("action", one.Action)
	o.addWritten(&h)
	one.addNow(&h)
	o.addCounts(&h)
	addWarnings(&h, slices.Concat(one.Warnings, o.Warnings))
	return h
}

// pathChars is the number of characters of a path in the head of a reply.
const pathChars = 1000

// batchHead renders the reply for a list of edits in at most so many characters, 0
// for any number: each of them with all that is known, or on one line, or as many of
// them as there is room for.
func (o *edited) batchHead(limit int) []byte {
	var top replies.Head
	top.Add("path", replies.ClipMiddle(replies.Safe(o.FilePath), pathChars))
	top.Add("edits", len(o.Edits))
	o.addWritten(&top)
	o.addCounts(&top)
	addWarnings(&top, o.Warnings)
	full := slices.Clone(top)
	for i := range o.Edits {
		full = fmt.Appendf(full, "\n[%s]\n", replies.EditName(i))
		one := &o.Edits[i]
		one.addTarget(&full)
		full.Add("action", one.Action)
		one.addNow(&full)
		addWarnings(&full, one.Warnings)
		if limit > 0 && replies.Chars(full) > limit {
			return o.shortHead(top, limit)
		}
	}
	return full
}

// shortHead is batchHead with a line for each edit, or for as many as fit.
func (o *edited) shortHead(top replies.Head, limit int) []byte {
	h := append(slices.Clone(top), '\n')
	rest := limit - replies.Chars(h) - len("[and 10000 more edits]\n")
	for i := range o.Edits {
		line := []byte(o.Edits[i].line(i))
		if rest -= replies.Chars(line); rest < 0 {
			return fmt.Appendf(h, "[and %s]\n", replies.Plural(len(o.Edits)-i, "more edit"))
		}
		h = append(h, line...)
	}
	return h
}

// line renders what became of an edit on one line.
func (o *outcome) line(i int) string {
	what := ""
	if o.Target != nil {
		what = " " + o.Target.name()
	}
	now := ""
	switch {
	case o.Lines != nil:
		now = ": now lines " + replies.LineRange(markdown.Lines{First: o.Lines[0], Last: o.Lines[1]})
	case o.Now != nil:
		now = fmt.Sprintf(": now lines %s, hash %s", replies.LineRange(markdown.Lines{First: o.Now.StartLine, Last: o.Now.EndLine}), o.Now.Hash)
	}
	warnings := ""
	if n := len(o.Warnings); n > 0 {
		warnings = "; " + replies.Plural(n, "warning")
	}
	return fmt.Sprintf("[%s] %s%s%s%s\n", replies.EditName(i), o.Action, what, now, warnings)
}

// name is how a part is called on a line with other things.
func (p *editedPart) name() string {
	if p.Heading != "" {
		return replies.Clip(p.Heading, replies.MaxShown)
	}
	return replies.Clip(p.Selector, replies.MaxShown)
}

// addTarget adds what the edit was about, as it was before.
func (o *outcome) addTarget(h *replies.Head) {
	p := o.Target
	if p == nil {
		return
	}
	p.add(h, "")
}

// add adds the facts about the part with a prefix before their keys.
func (p *editedPart) add(h *replies.Head, prefix string) {
	text := func(key, value string, limit int) {
		if value != "" {
			h.Add(prefix+key, replies.Clip(value, limit))
		}
	}
	text("heading", p.Heading, headingChars)
	text("part", p.Part, headingChars)
	if len(p.Selector) <= selectorChars { // a part of one is none
		text("selector", p.Selector, selectorChars)
	}
	text("breadcrumb", replies.Safe(strings.Join(p.Breadcrumb, " > ")), 2*headingChars)
	text("tier", p.Tier, headingChars)
	h.Add(prefix+"start_line", p.StartLine)
	h.Add(prefix+"end_line", p.EndLine)
	h.Add(prefix+"hash", p.Hash)
	text("body_hash", p.BodyHash, headingChars)
}

// addNow adds how the part is now.
func (o *outcome) addNow(h *replies.Head) {
	if o.Replaced > 0 {
		h.Add("replaced", replies.Plural(o.Replaced, "place"))
	}
	if len(o.Removed) > 0 {
		h.Add("removed", joinSome(o.Removed, removedChars))
	}
	if o.Now != nil {
		o.Now.add(h, "now_")
	}
	if o.Lines != nil {
		h.Add("new_text_lines", replies.LineRange(markdown.Lines{First: o.Lines[0], Last: o.Lines[1]}))
	}
}

// joinSome joins texts from a document with semicolons, as many as there is room
// for.
func joinSome(texts []string, limit int) string {
	var b strings.Builder
	for i, text := range texts {
		text = replies.Clip(replies.Safe(text), headingChars)
		if i > 0 {
			if b.Len()+len(text) > limit {
				fmt.Fprintf(&b, "; and %d more", len(texts)-i)
				break
			}
			b.WriteString("; ")
		}
		b.WriteString(text)
	}
	return b.String()
}

// addWritten adds whether anything was written.
func (o *edited) addWritten(h *replies.Head) {
	if o.Written {
		h.Add("written", "yes")
	} else {
		h.Add("dry_run", "nothing was written")
	}
}

// addCounts adds what is known about the whole document.
func (o *edited) addCounts(h *replies.Head) {
	h.Add("lines_added", o.LinesAdded)
	h.Add("lines_removed", o.LinesRemoved)
	h.Add("version", o.Version)
}

// addWarnings adds the warnings, a line each.
func addWarnings(h *replies.Head, warnings []string) {
	for i, warning := range warnings {
		if i == warningLines {
			h.Add("warning", fmt.Sprintf("and %d more", len(warnings)-i))
			return
		}
		h.Add("warning", replies.Clip(replies.Safe(warning), warningChars))
	}
}
