package finding

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// TestLinesInMemory: a reply with all lines that match reserves what they take, and is refused where
// there is no room; one that shows some of them takes no more than these, however many match.
func TestLinesInMemory(t *testing.T) {
	const lines = 500_000
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, []byte(strings.Repeat("a\n", lines)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		req     SearchRequest
		memory  int64
		refused bool
		shown   int
		least   int64 // bytes reserved
	}{
		"all in little memory":     {SearchRequest{Limit: -1}, documents.MinMaxMemory, true, 0, 0},
		"a page in little memory":  {SearchRequest{}, documents.MinMaxMemory, true, 0, 0},
		"beside each other":        {SearchRequest{Context: 3}, documents.MinMaxMemory, true, 0, 0},
		"all":                      {SearchRequest{Limit: -1}, documents.DefaultMaxMemory, false, lines, lines * lineBytes},
		"a page":                   {SearchRequest{}, documents.DefaultMaxMemory, false, lines, lines * lineBytes},
		"some lines of each":       {SearchRequest{MaxLines: 50}, documents.MinMaxMemory, false, 50, 0},
		"some characters":          {SearchRequest{MaxChars: 2000}, documents.MinMaxMemory, false, -1, 0},
		"some characters of all":   {SearchRequest{MaxChars: 2000, Limit: -1}, documents.MinMaxMemory, false, -1, 0},
		"some lines of many chars": {SearchRequest{MaxChars: 100_000, MaxLines: 7}, documents.MinMaxMemory, false, 7, 0},
	} {
		for _, match := range []string{MatchText, MatchRegex} {
			m := documents.NewMemory(tt.memory)
			w := m.Begin(t.Context(), nil)
			tt.req.Query, tt.req.Match, tt.req.JSON = "a", match, true
			r, err := Search(t.Context(), documents.Set{Paths: []string{path}, Work: w}, tt.req)
			switch {
			case err == nil && tt.refused, err != nil && (!tt.refused || replies.AsError(err).Code != replies.CodeTooComplex):
				t.Errorf("%s: %v", name, err)
			case err == nil:
				var got struct {
					Hits []struct {
						Lines []json.RawMessage `json:"lines"`
						Count int               `json:"matching_lines"`
					} `json:"hits"`
				}
				if err := json.Unmarshal(r.Text, &got); err != nil || len(got.Hits) != 1 || got.Hits[0].Count != lines ||
					len(got.Hits[0].Lines) != tt.shown && (tt.shown >= 0 || len(got.Hits[0].Lines) == 0) {
					t.Errorf("%s: %v\n%.300s", name, err, r.Text)
				}
				if got := m.Reserved(); got < tt.least || tt.least == 0 && got > 1<<20 {
					t.Errorf("%s: %d bytes are reserved", name, got)
				}
			}
			w.End()
			if got := m.Reserved(); got != 0 {
				t.Errorf("%s: %d bytes stay reserved", name, got)
			}
		}
	}
}
