package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// searchText is what the measurement of search has found, for people.
func (b *bench) searchText(ctx context.Context) string {
	beside := []string{"bleve " + moduleVersion("github.com/blevesearch/bleve/v2")(ctx)}
	for _, other := range []struct{ name, program string }{{"SQLite", "sqlite3"}, {"ripgrep", "rg"}} {
		if version := versionBy(other.program, "--version")(ctx); version != "" {
			beside = append(beside, other.name+" "+version)
		}
	}
	return fmt.Sprintf("Made by `scripts/bench%s` on %s at %s, on %s/%s with %d cores, %s. Beside %s.\n\n%s\n%s",
		b.flags, time.Now().UTC().Format(time.DateOnly), b.measured, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(),
		strings.Join(beside, ", "), rankingTable(b.report.ranked), soughtTable(b.report.sought))
}

// rankingTable writes a line for each engine.
func rankingTable(all []ranked) string {
	var b strings.Builder
	b.WriteString("| engine | MRR@10 | answer first | among ten | MRR@10 on the queries it was tuned on | made ready in | index | a query, asked in the same process |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for i := range all {
		r := &all[i]
		name, ready, index := r.engine, figure(r.made.Seconds())+" s", figure(float64(r.size)/1e6)+" MB"
		if name == ours {
			name, ready, index = "**"+name+"**", "none needed", "none"
		}
		fmt.Fprintf(&b, "| %s | %.3f | %d of %d | %d of %d | %.3f | %s | %s | %s ms |\n", name, r.judge.MRR, r.judge.First, r.queries, r.judge.Ten, r.queries,
			r.tune.MRR, ready, index, figure(milliseconds(r.took)))
	}
	return b.String()
}

// soughtTable writes a line for each kind of searches in each folder.
func soughtTable(all []sought) string {
	var b strings.Builder
	b.WriteString("| searched | for | sectile, each | ripgrep, each | times | wanted | largest size of a server |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for i := range all {
		s := &all[i]
		each := func(v float64) float64 { return v / float64(s.queries) }
		memory := "unknown"
		if s.memory > 0 {
			memory = figure(float64(s.memory)/(1<<20)) + " MiB"
		}
		fmt.Fprintf(&b, "| %s documents, %s MB | %s | %s ms | %s ms | %s | at most %g × | %s |\n", thousands(s.documents), figure(float64(s.bytes)/1e6), s.kind,
			figure(s.ours.each(each).median()), figure(s.rg.each(each).median()), times(s.ours.over(s.rg)), s.limit, memory)
	}
	return b.String()
}
