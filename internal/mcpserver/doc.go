// Package mcpserver is the server of the Model Context Protocol: it decodes the calls of
// tools, calls a room, and prints the replies. What the protocol's library lacks for a
// server that one can leave running stands around it: a guard on lines, recovery from
// panics, limits on concurrency and time.
//
// Which file holds what:
//
//   - server.go: the server; tools.go: what a tool is, and its calls; tools_*.go: the tools, a
//     file for each toolset; voice.go: names in sentences as tools have them; unknown.go: a
//     tool that there is none of; named.go: what models call documents
//   - guards.go, classes.go: limits of calls; progress.go: progress told
//   - stdio*.go: the connection over standard input and output, by lines and batches
//   - http.go: that over HTTP; http_messages.go, http_answers.go: messages; sessions.go: what
//     clients were shown
//   - resources.go, completion.go, prompts.go, skill.go, instructions.go: the rest of the
//     protocol; probe.go: the client of sectile doctor
package mcpserver
