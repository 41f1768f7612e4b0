package sent

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// New text for a document that has lines of ours (replies/echo.go) is refused, unless it stands
// for those that the document has itself.

// Echoes returns the operations whose new text has a line of ours that the document hasn't, or
// that it would have more often than before: in the place of text that a reply has left out.
// After is the document with the operations made, nil for none. The indexes are those of the
// operations.
func Echoes(marks *replies.Marks, doc, after *markdown.Document, ops []edit.Op) []replies.EditFailure {
	q := quoted{marks: marks, doc: doc, after: after, known: map[string]bool{}}
	var failed []replies.EditFailure
	for i := range ops {
		if err := cutTitle(doc, &ops[i]); err != nil {
			failed = append(failed, replies.EditFailure{Index: i, Error: err})
			continue
		}
		for text := range texts(&ops[i]) {
			if line, what := marks.MarkIn(text, q.isOwn); what != "" {
				failed = append(failed, replies.EditFailure{Index: i, Error: &replies.Error{
					Code: replies.CodeInvalidArgument, Message: replies.Say("the text has the line %q, %s", replies.Clip(line, 2*replies.MaxShown), what),
				}})
				break
			}
		}
	}
	return failed
}

// texts yields what an operation may bring into the document: its text, those in a value of front
// matter that is given as JSON, the names of the keys to it, the cells of its rows, and the titles
// of headings that it makes.
func texts(op *edit.Op) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(op.Text) {
			return
		}
		if path, ok := address.KeyPath(op.Address); ok {
			for _, name := range path {
				if (op.Action == edit.Set || op.Action == edit.Append) && !yield(name) {
					return
				}
			}
			values := json.NewDecoder(strings.NewReader(op.Text))
			for t, err := values.Token(); err == nil; t, err = values.Token() {
				if text, ok := t.(string); ok && !yield(text) {
					return
				}
			}
		}
		for _, row := range op.Rows {
			for _, cell := range row {
				if !yield(cell) {
					return
				}
			}
		}
		if op.CreateMissing {
			yield(strings.ReplaceAll(op.Address, " > ", "\n"))
		}
	}
}

// cutTitle refuses new text with a title that a reply has cut: one that ends in an ellipsis,
// and that of a heading of the document up to there. A title that stands in the document
// with its ellipsis may be written.
func cutTitle(doc *markdown.Document, op *edit.Op) *replies.Error {
	if !strings.Contains(op.Text, "…") {
		return nil
	}
	known := map[string]bool{}
	for title := range titlesOf(op) {
		if !strings.HasSuffix(title, "…") || titles(doc, known)[title] || !replies.IsCut(title, known) {
			continue
		}
		return replies.Invalid(replies.Say(
			"the text has the heading %q, which a reply has cut; give all of the heading, as the line of the document has it, or leave its last words out without the ellipsis",
			replies.Clip(replies.Safe(title), 2*replies.MaxShown)))
	}
	return nil
}

// titlesOf yields the texts of headings in what an operation puts in.
func titlesOf(op *edit.Op) iter.Seq[string] {
	return func(yield func(string) bool) {
		lines := slices.Collect(replies.SplitLines(op.Text))
		for i, line := range lines {
			line = strings.TrimSpace(line[len(replies.ContainerMarks().FindString(line)):])
			heading := op.Action == edit.Rename || strings.HasPrefix(line, "#") ||
				i+1 < len(lines) && lines[i+1] != "" && strings.Trim(lines[i+1], "=- \t>") == ""
			if heading && !yield(strings.Trim(line, "# \t")) {
				return
			}
		}
	}
}

// titles fills known with the titles of the document, as they are written and as replies
// show them, unless it is filled.
func titles(doc *markdown.Document, known map[string]bool) map[string]bool {
	if len(known) > 0 {
		return known
	}
	for i := range doc.Sections {
		known[strings.TrimLeft(reading.HeadingOf(doc, i), "# ")] = true
		known[replies.Safe(doc.SectionTitle(i))] = true
	}
	return known
}

// quoted are the lines of ours that a document has itself.
type quoted struct {
	marks      *replies.Marks
	doc, after *markdown.Document // after may be nil

	before, now         map[string]int // lines of ours in both, and how often they are there
	source, sourceAfter string         // both without escapes
	known               map[string]bool
}

// maxCounted is how many different lines are counted wherever they are in a line of the document, which
// takes a pass for each.
const maxCounted = 100

// isOwn reports whether a line of ours is one that the document has, and has no more often afterwards: as
// a cell of a table, too, or in a value of front matter.
func (q *quoted) isOwn(line string) bool {
	is, known := q.known[line]
	if known {
		return is
	}
	if q.before == nil {
		q.before = linesOfOurs(q.marks, q.doc)
		if q.source = withoutEscapes(string(q.doc.Source)); q.after != nil {
			q.now, q.sourceAfter = linesOfOurs(q.marks, q.after), withoutEscapes(string(q.after.Source))
		}
	}
	is = q.before[line] > 0 && q.now[line] <= q.before[line]
	if is && q.after != nil && len(q.known) < maxCounted {
		bare := withoutEscapes(line)
		is = strings.Count(q.sourceAfter, bare) <= strings.Count(q.source, bare)
	}
	q.known[line] = is
	return is
}

// linesOfOurs counts the lines of a document that look like ours, without blanks around
// them.
func linesOfOurs(m *replies.Marks, doc *markdown.Document) map[string]int {
	lines := map[string]int{}
	for line := range replies.SplitLines(string(doc.Source)) {
		if line = strings.TrimSpace(line); m.IsOurs(line) {
			lines[line]++
		}
	}
	return lines
}

// withoutEscapes returns a text without the signs by which cells and values in quotes hide others.
func withoutEscapes(text string) string { return strings.NewReplacer(`\`, "", "''", "'").Replace(text) }
