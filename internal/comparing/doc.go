// Package comparing answers what is different between two states of documents, section by
// section: two documents, two folders, or what they were in a commit or at a time.
//
// Which file holds what:
//
//   - compare.go: the request, and the documents of both states; state.go: a state;
//     past.go: one of a commit, or of the journal; held.go: where the commit has it
//   - meaning.go: whether a word is a revision, a path or a pattern
//   - reply.go: the reply in lines; json.go: in JSON; page.go: what fits of it; marked.go:
//     lines of ours beside those of documents
package comparing
