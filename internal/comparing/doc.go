// Package comparing answers what is different between two states of documents, section by
// section: two documents, two folders.
//
// Which file holds what:
//
//   - compare.go: the request, and the documents of both states; state.go: a state
//   - reply.go: the reply in lines; json.go: in JSON; page.go: what fits of it
package comparing
