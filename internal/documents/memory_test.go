package documents

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// atRest waits until all of the budget is free, which never comes if something leaks.
func atRest(t *testing.T, m *Memory) {
	t.Helper()
	for _, p := range m.pools {
		if err := p.free.Acquire(t.Context(), p.size); err != nil {
			t.Fatal(err)
		}
		p.free.Release(p.size)
	}
	slots := int64(max(2, runtime.GOMAXPROCS(0)))
	if err := m.slots.Acquire(t.Context(), slots); err != nil {
		t.Fatal(err)
	}
	m.slots.Release(slots)
	if reserved := m.reservedNow(); reserved != 0 {
		t.Errorf("%d bytes are reserved yet", reserved)
	}
}

// workspaceOf returns a workspace with the documents, and a budget.
func workspaceOf(t testing.TB, memory int64, docs map[string][]byte) *Workspace {
	t.Helper()
	dir := t.TempDir()
	for name, text := range docs {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := OpenWorkspace(Options{Roots: []string{dir}, MaxMemory: memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// readWithin reads the heading within a request that ends with the context.
func readWithin(ctx context.Context, w *Workspace, path, heading string) (string, error) {
	work := w.Begin(ctx, nil)
	defer work.End()
	docs := Set{Paths: []string{path}, Workspace: w, Work: work}
	doc, err := docs.Open(path)
	if err != nil || heading == "" {
		return "", err
	}
	res, err := address.Resolve(doc, heading)
	if err != nil {
		return "", err
	}
	return string(doc.Text(res.Span(doc))), nil
}

// openAll opens and keeps all documents at once, and returns for how many there is no room.
func openAll(docs Set) (crowded int, err error) {
	w := docs.Worker()
	defer w.Close()
	for _, f := range docs.Named(true) {
		doc, err := f.Open(w)
		if err == nil {
			_, err = w.Kept(doc)
		}
		switch {
		case errors.Is(err, errCrowded):
			crowded++
		case err != nil:
			return crowded, err
		}
	}
	return crowded, nil
}

// TestMemoryNeverLeaks: whatever requests do, and however they end, all is free
// afterwards, and never more is reserved than there is.
func TestMemoryNeverLeaks(t *testing.T) {
	seed := rand.Uint64()
	m := NewMemory(256 << 20)
	m.patience = time.Millisecond
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			for range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				if r.IntN(4) == 0 {
					cancel()
				}
				w := m.Begin(ctx, func() {})
				for range r.IntN(4) {
					l, err := w.Reserve(int64(r.IntN(1 << (10 + r.IntN(16)))))
					if err != nil {
						break
					}
					switch r.IntN(3) {
					case 0:
						l.Release()
					case 1:
						l.Shrink(int64(r.IntN(1 << 20)))
						w.Hold(l)
					default:
						w.Hold(l)
					}
					if m.reservedNow() > m.pools[large].size {
						t.Errorf("more is reserved than there is (seed %d)", seed)
					}
				}
				w.End()
				cancel()
			}
		})
	}
	wg.Wait()
	atRest(t, m)
}

// TestManyDocumentsInOneRequest: a request may have more documents than there are
// slots, and more than small documents have memory for; what there is no room for at
// last is told, and the others are answered.
func TestManyDocumentsInOneRequest(t *testing.T) {
	testkit.OneGoroutine(t)
	line := []byte("Some words of prose.\n\n")
	for _, c := range []struct {
		name         string
		number, size int
		memory       int64
		crowded      bool
	}{
		{"large ones", 6, maxCacheEntry + 1<<10, 0, false},
		{"more than small ones have memory for", 20, 300_000, MinMaxMemory, false},
		{"more than there is memory for", 120, 300_000, MinMaxMemory, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts := map[string][]byte{}
			var names []string
			for i := range c.number {
				name := fmt.Sprintf("d%d.md", i)
				texts[name] = append([]byte("# a\n\n"), bytes.Repeat(line, c.size/len(line)+1)...)
				names = append(names, name)
			}
			w := workspaceOf(t, c.memory, texts)
			outside := NewMemory(c.memory)
			if c.crowded { // else a busy machine may take as long to begin a read
				w.memory.patience = time.Millisecond
				outside.patience = time.Millisecond
			}
			full := make([]string, c.number)
			for i, name := range names {
				full[i] = filepath.Join(w.Roots()[0], name)
			}
			for _, docs := range []Set{
				{Paths: names, Workspace: w, Work: w.Begin(t.Context(), nil)},
				{Paths: full, Work: outside.Begin(t.Context(), nil), MaxBytes: 1 << 30},
			} {
				crowded, err := openAll(docs)
				if err != nil || !c.crowded && crowded > 0 || c.crowded && (crowded == 0 || crowded > c.number*9/10) {
					t.Errorf("for %d of %d there is no room, %v", crowded, c.number, err)
				}
				docs.Work.End()
			}
			atRest(t, w.memory)
			atRest(t, outside)
		})
	}
}

// TestAnswersWait: requests that hold documents each let go of them for the answer, and wait for one another.
func TestAnswersWait(t *testing.T) {
	m := NewMemory(64 << 20)
	m.patience = time.Millisecond
	text := bytes.Repeat([]byte("a"), int(m.pools[large].size/copiesOfAnswer/2))
	var ready, ended sync.WaitGroup
	ready.Add(4)
	for range 4 {
		ended.Go(func() {
			w := m.Begin(t.Context(), nil)
			defer w.End()
			l, err := m.reserveBytes(t.Context(), w, m.pools[large].size/4)
			if err == nil {
				w.Hold(l)
			}
			ready.Done()
			ready.Wait()
			if err = cmp.Or(err, w.ReserveTexts(text)); err != nil {
				t.Error(err)
			}
			time.Sleep(20 * time.Millisecond)
		})
	}
	ended.Wait()
}

// TestRequestsDoNotWaitInACircle: of two requests that hold documents and want memory
// that the other one has, one does without at least.
func TestRequestsDoNotWaitInACircle(t *testing.T) {
	m := NewMemory(0)
	m.patience = time.Millisecond
	half := m.pools[large].size / 2
	var ready, ended sync.WaitGroup
	ready.Add(2)
	var crowded atomic.Int32
	for range 2 {
		ended.Go(func() {
			w := m.Begin(t.Context(), nil)
			defer w.End()
			l, err := m.reserveBytes(t.Context(), w, half)
			if err == nil {
				w.Hold(l)
			}
			ready.Done()
			ready.Wait()
			if err != nil {
				t.Error(err)
				return
			}
			switch l, err := m.reserveBytes(t.Context(), w, half); {
			case err == nil:
				l.Release()
			case errors.Is(err, errCrowded):
				crowded.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	ended.Wait()
	if crowded.Load() == 0 {
		t.Error("both have got it")
	}
	atRest(t, m)
}

// sharedDocuments returns a workspace with so many documents that are too large to be kept.
func sharedDocuments(t *testing.T, memory int64, number int) (w *Workspace, names []string) {
	t.Helper()
	texts := map[string][]byte{}
	for i := range number {
		name := fmt.Sprintf("d%d.md", i)
		texts[name] = append([]byte("# a\n\n"), bytes.Repeat([]byte("Some words of prose.\n\n"), maxCacheEntry/22+1)...)
		names = append(names, name)
	}
	w = workspaceOf(t, memory, texts)
	w.memory.patience = time.Millisecond
	return w, names
}

// TestSharedParsesAreNotWaitedForInACircle: a request waits for the memory that another
// one has, and that one for a document which the first is to parse.
func TestSharedParsesAreNotWaitedForInACircle(t *testing.T) {
	w, names := sharedDocuments(t, 84<<20, 2)
	holder := w.Begin(t.Context(), nil)
	first := Set{Workspace: w, Work: holder}
	if _, err := first.Open(names[0]); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		work := w.Begin(t.Context(), nil)
		defer work.End()
		second := Set{Workspace: w, Work: work}
		_, err := second.Open(names[1])
		ended <- err
	}()
	for w.users(names[1]) == 0 {
		runtime.Gosched()
	}
	if _, err := first.Open(names[1]); !errors.Is(err, errCrowded) {
		t.Errorf("the one that holds a document: %v", err)
	}
	holder.End()
	if err := <-ended; err != nil {
		t.Errorf("the other one: %v", err)
	}
	atRest(t, w.memory)
}

// TestSharedParsesNeverLeak: whatever requests do with large documents, and however they
// end, all is free afterwards.
func TestSharedParsesNeverLeak(t *testing.T) {
	w, names := sharedDocuments(t, 128<<20, 3)
	seed := rand.Uint64()
	var wg sync.WaitGroup
	for n := range 6 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			for range testkit.Some(12, 4) {
				ctx, cancel := context.WithCancel(t.Context())
				if r.IntN(3) == 0 {
					time.AfterFunc(time.Duration(r.IntN(20))*time.Millisecond, cancel)
				}
				docs := Set{Workspace: w, Work: w.Begin(ctx, nil)}
				for range 1 + r.IntN(3) {
					if _, err := docs.Open(names[r.IntN(len(names))]); err != nil && !errors.Is(err, errCrowded) && ctx.Err() == nil {
						t.Errorf("%v (seed %d)", err, seed)
					}
				}
				docs.Work.End()
				cancel()
			}
		})
	}
	wg.Wait()
	if len(w.flights.all) != 0 {
		t.Errorf("%d documents are in use yet (seed %d)", len(w.flights.all), seed)
	}
	atRest(t, w.memory)
}

// TestWorkGoesOnAfterItsEnd: what a request holds after its end is given back by another.
func TestWorkGoesOnAfterItsEnd(t *testing.T) {
	m := NewMemory(0)
	w := m.Begin(t.Context(), nil)
	for range 2 {
		l, err := w.Reserve(largeDocument)
		if err != nil {
			t.Fatal(err)
		}
		w.Hold(l)
		w.End()
	}
	atRest(t, m)
}

// reservedNow returns what is reserved for large documents.
func (m *Memory) reservedNow() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reserved
}

// TestSmallDocumentsAreNotHeldUp: while all memory for large documents is taken, a
// small one is read; a large one waits until its request ends, gives back its turn, and
// keeps nothing.
func TestSmallDocumentsAreNotHeldUp(t *testing.T) {
	big := bytes.Repeat([]byte("# a\n\nSome words of prose.\n\n"), 1<<20/20)
	w := workspaceOf(t, 128<<20, map[string][]byte{"small.md": []byte("# a\n\ntext\n"), "large.md": big})
	taken := w.Begin(t.Context(), nil)
	l, err := taken.memory.reserveBytes(t.Context(), taken, w.memory.pools[large].size)
	if err != nil {
		t.Fatal(err)
	}
	taken.Hold(l)
	if text, err := readWithin(t.Context(), w, "small.md", "# a"); err != nil || !strings.Contains(text, "text") {
		t.Errorf("a small document: %q, %v", text, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	ended := make(chan error)
	go func() {
		work := w.Begin(ctx, sync.OnceFunc(func() { close(left) }))
		defer work.End()
		docs := Set{Paths: []string{"large.md"}, Workspace: w, Work: work}
		_, err := docs.Open("large.md")
		ended <- err
	}()
	<-left
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("a large document: %v", err)
	}
	taken.End()
	if _, err := readWithin(t.Context(), w, "large.md", "h1.0"); err != nil {
		t.Errorf("when there is room: %v", err)
	}
	atRest(t, w.memory)
}

// TestWaitingHoldsNothing: requests that wait for the memory of a document that takes more
// than its size tells hold none of it meanwhile, nor a buffer to read into.
func TestWaitingHoldsNothing(t *testing.T) {
	requests := testkit.Some(16, 8)
	docs := map[string][]byte{}
	for n := range requests {
		docs[fmt.Sprintf("%d.md", n)] = bytes.Repeat([]byte("- a\n"), 1<<18-1)
	}
	w := workspaceOf(t, 128<<20, docs)
	taken := w.Begin(t.Context(), nil)
	l, err := taken.memory.reserveBytes(t.Context(), taken, w.memory.pools[large].size)
	if err != nil {
		t.Fatal(err)
	}
	taken.Hold(l)
	for name := range docs { // or their texts are counted
		docs[name] = nil
	}
	inUse := func() int {
		runtime.GC()
		runtime.GC() // what pools have goes with the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := inUse()
	var left, ended sync.WaitGroup
	left.Add(requests)
	for n := range requests {
		ended.Go(func() {
			work := w.Begin(t.Context(), sync.OnceFunc(left.Done))
			defer work.End()
			_, r, err := w.Open(work, fmt.Sprintf("%d.md", n))
			if err != nil {
				t.Error(err)
				return
			}
			r.Release()
		})
	}
	left.Wait()
	if now := inUse() - before; now > 8<<20 {
		t.Errorf("%d requests that wait hold %d MiB", requests, now>>20)
	}
	taken.End()
	ended.Wait()
	atRest(t, w.memory)
}

// TestAnchorsAreBounded: to find the name of an element all links of a document are looked
// for, which may take many times its size.
func TestAnchorsAreBounded(t *testing.T) {
	const name = "<a id=q></a>"
	for _, test := range []struct {
		what, text string
		refused    bool
	}{
		{"marks", name + strings.Repeat("*a ", 400_000), true},
		{"lines", name + " " + strings.Repeat("a\n", 500_000), true},
		{"names", name + "\n" + strings.Repeat("<a id=x>\n", 130_000), true},
		{"attributes", "# h {#q}\n" + strings.Repeat("# h {#x}\n", 130_000), true},
		{"marks without a name", "[q](r) " + strings.Repeat("*a ", 400_000), false},
		{"paragraphs", name + "\n\n" + strings.Repeat("*a* [b](c) <d>\n\n", 70_000), false},
		{"a long line", name + strings.Repeat("words of a text, ", 70_000), false},
	} {
		w := workspaceOf(t, 0, map[string][]byte{"a.md": []byte("# h\n\n" + test.text + "\n")})
		_, err := readWithin(t.Context(), w, "a.md", "h")
		if refused := err != nil && replies.AsError(err).Code == replies.CodeTooComplex; refused != test.refused || !refused && err != nil {
			t.Errorf("%s: %v", test.what, err)
		}
	}
}

// TestTooComplex: documents of one thing are read, or refused by what they would take;
// and what is refused with one budget may be read with a larger one.
func TestTooComplex(t *testing.T) {
	testkit.OneGoroutine(t)
	hashes := bytes.Repeat([]byte("#\n"), 4<<20)
	w := workspaceOf(t, 0, map[string][]byte{"a.md": hashes})
	_, err := readWithin(t.Context(), w, "a.md", "h1.0")
	if e := replies.AsError(err); e.Code != replies.CodeTooComplex || !strings.Contains(e.Message.String(), "--max-memory") || !strings.Contains(e.Message.String(), "8.0 MiB") {
		t.Errorf("8 MiB of hashes: %v", err)
	}
	atRest(t, w.memory)
	w = workspaceOf(t, 8<<30, map[string][]byte{"a.md": hashes})
	if _, err := readWithin(t.Context(), w, "a.md", "h1.0"); err != nil {
		t.Errorf("with a larger budget: %v", err)
	}
	atRest(t, w.memory)
	for _, kind := range testkit.Extremes() {
		w := workspaceOf(t, 0, map[string][]byte{"a.md": kind.Make(200_000)})
		for _, heading := range []string{testkit.RareHeading, ""} {
			if _, err := readWithin(t.Context(), w, "a.md", heading); err != nil {
				t.Errorf("%s of 200 kB, heading %q: %v", kind.Name, heading, err)
			}
		}
		atRest(t, w.memory)
	}
}

// TestLargeDocumentsAreParsedOnce: those who want the same large document at the same
// time share a parse; who comes when the file has changed does not.
func TestLargeDocumentsAreParsedOnce(t *testing.T) {
	const users = 8
	text := append([]byte("# a\n\n"), bytes.Repeat([]byte("Some words of prose.\n\n"), (maxCacheEntry+1<<20)/22)...)
	w := workspaceOf(t, 0, map[string][]byte{"a.md": text})
	path := filepath.Join(w.Roots()[0], "a.md")
	// Nobody gets memory yet, so that all of them are there before it is parsed.
	l, err := w.memory.reserveBytes(t.Context(), w.Begin(t.Context(), nil), w.memory.pools[large].size)
	if err != nil {
		t.Fatal(err)
	}
	early := w.Begin(t.Context(), nil)
	var wg sync.WaitGroup
	for i := range users {
		wg.Go(func() {
			work := early
			if i > 0 {
				work = w.Begin(t.Context(), nil)
				defer work.End()
			}
			docs := Set{Workspace: w, Work: work}
			doc, err := docs.Open("a.md")
			if err != nil || len(doc.Source) != len(text) {
				t.Errorf("user %d: %v", i, err)
			}
		})
	}
	for w.users("a.md") < users {
		runtime.Gosched()
	}
	l.Release()
	wg.Wait()
	if s := w.CacheStats(); s.Misses != 1 {
		t.Errorf("%d parses for %d users", s.Misses, users)
	}
	changed := bytes.Clone(text)
	changed[len(changed)-2] = '!'
	if err := os.WriteFile(path, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	late := w.Begin(t.Context(), nil)
	docs := Set{Workspace: w, Work: late}
	doc, err := docs.Open("a.md")
	if err != nil || !bytes.Equal(doc.Source, changed) {
		t.Errorf("the file that has changed: %v", err)
	}
	if s := w.CacheStats(); s.Misses != 2 {
		t.Errorf("%d parses of two documents", s.Misses)
	}
	late.End()
	early.End()
	if len(w.flights.all) != 0 {
		t.Errorf("%d documents are in use yet", len(w.flights.all))
	}
	atRest(t, w.memory)
}

// TestSharedParseOutlivesItsFirstUser: the parse of a document goes on while anybody
// waits for it, and ends with the last.
func TestSharedParseOutlivesItsFirstUser(t *testing.T) {
	for _, stays := range []bool{true, false} {
		t.Run(fmt.Sprint("one stays: ", stays), func(t *testing.T) {
			text := bytes.Repeat([]byte("# a\n\nSome words of prose.\n\n"), (maxCacheEntry+1<<20)/27)
			w := workspaceOf(t, 0, map[string][]byte{"a.md": text})
			// Nobody gets memory yet, so that all of them are there before it is parsed.
			l, err := w.memory.reserveBytes(t.Context(), w.Begin(t.Context(), nil), w.memory.pools[large].size)
			if err != nil {
				t.Fatal(err)
			}
			open := func(ctx context.Context, left chan<- struct{}, ended chan<- error) {
				work := w.Begin(ctx, sync.OnceFunc(func() { close(left) }))
				docs := Set{Workspace: w, Work: work}
				_, err := docs.Open("a.md")
				work.End() // before whoever waits looks at what is left
				ended <- err
			}
			firstEnded, secondEnded := make(chan error, 1), make(chan error, 1)
			first, endFirst := context.WithCancel(t.Context())
			second, endSecond := context.WithCancel(t.Context())
			defer endSecond()
			here, alsoHere := make(chan struct{}), make(chan struct{})
			go open(first, here, firstEnded)
			<-here
			for w.users("a.md") < 1 {
				continue
			}
			go open(second, alsoHere, secondEnded)
			<-alsoHere
			for w.users("a.md") < 2 {
				continue
			}
			endFirst()
			if err := <-firstEnded; !errors.Is(err, context.Canceled) {
				t.Errorf("the first: %v", err)
			}
			if !stays {
				endSecond()
				if err := <-secondEnded; !errors.Is(err, context.Canceled) {
					t.Errorf("the second: %v", err)
				}
			}
			l.Release()
			if stays {
				if err := <-secondEnded; err != nil {
					t.Errorf("the second: %v", err)
				}
			}
			if len(w.flights.all) != 0 {
				t.Error("the document is in use yet")
			}
			atRest(t, w.memory)
		})
	}
}

// users returns how many want the large document at path.
func (w *Workspace) users(path string) int {
	name, err := w.roots.Name(path)
	if err != nil {
		return 0
	}
	w.flights.mu.Lock()
	defer w.flights.mu.Unlock()
	if f := w.flights.all[name]; f != nil {
		return f.users
	}
	return 0
}

// TestTakenOncePerTotal counts the same again, as a request does that makes its change anew: nothing
// more is reserved until there is more of it in all.
func TestTakenOncePerTotal(t *testing.T) {
	m := workspaceOf(t, 256<<20, nil).memory
	work := m.Begin(t.Context(), func() {})
	var taken Taken
	var reserved []int64
	for _, total := range []int64{2 << 20, 5 << 20, 2 << 20, 5 << 20, 6 << 20} {
		if err := taken.UpTo(work, total); err != nil {
			t.Fatal(err)
		}
		reserved = append(reserved, m.reservedNow()>>20)
	}
	if want := []int64{2, 5, 5, 5, 6}; !slices.Equal(reserved, want) {
		t.Errorf("%v MiB are reserved, want %v", reserved, want)
	}
	if err := taken.UpTo(work, 1<<40); err == nil || taken != 6<<20 {
		t.Errorf("%v, and %d bytes count as reserved", err, taken)
	}
	work.End()
	atRest(t, m)
}
