package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sectile/sectile/dev/bench/ranking"
)

// ranked is an engine with how well it finds the section that is meant.
type ranked struct {
	engine      string
	tune, judge ranking.Result
	queries     int           // that judge
	made        time.Duration // until it could be asked
	size        int64         // bytes of its index
	took        time.Duration // for a query, within this process, all asked one after another
}

// measureSearch judges how search engines rank, and times searches beside ripgrep, on the
// documents of the corpus alone. A corpus without queries is an error only if nothing else
// is measured.
func measureSearch(ctx context.Context, b *bench) error {
	err := b.rank(ctx)
	if err == nil {
		err = b.timeSearches(ctx)
	}
	if err != nil && !b.apart() && ctx.Err() == nil {
		b.report.note("Search was not measured: %v", err)
		return nil
	}
	return err
}

// rank judges all engines.
func (b *bench) rank(ctx context.Context) error {
	tune, judge, err := ranking.ReadQueries(b.queries)
	if err != nil {
		return fmt.Errorf("the queries that ranking is judged by: %w; -queries names their file", err)
	}
	files, skipped, err := readFolder(b.corpus, "")
	if err != nil {
		return err
	}
	b.report.noteAll("files are left out for all engines", skipped)
	docs := make([]ranking.Document, len(files))
	for i, f := range files {
		docs[i] = ranking.Document{Path: f.name, Source: f.source}
	}
	engines := []ranking.Engine{ranking.Sectile(), ranking.Bleve()}
	if fts5, err := ranking.FTS5(ctx); err == nil {
		engines = append(engines, fts5)
	} else {
		b.report.note("SQLite FTS5 is left out: %v. To have it: apt-get install sqlite3", err)
	}
	if t := vault(b.machine); t.find(ctx, b.machine) == nil {
		v := &vaultSearch{machine: b.machine}
		defer func() {
			if v.server != nil {
				v.server.close()
			}
		}()
		engines = append(engines, v)
	} else {
		b.report.note("markdown-vault-mcp is left out of the search. To have it: %s", t.install)
	}
	for i, e := range engines {
		folder := filepath.Join(b.machine.scratch, fmt.Sprint("index-", i))
		if err := os.Mkdir(folder, 0o750); err != nil {
			return err
		}
		r, err := rankOne(ctx, e, folder, docs, tune, judge)
		if err != nil {
			return err
		}
		b.report.ranked = append(b.report.ranked, r)
		fmt.Fprintf(os.Stderr, "search: %s: MRR@10 %.4f, on the queries for tuning %.4f\n", r.engine, r.judge.MRR, r.tune.MRR)
		if b.tune {
			if err := tuneOne(ctx, e, tune); err != nil {
				return err
			}
		}
	}
	return nil
}

// rankOne judges an engine.
func rankOne(ctx context.Context, e ranking.Engine, folder string, docs []ranking.Document, tune, judge []ranking.Query) (r ranked, err error) {
	r.engine, r.queries = e.Name(), len(judge)
	start := time.Now()
	if err := e.Load(ctx, folder, docs); err != nil {
		return r, fmt.Errorf("%s: %w", e.Name(), err)
	}
	r.made = time.Since(start)
	if r.size, err = sizeBelow(folder); err != nil {
		return r, err
	}
	start = time.Now()
	if r.judge, err = ranking.Judge(ctx, e, judge, ranking.Tuned(e)); err != nil {
		return r, err
	}
	r.took = time.Since(start) / time.Duration(max(len(judge), 1))
	r.tune, err = ranking.Judge(ctx, e, tune, ranking.Tuned(e))
	return r, err
}

// tuneOne prints the settings that are best for an engine on the queries for that, which
// belong into its Knobs. It is not for the report.
func tuneOne(ctx context.Context, e ranking.Engine, tune []ranking.Query) error {
	best, reached, err := ranking.Tune(ctx, e, tune, func(format string, arguments ...any) { fmt.Fprintf(os.Stderr, format, arguments...) })
	if err != nil {
		return err
	}
	var all []string
	for i, k := range e.Knobs() {
		all = append(all, fmt.Sprintf("%s %v (has %v)", k.Name, best[i], k.Tuned))
	}
	fmt.Fprintf(os.Stderr, "%s, tuned: %.4f with %s\n", e.Name(), reached.MRR, strings.Join(all, ", "))
	return nil
}

// sizeBelow is the bytes of all files below a folder.
func sizeBelow(folder string) (size int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
