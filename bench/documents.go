package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// document is a Markdown file that tools are measured on. Its source must not be
// changed.
type document struct {
	name   string // its path below the folder of all documents, with slashes
	source []byte
}

// skippedFolders, and hidden ones, have documents of other people, or none.
var skippedFolders = []string{"node_modules", "testdata", "dist"}

// readFolder returns the Markdown files below a folder in the order of their names,
// each with a name that begins with the prefix. Links are not followed.
func readFolder(folder, prefix string) ([]document, error) {
	var docs []document
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != folder && (strings.HasPrefix(entry.Name(), ".") || slices.Contains(skippedFolders, entry.Name())):
			return fs.SkipDir
		case !entry.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".md"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil || !utf8.Valid(source) {
			return err // what is not UTF-8 is text to some of the tools and none to others
		}
		below, err := filepath.Rel(folder, path)
		docs = append(docs, document{prefix + filepath.ToSlash(below), source})
		return err
	})
	if err == nil && len(docs) == 0 {
		err = fmt.Errorf("%s has no Markdown files", folder)
	}
	return docs, err
}

// gather returns all documents that are measured: generated ones, those of the
// repository, and those of the corpus if there is one.
func gather(o *options) ([]document, error) {
	docs := generated(o.seed, o.generated)
	own, err := readFolder(o.root, "project/")
	if err != nil {
		return nil, err
	}
	docs = append(docs, own...)
	if o.corpus == "" {
		return docs, nil
	}
	corpus, err := readFolder(o.corpus, "corpus/")
	return append(docs, corpus...), err
}

// writeAll writes documents below a folder.
func writeAll(folder string, docs []document) error {
	for _, d := range docs {
		path := filepath.Join(folder, filepath.FromSlash(d.name))
		if err := errors.Join(
			os.MkdirAll(filepath.Dir(path), 0o750),
			os.WriteFile(path, d.source, 0o600),
		); err != nil {
			return err
		}
	}
	return nil
}

// size is the number of bytes of all documents.
func size(docs []document) (n int) {
	for _, d := range docs {
		n += len(d.source)
	}
	return n
}

// withoutFrontMatter returns a source whose front matter is blank lines, so that
// lines are numbered as before. Parsers of CommonMark leave front matter to an
// extension, which does this.
func withoutFrontMatter(source []byte) []byte {
	lines := bytes.SplitAfter(source, []byte("\n"))
	fence := strings.TrimRight(string(lines[0]), " \t\r\n")
	if fence != "---" && fence != "+++" {
		return source
	}
	for i, line := range lines[1:] {
		end := strings.TrimRight(string(line), " \t\r\n")
		if end != fence && (end != "..." || fence != "---") {
			continue
		}
		rest := bytes.Join(lines[i+2:], nil)
		return append(bytes.Repeat([]byte("\n"), i+2), rest...)
	}
	return source
}
