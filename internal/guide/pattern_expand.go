package guide

import (
	"slices"
	"strings"
)

// Braces: how many patterns one with braces stands for, and which.

const (
	reasonUnclosed = `a brace "{" is not closed; write \{ for a brace that is part of a name`
	reasonUnopened = `a brace "}" has no "{" before it; write \} for a brace that is part of a name`
)

// countAlternatives returns the number of patterns without braces that a pattern
// stands for, or a little more than maxAlternatives if there are more; or what is
// wrong with its brackets, braces and backslashes.
func countAlternatives(text string) (number int, reason string) {
	// Of each open brace, and of the whole: the alternatives that have ended, and
	// what the one that is being read stands for.
	type group struct{ ended, current int }
	groups := []group{{0, 1}}
	for i := 0; i < len(text); {
		end, reason := unit(text, i)
		if reason != "" {
			return 0, reason
		}
		last := len(groups) - 1
		switch {
		case text[i] == '{':
			groups = append(groups, group{0, 1})
		case text[i] == ',' && last > 0:
			groups[last] = group{min(groups[last].ended+groups[last].current, maxAlternatives+1), 1}
		case text[i] == '}' && last == 0:
			return 0, reasonUnopened
		case text[i] == '}':
			all := min(groups[last].ended+groups[last].current, maxAlternatives+1)
			groups = groups[:last]
			groups[last-1].current = min(groups[last-1].current*all, maxAlternatives+1)
		}
		i = end
	}
	if len(groups) > 1 {
		return 0, reasonUnclosed
	}
	return groups[0].current, ""
}

// expand returns the patterns without braces that a pattern stands for, in the
// order in which they are written. There are as many as countAlternatives said.
func expand(text string, number int) []string {
	if number == 1 && !strings.Contains(text, "{") {
		return []string{text}
	}
	e := expander{text: text}
	built := e.sequence(false)
	list := make([]string, len(built))
	for i := range built {
		list[i] = string(built[i])
	}
	return list
}

// expander reads a pattern whose brackets, braces and backslashes are right.
type expander struct {
	text string
	at   int
}

// sequence reads to the end, or, within braces, to the comma or brace that ends an
// alternative. What is read is added to every text in place, so that the time is
// that of writing the result.
func (e *expander) sequence(inside bool) [][]byte {
	texts := [][]byte{nil}
	for e.at < len(e.text) {
		switch c := e.text[e.at]; {
		case c == '{':
			texts = each(texts, e.group())
		case inside && (c == ',' || c == '}'):
			return texts
		default:
			end, _ := unit(e.text, e.at)
			for i := range texts {
				texts[i] = append(texts[i], e.text[e.at:end]...)
			}
			e.at = end
		}
	}
	return texts
}

// group reads what is in braces and returns all of its alternatives.
func (e *expander) group() [][]byte {
	var texts [][]byte
	for e.at < len(e.text) && e.text[e.at] != '}' {
		e.at++ // the brace or comma before it
		texts = append(texts, e.sequence(true)...)
	}
	e.at++
	return texts
}

// each returns every text with every tail after it.
func each(texts, tails [][]byte) [][]byte {
	if len(tails) == 1 {
		for i := range texts {
			texts[i] = append(texts[i], tails[0]...)
		}
		return texts
	}
	all := make([][]byte, 0, len(texts)*len(tails))
	for _, text := range texts {
		for _, tail := range tails {
			all = append(all, slices.Concat(text, tail))
		}
	}
	return all
}
