package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// conditions says by which command a run was made, where, on what, and beside what.
func (b *bench) conditions(ctx context.Context) string {
	origins := map[string]int{}
	for _, d := range b.docs {
		origin, _, _ := strings.Cut(d.name, "/")
		origins[origin]++
	}
	parts := []string{thousands(origins["generated"]) + " generated documents", thousands(origins["project"]) + " of this project"}
	switch n := origins["corpus"]; {
	case n > 0 && n < b.corpusDocs:
		parts = append(parts, fmt.Sprintf("%s of the %s of a corpus, which the seed chose", thousands(n), thousands(b.corpusDocs)))
	case n > 0:
		parts = append(parts, thousands(n)+" of a corpus")
	}
	return fmt.Sprintf("Made by `scripts/bench%s` on %s at %s, on %s/%s with %d cores, %s: %s, %s MB in all; seed %d; %d rounds in turns. Beside %s.",
		b.flags, time.Now().UTC().Format(time.DateOnly), b.measured, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(),
		strings.Join(parts, ", "), figure(float64(size(b.docs))/1e6), b.seed, b.rounds, strings.Join(b.versions(ctx), ", "))
}

// commitOf names the commit that a repository is at, and says if files differ from it.
func commitOf(ctx context.Context, root string) string {
	hash, err := run(ctx, []string{"git", "-C", root, "rev-parse", "--short", "HEAD"})
	if err != nil {
		return "an unknown commit"
	}
	name := "commit " + strings.TrimSpace(string(hash))
	if changed, err := run(ctx, []string{"git", "-C", root, "status", "--porcelain"}); err != nil || len(changed) > 0 {
		name += " with changes that were not committed"
	}
	return name
}

// versions are the other tools with their versions, as far as they are known.
func (b *bench) versions(ctx context.Context) (all []string) {
	for i := range b.tools {
		t := &b.tools[i]
		if t.version == nil {
			continue
		}
		version := t.version(ctx)
		if version == "" {
			version = "of an unknown version"
		}
		all = append(all, t.name+" "+version)
	}
	return all
}
