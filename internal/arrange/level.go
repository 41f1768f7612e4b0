package arrange

import (
	"strings"

	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// LevelError says that the heading of a section can't have a level.
type LevelError struct {
	Section, Level int
	Why            Reason
}

// Reason is why a heading can't have a level.
type Reason uint8

// The reasons of a LevelError.
const (
	OutOfRange Reason = iota // there are 1 to 6
	OwnMarker                // it is one by a pattern of the reader's own, which gives it its level
	ManyLines                // it is underlined and has several lines, which no heading of the level can have
)

// Relevel adds to the levels of section i and of those below it.
func (a *Arrangement) Relevel(i, by int) *LevelError {
	for s := i; by != 0 && s < int(a.doc.Sections[i].Next); s++ {
		level := int(a.doc.Sections[s].Level) + by
		if level < 1 || level > 6 {
			return &LevelError{s, level, OutOfRange}
		}
		edits, err := withLevel(a.doc, s, level)
		if err != nil {
			return err
		}
		a.edits, a.levels[s] = append(a.edits, edits...), uint8(level)
	}
	return nil
}

// Relevel returns the splices that add to the levels of section i and of those below it.
func Relevel(doc *markdown.Document, i, by int) ([]Splice, *LevelError) {
	a := Of(doc)
	err := a.Relevel(i, by)
	return a.edits, err
}

// withLevel returns what gives the heading of section i another level.
func withLevel(doc *markdown.Document, i, level int) ([]Splice, *LevelError) {
	b := int(doc.Sections[i].Heading)
	h, content := &doc.Blocks[b], doc.Content(b)
	start, end, old := int(h.Start), int(h.End), int(h.Level)
	marks := strings.Repeat("#", level)
	switch {
	case h.Marker == markdown.OwnMarker:
		return nil, &LevelError{i, level, OwnMarker}
	case h.Setext() && level > 2 && h.EndLine-h.StartLine > 1:
		return nil, &LevelError{i, level, ManyLines}
	case h.Setext() && level > 2:
		return []Splice{
			{markdown.Span{Start: start, End: start}, []byte(marks + " ")}, {markdown.Span{Start: content.End, End: end}, nil},
		}, nil
	case h.Setext():
		from := textlines.Before(doc.Source, end)
		line := string(doc.Source[from:end])
		was := strings.Trim(line, " \t")
		from += strings.Index(line, was)
		n := len(was)
		if level == 2 && n == 1 {
			n = 3 // one alone would be an empty item
		}
		return []Splice{{markdown.Span{Start: from, End: from + len(was)}, []byte(strings.Repeat("=-"[level-1:level], n))}}, nil
	}
	edits := []Splice{{markdown.Span{Start: start, End: start + max(old-level, 0)}, []byte(marks[:max(level-old, 0)])}}
	line := strings.TrimRight(string(doc.Source[start+old:end]), " \t")
	text := strings.TrimRight(line, "#")
	if n := len(line) - len(text); n == old && strings.TrimRight(text, " \t") != text { // as many close it
		at := start + old + len(text)
		edits = append(edits, Splice{markdown.Span{Start: at, End: at + max(old-level, 0)}, []byte(marks[:max(level-old, 0)])})
	}
	return edits, nil
}
