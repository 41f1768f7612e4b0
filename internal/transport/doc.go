// Package transport carries messages of the Model Context Protocol between a client and the
// protocol's library: over standard input and output, a line each, and over HTTP. What the
// library lacks there for a server that one can leave running stands here: every call is
// answered once, whatever the lines and bodies hold, and clients that are fast, or don't
// read, fill no memory. It knows no tool and no document.
//
// Which file holds what:
//
//   - message.go: messages as they are sent, and what is refused of them
//   - stdio.go: the connection over standard input and output; stdio_lines.go: what comes
//     in; stdio_write.go: what goes out; stdio_batch.go: batches; classes.go: which calls
//     may wait for others, and how many of them are let in
//   - http_answers.go: messages of bodies answered by the library, whose refusals are made
//     answers; http_messages.go: bodies, and revisions of the protocol
package transport
