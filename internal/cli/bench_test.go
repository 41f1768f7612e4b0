package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// What a run of the program costs as a whole process, beside one that is the
// least that can be had. Both run in turns and the fastest of each counts.
//
//	SECTILE_CORPUS=… go test ./internal/cli -run '^$' -bench Process

// BenchmarkProcessStart reports how many times longer than a Go program that does
// nothing the outline of a document of 20 KB takes.
func BenchmarkProcessStart(b *testing.B) {
	dir := b.TempDir()
	source := filepath.Join(dir, "nothing.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	nothing := filepath.Join(dir, "nothing")
	if out, err := exec.Command("go", "build", "-o", nothing, source).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	large := testkit.LargeFixture().Source
	doc := writeFile(b, "a.md", large[:min(20_000, len(large))])
	ours, least := inTurns(b, exec.Command(testkit.BuildProgram(b), "tree", doc), exec.Command(nothing))
	b.ReportMetric(ours.Seconds()*1e3, "ms")
	b.ReportMetric(ours.Seconds()/least.Seconds(), "x-nothing")
}

// BenchmarkProcessFolder reports how many times longer than ripgrep's count of
// lines that begin with '#' the outline of the corpus takes, from disk.
func BenchmarkProcessFolder(b *testing.B) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		testkit.Missing(b, "ripgrep is not installed")
	}
	dir := b.TempDir()
	for _, f := range testkit.CorpusFiles(b) {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	ours, theirs := inTurns(b, exec.Command(testkit.BuildProgram(b), "tree", dir), exec.Command(rg, "-c", "^#", dir))
	b.ReportMetric(ours.Seconds()*1e3, "ms")
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x-rg")
}

// inTurns runs two commands in turns and returns the fastest run of each.
func inTurns(b *testing.B, commands ...*exec.Cmd) (first, second time.Duration) {
	b.Helper()
	fastest := [2]time.Duration{time.Hour, time.Hour}
	for b.Loop() {
		for i, c := range commands {
			cmd := exec.Command(c.Args[0], c.Args[1:]...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatalf("%v: %v: %s", c.Args, err, stderr.String())
			}
			fastest[i] = min(fastest[i], time.Since(start))
		}
	}
	b.ReportMetric(0, "ns/op") // a round is no figure
	return fastest[0], fastest[1]
}
