package outline

import (
	"slices"
	"strconv"
)

// AppendASCII appends the tree in the form that tools answer with: the file's name, an empty
// line, then a line for each section, indented by two spaces for each section
// that it stands in, however many levels are skipped between them.
//
//	guide.md
//
//	└ Guide H1:1:240
//	  │ Installation H2:12:80
//	  └ Uninstalling H2:200:240
//
// The last section in its parent has "└", the others "│". What follows the last
// space of a line is always level, first and last line; a heading without text
// has nothing else. Names are printed as AppendSafe does, so that a line is a
// section and does nothing to a terminal.
func (t *Tree) AppendASCII(dst []byte, fileName string) []byte {
	dst = t.appendHead(dst, fileName)
	for n := range t.nodes() {
		dst = t.appendRow(dst, &n)
	}
	return dst
}

// appendRow appends the line of a section as AppendASCII does.
func (t *Tree) appendRow(dst []byte, n *Node) []byte {
	const indents = "          " // 5 levels
	dst = append(dst, indents[:2*n.Depth]...)
	if n.Last {
		dst = append(dst, "└ "...)
	} else {
		dst = append(dst, "│ "...)
	}
	return t.appendLine(dst, n, Style{})
}

// AppendStyled appends the tree for people to look at: as AppendASCII, but with the
// sections of a parent joined by lines, and with something around the parts of each line,
// such as a terminal's colours.
//
//	guide.md
//
//	└ Guide H1:1:240
//	  ├ Installation H2:12:199
//	  │ └ Linux H3:20:199
//	  └ Uninstalling H2:200:240
func (t *Tree) AppendStyled(dst []byte, fileName string, s Style) []byte {
	dst = t.appendHead(dst, fileName)
	var goesOn [6]bool // by depth: another section of the same parent follows
	for n := range t.nodes() {
		for _, on := range goesOn[:n.Depth] {
			if on {
				dst = append(dst, "│ "...)
			} else {
				dst = append(dst, "  "...)
			}
		}
		if goesOn[n.Depth] = !n.Last; n.Last {
			dst = append(dst, "└ "...)
		} else {
			dst = append(dst, "├ "...)
		}
		dst = t.appendLine(dst, &n, s)
	}
	return dst
}

// appendHead appends what stands above the sections.
func (t *Tree) appendHead(dst []byte, fileName string) []byte {
	dst = slices.Grow(dst, len(fileName)+nodeSize/2*(1+len(t.kept)))
	return append(AppendSafe(dst, fileName), "\n\n"...)
}

// appendLine appends the line of a section, without what stands before its name.
func (t *Tree) appendLine(dst []byte, n *Node, s Style) []byte {
	dst = append(dst, s.Name.Before...)
	name := len(dst)
	dst = t.appendName(dst, n.Section)
	if len(dst) == name { // a heading without text
		dst = dst[:name-len(s.Name.Before)]
	} else {
		dst = append(dst, s.Name.After...)
		dst = append(dst, ' ')
	}
	dst = append(dst, s.Range.Before...)
	dst = append(dst, n.Level.String()...)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(n.StartLine), 10)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(n.EndLine), 10)
	dst = append(dst, s.Range.After...)
	return append(dst, '\n')
}

// A Style says what stands around the parts of a line; the zero value puts
// nothing there.
type Style struct {
	Name  Mark // the section's name
	Range Mark // its level and lines
}

// A Mark is put before and after a part of a line.
type Mark struct{ Before, After string }
