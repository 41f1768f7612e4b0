package reading

import (
	"fmt"
	"slices"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A section can be read without its subsections, or without those that stand too
// deep in it. They count as lines of the section that are left out, as if there
// was no room for them, but no request goes on with them: they are named, so that
// they can be asked for.

// maxOmitted is the largest number of subsections that a head names.
const maxOmitted = 10

// omit leaves out of the passage the subsections that the request does not ask
// for.
func (r *reading) omit(p *passage) {
	deepest := r.req.MaxLevels
	if !r.req.BodyOnly && deepest == 0 || p.res == nil {
		return
	}
	from, end := 0, len(r.doc.Sections)
	switch p.res.Kind {
	case address.SectionNode:
		s := &r.doc.Sections[p.res.Section]
		deepest += int(s.Level)
		from, end = p.res.Section+1, int(s.Next)
	case address.DocumentNode:
	default:
		return // it has no subsections
	}
	for i := from; i < end; {
		s := &r.doc.Sections[i]
		if int(s.Level) <= deepest {
			i++
			continue
		}
		p.omitted = append(p.omitted, i)
		lines := r.doc.SectionLines(i)
		if n := len(p.omit); n > 0 && p.omit[n-1].Last+1 == lines.First {
			p.omit[n-1].Last = lines.Last
		} else {
			p.omit = append(p.omit, lines)
		}
		i = int(s.Next)
	}
}

// omittedHead renders which subsections were not asked for: how many, and with
// MaxLevels the first of them in so many characters.
func (r *reading) omittedHead(h *replies.Head, p *passage, room, detail int) {
	if len(p.omitted) == 0 {
		return
	}
	asked := "include_subsections=false"
	if !r.req.BodyOnly {
		asked = fmt.Sprint("max_subsection_levels=", r.req.MaxLevels)
	}
	if r.terse {
		h.Add("subsections_left_out", len(p.omitted))
		return
	}
	h.Add("subsections_left_out", fmt.Sprintf("%d, with what stands in them (%s)", len(p.omitted), asked))
	if r.req.BodyOnly {
		return
	}
	for n, i := range p.omitted {
		line := fmt.Sprintf(" %s %s %s\n", r.selectorOf(i), replies.LineRange(r.doc.SectionLines(i)), replies.Clip(HeadingOf(r.doc, i), detail))
		if room -= replies.Chars([]byte(line)); n == maxOmitted || room < 0 {
			if n > 0 {
				*h = fmt.Appendf(*h, " and %d more\n", len(p.omitted)-n)
			}
			return
		}
		*h = append(*h, line...)
	}
}

// selectorOf returns the selector of section i.
func (r *reading) selectorOf(i int) string {
	return address.SelectorOf(r.doc, address.NodeOfSection(i))
}

// jsonOmitted are the subsections that were not asked for, in JSON.
type jsonOmitted struct {
	Count int         `json:"count"`
	First []jsonNamed `json:"first"` // of them
}

// jsonNamed is a subsection that is named and not there.
type jsonNamed struct {
	Heading   string `json:"heading"`
	Selector  string `json:"selector"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}

// jsonOmitted returns which subsections were not asked for, nil if none.
func (r *reading) jsonOmitted(p *passage) *jsonOmitted {
	if len(p.omitted) == 0 {
		return nil
	}
	j := &jsonOmitted{Count: len(p.omitted), First: []jsonNamed{}}
	if r.req.BodyOnly {
		return j
	}
	for _, i := range p.omitted[:min(len(p.omitted), maxOmitted)] {
		lines := r.doc.SectionLines(i)
		j.First = append(j.First, jsonNamed{HeadingOf(r.doc, i), r.selectorOf(i), lines.First, lines.Last})
	}
	return j
}

// outside returns the lines that are in none of the gaps. Both are in order.
func outside(lines, gaps []markdown.Lines) []markdown.Lines {
	if len(gaps) == 0 {
		return slices.Clone(lines)
	}
	var rest []markdown.Lines
	for _, l := range lines {
		for len(gaps) > 0 && gaps[0].Last < l.First {
			gaps = gaps[1:]
		}
		for _, g := range gaps {
			if g.First > l.Last {
				break
			}
			if before := (markdown.Lines{First: l.First, Last: g.First - 1}); before.Len() > 0 {
				rest = append(rest, before)
			}
			l.First = g.Last + 1
		}
		if l.Len() > 0 {
			rest = append(rest, l)
		}
	}
	return rest
}
