package documents

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// opened opens a workspace of one folder with the documents.
func opened(t testing.TB, contents map[string]string) (w *Workspace, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := OpenWorkspace(Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w, dir
}

// A document that changes a thousand times with its size and time kept is never
// answered from an older one.
func TestCacheIsNeverStale(t *testing.T) {
	w, dir := opened(t, nil)
	path := filepath.Join(dir, "a.md")
	when := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range 1000 {
		text := fmt.Sprintf("# Version %04d\n\nText.\n", i)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			doc, _, err := w.Open(nil, "a.md")
			if err != nil {
				t.Fatal(err)
			}
			if got := doc.SectionTitle(0); got != text[2:14] || string(doc.Source) != text {
				t.Fatalf("version %d is answered with %q", i, got)
			}
		}
	}
	if s := w.CacheStats(); s.Hits != 1000 || s.Misses != 1000 {
		t.Errorf("%+v, want each version parsed once and found once", s)
	}
}

func TestCacheHits(t *testing.T) {
	w, _ := opened(t, map[string]string{"a.md": strings.Repeat("# A\n\ntext\n\n", 500)})
	for range 100 {
		if _, _, err := w.Open(nil, "a.md"); err != nil {
			t.Fatal(err)
		}
	}
	if s := w.CacheStats(); s.Hits < 90 {
		t.Errorf("%+v: a hundred reads of a file have less than 90 hits", s)
	}
}

// Those who ask at the same time share a parse, and get the bytes that they read.
func TestCacheIsShared(t *testing.T) {
	c := newParseCache(1 << 20)
	sources := [][]byte{[]byte("# A\n"), []byte("# B\n")}
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for j := range 200 {
				src := sources[(i+j/50)%2]
				doc, err := c.parse(t.Context(), nil, "a.md", src)
				if err != nil || !bytes.Equal(doc.Source, src) {
					t.Errorf("%v: %q for %q", err, doc.Source, src)
				}
			}
		})
	}
	all.Wait()
	if s := c.stats(); s.Hits+s.Misses != 64*200 {
		t.Errorf("%+v, want %d requests", s, 64*200)
	}
	one := newParseCache(1 << 20)
	for range 64 {
		all.Go(func() { _, _ = one.parse(t.Context(), nil, "a.md", sources[0]) })
	}
	all.Wait()
	if s := one.stats(); s.Misses != 1 {
		t.Errorf("%+v, want one parse for all", s)
	}
}

// The cache is bounded, and what was used least recently goes first.
func TestCacheIsBounded(t *testing.T) {
	const limit = 100_000
	c := newParseCache(limit)
	text := []byte(strings.Repeat("text\n\n", 500))
	for i := range 200 {
		for _, path := range []string{"kept.md", fmt.Sprint(i, ".md")} {
			if _, err := c.parse(t.Context(), nil, path, text); err != nil {
				t.Fatal(err)
			}
		}
		if s := c.stats(); s.Bytes > limit {
			t.Fatalf("%d bytes, want at most %d", s.Bytes, limit)
		}
	}
	if s := c.stats(); s.Hits != 199 || s.Bytes < limit/2 {
		t.Errorf("%+v, want the one that is used again and again to be found", s)
	}
	size := 0
	for e := c.order.Front(); e != nil; e = e.Next() {
		size += e.Value.(*parsed).size
	}
	if size != c.stats().Bytes || c.order.Len() != len(c.entries) {
		t.Errorf("%d bytes and %d entries are counted, %d and %d are there", c.stats().Bytes, len(c.entries), size, c.order.Len())
	}
}

// What is too large is parsed each time and not kept.
func TestCacheLeavesLargeDocumentsOut(t *testing.T) {
	text := strings.Repeat("text\n", maxCacheEntry/5+1)
	w, _ := opened(t, map[string]string{"large.md": text, "a.md": "# A\n"})
	first, _, err := w.Open(nil, "large.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.md", "large.md"} {
		if _, _, err := w.Open(nil, name); err != nil {
			t.Fatal(err)
		}
	}
	if s := w.CacheStats(); s.Misses != 3 || s.Hits != 0 || s.Bytes > 10_000 {
		t.Errorf("%+v: a document beyond the limit is kept", s)
	}
	if string(first.Source) != text {
		t.Error("the memory of a document was used again")
	}
}

// The memory that a document was read into is used again: a kept parse must not
// change with it.
func TestCacheKeepsItsOwnBytes(t *testing.T) {
	c := newParseCache(1 << 20)
	src := []byte("# A\n")
	doc, err := c.parse(t.Context(), nil, "a.md", src)
	if err != nil {
		t.Fatal(err)
	}
	copy(src, "# B")
	if got := doc.SectionTitle(0); got != "A" {
		t.Errorf("the title is now %q", got)
	}
}

// BenchmarkWorkspaceOpen says what keeping parses saves: "warm" finds the parse,
// "cold" makes it anew.
func BenchmarkWorkspaceOpen(b *testing.B) {
	for _, lines := range []int{100, 2500, 50_000} {
		text := strings.Repeat("## Section with a title\n\nSome text that goes on for a line or so, `code`.\n- item\n- item\n", lines/5)
		for _, warm := range []bool{true, false} {
			w, _ := opened(b, map[string]string{"a.md": text})
			name := fmt.Sprintf("%d-lines/cold", lines)
			if warm {
				name = fmt.Sprintf("%d-lines/warm", lines)
			}
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if !warm {
						w.cache = newParseCache(0)
					}
					if _, _, err := w.Open(nil, "a.md"); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
