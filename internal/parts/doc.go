// Package parts changes the smallest parts of a document, each by splices of its own bytes: a
// task, a cell of a table, a column, a key of front matter, the numbers of ordered lists.
//
// A [Change] says what is put where, and how the document is checked that comes of it.
//
// change.go has what they share; task.go, cell.go, column.go, rows.go, width.go,
// key.go and number.go one part each; items.go looks for items that are there.
package parts
