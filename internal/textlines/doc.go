// Package textlines knows the lines of a text as ranges of bytes, each with its ending: LF,
// CRLF or CR, and a byte order mark before the first one.
//
// Which file holds what:
//
//   - lines.go: where lines begin and end, and their numbers; endings.go: line endings;
//     plain.go: a text whatever its line endings
//   - gaps.go: blank lines, and blanks at the beginning of lines; containers.go: what stands before lines in quotes and items
package textlines
