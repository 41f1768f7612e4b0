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
	var own map[string]bool // lines of ours that the document has
	allowed := func(line string) bool {
		if own == nil {
			own = linesOfOurs(marks, doc)
		}
		return own[line] && (after == nil || copies(after, line) <= copies(doc, line))
	}
	var failed []replies.EditFailure
	for i := range ops {
		if err := cutTitle(doc, &ops[i]); err != nil {
			failed = append(failed, replies.EditFailure{Index: i, Error: err})
			continue
		}
		for text := range texts(&ops[i]) {
			if line, what := marks.MarkIn(text, allowed); what != "" {
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

// linesOfOurs returns the lines of a document that look like ours, without blanks around
// them.
func linesOfOurs(m *replies.Marks, doc *markdown.Document) map[string]bool {
	lines := map[string]bool{}
	for line := range replies.SplitLines(string(doc.Source)) {
		if line = strings.TrimSpace(line); m.IsOurs(line) {
			lines[line] = true
		}
	}
	return lines
}

// copies counts how often a document has a line, whatever is around it: as a cell of a table, too, or
// in a value of front matter.
func copies(doc *markdown.Document, line string) int {
	return strings.Count(withoutEscapes(string(doc.Source)), withoutEscapes(line))
}

// withoutEscapes returns a text as it is without the signs by which cells and values in quotes hide others.
func withoutEscapes(text string) string { return strings.NewReplacer(`\`, "", "''", "'").Replace(text) }
