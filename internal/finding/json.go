package finding

import (
	"slices"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// answer is a reply in JSON. Lines count from 1 and are inclusive.
type answer struct {
	Documents  int          `json:"documents"`
	Matching   int          `json:"documents_matching"`
	Sections   int          `json:"sections"`
	Lines      int          `json:"matching_lines,omitempty"`
	Hits       []shown      `json:"hits"`
	Next       string       `json:"next_cursor,omitempty"`
	Notes      []string     `json:"notes,omitempty"`
	Backend    string       `json:"backend,omitempty"` // the engine that has found them
	Failed     []Unsearched `json:"failed,omitempty"`
	FailedMore int          `json:"failed_more,omitempty"` // errors beside these
}

// json returns the reply in JSON, in at most as many characters as the reply may have; nil if there
// is too little room for one section.
func (s *searching) json(f *found, list []shown, ends []int, from int) ([]byte, error) {
	a := answer{Documents: f.documents, Matching: f.matching, Sections: f.sections, Lines: f.lineCount, Hits: []shown{}, Notes: f.notes, Backend: f.backend}
	failed := withPaths(slices.Concat(f.failed, f.unshown))
	a.Failed = failed
	for n := len(a.Failed); n > 0 && s.req.MaxChars > 0 && replies.Chars(replies.JSON(a.Failed)) > s.req.MaxChars/partFailed; n /= 2 {
		a.Failed, a.FailedMore = failed[:n/2], len(failed)-n/2
	}
	if s.req.MaxChars > 0 {
		room := s.req.MaxChars - replies.Chars(replies.JSON(a)) - moreRoom
		list = fitting(room, list, func(h *shown) int { return replies.Chars(replies.JSON(h)) + len(",") })
		if len(list) == 0 && len(f.hits) > 0 {
			return nil, nil
		}
	}
	a.Hits = append(a.Hits, list...)
	n := len(list)
	if n > 0 && from+ends[n-1] < f.reach() {
		var err error
		if a.Next, err = s.cursor(f, ends[n-1]); err != nil {
			return nil, err
		}
	}
	return new(documents.Taken).JSON(s.docs.Work, nil, a)
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
