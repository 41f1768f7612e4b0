// Package guide serves categories of a project's guidance: it finds the files
// that a pattern means, reads them through a handle on the category's folder,
// renders templates, and puts several files into one multipart message.
//
// What a category is comes from package config. No message of an error names a
// path of the host.
//
// Which file holds what:
//
//   - pattern*.go: what a pattern means, and whether a path matches it
//   - discover.go, discover_walk.go, root.go: the walk for files that match; read.go: their
//     text, within limits; memory.go: what was found before
//   - template*.go, partial.go: templates, their names, values and inclusions
//   - multipart.go, mediatype.go, location.go, encoded.go: the format of an answer
//   - serve.go, serve_source.go, serve_one.go: a request for a category, a collection, one
//     file; serve_error.go, serve_hint.go, serve_nearest.go: what is said when it fails;
//     error.go: the error
package guide
