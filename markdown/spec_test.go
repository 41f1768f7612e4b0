package markdown

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// The examples of the CommonMark 0.31.2 and GFM specifications with their block
// trees. testdata/spec holds ours, which `go test -update` writes; the reference
// trees, which are not part of the project, judge them where SECTILE_CORPUS is
// set.

var update = flag.Bool("update", false, "write the golden files anew")

// specExample is an example of a specification with its block tree, a line for
// each block.
type specExample struct {
	Example  int      `json:"example"`
	Section  string   `json:"section,omitempty"`
	Markdown string   `json:"markdown"`
	Blocks   []string `json:"blocks"`
}

// tree renders the blocks one a line, indented by depth.
func tree(d *Document) []string {
	lines := []string{}
	for i := range d.Blocks {
		lines = append(lines, strings.Repeat(" ", d.Depth(i))+describe(d, i))
	}
	return lines
}

// describe renders a block without its depth: kind, facts, lines, bytes.
func describe(d *Document, i int) string {
	b := &d.Blocks[i]
	s := b.Kind.String()
	switch b.Kind {
	case Heading:
		s += fmt.Sprintf(" %d%c %q", b.Level, b.Marker, d.Title(i))
	case List:
		s += fmt.Sprintf(" %c", b.Marker)
		if b.Ordered() {
			s += fmt.Sprint(" from ", d.ListStart(i))
		}
		if !d.Tight(i) {
			s += " loose"
		}
	case Item, HTMLBlock:
		s += fmt.Sprint(" ", b.Level)
	case FencedCode:
		s += fmt.Sprintf(" %c %q", b.Marker, d.Info(i))
	case LinkDefinition, FootnoteDefinition:
		s += fmt.Sprintf(" %q", d.Label(i))
	}
	for _, f := range []struct {
		flag Flags
		name string
	}{{Closed, "closed"}, {Head, "head"}, {Task, "task"}, {Done, "done"}} {
		if b.Flags&f.flag != 0 && (f.flag != Task || b.Flags&Done == 0) {
			s += " " + f.name
		}
	}
	return fmt.Sprintf("%s %d-%d %d:%d", s, b.StartLine, b.EndLine, b.Start, b.End)
}

func mustParse(t testing.TB, src string, opts Options) *Document {
	t.Helper()
	d, err := (&Parser{Options: opts}).Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var specs = []struct {
	file string
	opts Options
}{
	{"commonmark-0.31.2.json", CommonMark()},
	{"gfm.json", Options{NoFrontMatter: true}},
}

func TestSpecification(t *testing.T) {
	for _, s := range specs {
		t.Run(s.file, func(t *testing.T) {
			file := filepath.Join("testdata", "spec", s.file)
			var examples []specExample
			readJSON(t, file, &examples)
			for i := range examples {
				e := &examples[i]
				got := tree(mustParse(t, e.Markdown, s.opts))
				if *update {
					e.Blocks = got
				} else if diff := cmp.Diff(e.Blocks, got); diff != "" {
					t.Errorf("example %d: blocks (-want +got):\n%s\n%s", e.Example, e.Markdown, diff)
				}
			}
			if *update {
				writeJSON(t, file, examples)
			}
		})
	}
}

// TestSpecificationReference compares with the reference trees: kind, depth,
// lines and bytes of each block. They know no footnotes, rows or cells.
func TestSpecificationReference(t *testing.T) {
	dir := testkit.CorpusDir(t)
	for _, s := range specs {
		var examples []struct {
			Example  int
			Markdown string
			Blocks   [][6]any
		}
		readJSON(t, filepath.Join(dir, "spec", s.file), &examples)
		opts := s.opts
		opts.NoFootnotes = true
		for _, e := range examples {
			want := []string{}
			for _, b := range e.Blocks {
				want = append(want, fmt.Sprint(b[:]...))
			}
			d := mustParse(t, e.Markdown, opts)
			got := []string{}
			for i := range d.Blocks {
				if name := referenceName(&d.Blocks[i]); name != "" {
					b := &d.Blocks[i]
					got = append(got, fmt.Sprint([]any{name, d.Depth(i), b.StartLine, b.EndLine, b.Start, b.End}...))
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: example %d: (-reference +ours):\n%s\n%s", s.file, e.Example, e.Markdown, diff)
			}
		}
		if len(examples) < 650 {
			t.Errorf("%s has %d examples", s.file, len(examples))
		}
	}
}

// referenceName is what the reference trees call a block's kind.
func referenceName(b *Block) string {
	switch b.Kind {
	case BlockQuote:
		return "quote"
	case Paragraph:
		return "para"
	case Heading:
		return fmt.Sprint("h", b.Level)
	case ThematicBreak:
		return "hr"
	case LinkDefinition:
		return "refdef"
	case FencedCode, IndentedCode:
		return "code"
	case HTMLBlock:
		return "html"
	case TableRow, TableCell:
		return ""
	}
	return b.Kind.String()
}

func readJSON(t testing.TB, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func writeJSON(t testing.TB, file string, v any) {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
