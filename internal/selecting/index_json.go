package selecting

import (
	"context"
	"strconv"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// previewLength is the number of characters of a preview.
const previewLength = 80

// leastHeading is less than the number of characters that a heading takes in JSON.
const leastHeading = 200

// isLong reports whether the headings alone take more characters in JSON than a reply
// may have.
func (x *indexing) isLong() bool {
	n := 0
	for _, d := range x.documents {
		n += len(d.doc.Sections)
	}
	return n > x.MaxChars/leastHeading
}

// writeJSON writes the reply as one object.
func (x *indexing) writeJSON(ctx context.Context, e envelope) {
	b := e.begin()
	if len(x.documents) == 0 {
		b = append(b, "null"...)
		e.addErrors(&b)
		x.out.write(e.end(b))
		return
	}
	x.out.write(append(b, `{"documents":[`...))
	x.writeDocuments(ctx)
	b = jsonBuffer("]")
	b.key("summary")
	b = append(b, '{')
	b.number("total_documents", len(x.documents))
	b.number("total_nodes", x.nodes)
	b.number("total_selectors", x.nodes)
	b = append(b, "}}"...)
	e.addErrors(&b)
	if e.failed {
		b.key("partial_results")
		x.out.write(append(b, '['))
		x.writeDocuments(ctx)
		b = jsonBuffer("]")
	}
	x.out.write(e.end(b))
}

// writeDocuments writes the inventories, commas between them. What is rendered is
// handed on piece by piece: a document can have a million headings.
func (x *indexing) writeDocuments(ctx context.Context) {
	var b jsonBuffer
	for i, d := range x.documents {
		if i > 0 {
			b = append(b, ',')
		}
		x.document(ctx, &b, d)
		if x.out.stop(ctx); x.out.err != nil {
			return
		}
	}
	x.out.write(b)
}

// document adds the inventory of a document.
func (x *indexing) document(ctx context.Context, b *jsonBuffer, d inventoried) {
	*b = append(*b, '{')
	b.text("namespace", d.file.Namespace)
	b.text("file_path", replies.DisplayPath(d.file.Path))
	prefix := documents.InNamespace(d.file.Namespace)
	b.key("root")
	if !x.root(b, d.doc, prefix) {
		*b = append(*b, "null"...)
	}
	b.key("headings")
	*b = append(*b, '[')
	x.headings(ctx, b, d.doc, prefix)
	*b = append(*b, ']')
	c := countBlocks(d.doc)
	b.key("blocks")
	*b = append(*b, '{')
	b.number("paragraphs", c.para)
	b.number("code_blocks", c.code)
	b.number("lists", c.list)
	b.number("tables", c.table)
	b.number("blockquotes", c.quote)
	*b = append(*b, "}}"...)
	x.nodes += c.all() + len(d.doc.Sections)
}

// root adds what stands before the first heading, without front matter, and
// reports whether there is any of it.
func (x *indexing) root(b *jsonBuffer, doc *markdown.Document, prefix string) bool {
	var text markdown.Span
	blocks, end := 0, doc.Preamble().End
	for _, block := range doc.Children(-1) {
		if int(block.Start) >= end {
			break
		}
		if block.Kind == markdown.FrontMatter {
			continue
		}
		if blocks == 0 {
			text.Start = int(block.Start)
		}
		text.End = int(block.End)
		blocks++
	}
	if blocks == 0 {
		return false
	}
	x.nodes++
	*b = append(*b, '{')
	b.text("selector", prefix+"root")
	b.text("type", "root")
	shown := preview(doc.Text(text))
	b.text("content_preview", shown)
	b.flag("truncated", len(shown) < text.Len())
	b.number("children_count", blocks)
	b.number("word_count", replies.CountWords(doc.Text(text)))
	b.text("level_path", "")
	b.node(doc, address.NodeOfPreamble())
	*b = append(*b, '}')
	return true
}

// headings adds the sections of a document.
func (x *indexing) headings(ctx context.Context, b *jsonBuffer, doc *markdown.Document, prefix string) {
	var (
		levels   = levelOrdinals(doc)
		words    = reading.SectionWords(doc)
		ordinals = topOrdinals(doc)
		counts   [7]int
	)
	for i := range doc.Sections {
		level := int(doc.Sections[i].Level)
		name := "heading:h" + strconv.Itoa(level)
		title := doc.SectionTitle(i)
		if i > 0 {
			*b = append(*b, ',')
		}
		*b = append(*b, '{')
		b.text("selector", prefix+name+"["+strconv.Itoa(counts[level])+"]")
		counts[level]++
		b.text("type", name)
		b.number("depth", level)
		b.text("text", title)
		b.text("content_preview", title)
		b.flag("truncated", false)
		b.number("children_count", ordinals[doc.Sections[i].Next]-ordinals[i]-1)
		b.number("word_count", replies.CountWords([]byte(title)))
		b.number("section_word_count", words[doc.Sections[i].Next]-words[i])
		b.flag("section_truncated", false)
		b.text("level_path", levelPath(doc, levels, i))
		b.node(doc, address.NodeOfSection(i))
		*b = append(*b, '}')
		if len(*b) > spooled {
			x.out.write(*b)
			*b = (*b)[:0]
			if x.out.stop(ctx); x.out.err != nil {
				return
			}
		}
	}
}

// topOrdinals returns for each section how many blocks at the top level stand
// before its heading, and after the last one how many there are at all.
func topOrdinals(doc *markdown.Document) []int {
	ordinals := make([]int, 0, len(doc.Sections)+1)
	n := 0
	for _, block := range doc.Children(-1) {
		if block.Kind == markdown.Heading {
			ordinals = append(ordinals, n)
		}
		n++
	}
	return append(ordinals, n)
}

// preview returns the beginning of a text.
func preview(text []byte) string {
	// A character has at most four bytes; the rest is not even looked at.
	s := string(text[:min(len(text), 4*previewLength+4)])
	n := 0
	for i := range s {
		if n == previewLength {
			return s[:i]
		}
		n++
	}
	return s
}
