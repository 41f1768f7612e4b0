// Package sectiondiff finds what differs between two states of documents, section by
// section: which sections were added, removed, changed, renamed, moved, or put at another
// level.
//
// A section is compared by its own text, from its heading to its first subsection, so that
// a change is told where it is and not in all sections around it. Sections are taken for
// the same one by, in this order: their place (the same title below the same section), their
// text (wherever it stands now, in any of the documents), and the likeness of their text. So
// a heading that is renamed is one change, whatever stands below it, and a section that is
// moved is one change, and not one that was removed and one that was added.
//
// Time is linear in the size of the documents, but for sorting and for the words of sections
// that have changed, of which internal/linediff says what they take.
//
// Which file holds what:
//
//   - compare.go: Compare and what it returns; section.go: the sections of both sides
//   - match.go: which section of one side is which of the other; likeness.go: how much two
//     texts have in common
//   - order.go: sections that stand in another order
package sectiondiff
