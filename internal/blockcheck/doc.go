// Package blockcheck compares the blocks of two documents that differ by splices: those that no
// splice touches must be what they were, where they were.
//
// check.go has all of it.
package blockcheck
