package documents

import (
	"bytes"
	"context"
	"iter"
	"os"
	"time"

	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// A document beyond the limit is searched part by part, each of whole sections, or some of one
// that is larger than a part may be. Before its
// text a part has the headings that this stands in, and what opens the code or HTML that it begins
// within, so that it can be parsed by itself.

// DocumentPart is a part of a document beyond the limit.
type DocumentPart struct {
	Source []byte // lines of the headings that the text stands in and of what is open, and the text; valid until the next part
	Text   int    // offset of the text
	Above  int    // number of those headings
	First  int    // number of sections of the document that begin before the text
}

// Parse parses the part.
func (p *DocumentPart) Parse(ctx context.Context, opts markdown.Options) (*markdown.Document, error) {
	opts.NoFrontMatter = opts.NoFrontMatter || p.First > 0 || p.Text > 0
	return markdown.ParseContext(ctx, p.Source, opts, markdown.Limits{Memory: memoryFactor * largestPart})
}

// The size in bytes from which on a part ends before the next section, and that at which it
// ends within one.
const (
	partSize    = 4 << 20
	largestPart = 16 << 20
)

// What reading part by part takes in bytes, and the largest memory that the headings may take
// that are kept beside it.
const (
	partsBytes   = streamBytes + 2*largestPart
	partHeadings = 64 << 20
)

// Stamp tells a state of a file from later ones, as far as the system does.
type Stamp struct {
	Size     int64
	Modified time.Time
}

// Large returns the document at path as one of which parts are read, if it is beyond the
// limit as an error of reading says.
func (d *Set) Large(path string, err error) *Abridged {
	if !isTooLarge(err) || path == Stdin {
		return nil
	}
	return &Abridged{set: d, path: path}
}

// Parts calls a function with each part of the document. If it has found something in one, the
// document is returned as [Abridged.Open] does, so that nobody reads it again for the headings;
// nil if these are more than partHeadings or what there is room for, or no text.
func (a *Abridged) Parts(ctx context.Context, use func(*DocumentPart) (found bool, err error)) (*markdown.Document, error) {
	work := a.set.Work
	headings := int64(partHeadings)
	if work != nil && work.memory != nil {
		headings = min(headings, max(work.memory.pools[large].size-partsBytes, 0))
	}
	l, err := work.Borrow(partsBytes+headings, nil)
	if err != nil {
		return nil, err
	}
	var doc *markdown.Document
	found := false
	err = a.read(func(f *os.File, size int64) (err error) {
		if size > sparingFrom {
			clearOften()
		}
		doc, err = partsOf(a.pieces(ctx, f, largestPart), work.Options(), headings, func(p *DocumentPart) error {
			here, err := use(p)
			found = found || here
			return err
		})
		return a.undivided(err, size, memoryFactor*largestPart)
	})
	if err != nil || !found || doc == nil || a.checkHeadings(doc) != nil {
		l.Release()
		return nil, err
	}
	if l != nil {
		l.Shrink(printBytes(doc))
		work.Hold(l)
	}
	return doc, nil
}

// Stamp returns which state of the file there is now.
func (a *Abridged) Stamp() (stamp Stamp, err error) {
	info, err := a.set.Stat(a.path)
	if err != nil {
		return stamp, err
	}
	return Stamp{info.Size(), info.ModTime()}, nil
}

// Body returns the text of a section of the abridged document up to its first subsection, with
// -1 what stands before the first one, as a document of its own, and the number of lines before it.
// With -2 that is cut behind the limit, and the error is that of -1 if front matter isn't whole then.
func (a *Abridged) Body(doc *markdown.Document, section int) (body *markdown.Document, before int, err error) {
	l := doc.PreambleLines()
	if section >= 0 {
		l = doc.BodyLines(section)
	}
	read := a.text
	if section == matterAlone {
		read = a.beginning
	}
	text, err := read(doc, l)
	if err != nil {
		return nil, 0, err
	}
	opts := doc.Options()
	opts.NoFrontMatter = opts.NoFrontMatter || section >= 0
	body, err = markdown.ParseContext(a.set.Work.Context(), text, opts, markdown.Limits{Memory: memoryFactor*len(text) + smallExtra})
	if err != nil {
		return nil, 0, a.explained(err, int64(len(text)), memoryFactor*int64(len(text))+smallExtra)
	}
	if start, end, _ := doc.FillRange(l); section == matterAlone && body.FrontMatter() < 0 {
		return nil, 0, textfile.PartTooLarge(a.path, end-start, a.most)
	}
	return body, l.First - 1, nil
}

// matterAlone stands for front matter, as search.FrontMatter does.
const matterAlone = -2

// partsOf calls a function with each part of a document that is made of pieces, and returns
// the document abridged, nil if its headings take more than so many bytes.
func partsOf(pieces iter.Seq2[*markdown.Piece, error], opts markdown.Options, headings int64, use func(*DocumentPart) error) (*markdown.Document, error) {
	p := parting{use: use, size: partSize, largest: largestPart}
	var failed error
	doc, _ := markdown.Abridge(func(yield func(*markdown.Piece, error) bool) {
		abridging := true
		for piece, err := range pieces {
			if err == nil {
				err = p.add(piece)
			}
			if err != nil {
				failed = err
				return
			}
			abridging = abridging && yield(piece, nil)
		}
		failed = p.end()
	}, opts, markdown.Limits{Memory: int(max(headings, 1))}) // 0 would be any number
	if failed != nil {
		return nil, failed
	}
	return doc, nil
}

// parting makes parts of pieces.
type parting struct {
	use           func(*DocumentPart) error
	size, largest int // partSize and largestPart
	part          DocumentPart
	above         []heading // the open sections, outermost first
	opens         []byte    // a line that opens what the last piece has ended within, if it has
	seen          int       // sections that have begun
}

// heading is a heading with its level and its lines.
type heading struct {
	level uint8
	lines []byte
}

// add adds a piece, and hands a part over that is whole.
func (p *parting) add(piece *markdown.Piece) error {
	doc := piece.Document
	text := doc.Source
	if piece.Continues && len(p.part.Source) == p.part.Text {
		p.part.Source = append(p.part.Source, p.opens...)
		p.part.Text = len(p.part.Source)
	}
	p.open(piece)
	end := len(text)
	size := len(p.part.Source) - p.part.Text + len(text)
	last := len(doc.Sections) - 1
	switch {
	case size >= p.size && last >= 0: // the rest of the piece is for the next part
		end = doc.SectionSpan(last).Start
		p.enter(doc, 0, last)
	case size >= p.largest:
	default:
		p.part.Source = append(p.part.Source, text...)
		p.enter(doc, 0, last+1)
		return nil
	}
	p.part.Source = append(p.part.Source, text[:end]...)
	if end == len(text) {
		p.enter(doc, 0, last+1)
	}
	if len(p.part.Source) > p.part.Text {
		if err := p.use(&p.part); err != nil {
			return err
		}
	}
	p.begin(doc, end, last)
	return nil
}

// end hands the last part over; of an empty document, that is empty.
func (p *parting) end() error {
	if len(p.part.Source) > p.part.Text || p.part.First == 0 && p.part.Text == 0 {
		return p.use(&p.part)
	}
	return nil
}

// open keeps what opens the last block of a piece, if that may go on.
func (p *parting) open(piece *markdown.Piece) {
	doc := piece.Document
	last := len(doc.Blocks) - 1
	if last < 0 || last == 0 && piece.Continues {
		return
	}
	switch b := &doc.Blocks[last]; b.Kind { //nolint:exhaustive // no other goes on
	case markdown.FencedCode:
		rest := bytes.TrimLeft(doc.Source[b.Start:b.End], string(b.Marker))
		p.opens = append(append(p.opens[:0], doc.Source[b.Start:int(b.End)-len(rest)]...), '\n')
	case markdown.HTMLBlock:
		p.opens = append(p.opens[:0], htmlOpens[b.Level]+"\n"...)
	}
}

// htmlOpens are texts that open blocks of HTML, by their start conditions.
var htmlOpens = [...]string{1: "<pre>", 2: "<!--", 3: "<?", 4: "<!A", 5: "<![CDATA[", 6: "<p>", 7: "<p>"}

// enter enters the sections of a piece from one on, to before another.
func (p *parting) enter(doc *markdown.Document, from, to int) {
	for i := from; i < to; i++ {
		level := doc.Sections[i].Level
		for len(p.above) > 0 && p.above[len(p.above)-1].level >= level {
			p.above = p.above[:len(p.above)-1]
		}
		b := &doc.Blocks[doc.Sections[i].Heading]
		lines := doc.Text(doc.LineSpan(b.Lines()))
		p.above = append(p.above, heading{level, append([]byte(nil), lines...)})
		p.seen++
	}
}

// begin begins a part with the rest of a piece from an offset on, where its last section
// begins, or its end.
func (p *parting) begin(doc *markdown.Document, end, last int) {
	rest := end < len(doc.Source)
	above := p.above
	if rest {
		for level := doc.Sections[last].Level; len(above) > 0 && above[len(above)-1].level >= level; {
			above = above[:len(above)-1]
		}
	}
	p.part = DocumentPart{Source: p.part.Source[:0], Above: len(above), First: p.seen}
	for _, h := range above {
		p.part.Source = append(p.part.Source, h.lines...)
	}
	p.part.Text = len(p.part.Source)
	if rest {
		p.part.Source = append(p.part.Source, doc.Source[end:]...)
		p.enter(doc, last, last+1)
	}
}
