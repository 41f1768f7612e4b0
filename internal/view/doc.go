// Package view is the page on which people look at documents, watch what agents read and
// change, and take changes back. It decodes requests of a browser, calls a room, and writes
// HTML; it keeps nothing but what a browser has opened (internal/httpguard).
//
// The page is plain HTML that works without JavaScript; with it search answers while one types
// and changes appear as they happen. What a document holds is text to it, and nothing that
// comes from one runs: package render leaves no HTML of a document, and the policy that each
// answer has allows nothing else.
//
// Which file holds what:
//
//   - site.go: the page as an http.Handler; server.go: a server of its own for it
//   - pages.go: documents and sections; search.go: search; changes.go: what was read and
//     changed, why that can't be told, and undo; tree.go: documents by their folders; treemap.go: the picture of all
//     documents; live.go: events for open pages
//   - page: templates, style and script, which the program carries
package view
