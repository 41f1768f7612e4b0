package outline

import "github.com/sectile/sectile/markdown"

// Bounds is where a section begins and ends. Marshalled by encoding/json it has
// the same keys as AppendJSON gives it.
type Bounds struct {
	SectionName string `json:"section_name"` // the heading's plain text
	StartLine   int    `json:"start_line"`   // from 1
	EndLine     int    `json:"end_line"`     // included; that of its last subsection
	Level       Level  `json:"level"`
	TotalLines  int    `json:"total_lines"` // of the section
}

// BoundsOf returns the bounds of the section with this index, which must be one
// of the document's.
func BoundsOf(doc *markdown.Document, section int) Bounds {
	e := entry(doc, section, doc.SectionTitle(section))
	return Bounds{e.Name, e.StartLine, e.EndLine, e.Level, e.EndLine - e.StartLine + 1}
}
