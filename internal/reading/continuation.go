package reading

import (
	"fmt"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// How a reply says what to ask for next.

// Continuation is a request for what a reply left out. Its own reply has a head
// and some text, however long the path is.
type Continuation struct {
	Path               string
	StartLine, EndLine int      // 0 if Headings are asked for
	StartChar          int      // where the rest of one line begins, or 0
	Headings           []string // nil if lines are asked for
	Map                bool     // the sections in the one of Headings, or in the lines, are asked for
	// MaxChars is that of the request that was answered, 0 if it had none; or more
	// if the path is so long that hardly anything beside it would fit.
	MaxChars int
}

// continuations returns the requests for what was left out and asked for.
func (r *reading) continuations(p *passage) []Continuation {
	var next []Continuation
	add := func(l markdown.Lines, char int) {
		if l.Len() > 0 {
			next = append(next, Continuation{
				Path: r.source, StartLine: l.First, EndLine: l.Last, StartChar: char, MaxChars: r.next,
			})
		}
	}
	for _, l := range outside(p.left, p.omit) {
		if l.First == p.part.Line {
			add(markdown.Lines{First: l.First, Last: l.First}, p.part.EndChar+1)
			l.First++
		}
		add(l, 0)
	}
	return next
}

// headRoom is the number of characters that a reply for lines needs beside the
// path and the call that continues, to have some text.
const headRoom = 320

// headLines is the number of lines of ours that such a reply may have.
const headLines = 12

// markRoom returns the number of characters that its mark takes.
func (r *reading) markRoom() int {
	return utf8.RuneCountInString(r.spare.Top()) + headLines*r.spare.Chars()
}

// nextMaxChars returns the number of characters for requests that go on: that of
// the request, unless the path is too long for it.
func (r *reading) nextMaxChars() int {
	if r.req.MaxChars == 0 {
		return 0
	}
	n := r.doc.LineCount
	call := r.req.Call(Continuation{Path: r.source, StartLine: n, EndLine: n, StartChar: n, MaxChars: replies.FullChars})
	needed := headRoom + r.markRoom() + utf8.RuneCountInString(call) + utf8.RuneCountInString(r.path)
	return max(r.req.MaxChars, min(needed, replies.FullChars))
}

// toolCall spells a request as a call of the tool read_file.
func toolCall(c Continuation) string {
	switch {
	case c.Headings == nil:
		return fmt.Sprintf(replies.ToolReadFile+"(path=%s, %s)", replies.JSON(c.Path), c.linesAndLength())
	case c.Map:
		return fmt.Sprintf(replies.ToolReadFile+"(path=%s, heading=%s, map=true%s)", replies.JSON(c.Path), replies.JSON(c.Headings[0]), c.length())
	}
	return fmt.Sprintf(replies.ToolReadFile+"(path=%s, headings=%s%s)", replies.JSON(c.Path), replies.JSON(c.Headings), c.length())
}

// ReadSectionCall spells a request as a call of the tool markdown_read_section,
// which takes one heading at most; of several it names the first.
func ReadSectionCall(c Continuation) string {
	if c.Headings == nil {
		return fmt.Sprintf(replies.ToolReadSection+"(file_path=%s, %s)", replies.JSON(c.Path), c.linesAndLength())
	}
	return fmt.Sprintf(replies.ToolReadSection+"(file_path=%s, section_name=%s%s)",
		replies.JSON(c.Path), replies.JSON(c.Headings[0]), c.length())
}

// linesAndLength spells the arguments of a tool that ask for lines.
func (c *Continuation) linesAndLength() string {
	args := fmt.Sprintf("start_line=%d, end_line=%d", c.StartLine, c.EndLine)
	if c.StartChar > 0 {
		args += fmt.Sprintf(", start_char=%d", c.StartChar)
	}
	if c.Map {
		args += ", map=true"
	}
	return args + c.length()
}

// length spells the argument of a tool that limits the reply.
func (c *Continuation) length() string {
	if c.MaxChars == 0 {
		return ""
	}
	return fmt.Sprintf(", max_chars=%d", c.MaxChars)
}
