package documents

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A namespace tells in a selector which of several files is meant. It is short
// where it can be: the file's name without its extension, and as much of the
// path before it as is needed to tell it from the other files of the request.

// NamedFile is a document of a request.
type NamedFile struct {
	Path      string
	Namespace string
	err       error // it can't be found
}

// Named returns the documents with their namespaces. With literal, paths are
// files, whatever they look like: no folders, no patterns.
func (d Set) Named(literal bool) []NamedFile {
	var list []NamedFile
	if literal {
		for _, path := range d.Paths {
			list = append(list, NamedFile{Path: path, err: d.CheckClimb(path)})
		}
	} else {
		for path, err := range d.paths() {
			list = append(list, NamedFile{Path: path, err: err})
		}
	}
	paths := make([]string, len(list))
	for i := range list {
		paths[i] = replies.DisplayPath(list[i].Path)
	}
	for i, name := range namespaces(paths) {
		list[i].Namespace = name
	}
	return list
}

// Open reads and parses the document. It is valid until the worker's next one.
func (f *NamedFile) Open(w *Worker) (*markdown.Document, error) {
	if f.err != nil {
		return nil, f.err
	}
	return w.open(f.Path)
}

// AreMany reports whether the request may be about more than one document, so
// that a selector needs a namespace to say which.
func (d Set) AreMany(literal bool) bool {
	return len(d.Paths) != 1 || !literal && IsMany(d.Paths[0])
}

// namespaces returns the namespaces of files: the base name in lower case without
// its last extension; for those that would share it the shortest suffix of the
// path that no other of them has. Files that only their extensions or upper case
// tell apart are called by what does. The same path has the same namespace
// wherever it stands. Namespaces are as they are printed, so that one which was read
// can be sent back; files that are printed alike are called by their paths with
// escapes for what isn't ASCII.
func namespaces(paths []string) []string {
	var (
		number = make(map[string]int, len(paths)) // of a file
		files  = make([]int, len(paths))          // by path
		exact  []string                           // by file
		clean  []string                           // by file, as it is printed
		rest   []int                              // those that have no name yet
	)
	for i, path := range paths {
		path = filepath.ToSlash(filepath.Clean(path))
		n, ok := number[path]
		if !ok {
			n = len(clean)
			number[path] = n
			exact, clean, rest = append(exact, path), append(clean, replies.Safe(path)), append(rest, n)
		}
		files[i] = n
	}
	names := make([]string, len(clean))
	for _, text := range []func(string) string{stem, strings.ToLower} {
		rest = nameBySuffix(names, clean, rest, text)
	}
	for _, i := range rest {
		names[i] = clean[i]
	}
	for _, i := range shared(names) {
		names[i] = clean[i]
	}
	// Each time around another file gets such a name, and no two of these are alike.
	for same := shared(names); len(same) > 0; same = shared(names) {
		for _, i := range same {
			escaped := strconv.QuoteToASCII(exact[i])
			names[i] = escaped[1 : len(escaped)-1]
		}
	}
	list := make([]string, len(paths))
	for i, n := range files {
		list[i] = names[n]
	}
	return list
}

// stem returns a path in lower case without the last extension.
func stem(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if ext := filepath.Ext(base); ext != base {
		path = strings.TrimSuffix(path, ext)
	}
	return strings.ToLower(path)
}

// suffixed is a file whose name is looked for.
type suffixed struct {
	number int
	text   string
	start  int // of its suffix in the text
	group  int // of files that share the suffix
}

// whole reports whether the suffix is all of the text.
func (f *suffixed) whole() bool { return f.start == 0 }

// nameBySuffix names each file of the list by the shortest suffix of its text
// that no other file of the list has, and returns those whose whole text
// another one has too.
func nameBySuffix(names, clean []string, list []int, text func(string) string) (same []int) {
	rest := make([]suffixed, len(list))
	for i, n := range list {
		t := strings.TrimPrefix(text(clean[n]), "/")
		rest[i] = suffixed{number: n, text: t, start: len(t) + 1}
	}
	for len(rest) > 0 {
		shares := lengthen(rest)
		longer := rest[:0]
		for _, f := range rest {
			switch share := shares[f.group]; {
			case share.files == 1 || f.whole() && share.whole == 1:
				names[f.number] = f.text[f.start:]
			case f.whole():
				same = append(same, f.number)
			default:
				longer = append(longer, f)
			}
		}
		rest = longer
	}
	return same
}

// share says how many files share a suffix, and how many have nothing before it.
type share struct{ files, whole int }

// lengthen adds a component to the suffix of each file, and returns by group how
// many share it. Only files that shared the shorter suffix can, so no component
// is looked at twice.
func lengthen(list []suffixed) []share {
	type key struct {
		group     int
		component string
	}
	groups := map[key]int{}
	var shares []share
	for i := range list {
		f := &list[i]
		before := f.text[:f.start-1] // without the slash
		f.start = strings.LastIndexByte(before, '/') + 1
		k := key{f.group, before[f.start:]}
		group, ok := groups[k]
		if !ok {
			group = len(shares)
			groups[k] = group
			shares = append(shares, share{})
		}
		f.group = group
		shares[group].files++
		if f.whole() {
			shares[group].whole++
		}
	}
	return shares
}

// shared returns the files whose name another file has too.
func shared(names []string) []int {
	count := make(map[string]int, len(names))
	for _, name := range names {
		count[name]++
	}
	var list []int
	for i, name := range names {
		if count[name] > 1 {
			list = append(list, i)
		}
	}
	return list
}

// InNamespace returns the beginning of a selector for a file of the namespace,
// "readme::", in quotes if it needs them.
func InNamespace(name string) string {
	s := address.Selector{Namespace: name}
	return s.String()
}
