package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Errands are what a caller is sent on: find this, change that. Each is done twice on the
// same documents, by sectile's tools and by what any agent has: a shell, a reader that
// prints lines with numbers, and the replacement of exact text. Both ways are written down
// call by call, as somebody goes who is good at it and knows no more than the errand says,
// so that the bytes of a run are the same each time.

// errand is something that is done in documents.
type errand struct {
	name  string
	told  string   // all that the caller knows at first
	named bool     // the errand stays in documents that it names
	repo  string   // whose documents are in the folder, as a folder of the corpus
	docs  []string // patterns of these documents, below that
	want  func(w *wanted)
	ours  func(h *hand)
	shell func(h *hand)
	sed   func(h *hand) // by a script of one line, where somebody would write one
}

// errands are all of them, in the order of the table.
func errands() []errand { return slices.Concat(errandsInOne(), errandsInMany()) }

// documentsDigest is the SHA-256 of all documents of the errands, by which others than
// those that the errands are made for are told.
const documentsDigest = "3610e811fca466427461e760a139516ddb1045f673572d27681f5e108da03126"

// wanted is what must come of an errand, made from the documents by the numbers of their
// lines, without any of the tools that are measured.
type wanted struct {
	sources map[string][]byte // as they were, which must not be changed
	files   map[string][]byte // as they must be
	answer  []string          // texts that must have arrived, with LF
	cuts    []cut
	err     error
}

// cut puts a text in the place of so many lines of a document, from one on that begins
// with some words, by which a wrong number is noticed.
type cut struct {
	name        string
	line, lines int
	was, text   string
}

// cut plans a change; line numbers are those of the document as it was.
func (w *wanted) cut(name string, line, lines int, was, text string) {
	w.cuts = append(w.cuts, cut{name, line, lines, was, text})
}

// lines returns lines of a document as it was, with LF.
func (w *wanted) lines(name string, first, last int, was string) string {
	all := strings.SplitAfter(unified(w.sources[name]), "\n")
	if last > len(all) || !strings.HasPrefix(all[first-1], was) {
		w.err = fmt.Errorf("%s has no line %d that begins with %q", name, first, was)
		return ""
	}
	return strings.Join(all[first-1:last], "")
}

// read demands that lines of a document arrive.
func (w *wanted) read(name string, first, last int, was string) {
	w.answer = append(w.answer, w.lines(name, first, last, was))
}

// replace changes a text wherever it is in any document.
func (w *wanted) replace(from, to string) {
	for name, text := range w.files {
		w.files[name] = bytes.ReplaceAll(text, []byte(from), []byte(to))
	}
}

// make makes what was planned, from the last line to the first one.
func (w *wanted) make() error {
	slices.SortStableFunc(w.cuts, func(a, b cut) int { return b.line - a.line })
	for _, c := range w.cuts {
		w.lines(c.name, c.line, c.line, c.was)
		if w.err != nil {
			return w.err
		}
		text := c.text
		if bytes.Contains(w.sources[c.name], []byte("\r\n")) {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		all := bytes.SplitAfter(w.files[c.name], []byte("\n"))
		w.files[c.name] = slices.Concat(bytes.Join(all[:c.line-1], nil), []byte(text), bytes.Join(all[c.line-1+c.lines:], nil))
	}
	return w.err
}

// done is what an errand came to in one way.
type done struct {
	calls, in, out int    // in: bytes of arguments, out: of replies
	wrong          string // what is not as it must be, or nothing
}

// ran is an errand that was done in all its ways.
type ran struct {
	errand
	ours, shell done
	sed         *done
	others      map[string]*done // by servers, those that can do it
}

// runErrands does errands on the documents of a corpus, with a program as server, and with others.
func runErrands(ctx context.Context, program, corpus, scratch string, all []errand, log func(string, ...any), others ...otherServer) ([]ran, error) {
	var results []ran
	for i := range all {
		e := &all[i]
		sources, err := e.sources(corpus)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		w := &wanted{sources: sources, files: map[string][]byte{}}
		maps.Copy(w.files, sources)
		e.want(w)
		if err := w.make(); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		one := ran{errand: *e}
		for _, way := range []struct {
			name string
			do   func(*hand)
			to   func(done)
		}{
			{"sectile", e.ours, func(d done) { one.ours = d }},
			{"shell", e.shell, func(d done) { one.shell = d }},
			{"sed", e.sed, func(d done) { one.sed = &d }},
		} {
			if way.do == nil {
				continue
			}
			log("\n# %s, %s: %s\n", e.name, way.name, e.told)
			d, err := e.run(scratch, w, way.do, &hand{ctx: ctx, program: program, log: log})
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", e.name, way.name, err)
			}
			way.to(d)
		}
		one.others = map[string]*done{}
		for i := range others {
			o := &others[i]
			if o.ways[e.name] == nil {
				continue
			}
			log("\n# %s, %s: %s\n", e.name, o.name, e.told)
			d, err := e.run(scratch, w, o.ways[e.name], &hand{ctx: ctx, program: program, log: log, other: o})
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", e.name, o.name, err)
			}
			one.others[o.name] = &d
		}
		results = append(results, one)
	}
	return results, nil
}

// sources reads the documents of an errand.
func (e *errand) sources(corpus string) (map[string][]byte, error) {
	sources := map[string][]byte{}
	for _, pattern := range e.docs {
		names, err := fs.Glob(os.DirFS(filepath.Join(corpus, e.repo)), pattern)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("the corpus has no %s: docs/benchmarks.md names the documents", path.Join(e.repo, pattern))
		}
		for _, name := range names {
			if sources[name], err = os.ReadFile(filepath.Join(corpus, e.repo, filepath.FromSlash(name))); err != nil {
				return nil, err
			}
		}
	}
	return sources, nil
}

// digest is the SHA-256 of the documents of errands, with their names.
func digest(corpus string, all []errand) (string, error) {
	hash := sha256.New()
	for i := range all {
		sources, err := all[i].sources(corpus)
		if err != nil {
			return "", err
		}
		for _, name := range sorted(sources) {
			fmt.Fprintf(hash, "%s/%s %d\n%s", all[i].repo, name, len(sources[name]), sources[name]) //nolint:errcheck // a hash takes all
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}

// run has a hand do an errand in one way, in a folder of its own, and judges what came of it.
func (e *errand) run(scratch string, w *wanted, do func(*hand), h *hand) (d done, err error) {
	folder, err := os.MkdirTemp(scratch, "errand-")
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	var docs []document
	for name, source := range w.sources {
		docs = append(docs, document{name, source})
	}
	if err := writeAll(folder, docs); err != nil {
		return d, err
	}
	h.folder = folder
	defer h.close()
	do(h)
	if h.err != nil {
		return d, h.err
	}
	h.done.wrong, err = w.judge(folder, h.seen)
	if h.done.wrong != "" {
		h.log("WRONG: %s\n", h.done.wrong)
	}
	return h.done, err
}

// judge compares a folder with what it must hold, byte for byte, and replies with what
// must be in them. It says what is wrong, or nothing.
func (w *wanted) judge(folder string, replies []string) (wrong string, err error) {
	is := map[string][]byte{}
	err = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, file)
		if err == nil {
			is[filepath.ToSlash(name)], err = os.ReadFile(file)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	for _, name := range sorted(w.files) {
		if text, ok := is[name]; !ok {
			return name + " is gone", nil
		} else if at := differAt(text, w.files[name]); at > 0 {
			return fmt.Sprintf("%s is not as it must be, from line %d on", name, at), nil
		}
		delete(is, name)
	}
	for _, name := range sorted(is) {
		return name + " was made", nil
	}
	for _, text := range w.answer {
		if line, ok := arrived(replies, text); !ok {
			return fmt.Sprintf("this did not arrive: %.80q", line), nil
		}
	}
	return "", nil
}

// differAt is the first line in which two texts differ, or 0.
func differAt(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return 1 + bytes.Count(a[:same], []byte("\n"))
}

// sorted returns the names of documents in order.
func sorted(docs map[string][]byte) []string {
	var names []string
	for name := range docs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
