package comparing

import (
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// source is a document of a state.
type source struct {
	shown string // its path, as a reply has it
	open  func(*documents.Worker) (*markdown.Document, error)
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
}

// onDisk returns the state of the documents that a path names now.
func onDisk(docs documents.Set, path string) *state {
	docs.Paths = []string{path}
	s := &state{shown: replies.DisplayPath(path), single: !docs.AreMany(false), sources: map[string]source{}}
	for _, file := range docs.Named(false) {
		key := ""
		if !s.single {
			key = keyBelow(path, file.Path)
		}
		s.add(key, source{replies.DisplayPath(file.Path), file.Open})
	}
	return s
}

// add adds a document.
func (s *state) add(key string, from source) {
	if _, ok := s.sources[key]; !ok {
		s.order = append(s.order, key)
	}
	s.sources[key] = from
}

// keyBelow returns the path of a file from a folder, with forward slashes. Of a pattern it is
// the file's path as it is.
func keyBelow(folder, path string) string {
	if below, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return strings.TrimPrefix(filepath.ToSlash(path), "./")
}
