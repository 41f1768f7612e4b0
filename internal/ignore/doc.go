// Package ignore is what ignore files (.gitignore, .ignore) say of names, as git reads
// them (gitignore(5)), and which of them count where. It knows texts and names, and reads no
// file.
//
// Which file holds what:
//
//   - rules.go: an ignore file read, and what it says of a path
//   - tree.go: those of the folders on a walk; pattern.go: one pattern
//   - match.go: a pattern with wildcards beside a text, in time bounded by the product of
//     their lengths
package ignore
