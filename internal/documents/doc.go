// Package documents knows which documents a request means (files, folders, patterns,
// standard input, the roots of a server), opens and parses them within a budget of memory,
// keeps their parses, names them apart, and tells what of them a reader was shown.
package documents
