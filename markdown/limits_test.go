package markdown

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// counting is a context that ends when it has been asked so many times.
type counting struct {
	context.Context

	asked, most int
}

func (c *counting) Done() <-chan struct{} { return make(chan struct{}) }

func (c *counting) Err() error {
	if c.asked++; c.asked > c.most {
		return context.Canceled
	}
	return nil
}

// TestParseContext: within limits that are wide enough the document is the same, and
// the memory that was taken is within them.
func TestParseContext(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, kind := range testkit.Extremes() {
		src := kind.Make(200_000)
		want, err := Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{1 << 30, 16 << 20} {
			p := Parser{}
			got, err := p.ParseContext(t.Context(), src, Limits{Memory: most})
			if err != nil {
				t.Fatalf("%s: %v", kind.Name, err)
			}
			if !slices.Equal(got.Blocks, want.Blocks) || !slices.Equal(got.Sections, want.Sections) || got.LineCount != want.LineCount {
				t.Errorf("%s: another document with %d bytes of memory", kind.Name, most)
			}
			if used := p.state.memory(); used > most {
				t.Errorf("%s: %d bytes of %d", kind.Name, used, most)
			}
		}
	}
}

// TestParseTooComplex: a parse that would take more than it may ends before it does,
// and the parser can be used again.
func TestParseTooComplex(t *testing.T) {
	p := Parser{}
	for _, kind := range testkit.Extremes() {
		src := kind.Make(400_000)
		for _, most := range []int{1, 20_000, 200_000} {
			_, err := p.ParseContext(t.Context(), src, Limits{Memory: most})
			if err == nil {
				if used := p.state.memory(); used > most {
					t.Errorf("%s: %d bytes of %d", kind.Name, used, most)
				}
				continue
			}
			var complexity *ComplexityError
			if !errors.Is(err, ErrTooComplex) || !errors.As(err, &complexity) || complexity.Memory != most {
				t.Fatalf("%s: %v", kind.Name, err)
			}
		}
		if _, err := p.Parse([]byte("# a\n")); err != nil || len(p.document.Sections) != 1 {
			t.Fatalf("%s: the parser is of no use afterwards: %v", kind.Name, err)
		}
	}
	if _, err := ParseContext(t.Context(), bytes.Repeat([]byte("#\n"), 100_000), Options{}, Limits{Memory: 1 << 20}); !errors.Is(err, ErrTooComplex) {
		t.Errorf("200 kB of hashes in a megabyte: %v", err)
	}
	long := bytes.Repeat([]byte("# a heading\n\nand some text\n\n"), 10_000)
	doc, err := Parse(long)
	if err != nil {
		t.Fatal(err)
	}
	edited := append(bytes.Clone(long), bytes.Repeat([]byte("#\n"), 100_000)...)
	if _, err := doc.ReparseContext(t.Context(), edited, Limits{Memory: 4 << 20}); !errors.Is(err, ErrTooComplex) {
		t.Errorf("a new end of hashes: %v", err)
	}
}

// TestParseEnds: a parse hears the end of its context, whatever the document is made
// of: within so many lines and so many blocks.
func TestParseEnds(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, kind := range testkit.Extremes() {
		src := kind.Make(1_000_000)
		if len(bytes.Fields(src)) == 0 {
			continue
		}
		ctx := &counting{Context: context.Background(), most: 1 << 30}
		doc, err := ParseContext(ctx, src, Options{}, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if least := max(doc.LineCount/linesBetween, len(doc.Blocks)/blocksBetween); ctx.asked < least {
			t.Errorf("%s: asked %d times for %d lines and %d blocks", kind.Name, ctx.asked, doc.LineCount, len(doc.Blocks))
		}
		if all := ctx.asked; all > 1 {
			ctx = &counting{Context: context.Background(), most: all / 2}
			if _, err := ParseContext(ctx, src, Options{}, Limits{}); !errors.Is(err, context.Canceled) || ctx.asked != all/2+1 {
				t.Errorf("%s: %v, after it was asked %d times", kind.Name, err, ctx.asked)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ParseContext(ended, []byte("a\n"), Options{}, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// TestLabelOnLine: the label of a definition is the same however it is read.
func TestLabelOnLine(t *testing.T) {
	for src, want := range map[string]string{
		"[a]: /u\n": "a", "[a\\]b]: /u\n": `a\]b`, "[a\\\\]: /u\n": `a\\`, "[a\nb]: /u\n": "a\nb", "> [a\n> b]: /u\n": "a\nb",
		"[a\\\n\\]b]: /u\n": "a\\\n\\]b", "[É ß]: /u\r\n": "É ß",
	} {
		doc, err := Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		b := len(doc.Blocks) - 1
		if got := string(doc.Label(b)); doc.Blocks[b].Kind != LinkDefinition || got != want {
			t.Errorf("%q: %v, label %q", src, doc.Blocks[b].Kind, got)
		}
	}
}
