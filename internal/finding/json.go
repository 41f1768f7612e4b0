package finding

import (
	"github.com/sectile/sectile/internal/replies"
)

// answer is a reply in JSON. Lines count from 1 and are inclusive.
type answer struct {
	Documents int          `json:"documents"`
	Matching  int          `json:"documents_matching"`
	Sections  int          `json:"sections"`
	Lines     int          `json:"matching_lines,omitempty"`
	Hits      []shown      `json:"hits"`
	Next      string       `json:"next_cursor,omitempty"`
	Notes     []string     `json:"notes,omitempty"`
	Backend   string       `json:"backend,omitempty"` // the engine that has found them
	Failed    []Unsearched `json:"failed,omitempty"`
}

// json returns the reply in JSON, in at most as many characters as the reply may have.
func (s *searching) json(f *found, list []shown, ends []int, from int) ([]byte, error) {
	a := answer{Documents: f.documents, Matching: f.matching, Sections: f.sections, Lines: f.lineCount, Hits: list, Notes: f.notes, Backend: f.backend, Failed: withPaths(f.failed)}
	for n := len(list); ; n-- {
		a.Hits, a.Next = list[:n], ""
		if n > 0 && from+ends[n-1] < f.reach() {
			var err error
			if a.Next, err = s.cursor(f, ends[n-1]); err != nil {
				return nil, err
			}
		}
		text := replies.AppendJSON(nil, a)
		if n <= 1 || s.req.MaxChars == 0 || chars(string(text)) <= s.req.MaxChars {
			return text, nil
		}
	}
}

// nameList is a reply of paths alone in JSON.
type nameList struct {
	Documents []string     `json:"documents"`
	Failed    []Unsearched `json:"failed,omitempty"`
}

// Unsearched is why a document could not be searched, or handed over, with its path in JSON.
type Unsearched struct {
	FilePath string `json:"file_path,omitempty"`
	*replies.Error
}

// withPaths returns errors with the paths of the documents that they are about.
func withPaths(failed []*replies.Error) []Unsearched {
	var list []Unsearched
	for _, e := range failed {
		list = append(list, Unsearched{e.Path, e})
	}
	return list
}
