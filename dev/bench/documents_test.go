package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadFolder leaves out by name what tools don't agree on.
func TestReadFolder(t *testing.T) {
	folder := t.TempDir()
	files := []document{
		{"a.md", []byte("# A\r\nb\r\n")},
		{"b/cr.md", []byte("a\r# B\r")},
		{"b/mixed.md", []byte("a\r\nb\rc\n")},
		{"nul.md", []byte("a\x00")},
		{"other.md", []byte("\xff")},
		{"other.txt", nil},
		{"node_modules/a.md", nil},
	}
	if err := writeAll(folder, files); err != nil {
		t.Fatal(err)
	}
	docs, skipped, err := readFolder(folder, "corpus/")
	if err != nil || len(docs) != 1 || docs[0].name != "corpus/a.md" {
		t.Errorf("%v, %v", docs, err)
	}
	want := []string{
		"corpus/b/cr.md has a CR that ends a line alone", "corpus/b/mixed.md has a CR that ends a line alone",
		"corpus/nul.md has a NUL byte", "corpus/other.md is not UTF-8",
	}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Error(diff)
	}
}

// TestReadOddFolder follows a link to a folder, and says what is wrong with what has
// nothing to measure.
func TestReadOddFolder(t *testing.T) {
	folder := t.TempDir()
	if err := writeAll(folder, []document{{"good/a.md", []byte("# A\n")}, {"bad/a.md", []byte("\xff")}, {"none/a.txt", nil}}); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("good", filepath.Join(folder, "link")); err != nil {
		t.Skip(err)
	}
	if docs, _, err := readFolder(filepath.Join(folder, "link"), ""); err != nil || len(docs) != 1 {
		t.Errorf("a link: %v, %v", docs, err)
	}
	for name, want := range map[string]string{
		"good/a.md": "is a file", "bad": "a.md is not UTF-8", "none": "has no Markdown files", "nowhere": "nowhere",
	} {
		if _, _, err := readFolder(filepath.Join(folder, name), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := &options{root: filepath.Join(folder, "good"), corpus: filepath.Join(folder, "good"), corpusBytes: 3}
	if _, _, err := gather(o); err == nil || !strings.Contains(err.Error(), "leave out -quick") {
		t.Errorf("documents that are too large: %v", err)
	}
}

// TestSampled chooses what a seed says, no more than is wanted, and in order.
func TestSampled(t *testing.T) {
	var docs []document
	for range 100 {
		docs = append(docs, document{string(rune('A' + len(docs))), []byte(strings.Repeat("x", 1+len(docs)))})
	}
	names := func(seed uint64) (all []string, bytesOf int) {
		for _, d := range sampled(docs, seed, 300) {
			all = append(all, d.name)
			bytesOf += len(d.source)
		}
		return all, bytesOf
	}
	first, n := names(1)
	again, _ := names(1)
	other, _ := names(2)
	if n < 250 || n > 300 || !cmp.Equal(first, again) || cmp.Equal(first, other) || strings.Join(first, "") != sortedRunes(first) {
		t.Errorf("%d bytes of %q, then %q, with another seed %q", n, first, again, other)
	}
}

// sortedRunes joins names of one character each in their order.
func sortedRunes(names []string) string {
	var b strings.Builder
	for r := 'A'; r < 'A'+100; r++ {
		for _, name := range names {
			if name == string(r) {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}
