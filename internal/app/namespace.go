package app

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/markdown"
)

// A namespace tells in a selector which of several files is meant. It is short
// where it can be: the file's name without its extension, and as much of the
// path before it as is needed to tell it from the other files of the request.

// namedFile is a document of a request.
type namedFile struct {
	path      string
	namespace string
	err       error // it can't be found
}

// named returns the documents with their namespaces. With literal, paths are
// files, whatever they look like: no folders, no patterns.
func (d Documents) named(literal bool) []namedFile {
	var list []namedFile
	if literal {
		for _, path := range d.Paths {
			list = append(list, namedFile{path: path})
		}
	} else {
		for path, err := range files.Find(d.Paths) {
			list = append(list, namedFile{path: path, err: err})
		}
	}
	paths := make([]string, len(list))
	for i := range list {
		paths[i] = displayPath(list[i].path)
	}
	for i, name := range namespaces(paths) {
		list[i].namespace = name
	}
	return list
}

// worker returns memory to read and parse the documents in.
func (d Documents) worker() *worker {
	return &worker{reader: files.Reader{Limit: d.MaxBytes}, stdin: d.Stdin}
}

// open reads and parses the document. It is valid until the worker's next one.
func (f *namedFile) open(w *worker) (*markdown.Document, error) {
	if f.err != nil {
		return nil, f.err
	}
	return w.open(f.path)
}

// kept returns a document that is still valid when the worker that made it goes on
// to the next one, in memory of just its size.
func kept(doc *markdown.Document) (*markdown.Document, error) {
	return markdown.Parse(bytes.Clone(doc.Source))
}

// isMany reports whether the request may be about more than one document, so
// that a selector needs a namespace to say which.
func (d Documents) isMany(literal bool) bool {
	return len(d.Paths) != 1 || !literal && IsMany(d.Paths[0])
}

// namespaces returns the namespaces of files: the base name in lower case without
// its last extension; for those that would share it the shortest suffix of the
// path that no other of them has. Files that only their extensions or upper case
// tell apart are called by what does. The same path has the same namespace
// wherever it stands.
func namespaces(paths []string) []string {
	var (
		names = make([]string, len(paths))
		clean = make([]string, len(paths))
		rest  []int // those that have no name yet
	)
	for i, path := range paths {
		clean[i] = filepath.ToSlash(filepath.Clean(path))
		rest = append(rest, i)
	}
	stem := func(i int) string {
		base := clean[i][strings.LastIndexByte(clean[i], '/')+1:]
		if ext := filepath.Ext(base); ext != base {
			return strings.ToLower(strings.TrimSuffix(clean[i], ext))
		}
		return strings.ToLower(clean[i])
	}
	withExtension := func(i int) string { return strings.ToLower(clean[i]) }
	for _, text := range []func(int) string{stem, withExtension} {
		rest = nameBySuffix(names, clean, rest, text)
	}
	for _, i := range rest {
		names[i] = clean[i]
	}
	for _, i := range shared(names, clean) {
		names[i] = clean[i]
	}
	return names
}

// nameBySuffix names each file of the list by the shortest suffix of its text
// that no other file of the list has, and returns those whose whole text
// another one has too.
func nameBySuffix(names, clean []string, list []int, text func(int) string) (same []int) {
	for components := 1; len(list) > 0; components++ {
		groups := map[string][]int{}
		for _, i := range list {
			suffix, _ := lastComponents(text(i), components)
			groups[suffix] = append(groups[suffix], i)
		}
		var longer []int
		for _, i := range list {
			suffix, whole := lastComponents(text(i), components)
			switch group := groups[suffix]; {
			case allSame(clean, group):
				names[i] = suffix
			case !whole:
				longer = append(longer, i)
			case !allSame(clean, exhausted(group, components, text)):
				same = append(same, i)
			default:
				names[i] = suffix
			}
		}
		list = longer
	}
	return same
}

// exhausted returns the files of a group whose text has no more components.
func exhausted(group []int, components int, text func(int) string) []int {
	var list []int
	for _, i := range group {
		if _, whole := lastComponents(text(i), components); whole {
			list = append(list, i)
		}
	}
	return list
}

// allSame reports whether the files of a group are one file.
func allSame(clean []string, group []int) bool {
	for _, i := range group {
		if clean[i] != clean[group[0]] {
			return false
		}
	}
	return true
}

// shared returns the files whose name another file has too.
func shared(names, clean []string) []int {
	owner := make(map[string]string, len(names))
	twice := map[string]bool{}
	for i, name := range names {
		if path, ok := owner[name]; ok && path != clean[i] {
			twice[name] = true
		}
		owner[name] = clean[i]
	}
	var list []int
	for i, name := range names {
		if twice[name] {
			list = append(list, i)
		}
	}
	return list
}

// lastComponents returns the last n components of a path with slashes, and
// whether there are no more.
func lastComponents(path string, n int) (suffix string, whole bool) {
	path = strings.TrimPrefix(path, "/")
	at := len(path)
	for range n {
		at = strings.LastIndexByte(path[:at], '/')
		if at < 0 {
			return path, true
		}
	}
	return path[at+1:], false
}

// inNamespace returns the beginning of a selector for a file of the namespace,
// "readme::", in quotes if it needs them.
func inNamespace(name string) string {
	s := address.Selector{Namespace: name}
	return s.String()
}
