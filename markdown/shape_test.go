package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	rsc "rsc.io/markdown"
)

// Reference parsers say what they found in types of their own. A shape is what
// our blocks and theirs have in common: the tree, and facts about each block.

// shape is one block of a tree.
type shape struct {
	depth int
	kind  Kind
	fact  string // level, marker, state: whatever must be the same
	line  int    // where it begins; 0 if that isn't told
}

func (s shape) String() string {
	return fmt.Sprintf("%*s%v %s @%d", s.depth, "", s.kind, s.fact, s.line)
}

// equal compares two shapes, and their lines if both have one.
func (s shape) equal(o shape) bool {
	if s.line == 0 || o.line == 0 {
		s.line, o.line = 0, 0
	}
	return s == o
}

// firstDifference returns the index of the first shape that differs, or -1.
func firstDifference(a, b []shape) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || !a[i].equal(b[i]) {
			return i
		}
	}
	return -1
}

// ourShapes returns the shapes of a document. Empty cells at the end of a row are
// left out, for references make up as many as a row lacks.
func ourShapes(d *Document) []shape {
	shapes := make([]shape, 0, len(d.Blocks))
	depths := make([]int, len(d.Blocks))
	for i := range d.Blocks {
		b := &d.Blocks[i]
		depth := 0
		if b.Parent >= 0 {
			depth = depths[b.Parent] + 1
		}
		depths[i] = depth
		s := shape{depth: depth, kind: b.Kind, line: int(b.StartLine)}
		switch b.Kind {
		case Heading, HTMLBlock:
			s.fact = fmt.Sprint(b.Level)
		case List:
			s.fact = listFact(b.Marker, d.ListStart(i), d.Tight(i))
		case Item:
			s.fact = taskFact(b.Flags&Task != 0, b.Flags&Done != 0)
		case TableCell:
			if emptyToEnd(d, i) {
				continue
			}
		}
		shapes = append(shapes, s)
	}
	return shapes
}

// emptyToEnd reports whether cell i and those after it in its row are empty.
func emptyToEnd(d *Document, i int) bool {
	for end := int(d.Blocks[d.Blocks[i].Parent].Next); i < end; i++ {
		if d.Blocks[i].Start < d.Blocks[i].End {
			return false
		}
	}
	return true
}

func listFact(marker byte, start int, tight bool) string {
	s := string(marker)
	if marker == '.' || marker == ')' {
		s += fmt.Sprint(start)
	}
	if !tight {
		s += " loose"
	}
	return s
}

func taskFact(task, done bool) string {
	switch {
	case done:
		return "done"
	case task:
		return "task"
	}
	return ""
}

// dialect says which extensions goldmark and we parse.
type dialect struct{ tables, footnotes bool }

func (l dialect) options() Options {
	return Options{NoFrontMatter: true, NoTables: !l.tables, NoFootnotes: !l.footnotes}
}

// goldmarkParsers parse blocks alone; of inline content only checkboxes matter.
var goldmarkParsers = map[dialect]gmparser.Parser{}

func init() { //nolint:gochecknoinits // one parser for each dialect, for all tests
	for _, l := range []dialect{{}, {tables: true}, {footnotes: true}, {tables: true, footnotes: true}} {
		goldmarkParsers[l] = newGoldmark(l)
	}
}

func newGoldmark(l dialect) gmparser.Parser {
	blocks := gmparser.DefaultBlockParsers()
	if l.footnotes {
		blocks = append(blocks, util.Prioritized(footnoteInPlace{extension.NewFootnoteBlockParser()}, 999))
	}
	transformers := []util.PrioritizedValue{util.Prioritized(gmparser.LinkReferenceParagraphTransformer, 100)}
	if l.tables {
		transformers = append(transformers, util.Prioritized(extension.NewTableParagraphTransformer(), 200))
	}
	return gmparser.NewParser(
		gmparser.WithBlockParsers(blocks...),
		gmparser.WithInlineParsers(util.Prioritized(extension.NewTaskCheckBoxParser(), 0)),
		gmparser.WithParagraphTransformers(transformers...),
	)
}

// footnoteInPlace leaves a footnote where it was defined: goldmark moves it to
// the end when it closes.
type footnoteInPlace struct{ gmparser.BlockParser }

func (footnoteInPlace) Close(ast.Node, text.Reader, gmparser.Context) {}

// goldmarkShapes returns the shapes of what goldmark makes of src; ok is false if
// it panics.
func goldmarkShapes(src []byte, l dialect) (shapes []shape, ok bool) {
	defer func() { ok = recover() == nil }()
	root := goldmarkParsers[l].Parse(text.NewReader(src))
	w := goldmarkWalk{src: src}
	w.children(root, 0)
	return w.shapes, true
}

type goldmarkWalk struct {
	src    []byte
	shapes []shape
	pos    int // up to here lines are counted
	line   int
}

func (w *goldmarkWalk) children(n ast.Node, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeInline {
			return
		}
		s, ok := w.shape(c)
		if !ok {
			continue
		}
		s.depth = depth
		w.shapes = append(w.shapes, s)
		w.children(c, depth+1)
	}
}

// shape returns the shape of n, and false for an empty cell at the end of a row.
func (w *goldmarkWalk) shape(n ast.Node) (s shape, ok bool) {
	pos := n.Pos()
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		s.kind = Paragraph
	case *ast.Heading:
		s.kind, s.fact = Heading, fmt.Sprint(n.Level)
	case *ast.ThematicBreak:
		s.kind = ThematicBreak
	case *ast.CodeBlock:
		s.kind = IndentedCode
	case *ast.FencedCodeBlock:
		s.kind = FencedCode
	case *ast.HTMLBlock:
		s.kind, s.fact = HTMLBlock, fmt.Sprint(int(n.HTMLBlockType))
	case *ast.Blockquote:
		s.kind = BlockQuote
	case *ast.List:
		s.kind, s.fact = List, listFact(n.Marker, n.Start, n.IsTight)
	case *ast.ListItem:
		s.kind, s.fact = Item, goldmarkTask(n)
	case *ast.LinkReferenceDefinition:
		s.kind = LinkDefinition
	case *extast.Footnote:
		s.kind = FootnoteDefinition
	case *extast.Table:
		s.kind = Table
		pos = n.FirstChild().Pos() // its own is that of the paragraph before
	case *extast.TableHeader, *extast.TableRow:
		s.kind = TableRow
	case *extast.TableCell:
		s.kind = TableCell
		if w.emptyToEnd(n) {
			return s, false
		}
	}
	s.line = w.lineAt(pos)
	return s, true
}

func (w *goldmarkWalk) emptyToEnd(cell ast.Node) bool {
	for ; cell != nil; cell = cell.NextSibling() {
		if l := cell.Lines(); l.Len() > 0 && len(l.Value(w.src)) > 0 {
			return false
		}
	}
	return true
}

func goldmarkTask(item *ast.ListItem) string {
	if first := item.FirstChild(); first != nil {
		if box, ok := first.FirstChild().(*extast.TaskCheckBox); ok {
			return taskFact(true, box.IsChecked)
		}
	}
	return ""
}

// lineAt returns the line that holds the byte at pos, 0 if pos is no position.
func (w *goldmarkWalk) lineAt(pos int) int {
	if pos < 0 || pos > len(w.src) {
		return 0
	}
	if pos < w.pos || w.line == 0 {
		w.pos, w.line = 0, 1
	}
	w.line += bytes.Count(w.src[w.pos:pos], []byte{'\n'})
	w.pos = pos
	return w.line
}

// rscShapes returns the shapes of what rsc.io/markdown makes of src. It knows no
// footnotes, shows no definitions and fills rows up, so that cells say nothing,
// and counts lines differently where definitions are.
// On some tables it panics: then ok is false.
func rscShapes(src []byte) (shapes []shape, ok bool) {
	defer func() { ok = recover() == nil }()
	p := rsc.Parser{Table: true, TaskListItems: true}
	var walk func(blocks []rsc.Block, depth int)
	walk = func(blocks []rsc.Block, depth int) {
		for _, b := range blocks {
			s := shape{depth: depth}
			var children []rsc.Block
			switch b := b.(type) {
			case *rsc.Empty:
				continue
			case *rsc.Paragraph, *rsc.Text:
				s.kind = Paragraph
			case *rsc.Heading:
				s.kind, s.fact = Heading, fmt.Sprint(b.Level)
			case *rsc.ThematicBreak:
				s.kind = ThematicBreak
			case *rsc.CodeBlock:
				s.kind = IndentedCode
				if b.Fence != "" {
					s.kind = FencedCode
				}
			case *rsc.HTMLBlock:
				s.kind = HTMLBlock
			case *rsc.Quote:
				s.kind, children = BlockQuote, b.Blocks
			case *rsc.List:
				s.kind, children = List, b.Items
				s.fact = strings.TrimSuffix(listFact(byte(b.Bullet), b.Start, true), " loose")
			case *rsc.Item:
				s.kind, children = Item, b.Blocks
			case *rsc.Table:
				s.kind = Table
				shapes = append(shapes, s)
				for range len(b.Rows) + 1 {
					shapes = append(shapes, shape{depth: depth + 1, kind: TableRow})
				}
				continue
			}
			shapes = append(shapes, s)
			walk(children, depth+1)
		}
	}
	walk(p.Parse(string(src)).Blocks, 0)
	return shapes, true
}

// asRSC returns the shapes as far as rscShapes tells them.
func asRSC(shapes []shape) []shape {
	var out []shape
	for _, s := range shapes {
		s.line = 0
		switch s.kind {
		case LinkDefinition, TableCell:
			continue
		case HTMLBlock, Item:
			s.fact = ""
		case List:
			s.fact = strings.TrimSuffix(s.fact, " loose")
		}
		out = append(out, s)
	}
	return out
}
