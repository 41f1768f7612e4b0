package linediff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A diff is of lines as programs for patches know them: they end at LF alone. It
// begins with the splices, which say what was touched, however long the document
// is; only what is inside of them is compared.

// contextLines is how many lines that stay stand around those that change.
const contextLines = 3

// Splice is a range of the old text, and how many bytes stand there in the new one.
type Splice struct {
	Span
	Now int
}

// Texts are an old and a new text, and the splices that make the one of the other, in order.
type Texts struct {
	Old, New []byte
	Splices  []Splice
}

// Unified returns the change as a unified diff, from "a/" and the name to "b/" and the
// name, that patch -p1 makes the new text with from the old one, byte by byte. It is empty
// if nothing has changed. Characters of the name that would not be seen as they are stand
// quoted, as git does it.
func (r *Texts) Unified(name string) []byte {
	changes := r.lineChanges()
	if len(changes) == 0 {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", diffName("a/"+name), diffName("b/"+name))
	d := differ{old: r.Old, new: r.New}
	d.hunks(&b, changes)
	return b.Bytes()
}

// Unified returns the difference between what a file of the name held and what it holds, nil
// for no file, as Texts.Unified does.
func Unified(before, after []byte, name string) []byte {
	t := Texts{Old: before, New: after, Splices: []Splice{{Span: Span{End: len(before)}, Now: len(after)}}}
	diff := t.Unified(name)
	if len(diff) == 0 {
		return nil
	}
	lines := bytes.SplitAfterN(diff, []byte("\n"), 3)
	if before == nil {
		lines[0] = []byte("--- /dev/null\n")
	}
	if after == nil {
		lines[1] = []byte("+++ /dev/null\n")
	}
	return bytes.Join(lines, nil)
}

// Renamed returns a diff of a file, which may be empty, as that of one that gets another name, as git
// writes it. Where names can't be told apart it is the diff.
func Renamed(diff []byte, from, to string) []byte {
	if from == to {
		return diff
	}
	whole := func(name string) string { // in a line that has two, or nothing else
		if name = diffName(name); strings.HasSuffix(name, "\t") {
			return quotedName(name[:len(name)-1])
		}
		return name
	}
	renamed := fmt.Appendf(nil, "diff --git %s %s\nrename from %s\nrename to %s\n", whole("a/"+from), whole("b/"+to), whole(from), whole(to))
	if len(diff) == 0 {
		return renamed
	}
	hunks := bytes.SplitAfterN(diff, []byte("\n"), 3)[2]
	return append(fmt.Appendf(renamed, "--- %s\n+++ %s\n", diffName("a/"+from), diffName("b/"+to)), hunks...)
}

// Hunks returns what makes one text of another as the hunks of a unified diff, without the
// lines that name files. The texts begin with the lines, counted from 1, of what they are
// parts of. It is empty if they are the same.
func Hunks(before, after []byte, beforeLine, afterLine int) []byte {
	all := lineChange{old: Span{End: len(before)}, new: Span{End: len(after)}}
	var b bytes.Buffer
	d := differ{old: before, new: after, line: beforeLine - 1, shift: afterLine - beforeLine}
	d.hunks(&b, all.narrow(before, after))
	return b.Bytes()
}

// hunks writes all changes.
func (d *differ) hunks(b *bytes.Buffer, changes []lineChange) {
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && d.isNear(changes[n-1], changes[n]) {
			n++
		}
		d.hunk(b, changes[:n])
		changes = changes[n:]
	}
}

// Counts returns how many lines the diff adds and removes. A line that differs
// counts as both.
func (r *Texts) Counts() (added, removed int) {
	for _, c := range r.lineChanges() {
		added += countLines(r.New[c.new.Start:c.new.End])
		removed += countLines(r.Old[c.old.Start:c.old.End])
	}
	return added, removed
}

// countLines returns the number of lines of a text that begins with one.
func countLines(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// differ writes hunks, from the first to the last.
type differ struct {
	old, new []byte
	at       int // offset in old; the line that begins there is
	line     int // so many lines after the first, and
	shift    int // has so many lines more before it in new
}

// isNear reports whether the lines between two changes are all context.
func (d *differ) isNear(a, b lineChange) bool {
	return linesForward(d.old, a.old.End, b.old.Start, 2*contextLines) == b.old.Start
}

// hunk writes changes that are near to each other with the context around them.
func (d *differ) hunk(b *bytes.Buffer, changes []lineChange) {
	first, last := changes[0].old.Start, changes[len(changes)-1].old.End
	from := linesBack(d.old, d.at, first, contextLines)
	to := linesForward(d.old, last, len(d.old), contextLines)
	d.line += countLines(d.old[d.at:from])
	removed, added := countLines(d.old[from:to]), countLines(d.old[from:to])
	for _, c := range changes {
		added += countLines(d.new[c.new.Start:c.new.End]) - countLines(d.old[c.old.Start:c.old.End])
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", lineRange(d.line, removed), lineRange(d.line+d.shift, added))
	at := from
	for _, c := range changes {
		writeLines(b, ' ', d.old[at:c.old.Start])
		writeLines(b, '-', d.old[c.old.Start:c.old.End])
		writeLines(b, '+', d.new[c.new.Start:c.new.End])
		at = c.old.End
	}
	writeLines(b, ' ', d.old[at:to])
	d.at, d.line, d.shift = to, d.line+removed, d.shift+added-removed
}

// lineRange returns n lines after so many others as a hunk's head has them.
func lineRange(before, n int) string {
	switch n {
	case 0:
		return strconv.Itoa(before) + ",0"
	case 1:
		return strconv.Itoa(before + 1)
	}
	return strconv.Itoa(before+1) + "," + strconv.Itoa(n)
}

// writeLines writes lines with a mark before each.
func writeLines(b *bytes.Buffer, mark byte, text []byte) {
	for line := range bytes.Lines(text) {
		b.WriteByte(mark)
		b.Write(line)
		if line[len(line)-1] != '\n' {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// linesForward returns the offset n lines after the start of a line, or end.
func linesForward(src []byte, at, end, n int) int {
	for ; n > 0 && at < end; n-- {
		i := bytes.IndexByte(src[at:end], '\n')
		if i < 0 {
			return end
		}
		at += i + 1
	}
	return at
}

// linesBack returns the offset n lines before the start of a line, or first.
func linesBack(src []byte, first, at, n int) int {
	for ; n > 0 && at > first; n-- {
		at = first + bytes.LastIndexByte(src[first:at-1], '\n') + 1
	}
	return at
}

// diffName returns a file's name for the head of a diff. Programs take a name with
// blanks up to the tab after it, and undo what is written in quotes.
func diffName(name string) string {
	plain := utf8.ValidString(name)
	for _, r := range name {
		plain = plain && unicode.IsPrint(r) && r != '"' && r != '\\'
	}
	switch {
	case !plain:
		return quotedName(name)
	case strings.Contains(name, " "):
		return name + "\t"
	}
	return name
}

// quotedName returns a name in quotes, with the escapes of C for bytes that can't
// be read as they are.
func quotedName(name string) string {
	out := []byte{'"'}
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case unicode.IsPrint(r) && (r != utf8.RuneError || size > 1):
			out = append(out, name[i:i+size]...)
		default:
			for _, c := range []byte(name[i : i+size]) {
				out = fmt.Appendf(out, `\%03o`, c)
			}
		}
		i += size
	}
	return string(append(out, '"'))
}

// lineChange is whole lines of the old document and those that stand there in the
// new one. Between two of them at least one line is the same in both.
type lineChange struct{ old, new Span }

// lineChanges returns the lines that differ, in order.
func (r *Texts) lineChanges() []lineChange {
	var changes []lineChange
	for _, c := range r.touchedLines(lookFor{bytes.IndexByte, bytes.LastIndexByte}) {
		changes = append(changes, c.narrow(r.Old, r.New)...)
	}
	return changes
}

// lookFor is how the first and the last of a byte are found in a text.
type lookFor struct{ first, last func([]byte, byte) int }

// touchedLines returns the lines that the splices touch.
func (r *Texts) touchedLines(look lookFor) []lineChange {
	before, after := r.Old, r.New
	var touched []lineChange
	shift := 0 // from an offset after the splices so far to that in the new source
	// Many splices may stand in one long line, whose beginning and end are looked for once.
	from, searched, lineEnd := 0, 0, 0
	for _, s := range r.Splices {
		if i := look.last(before[searched:s.Start], '\n'); i >= 0 {
			from = searched + i + 1
		}
		searched = s.Start
		c := lineChange{old: Span{Start: from, End: s.End}, new: Span{Start: from + shift}}
		if n := len(touched); n > 0 && touched[n-1].old.End >= from {
			c.old.Start, c.new.Start = touched[n-1].old.Start, touched[n-1].new.Start
			touched = touched[:n-1]
		}
		shift += s.Now - s.Len()
		// The line that the splice ends in goes on to its end, in both sources.
		if end := s.End + shift; !isLineStart(before, s.End) || !isLineStart(after, end) {
			if s.End >= lineEnd {
				if i := look.first(before[s.End:], '\n'); i >= 0 {
					lineEnd = s.End + i + 1
				} else {
					lineEnd = len(before)
				}
			}
			c.old.End = lineEnd
		}
		c.new.End = c.old.End + shift
		touched = append(touched, c)
	}
	return touched
}

// isLineStart reports whether a line begins at the offset, or the source ends.
func isLineStart(src []byte, at int) bool {
	return at == 0 || at == len(src) || src[at-1] == '\n'
}

// narrow returns the changes inside of a change of one text into another. Lines that are more than
// are compared take no memory.
func (c lineChange) narrow(before, after []byte) []lineChange {
	c = c.trimmed(before, after)
	old, added := before[c.old.Start:c.old.End], after[c.new.Start:c.new.End]
	if len(old)+len(added) == 0 {
		return nil
	}
	if len(old) == 0 || len(added) == 0 || countLines(old)+countLines(added) > MaxLines {
		return []lineChange{c}
	}
	return c.compared(before, after)
}

// trimmed returns the change without the lines that are the same at its beginning and end.
func (c lineChange) trimmed(before, after []byte) lineChange {
	old, added := before[c.old.Start:c.old.End], after[c.new.Start:c.new.End]
	same, lines := 0, 0
	for most := min(len(old), len(added)); same < most && old[same] == added[same]; {
		if same++; old[same-1] == '\n' || same == len(old) && same == len(added) {
			lines = same
		}
	}
	c.old.Start, c.new.Start = c.old.Start+lines, c.new.Start+lines
	old, added = old[lines:], added[lines:]
	isStart := func(src []byte, at int) bool { return at == 0 || src[at-1] == '\n' }
	same, lines = 0, 0
	for most := min(len(old), len(added)); same < most && old[len(old)-1-same] == added[len(added)-1-same]; {
		if same++; isStart(old, len(old)-same) && isStart(added, len(added)-same) {
			lines = same
		}
	}
	c.old.End, c.new.End = c.old.End-lines, c.new.End-lines
	return c
}

// compared returns the changes inside of a change of lines that may be compared one by one.
func (c lineChange) compared(before, after []byte) []lineChange {
	old, added := linesAt(before, c.old), linesAt(after, c.new)
	var changes []lineChange
	for _, d := range Compare(old.lines, added.lines) {
		changes = append(changes, lineChange{old.span(d.Start, d.End), added.span(d.ReplStart, d.ReplEnd)})
	}
	return changes
}

// someLines are the lines of a part of a source.
type someLines struct {
	lines  []string
	starts []int // one more than lines
}

// linesAt returns the lines of a span.
func linesAt(src []byte, s Span) someLines {
	l := someLines{starts: []int{s.Start}}
	for line := range strings.Lines(string(src[s.Start:s.End])) {
		l.lines = append(l.lines, line)
		l.starts = append(l.starts, l.starts[len(l.starts)-1]+len(line))
	}
	return l
}

// span returns where the lines from i up to j are.
func (l *someLines) span(i, j int) Span {
	return Span{Start: l.starts[i], End: l.starts[j]}
}
