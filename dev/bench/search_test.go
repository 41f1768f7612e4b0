package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/dev/bench/ranking"
)

func TestSearchTables(t *testing.T) {
	ranks := rankingTable([]ranked{
		{engine: ours, judge: ranking.Result{MRR: 0.6784, First: 110, Ten: 160}, tune: ranking.Result{MRR: 0.7}, queries: 200, took: 50 * time.Millisecond},
		{engine: "other", judge: ranking.Result{MRR: 0.5}, queries: 200, made: 42 * time.Second, size: 139_000_000, took: 4 * time.Millisecond},
	})
	want := "| **sectile** | 0.678 | 110 of 200 | 160 of 200 | 0.700 | none needed | none | 50.0 ms |\n" +
		"| other | 0.500 | 0 of 200 | 0 of 200 | 0.000 | 42.0 s | 139 MB | 4.00 ms |\n"
	if diff := cmp.Diff(want, strings.Join(strings.SplitAfter(ranks, "\n")[2:], "")); diff != "" {
		t.Error(diff)
	}
	times := soughtTable([]sought{
		{kind: "rare words", limit: 2, documents: 2744, bytes: 28_700_000, queries: 10, ours: sample{400, 600, 500}, rg: sample{200, 300, 500}, memory: 40 << 20},
		{kind: "a text", limit: 1.5, documents: 1, bytes: 1e6, queries: 10, ours: sample{100}},
	})
	want = "| 2,744 documents, 28.7 MB | rare words | 50.0 ms | 30.0 ms | 2.00 × | at most 2 × | 40.0 MiB |\n" +
		"| 1 documents, 1.00 MB | a text | 10.0 ms | none ms |  | at most 1.5 × | unknown |\n"
	if diff := cmp.Diff(want, strings.Join(strings.SplitAfter(times, "\n")[2:], "")); diff != "" {
		t.Error(diff)
	}
}

// TestSearchWithoutQueries leaves the search out where more is measured, and fails where
// nothing else is.
func TestSearchWithoutQueries(t *testing.T) {
	for only, fails := range map[string]bool{"": false, "search": true} {
		b := &bench{options: options{only: only, corpus: sampleCorpus(t), queries: "none.jsonl"}, report: &report{}}
		if err := measureSearch(t.Context(), b); (err != nil) != fails || len(b.report.skipped) == 0 != fails {
			t.Errorf("only %q: %v, %q", only, err, b.report.skipped)
		}
	}
}
