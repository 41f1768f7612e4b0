package app

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// IndexRequest asks for inventories: the selectors of a document's headings, and
// how many blocks of each kind it has.
type IndexRequest struct {
	JSON    bool
	Lines   bool // text shows the lines of each section
	Words   bool // text shows the number of words of each section
	Style   Style
	Literal bool      // paths are files: no folders, no patterns
	Time    time.Time // of the request, for JSON
}

// ErrIncomplete says that a part of a request failed. What failed is told in the
// reply, and the rest is there.
var ErrIncomplete = errors.New("a file or a selector failed")

// Index writes the inventories of documents to out, and in text which of them
// could not be read to errs. The error is ErrIncomplete, that of the context, or
// that of writing to out.
func Index(ctx context.Context, docs Documents, req IndexRequest, out, errs io.Writer) error {
	x := indexing{IndexRequest: req, many: docs.isMany(req.Literal), out: &spooler{out: out}}
	var (
		list     = docs.named(req.Literal)
		w        = docs.worker()
		failures []failure
		text     []byte
		written  = 0
	)
	for i := range list {
		f := &list[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		doc, err := f.open(w)
		if err == nil && req.JSON && i < len(list)-1 {
			doc, err = kept(doc)
		}
		switch {
		case err != nil:
			failures = append(failures, fileFailure(f.path, err))
		case req.JSON:
			x.documents = append(x.documents, inventoried{doc, f})
		default:
			text = x.appendText(text[:0], doc, f)
			x.out.write(text)
			written += len(text)
		}
	}
	if req.JSON {
		x.writeJSON(envelope{
			command: "index", time: req.Time, failed: len(failures) > 0, errors: failures, files: len(list),
		})
		return x.out.finish(len(failures) > 0)
	}
	tell(errs, failures)
	if written == 0 && len(failures) < len(list) {
		x.out.write([]byte{'\n'})
	}
	return x.out.finish(len(failures) > 0)
}

// tell writes errors as text.
func tell(errs io.Writer, failures []failure) {
	var text []byte
	for i := range failures {
		text = failures[i].appendText(text)
	}
	_, _ = errs.Write(text) // there is nowhere else to tell
}

// indexing is a request in work.
type indexing struct {
	IndexRequest
	many      bool // there can be several documents
	out       *spooler
	documents []inventoried // those that could be read, for JSON
	nodes     int           // headings, counted blocks and roots so far, for JSON
}

// inventoried is a document and how it is named.
type inventoried struct {
	doc  *markdown.Document
	file *namedFile
}

// appendText appends the inventory of a document as text.
func (x *indexing) appendText(dst []byte, doc *markdown.Document, f *namedFile) []byte {
	if x.many {
		name := inNamespace(f.namespace)
		dst = outline.AppendSafe(dst, name[:len(name)-len("::")])
		dst = outline.AppendSafe(append(dst, ' '), displayPath(f.path))
		dst = append(dst, '\n')
	}
	const indent = "      "
	var (
		counts [7]int // selectors count headings of a level
		words  []int
	)
	if x.Words {
		words = sectionWords(doc)
	}
	for i := range doc.Sections {
		level := doc.Sections[i].Level
		dst = append(dst, indent[:level-1]...)
		dst = append(dst, x.Style.Range.Before...)
		dst = append(dst, 'h', '0'+level, '.')
		dst = strconv.AppendInt(dst, int64(counts[level]), 10)
		counts[level]++
		if x.Lines {
			l := doc.SectionLines(i)
			dst = strconv.AppendInt(append(dst, ':'), int64(l.First), 10)
			dst = strconv.AppendInt(append(dst, '-'), int64(l.Last), 10)
		}
		if x.Words {
			n := words[doc.Sections[i].Next] - words[i]
			dst = append(strconv.AppendInt(append(dst, ':'), int64(n), 10), 'w')
		}
		dst = append(append(append(dst, x.Style.Range.After...), ' '), x.Style.Name.Before...)
		dst = outline.AppendSafe(dst, doc.SectionTitle(i))
		dst = append(append(dst, x.Style.Name.After...), '\n')
	}
	return countBlocks(doc).appendText(dst)
}

// blockCounts are the numbers of a document's blocks at the top level.
type blockCounts struct{ code, para, list, table, quote int }

// countBlocks counts the blocks at the top level.
func countBlocks(doc *markdown.Document) blockCounts {
	var c blockCounts
	for _, b := range doc.Children(-1) {
		switch b.Kind {
		case markdown.FencedCode, markdown.IndentedCode:
			c.code++
		case markdown.Paragraph:
			c.para++
		case markdown.List:
			c.list++
		case markdown.Table:
			c.table++
		case markdown.BlockQuote:
			c.quote++
		}
	}
	return c
}

// all returns the number of all blocks that are counted.
func (c blockCounts) all() int { return c.code + c.para + c.list + c.table + c.quote }

// appendText appends a rule and a line with the counts that are not 0, if there
// are any.
func (c blockCounts) appendText(dst []byte) []byte {
	if c.all() == 0 {
		return dst
	}
	dst = append(dst, "---"...)
	separator := byte('\n')
	for _, count := range []struct {
		name string
		n    int
	}{{"code", c.code}, {"para", c.para}, {"list", c.list}, {"table", c.table}, {"quote", c.quote}} {
		if count.n > 0 {
			dst = append(append(dst, separator), count.name...)
			dst = strconv.AppendInt(append(dst, ':'), int64(count.n), 10)
			separator = ' '
		}
	}
	return append(dst, '\n')
}
