// Package markdown parses Markdown into blocks and sections with exact byte and
// line ranges, and changes nothing.
//
//	doc, err := markdown.Parse(src)
//	…
//	for i, s := range doc.Sections {
//		lines := doc.SectionLines(i)
//		fmt.Println(s.Level, doc.SectionTitle(i), lines.First, lines.Last)
//	}
//
// # What is parsed
//
// The blocks of CommonMark 0.31.2; of GitHub Flavored Markdown tables and task
// items; footnote definitions; front matter in YAML and TOML. [Options] switch the
// extensions off, and name markers of headings that are the reader's own; a document keeps them, so that an edit reads new text alike. Inline
// content is read only where somebody asks for it: [Document.Inlines], for one block;
// [Document.Links], for all; titles.
// docs/conformance.md lists where other parsers differ and why.
//
// Any bytes are a document. A byte order mark belongs to no block, NUL is text,
// invalid UTF-8 is taken byte by byte, and lines end at LF, CRLF or a lone CR.
//
// # What to use when
//
//   - [Parse] for a document that is kept; [ParseContext] for one from anybody, with
//     options and limits; a [Parser] for many, one after another, in the same memory.
//   - [Stream] for one of any size, in pieces; [Abridge] for its headings alone, with
//     [Document.Fill] for the texts of some sections.
//   - [Document.Reparse] for a document that has changed a little.
//   - [Document.Sections] for the table of contents, with
//     [Document.SectionSpan], [Document.BodySpan] and [Document.SectionLines] for
//     where a section is and [Document.SectionTitle] for what it is called.
//   - [Document.Blocks] for everything else: a flat slice in source order, with
//     [Document.Children] to go down and [Block].Parent to go up.
//   - [Document.Content] and [Document.ContentLines] for what a block holds
//     without its own marks and its containers' prefixes.
//   - [Document.Inlines] for the text, emphasis, code and links in a block, with ranges;
//     [Inlines.Read] for many blocks in the same memory.
//   - [Document.Links] for all that leads somewhere or is led to; a [LinkReader] for many
//     documents.
//   - [Document.LineSpan] and [Document.LineAt] between lines and bytes.
//   - [Hash] to know later whether a text is still the same.
//
// # What holds
//
// Ranges are the truth: nothing is rendered back, a block's text is a slice of
// the source. The spans of the blocks at the top level and the blank gaps between
// them cover the source, and so do the byte order mark, the preamble and the
// sections. Parsing takes time linear in the size of the source whatever it
// holds, and its stack does not grow with the depth of a document.
//
// The package does no input or output, but that [Stream] and [Abridge] read from a reader,
// and keeps nothing of one document for another but memory.
//
// # Files
//
//   - document.go, block.go, section.go, title.go, content.go, lines.go, hash.go,
//     dialect.go: the document as callers see it; limits.go: what a parse may take; reparse.go: one that begins with
//     another
//   - parser.go: the pass over lines; open.go, container.go, list.go, leaf.go: which blocks are
//     open; heading.go, code.go, html.go, table.go, definition.go, frontmatter.go: kinds of
//     blocks
//   - stream.go: documents of any size in pieces; cut.go: where one can be cut; abridge.go: the
//     headings of one, and texts that are filled in
//   - inline.go: inline content as callers see it; inlinetext.go: what it stands for;
//     inlineread.go, emphasis.go, bracket.go, labels.go: reading it
//   - links.go, linkhtml.go: the links of a document
package markdown
