// Package editing answers requests that change a document: a part of it, exact text, or a list of
// both, and tells what became of it.
//
// Which file holds what:
//
//   - edit.go: the request to change a part; move.go: to move it; replace.go: exact text, or a list of both;
//     guard.go: what must be there still;
//     target.go: the file that is changed; links.go: links that lead to what is renamed, targets.go: lines that
//     name the heading below them, together.go: in all
//     documents; across.go: a section to another document; documents.go:
//     whole documents; folder.go: those of a folder; toc.go: a table of contents that
//     keeps itself
//   - many.go: several documents in one change; many_write.go: looked at and written; many_pass.go:
//     what they come to at the most; many_check.go: what is expected of it; many_rename.go: headings with links; many_skip.go: what of it is left out in which of
//     them; many_reply.go: what the reply counts
//   - reply.go, warnings.go, joint.go, label.go, quote.go, diff.go: what the reply tells of a change;
//     error.go: of a refusal; remember.go: what a session knows after it
//   - marks.go: lines of a reply that were sent back as text
package editing
