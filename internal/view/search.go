package view

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/sectile/sectile/internal/finding"
	"github.com/sectile/sectile/internal/replies"
)

// searchPage is what a query has found.
type searchPage struct {
	frame

	Match   string
	Matches []string
	Found   *found
	Problem string // of the query
	Unread  unread
	Next    string // the address of the next page; empty for none
}

// found is the reply of the room, as it is in JSON.
type found struct {
	Documents int      `json:"documents"`
	Matching  int      `json:"documents_matching"`
	Sections  int      `json:"sections"`
	Hits      []hit    `json:"hits"`
	Next      string   `json:"next_cursor"`
	Notes     []string `json:"notes"`
	Failed    []struct {
		Path    string `json:"file_path"`
		Message string `json:"message"`
	} `json:"failed"`
}

// hit is a section that was found.
type hit struct {
	Path     string   `json:"file_path"`
	Selector string   `json:"selector"`
	First    int      `json:"start_line"`
	Last     int      `json:"end_line"`
	Titles   string   `json:"titles"`
	Lines    []line   `json:"lines"`
	Matching int      `json:"matching_lines"`
	Also     []string `json:"also"`

	Pieces []piece `json:"-"` // of its title
}

type line struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Context bool   `json:"context"`

	Pieces []piece `json:"-"`
}

// piece is a part of a text, and whether it is what was looked for.
type piece struct {
	Text  string
	Found bool
}

// piecesOf returns a text by its pieces.
func piecesOf(text string, places [][2]int) (list []piece) {
	from := 0
	for _, p := range places {
		if p[0] > from {
			list = append(list, piece{text[from:p[0]], false})
		}
		list, from = append(list, piece{text[p[0]:p[1]], true}), p[1]
	}
	if from < len(text) {
		list = append(list, piece{text[from:], false})
	}
	return list
}

// Title is the title of the section, Above those that it stands below.
func (h hit) Title() string {
	titles := strings.Split(h.Titles, " > ")
	if last := titles[len(titles)-1]; last != "" {
		return last
	}
	return baseName(h.Path)
}

// MoreLines is how many lines that match are not shown.
func (h hit) MoreLines() int { return max(0, h.Matching-len(h.Lines)) }

// Above returns the titles of the sections that it stands in.
func (h hit) Above() string {
	i := strings.LastIndex(h.Titles, " > ")
	return strings.ReplaceAll(h.Titles[:max(i, 0)], " > ", " › ")
}

// maxHitLines is how many lines of a section are shown that match.
const maxHitLines = 50

// search answers with what a query finds.
func (s *site) search(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	query := r.URL.Query()
	p := searchPage{frame: s.newFrame(r, "", "Search"), Match: query.Get("match"), Matches: finding.Matches()}
	p.Live, p.Wide = "", true
	if strings.TrimSpace(p.Query) == "" {
		return &answer{template: "search.html", data: p}, nil
	}
	p.Title = "Search: " + p.Query
	req := finding.SearchRequest{Query: p.Query, Match: p.Match, Cursor: query.Get("cursor"), Limit: 20, MaxLines: maxHitLines, JSON: true}
	reply, err := finding.Search(r.Context(), docs, req)
	if err != nil {
		if r.Context().Err() != nil {
			return nil, err
		}
		p.Problem = replies.AsError(err).Message.String()
		return &answer{template: "search.html", data: p}, nil
	}
	p.Found = &found{}
	if err := json.Unmarshal(reply.Text, p.Found); err != nil {
		return nil, err
	}
	for _, f := range p.Found.Failed {
		p.Unread.add(f.Path, f.Message)
	}
	where := finding.Where(req)
	for i := range p.Found.Hits {
		h := &p.Found.Hits[i]
		h.Pieces = piecesOf(h.Title(), where(h.Title()))
		for n := range h.Lines {
			h.Lines[n].Pieces = piecesOf(h.Lines[n].Text, where(h.Lines[n].Text))
		}
	}
	if p.Found.Next != "" {
		next := r.URL.Query()
		next.Set("cursor", p.Found.Next)
		p.Next = "/search?" + next.Encode()
	}
	return &answer{template: "search.html", data: p}, nil
}
