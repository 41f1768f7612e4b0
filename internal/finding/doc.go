// Package finding answers requests that find documents and sections: by words, ranked; by lines
// with a text or a regular expression.
//
// Which file holds what:
//
//   - search.go: the request; scan.go: all documents are looked at, in parallel; words.go: sections
//     by words; lines.go: sections by lines
//   - elsewhere.go: the engine that the user names; scope.go: what a request is about, as scopes of
//     it; engine.go: sections by words that it hands over; push.go: what it is fed with
//   - reply.go: what is shown of a section; page.go: what fits of all; json.go: the same in JSON;
//     where.go: where a text has what was asked for
//   - list.go: documents, one after another; list_title.go: what one is called
package finding
