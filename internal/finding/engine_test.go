package finding

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// invertedIndex is an engine: which sections of which documents have a word, as it was when the
// index was made.
type invertedIndex struct {
	bytes     int64
	documents int
	sections  map[string]map[string]bool // by word: sections
	paths     map[string]string          // of sections
}

var wordOf = regexp.MustCompile(`[a-z]+`)

// indexed makes the index of some documents.
func indexed(t *testing.T, paths iter.Seq2[string, error]) *invertedIndex {
	t.Helper()
	x := &invertedIndex{sections: map[string]map[string]bool{}, paths: map[string]string{}}
	for path, err := range paths {
		if err != nil {
			t.Fatal(err)
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := markdown.Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		x.bytes += int64(len(src))
		x.documents++
		for i := -1; i < len(doc.Sections); i++ {
			span := doc.Preamble()
			if i >= 0 {
				span = doc.BodySpan(i)
			}
			section := fmt.Sprint(path, ":", i)
			x.paths[section] = path
			for _, word := range wordOf.FindAllString(strings.ToLower(string(doc.Text(span))), -1) {
				if x.sections[word] == nil {
					x.sections[word] = map[string]bool{}
				}
				x.sections[word][section] = true
			}
		}
	}
	return x
}

func (x *invertedIndex) candidates(_ context.Context, query *search.Query) (*candidates, error) {
	c := &candidates{documents: x.documents, note: "as indexed before"}
	c.known.Bytes = x.bytes
	found, paths := map[string]bool{}, map[string]bool{}
	for _, word := range query.Words() {
		c.known.Sections = append(c.known.Sections, len(x.sections[word]))
		maps.Copy(found, x.sections[word])
	}
	for section := range found {
		paths[x.paths[section]] = true
	}
	c.known.Matching = len(found)
	c.paths = slices.Sorted(maps.Keys(paths))
	return c, nil
}

// withEngine is the reply to a query whose documents the engine names.
func withEngine(t *testing.T, dir, query string, e engine) string {
	t.Helper()
	s := &searching{ctx: t.Context(), docs: documents.Set{Paths: []string{dir}}, req: SearchRequest{Query: query, Limit: -1}}
	find, err := s.finder()
	if err != nil {
		t.Fatal(err)
	}
	find.(*wordFinder).engine = e
	reply, err := s.reply(find)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(reply.Text), "as indexed before\n", "", 1)
}

// TestEngine: what an index names is ranked, scored and shown as a search of all documents has
// it, to the byte; and of an index that isn't true any more nothing is shown that isn't there.
func TestEngine(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	words := []string{"alpha", "kilo", "zulu", "tango", "foxtrot", "oscar"}
	files := map[string]string{}
	for i := range 40 {
		var b strings.Builder
		for s := range 1 + random.IntN(4) {
			fmt.Fprintf(&b, "%s %s %d\n\n", strings.Repeat("#", 1+min(s, random.IntN(3))), words[random.IntN(len(words))], i)
			for range random.IntN(9) {
				b.WriteString(words[min(random.IntN(len(words)), random.IntN(len(words)))] + " ")
			}
			b.WriteString("\n\n")
		}
		files[fmt.Sprintf("d%02d.md", i)] = b.String()
	}
	dir := testkit.Folder(t, files)
	set := documents.Set{Paths: []string{dir}}
	index := indexed(t, set.Find(t.Context()))
	for _, query := range []string{"alpha", "oscar", "zulu kilo", "foxtrot tango oscar"} {
		here, err := Search(t.Context(), set, SearchRequest{Query: query, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		if got := withEngine(t, dir, query, index); got != string(here.Text) {
			t.Errorf("%s: by the index\n%s\nhere\n%s", query, got, here.Text)
		}
	}

	// The index is not true any more.
	for path, text := range map[string]string{"d00.md": "# Other\n\nnothing of it\n", "d01.md": "# Other\n\n\nalpha behind\n"} {
		testkit.WriteFile(t, filepath.Join(dir, path), text)
	}
	if err := os.Remove(filepath.Join(dir, "d02.md")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"d00.md", "d01.md", "d02.md"} { // it had them
		index.sections["alpha"][path] = true
		index.paths[path] = filepath.Join(dir, path)
	}
	got := withEngine(t, dir, "alpha", index)
	for _, want := range []string{"d01.md:1-4 h1.0 #", "\n4: alpha behind\n", "\nnot searched: file_not_found: "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "d00.md:") || strings.Contains(got, "d02.md:1") {
		t.Errorf("what isn't there is shown:\n%s", got)
	}
}
