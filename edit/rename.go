package edit

import (
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// Renaming replaces the text of a heading: what stands between its marks, or above
// its underline.

// rename changes the text of a section's heading.
func (op *Op) rename(s *section, c *content) (*change, *Error) {
	title, err := c.title(s.level)
	if err != nil {
		return nil, err
	}
	b := int(s.doc.Sections[s.index].Heading)
	heading := &s.doc.Blocks[b]
	if kept := address.Attributes(string(s.doc.Text(s.doc.Content(b)))); address.Attributes(title) == "" && kept != "" {
		title += " " + kept // others lead to its anchor
	}
	splice := Splice{s.doc.Content(b), []byte(title)}
	if splice.Len() == 0 { // nothing but marks
		splice.Span = markdown.Span{Start: int(heading.Start) + int(s.level), End: int(heading.End)}
		splice.Text = []byte(" " + title)
	}
	ch := s.keeping(splicing(splice))
	ch.first, ch.last = splice.Start, splice.Start+len(splice.Text)
	ch.joined = []int{b} // an empty one has no text to be replaced
	ch.verify = func(doc *markdown.Document) *Error { return isTitled(doc, ch.after, heading, title) }
	return ch, nil
}

// title returns the text of a heading that the content is: with or without marks,
// which must be of the level.
func (c *content) title(level uint8) (string, *Error) {
	if strings.Contains(c.text, "\n") {
		return "", &Error{Code: InvalidArgument, Message: "a heading is one line; leave the line breaks out"}
	}
	title := strings.Trim(c.text, " \t")
	if own := c.level(); own > 0 {
		if own != level {
			return "", &Error{Code: LevelMismatch, Message: fmt.Sprintf(
				"the heading has level %d and keeps it; give the text alone, or with %s", level, marks(level))}
		}
		title = string(c.doc.Text(c.doc.Content(0)))
	}
	if title == "" {
		return "", &Error{Code: InvalidArgument, Message: "the new text of the heading is empty; give one"}
	}
	return title, nil
}

// isTitled checks that the heading of the section at an offset has the title, and
// is otherwise as it was.
func isTitled(doc *markdown.Document, at int, old *markdown.Block, title string) *Error {
	node, ok := nodeAt(doc, at, 0)
	if ok {
		b := int(doc.Sections[node.Section].Heading)
		heading := &doc.Blocks[b]
		ok = heading.Level == old.Level && heading.Marker == old.Marker && string(doc.Text(doc.Content(b))) == title
	}
	if !ok {
		return &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"in the place of the heading, %s would not be its text; escape what means something there with a backslash", quoted(title))}
	}
	return nil
}
