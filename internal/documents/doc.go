// Package documents knows which documents a request means (files, folders, patterns,
// standard input, the roots of a server), opens and parses them within a budget of memory,
// keeps their parses, names them apart, and tells what of them a reader was shown.
//
// Which file holds what:
//
//   - documents.go: the documents of a request, opened and parsed in parallel; part.go: the part
//     of a document that is meant; namespace.go: names that tell documents apart; plain.go: texts
//     that are no Markdown, and paths that were meant
//   - source.go: documents that are found, read, and parsed only if they are needed; stat.go, make.go:
//     what a document is, without its text; page.go: pages of those of folders and patterns
//   - workspace.go: what a server may read; several.go: places below several roots; cache.go, flight.go: parses that are kept or
//     shared; memory.go, work.go: the budget of memory, and how many work at once; bytes.go: what
//     a document takes; garbage.go: how often garbage is cleared away; answer.go, json.go: memory for answers and
//     their JSON; waiting.go: the end of a wait
//   - headings.go: headings of large documents; abridged.go, parts.go: documents beyond the limit, by their headings and some of their text, or
//     part by part
//   - look.go: what there is at a path; coverage.go: what a reader was shown; picture.go: raster
//     images
package documents
