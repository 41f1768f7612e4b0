package editing

import (
	"fmt"
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Where new text meets its neighbours, and what was written that was not sent: so that
// nobody has to read again for a blank line.

const (
	jointChars = 40 // characters of a line
	maxUnsent  = 5  // lines that were not sent
	maxPlaces  = 20 // places of a text
)

// joint shows the line before the new text, its first and its last one, and the line after
// it; of a text that is gone the lines that are neighbours now. It is empty for a change
// within lines, and for a text in the place of another that begins and ends with as many
// line endings: who has named the one knows its neighbours.
func (e *editing) joint(op *edit.Op, c *edit.Change) string {
	l := c.Lines
	named := op.Action == edit.ReplaceText &&
		(op.Text != "" && edges(op.Old) == edges(op.Text) || !strings.ContainsAny(op.Old+op.Text, "\r\n"))
	if named || op.Action == edit.Rename || c.Count > 1 {
		return ""
	}
	if l.Len() == 0 {
		if len(e.ops) > 1 || len(e.result.Splices) != 1 || len(e.result.Doc.Source) == 0 {
			return ""
		}
		first := e.result.Doc.LineAt(min(e.result.Splices[0].Start, len(e.result.Doc.Source)-1))
		return e.shownLine(first-1) + " | " + e.shownLine(first)
	}
	joint := e.shownLine(l.First-1) + " | " + e.shownLine(l.First)
	switch {
	case l.Len() == 2:
		joint += " | " + e.shownLine(l.Last)
	case l.Len() > 2:
		joint += " … " + e.shownLine(l.Last)
	}
	return joint + " | " + e.shownLine(l.Last+1)
}

// edges returns how many line endings a text begins and ends with.
func edges(text string) [2]int {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return [2]int{len(text) - len(strings.TrimLeft(text, "\n")), len(text) - len(strings.TrimRight(text, "\n"))}
}

// shownLine shows a line of the new document: its number and the beginning of its text.
func (e *editing) shownLine(n int) string {
	doc := e.result.Doc
	switch {
	case n < 1:
		return "start"
	case n > doc.LineCount:
		return "end"
	}
	return fmt.Sprintf("%d %s", n, replies.JSON(replies.Clip(replies.Safe(e.lineText(n)), jointChars)))
}

// lineText returns the text of a line of the new document without its ending.
func (e *editing) lineText(n int) string {
	doc := e.result.Doc
	return strings.TrimRight(string(doc.Text(doc.LineSpan(markdown.Lines{First: n, Last: n}))), "\r\n")
}

// unsent shows the lines of the text of the only operation that are not among those that
// were sent, such as lines that an indentation was put before, and blank lines between it
// and its neighbours.
func (e *editing) unsent(op *edit.Op, c *edit.Change) string {
	if len(e.ops) > 1 || !op.Action.TakesText() || op.Action == edit.Rename || op.Action == edit.Set || op.Action == edit.ReplaceText || c.Count > 1 || c.Lines.Len() == 0 {
		return ""
	}
	sent := strings.Split(strings.TrimRight(strings.ReplaceAll(op.Text, "\r\n", "\n"), "\n"), "\n")
	var lines []string
	more := 0
	for n := c.Lines.First; n <= c.Lines.Last; n++ {
		text := e.lineText(n)
		if len(sent) > 0 && text == sent[0] {
			sent = sent[1:]
			continue
		}
		if len(sent) > 0 && strings.TrimLeft(text, " \t>") == strings.TrimLeft(sent[0], " \t>") {
			sent = sent[1:]
		}
		if len(lines) < maxUnsent {
			lines = append(lines, e.shownLine(n))
		} else {
			more++
		}
	}
	shown := strings.Join(lines, " | ")
	if more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return shown
}

// places lists the lines of the places that a text was put into by the only operation.
func (e *editing) places() string {
	var lines []string
	at := 0 // how much longer the new document is than the old one, before the splice
	for i, s := range e.result.Splices {
		if i == maxPlaces {
			return strings.Join(lines, ", ") + fmt.Sprintf(" and %d more", len(e.result.Splices)-i)
		}
		line := fmt.Sprint(e.result.Doc.LineAt(min(s.Start+at, max(len(e.result.Doc.Source)-1, 0))))
		at += len(s.Text) - s.Len()
		if len(lines) == 0 || lines[len(lines)-1] != line {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, ", ")
}
