// Package sent reads what requests send to change a document: texts, rows of a table, and edits,
// as operations of package edit or with what is wrong with them. It looks into a document only
// for lines that a reply has put there.
//
// Which file holds what:
//
//   - edit.go: one edit, as an operation; list.go: a list of them from JSON
//   - text.go: a text from a file of the host, or standard input; rows.go: a table from data
//   - guard.go: hashes and versions of what was read
//   - echo.go: lines of a reply that were sent back as text
package sent
