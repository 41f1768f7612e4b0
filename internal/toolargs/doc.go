// Package toolargs is the arguments of tools: they are declared once, as the fields of a
// struct, and from the declaration come the JSON Schema that clients show to a model, the
// values that a call is run with, and the errors that make its next try succeed.
//
// Which file holds what:
//
//   - declare.go: the fields of a struct as arguments, and their values set
//   - schema.go: an argument, its schema, and errors about one
//   - decode.go, json.go: the arguments of a call read
package toolargs
