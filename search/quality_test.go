package search

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// place is a section as the reference queries name it.
type place struct {
	Path       string `json:"path"`
	Title      string `json:"title"`
	Breadcrumb string `json:"breadcrumb"`
}

// judged is a query with the section that it leads to, and those that are left out of all
// answers, for they hold the query's own words.
type judged struct {
	Query   string  `json:"query"`
	Answer  place   `json:"answer"`
	Exclude []place `json:"exclude"`
}

// judgedQueries returns the reference queries of one half: lines that are even, counted from
// 1, judge, and odd ones are for tuning.
func judgedQueries(t testing.TB, even bool) []judged {
	t.Helper()
	f, err := os.Open(filepath.Join(testkit.CorpusDir(t), "search", "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []judged
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if (n%2 == 0) != even {
			continue
		}
		var q judged
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		list = append(list, q)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// placeOf returns a section as the reference queries name it.
func placeOf(name string, doc *markdown.Document, section int) place {
	p := place{Path: name}
	if section < 0 {
		return p
	}
	p.Title = doc.SectionTitle(section)
	var around []string
	for i := doc.Sections[section].Parent; i >= 0; i = doc.Sections[i].Parent {
		around = append([]string{doc.SectionTitle(int(i))}, around...)
	}
	p.Breadcrumb = strings.Join(around, " > ")
	return p
}

// reciprocalRank returns one divided by the rank of the answer among the first ten, 0 if it is
// not among them.
func reciprocalRank(q judged, files []testkit.CorpusFile, docs []*markdown.Document, hits []Hit) float64 {
	rank := 0
	for _, h := range hits {
		p := placeOf(files[h.Document].Name, docs[h.Document], h.Section)
		if slices.Contains(q.Exclude, p) {
			continue
		}
		if rank++; rank > 10 {
			break
		}
		if p == q.Answer {
			return 1 / float64(rank)
		}
	}
	return 0
}

// TestRanking holds the ranking to a floor, on the queries that it was not tuned on: the mean
// over the queries of one divided by the rank of the answer among the first ten. Without
// SECTILE_LONG it is asked every fourth of them.
func TestRanking(t *testing.T) {
	files := testkit.CorpusFiles(t)
	docs := make([]*markdown.Document, len(files))
	for i, f := range files {
		docs[i] = parsed(t, f.Data)
	}
	queries, floor := judgedQueries(t, true), 0.62
	if !testkit.Long() { // which are easier by chance
		queries, floor = everyFourth(queries), 0.65
	}
	ranks := make([]float64, len(queries))
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(queries); i = int(next.Add(1)) - 1 {
				query, err := Parse(queries[i].Query)
				if err != nil {
					t.Errorf("%q: %v", queries[i].Query, err)
					return
				}
				s := query.Scanner()
				for n, f := range files {
					_ = s.Scan(n, f.Name, f.Data, func([]byte) (*markdown.Document, error) { return docs[n], nil })
				}
				ranks[i] = reciprocalRank(queries[i], files, docs, query.Rank(0, 60, s).Hits)
			}
		})
	}
	all.Wait()
	sum := 0.0
	for _, r := range ranks {
		sum += r
	}
	mean := sum / float64(len(queries))
	t.Logf("mean reciprocal rank of the first ten: %.3f", mean)
	if mean < floor {
		t.Errorf("mean reciprocal rank %.3f, below %.2f", mean, floor)
	}
}

func parsed(t testing.TB, src []byte) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// everyFourth returns every fourth of the queries.
func everyFourth(queries []judged) (some []judged) {
	for i := 0; i < len(queries); i += 4 {
		some = append(some, queries[i])
	}
	return some
}
