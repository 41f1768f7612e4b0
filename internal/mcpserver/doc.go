// Package mcpserver is the server of the Model Context Protocol: it decodes the
// calls of tools, calls package app, and prints the replies. What the protocol's
// library lacks for a server that one can leave running stands around it: a guard
// on lines, recovery from panics, limits on concurrency and time.
package mcpserver
