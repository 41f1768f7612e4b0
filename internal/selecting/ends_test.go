package selecting

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

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

// TestSelectEnds: a selection and an inventory look at the context again and again
// while they go over many blocks, matches, children and headings, and nearly nothing is
// done when it has ended.
func TestSelectEnds(t *testing.T) {
	testkit.OneGoroutine(t)
	paragraphs := "# T\n\n" + strings.Repeat("a\n\n", 50_000)
	headings := strings.Repeat("## a\n", 20_000)
	for _, c := range []struct {
		name, src string
		req       SelectRequest
		looks     int
	}{
		{"counted", paragraphs, SelectRequest{Selector: "para", MaxChars: 1000}, 50},
		{"none", paragraphs, SelectRequest{Selector: "list", MaxChars: 1000}, 5},
		{"the wrong name", paragraphs, SelectRequest{Selector: "stdim::para", MaxChars: 1000}, 5},
		{"too wide", paragraphs, SelectRequest{Selector: "para.0-37500/code.0", MaxChars: 1000}, 4},
		{"printed", paragraphs, SelectRequest{Selector: "para"}, 50_000},
		{"matches in JSON", paragraphs, SelectRequest{Selector: "para", JSON: true}, 50_000},
		{"children in JSON", paragraphs, SelectRequest{Selector: "h1.0?head=1", JSON: true}, 250},
		{"headings", headings, SelectRequest{MaxChars: 1000}, 5},
		{"headings in JSON", headings, SelectRequest{JSON: true}, 100},
	} {
		run := func(ctx context.Context) error {
			docs := onStdin([]byte(c.src))()
			if c.req.Selector == "" {
				return Index(ctx, docs, IndexRequest{JSON: c.req.JSON, MaxChars: c.req.MaxChars}, io.Discard, io.Discard)
			}
			return Select(ctx, docs, c.req, io.Discard, io.Discard)
		}
		ctx := &countingContext{Context: t.Context(), endAt: math.MaxInt}
		if err := run(ctx); err != nil && !errors.Is(err, ErrIncomplete) {
			t.Errorf("%s: %v", c.name, err)
		}
		all := ctx.looks
		if all < c.looks {
			t.Errorf("%s: %d looks", c.name, all)
		}
		for _, endAt := range []int{1, 2, all / 2, all} {
			ctx := &countingContext{Context: t.Context(), endAt: endAt}
			if err := run(ctx); !errors.Is(err, context.Canceled) || ctx.looks > endAt+3 {
				t.Errorf("%s, ended at look %d of %d: %v at look %d", c.name, endAt, all, err, ctx.looks)
			}
		}
	}
}

// TestSelectKeepsWhatAReplyHolds: beside the parse, choosing and the reply take no more
// for a document of many blocks than for one of few, in JSON too.
func TestSelectKeepsWhatAReplyHolds(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, selector := range []string{"para", "h1.0/para", "para.0-8999", "h1.0", "h1.0?head=1", "para.8999", "root"} {
		bytes := func(n int) int {
			src := []byte("# T\n\n" + strings.Repeat("a\n\n", n))
			ask := func(selector string) int {
				var before, after runtime.MemStats
				least := uint64(math.MaxInt)
				for range 3 {
					docs := onStdin(src)()
					runtime.ReadMemStats(&before)
					req := SelectRequest{Selector: selector, MaxChars: 2000, Structured: io.Discard}
					if err := Select(t.Context(), docs, req, io.Discard, io.Discard); err != nil {
						t.Fatalf("%s: %v", selector, err)
					}
					runtime.ReadMemStats(&after)
					least = min(least, after.TotalAlloc-before.TotalAlloc)
				}
				return int(least)
			}
			return ask(selector) - ask("h1.0/h1.0/para.0") // what is done for any answer
		}
		few, many := bytes(9_000), bytes(100_000)
		if many-few > 2*100_000 { // 2 bytes a block
			t.Errorf("%s: %d bytes of few blocks, %d of many", selector, few, many)
		}
	}
}

// TestLongJSON: a long text and many children are the same in JSON, written piece by
// piece, as those that are written at once; and one that is just short enough for a
// reply is there.
func TestLongJSON(t *testing.T) {
	for _, char := range []string{"a", "é", "漢", "\"", "\u202e", "😀"} {
		for shift := range 4 {
			text := strings.Repeat("x", shift) + strings.Repeat(char, 2*quotedAtOnce/len(char)+100)
			var out bytes.Buffer
			w := &spooler{out: &out}
			w.writeQuoted([]byte(text))
			w.flush()
			if want := string(appendQuoted(nil, text)); out.String() != want {
				t.Errorf("%d characters %q are not what they are at once", utf8.RuneCountInString(text), char)
			}
		}
	}
	src := "# T\n\n" + strings.Repeat("some words\n\n", 300)
	var whole bytes.Buffer
	if err := Select(t.Context(), onStdin([]byte(src))(), SelectRequest{Selector: "h1.0", JSON: true}, &whole, io.Discard); err != nil {
		t.Fatal(err)
	}
	n := utf8.RuneCount(whole.Bytes())
	for _, limit := range []int{n - 1, n} {
		var short bytes.Buffer
		req := SelectRequest{Selector: "h1.0", MaxChars: limit, Structured: &short}
		if err := Select(t.Context(), onStdin([]byte(src))(), req, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		if want := limit == n; (short.String() == whole.String()) != want || (short.Len() > 0) != want {
			t.Errorf("with %d characters of %d: %d bytes", limit, n, short.Len())
		}
	}
}

// TestLeastHeading: no heading takes less in JSON than is said, so that an inventory is
// not left out that a reply can hold.
func TestLeastHeading(t *testing.T) {
	for _, n := range []int{1, 10, 100} {
		src := []byte(strings.Repeat("#\n", n))
		var whole bytes.Buffer
		if err := Index(t.Context(), onStdin(src)(), IndexRequest{JSON: true}, &whole, io.Discard); err != nil {
			t.Fatal(err)
		}
		var short bytes.Buffer
		req := IndexRequest{MaxChars: max(replies.MinChars, utf8.RuneCount(whole.Bytes())), Structured: &short}
		if err := Index(t.Context(), onStdin(src)(), req, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		if short.String() != whole.String() {
			t.Errorf("%d headings: %d bytes of %d", n, short.Len(), whole.Len())
		}
		if each := whole.Len() / n; each < leastHeading {
			t.Errorf("each of %d headings takes %d bytes", n, each)
		}
	}
}
