package edit

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// Who reads a block in containers is shown its bytes: all of its lines but the first
// with the containers' prefix. A text that is sent for it comes as it was read, with the
// prefix, or as a text of its own, without. Taken for the other one, code would get
// marks of quotes or blanks into it, and its closing fence would be none.

// asRead returns a text as it is without the containers' prefix, and its lines as they
// are written, if it came with the prefix; else the text and nil. The error is for a text
// of which neither can be told.
func (op *Op) asRead(n *nested, c *content) (bare *content, written []string, failed *Error) {
	lines := strings.Split(c.text, "\n")
	old := map[string]bool{} // the lines that were read with a prefix
	if op.Action == Replace {
		read := strings.Split(withEnding(string(n.doc.Source[n.span.Start:n.end()]), "\n"), "\n")
		if slices.Equal(lines, read) {
			return nil, nil, noChange()
		}
		for _, line := range read[1:] {
			old[line] = true
		}
	}
	inQuote := strings.Contains(n.prefix, ">")
	written = []string{lines[0]}
	stripped := []string{lines[0]}
	all, some, shared, odd := len(lines) > 1, false, false, false
	for _, line := range lines[1:] {
		rest, ok := n.strip(line)
		if old[line] {
			if !ok {
				rest, ok = n.stripped(line), true
			}
			shared = shared || rest != ""
		}
		isMarked := inQuote && strings.HasPrefix(strings.TrimLeft(line, " \t"), ">")
		all, some, odd = all && ok, some || isMarked, odd || isMarked && !ok
		stripped = append(stripped, rest)
		if !ok {
			line = n.prefixed(line)
		}
		written = append(written, line)
	}
	switch {
	case odd && shared, some && !all && !shared && c.isLazy():
		return nil, nil, &Error{Code: InvalidArgument, Message: "some lines of the text begin with the marks of the quote that the block stands in, and some don't; " +
			"write them before each line but the first, or before none and with a blank line before a quote in the text"}
	case !all && !shared:
		return c, nil, nil
	}
	if rest, ok := n.strip(lines[0]); ok && shared && n.block.Kind != markdown.BlockQuote && n.block.Kind != markdown.IndentedCode {
		stripped[0], written[0] = rest, rest // whole lines were sent
	}
	if bare, failed = newContent(strings.Join(stripped, "\n")); failed != nil {
		return nil, nil, failed
	}
	if n.isLike(bare) || !n.isLike(c) {
		if inQuote || all && (shared || n.showsPrefix(old) || bare.isCode()) || shared && n.isLike(bare) {
			return bare, written, nil
		}
	}
	return c, nil, nil
}

// isLike reports whether a text is one block of the kind.
func (n *nested) isLike(c *content) bool {
	if len(c.doc.Blocks) == 0 || int(c.doc.Blocks[0].Next) != len(c.doc.Blocks) {
		return false
	}
	kind := n.block.Kind
	if kind == markdown.Item {
		kind = markdown.List
	}
	return c.doc.Blocks[0].Kind == kind
}

// showsPrefix reports whether who reads these lines sees the prefix.
func (n *nested) showsPrefix(lines map[string]bool) bool {
	for line := range lines {
		if rest, ok := n.strip(line); ok && rest != "" {
			return true
		}
	}
	return false
}

// isCode reports whether the text begins with fenced code. Without the blanks before its
// lines its fences stand below each other, so they were not meant for the code.
func (c *content) isCode() bool {
	return len(c.doc.Blocks) > 0 && c.doc.Blocks[0].Kind == markdown.FencedCode
}

// isLazy reports whether a quote in the text begins on the line below other text, or
// code in it has no end: marks of quotes at the beginning of lines may be those of a
// quote around it.
func (c *content) isLazy() bool {
	for b := range c.doc.Children(-1) {
		block := &c.doc.Blocks[b]
		line := lineStart(c.doc.Source, int(block.Start))
		if block.Kind == markdown.BlockQuote && block.StartLine > 1 && !isBlank(c.doc.Source[lineBefore(c.doc.Source, line):line], "") {
			return true
		}
	}
	return openFrom(c.doc) >= 0
}

// strip returns a line without the containers' prefix, and whether it has it. Behind the
// mark of a quote there may be no blank.
func (n *nested) strip(line string) (rest string, ok bool) {
	if strings.Trim(line, " \t") == "" {
		return "", !strings.Contains(n.prefix, ">")
	}
	rest, prefix := line, n.prefix
	for prefix != "" {
		blanks := prefix[:len(prefix)-len(strings.TrimLeft(prefix, " \t"))]
		if prefix = prefix[len(blanks):]; blanks != "" {
			if rest, ok = strings.CutPrefix(rest, blanks); !ok {
				return line, false
			}
			continue
		}
		if rest, ok = strings.CutPrefix(rest, ">"); !ok {
			return line, false
		}
		prefix = prefix[1:]
		if _, ok := strings.CutPrefix(rest, " "); !ok {
			prefix = strings.TrimPrefix(prefix, " ")
		}
	}
	return rest, true
}

// stripped returns a line of the block, which may have less of a prefix, without it.
func (n *nested) stripped(line string) string {
	for range strings.Count(n.prefix, ">") {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), ">")
		if !ok {
			break
		}
		line = strings.TrimPrefix(rest, " ")
	}
	mark := strings.LastIndexByte(n.prefix, '>')
	behind := n.prefix[mark+1:]
	if mark >= 0 {
		behind = strings.TrimPrefix(behind, " ")
	}
	for range len(behind) {
		rest, ok := strings.CutPrefix(line, " ")
		if !ok {
			break
		}
		line = rest
	}
	return line
}
