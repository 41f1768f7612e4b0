// Package crossing moves a section from one document to another, as values: both documents
// after the move, with the definitions that the section uses, and where each block is then.
//
// The section is taken out of the one and put into the other by operations of package edit,
// which prove that all other blocks stay. Here is what they don't know: that the section's
// blocks are the same there, and that references keep their definitions. Package links has
// what becomes of destinations.
//
// Which file holds what:
//
//   - move.go: what moves, and what goes with it; prove.go: the proof
package crossing
