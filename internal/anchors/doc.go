// Package anchors has the names that dialects give headings and blocks, by which links lead to
// them: what stands behind '#' in an address on the web.
//
// Headings in quotes and items take anchors too, so they count, although they open no section.
// What differs between dialects is a row of one table, so that another one is another row, and
// a file for its rule.
//
//   - dialect.go: the table, and the anchors of a document; github.go, gitlab.go, mkdocs.go,
//     obsidian.go: one rule each
//   - html.go: headings in HTML, which have anchors on GitHub
//   - text.go: what a heading's anchor is made of or written as: its text, an id of its own,
//     escapes
package anchors
