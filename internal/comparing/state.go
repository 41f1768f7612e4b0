package comparing

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// source is a document of a state.
type source struct {
	shown string // its path, as a reply has it
	path  string // that it is opened by, if it lies on disk
	err   error  // why it can't be found
	past  *past  // what it held once, nil if it lies on disk
}

// past is what a document held once.
type past struct {
	text []byte // nil until it is loaded
	lost bool   // it can't be loaded
	is   func(text []byte) bool
	size int64 // bytes
}

// open opens the document. It is valid until the worker's next one; one of the past until the
// request ends.
func (s *source) open(w *documents.Worker, docs *documents.Set) (*markdown.Document, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case s.past == nil:
		return w.Open(s.path)
	case s.past.lost:
		return nil, lost(s.shown)
	case bytes.IndexByte(s.past.text, 0) >= 0:
		return nil, &fileerror.Error{Code: fileerror.BinaryFile, Path: s.shown, Reason: "it was no text then"}
	case !utf8.Valid(s.past.text):
		return nil, &fileerror.Error{Code: fileerror.EncodingError, Path: s.shown, Reason: "it was not UTF-8 then"}
	}
	return docs.Work.Retain(s.past.text)
}

// lost is the error for a document whose text the repository doesn't have any more.
func lost(shown string) error {
	return &fileerror.Error{Code: fileerror.IOError, Path: shown, Reason: "what it held in the commit is missing or damaged", Hint: planstore.HintLost}
}

// state is some documents at one time.
type state struct {
	// shown is what the state is called.
	shown string
	// single says that it is one document, whatever it is called, and not a folder.
	single bool
	// sources has the documents by their paths from the folder, with forward slashes; a
	// single one by "".
	sources map[string]source
	order   []string
	// reads loads the texts of sources of the past, in their order; nil if all are there.
	reads func(ctx context.Context, list []*past) error
	// hold reserves memory for a text of the past until the request ends.
	hold func(bytes int64) error
}

// onDisk returns the state of the documents that a path names now.
func onDisk(ctx context.Context, docs documents.Set, path string) *state {
	docs.Paths = []string{path}
	s := &state{shown: replies.DisplayPath(path), single: !isMany(&docs, path), sources: map[string]source{}}
	for file, err := range docs.Find(ctx) {
		key := ""
		if !s.single {
			key = keyBelow(path, file)
		}
		s.add(key, source{shown: replies.DisplayPath(file), path: file, err: err})
	}
	return s
}

// isMany reports whether a path stands for several documents.
func isMany(docs *documents.Set, path string) bool {
	if docs.Workspace != nil {
		return docs.Workspace.IsMany(path)
	}
	return documents.IsMany(path)
}

// add adds a document.
func (s *state) add(key string, from source) {
	if _, ok := s.sources[key]; !ok {
		s.order = append(s.order, key)
	}
	s.sources[key] = from
}

// drop takes out what can't be found for a reason.
func (s *state) drop(code fileerror.Code) {
	maps.DeleteFunc(s.sources, func(_ string, from source) bool {
		e, ok := errors.AsType[*fileerror.Error](from.err)
		return ok && e.Code == code
	})
	s.reorder()
}

// reorder leaves those out of the order that are taken out of the sources.
func (s *state) reorder() {
	s.order = slices.DeleteFunc(s.order, func(key string) bool { _, ok := s.sources[key]; return !ok })
}

// shares reports whether two states have a file in common.
func (s *state) shares(other *state) bool {
	paths := map[string]bool{}
	for _, from := range s.sources {
		paths[wholePath(from.path)] = true
	}
	for _, from := range other.sources {
		if from.err == nil && paths[wholePath(from.path)] {
			return true
		}
	}
	return false
}

// keyByPath gives the documents their whole paths, as those of a pattern have: a folder beside a pattern that
// finds the same files would have them moved.
func (s *state) keyByPath() {
	old := *s
	s.sources, s.order = map[string]source{}, nil
	for _, key := range old.order {
		from := old.sources[key]
		s.add(wholePath(from.path), from)
	}
}

// atOnce is the number of bytes of texts of the past that are loaded at once.
const atOnce = 4 << 20

// textFactor is what a text of the past takes at most while a program prints it, by its size.
const textFactor = 3

// load loads the texts of the first of the documents, and returns how many of them that were.
func (s *state) load(ctx context.Context, keys []string) (n int, err error) {
	if s.reads == nil {
		return len(keys), nil
	}
	var list []*past
	bytes := int64(0)
	for ; n < len(keys) && (n == 0 || bytes < atOnce); n++ {
		from := s.sources[keys[n]]
		if from.past == nil || from.err != nil {
			continue
		}
		// The size is what the repository says, which may be any number.
		if from.err = s.hold(textFactor * min(from.past.size, math.MaxInt64/textFactor)); from.err != nil {
			s.sources[keys[n]] = from
			continue
		}
		list, bytes = append(list, from.past), bytes+from.past.size
	}
	if len(list) > 0 {
		err = s.reads(ctx, list)
	}
	return n, err
}

// changedSince returns those documents that are not what they were in the past. Of documents on
// disk it returns all, for nobody knows yet; and one of which a section is asked for.
func (c *comparing) changedSince(keys []string, w *documents.Worker) []string {
	var changed []string
	for _, key := range keys {
		now, there := c.now.sources[key]
		if old := c.old.sources[key].past; old != nil && there && now.err == nil && c.req.Section == "" {
			if text, err := w.Source(now.path); err == nil && old.is(text) {
				c.same++
				continue
			}
		}
		changed = append(changed, key)
	}
	return changed
}

// keyBelow returns the path of a file from a folder, with forward slashes. Of a pattern it is
// the file's path as it is.
func keyBelow(folder, path string) string {
	if below, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return wholePath(path)
}

// wholePath returns the path of a file as it is, with forward slashes.
func wholePath(path string) string { return filepath.ToSlash(filepath.Clean(path)) }
