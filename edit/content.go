package edit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// content is the text of an operation.
type content struct {
	text  string // without blank lines around it, with LF as line ending
	doc   *markdown.Document
	draft *draft // that it is for
	inner bool   // it is for a place in containers, where no line alone is a heading
}

// newContent checks a text and parses it in the dialect of the draft that it is for.
func newContent(d *draft, text string) (*content, *Error) {
	return (&content{draft: d}).of(text)
}

// within returns the content as it is read in containers.
func (c *content) within() (*content, *Error) {
	if c.inner || c.draft.before.Options().Headings == nil {
		return c, nil
	}
	return (&content{draft: c.draft, inner: true}).of(c.text)
}

// of returns the content for the same place with another text.
func (c *content) of(text string) (*content, *Error) {
	if problem := checkText(text); problem != "" {
		return nil, &Error{Code: InvalidArgument, Message: problem}
	}
	c = &content{draft: c.draft, inner: c.inner, text: textlines.Bare(text)}
	dialect := c.draft.before.Options()
	if dialect.NoFrontMatter = true; c.inner {
		dialect.Headings = nil
	}
	var err error
	if c.doc, err = (&markdown.Parser{Options: dialect}).Parse([]byte(c.text)); err != nil {
		return nil, asError(err)
	}
	if len(c.doc.Blocks) == 0 { // white space of other kinds
		c.text = ""
	}
	return c, nil
}

// checkText says what keeps a text from being written, "" if nothing does.
func checkText(text string) string {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return fmt.Sprintf("the text has a NUL character at byte %d; take it out", i)
	}
	if !utf8.ValidString(text) {
		return "the text is not UTF-8; convert it"
	}
	return ""
}

// level returns the level of the heading that the text begins with, or 0.
func (c *content) level() uint8 {
	if len(c.doc.Blocks) == 0 || len(c.doc.Sections) == 0 || c.doc.Sections[0].Heading != 0 {
		return 0
	}
	return c.doc.Sections[0].Level
}

// highest returns the smallest level of the headings, or 7.
func (c *content) highest() uint8 {
	level := uint8(7)
	for i := range c.doc.Sections {
		level = min(level, c.doc.Sections[i].Level)
	}
	return level
}

// hasBelow reports whether the text has a heading below the level.
func (c *content) hasBelow(level uint8) bool {
	return slices.ContainsFunc(c.doc.Sections, func(s markdown.Section) bool { return s.Level > level })
}

// adopts returns the section of the text that a heading of the level would stand in
// after it, or -1.
func (c *content) adopts(level uint8) int {
	i := len(c.doc.Sections) - 1
	for i >= 0 && c.doc.Sections[i].Level >= level {
		i = int(c.doc.Sections[i].Parent)
	}
	return i
}

// firstBlock returns where the first block of the text begins when the text is put
// at an offset.
func (c *content) firstBlock(at int) int { return at + int(c.doc.Blocks[0].Start) }
