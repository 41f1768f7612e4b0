package markdown_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// The pieces of a document are the document: their bytes, and their blocks.

// joined is what the pieces of a stream make together.
type joined struct {
	src    []byte
	lines  int
	blocks []markdown.Block
	pieces int
}

// add adds a piece, which must begin where the last one ended.
func (j *joined) add(t *testing.T, p *markdown.Piece) {
	t.Helper()
	if p.Offset != int64(len(j.src)) || p.Line != int64(j.lines) {
		t.Fatalf("piece %d begins at byte %d, line %d, want %d and %d", j.pieces, p.Offset, p.Line, len(j.src), j.lines)
	}
	blocks := slices.Clone(p.Document.Blocks)
	shift := int32(len(j.blocks))
	if p.Continues {
		last := &j.blocks[len(j.blocks)-1]
		first := blocks[0]
		if first.Kind != last.Kind || first.Parent >= 0 || first.Start != 0 || first.StartLine != 1 || first.Level != last.Level || first.Marker != last.Marker {
			t.Fatalf("%+v does not continue %+v", first, *last)
		}
		last.Flags |= first.Flags
		last.End, last.EndLine = first.End+uint32(p.Offset), first.EndLine+uint32(p.Line)
		blocks = blocks[1:]
		shift--
	}
	for _, b := range blocks {
		b.Start, b.End = b.Start+uint32(p.Offset), b.End+uint32(p.Offset)
		b.StartLine, b.EndLine = b.StartLine+uint32(p.Line), b.EndLine+uint32(p.Line)
		b.Next += shift
		if b.Parent >= 0 {
			b.Parent += shift
		}
		j.blocks = append(j.blocks, b)
	}
	j.src = append(j.src, p.Document.Source...)
	j.lines += p.Document.LineCount
	j.pieces++
}

// checkStream compares the pieces of about so many bytes with the parse of the whole.
func checkStream(t *testing.T, r io.Reader, src []byte, opts markdown.Options, size int) (pieces int) {
	t.Helper()
	want, err := (&markdown.Parser{Options: opts}).Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	var got joined
	for p, err := range markdown.StreamIn(t.Context(), r, opts, markdown.Limits{}, size) {
		if err != nil {
			t.Fatal(err)
		}
		got.add(t, p)
	}
	if !bytes.Equal(got.src, src) || got.lines != want.LineCount {
		t.Fatalf("size %d, %.500q: the pieces hold %.500q, %d lines of %d", size, src, got.src, got.lines, want.LineCount)
	}
	if !slices.Equal(want.Blocks, got.blocks) {
		t.Fatalf("size %d, %.500q: blocks (-parsed +of the pieces):\n%s", size, src, cmp.Diff(want.Blocks, got.blocks))
	}
	return got.pieces
}

func TestStream(t *testing.T) {
	for _, src := range []string{
		"", "a", "\n", "\xef\xbb\xbf", "\xef\xbb\xbf# A\n\nb\n", "a\n\n\xef\xbb\xbfb\n\nc\n",
		"# A\n\ntext\n\n# B\n\ntext\n",
		"---\na: b\n\nc: d\n---\n\ntext\n\nmore\n", "---\na: b\n\nc: d\n\ntext\n\nmore\n", "---\n\na\n\n---x\n\nb\n\n...\n\nc\n", "+++\n\na\n\n+++\n\nb\n",
		"```\na\n\nb\n\nc\n```\n\ntext\n", "```\na\n\nb\n\n# c\n\n~~~\n\n```\n\ntext\n", "```\na\n\nb\n\nc", "````\n\na\n\n```\n\na\n\n````\nb\n\n```\nc\n",
		"<!--\n\na\n\nb\n\n-->\n\ntext\n", "<script>\n\na\n\n# b\n\n</script> c\n\ntext\n", "<div>\n\na\n\n</div>\n", "<pre>\n\na\n\n<pre>\n\n</pre>\n\nb\n",
		"- a\n\nb\n\n- c\n\n  d\n\ne\n", "- ```\n\na\n\n  ```\n\nb\n", "> ```\n\na\n\n> b\n\nc\n",
		"[a]: b\n\nc\n\n[d]:\n\ne\n", "[^a]: b\n\n    c\n\nd\n", "| a |\n|---|\n| b |\n\nc\n\n    d\n\n    e\n\nf\n",
		"**A**\n\nb\n\n**C**\nd\n\n== E ==\n# F\n\n@g H\n",
		"a\n   \nb\n \t \nc\n", "a\r\n\r\nb\r\n\r\nc\r\n", "a\r\rb\r\rc", "a\n\r\nb\n\rc\r\n\n#d\n", "a\n\n===\n\n---\n\n#\n\n####### x\n",
	} {
		for size := 1; size <= len(src)+2; size++ {
			for name, r := range map[string]io.Reader{
				"whole": strings.NewReader(src), "bytes": iotest.OneByteReader(strings.NewReader(src)),
				"end with the last bytes": iotest.DataErrReader(strings.NewReader(src)),
			} {
				t.Run(name, func(t *testing.T) { checkStream(t, r, []byte(src), markdown.Options{}, size) })
			}
			checkStream(t, strings.NewReader(src), []byte(src), ownHeadings, size)
		}
	}
}

func TestStreamOfCorpus(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 1))
	pieces := 0
	for _, f := range testkit.CorpusFiles(t) {
		opts := markdown.Options{}
		if random.IntN(4) == 0 {
			opts = markdown.CommonMark()
		} else if random.IntN(2) == 0 {
			opts = ownHeadings
		}
		pieces += checkStream(t, bytes.NewReader(f.Data), f.Data, opts, 1+random.IntN(max(len(f.Data), 1)))
		pieces += checkStream(t, bytes.NewReader(f.Data), f.Data, opts, 1+random.IntN(200))
	}
	t.Logf("%d pieces", pieces)
}

func FuzzStream(f *testing.F) {
	f.Add("# A\n\n```\n\nb\n\n```\n\n- c\n\nd\n", uint(3))
	f.Add("---\na\n\n---\n\n<!--\n\n-->\r\n\r\nb\r\rc\n", uint(1))
	f.Add("a\n\n<div>\nb\n\n| c |\n|---|\n| d |\n\ne\n===\n", uint(0))
	f.Fuzz(func(t *testing.T, src string, size uint) {
		checkStream(t, strings.NewReader(src), []byte(src), markdown.Options{}, 1+int(size%512))
		checkStream(t, strings.NewReader(src), []byte(src), ownHeadings, 1+int(size%512))
	})
}

func TestStreamIsBounded(t *testing.T) {
	limits := markdown.Limits{Memory: 4 << 10}
	long := strings.Repeat("- item\n", 1000)
	for name, src := range map[string]string{
		"a list":                       "text\n\n" + long,
		"a line":                       strings.Repeat("a", 5000),
		"front matter that never ends": "---\n" + strings.Repeat("a\n\n", 4000),
		"blocks":                       strings.Repeat("#\n", 2000),
	} {
		t.Run(name, func(t *testing.T) {
			var found error
			for _, err := range markdown.StreamIn(t.Context(), strings.NewReader(src), markdown.Options{}, limits, 512) {
				found = err
			}
			if _, ok := errors.AsType[*markdown.ComplexityError](found); !ok {
				t.Errorf("the error is %v", found)
			}
		})
	}
	for name, src := range map[string]string{
		"code":       "```\n" + long + "\n```\n",
		"HTML":       "<!-- \n" + long + "-->\n",
		"paragraphs": strings.Repeat("text\ntext\n\n", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			largest := 0
			for p, err := range markdown.StreamIn(t.Context(), strings.NewReader(src), markdown.Options{}, limits, 64) {
				if err != nil {
					t.Fatal(err)
				}
				largest = max(largest, len(p.Document.Source))
			}
			if largest > 2048 {
				t.Errorf("a piece has %d bytes", largest)
			}
		})
	}
}

func TestStreamEnds(t *testing.T) {
	src := strings.Repeat("text\n\n", 10_000)
	broken := errors.New("broken")
	var found error
	pieces := 0
	for _, err := range markdown.StreamIn(t.Context(), io.MultiReader(strings.NewReader(src), iotest.ErrReader(broken)), markdown.Options{}, markdown.Limits{}, 512) {
		found = err
		pieces++
	}
	if !errors.Is(found, broken) || pieces < 50 {
		t.Errorf("after %d pieces the error is %v", pieces, found)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, err := range markdown.StreamIn(ctx, strings.NewReader(src), markdown.Options{}, markdown.Limits{}, 512) {
		found = err
		cancel()
	}
	if !errors.Is(found, context.Canceled) {
		t.Errorf("the error is %v", found)
	}
	for _, err := range markdown.StreamIn(t.Context(), strings.NewReader(src), markdown.Options{}, markdown.Limits{}, 512) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}
