// Package mcpserver is the server of the Model Context Protocol: it decodes the
// calls of tools, calls package app, and prints the replies. What the protocol's
// library lacks for a server that one can leave running stands around it: a guard
// on lines, recovery from panics, limits on concurrency and time.
//
// Which file holds what:
//
//   - server.go: the server; tools.go, declare.go: tools and their declaration; tools_*.go: the
//     tools, a file for each toolset; arguments.go, arguments_json.go, schema.go: arguments
//     decoded and described; voice.go: names in sentences as tools have them; unknown.go: a
//     tool that there is none of
//   - guards.go, classes.go: limits of calls; progress.go: progress told
//   - stdio*.go: the connection over standard input and output, by lines and batches
//   - http.go: that over HTTP; http_guards.go, http_login.go, http_token.go: who may ask;
//     http_connections.go, http_descriptors_*.go, http_room.go: how many; http_messages.go,
//     http_answers.go: messages; sessions.go: what clients were shown
//   - resources.go, completion.go, prompts.go, skill.go, instructions.go: the rest of the
//     protocol; probe.go: the client of sectile doctor
package mcpserver
