// Package linking answers requests about links: where those of documents lead, which lead
// nowhere, which lead to a section, and tables of contents.
//
// Which file holds what:
//
//   - scan.go: the documents of a request as a set of package links, roots.go: of several roots;
//     list.go: the links of a
//     request; reply.go, graph.go: how they are written; nearest.go: what was meant by a
//     broken one
//   - broken.go: which links of a document lead nowhere, for addresses
//   - toc.go: tables of contents; keep.go: links that a change would break; together.go: those of
//     all documents changed with it, write.go: and written; restored.go: those that an undo breaks
package linking
