package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// kindOfSearch are searches of a kind: ten queries, timed together.
type kindOfSearch struct {
	name    string
	limit   float64 // how many times ripgrep's time is the most that is wanted
	queries []string
	ours    []string // flags of sectile search
	ripgrep func(query string) []string
}

// count has ripgrep count the lines with any of the words, as words in any case.
func count(query string) []string {
	arguments := []string{"-c", "-i", "-w"}
	for word := range strings.FieldsSeq(query) {
		arguments = append(arguments, "-e", word)
	}
	return arguments
}

// kindsOfSearches are made for the corpus: rare words are in one to five of its documents,
// middling ones in sixty to a hundred and sixty, and common ones in more than nine hundred.
var kindsOfSearches = []kindOfSearch{
	{"rare words", 2, []string{
		"baselines", "captures_iter", "compiler_builtins", "condvar", "catch_panic",
		"fetch_add", "flooring tolerances", "front_of_house", "html_root_url", "min_base_fee_per_gas warm_access",
	}, nil, count},
	{"middling words", 2, []string{
		"allocation", "container", "escape", "exhaustive parsing", "guidelines",
		"hashing", "invariant", "privacy", "selfdestruct", "deferred dispatch",
	}, nil, count},
	{"common words", 4, []string{
		"changes", "code", "compatibility rationale", "different types", "existing implementation",
		"future", "number", "possible alternatives", "version", "proposed design change",
	}, nil, count},
	{"an exact text", 1.5, []string{
		"associated type", "base fee", "byte array", "existential", "generic parameter",
		"lifetime elision", "pattern matching", "the function", "token", "trait object",
	}, []string{"--text"}, func(query string) []string { return []string{"-n", "-i", "-F", "-e", query} }},
	{"a regular expression", 1.5, []string{
		`\bunsafe\s+impl\b`, `#\[derive\(\w+`, `EIP-\d{4}`, `SE-0\d+`, `[a-z]+_[a-z]+_[a-z]+\(`,
		`^\s*fn main`, `0x[0-9a-f]{40}`, `let mut \w+`, `(must|shall) not`, `https?://[a-z.]+/[^)]*#L\d+`,
	}, []string{"--regex"}, func(query string) []string { return []string{"-n", "-S", "-e", query} }},
}

// sought is what searches of a kind took.
type sought struct {
	kind      string
	limit     float64
	documents int
	bytes     int64
	ours, rg  sample // milliseconds for all queries
	queries   int
	memory    int // bytes, the largest size of a server that was asked all queries; 0 for unknown
}

// timeSearches times searches in the corpus, and in ten copies of it, beside ripgrep.
func (b *bench) timeSearches(ctx context.Context) error {
	docs, _, err := readFolder(b.corpus, "")
	if err != nil {
		return err
	}
	folder := filepath.Join(b.machine.scratch, "sought")
	for copies := range 10 {
		if err := writeAll(filepath.Join(folder, fmt.Sprint("copy", copies)), docs); err != nil {
			return err
		}
	}
	for _, place := range []struct {
		folder string
		times  int
		rounds int
	}{{filepath.Join(folder, "copy0"), 1, b.rounds}, {folder, 10, max(b.rounds/3, 1)}} {
		for i := range kindsOfSearches {
			s, err := b.timeKind(ctx, &kindsOfSearches[i], place.folder, place.rounds)
			if err != nil {
				return err
			}
			s.documents, s.bytes = len(docs)*place.times, int64(size(docs))*int64(place.times)
			b.report.sought = append(b.report.sought, s)
			fmt.Fprintf(os.Stderr, "search: %s in %s documents: %s\n", s.kind, thousands(s.documents), times(s.ours.over(s.rg)))
		}
	}
	return nil
}

// timeKind times searches of a kind in a folder.
func (b *bench) timeKind(ctx context.Context, kind *kindOfSearch, folder string, rounds int) (sought, error) {
	s := sought{kind: kind.name, limit: kind.limit, queries: len(kind.queries)}
	program := filepath.Join(b.machine.scratch, "sectile")
	all := func(command func(query string) []string) func() error {
		return func() error {
			for _, q := range kind.queries {
				if err := silent(ctx, "", command(q)).run(); err != nil {
					return fmt.Errorf("%q: %w", q, err)
				}
			}
			return nil
		}
	}
	contenders := []contender{{ours, all(func(q string) []string {
		return append(append([]string{program, "search"}, kind.ours...), "--", q, folder)
	})}}
	_, err := exec.LookPath("rg")
	if err == nil {
		contenders = append(contenders, contender{"ripgrep", all(func(q string) []string {
			return append(append([]string{"rg", "-g", "*.md"}, kind.ripgrep(q)...), folder)
		})})
	}
	took, failed := inTurns(rounds, contenders)
	if failed[0] != nil {
		return s, failed[0]
	}
	s.ours = took[0]
	if len(took) > 1 {
		s.rg = took[1]
		if failed[1] != nil {
			b.report.note("Searches: ripgrep fails, so it has no figure: %v", failed[1])
		}
	}
	s.memory, err = b.weigh(ctx, kind, folder)
	return s, err
}

// weigh asks a new server all queries of a kind, and returns how large it became, in bytes,
// or 0 where the system does not tell.
func (b *bench) weigh(ctx context.Context, kind *kindOfSearch, folder string) (int, error) {
	server, err := startServer(ctx, []string{filepath.Join(b.machine.scratch, "sectile"), "mcp", "--root", folder})
	if err != nil {
		return 0, err
	}
	defer server.close()
	arguments := map[string]any{}
	if len(kind.ours) > 0 {
		arguments["match"] = strings.TrimPrefix(kind.ours[0], "--")
	}
	for _, q := range kind.queries {
		arguments["query"] = q
		if _, err := server.call(call{"search_sections", arguments}); err != nil {
			return 0, fmt.Errorf("%q: %w", q, err)
		}
	}
	if runtime.GOOS != "linux" {
		return 0, nil
	}
	return peakOf(server.cmd.Process.Pid)
}
