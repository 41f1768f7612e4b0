// Package files opens, reads, finds and changes documents on disk.
//
// It knows bytes and paths and nothing of Markdown. Every failure is an *Error
// with one of the product's codes, so that a caller can say what to do next; no
// file is left open and no read blocks on something that is no file. One thing
// writes, Update: what it changes is there whole or not at all.
package files
