// Package syntax has the small grammars of Markdown and HTML: where an entity, a label, a
// link's target, an address, a tag, a definition or a cell ends, and what it stands for. It
// knows bytes and offsets into them, and neither documents nor blocks.
//
// All functions take any bytes; offsets are in bytes, ends are exclusive, and an end of 0
// says that nothing of the kind is there. White space is a space, a tab, LF or CR.
// Section numbers are those of CommonMark 0.31.2, or of GFM where it says so.
//
// # Files
//
//   - bytes.go: classes of bytes and characters; common.go: what two texts begin and end with
//   - lines.go: where lines end; line.go: what stands on one: markers, headings, blank lines
//   - entity.go: entities and backslash escapes
//   - label.go: labels in the form in which they are compared; labelset.go: sets of them
//   - target.go: labels, destinations and titles of links, and wiki links
//   - code.go, emphasis.go: what backticks and delimiters of emphasis face
//   - definition.go: definitions of links, in the lines of a paragraph
//   - html.go: tags, comments and the like, and attributes; htmlblock.go: blocks of HTML
//   - table.go: rows of tables
//   - address.go: autolinks, and addresses that stand in text without any mark
package syntax
