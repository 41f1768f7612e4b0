// Package blockcheck compares the blocks of two documents that differ by splices: those that no
// splice touches must be what they were, where they were.
//
// check.go compares, ends.go sees where quotes and lists end, and report.go says what differs; open.go says what nothing closes, so that it swallows what is put after it,
// and quotes.go which lines have marks of quotes.
package blockcheck
