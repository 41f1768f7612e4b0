package edit_test

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestLawsCorpus does every action on sections of real documents, once with LF and
// once with CRLF: on a few of each document, and with a flag on all of them:
//
//	SECTILE_CORPUS=… go test ./edit -run LawsCorpus -all -v -timeout 60m
func TestLawsCorpus(t *testing.T) {
	files := testkit.CorpusFiles(t)
	most := 2
	if *allFlag {
		most = 1 << 30
	}
	lawsOn(t, files, most)
}

// TestLawsFixtures does it on the documents that are made for tests.
func TestLawsFixtures(t *testing.T) {
	var files []testkit.CorpusFile
	for _, d := range testkit.Fixtures() {
		files = append(files, testkit.CorpusFile{Name: d.Name, Data: d.Source})
	}
	lawsOn(t, files, testkit.Some(12, 6))
}

// lawsOn does every action on at most so many sections of each document.
func lawsOn(t *testing.T, files []testkit.CorpusFile, most int) {
	t.Helper()
	total := newTally()
	var next, failures, sections atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			mine := newTally()
			for n := next.Add(1) - 1; int(n) < 2*len(files) && failures.Load() < 10; n = next.Add(1) - 1 {
				file, src := files[n/2], bytes.ReplaceAll(files[n/2].Data, []byte("\r\n"), []byte("\n"))
				if n%2 == 1 {
					src = bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
				}
				done, err := mine.every(src, most, uint64(n))
				sections.Add(int64(done))
				if err != nil {
					failures.Add(1)
					t.Errorf("%s, CRLF %v: %v", file.Name, n%2 == 1, err)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			total.add(mine)
		})
	}
	wg.Wait()
	total.check(t)
	t.Logf("%d documents with LF and with CRLF, %d sections", len(files), sections.Load())
}

// every does every action on at most so many sections of a document, spread over it,
// and returns how many these were.
func (t *tally) every(src []byte, most int, n uint64) (sections int, err error) {
	r, opts := newSource(*seedFlag, n), markdown.Options{}
	if n%6 >= 4 {
		src, opts = r.withOwnHeadings(src), ownHeadings
	}
	doc, err := (&markdown.Parser{Options: opts}).Parse(src)
	if err != nil {
		return 0, err
	}
	step := max(1, (len(doc.Sections)+most-1)/most)
	for i := int(n/2) % step; i < len(doc.Sections); i += step {
		sections++
		for _, action := range append(sectionActions(), edit.ReplaceText) {
			a := benignAttempt(r, doc, i, action)
			t.benign[a.ops[0].Action]++
			if err := t.try(a); err != nil {
				small := a
				if len(src) < 50_000 {
					small = shrink(a, err)
				}
				return sections, fmt.Errorf("%w\nat %q, %v\nshrunk: %w\n%.3000v", err, a.ops[0].Address, action, newTally().try(small), small)
			}
		}
	}
	return sections, nil
}
