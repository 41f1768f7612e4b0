package markdown

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/internal/syntax"
)

// MaxSize is the largest source that can be parsed, in bytes: offsets and
// indexes are kept in 32 bits.
const MaxSize = 1<<31 - 1

// ErrTooLarge is returned for a source of more than MaxSize bytes.
var ErrTooLarge = errors.New("markdown: source is larger than 2 GiB")

// Options is the dialect of a document: what extensions it has. The zero value
// parses everything but wiki links: CommonMark with GFM's extensions, footnotes, and
// front matter. A document keeps its options, so that whatever is made of it later is read
// in the same dialect.
type Options struct {
	NoTables      bool // leave GFM tables as paragraphs
	NoTaskItems   bool // do not mark items that begin with a checkbox
	NoFootnotes   bool // leave footnote definitions as paragraphs
	NoFrontMatter bool // take the document's first line for Markdown

	NoStrikethrough bool // leave GFM's tildes as text
	NoBareURLs      bool // leave addresses without marks as text
	WikiLinks       bool // take "[[a#b|c]]" for a link

	Dialect Dialect // of the anchors of headings

	// Headings are markers of headings that are the reader's own, nil for none: a paragraph at
	// the top level that is one line, and that one of them matches, is a heading.
	Headings *headings.Set
}

// CommonMark returns the options that leave CommonMark alone, without any
// extension.
func CommonMark() Options {
	return Options{
		NoTables: true, NoTaskItems: true, NoFootnotes: true, NoFrontMatter: true,
		NoStrikethrough: true, NoBareURLs: true,
	}
}

// A Document is the result of parsing a source. It must not be changed, nor may
// its source; then it can be used by several goroutines at once.
type Document struct {
	// Source is what was parsed. The document keeps it, not a copy.
	Source []byte
	// Blocks holds every block in source order: a container before what is in
	// it.
	Blocks []Block
	// Sections holds the section of every heading at the top level, in source
	// order.
	Sections []Section
	// LineCount is the number of lines. A line ending at the very end does not
	// begin another one, so "a\n" has one line and "" has none.
	LineCount int

	hasCR    bool
	options  Options
	abridged *abridged // what an abridged document has of the whole; nil for others
	// What is asked for by few is made at the first request.
	lazy lazy
}

// lazy holds what a document makes when it is first asked for.
type lazy struct {
	lineOnce sync.Once
	lines    []uint32 // byte offset of each line's start

	titles atomic.Pointer[Inlines] // memory to read titles in
	facts  atomic.Uint32           // about the source; 0 until they are known

	referenceOnce sync.Once
	links         *syntax.LabelSet
	footnotes     *syntax.LabelSet
}

// Parse parses src with all extensions. The document keeps src, which must not
// be changed afterwards. It returns ErrTooLarge beyond MaxSize; any other input
// is a document.
func Parse(src []byte) (*Document, error) {
	if len(src) > mostShared {
		return new(Parser).Parse(src)
	}
	p, ok := parsers.Get().(*Parser)
	if !ok {
		p = new(Parser)
	}
	found, err := p.Parse(src)
	if err != nil {
		return nil, err
	}
	d := &Document{
		Source:    found.Source,
		Blocks:    slices.Clone(found.Blocks),
		Sections:  slices.Clone(found.Sections),
		LineCount: found.LineCount,
		hasCR:     found.hasCR,
		options:   found.options,
	}
	p.document = Document{}
	p.state.src = nil
	if p.state.memory() <= mostShared {
		parsers.Put(p)
	}
	return d, nil
}

// parsers are those that Parse has used: how many blocks a source has is known when it is
// parsed, so that it takes less time to find them in memory that is there, and to copy them
// into as much as they need.
var parsers sync.Pool

// mostShared is the number of bytes of a source up to which that is done, and of the memory
// that is kept for the next one.
const mostShared = 1 << 20

// A Parser parses documents one after another in the same memory, for those who
// look at a document once and go on to the next. Its zero value is ready to be used.
// It must not be used by several goroutines at once.
type Parser struct {
	Options Options // of the documents to come

	document Document
	state    parser
}

// Parse parses src. The document that it returns is valid until the next call;
// use the function Parse for one that stays. Its errors are those of the
// function.
func (p *Parser) Parse(src []byte) (*Document, error) {
	return p.ParseContext(context.Background(), src, Limits{})
}

// finish makes the document of what was parsed.
func (p *Parser) finish() *Document {
	s := &p.state
	titles := p.document.lazy.titles.Load()
	p.document = Document{
		Source:    s.src,
		Blocks:    s.blocks,
		Sections:  s.sections,
		LineCount: int(s.line),
		hasCR:     s.hasCR,
		options:   s.opts,
	}
	p.document.lazy.titles.Store(titles)
	return &p.document
}

// Options returns the options that the document was parsed with.
func (d *Document) Options() Options { return d.options }

// Children yields the index and block of each child of block b in order; of the
// blocks at the top level when b is -1.
func (d *Document) Children(b int) iter.Seq2[int, *Block] {
	i, end := 0, len(d.Blocks)
	if b >= 0 {
		i, end = b+1, int(d.Blocks[b].Next)
	}
	return func(yield func(int, *Block) bool) {
		for i := i; i < end; i = int(d.Blocks[i].Next) {
			if !yield(i, &d.Blocks[i]) {
				return
			}
		}
	}
}

// Depth returns the number of containers that block b stands in.
func (d *Document) Depth(b int) int {
	depth := 0
	for p := d.Blocks[b].Parent; p >= 0; p = d.Blocks[p].Parent {
		depth++
	}
	return depth
}

// Text returns the source in the range, not a copy.
func (d *Document) Text(s Span) []byte { return d.Source[s.Start:s.End:s.End] }

// FrontMatter returns the index of the front matter block, or -1.
func (d *Document) FrontMatter() int {
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == FrontMatter {
		return 0
	}
	return -1
}
