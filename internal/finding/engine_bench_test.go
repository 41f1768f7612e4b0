package finding

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// judgedPlace is a section as the reference queries name it.
type judgedPlace struct{ Path, Title, Breadcrumb string }

// judgedQuery is a query with the section that it leads to, and those that are left out of all
// answers.
type judgedQuery struct {
	Query   string
	Answer  judgedPlace
	Exclude []judgedPlace
}

// BenchmarkEngine feeds an engine with the corpus and copies of it, and asks the queries that
// judge the ranking, with the engine and in the files. docs/benchmarks.md has what it says.
func BenchmarkEngine(b *testing.B) {
	for _, copies := range []int{1, 10} {
		b.Run(fmt.Sprintf("copies=%d", copies), func(b *testing.B) { benchmarkEngine(b, copies) })
	}
}

func benchmarkEngine(b *testing.B, copies int) {
	b.Helper()
	address := testkit.OpenSearch(b)
	dir := b.TempDir()
	size := 0
	for _, f := range testkit.CorpusFiles(b) {
		for i := range copies {
			path := filepath.Join(dir, fmt.Sprint(i), filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o600); err != nil {
				b.Fatal(err)
			}
			size += len(f.Data)
		}
	}
	config := filepath.Join(b.TempDir(), "config.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "search: {backend: %q, roots: {corpus: %q}}\n", address, dir), 0o600); err != nil {
		b.Fatal(err)
	}
	e := &Elsewhere{UserFile: config}
	began := time.Now()
	reply, err := Push(b.Context(), PushRequest{Elsewhere: e})
	if err != nil {
		b.Fatal(err)
	}
	took := time.Since(began).Seconds()
	b.ReportMetric(float64(size)/1e6/took, "fed-MB/s")
	b.ReportMetric(float64(reply.Roots[0].Sections)/took, "fed-sections/s")
	began = time.Now()
	if _, err = Push(b.Context(), PushRequest{Elsewhere: e}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(began).Seconds(), "push-of-nothing-s")
	queries := readJudged(b)
	for name, engine := range map[string]*Elsewhere{"files": nil, "engine": e} {
		var times []time.Duration
		sum := 0.0
		for _, q := range queries {
			began := time.Now()
			reply, err := Search(b.Context(), documents.Set{Paths: []string{dir}}, SearchRequest{Query: q.Query, Limit: 60, Elsewhere: engine, JSON: true})
			times = append(times, time.Since(began))
			if err != nil {
				b.Fatal(err)
			}
			var a answer
			if err := json.Unmarshal(reply.Text, &a); err != nil {
				b.Fatal(err)
			}
			if engine != nil && a.Backend == "" {
				b.Fatalf("%q: %q", q.Query, a.Notes)
			}
			sum += q.reciprocalRank(a.Hits, dir)
		}
		slices.Sort(times)
		b.ReportMetric(sum/float64(len(queries)), name+"-MRR@10")
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, name+"-median-ms")
	}
	b.ReportMetric(0, "ns/op") // which says nothing here
}

// reciprocalRank returns one divided by the rank of the answer among the first ten, 0 if it is
// not among them.
func (q *judgedQuery) reciprocalRank(hits []shown, dir string) float64 {
	rank := 0
	for i := range hits {
		rel, _ := filepath.Rel(dir, hits[i].Path)
		_, path, _ := strings.Cut(filepath.ToSlash(rel), "/") // the number of the copy
		is := func(p judgedPlace) bool {
			titles := p.Title
			if p.Breadcrumb != "" {
				titles = p.Breadcrumb + " > " + p.Title
			}
			return p.Path == path && titles == hits[i].Titles
		}
		if slices.ContainsFunc(q.Exclude, is) {
			continue
		}
		if rank++; rank > 10 {
			break
		}
		if is(q.Answer) {
			return 1 / float64(rank)
		}
	}
	return 0
}

// readJudged returns the reference queries that judge: lines that are even, counted from 1.
func readJudged(b *testing.B) (list []judgedQuery) {
	b.Helper()
	f, err := os.Open(filepath.Join(testkit.CorpusDir(b), "search", "queries.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var q judgedQuery
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			b.Fatal(err)
		}
		if n%2 == 0 {
			list = append(list, q)
		}
	}
	return list
}
