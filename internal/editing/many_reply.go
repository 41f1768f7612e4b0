package editing

import (
	"fmt"
	"slices"

	"github.com/sectile/sectile/internal/replies"
)

// The reply to a change of several documents counts: how many places in which of them. What it
// says of one is a line.

// editedMany is the reply in JSON.
type editedMany struct {
	Documents []editedDocument `json:"documents"`
	More      int              `json:"documents_left_out,omitempty"`
	Matched   int              `json:"documents_matched"`
	Changed   int              `json:"documents_changed"`
	Places    int              `json:"places"`

	fate

	LinesAdded   int         `json:"lines_added"`
	LinesRemoved int         `json:"lines_removed"`
	LinksChanged int         `json:"links_changed,omitempty"`
	Others       []otherData `json:"other_documents,omitempty"` // in which links alone are changed
	Version      string      `json:"version,omitempty"`         // of all documents together, before the change
	Kept         []string    `json:"kept,omitempty"`
	Warnings     []string    `json:"warnings,omitempty"`
	Diff         string      `json:"diff,omitempty"`
	DiffLeftOut  int         `json:"diffs_left_out,omitempty"` // documents whose difference is not there, or not whole
}

// editedDocument is what is told of one document.
type editedDocument struct {
	FilePath     string `json:"file_path"`
	Line         int    `json:"line"` // of the first place
	Places       int    `json:"places"`
	LinesAdded   int    `json:"lines_added"`
	LinesRemoved int    `json:"lines_removed"`
}

// line1 tells of a document in a line without its ending.
func (d *manyDocument) line1() string {
	one := d.data()
	return fmt.Sprintf("%s:%d %s, +%d -%d", shownPath(one.FilePath), one.Line, replies.Plural(one.Places, "place"), one.LinesAdded, one.LinesRemoved)
}

// data returns a document for JSON.
func (d *manyDocument) data() editedDocument {
	return editedDocument{replies.DisplayPath(d.path), d.line, d.places, d.added, d.removed}
}

// reply tells what was changed, or would be. The error is that of a preview, an *Error.
func (m *many) reply(written bool) (*EditReply, error) {
	list := m.changing()
	out := editedMany{Documents: []editedDocument{}, Matched: len(m.all), Changed: len(list), Places: m.places(), fate: fateOf(written, m.undo)}
	if !written {
		out.Version = m.now
	}
	out.Warnings = m.strays.warnings("")
	for _, d := range list {
		out.LinesAdded, out.LinesRemoved, out.LinksChanged = out.LinesAdded+d.added, out.LinesRemoved+d.removed, out.LinksChanged+d.e.keptLinks
		out.Warnings = append(out.Warnings, d.e.warnings(replies.DisplayPath(d.path))...)
		if d.e.separated != "" {
			out.Warnings = append(out.Warnings, replies.DisplayPath(d.path)+": "+d.e.separated)
		}
	}
	out.LinksChanged += m.moreLinks
	out.Others = othersOf(m.others)
	out.Warnings = append(out.Warnings, tookOver(m.tookOver)...)
	if !m.kept.None() {
		out.Kept, out.Warnings = m.kept.Paths(), append(out.Warnings, replies.Safe(m.kept.String()))
	}
	out.Warnings = append(out.Warnings, m.undo.Warnings()...)
	reply := &EditReply{}
	if !written && !m.options.DryRun {
		reply.Expects = replies.Say("to make the change send %s %d, or %s, which stands for what the documents hold now",
			replies.ExpectedCount, out.Places, replies.Given{Arg: replies.ExpectedVersion, Value: m.now})
		if slices.ContainsFunc(list, (*manyDocument).isByPosition) {
			reply.Expects = replies.Say("to make the change send %s, which stands for what the documents hold now", replies.Given{Arg: replies.ExpectedVersion, Value: m.now})
		}
	}
	if err := m.render(reply, &out, list); err != nil {
		return nil, err
	}
	return reply, nil
}

// isByPosition reports whether an address counts that a document is changed by.
func (d *manyDocument) isByPosition() bool { return d.e.byPosition }

// expectsChars is the number of characters of what EditReply.Expects says.
const expectsChars = 200

// render renders the reply as text and JSON.
func (m *many) render(reply *EditReply, out *editedMany, list []*manyDocument) (err error) {
	limit := m.options.MaxChars
	if limit > 0 && !reply.Expects.IsEmpty() {
		limit = max(limit-expectsChars, expectsChars)
	}
	room := limit
	diffs := m.options.wantsDiff()
	if limit > 0 && diffs {
		room = limit / 2
	}
	head := m.head(out, list, room)
	var diff []byte
	if diffs {
		rest := 0
		if limit > 0 {
			rest = max(limit-replies.Chars(head)-leftOutRoom, 1)
		}
		diff, out.DiffLeftOut = joinDiffs(list, rest)
		if more := m.more; more.rest.Hunks == 0 && (rest == 0 || replies.Chars(diff)+more.chars <= rest) {
			diff = append(diff, more.text...)
		} else if n := len(out.Others); n > 0 {
			out.DiffLeftOut += n
		}
	}
	if out.DiffLeftOut > 0 {
		head = fmt.Appendf(head, "left_out: the difference of %s; the command line prints all of it with --dry-run\n", replies.Plural(out.DiffLeftOut, "document"))
	}
	for _, warning := range replies.UnseenIn(diff) {
		out.Warnings = append(out.Warnings, warning)
		head = fmt.Appendf(head, "warning: %s\n", replies.Clip(replies.Safe(warning), warningChars))
	}
	if m.docs.Marks != nil && len(diff) > 0 && replies.AnyAnnouncing(head, diff) {
		mark := m.docs.Marks.Draw(diff)
		head, reply.marked, reply.mark = append([]byte(mark.Top()), mark.Lines(head)...), true, mark
	}
	reply.Head, reply.Diff = head, diff
	if m.options.MaxChars == 0 || m.options.Structured {
		reply.JSON, err = out.json(m, list, diff)
	}
	return err
}

// head renders what the change comes to, and a line for each document, as many as there is
// room for; 0 for all. What is written by a path for many has come to what was expected of it.
// Who expected that knows the documents, and of more than a few the sum is told alone.
func (m *many) head(out *editedMany, list []*manyDocument, room int) []byte {
	path := ""
	if first := m.edits[0].path; !slices.ContainsFunc(m.edits, func(e manyEdit) bool { return e.path != first }) {
		path = shownPath(replies.DisplayPath(first)) + ": "
	}
	h := replies.Head(fmt.Sprintf("%s%s in %d of %s %s, +%d -%d", path, replies.Plural(out.Places, "place"), out.Changed, replies.Plural(out.Matched, "document"), done("edited", out.Written), out.LinesAdded, out.LinesRemoved))
	if out.LinksChanged > 0 {
		h = fmt.Appendf(h, ", %s changed", replies.Plural(out.LinksChanged, "link"))
	}
	h = append(h, out.ending()+"\n"...)
	addOthers(&h, out.Others)
	addWarnings(&h, out.Warnings)
	if out.Written && len(list) > maxOthers && slices.ContainsFunc(m.edits, func(e manyEdit) bool { return e.each }) {
		return h
	}
	rest := room - replies.Chars(h) - len("[and 10000 more documents]\n")
	for i, d := range list {
		line := []byte(d.line1() + "\n")
		if rest -= replies.Chars(line); room > 0 && rest < 0 {
			return fmt.Appendf(h, "[and %s]\n", replies.Plural(len(list)-i, "more document"))
		}
		h = append(h, line...)
	}
	return h
}

// joinDiffs joins the differences of the documents, whole hunks, as many as there is room for;
// 0 for all. It returns for how many documents something is left out.
func joinDiffs(list []*manyDocument, room int) (diff []byte, left int) {
	for i, d := range list {
		rest := 0
		if room > 0 {
			if rest = room - replies.Chars(diff); rest <= 0 {
				return diff, len(list) - i
			}
		}
		fitted, out := fitDiff(d.diff, rest)
		if diff = append(diff, fitted...); out != nil || d.cut {
			return diff, len(list) - i
		}
	}
	return diff, 0
}

// json renders the reply in JSON: with fewer documents if there is no room for all, and nil if there is
// none for what counts. What was written is told without the differences where there is no memory for
// them; the error is that of a preview, an *Error.
func (o *editedMany) json(m *many, list []*manyDocument, diff []byte) ([]byte, error) {
	o.Diff = string(diff)
	limit, work := m.options.MaxChars, m.docs.Work
	for n, withDiff := len(list), true; ; {
		o.Documents, o.More = o.Documents[:0], len(list)-n
		for _, d := range list[:n] {
			o.Documents = append(o.Documents, d.data())
		}
		text, err := m.encoded.JSON(work, nil, o)
		switch {
		case err != nil && !o.Written:
			return nil, replies.Unwritten(err)
		case err == nil && (limit == 0 || replies.Chars(text) <= limit):
			return text, nil
		case withDiff && len(o.Diff) > 0:
			withDiff, o.DiffLeftOut, o.Diff = false, len(list), ""
		case err != nil:
			work = nil // what is written is told
		case n == 0:
			return nil, nil
		default:
			n = n * 3 / 4
		}
	}
}
