// Package mcpserver is the server of the Model Context Protocol: it decodes the calls of
// tools, calls a room, and prints the replies. Around them stand recovery from panics, and limits
// on concurrency and time; internal/transport has the connections.
//
// Which file holds what:
//
//   - server.go: the server; tools.go: what a tool is, and its calls; tools_*.go: the tools, by
//     what they do; voice.go: names in sentences as tools have them; unknown.go: a
//     tool that there is none of; named.go: what models call documents
//   - guards.go, classes.go: limits of calls; plain.go: results encoded once; takenback.go: what was taken back before; progress.go: progress told
//   - http.go: the server over HTTP; sessions.go: what clients were shown
//   - resources.go, cache.go, completion.go, prompts.go, skill.go, instructions.go: the rest of the
//     protocol; probe.go: the client of sectile doctor
package mcpserver
