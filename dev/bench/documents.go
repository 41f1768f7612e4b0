package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
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
// each with a name that begins with the prefix. Links are not followed. What can't be
// measured fairly is left out for all tools, with a line for each that says why.
// A link to the folder itself is followed.
func readFolder(folder, prefix string) (docs []document, skipped []string, err error) {
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, nil, errors.Join(err, fmt.Errorf("%s is a file: give a folder", folder))
	}
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != folder && (strings.HasPrefix(entry.Name(), ".") || slices.Contains(skippedFolders, entry.Name())):
			return fs.SkipDir
		case !entry.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".md"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(folder, path)
		name := prefix + filepath.ToSlash(below)
		if why := unfit(source); why != "" {
			skipped = append(skipped, name+" "+why)
			return err
		}
		docs = append(docs, document{name, source})
		return err
	})
	switch {
	case err == nil && len(docs) == 0 && len(skipped) > 0:
		err = fmt.Errorf("%s has no Markdown files that can be measured: %s", folder, skipped[0])
	case err == nil && len(docs) == 0:
		err = fmt.Errorf("%s has no Markdown files", folder)
	}
	return docs, skipped, err
}

// unfit says why a source is not measured, or nothing: what is text to some of the
// tools and none to others, and what they count the lines of in different ways.
func unfit(source []byte) string {
	switch {
	case bytes.IndexByte(source, 0) >= 0:
		return "has a NUL byte"
	case !utf8.Valid(source):
		return "is not UTF-8"
	case bytes.Count(source, []byte("\r")) != bytes.Count(source, []byte("\r\n")):
		return "has a CR that ends a line alone"
	}
	return ""
}

// gather returns all documents that are measured: generated ones, those of the
// repository, and those of the corpus if there is one, or some of those.
func gather(o *options) (docs []document, skipped []string, err error) {
	own, skipped, err := readFolder(o.root, "project/")
	if err != nil {
		return nil, nil, err
	}
	docs = append(generated(o.seed, o.generated), own...)
	if o.corpus == "" {
		return docs, skipped, nil
	}
	corpus, unfit, err := readFolder(o.corpus, "corpus/")
	o.corpusDocs = len(corpus)
	if some := sampled(corpus, o.seed, o.corpusBytes); o.corpusBytes > 0 {
		if len(some) == 0 && err == nil {
			err = fmt.Errorf("%s has no Markdown file of at most %s bytes: leave out -quick", o.corpus, thousands(o.corpusBytes))
		}
		corpus = some
	}
	return append(docs, corpus...), append(skipped, unfit...), err
}

// sampled returns documents of up to so many bytes in all, which a seed chooses, in
// the order that they have.
func sampled(docs []document, seed uint64, limit int) []document {
	chosen := make([]bool, len(docs))
	for _, at := range rand.New(rand.NewPCG(seed, 5)).Perm(len(docs)) {
		if n := len(docs[at].source); n <= limit {
			chosen[at] = true
			limit -= n
		}
	}
	var some []document
	for i := range docs {
		if chosen[i] {
			some = append(some, docs[i])
		}
	}
	return some
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
