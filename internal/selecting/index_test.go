package selecting

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// indexOf returns the inventory of one document, given as text.
func indexOf(t *testing.T, src []byte, req IndexRequest) string {
	t.Helper()
	var o, e bytes.Buffer
	docs := documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
	if err := Index(t.Context(), docs, req, &o, &e); err != nil {
		t.Fatalf("%v: %s", err, e.String())
	}
	return o.String()
}

// indexObject is the part of index's JSON that tests look at.
type indexObject struct {
	Success   bool
	Timestamp string
	Data      struct {
		Documents []struct {
			Root     *jsonNode
			Headings []jsonNode
			Blocks   map[string]int
		}
		Summary map[string]int `json:"summary"`
	}
}

type jsonNode struct {
	Selector, Type, Text, Hash, Content, Preview string
	ContentPreview                               string     `json:"content_preview"`
	LevelPath                                    string     `json:"level_path"`
	Truncated                                    bool       `json:"truncated"`
	Depth                                        int        `json:"depth"`
	Children                                     int        `json:"children_count"`
	Words                                        int        `json:"word_count"`
	SectionWords                                 int        `json:"section_word_count"`
	StartLine                                    int        `json:"start_line"`
	EndLine                                      int        `json:"end_line"`
	StartByte                                    int        `json:"start_byte"`
	EndByte                                      int        `json:"end_byte"`
	Available                                    []jsonNode `json:"children_available"`
}

// checkIndex checks the laws of an inventory and of what it names.
func checkIndex(t *testing.T, name string, src []byte) {
	t.Helper()
	doc, err := markdown.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	var x indexObject
	decode(t, indexOf(t, src, IndexRequest{JSON: true}), &x)
	headings := x.Data.Documents[0].Headings
	if len(headings) != len(doc.Sections) {
		t.Fatalf("%s: %d headings of %d", name, len(headings), len(doc.Sections))
	}
	lines := strings.Split(indexOf(t, src, IndexRequest{}), "\n")
	for i := range headings {
		h := &headings[i]
		if got := string(src[h.StartByte:h.EndByte]); got != string(doc.Text(doc.SectionSpan(i))) || h.Hash != doc.SectionHash(i) || h.SectionWords != replies.CountWords([]byte(got)) {
			t.Fatalf("%s: %s is %.80q", name, h.Selector, got)
		}
		// The line of the text names the same section, and so does the path.
		short, title, _ := strings.Cut(strings.TrimLeft(lines[i], " "), " ")
		if title != replies.Safe(doc.SectionTitle(i)) || len(lines[i])-len(strings.TrimLeft(lines[i], " ")) != h.Depth-1 {
			t.Fatalf("%s: line %q for %q", name, lines[i], doc.SectionTitle(i))
		}
		for _, selector := range []string{short, h.LevelPath, h.Selector} {
			s, err := address.ParseSelector(selector)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			matches, err := address.Select(doc, s)
			if err != nil || len(matches) != 1 || matches[0].Node != address.NodeOfSection(i) {
				t.Fatalf("%s: %s chooses %+v, %v, want section %d", name, selector, matches, err, i)
			}
		}
	}
}

func TestIndexLaws(t *testing.T) {
	files := testkit.CorpusFiles(t)
	for i := 0; i < len(files); i += 2 {
		checkIndex(t, files[i].Name, files[i].Data)
	}
}

func TestIndexOfHostileDocuments(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, d := range testkit.HostileInputs() {
		if src := d.Make(4000); textual(src) {
			checkIndex(t, d.Name, src)
		}
	}
}

// textual reports whether a file with this text is not refused.
func textual(src []byte) bool {
	docs := documents.Set{Stdin: bytes.NewReader(src)}
	_, err := docs.Open(documents.Stdin)
	return err == nil
}
