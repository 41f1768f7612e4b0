package guide

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// manyFiles makes a category of n files of about 2 KB, so many in a folder, of
// which one in ten is no Markdown.
func manyFiles(tb testing.TB, n, inFolder int) string {
	tb.Helper()
	dir := tb.TempDir()
	text := make([]byte, 0, 2048)
	for len(text) < 2000 {
		text = append(text, "# Guide\n\nWhat to do, and in what order.\n\n"...)
	}
	var paths []string
	for i := range n {
		in := filepath.Join(dir, fmt.Sprintf("area-%02d", i/inFolder%40), fmt.Sprintf("topic-%04d", i/inFolder))
		if inFolder >= n {
			in = dir
		}
		ext := ".md"
		if i%10 == 9 {
			ext = ".txt"
		}
		paths = append(paths, filepath.Join(in, fmt.Sprintf("guide-%06d%s", i, ext)))
	}
	testkit.Crowd(tb, string(text), paths)
	return dir
}

// BenchmarkDiscover100k asks for all Markdown files of 100,000 files with the
// default limits: in 40 folders with folders of 100 files, in 10,000 folders of 10,
// and in a single one.
func BenchmarkDiscover100k(b *testing.B) {
	for _, tt := range []struct {
		name     string
		inFolder int
	}{{"folders", 100}, {"scattered", 10}, {"flat", 100_000}} {
		b.Run(tt.name, func(b *testing.B) {
			r := Request{Dir: manyFiles(b, 100_000, tt.inFolder), Patterns: patterns(b, "**/*.md"), Content: true}
			b.ReportAllocs()
			for b.Loop() {
				found, err := Discover(b.Context(), r)
				if err != nil || len(found.Files) != 100 || found.Matched != 90_000 {
					b.Fatalf("%+v, %v", found, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/op")
		})
	}
}

// TestDiscoverMemory counts the bytes that a category of 4,000 files costs: in
// proportion to 50 MB for 100,000, and half a megabyte whatever their number.
func TestDiscoverMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 8,000 files")
	}
	for _, inFolder := range []int{100, 4_000} {
		r := Request{Dir: manyFiles(t, 4_000, inFolder), Patterns: patterns(t, "**/*.md"), Content: true}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found, err := Discover(t.Context(), r)
		runtime.ReadMemStats(&after)
		if err != nil || found.Matched != 3_600 || len(found.Files) != 100 {
			t.Fatalf("%d of %d, %v", len(found.Files), found.Matched, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 5<<19 {
			t.Errorf("%d files in a folder: %d bytes were allocated, more than 2.5 MiB", inFolder, used)
		}
	}
}

// BenchmarkHostile asks a tree of 1,000 files with patterns that are made to take long
// and are none the less answered.
func BenchmarkHostile(b *testing.B) {
	dir := manyFiles(b, 1000, 20)
	for name, text := range map[string]string{
		"usual":        "**/*.md",
		"folders":      "**/**/**/**/x",
		"stars":        "**/" + strings.Repeat("*u", 100) + "b",
		"classes":      "**/" + strings.Repeat("*[g-u]", 80) + "b",
		"alternatives": "**/{" + strings.Repeat("*e*,", 31) + "x}/**/{*0*1,*9}",
		"both":         strings.Repeat("**/{*a,*b}*/", 6) + "*x",
		"deep":         strings.Repeat("**/*/", 150) + "x",
		"everything":   strings.Repeat("{**/*e*,**/*t*}/", 5) + "{*g*u*i*d*e*x,*0*0*0*y}",
	} {
		p := patterns(b, text)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Discover(b.Context(), Request{Dir: dir, Patterns: p}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
