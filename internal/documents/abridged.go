package documents

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// A document beyond the limit is still read by requests that need little of it: its
// headings, and the text of some sections. What it takes then depends on these, not on its
// size.

// maxHeadingBytes is the largest memory that the headings of an abridged document may take,
// and streamBytes what it takes to read one.
const (
	maxHeadingBytes = 256 << 20
	streamBytes     = 48 << 20
)

// sparingFrom is the size of a document in bytes from which little garbage may be there while
// it is read: below it, clearing garbage away costs more than the memory is worth.
const sparingFrom = 64 << 20

// Abridged is a document beyond the limit of which there are the headings.
type Abridged struct {
	set     *Set
	path    string
	most    int64       // bytes of text that may be filled in at once
	checked bool        // all of it must be UTF-8, as of a document that is read as a whole
	was     fs.FileInfo // the file when its headings were read
}

// OpenAny is Open for who needs only headings of a document and says which text it needs: one
// beyond the limit is abridged, and large then fills texts in. Large is nil for others.
func (d *Set) OpenAny(path string) (doc *markdown.Document, large *Abridged, err error) {
	doc, err = d.Open(path)
	if !isTooLarge(err) || path == Stdin || IsGuide(path) {
		return doc, nil, err
	}
	a := &Abridged{set: d, path: path}
	doc, err = a.Open()
	return doc, a, err
}

// isTooLarge reports whether a file is beyond the limit of bytes.
func isTooLarge(err error) bool {
	e, ok := errors.AsType[*fileerror.Error](err)
	return ok && e.Code == fileerror.TooLarge
}

// Open reads the headings.
func (a *Abridged) Open() (*markdown.Document, error) {
	limit := int64(maxHeadingBytes)
	work := a.set.Work
	if work != nil && work.memory != nil {
		limit = min(limit, work.memory.pools[large].size/2)
	}
	l, err := work.Borrow(limit+min(streamBytes, limit), nil)
	if err != nil {
		return nil, err
	}
	var doc *markdown.Document
	size := int64(0)
	a.was = nil
	err = a.read(func(f *os.File, now int64) (err error) {
		size = now
		if now > sparingFrom {
			clearOften()
		}
		doc, err = markdown.Abridge(a.pieces(work.Context(), f, limit), work.Options(), markdown.Limits{Memory: int(limit)})
		return err
	})
	if err = a.undivided(err, size, limit); err == nil {
		err = a.checkHeadings(doc)
	}
	if err != nil {
		l.Release()
		return nil, err
	}
	if l != nil {
		l.Shrink(printBytes(doc))
		work.Hold(l)
	}
	return doc, nil
}

// pieces yields the pieces of an open file, each in at most so many bytes of memory.
func (a *Abridged) pieces(ctx context.Context, f *os.File, most int64) iter.Seq2[*markdown.Piece, error] {
	r := &textReader{from: f, path: a.path, checked: a.checked}
	return markdown.Stream(ctx, r, a.set.Work.Options(), markdown.Limits{Memory: int(min(most, largestPart))})
}

// checkHeadings refuses headings that are no text.
func (a *Abridged) checkHeadings(doc *markdown.Document) error {
	if utf8.Valid(doc.Source) {
		return nil
	}
	for i := range doc.Sections {
		l := doc.BodyLines(i)
		start, _, _ := doc.FillRange(l)
		if err := textfile.CheckPart(a.path, doc.Text(doc.BodySpan(i)), start, l.First); err != nil {
			return err
		}
	}
	return nil
}

// read calls a function with the open file.
func (a *Abridged) read(use func(f *os.File, size int64) error) error {
	used := false
	var err error
	reader := textfile.Reader{Limit: a.set.MaxBytes, Larger: func(f *os.File, size, limit int64) error {
		used, a.most = true, limit
		if a.was == nil {
			if a.was, err = f.Stat(); err != nil {
				return err
			}
			return use(f, size)
		}
		// A text of another version would stand below the headings of this one.
		if err := a.unchanged(f); err != nil {
			return err
		}
		if err := use(f, size); err != nil {
			return err
		}
		return a.unchanged(f)
	}}
	if a.set.Workspace != nil {
		_, err = a.set.Workspace.roots.Read(&reader, a.path)
	} else {
		_, err = reader.Read(a.path)
	}
	if err == nil && !used {
		return errShrunk
	}
	return err
}

// unchanged returns errShrunk if a file isn't the one whose headings were read, as it was.
func (a *Abridged) unchanged(f *os.File) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(a.was, now) || a.was.Size() != now.Size() || !a.was.ModTime().Equal(now.ModTime()) ||
		!fileinfo.ChangeTime(a.was).Equal(fileinfo.ChangeTime(now)) {
		return errShrunk
	}
	return nil
}

// errShrunk says that a file is not what it was a moment ago.
var errShrunk = &replies.Error{Code: replies.CodeIOError, Message: replies.Say("the file changes while it is read; try again")}

// explained returns the error of a parse, which could take so many bytes of memory, as one
// that people understand.
func (a *Abridged) explained(err error, size, most int64) error {
	e, ok := errors.AsType[*markdown.ComplexityError](err)
	if !ok {
		return err
	}
	limit := most
	if work := a.set.Work; work != nil && work.memory != nil {
		limit = work.memory.limit
	}
	return &complexity{size: size, most: most, limit: limit, blocks: e.Blocks}
}

// undivided is explained for the error of a stream, which ends at what is too large for a piece.
func (a *Abridged) undivided(err error, size, most int64) error {
	if e, ok := errors.AsType[*markdown.ComplexityError](err); ok && e.Memory <= largestPart {
		return textfile.UndividedTooLarge(a.path, a.most, int64(e.Memory), e.Blocks > 0)
	}
	return a.explained(err, size, most)
}

// Fill returns the abridged document with the text of the sections in it that lines stand in,
// each up to its first subsection. The error is a *fileerror.Error if that is more than the limit.
func (a *Abridged) Fill(doc *markdown.Document, l markdown.Lines) (*markdown.Document, error) {
	if doc.Holds(l) {
		return doc, nil
	}
	text, err := a.text(doc, l)
	if err != nil {
		return nil, err
	}
	most := memoryFactor*int64(len(text)) + smallExtra
	if err := a.set.Work.HoldBytes(most, doc); err != nil {
		return nil, err
	}
	filled, err := doc.Fill(a.set.Work.Context(), l, text, markdown.Limits{Memory: int(most)})
	if errors.Is(err, markdown.ErrChanged) {
		return nil, errShrunk
	}
	return filled, a.explained(err, int64(len(text)), most)
}

// text reads what Fill needs for some lines.
func (a *Abridged) text(doc *markdown.Document, l markdown.Lines) ([]byte, error) {
	start, end, line := doc.FillRange(l)
	if end-start > a.most {
		return nil, textfile.PartTooLarge(a.path, end-start, a.most)
	}
	text, err := a.textAt(doc, start, end)
	if err == nil {
		err = textfile.CheckPart(a.path, text, start, line)
	}
	return text, err
}

// beginning is text for as many whole lines as the limit has room for.
func (a *Abridged) beginning(doc *markdown.Document, l markdown.Lines) ([]byte, error) {
	start, end, line := doc.FillRange(l)
	text, err := a.textAt(doc, start, min(end, start+a.most))
	if err != nil {
		return nil, err
	}
	if end-start > a.most {
		text = text[:bytes.LastIndexAny(text, "\n\r")+1]
	}
	return text, textfile.CheckPart(a.path, text, start, line)
}

// textAt reads the text from an offset to another.
func (a *Abridged) textAt(doc *markdown.Document, start, end int64) ([]byte, error) {
	text := make([]byte, end-start)
	return text, a.read(func(f *os.File, size int64) error {
		_, err := f.ReadAt(text, start)
		if size != doc.Size() || errors.Is(err, io.EOF) {
			return errShrunk
		}
		return err
	})
}

// textReader reads a file and refuses what is no text, as far as that shows in a NUL byte; or,
// if it is checked, in all bytes.
type textReader struct {
	from    io.Reader
	path    string
	checked bool
	check   textCheck
	offset  int64
}

// Read is that of an io.Reader.
func (r *textReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if i := bytes.IndexByte(p[:n], 0); i >= 0 {
		return 0, textfile.CheckPart(r.path, p[:n], r.offset, 1)
	}
	r.offset += int64(n)
	if r.checked && (!r.check.add(p[:n]) || errors.Is(err, io.EOF) && !r.check.whole()) {
		return 0, errNoText
	}
	return n, err
}
