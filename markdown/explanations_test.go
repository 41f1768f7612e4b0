package markdown

import (
	"bytes"
	"regexp"
	"strings"
)

// explanations are tried in this order.
var explanations = []explanation{
	{name: "goldmark panics", match: func(x *difference) bool { return x.panics }},

	{name: "list: empty item behind definitions", example: "[a]: /u\n-\n", shared: true, match: func(x *difference) bool {
		return x.our(x.at-1).kind == LinkDefinition && x.their(x.at).kind == List &&
			x.our(x.at).line == x.their(x.at).line && emptyItem.Match(x.lineOf(x.their(x.at).line))
	}},

	// Tables. goldmark makes them of a paragraph's lines when it closes; GFM 4.10
	// lets a delimiter row begin one, and a blank line or another block end it.
	{name: "table: rows are what continues a paragraph", example: "|a|\n|-|\n    b\n", rest: withoutTables, shared: true, match: func(x *difference) bool {
		return x.their(x.at).kind == TableRow
	}},
	{name: "table: head with fewer cells than the delimiter row", example: "|a|\n|-|-|\n", rest: withoutTables, match: func(x *difference) bool {
		line := x.theirTable()
		return line > 0 && headCells(x.text(line)) < headCells(x.text(line+1))
	}},
	{name: "table: empty last cell of the head", example: "|a||\n|-|\n", rest: withoutTables, match: func(x *difference) bool {
		line := x.theirTable()
		return line > 0 && endsEmpty.Match(x.text(line)) && headCells(x.text(line)) == headCells(x.text(line+1))+1
	}},
	{name: "table: lazy line", example: "- |a|\n|-|\n", rest: withoutTables, match: func(x *difference) bool {
		line := x.theirTable()
		return line > 0 && (x.isLazy(line) || x.isLazy(line+1))
	}},
	{name: "table: delimiter row that is indented like code", example: "a\n    :-\n---\n", rest: withoutTables, shared: true, match: func(x *difference) bool {
		line := x.theirTable()
		return line > 0 && indentedLikeCode.Match(x.lineOf(line+1))
	}},
	{name: "table: behind a delimiter row that has no head", example: "a|b\n|-\n:-\n", rest: withoutTables, match: func(x *difference) bool {
		line := x.ourTable()
		return line > 0 && x.delimiterAbove(line)
	}},
	{name: "table: a definition as head", example: "[a]: /u\n|-|\n", rest: withoutTables, match: func(x *difference) bool {
		return x.ourTable() > 0 && x.their(x.at).kind == LinkDefinition
	}},

	{name: "table: dashes behind it underline the paragraph before", example: "a\nb\n:-\n-\n", rest: withoutTables, shared: true, match: func(x *difference) bool {
		o, t := x.our(x.at+1), x.their(x.at)
		return x.our(x.at).kind == Paragraph && o.kind == Table && t.kind == Table && o.line == t.line
	}},
	{name: "table: underline behind a row", example: "a\n:-\n===\n", rest: withoutTables, shared: true, match: func(x *difference) bool {
		return x.our(x.at).kind == TableRow && underline.Match(x.lineOf(x.our(x.at).line))
	}},

	{name: "table: escaped backslash before a pipe", example: "|a|b|\n|-|-|\n|c\\\\|d|\n", rest: withoutTables, shared: true, match: func(x *difference) bool {
		return x.inTable() && escapedBackslash.Match(x.toBlank(max(1, x.firstLine()-1)))
	}},

	// Footnotes. They have no specification; goldmark follows PHP Markdown Extra,
	// we follow GitHub.
	{name: "footnote: blanks behind the colon", example: "[^a]:     b\n", rest: withoutFootnotes, shared: true, match: func(x *difference) bool {
		return x.our(x.at-1).kind == FootnoteDefinition && x.their(x.at).kind == IndentedCode
	}},
	{name: "footnote: list behind the colon", example: "[^a]: - b\n      - c\n", rest: withoutFootnotes, shared: true, match: func(x *difference) bool {
		for i := x.at; i > 0; i-- {
			if x.our(i).kind == List && x.our(i-1).kind == FootnoteDefinition {
				return x.our(i).line == x.our(i-1).line && x.our(x.at).depth > x.our(i-1).depth
			}
		}
		return false
	}},
	{name: "footnote: label with white space", example: "[^a b]: c\n", rest: withoutFootnotes, shared: true, match: func(x *difference) bool {
		return x.their(x.at).kind == FootnoteDefinition && x.our(x.at).kind != FootnoteDefinition
	}},

	{name: "HTML: closing tag of a raw element", example: "</pre>\n# a\n", match: func(x *difference) bool {
		return x.our(x.at).kind == HTMLBlock && x.our(x.at).fact == "7" && closesRaw.Match(x.lineOf(x.our(x.at).line))
	}},
	{name: "HTML: self-closing tag of a raw element", example: "<pre/>\n", shared: true, match: func(x *difference) bool {
		return (x.our(x.at).kind == HTMLBlock || x.their(x.at).kind == HTMLBlock) && opensRaw.Match(x.lineOf(x.firstLine()))
	}},
	{name: "HTML: closing tag with more than a name", example: "</ a>\n", shared: true, match: func(x *difference) bool {
		return x.their(x.at).kind == HTMLBlock && x.our(x.at).kind != HTMLBlock && loosely.Match(x.lineOf(x.their(x.at).line))
	}},
	{name: "HTML: control character in an attribute", example: "<a b=\x01>\n", match: func(x *difference) bool {
		return x.our(x.at).kind == HTMLBlock && x.our(x.at).fact == "7" && controlInTag.Match(x.lineOf(x.our(x.at).line))
	}},
	{name: "list: made loose by a definition", example: "- [a]: /u\n  b\n", shared: true, match: func(x *difference) bool {
		return x.our(x.at).kind == List && x.our(x.at).fact+" loose" == x.their(x.at).fact && x.holdsDefinition()
	}},
	{name: "list: blank lines in code or HTML that isn't closed", example: "- ```\n\n- a\n", shared: true, match: func(x *difference) bool {
		return x.our(x.at).kind == List && x.our(x.at).fact+" loose" == x.their(x.at).fact && x.holdsOpenEnd()
	}},
	{name: "definition: parentheses that don't match", example: "[a]: /u(b\n", shared: true, match: func(x *difference) bool {
		return x.their(x.at).kind == LinkDefinition && x.our(x.at).kind != LinkDefinition &&
			unmatched(x.toBlank(x.their(x.at).line))
	}},
	{name: "definition: control character in the destination", example: "[a]: /u\x01\n", shared: true, match: func(x *difference) bool {
		return x.their(x.at).kind == LinkDefinition && x.our(x.at).kind != LinkDefinition &&
			controls.Match(x.toBlank(x.their(x.at).line))
	}},
	{name: "definition: angle bracket in the destination", example: "[a]: <b<c>\n", match: func(x *difference) bool {
		return x.their(x.at).kind == LinkDefinition && x.our(x.at).kind != LinkDefinition &&
			brackets.Match(x.toBlank(x.their(x.at).line))
	}},
	{name: "definition: label of more than 999 characters", example: "[" + strings.Repeat("a", 1000) + "]: /u\n", shared: true, match: func(x *difference) bool {
		text := x.toBlank(x.their(x.at).line)
		return x.their(x.at).kind == LinkDefinition && x.our(x.at).kind != LinkDefinition &&
			bytes.Index(text, []byte("]:"))-bytes.IndexByte(text, '[') > 999
	}},
	{name: "definition: behind a title that is none", example: "[a]: /u\n'b' [c]: /u\n", shared: true, match: func(x *difference) bool {
		return x.their(x.at).kind == LinkDefinition && x.our(x.at-1).kind == LinkDefinition &&
			noTitle.Match(x.lineOf(x.our(x.at).line))
	}},
	{name: "definition: line of the text behind one", example: "[a]:\n'b\n'c\n'd\n", shared: true, match: func(x *difference) bool {
		o, t := x.our(x.at), x.their(x.at)
		o.line, t.line = 0, 0
		return x.our(x.at-1).kind == LinkDefinition && o == t
	}},
	{name: "list: what follows an empty item", example: "-\n   * * *\n", match: func(x *difference) bool {
		return emptyItem.Match(x.lineOf(x.nonBlankAbove(x.firstLine())))
	}},
	{name: "task: checkbox in a heading", example: "- [ ] a\n  ===\n", shared: true, match: func(x *difference) bool {
		return x.our(x.at).kind == Item && x.our(x.at+1).kind == Heading && x.our(x.at).fact == "" && x.their(x.at).fact != ""
	}},
	{name: "task: checkbox without a blank or text behind it", example: "- [x]\n", shared: true, match: func(x *difference) bool {
		return x.our(x.at).kind == Item && x.their(x.at).kind == Item && x.our(x.at).fact == "" && x.their(x.at).fact != "" &&
			checkboxAlone.Match(x.lineOf(x.our(x.at+1).line))
	}},
}

var (
	closesRaw        = regexp.MustCompile(`(?i)</(pre|script|style|textarea)[ \t]*>[ \t]*$`)
	opensRaw         = regexp.MustCompile(`(?i)<(pre|script|style|textarea)/>`)
	loosely          = regexp.MustCompile(`</( +[a-zA-Z]|[a-zA-Z][^>]*/>)`)
	emptyItem        = regexp.MustCompile(`([-+*]|\d[.)])[ \t]*$`)
	endsEmpty        = regexp.MustCompile(`\|[ \t]*\|[ \t]*$|^[ \t>]*\|[ \t]*$`)
	indentedLikeCode = regexp.MustCompile(`^[ >]*    `)
	delimiterRow     = regexp.MustCompile(`^[ >]*[-:|][-:| ]*$`)
	controls         = regexp.MustCompile(`\]:\s*[^ \n]*[\x01-\x08\x0b-\x1f\x7f]`)
	brackets         = regexp.MustCompile(`\]:\s*<[^>\n]*<`)
	controlInTag     = regexp.MustCompile(`<[^<>]*[\x01-\x08\x0b-\x1f]`)
	noTitle          = regexp.MustCompile(`^[ >]*["'(]`)
	escapes          = regexp.MustCompile(`\\.`)
	escapedBackslash = regexp.MustCompile(`\\\\\|`)
	underline        = regexp.MustCompile(`^[ >]*(=+|-+) *$`)
	checkboxAlone    = regexp.MustCompile(`\[[ xX]\]([^ \t]|[ \t]*$)`)
)

// theirTable returns the line of goldmark's table at the difference that we
// don't have, or 0.
func (x *difference) theirTable() int { return newTable(x.theirs, x.ours, x.at) }

// ourTable is theirTable the other way round.
func (x *difference) ourTable() int { return newTable(x.ours, x.theirs, x.at) }

// newTable returns the line of a table in a, at most two shapes after the
// difference, that isn't in b.
func newTable(a, b []shape, at int) int {
	for i := at; i < min(at+3, len(a)); i++ {
		if a[i].kind != Table {
			continue
		}
		for _, s := range b {
			if s.kind == Table && s.line == a[i].line {
				return 0
			}
		}
		return a[i].line
	}
	return 0
}

// inTable reports whether one of the shapes at the difference is part of a table.
func (x *difference) inTable() bool {
	for _, s := range []shape{x.our(x.at), x.their(x.at), x.our(x.at - 1)} {
		if s.kind == Table || s.kind == TableRow || s.kind == TableCell {
			return true
		}
	}
	return false
}

// headCells counts the cells of a row as GFM's examples do: pipes divide them,
// one at either end doesn't count, and a row that is one pipe has none.
func headCells(row []byte) int {
	row = bytes.Trim(row, " ")
	row = bytes.ReplaceAll(row, []byte(`\|`), []byte("x"))
	row = bytes.TrimPrefix(row, []byte("|"))
	if len(row) == 0 {
		return 0
	}
	return bytes.Count(bytes.TrimSuffix(row, []byte("|")), []byte("|")) + 1
}

// delimiterAbove reports whether a delimiter row stands on the line or above it
// before the next blank line.
func (x *difference) delimiterAbove(line int) bool {
	for ; len(bytes.Trim(x.lineOf(line), " >")) > 0; line-- {
		if delimiterRow.Match(x.lineOf(line)) {
			return true
		}
	}
	return false
}

// nonBlankAbove returns the next line above that isn't blank, or 0.
func (x *difference) nonBlankAbove(line int) int {
	for line--; line > 0 && len(bytes.Trim(x.lineOf(line), " >")) == 0; {
		line--
	}
	return line
}

// toBlank returns the lines from the line to the next blank one.
func (x *difference) toBlank(line int) []byte {
	var text []byte
	for ; len(bytes.Trim(x.lineOf(line), " ")) > 0; line++ {
		text = append(append(text, x.lineOf(line)...), '\n')
	}
	return text
}

// unmatched reports whether what may be a destination has more parentheses of one
// kind than of the other.
func unmatched(text []byte) bool {
	for i := range text {
		if !bytes.HasPrefix(text[i:], []byte("]:")) {
			continue
		}
		destination := bytes.TrimLeft(text[i+2:], " \n>")
		if end := bytes.IndexAny(destination, " \n"); end >= 0 {
			destination = destination[:end]
		}
		destination = escapes.ReplaceAll(destination, nil)
		if bytes.Count(destination, []byte("(")) != bytes.Count(destination, []byte(")")) {
			return true
		}
	}
	return false
}

// holdsDefinition reports whether a definition stands in the list at the
// difference, in an item of it and no deeper.
func (x *difference) holdsDefinition() bool {
	list := x.our(x.at)
	for i := x.at + 1; i < len(x.ours) && x.ours[i].depth > list.depth; i++ {
		if x.ours[i].kind == LinkDefinition && x.ours[i].depth == list.depth+2 {
			return true
		}
	}
	return false
}

// holdsOpenEnd reports whether an item of the list at the difference ends with
// code or HTML whose last line is blank.
func (x *difference) holdsOpenEnd() bool {
	list := x.our(x.at)
	for i := x.at + 1; i < len(x.ours) && x.ours[i].depth > list.depth; i++ {
		if k := x.ours[i].kind; k != FencedCode && k != HTMLBlock {
			continue
		}
		if next := x.our(i + 1).line; next > 0 && len(bytes.Trim(x.lineOf(next-1), " >")) == 0 {
			return true
		}
	}
	return false
}

// text returns line n as it stands in the paragraph or table that it is part of,
// without the prefixes of containers.
func (x *difference) text(n int) []byte {
	d, err := (&Parser{Options: Options{NoFrontMatter: true, NoTables: true, NoFootnotes: !x.dialect.footnotes}}).Parse(x.src)
	if err != nil {
		return nil
	}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if b.Kind != Paragraph && b.Kind != Heading && b.Kind != LinkDefinition || n < int(b.StartLine) || n > int(b.EndLine) {
			continue
		}
		line := int(b.StartLine)
		for l := range d.ContentLines(i) {
			if line == n {
				return d.Text(l.Span)
			}
			line++
		}
	}
	return x.lineOf(n)
}

// isLazy reports whether the line lacks the prefix of a container that the
// paragraph on it stands in. There are no tabs in the source.
func (x *difference) isLazy(line int) bool {
	d, err := (&Parser{Options: Options{NoFrontMatter: true, NoTables: true, NoFootnotes: !x.dialect.footnotes}}).Parse(x.src)
	if err != nil {
		return false
	}
	for i := range d.Blocks {
		if b := &d.Blocks[i]; b.Kind != Paragraph && b.Kind != Heading || line < int(b.StartLine) || line > int(b.EndLine) {
			continue
		}
		rest := x.lineOf(line)
		for _, c := range d.containers(i) {
			trimmed := bytes.TrimLeft(rest, " ")
			switch indent := len(rest) - len(trimmed); {
			case int(c.StartLine) == line:
				return false // the paragraph begins here, too
			case c.Kind != BlockQuote && indent < int(c.Level):
				return true
			case c.Kind != BlockQuote:
				rest = rest[c.Level:]
			case indent > 3 || !bytes.HasPrefix(trimmed, []byte(">")):
				return true
			default:
				rest = bytes.TrimPrefix(trimmed[1:], []byte(" "))
			}
		}
	}
	return false
}
