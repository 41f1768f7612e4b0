// Package undoing answers what was changed in documents and other files that sectile writes,
// and takes changes back.
//
// Which file holds what:
//
//   - history.go: the user's journal as requests see it; list.go: changes, and what one did;
//     told.go: the reply about one; shorten.go: what structured content leaves out; interrupted.go and takenback.go: what was interrupted, and who is told that it is taken back; since.go: what documents held at a time; recent.go: what was
//     changed and shown lately, for a page
//   - choose.go: which change a request is about; undo.go: taking back a change, and that of a change; part.go: which of its files; merge.go: section by section, where
//     the document has changed since
package undoing
