// Package syntax has the small grammars inside of inline Markdown and HTML: where an
// entity, a label, a link's target, an address or a tag ends, and what it stands for. It
// knows bytes and offsets into them, and neither documents nor blocks.
//
// All functions take any bytes; offsets are in bytes, ends are exclusive, and an end of 0
// says that nothing of the kind is there. White space is a space, a tab, LF or CR.
// Section numbers are those of CommonMark 0.31.2, or of GFM where it says so.
//
// # Files
//
//   - bytes.go: classes of bytes and characters
//   - entity.go: entities and backslash escapes
//   - label.go: labels in the form in which they are compared
//   - target.go: labels, destinations and titles of links
//   - html.go: tags, comments and the like, and attributes
//   - address.go: autolinks, and addresses that stand in text without any mark
package syntax
