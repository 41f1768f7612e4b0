package outline

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/markdown"
)

// Finding a section by its exact name is a stopgap: package address will match
// headings in four tiers and take other forms of address. This file goes then.

// Errors that a FindError wraps; use errors.Is.
var (
	// ErrNotFound says that no section has the name, or not so many.
	ErrNotFound = errors.New("section not found")
	// ErrAmbiguous says that several sections have it.
	ErrAmbiguous = errors.New("ambiguous heading")
	// ErrNoName says that the name is blank.
	ErrNoName = errors.New("section name is empty")
)

// candidates is the largest number of sections that a FindError lists.
const candidates = 10

// A FindError says why a name stands for no one section.
type FindError struct {
	Err        error // ErrNotFound, ErrAmbiguous or ErrNoName
	Name       string
	Occurrence int
	// Candidates are at most ten sections: those that have the name, in source
	// order, or if none has it those with the closest names, closest first.
	Candidates []Entry
	// Total is the number of sections that have the name, or if none has it
	// that of all sections.
	Total int
	// Same says that the candidates have the name.
	Same bool
}

// Error returns the reason and the candidates with their lines, in less than
// 1,024 bytes.
func (e *FindError) Error() string {
	if errors.Is(e.Err, ErrNoName) {
		return e.Err.Error()
	}
	text := fmt.Appendf(nil, "%v: %s", e.Err, quotable(e.Name))
	switch {
	case errors.Is(e.Err, ErrAmbiguous):
		text = fmt.Appendf(text, " (%d sections have this name; choose one by occurrence", e.Total)
	case e.Same:
		text = fmt.Appendf(text, " (occurrence %d of %d", e.Occurrence, e.Total)
	case e.Total == 0:
		return string(append(text, " (the document has no headings)"...))
	default:
		text = fmt.Appendf(text, " (closest of %d sections", e.Total)
	}
	for i, c := range e.Candidates {
		sep := ","
		if i == 0 {
			sep = ":"
		}
		text = fmt.Appendf(text, "%s line %d %s", sep, c.StartLine, c.Level)
		if c.Name != "" {
			text = append(append(text, ' '), clip(c.Name, 48)...)
		}
	}
	if e.Same && e.Total > len(e.Candidates) {
		text = append(text, ", …"...)
	}
	return string(append(text, ')'))
}

// Unwrap returns e.Err.
func (e *FindError) Unwrap() error { return e.Err }

// Find returns the index of the section with this name: the plain text of its
// heading or its source text, and if there is none in the same case, in any
// case. With marks before it ("## Install") only headings of that level count.
// The occurrence, from 1 on, chooses among several; 0 demands that there is one
// alone. Its error is a *FindError.
func Find(doc *markdown.Document, name string, occurrence int) (int, error) {
	text, level := splitMarks(strings.TrimSpace(name))
	e := &FindError{Err: ErrNotFound, Name: name, Occurrence: occurrence}
	if text == "" && level == 0 {
		e.Err = ErrNoName
		return 0, e
	}
	equals := []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold}
	for _, equal := range equals {
		found := -1
		for i := range doc.Sections {
			if level != 0 && Level(doc.Sections[i].Level) != level {
				continue
			}
			title := doc.SectionTitle(i)
			if !equal(title, text) && !equal(sectionName(doc, i, true), text) {
				continue
			}
			e.Same = true
			e.Total++
			if len(e.Candidates) < candidates {
				e.Candidates = append(e.Candidates, entry(doc, i, title))
			}
			if e.Total == max(1, occurrence) {
				found = i
			}
		}
		switch {
		case occurrence == 0 && e.Total > 1:
			e.Err = ErrAmbiguous
			return 0, e
		case found >= 0 && occurrence >= 0:
			return found, nil
		case e.Same:
			return 0, e
		}
	}
	e.Total = len(doc.Sections)
	e.Candidates = closest(doc, text)
	return 0, e
}

// splitMarks returns the text behind "## " and the level that it stands for; 0
// without marks.
func splitMarks(s string) (text string, level Level) {
	text = strings.TrimLeft(s, "#")
	n := len(s) - len(text)
	if n == 0 || n > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return s, 0
	}
	return strings.TrimLeft(text, " \t"), Level(n)
}

// closest returns the sections whose titles are nearest to the text by edit
// distance without case.
func closest(doc *markdown.Document, text string) []Entry {
	d := newDistance(text)
	var best []Entry
	var costs [candidates + 1]int
	for i := range doc.Sections {
		title := doc.SectionTitle(i)
		cost := d.to(title)
		at := len(best)
		for at > 0 && costs[at-1] > cost {
			at--
		}
		if at == candidates {
			continue
		}
		best = append(best, Entry{})
		copy(best[at+1:], best[at:])
		copy(costs[at+1:], costs[at:candidates])
		best[at], costs[at] = entry(doc, i, title), cost
		best = best[:min(len(best), candidates)]
	}
	return best
}

// distance computes edit distances to one text, whose first 64 runes count, a
// column of the table at a time in the bits of a word (Myers 1999; Hyyrö 2003).
type distance struct {
	at     map[rune]uint64 // the positions of a rune in the text
	length int
	folded []byte
}

func newDistance(text string) *distance {
	d := &distance{at: map[rune]uint64{}}
	for _, r := range string(appendFolded(nil, text)) {
		if d.length < 64 {
			d.at[r] |= 1 << d.length
			d.length++
		}
	}
	return d
}

// to returns the distance to the first 64 runes of s.
func (d *distance) to(s string) int {
	if d.length == 0 {
		return min(64, utf8.RuneCountInString(s))
	}
	d.folded = appendFolded(d.folded[:0], s)
	plus, minus := ^uint64(0), uint64(0)
	top := uint64(1) << (d.length - 1)
	cost, n := d.length, 0
	for _, r := range string(d.folded) {
		if n++; n > 64 {
			break
		}
		equal := d.at[r]
		zero := (equal&plus + plus) ^ plus | equal | minus
		up, down := minus|^(zero|plus), plus&zero
		if up&top != 0 {
			cost++
		}
		if down&top != 0 {
			cost--
		}
		up = up<<1 | 1
		down <<= 1
		plus, minus = down|^(zero|up), up&zero
	}
	return cost
}
