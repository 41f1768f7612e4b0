package comparing

import (
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sectiondiff"
)

// Lines that differ are text of documents, between lines of ours. To who reads them as a model
// does, a mark tells both apart, and what can't be seen in them is told above them.

// part is some lines of the reply, of ours or of documents.
type part struct {
	text   string
	theirs bool
}

// chars returns how many characters a part has if each line of ours has so many more.
func (p part) chars(mark int) int {
	n := utf8.RuneCountInString(p.text)
	if !p.theirs {
		n += mark * strings.Count(p.text, "\n")
	}
	return n
}

// markRoom returns how many characters each line of ours may have more.
func (c *comparing) markRoom() int {
	if c.docs.Marks == nil || !c.req.Patch {
		return 0
	}
	return replies.MaxMark
}

// block returns what the reply says of a change: a line, and the lines that differ if they are
// asked for.
func (c *comparing) block(change *sectiondiff.Change) []part {
	line := c.line(change) + "\n"
	if !c.req.Patch {
		return []part{{text: line}}
	}
	return c.withDifference(line, c.patch(change))
}

// withDifference returns a line of ours and the lines that differ below it.
func (c *comparing) withDifference(line, diff string) []part {
	if diff == "" {
		return []part{{text: line}}
	}
	if c.docs.Marks != nil {
		for _, warning := range replies.UnseenIn([]byte(diff)) {
			line += "warning: " + warning + "\n"
		}
	}
	return []part{{text: line}, {text: diff, theirs: true}}
}

// cut returns the first lines of what is told of one change, and one that says how many aren't
// there, if there is no room for all.
func (c *comparing) cut(block []part, room, mark int) []part {
	if len(block) < 2 || block[0].chars(mark)+block[1].chars(mark) <= room {
		return block
	}
	const note = 80
	lines := strings.SplitAfter(strings.TrimSuffix(block[1].text, "\n"), "\n")
	kept := 0
	for n := block[0].chars(mark) + note + mark; kept < len(lines); kept++ {
		if n += utf8.RuneCountInString(lines[kept]); n > room {
			break
		}
	}
	line, _, _ := strings.Cut(block[0].text, "\n") // the warning may be of what is cut off
	return append(c.withDifference(line+"\n", strings.Join(lines[:kept], "")),
		part{text: replies.LeftOutRest(len(lines)-kept, len(lines), "read the section") + "\n"})
}

// joined returns the reply of its parts. Where lines of ours follow text of a document, or the
// text seems to tell of a mark, each of ours has one; else the first empty line divides them.
func (c *comparing) joined(parts []part) []byte {
	var all strings.Builder
	first := len(parts) // of documents
	for i, p := range parts {
		all.WriteString(p.text)
		if p.theirs {
			first = min(first, i)
		}
	}
	plain := []byte(all.String())
	switch {
	case c.docs.Marks == nil || first == len(parts):
		return plain
	case first == len(parts)-1 && !replies.Announcing(plain):
		diff := parts[first].text
		return []byte(strings.TrimSuffix(all.String(), diff) + "\n" + diff)
	}
	mark := c.docs.Marks.Draw(plain)
	text := []byte(mark.Top())
	for _, p := range parts {
		if p.theirs {
			text = append(text, p.text...)
		} else {
			text = append(text, mark.Lines([]byte(p.text))...)
		}
	}
	return text
}
