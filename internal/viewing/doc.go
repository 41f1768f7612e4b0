// Package viewing answers what a page shows to people: all documents with their sections, one
// section as HTML with its outline, and what of both was read or changed lately. The page
// itself, its addresses and its look, is package view.
//
// Which file holds what:
//
//   - survey.go: all documents, with their sections if they are asked for
//   - section.go: one document and a section of it; links.go: where its links and images lead
//   - touched.go: which sections a change has touched, and which somebody was shown
package viewing
