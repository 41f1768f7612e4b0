// Package replies has what all replies are made with: errors as they are answered, the marks
// that divide a reply, texts cut and made safe to show, and JSON. The rooms above it, one
// for each kind of request, import it; it imports none of them.
//
// Which file holds what:
//
//   - error.go: the error of every room; sentence.go: sentences with names in them as values,
//     which each adapter spells; edits.go: the errors of a list of edits; check.go: outcomes
//     of checks
//   - mark.go: the mark that begins sectile's own lines; note.go: lines in the place of text that is
//     left out, and their recognition; fit.go: what is left out; echo.go: such lines sent back;
//     quote.go: text of a document in a reply; unseen.go: characters that nobody sees
//   - text.go, words.go: texts cut and counted; wrap.go: lines broken for a terminal;
//     section.go: what a section is called; head.go, style.go, limits.go: lines before a text,
//     colours, sizes; json.go: JSON, bytes.go: how much of it there
//     will be; offered.go: the tools that a reply may name
//   - completion.go, completion_shell.go: what a shell completes
package replies
