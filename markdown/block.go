package markdown

// A Block is a small flat value so that a document's blocks lie side by side in
// one slice, in source order: walking them touches memory in one direction and
// a document of any size costs one allocation. What is dearer than a few bytes
// (content, titles, labels, line by line text) is asked of the Document.

// Kind says what a block is, in CommonMark's and GFM's terms.
type Kind uint8

// The kinds of blocks.
const (
	_                  Kind = iota
	BlockQuote              // CommonMark 5.1; a container
	List                    // CommonMark 5.3; a container of items
	Item                    // CommonMark 5.2; a container
	FootnoteDefinition      // GFM, "[^label]: text"; a container
	Paragraph               // CommonMark 4.8
	Heading                 // CommonMark 4.2 (ATX) and 4.3 (setext); see also OwnMarker
	ThematicBreak           // CommonMark 4.1
	LinkDefinition          // CommonMark 4.7, link reference definition
	Table                   // GFM 4.10; a container of rows
	TableRow                // the head or a row of a table; a container of cells
	TableCell               // a cell, from the first to the last byte of its text
	FencedCode              // CommonMark 4.5
	IndentedCode            // CommonMark 4.4
	HTMLBlock               // CommonMark 4.6
	FrontMatter             // YAML or TOML at the start of the document
)

var kindNames = [...]string{
	"invalid", "block_quote", "list", "item", "footnote_definition", "paragraph", "heading",
	"thematic_break", "link_definition", "table", "table_row", "table_cell",
	"fenced_code", "indented_code", "html_block", "front_matter",
}

// String returns the kind's name in lower case with underscores, such as
// "block_quote".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[0]
}

// Flags are facts about a block that its kind leaves open.
type Flags uint8

// The flags of blocks.
const (
	// Closed marks fenced code whose closing fence is there. Without it the
	// code runs to the end of its container.
	Closed Flags = 1 << iota
	// Head marks the head row of a table.
	Head
	// Task marks an item that begins with "[ ]" or "[x]" (GFM 5.3).
	Task
	// Done marks a task that is checked.
	Done
)

// A Block is one block of a document.
//
// Start and End are byte offsets into the document's source, End exclusive. The
// range begins at the block's first byte after the prefixes of its containers
// (indented code and HTML blocks keep their own indentation, the others don't)
// and ends before the line ending of its last line. A list, item or footnote ends
// where the last block in it does, or after its marker if it is empty; a block
// quote too, or after the '>' of a later line that has nothing else. StartLine
// and EndLine are 1-based and inclusive.
type Block struct {
	Kind  Kind
	Flags Flags
	// Level is a heading's level, 1 to 6; an HTML block's start condition, 1 to
	// 7; an item's or footnote's content indentation in columns.
	Level uint8
	// Marker is '#', '=', '-' or OwnMarker for a heading; '`' or '~' for fenced code; '-',
	// '+', '*', '.' or ')' for a list and its items; '-' or '+' for YAML and
	// TOML front matter.
	Marker byte
	// Parent is the index of the container that the block stands in, -1 at the
	// top level.
	Parent int32
	// Next is the index just after the block's last descendant: that of its
	// next sibling, if it has one. The children of block i are i+1, then the
	// Next of that one, and so on while below Blocks[i].Next.
	Next               int32
	Start, End         uint32
	StartLine, EndLine uint32
}

// Span returns the block's byte range.
func (b *Block) Span() Span { return Span{int(b.Start), int(b.End)} }

// Lines returns the block's lines.
func (b *Block) Lines() Lines { return Lines{int(b.StartLine), int(b.EndLine)} }

// Setext reports whether the block is a heading that is underlined.
func (b *Block) Setext() bool { return b.Kind == Heading && (b.Marker == '=' || b.Marker == '-') }

// OwnMarker is the marker of a heading that is one by [Options.Headings] alone.
const OwnMarker = ':'

// HasAnchor reports whether the block is a heading for those too who render the document, so
// that they may make an anchor of it: not by [Options.Headings] alone.
func (b *Block) HasAnchor() bool { return b.Kind == Heading && b.Marker != OwnMarker }

// Ordered reports whether the block is an ordered list or an item of one.
func (b *Block) Ordered() bool { return b.Marker == '.' || b.Marker == ')' }

// Span is a half-open range of bytes, both ends counted from 0.
type Span struct{ Start, End int }

// Len returns the number of bytes in the range.
func (s Span) Len() int { return s.End - s.Start }

// Lines is a range of lines, 1-based and inclusive. It is empty when Last is
// before First.
type Lines struct{ First, Last int }

// Len returns the number of lines in the range.
func (l Lines) Len() int { return max(0, l.Last-l.First+1) }
