package main

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/yuin/goldmark"
)

// outcome is what came of a task.
type outcome string

const (
	right        outcome = "right"                   // done and nothing else; or refused, where there was nothing to do
	refused      outcome = "refused"                 // said to be impossible, and nothing was changed
	wrongPlace   outcome = "in the wrong place"      // said to be done, and done elsewhere
	damaged      outcome = "with damage"             // done, and more than that
	falseSuccess outcome = "said done and was not"   // or was made up, for there was nothing to change
	halfDone     outcome = "said to fail and did it" // an error, and the file has changed
)

// outcomes are all of them, in the order of the report.
var outcomes = []outcome{right, refused, damaged, wrongPlace, falseSuccess, halfDone}

// verdict is the judgement of what a tool did.
type verdict struct {
	outcome outcome
	outside int  // bytes changed outside of the target, one for each line ending
	endings bool // all line endings are those that the document had
}

// judge says what came of a task, by what the file holds now and whether the tool
// refused. Who changed the file is none of its business: it looks at bytes, and at
// headings as goldmark finds them.
func judge(t *task, result []byte, refusal bool) verdict {
	changed := !bytes.Equal(t.source, result)
	v := verdict{endings: !t.crlf || bytes.Count(result, []byte("\n")) == bytes.Count(result, []byte("\r\n"))}
	switch {
	case refusal && changed:
		v.outcome = halfDone
	case refusal && t.exists:
		v.outcome = refused
	case refusal:
		v.outcome = right
	case !t.exists, !changed, !bytes.Contains(result, []byte(t.token)):
		v.outcome = falseSuccess
	case t.elsewhere(result):
		v.outcome = wrongPlace
	default:
		v.outcome = right
	}
	if v.outcome == wrongPlace || !t.exists {
		// Whatever changed, changed outside of what was meant, but for the change.
		v.outside = changedOutside(t.source, result, -1, -1)
		return v
	}
	v.outside = changedOutside(t.source, result, t.start, t.end)
	if v.outcome == right && (!v.endings || !t.kept(result)) {
		v.outcome = damaged
	}
	return v
}

// kept reports whether the target holds what it must and no more, and stands between
// what stood around it.
func (t *task) kept(result []byte) bool {
	if len(result) < t.start+len(t.source)-t.end ||
		!bytes.HasPrefix(result, t.source[:t.start]) || !bytes.HasSuffix(result, t.source[t.end:]) {
		return false
	}
	inside := unified(result[t.start : len(result)-(len(t.source)-t.end)])
	switch t.change.op {
	case changeLine:
		return inside == t.change.new
	case appendText:
		rest, kept := strings.CutPrefix(inside, strings.TrimRight(t.change.body, blanks))
		before, after, brought := strings.Cut(rest, t.change.new)
		return kept && brought && strings.Trim(before+after, blanks) == "" && strings.Count(before, "\n") > 1 && t.apart(inside)
	}
	return strings.Trim(inside, blanks) == strings.Trim(t.change.new, blanks) && t.apart(inside)
}

// blanks are the characters of blank lines.
const blanks = " \t\n"

// apart reports whether a blank line still stands between a body and the headings
// around it, where one stood before, and the last line still ends.
func (t *task) apart(inside string) bool {
	first, _, _ := strings.Cut(inside, "\n")
	if strings.HasPrefix(t.change.body, "\n") && strings.TrimSpace(first) != "" {
		return false
	}
	if t.end == len(t.source) {
		return !strings.HasSuffix(t.change.body, "\n") || strings.HasSuffix(inside, "\n")
	}
	return !strings.HasSuffix(t.change.body, "\n\n") || strings.HasSuffix(inside, "\n\n")
}

// judgeHeadings returns the headings of a document, found by a parser that none of
// the editors is made with.
func judgeHeadings(source []byte) []heading {
	return goldmarkHeadings(goldmark.DefaultParser(), source)
}

// elsewhere reports whether what the change brought stands below another heading than
// the one that was meant: with other numbers of headings above it and after it. If one
// of these is as it was, then headings were lost or made on the other side.
func (t *task) elsewhere(result []byte) bool {
	above, behind := headingsAround(result, t.token)
	all := len(judgeHeadings(t.source))
	return above != t.ordinal+1 && behind != all-t.ordinal-1
}

// headingsAround counts the headings of a source above the first place of a word and
// after it.
func headingsAround(source []byte, word string) (above, behind int) {
	before, _, _ := bytes.Cut(source, []byte(word))
	line := 1 + bytes.Count(before, []byte("\n"))
	for _, h := range judgeHeadings(source) {
		if h.start <= line {
			above++
		} else {
			behind++
		}
	}
	return above, behind
}

// changedOutside counts the bytes by which a result differs from its source outside
// of a range of the source; with -1 and -1 those of all of it. A line ending that is
// another one counts as one byte; of a line that has changed those between what is
// the same at its start and its end count.
func changedOutside(source, result []byte, start, end int) int {
	if start >= 0 && len(result) >= len(source)-(end-start) &&
		bytes.HasPrefix(result, source[:start]) && bytes.HasSuffix(result, source[end:]) {
		return 0
	}
	crlf := []byte("\r\n")
	before, after := bytes.Count(source, crlf), bytes.Count(result, crlf)
	n := 0
	if start >= 0 {
		within := bytes.Count(source[start:end], crlf)
		n += max(0, before-within-after)
		end -= bytes.Count(source[:end], crlf)
		start -= bytes.Count(source[:start], crlf)
	} else {
		n += max(before-after, after-before)
	}
	old := unified(source)
	for _, e := range udiff.Lines(old, unified(result)) {
		n += changedIn(old, e, start, end)
	}
	return n
}

// changedIn counts the bytes that one difference has outside of a range.
func changedIn(old string, e udiff.Edit, start, end int) (n int) {
	was, is := slices.Collect(strings.Lines(old[e.Start:e.End])), slices.Collect(strings.Lines(e.New))
	at := e.Start
	for i := range max(len(was), len(is)) {
		var a, b string
		if i < len(was) {
			a = was[i]
		}
		if i < len(is) {
			b = is[i]
		}
		touches := a != "" && at < end && at+len(a) > start || a == "" && start <= at && at <= end
		if !touches || start < 0 {
			n += differing(a, b)
		}
		at += len(a)
	}
	return n
}

// differing is the number of bytes in the longer of two lines between what both begin
// with and what both end with.
func differing(a, b string) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	tail := 0
	for tail < len(a)-same && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return len(b) - same - tail
}
