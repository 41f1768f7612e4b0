// Package reading answers requests about the parts of a document: its outline, a list of sections, their
// lines, and the text of what an address names, in a reply of limited length that accounts
// for every line it leaves out.
//
// Which file holds what:
//
//   - tree.go, sections.go, bounds.go: the outline, the list of sections, the lines of one;
//     facts.go: what sections say about themselves; pages.go: these of folders and patterns;
//     read.go: text, for a person or a tool; resolve.go: which part an address names; source.go, quote.go: a part as other rooms need it
//   - large.go: documents beyond the limit, of which only what is asked for is read
//   - map.go, levels.go: a document whose text doesn't fit, by its headings
//   - reply.go, part.go, passage.go: the text of a reply, its parts and their lines; budget.go:
//     which of them are left out; continuation.go: the requests that go on
//   - unread.go: what a reader wasn't shown; words.go, complete.go: counts, shells
package reading
