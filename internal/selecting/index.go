package selecting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// IndexRequest asks for inventories: the selectors of a document's headings, and
// how many blocks of each kind it has.
type IndexRequest struct {
	JSON    bool
	Lines   bool // text shows the lines of each section
	Words   bool // text shows the number of words of each section
	Style   replies.Style
	Literal bool      // paths are files: no folders, no patterns
	Time    time.Time // of the request, for JSON
	// MaxChars is the largest number of characters (code points) of text, at
	// least MinChars; 0 sets none. With it the text is one reply: what failed
	// stands after what could be done, both in out. Where there is no room, the
	// deepest headings of all documents are left out, then documents at the end;
	// a line in brackets tells each time what is not shown. If nothing could be
	// done, it has at most 2,000 characters. JSON is never cut.
	MaxChars int
	// Offered are the tools that a reply of limited length may name.
	Offered replies.Offered
	// More is that of a SelectRequest.
	More func(n int) string
	// Structured gets what text of limited length says in JSON too, from the same
	// bytes of the documents, unless that is longer than MaxChars. It may be nil.
	Structured io.Writer
}

// ErrIncomplete says that a part of a request failed. What failed is told in the
// reply, and the rest is there.
var ErrIncomplete = errors.New("a file or a selector failed")

// ErrNothing is an ErrIncomplete too: all of the request failed.
var ErrNothing = fmt.Errorf("nothing could be done: %w", ErrIncomplete)

// Index writes the inventories of documents to out, and in text which of them
// could not be read to errs. The error is ErrIncomplete, an *Error for a request
// that can't be answered, that of the context, or that of writing to out.
func Index(ctx context.Context, docs documents.Set, req IndexRequest, out, errs io.Writer) error {
	if err := checkMaxChars(req.MaxChars); err != nil {
		return err
	}
	x := indexing{IndexRequest: req, many: docs.AreMany(req.Literal), out: &spooler{out: out}}
	x.list = docs.Named(req.Literal)
	x.fit.limit = req.MaxChars
	w := docs.Worker()
	defer w.Close()
	for i := range x.list {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := &x.list[i]
		doc, err := f.Open(w)
		if err == nil && x.keepsDocuments() && i < len(x.list)-1 {
			doc, err = w.Kept(doc)
		}
		if err != nil {
			x.failures = append(x.failures, fileFailure(ctx, docs.Workspace, f.Path, err))
			x.failures[len(x.failures)-1].at = i
		} else if err := x.add(ctx, doc, i); err != nil {
			return err
		}
		docs.TellProgress(i+1, len(x.list))
	}
	return x.reply(ctx, errs)
}

// indexing is a request in work.
type indexing struct {
	IndexRequest
	many     bool // there can be several documents
	out      *spooler
	list     []documents.NamedFile
	failures []failure
	text     []byte // memory for that of a document
	written  int    // bytes of text so far

	documents []inventoried // those that could be read, for JSON
	nodes     int           // headings, counted blocks and roots so far, for JSON
	fit       indexFit      // for text of limited length
	first     int           // so many of the list are told of
}

// inventoried is a document and how it is named.
type inventoried struct {
	doc  *markdown.Document
	file *documents.NamedFile
}

// keepsDocuments reports whether documents are needed when all have been read.
func (x *indexing) keepsDocuments() bool { return x.JSON || x.Structured != nil }

// add adds file i of the list, which could be read, to the reply. The error is that of
// the context.
func (x *indexing) add(ctx context.Context, doc *markdown.Document, i int) error {
	f := &x.list[i]
	if x.keepsDocuments() {
		x.documents = append(x.documents, inventoried{doc, f})
	}
	switch {
	case x.JSON:
	case x.MaxChars > 0:
		d, err := x.digest(ctx, doc, i)
		if err != nil {
			return err
		}
		x.fit.add(d)
	default:
		x.text = x.appendText(x.text[:0], doc, f)
		x.out.write(x.text)
		x.written += len(x.text)
	}
	return nil
}

// reply ends the reply.
func (x *indexing) reply(ctx context.Context, errs io.Writer) error {
	failed := len(x.failures) > 0
	e := envelope{command: "index", time: x.Time, failed: failed, errors: x.failures, files: len(x.list)}
	switch {
	case x.JSON:
		x.writeJSON(ctx, e)
	case x.MaxChars > 0:
		text, more := x.page()
		x.out.write(append(text, more...))
		if more != "" {
			x.Structured = nil
		}
		if x.Structured != nil && !x.isLong() {
			text := x.out
			writeShort(x.Structured, x.MaxChars, func(w *spooler) {
				x.out = w
				x.writeJSON(ctx, e)
			})
			x.out = text
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	default:
		tell(errs, x.failures)
		if x.written == 0 && len(x.failures) < len(x.list) {
			x.out.write([]byte{'\n'})
		}
	}
	return x.out.finish(failed, len(x.failures) == len(x.list))
}

// tell writes errors as text.
func tell(errs io.Writer, failures []failure) {
	var text []byte
	for i := range failures {
		text = failures[i].appendText(text)
	}
	_, _ = errs.Write(text) // there is nowhere else to tell
}

// appendText appends the inventory of a document as text.
func (x *indexing) appendText(dst []byte, doc *markdown.Document, f *documents.NamedFile) []byte {
	dst = x.appendName(dst, f)
	for line := range x.headingLines(doc) {
		dst = append(dst, line.text...)
	}
	return countBlocks(doc).appendText(dst)
}

// appendName appends the line that names a document, if there can be several.
func (x *indexing) appendName(dst []byte, f *documents.NamedFile) []byte {
	if !x.many {
		return dst
	}
	name := documents.InNamespace(f.Namespace)
	dst = outline.AppendSafe(dst, name[:len(name)-len("::")])
	dst = outline.AppendSafe(append(dst, ' '), replies.DisplayPath(f.Path))
	return append(dst, '\n')
}

// headingLine is the line of an inventory for a heading.
type headingLine struct {
	text  []byte // valid until the next one
	level int
}

// headingLines returns the lines for a document's headings.
func (x *indexing) headingLines(doc *markdown.Document) iter.Seq[headingLine] {
	return func(yield func(headingLine) bool) {
		var (
			counts [7]int // selectors count headings of a level
			words  []int
			line   []byte
		)
		if x.Words {
			words = reading.SectionWords(doc)
		}
		for i := range doc.Sections {
			level := int(doc.Sections[i].Level)
			line = x.appendHeading(line[:0], doc, i, counts[level], words)
			counts[level]++
			if !yield(headingLine{line, level}) {
				return
			}
		}
	}
}

// appendHeading appends the line for section i, the n-th one of its level.
func (x *indexing) appendHeading(dst []byte, doc *markdown.Document, i, n int, words []int) []byte {
	const indent = "      "
	level := doc.Sections[i].Level
	dst = append(dst, indent[:level-1]...)
	dst = append(dst, x.Style.Range.Before...)
	dst = append(dst, 'h', '0'+level, '.')
	dst = strconv.AppendInt(dst, int64(n), 10)
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
	return append(append(dst, x.Style.Name.After...), '\n')
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
