package editing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// The reply to a change says in a line where it is, what was done, the hash for the next
// change and what undo takes, and in a second one where the new text meets its neighbours. Whoever sent the
// change knows the rest: more is said only of what wasn't sent, and of a target that was
// found by less than its exact name.

// EditReply tells what was changed, or would be.
type EditReply struct {
	Head []byte
	// Diff is the difference, of a dry run or if it was asked for: whole hunks, as many as fit.
	Diff []byte
	// JSON is all of it on one line. With EditOptions.MaxChars it is nil if it does
	// not fit.
	JSON []byte
	// Expects says, if it isn't empty, what must be sent for the change to be made: nothing was
	// written, and the reply is the preview.
	Expects replies.Sentence

	marked bool         // the lines of the head have a mark, and the difference is what has none
	mark   replies.Mark // that, of a change of several documents
}

// In returns the reply in one piece, with what it expects in the words of a voice.
func (r *EditReply) In(v replies.Voice) []byte {
	if r.Expects.IsEmpty() {
		return r.Text()
	}
	told := *r
	told.Head = slices.Concat(r.Head, r.mark.Lines([]byte(r.Expects.In(v)+"\n")))
	return told.Text()
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

	unchanged  bool   // there was nothing to do, which UnlessPresent allows
	byPosition bool   // the address counts
	loosely    bool   // the address is a text that isn't exactly the heading's
	parted     bool   // the part has subsections now
	places     string // lines of several places of a text
	joint      string // where the new text meets its neighbours
	unsent     string // lines that were written and not sent
}

// edited is the whole reply.
type edited struct {
	FilePath string    `json:"file_path"`
	Edits    []outcome `json:"edits"`

	fate

	LinesAdded   int          `json:"lines_added"`
	LinesRemoved int          `json:"lines_removed"`
	LinksChanged int          `json:"links_changed,omitempty"` // those that lead to what was renamed
	From         string       `json:"from,omitempty"`          // where a section stood that has moved here
	Documents    []otherData  `json:"documents,omitempty"`     // others that were changed with it
	Kept         []string     `json:"kept,omitempty"`          // files that were kept beside it
	Version      string       `json:"version"`
	Warnings     []string     `json:"warnings,omitempty"`
	Diff         string       `json:"diff,omitempty"`
	LeftOut      *diffLeftOut `json:"diff_left_out,omitempty"`

	plain   bool         // the first empty line is where the difference begins
	endings string       // " CRLF" or " mixed", nothing for LF
	mark    replies.Mark // instead of it, if the difference seems to tell of one
}

// reply tells what was changed. The error is that of a preview, an *Error.
func (e *editing) reply() (*EditReply, error) {
	out := edited{
		FilePath: replies.DisplayPath(e.path), fate: e.fate(), Version: e.result.Doc.Version(),
		Warnings: slices.Clone(e.result.Warnings),
	}
	if len(e.result.Splices) == 0 && len(e.others) == 0 { // and nothing is wrong with that
		out.Written = false
	}
	if ending := e.result.Doc.LineEnding(); ending != markdown.LF {
		out.endings = " " + ending.String()
	}
	out.Warnings = append(out.Warnings, e.common()...)
	out.Documents = othersOf(e.others)
	out.LinksChanged = e.keptLinks
	out.Warnings = append(out.Warnings, e.warnings("this document")...)
	out.LinesAdded, out.LinesRemoved = e.result.LineCounts()
	parts := editedParts{}
	for i := range e.result.Changes {
		out.Edits = append(out.Edits, e.outcome(&e.ops[i], &e.result.Changes[i], parts))
	}
	diff := e.differences()
	if e.options.wantsDiff() {
		diff.add(e.path, e.result.Diff(e.diffLabel()))
		diff.addOthers(&e.docs, e.others)
	}
	return out.reply(e, diff)
}

// tookOver returns the warning that files belong to another user since they were written; none for no files.
func tookOver(paths []string) []string {
	if len(paths) == 0 {
		return nil
	}
	which, its := replies.Safe(replies.DisplayPath(paths[0])), "its group, and belongs to you now; its"
	if more := len(paths) - 1; more > 0 {
		which, its = which+" and "+replies.Plural(more, "more document"), "their group, and belong to you now; their"
	}
	return []string{which + " belonged to another user of " + its + " group and mode are the same"}
}

// common returns the warnings of any change.
func (e *editing) common() (warnings []string) {
	if !e.kept.None() {
		warnings = append(warnings, replies.Safe(e.kept.String()))
	}
	warnings = append(append(warnings, tookOver(e.tookOver)...), e.undo.Warnings()...)
	if e.separated != "" {
		warnings = append(warnings, e.separated)
	}
	return append(warnings, e.unread...)
}

// reply renders the reply with the differences, as many of their hunks as fit.
func (o *edited) reply(e *editing, diff *differences) (*EditReply, error) {
	if err := diff.wanted(!e.options.DryRun); err != nil {
		return nil, err
	}
	if !e.kept.None() {
		o.Kept = e.kept.Paths()
	}
	o.Warnings = append(o.Warnings, replies.UnseenIn(diff.text)...)
	o.plain = e.docs.Marks != nil
	limit := e.options.MaxChars
	head, shown := o.text(e.batch, diff, limit)
	if o.plain && len(diff.text) > 0 && replies.AnyAnnouncing(head, diff.text) {
		o.mark = e.docs.Marks.Draw(diff.text)
		head, shown = o.text(e.batch, diff, limit)
	}
	reply := &EditReply{Head: head, Diff: shown, marked: o.mark != ""}
	if limit == 0 || e.options.Structured {
		var err error
		if reply.JSON, err = o.json(diff, limit); err != nil {
			return nil, replies.ErrorAbout(o.FilePath, err)
		}
	}
	return reply, nil
}

// wasPresent reports whether an operation had nothing to do, which UnlessPresent allows.
func wasPresent(op *edit.Op, c *edit.Change) bool { return op.UnlessPresent && c.Lines.Len() == 0 }

// outcome tells what became of an operation.
func (e *editing) outcome(op *edit.Op, c *edit.Change, parts editedParts) outcome {
	o := outcome{Action: string(op.Action), Removed: c.Headings, unchanged: wasPresent(op, c)}
	if op.Action == edit.ReplaceText || c.Count > 1 {
		o.Replaced = c.Count
	}
	if c.Target != nil {
		o.tellTarget(parts.of(e.before, c.Target.Node), c.Target)
	}
	if node := c.After; node != nil {
		o.Now = parts.of(e.result.Doc, *node)
		if doc := e.result.Doc; node.Kind == address.SectionNode {
			o.parted = int(doc.Sections[node.Section].Next) > node.Section+1
		}
	}
	o.joint, o.unsent = e.joint(op, c), e.unsent(op, c)
	if o.Replaced > 1 && len(e.ops) == 1 {
		o.places = e.places()
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

// tellTarget tells of the target, which is a part, and how it was found.
func (o *outcome) tellTarget(part *editedPart, target *address.Resolution) {
	own := *part
	o.Target, o.byPosition, o.loosely = &own, target.ByPosition, target.Tier > address.TierExact
	o.Target.Selector, o.Target.Breadcrumb, o.Target.Tier = target.Selector, target.Breadcrumb, target.Tier.String()
}

// editedParts are parts of documents. Each is described once, for many edits may be of the same one, which
// is read for its hashes.
type editedParts map[editedNode]*editedPart

// editedNode is a node of a document.
type editedNode struct {
	doc *markdown.Document
	address.Node
}

// of describes a part of a document, which nobody changes.
func (p editedParts) of(doc *markdown.Document, n address.Node) *editedPart {
	key := editedNode{doc, n}
	if p[key] == nil {
		p[key] = newEditedPart(doc, n)
	}
	return p[key]
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
	warningChars  = 400 // of which a file's name may be 255
	removedChars  = 1000
	warningLines  = 10 // warnings
)

// text renders the reply in at most so many characters, 0 for any number.
func (o *edited) text(batch bool, diff *differences, limit int) (head, fitted []byte) {
	room := limit
	if limit > 0 && !diff.isEmpty() {
		room = limit / 2
	}
	if batch {
		head = o.batchHead(room)
	} else {
		head = o.head()
	}
	head = append([]byte(o.mark.Top()), o.mark.Lines(head)...)
	if limit > 0 {
		room = max(limit-replies.Chars(head)-len("\n"), 1)
	}
	fitted, o.LeftOut = diff.fit(room)
	if o.LeftOut != nil {
		head = append(head, o.mark.Lines(fmt.Appendf(nil, "left_out: %s\n", o.LeftOut))...)
	}
	return head, fitted
}

// head renders the reply for one edit.
func (o *edited) head() []byte {
	one := &o.Edits[0]
	h := replies.Head(fmt.Sprintf("%s%s%s, %s%s%s\n", shownPath(o.FilePath), one.what(o.Written), fromPath(o.From), o.counts(one.hashes()), one.found(), o.ending()))
	one.details(&h)
	if o.LinksChanged > 0 {
		h.Add("links changed", o.LinksChanged)
	}
	addOthers(&h, o.Documents)
	addWarnings(&h, slices.Concat(o.Warnings, one.Warnings))
	return h
}

// shownPath returns a path as a head shows it.
func shownPath(path string) string { return replies.ClipMiddle(replies.Safe(path), pathChars) }

// counts renders how many lines came and went, the hashes, or the version of the document if
// there are none, and its line endings if they aren't LF.
func (o *edited) counts(hashes string) string {
	if hashes == "" {
		hashes = " version " + replies.HashMark + o.Version
	}
	return fmt.Sprintf("+%d -%d%s%s", o.LinesAdded, o.LinesRemoved, hashes, o.endings)
}

// done renders what was done, or would be.
func done(what string, written bool) string {
	if written {
		return what
	}
	return "would be " + what
}

// fate is what became of a change of documents.
type fate struct {
	Written bool   `json:"written"`
	Change  string `json:"change,omitempty"` // its identifier in the journal, if it can be undone
	off     bool   // the user has no change written down
}

// fateOf returns what became of a change.
func fateOf(written bool, u files.Undo) fate { return fate{written, u.Change, u.Off} }

// fate returns what became of the change.
func (e *editing) fate() fate { return fateOf(!e.options.DryRun, e.undo) }

// ending renders it behind a head, nothing where a warning tells why it can't be undone.
func (f fate) ending() string {
	switch {
	case !f.Written:
		return "; nothing was written"
	case f.Change != "":
		return "; change " + f.Change
	case f.off:
		return "; no undo"
	}
	return ""
}

// doneBy is what is said of a part that an action on the structure was made on.
var doneBy = map[edit.Action]string{ //nolint:gochecknoglobals // a constant
	edit.Move: "moved", edit.Promote: "promoted", edit.Demote: "demoted", edit.Dissolve: "edited", edit.Reorder: "reordered",
}

// what renders the lines and the address of an edit, and what was done there.
func (o *outcome) what(written bool) string {
	var b strings.Builder
	place, part := o.Lines, cmp.Or(o.Now, o.Target)
	if o.Now != nil {
		place = []int{o.Now.StartLine, o.Now.EndLine}
	}
	if place != nil {
		b.WriteString(":" + replies.LineRange(markdown.Lines{First: place[0], Last: place[1]}))
	}
	if part != nil && part.Selector != "" && len(part.Selector) <= selectorChars { // a part of one is none
		b.WriteString(" " + part.Selector)
	}
	if o.Replaced > 1 {
		b.WriteString(" " + replies.Plural(o.Replaced, "place"))
	}
	what := cmp.Or(doneBy[edit.Action(o.Action)], "edited")
	switch {
	case o.unchanged:
		return b.String() + " unchanged"
	case o.Now == nil && len(o.Removed) > 0:
		what = "removed"
	}
	return b.String() + " " + done(what, written)
}

// hashes renders those of the part as it is now, nothing if there is none.
func (o *outcome) hashes() string {
	switch {
	case o.Now == nil:
		return ""
	case o.parted:
		return fmt.Sprintf(" %s%s body %[1]s%[3]s", replies.HashMark, o.Now.Hash, o.Now.BodyHash)
	}
	return " " + replies.HashMark + o.Now.Hash
}

// found renders how the target was found, nothing if by its exact name.
func (o *outcome) found() string {
	if o.Target == nil || !o.byPosition && !o.loosely {
		return ""
	}
	tier := ""
	if o.loosely {
		tier = " ~ " + o.Target.Tier
	}
	heading := o.Target.Heading
	if n := len(o.Target.Breadcrumb); heading == "" && o.loosely && n > 0 { // that before the part's own name
		heading = replies.Safe(o.Target.Breadcrumb[n-1])
	}
	if heading != "" {
		tier += " " + replies.Clip(heading, headingChars)
	}
	return tier
}

// details adds the lines below that of an edit.
func (o *outcome) details(h *replies.Head) {
	if len(o.Removed) > 0 {
		h.Add("removed", joinSome(o.Removed, removedChars))
	}
	for _, line := range []struct{ key, text string }{{"lines", o.places}, {"as written", o.unsent}} {
		if line.text != "" {
			h.Add(line.key, line.text)
		}
	}
	if o.joint != "" {
		*h = append(*h, o.joint+"\n"...)
	}
}

// pathChars is the number of characters of a path in the head of a reply.
const pathChars = 200

// batchHead renders the reply for a list of edits in at most so many characters, 0
// for any number: each of them with all that is known, or on one line, or as many of
// them as there is room for.
func (o *edited) batchHead(limit int) []byte {
	what := done("edited", o.Written)
	if !slices.ContainsFunc(o.Edits, func(one outcome) bool { return !one.unchanged }) {
		what = "unchanged"
	}
	top := replies.Head(fmt.Sprintf("%s %s by %s, %s%s\n", shownPath(o.FilePath), what, replies.Plural(len(o.Edits), "edit"), o.counts(""), o.ending()))
	addWarnings(&top, o.Warnings)
	full := slices.Clone(top)
	for i := range o.Edits {
		one := &o.Edits[i]
		full = append(full, one.line(i, o.Written)...)
		one.details(&full)
		addWarnings(&full, one.Warnings)
		if limit > 0 && replies.Chars(full) > limit {
			return o.shortHead(top, limit)
		}
	}
	return full
}

// shortHead is batchHead with a line for each edit, or for as many as fit.
func (o *edited) shortHead(top replies.Head, limit int) []byte {
	h := slices.Clone(top)
	rest := limit - replies.Chars(h) - len("[and 10000 more edits]\n")
	for i := range o.Edits {
		line := []byte(o.Edits[i].line(i, o.Written))
		if rest -= replies.Chars(line); rest < 0 {
			return fmt.Appendf(h, "[and %s]\n", replies.Plural(len(o.Edits)-i, "more edit"))
		}
		h = append(h, line...)
	}
	return h
}

// line renders what became of an edit on one line.
func (o *outcome) line(i int, written bool) string {
	return replies.EditName(i) + o.what(written) + o.hashes() + o.found() + "\n"
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
