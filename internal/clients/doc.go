// Package clients knows what clients of the Model Context Protocol want in their
// configuration: each has a form of its own, and an idea of its own of where it starts a
// server.
//
// Which file holds what:
//
//   - clients.go: the clients, and a server that they start; remote.go: a server over HTTP
//   - hook.go: the hook of Claude Code
package clients
