// Package ignore is what ignore files (.gitignore, .ignore) say of names, as git reads
// them (gitignore(5)). It knows texts and names, and reads no file; internal/files has
// which of them count where.
//
// Which file holds what:
//
//   - rules.go: an ignore file read, and what it says of a path
//   - pattern.go: one pattern
//   - match.go: a pattern with wildcards beside a text, in time bounded by the product of
//     their lengths
package ignore
