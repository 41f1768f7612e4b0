// Package editing answers requests that change a document: a part of it, exact text, or a list of
// both, and tells what became of it.
package editing
