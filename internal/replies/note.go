package replies

import (
	"fmt"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// A note is a line of ours in brackets below or inside a text, and says what the reply
// doesn't show of the text. This file has all forms of notes that a model may send back
// with the text: a function that writes each, beside the expression that knows it again.
// What becomes of a text with a note in it, echo.go says.

// The kinds of notes.
const (
	leftOut  = "left out"  // in the place of lines, or of the end of a text
	notShown = "not shown" // for matches of which nothing is there
	putOff   = "put off"   // for headings of which nothing is there
	warning  = "warning"   // below a text that is there, on characters that can't be seen
)

// The expressions that know the notes again; notes of a reply of several parts begin with
// its mark. The first of them has the lines that are left out in a group.
var (
	leftOutMark = Lazily(marked + `\[` + leftOut + `: (lines \d+(?:-\d+)?|lines \d+ \(from character \d+\)(?:, \d+(?:-\d+)?)?)\]$|` +
		marked + `\[` + leftOut + `: (lines? \d+(?:-\d+)?) of \d+(?:-\d+)?; rest: .+\]$|` +
		marked + `\[` + leftOut + `: (lines? \d+(?:-\d+)?(?: behind \d+ characters(?: and lines? \d+(?:-\d+)?)?)?); .+\]$`)
	notShownMark = Lazily(marked + `\[(?:` + notShown + `: \d+ of \d+ matches(?:[:;] .+)?|` + putOff + `: the last \d+ of the headings(?:[:;] .+)?|` + leftOut + `: \d+ of \d+ lines?; .+)\]$`)
	warningMark  = Lazily(marked + `\[` + warning + `: (?:the text has )?\d+ invisible or direction-changing characters?(?: \(U\+.+\))?\]$`)
	planMark     = Lazily(marked + `\[` + leftOut + `: (?:the end of )?\d+ (?:lines?; .+|tasks?; .+|tasks? below those that are done(?:; .+)?)\]$|` +
		marked + `\[` + leftOut + `: from line \d+ of the difference on.*\]$`)
)

func note(kind, what string) string { return "[" + kind + ": " + what + "]\n" }

// LeftOutLines is the note in the place of lines. The first of them is there up to
// character from, exclusive, if from is not 0; LineRanges renders them.
func LeftOutLines(l markdown.Lines, from int) string {
	return note(leftOut, "lines "+LineRanges(l, from))
}

// LeftOutLinesChars is the number of characters of LeftOutLines without the lines.
const LeftOutLinesChars = len("[" + leftOut + ": lines ]\n")

// LineRanges renders lines, the first of which is there up to character from, exclusive,
// if from is not 0: "5 (from character 80), 6-9".
func LineRanges(l markdown.Lines, from int) string {
	if from == 0 {
		return LineRange(l)
	}
	text := fmt.Sprintf("%d (from character %d)", l.First, from)
	if l.First++; l.Len() > 0 {
		text += ", " + LineRange(l)
	}
	return text
}

// LeftOutEnd is the note on the last lines of some, with what asks for the rest.
func LeftOutEnd(left, all markdown.Lines, rest string) string {
	return note(leftOut, fmt.Sprintf("%s of %s; rest: %s", named(left), LineRange(all), rest))
}

// LeftOutAfter is the note on lines, of the first of which so many characters are there,
// or none, with the ways to the rest.
func LeftOutAfter(characters int, left markdown.Lines, ways ...string) string {
	what := named(left)
	if characters > 0 {
		what = fmt.Sprintf("line %d behind %d characters", left.First, characters)
		if left.First++; left.Len() > 0 {
			what += " and " + named(left)
		}
	}
	return note(leftOut, strings.Join(append([]string{what}, ways...), "; "))
}

// named names lines in a sentence.
func named(l markdown.Lines) string {
	if l.Len() == 1 {
		return "line " + LineRange(l)
	}
	return "lines " + LineRange(l)
}

// LeftOutOfPlan is the note on so many lines or tasks of a plan, with the way to them.
func LeftOutOfPlan(n int, name, way string) string {
	return note(leftOut, Plural(n, name)+"; "+way)
}

// LeftOutBelowDone is the note on so many tasks that stand below tasks that are done.
func LeftOutBelowDone(n int, way string) string {
	return note(leftOut, Plural(n, "task")+" below those that are done; "+way)
}

// CutTasks is the note on the ends of so many tasks.
func CutTasks(n int, way string) string {
	return note(leftOut, "the end of "+Plural(n, "task")+"; "+way)
}

// CutDifference says that a difference is left out from a line on, why, and the way to
// the rest; LeftOutDifference is the note with that.
func CutDifference(line int, why, way string) string {
	return fmt.Sprintf("from line %d of the difference on%s; %s", line, why, way)
}

// LeftOutDifference is the note on the end of a difference, as CutDifference says it.
func LeftOutDifference(cut string) string { return note(leftOut, cut) }

// LeftOutRest is the note on the last n lines of the difference of a section, with the way to them.
func LeftOutRest(n, all int, way string) string {
	return note(leftOut, fmt.Sprintf("%d of %s; %s", n, Plural(all, "line"), way))
}

// NotShownMatches is the note on so many of all matches. More begins with ": " or "; ",
// or is empty.
func NotShownMatches(n, all int, more string) string {
	return note(notShown, fmt.Sprintf("%d of %d matches", n, all)+more)
}

// PutOffHeadings is the note on the last n headings that were asked for. More begins with
// ": " or "; ".
func PutOffHeadings(n int, more string) string {
	return note(putOff, fmt.Sprintf("the last %d of the headings", n)+more)
}

// WarningNote is the note with what Unseen.Warning or Unseen.Number says.
func WarningNote(text string) string { return note(warning, text) }
