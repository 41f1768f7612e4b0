package viewing

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/render"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// SectionRequest asks for a section of a document, or for all of it.
type SectionRequest struct {
	Path string
	At   string // an address of a section; "" for the document
	// Source asks for the lines of the source, too, from one on; 0 asks for none.
	Source int
	Lately Lately
	Pages  Pages
}

// Pages says where things are on the page. The zero value makes no HTML.
type Pages struct {
	Read    func(path, at string) string // a document, at an address
	Picture func(path string) string
}

// Page is a document with the section of it that is shown.
type Page struct {
	Path, Title  string
	Lines, Words int
	Units        Tally
	Outline      []Section
	// Section is the one that is shown, nil for the document.
	Section *Section
	Crumbs  []Section // that it stands in, the outermost first
	// HTML is what is shown, in pieces. Nothing in it runs or is loaded from elsewhere.
	HTML []string
	// First and Last are the lines that are shown. Cut says that subsections are left out,
	// for all is too long.
	First, Last int
	Cut         bool
	// Source are lines that were asked for, SourceBefore and SourceAfter where those before and
	// behind them begin, 0 for none.
	Source                    []SourceLine
	SourceBefore, SourceAfter int
	// Address names what is shown in words that tools and commands take.
	Address string
	Hash    string
	// Previous and Next are the sections around it, nil for none.
	Previous, Next *Section
}

// SourceLine is a line of the source with its number.
type SourceLine struct {
	Number int
	Text   string
}

// maxShown is how many bytes of source are shown at once; of longer documents and sections the
// subsections are left out.
const maxShown = 256 << 10

// maxOwn is how many bytes of a section without its subsections are shown.
const maxOwn = 4 << 20

// maxSource is how many lines of source are shown at once.
const maxSource = 2000

// Read returns a section of a document. Memory for what is made of it is reserved until the request is
// answered. The error is an *Error.
func Read(ctx context.Context, docs documents.Set, req SectionRequest) (*Page, error) {
	doc, err := docs.OpenKept(req.Path)
	if err != nil {
		return nil, replies.ErrorAbout(replies.DisplayPath(req.Path), err)
	}
	var taken documents.Taken
	if err := taken.Add(docs.Work, sectionsBytes(doc)); err != nil {
		return nil, replies.ErrorAbout(replies.DisplayPath(req.Path), err)
	}
	m := marks(req.Lately)
	d := Document{}
	own := d.count(doc, &m)
	p := &Page{
		Path: replies.DisplayPath(req.Path), Title: titleOf(doc, req.Path), Lines: doc.LineCount, Words: d.Words, Units: d.Units,
		Outline: sectionsOf(doc, own, &m),
	}
	section := -1
	if req.At != "" {
		res, err := docs.Resolver(req.Path, doc).Nth(req.At, 0)
		if err != nil {
			return nil, replies.ErrorAbout(p.Path, err)
		}
		section = sectionAt(doc, res.Span(doc).Start)
		if res.Kind == address.DocumentNode {
			section = -1
		}
	}
	span := p.choose(doc, section)
	if span.Len() > maxOwn {
		return nil, &replies.Error{Code: replies.CodeTooComplex, Path: p.Path, Message: replies.Say(
			"lines %d to %d have no headings and are too long to be shown here (%d bytes)", p.First, p.Last, span.Len())}
	}
	p.Hash = markdown.Hash(doc.Text(span))
	err = p.html(ctx, doc, docs, &req, span, &taken)
	if err == nil && req.Source > 0 {
		err = p.source(doc, docs.Work, req.Source, &taken)
	}
	if err != nil {
		return nil, replies.ErrorAbout(p.Path, err)
	}
	return p, nil
}

// source notes lines of the source, from one on.
func (p *Page) source(doc *markdown.Document, work *documents.Work, from int, taken *documents.Taken) error {
	const each, safe = 64, 8 // bytes of a line, and of a byte of it that isn't shown as it is
	from = min(max(from, p.First), max(p.First, p.Last))
	last := min(p.Last, from+maxSource-1)
	size := doc.LineSpan(markdown.Lines{First: from, Last: max(from, last)}).Len()
	if err := taken.Add(work, int64(safe*size+each*(last-from+1))); err != nil {
		return err
	}
	for n := from; n <= last; n++ {
		text := doc.Text(doc.LineSpan(markdown.Lines{First: n, Last: n}))
		p.Source = append(p.Source, SourceLine{n, replies.SafeLines(string(trimLine(text)))})
	}
	if from > p.First {
		p.SourceBefore = max(p.First, from-maxSource)
	}
	if last < p.Last {
		p.SourceAfter = last + 1
	}
	return nil
}

// trimLine returns a line without its ending.
func trimLine(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// sectionAt returns the innermost section at an offset, -1 for none.
func sectionAt(doc *markdown.Document, offset int) int {
	n, found := slices.BinarySearchFunc(doc.Sections, offset, func(s markdown.Section, offset int) int {
		return cmp.Compare(doc.Blocks[s.Heading].Span().Start, offset)
	})
	if found {
		return n
	}
	at := n - 1
	// A heading's line may begin before its block.
	if n < len(doc.Sections) && doc.SectionSpan(n).Start <= offset {
		at = n
	}
	return at
}

// choose notes what is shown, a section or with -1 the document, and returns its range.
func (p *Page) choose(doc *markdown.Document, section int) markdown.Span {
	if section < 0 {
		p.Address = p.Path
		p.First, p.Last = 1, doc.LineCount
		span := markdown.Span{End: len(doc.Source)}
		if p.Cut = span.Len() > maxShown && len(doc.Sections) > 0; p.Cut {
			span = doc.Preamble()
			p.Last = doc.PreambleLines().Last
		}
		if len(p.Outline) > 0 {
			p.Next = &p.Outline[0]
		}
		return span
	}
	lines, span := doc.SectionLines(section), doc.SectionSpan(section)
	if p.Cut = span.Len() > maxShown && p.Outline[section].HasBelow; p.Cut {
		lines, span = doc.BodyLines(section), doc.BodySpan(section)
	}
	p.First, p.Last = lines.First, lines.Last
	p.Section = &p.Outline[section]
	p.Address = p.Path + " " + address.AddressOf(doc, address.NodeOfSection(section))
	for i := section; i < int(doc.Sections[section].Next); i++ {
		p.Outline[i].Current = true
	}
	for parent := doc.Sections[section].Parent; parent >= 0; parent = doc.Sections[parent].Parent {
		p.Outline[parent].Open = true
		p.Crumbs = append(p.Crumbs, p.Outline[parent])
	}
	slices.Reverse(p.Crumbs)
	if section > 0 {
		p.Previous = &p.Outline[section-1]
	}
	if next := int(doc.Sections[section].Next); next < len(p.Outline) {
		p.Next = &p.Outline[next]
	}
	return span
}

// html renders what is shown.
func (p *Page) html(ctx context.Context, doc *markdown.Document, docs documents.Set, req *SectionRequest, span markdown.Span, taken *documents.Taken) error {
	if span.Len() == 0 || req.Pages.Read == nil {
		return nil
	}
	l, err := newLeads(ctx, docs, req)
	if err != nil {
		return err
	}
	attributes := map[int]string{}
	for i := range p.Outline {
		class := ""
		if p.Outline[i].Shown {
			class += " shown"
		}
		if p.Outline[i].Changed {
			class += " changed"
		}
		attributes[int(doc.Sections[i].Heading)] = ` id="` + p.Outline[i].ID + `" class="heading` + class + `"`
	}
	first, _ := slices.BinarySearchFunc(doc.Blocks, span.Start, startsAt)
	end, _ := slices.BinarySearchFunc(doc.Blocks, span.End, startsAt)
	inline := func(k markdown.Kind, _ []byte) bool {
		return k == markdown.Paragraph || k == markdown.Heading || k == markdown.TableCell
	}
	if err := taken.Add(docs.Work, int64(address.InlineBytes(doc, first, end, inline))+htmlBytes(doc, first, end)); err != nil {
		return err
	}
	return render.Blocks(doc, first, end, render.Options{
		Safe: true, HTMLAsText: true, Reachable: true, Link: l.link, Image: l.image, Wiki: l.wiki, Heading: func(b int) string { return attributes[b] },
	}, func(piece []byte) error {
		if err := taken.Add(docs.Work, int64(len(piece))); err != nil {
			return err
		}
		p.HTML = append(p.HTML, string(piece))
		return ctx.Err()
	})
}

// htmlBytes is about how much memory it takes to show any one block of HTML among those from first to
// end, exclusive: its lines, in a text that grows.
func htmlBytes(doc *markdown.Document, first, end int) int64 {
	const perByte = 3
	longest := 0
	for i := first; i < end; i++ {
		if b := &doc.Blocks[i]; b.Kind == markdown.HTMLBlock {
			longest = max(longest, b.Span().Len())
		}
	}
	return perByte * int64(longest)
}

// startsAt compares where a block begins with an offset.
func startsAt(b markdown.Block, offset int) int { return cmp.Compare(b.Span().Start, offset) }

// titleOf returns what a document is called: its first heading, or its name.
func titleOf(doc *markdown.Document, name string) string {
	if len(doc.Sections) > 0 {
		if title := replies.Safe(replies.Clip(doc.SectionTitle(0), maxTitle)); title != "" {
			return title
		}
	}
	return path.Base(name)
}

// addressOf returns an address of a section in its document, and the ID of its heading, which
// begins as none of the page's own does, and of an anchor as of no selector: a document may give a
// heading the anchor "h1.2".
func addressOf(anchor string, level, ordinal int) (at, id string) {
	selector := fmt.Sprintf("h%d.%d", level, ordinal)
	if anchor == "" {
		return selector, "s." + selector
	}
	for _, c := range anchor[1:] {
		if c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '&' || c == '=' || c == '`' {
			return anchor, "s." + selector
		}
	}
	return anchor, "s-" + anchor[1:]
}
