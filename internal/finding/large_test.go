package finding

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// What is found in a document beyond the limit, part by part, is what is found in it below.
func TestSearchLarge(t *testing.T) {
	testkit.OneGoroutine(t)
	var src []byte
	random := rand.New(rand.NewPCG(25, 3))
	words := strings.Fields("the motivation of source compatibility is to return what callers proposed before a change of any kind in detail")
	for n := 0; len(src) < 6<<20; n++ { // several parts
		src = fmt.Appendf(src, "%s Round %d\n\n", "######"[:1+random.IntN(4)], n)
		for range random.IntN(30) {
			for range 60 {
				src = append(append(src, words[random.IntN(len(words))]...), ' ')
			}
			src = append(src, "\n\n"...)
		}
		if n%7 == 0 {
			src = append(src, "```go\nreturn nil\n```\n\n"...)
		}
	}
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, src, 0o600); err != nil {
		t.Fatal(err)
	}
	type section struct {
		Selector  string  `json:"selector"`
		StartLine int     `json:"start_line"`
		EndLine   int     `json:"end_line"`
		Titles    string  `json:"titles"`
		Score     float64 `json:"score"`
		Count     int     `json:"matching_lines"`
		Lines     []struct {
			Line int    `json:"line"`
			Text string `json:"text"`
		} `json:"lines"`
	}
	find := func(limit int64, work *documents.Work, req SearchRequest) (list []section) {
		req.JSON, req.Limit = true, 40
		r, err := Search(t.Context(), documents.Set{Paths: []string{path}, MaxBytes: limit, Work: work}, req)
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Sections []section `json:"hits"`
		}
		if err := json.Unmarshal(r.Text, &out); err != nil {
			t.Fatal(err)
		}
		return out.Sections
	}
	for _, req := range []SearchRequest{
		{Query: "round 3", In: "headings"},
		{Query: "callers proposed"},
		{Query: "source compatibility", Match: MatchText},
		{Query: `Round [12]\b`, Match: MatchRegex},
		{Query: "the motivation", Match: MatchText, Context: 1},
		{Query: "return", Match: MatchText, In: "code"},
	} {
		got, want := find(1<<20, nil, req), find(0, nil, req)
		if len(want) == 0 {
			t.Fatalf("%+v finds nothing", req)
		}
		if !slices.EqualFunc(got, want, func(a, b section) bool { return cmp.Equal(a, b) }) {
			t.Errorf("%+v (-below the limit +beyond):\n%s", req, cmp.Diff(want, got))
		}
		// A small budget has no room for headings beside the parts, so they are read again.
		for _, budget := range []int64{128 << 20, 140 << 20, 256 << 20} {
			if got := find(1<<20, documents.NewMemory(budget).Begin(t.Context(), nil), req); !slices.EqualFunc(got, want, func(a, b section) bool { return cmp.Equal(a, b) }) {
				t.Errorf("%+v in %d bytes (-below the limit +beyond):\n%s", req, budget, cmp.Diff(want, got))
			}
		}
	}
}

// A section beyond the limit is told of without lines, beside the others.
func TestSearchLargeSection(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"large.md": "# Large\n\nneedle\n\n" + strings.Repeat("lorem ipsum\n", 2000), "small.md": "# Small\n\na needle\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, match := range Matches() {
		for limit, want := range map[int]int{1: 1, -1: 2} {
			r, err := Search(t.Context(), documents.Set{Paths: []string{dir}, MaxBytes: 10_000}, SearchRequest{Query: "needle", Match: match, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			text := string(r.Text)
			isTold := strings.Contains(text, "no lines shown: file_too_large: ") && len(r.Failed) == 1
			if strings.Count(text, "h1.0") != want || isTold != strings.Contains(text, "large.md:1-2004 h1.0 Large\n") {
				t.Errorf("%s, %d sections:\n%s", match, limit, text)
			}
		}
	}
}

// What a reply says of the errors that it has no room for is what it says of those that it names:
// that documents weren't searched, or that sections have no lines.
func TestSearchManyLargeSections(t *testing.T) {
	dir := t.TempDir()
	for n := range 8 {
		for name, text := range map[string]string{"large": "# Large\n\nneedle\n\n" + strings.Repeat("lorem ipsum\n", 2000), "broken": "needle \xff\n"} {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(name, n, ".md")), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for room, want := range map[int][2]string{
		0:      {"not searched: 3 documents more\n", "no lines shown: 3 sections more\n"},
		10_000: {"not searched: 3 documents more\n", "no lines shown: 3 sections more\n"},
		2000:   {"documents more\n", "no lines shown: 8 sections\n"},
	} {
		set := documents.Set{Paths: []string{dir}, MaxBytes: 10_000}
		r, err := Search(t.Context(), set, SearchRequest{Query: "needle", MaxChars: room})
		if err != nil {
			t.Fatal(err)
		}
		text := string(r.Text)
		if len(r.Failed) != 16 || !strings.Contains(text, want[0]) || !strings.Contains(text, want[1]) || strings.Count(text, " more\n") > 2 {
			t.Errorf("in %d characters, %d errors:\n%s", room, len(r.Failed), text)
		}
	}
}

// TestSearchLargePreamble has front matter and what stands below it be found by their own addresses
// where both together are beyond the limit: the first with its lines, and also where it is itself.
func TestSearchLargePreamble(t *testing.T) {
	text := "\nzorq\n\n" + strings.Repeat("one two\n\n", 20_000) + "# H\n\nzorq\n"
	for matter, want := range map[string][]string{
		"---\nt: zorq\n---\n": {"a.md:1-3 @frontmatter #", "\n2: t: zorq\n", "a.md:1-40006 @preamble\n"},
		"---\nt: zorq\n" + strings.Repeat("# word\n", 20_000) + "---\n": {"a.md:1-60006 @frontmatter\n", "a.md:1-60006 @preamble\n"},
	} {
		dir := testkit.Folder(t, map[string]string{"a.md": matter + text})
		for _, match := range Matches() {
			set := documents.Set{Paths: []string{filepath.Join(dir, "a.md")}, MaxBytes: 100_000}
			r, err := Search(t.Context(), set, SearchRequest{Query: "zorq", Match: match})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(string(r.Text), filepath.ToSlash(dir)+"/", "")
			for _, part := range want {
				if !strings.Contains(got, part) || strings.Count(got, "@preamble\n") != 1 {
					t.Errorf("%s: %s\nwant %s", match, got, part)
				}
			}
		}
	}
}
