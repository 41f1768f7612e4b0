package yamltree

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sectile/sectile/internal/runes"
)

// What the library can't read it tells with a place, and often with the place where that
// began. Which of the usual mistakes was the cause is tried out: it is overwritten, and
// the text read again. So all of them are told at once, and none that isn't one.

// maxReread is how many bytes are read again to find mistakes.
const maxReread = 1 << 20

// readYAML has the library read the first document of a text: without content if there
// is none.
func readYAML(source string) (doc yaml.Node, wrong *yaml.LoadError) {
	defer func() {
		if problem := recover(); problem != nil {
			wrong = &yaml.LoadError{Message: "the parser failed at it"}
		}
	}()
	err := yaml.NewDecoder(strings.NewReader(source)).Decode(&doc)
	if err == nil || errors.Is(err, io.EOF) {
		return doc, nil
	}
	if wrong, ok := errors.AsType[*yaml.LoadError](err); ok {
		return doc, wrong
	}
	return doc, &yaml.LoadError{Message: err.Error()}
}

// compose has the library read the text, and tells what it can't read.
func (t *Text) compose() (doc yaml.Node, faults []Fault) {
	budget := maxReread
	source := t.Source
	doc, wrong := readYAML(source)
	for wrong != nil {
		m := t.cause(source, wrong, &budget)
		if m == nil {
			f := t.syntaxFault(wrong)
			if !slices.ContainsFunc(faults, func(other Fault) bool { return t.lineAt(other.Offset) == t.lineAt(f.Offset) }) {
				faults = append(faults, f) // else it may come of that mistake
			}
			return yaml.Node{}, faults
		}
		faults = append(faults, m.Fault)
		source = m.overwrite(source)
		doc, wrong = readYAML(source)
	}
	return doc, faults
}

// cause returns the mistake without which the library says something else, nil if no
// usual one is: in the line of the place, the one above, or where it began.
func (t *Text) cause(source string, wrong *yaml.LoadError, budget *int) *mistake {
	if len(t.Lines) == 0 || wrong.Mark.Line == 0 {
		return nil
	}
	at := t.lineAt(t.offsetOf(wrong.Mark.Line, wrong.Mark.Column))
	for _, i := range slices.Compact([]int{at, max(at-1, 0), max(min(wrong.ContextMark.Line-1, at), 0)}) {
		for _, m := range t.mistakes(i) {
			fixed := m.overwrite(source)
			if fixed == source {
				continue // it was found before
			}
			if *budget -= len(source); *budget < 0 {
				return nil
			}
			if _, next := readYAML(fixed); next == nil || next.Message != wrong.Message || next.Mark != wrong.Mark {
				return &m
			}
		}
	}
	return nil
}

// syntaxFault returns what the library says, with the way out.
func (t *Text) syntaxFault(wrong *yaml.LoadError) Fault {
	said := wrong.Message
	at := Fault{Offset: t.offsetOf(wrong.Mark.Line, wrong.Mark.Column)}
	if wrong.Mark.Line == 0 {
		at.Offset = -1
	}
	began := t.offsetOf(wrong.ContextMark.Line, wrong.ContextMark.Column)
	written, sign := "", byte(0)
	if began < len(t.Source) {
		written, sign = t.restOfLine(began), t.Source[began]
	}
	quoted := strconv.Quote(runes.Clip(written, maxShown))
	switch {
	case strings.Contains(said, "exceeded max depth"):
		at.Message = fmt.Sprintf("nested deeper than %d levels; make it flatter", MaxNesting)
	case strings.IndexByte(`"'`, sign) >= 0 && strings.Contains(said, "found unexpected"):
		return Fault{began, "the text that begins with " + quoted + " has no quote at its end; close it"}
	case strings.IndexByte("[{", sign) >= 0 && itemLength(strings.ReplaceAll(written[1:], ",", " ")) == len(written)-1:
		closing := map[byte]string{'[': "]", '{': "}"}[sign]
		return Fault{began, "the bracket " + written[:1] + " is not closed: " + quoted + "; write " + closing + " at its end"}
	case strings.Contains(said, "tab character"), at.Offset >= 0 && strings.HasPrefix(t.Source[at.Offset:], "\t"):
		at.Message = "tabs can't indent in YAML; write blanks"
	case strings.Contains(said, "mapping values are not allowed"):
		at.Message = "a key where none can be; check the indentation, and put text that has a colon in quotes"
	case strings.Contains(said, "comment without preceding whitespace"):
		at.Message = "write a blank before #, or put the text in quotes"
	case strings.Contains(said, "did not find expected"), strings.Contains(said, "are not allowed"):
		at.Message = "this can't stand here; check the indentation, and the quotes and brackets before it"
	default:
		at.Message = "not valid YAML here: " + strings.Join(strings.Fields(said), " ") + "; correct it, and put text with signs in quotes"
	}
	return at
}

// restOfLine returns a text from an offset up to a comment or the end of its line.
func (t *Text) restOfLine(at int) string {
	return beforeComment(t.Source[at:t.Lines[t.lineAt(at)].End])
}
