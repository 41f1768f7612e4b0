// Package arrange makes a document with its sections in another order, with headings of other
// levels, or with a heading less, of pieces of the old one, and proves that it is the one that was
// meant.
//
// arrange.go says what is to become of the sections, level.go gives headings other levels,
// rebuild.go makes the document, and prove.go compares it.
package arrange
