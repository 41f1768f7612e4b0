package address

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// plainly follows a selector with everything written out. It returns nil if the
// selector leads nowhere.
func plainly(doc *markdown.Document, s *Selector) []Match {
	found := []Match{{Node: NodeOfDocument()}}
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Type == TypeRoot && i == 0 {
			continue
		}
		var next []Match
		for _, from := range found {
			children := plainChildren(doc, step.Type, from)
			ranges := step.Index
			if ranges == nil && (i == len(s.Steps)-1 || len(children) == 0) {
				next = append(next, children...)
				continue
			} else if ranges == nil {
				ranges = []Range{{0, 0}}
			}
			for _, r := range ranges {
				if r.Last >= len(children) {
					return nil
				}
				next = append(next, children[r.First:r.Last+1]...)
			}
		}
		if len(next) == 0 {
			return nil
		}
		found = next
	}
	for i := range found {
		if found[i].Selector == "" {
			found[i].Selector = "root"
		}
	}
	return found
}

// plainChildren returns what a step finds below a match.
func plainChildren(doc *markdown.Document, t Type, from Match) []Match {
	if t == TypeAny {
		return []Match{from}
	}
	var all []Match
	for i, end := childRange(doc, from.Node); i < end; i = int(doc.Blocks[i].Next) {
		if t.matches(&doc.Blocks[i]) {
			name := fmt.Sprintf("%s.%d", t, len(all))
			if from.Selector != "" {
				name = from.Selector + "/" + name
			}
			all = append(all, Match{NodeOfBlock(doc, i), name})
		}
	}
	return all
}

// randomSelector returns a selector that often leads somewhere in docTree.
func randomSelector(r *rand.Rand) string {
	names := []string{"h1", "h2", "para", "list", "item", "quote", "table", "row", "code", "*", "root"}
	var steps []string
	for range 1 + r.IntN(3) {
		step := names[r.IntN(len(names))]
		if r.IntN(3) > 0 {
			var ranges []string
			for range 1 + r.IntN(4) {
				first := r.IntN(3)
				ranges = append(ranges, fmt.Sprintf("%d-%d", first, first+r.IntN(3)))
			}
			step += "." + strings.Join(ranges, ",")
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, "/")
}

// TestSelectContextKeepsTheFirst: of the matches that are found by writing everything
// out all are counted, and the first are kept, however many that may be.
func TestSelectContextKeepsTheFirst(t *testing.T) {
	doc := parse(t, docTree+"\n- a\n- b\n\n  p\n\n> q\n>\n> q\n>\n> > r\n")
	r := rand.New(rand.NewPCG(1, 2))
	led, many := 0, 0
	for range 20_000 {
		in := randomSelector(r)
		s, err := ParseSelector(in)
		if err != nil {
			t.Fatal(err)
		}
		want := plainly(doc, s)
		all, err := Select(doc, s)
		if (err == nil) != (want != nil) || !slices.Equal(all, want) {
			t.Fatalf("%s: %v, %v, want %v", in, all, err, want)
		}
		if want == nil {
			continue
		}
		led++
		if len(want) > 5 {
			many++
		}
		for _, most := range []int{0, 1, r.IntN(len(want) + 2), math.MaxInt} {
			found, err := SelectContext(t.Context(), doc, s, most)
			if err != nil || found.Count() != len(want) || found.Len() != min(most, len(want)) {
				t.Fatalf("%s, at most %d: %+v, %v", in, most, found, err)
			}
			for i := range found.Len() {
				if got := (Match{found.Node(i), found.Selector(i)}); got != want[i] {
					t.Fatalf("%s, at most %d: match %d is %v, want %v", in, most, i, got, want[i])
				}
			}
		}
	}
	if led < 2000 || many < 200 {
		t.Errorf("%d selectors led somewhere, %d to many", led, many)
	}
}

// TestSelectorOccurrences: an occurrence of an address that is a selector is that among
// the nodes that it chooses, each counted once where it comes first.
func TestSelectorOccurrences(t *testing.T) {
	doc := parse(t, strings.Repeat("# a\n\nb\n\nc\n\n- d\n- e\n\n", 8))
	for _, in := range []string{
		"para.0-15", "h1.0-7/para", "h1.7,0-6,3/para.1,0", "para.14,0-15,3", "para.3,3,3", "h1.2,2/list", "h1.0-7/*",
		"h1.0-7/list.0/item.1,0-1", "para.4-6,0-1,2-3,9,8,7,0-15", "para.0,2,4,6,8,1-9", "para.5,0-10/*", "*.0,0", "root.3",
	} {
		s, err := ParseSelector(in)
		if err != nil {
			t.Fatal(err)
		}
		var want []Node
		for _, m := range plainly(doc, s) {
			if !slices.Contains(want, m.Node) {
				want = append(want, m.Node)
			}
		}
		if len(want) == 0 {
			t.Fatalf("%s leads nowhere", in)
		}
		for i, n := range want {
			if got, err := ResolveNth(doc, in, i+1); err != nil || got.Node != n {
				t.Errorf("%s, occurrence %d: %+v, %v, want %v", in, i+1, got, err, n)
			}
		}
		var e *Error
		if _, err := ResolveNth(doc, in, len(want)+1); !errors.As(err, &e) || e.Total != len(want) {
			t.Errorf("%s, one more: %v", in, err)
		}
		_, err = Resolve(doc, in)
		if len(want) == 1 && err != nil || len(want) > 1 && (!errors.As(err, &e) || e.Total != len(want) || len(e.Candidates) != min(len(want), maxCandidates)) {
			t.Errorf("%s: %v of %d", in, err, len(want))
		}
	}
}

// countingContext counts how often it is looked whether it has ended, and ends at one
// of these looks.
type countingContext struct {
	context.Context
	looks, endAt int
}

func (c *countingContext) Err() error {
	if c.looks++; c.looks >= c.endAt {
		return context.Canceled
	}
	return nil
}

// TestSelectContextEnds: wherever a selector goes over many blocks or matches, it is
// looked now and then whether the context has ended, and nothing is done after that.
func TestSelectContextEnds(t *testing.T) {
	testkit.OneGoroutine(t)
	const n = 40 * blocksBetween
	paragraphs := parse(t, strings.Repeat("a\n\n", n))
	for _, c := range []struct {
		selector string
		most     int
	}{
		{"para", 0},
		{"para", math.MaxInt},
		{"para.0-10,500000", 5},
		{"list", 0},
		{"code.3", 0},
		{"para.0-500000/code", 0},
		{"*.0" + strings.Repeat(",0", n/4), 0},
	} {
		s, err := ParseSelector(c.selector)
		if err != nil {
			t.Fatal(err)
		}
		ctx := &countingContext{Context: t.Context(), endAt: math.MaxInt}
		_, _ = SelectContext(ctx, paragraphs, s, c.most)
		all := ctx.looks
		if all < 10 {
			t.Errorf("%.20s: %d looks", c.selector, all)
		}
		for _, endAt := range []int{1, 2, all / 2, all} {
			ctx := &countingContext{Context: t.Context(), endAt: endAt}
			if _, err := SelectContext(ctx, paragraphs, s, c.most); !errors.Is(err, context.Canceled) || ctx.looks != endAt {
				t.Errorf("%.20s, ended at look %d: %v at look %d", c.selector, endAt, err, ctx.looks)
			}
		}
	}
}

// TestSelectMemory: matches that are kept take what is promised, and those that aren't
// take none.
func TestSelectMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	if size := unsafe.Sizeof(hit{}); size != 12 {
		t.Errorf("a match takes %d bytes", size)
	}
	const n = 500_000
	doc := parse(t, strings.Repeat("a\n\n", n))
	for _, c := range []struct {
		selector    string
		most, bytes int
	}{
		{"para", 0, 4 << 10},
		{"para", 1000, 1000*16*4 + 4<<10},
		{fmt.Sprintf("para.0-%d", n-1), 1000, 1000*16*4 + 4<<10},
		{fmt.Sprintf("para.%d,0-%d", n-1, n-1), 10, 4 << 10},
		{"root/para", 0, 4 << 10},
		{"para.0-9999" + strings.Repeat(",1-9999", 5) + ",20000-29999,40000-49999", 10_000, 10_000*16*4 + 4<<10},
		{"para", math.MaxInt, n * 16 * 4},
	} {
		s, err := ParseSelector(c.selector)
		if err != nil {
			t.Fatal(err)
		}
		bytes := allocated(func() { _, err = SelectContext(t.Context(), doc, s, c.most) })
		if err != nil || bytes > c.bytes {
			t.Errorf("%s, at most %d: %d bytes, at most %d: %v", c.selector, c.most, bytes, c.bytes, err)
		}
	}
	addr := fmt.Sprintf("para.0-%d", n-1)
	if bytes := allocated(func() { _, _ = Resolve(doc, addr) }); bytes > 64<<10 {
		t.Errorf("Resolve %s: %d bytes", addr, bytes)
	}
	if bytes := allocated(func() { _, _ = ResolveNth(doc, addr, n-1) }); bytes > 64<<10 {
		t.Errorf("Resolve %s, the last but one: %d bytes", addr, bytes)
	}
}

// allocated returns the bytes that f allocates, the fewest of some calls: others
// allocate too.
func allocated(f func()) int {
	least := uint64(math.MaxInt)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return int(least)
}
