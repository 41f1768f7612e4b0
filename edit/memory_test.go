package edit_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// liveHeap is a context that measures what is in use each time that it is asked whether
// it has ended, up to a number of times.
type liveHeap struct {
	context.Context
	every, asked int
	most         uint64
}

func (c *liveHeap) Err() error {
	if c.asked++; c.asked%c.every == 0 {
		c.most = max(c.most, heapInUse())
	}
	return nil
}

// heapInUse returns the bytes that are in use. What only a [sync.Pool] keeps isn't: a first
// collection leaves it in the pool, and a second one takes it.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A batch keeps the parses that it needs for its next operation, and none for each of
// those before it. The least of some measures counts: what earlier tests left may be freed
// in the middle of one.
func TestBatchKeepsFewParses(t *testing.T) {
	testkit.OneGoroutine(t)
	const sections, operations, parses = 20_000, 60, 2
	var text strings.Builder
	for i := range sections {
		fmt.Fprintf(&text, "## S%d\n\np%d\n\n", i, i)
	}
	for _, allow := range []bool{false, true} {
		var ops []edit.Op
		for i := range operations {
			ops = append(ops, edit.Op{Action: edit.Append, Address: fmt.Sprintf("## S%d", i*7), Text: "new", AllowRestructure: allow})
		}
		measure := func() float64 {
			before := heapInUse()
			doc, err := markdown.Parse([]byte(text.String()))
			if err != nil {
				t.Fatal(err)
			}
			idle := heapInUse()
			ctx := &liveHeap{Context: context.Background(), every: 20}
			if _, err := edit.ApplyContext(ctx, doc, ops, edit.Options{}); err != nil {
				t.Fatal(err)
			}
			return (float64(ctx.most) - float64(idle)) / (float64(idle) - float64(before))
		}
		kept := measure()
		for try := 1; try < 3 && (kept < 0 || kept > parses); try++ {
			kept = measure()
		}
		if kept < 0 || kept > parses {
			t.Errorf("with restructuring %v, %d operations keep %.1f parses", allow, operations, kept)
		}
	}
}

// TestCopiesWithinLimits: a text that one operation puts into many places is refused where the
// copies take more than the limits, before they are made, whatever a parse of them would take.
func TestCopiesWithinLimits(t *testing.T) {
	const places, size = 1000, 1 << 10
	text := strings.Repeat("y", size)
	words := "# A\n\n## B\n\n" + strings.Repeat("x ", places) + "\n\n## C\n\n" + strings.Repeat("z ", places) + "\n"
	cells := "| a | b |\n| - | - |\n" + strings.Repeat("| c | x |\n", places)
	all := func(old, address string) edit.Op {
		return edit.Op{Action: edit.ReplaceText, Address: address, Old: old, Text: text, All: true}
	}
	for name, c := range map[string]struct {
		src string
		ops []edit.Op
	}{
		"anywhere":         {words, []edit.Op{all("x", "")}},
		"in a section":     {words, []edit.Op{all("x", "B")}},
		"neighbours":       {strings.Repeat("x", places), []edit.Op{all("x", "")}},
		"other endings":    {strings.Repeat("x\r\nx\n", places), []edit.Op{all("x\nx", "")}},
		"two of a half":    {words, []edit.Op{all("x", "B"), all("z", "C")}},
		"cells of a table": {cells, []edit.Op{{Action: edit.Replace, Address: `table.0["c", "b"]`, Text: text, ExpectedCount: places}}},
	} {
		doc, err := markdown.Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		enough := 3*size*places + 1<<20
		for limit, refused := range map[int]bool{enough * len(c.ops): false, enough - 1<<21: true} {
			_, err := edit.ApplyContext(t.Context(), doc, c.ops, edit.Options{Pinned: true, Limits: markdown.Limits{Memory: limit}})
			if (err != nil) != refused || refused && !errors.Is(err, markdown.ErrTooComplex) {
				t.Errorf("%s, %d bytes: %v", name, limit, err)
			}
		}
	}
}
