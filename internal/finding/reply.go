package finding

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// maxTitles is the number of characters that titles are cut to.
const maxTitles = 300

// The number of bytes that a line is cut to: where it shows that a section is about what was
// asked, and where it was asked for itself, and mostly need not be read once more.
const (
	maxExcerpt = 200
	maxLine    = 400
	maxShort   = 80 // of the only line of a section that there is little room for
)

// shown is a section as a reply has it.
type shown struct {
	Path      string      `json:"file_path"`
	Selector  string      `json:"selector"`
	StartLine int         `json:"start_line"`
	EndLine   int         `json:"end_line"`
	Hash      string      `json:"hash,omitempty"` // empty if not all of the section is in memory
	Titles    string      `json:"titles,omitempty"`
	Score     float64     `json:"score,omitempty"`
	Lines     []shownLine `json:"lines,omitempty"`
	LineCount int         `json:"matching_lines,omitempty"`
	Also      []string    `json:"also,omitempty"`       // path:first-last of sections with the same text
	IndexedAt string      `json:"indexed_at,omitempty"` // when an engine got it, whose text this is; empty for what the file has now

	Short     *shownLine     `json:"-"` // the first line that was found, in few characters; nil for none
	left      int            // lines of the section that are not among Lines,
	leftAt    markdown.Lines // which are among these
	alsoChars int            // of the places of Also
}

// shownLine is a line of a section.
type shownLine struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Cut     bool   `json:"cut,omitempty"`     // there is more of the line
	Context bool   `json:"context,omitempty"` // it stands beside one that was found
}

// section returns a section of a document as a reply has it, without lines if there is an error.
func (s *searching) section(find finder, d *opened, h *hit) (shown, error) {
	out := headOf(d.doc, d.named, h.section)
	out.Path, out.Score = replies.DisplayPath(h.path), h.score
	section, before := h.section, 0
	if d.large != nil { // its text is a document of its own
		body, lines, err := d.large.Body(d.doc, h.section)
		if err != nil {
			return out, err
		}
		d, section, before = &opened{path: d.path, doc: body}, min(section, 0), lines
		if section < 0 {
			out.standsAt(body, partBefore(body, section))
		}
	}
	m, err := find.lines(d, section)
	if err == nil {
		err = s.reserveContext(d.doc, len(m.first))
	}
	if err != nil {
		return out, err
	}
	found := m.first
	out.LineCount, out.left = m.count, m.count-len(found)
	out.Lines = s.withContext(find, d.doc, found)
	for i := range out.Lines {
		out.Lines[i].Line += before
	}
	if out.left > 0 {
		for out.Lines[len(out.Lines)-1].Context { // one of those that are left, maybe
			out.Lines = out.Lines[:len(out.Lines)-1]
		}
		out.leftAt = markdown.Lines{First: out.Lines[len(out.Lines)-1].Line + 1, Last: before + d.doc.LineAt(m.last.Start)}
	}
	if len(found) > 0 {
		short := lineShown(find, d.doc, found[0], maxShort)
		short.Line = before + d.doc.LineAt(found[0].Start)
		out.Short = &short
	}
	return out, nil
}

// headOf returns what a reply says of a section apart from its document and its lines.
func headOf(doc *markdown.Document, named *replies.Named, section int) (out shown) {
	if section < 0 {
		out.standsAt(doc, partBefore(doc, section))
		if section == search.FrontMatter { // where it ends isn't known of a document that isn't in memory
			out.Selector = "@frontmatter"
		}
		return out
	}
	lines := doc.SectionLines(section)
	out.StartLine, out.EndLine = lines.First, lines.Last
	if doc.Holds(lines) {
		out.Hash = doc.SectionHash(section)
	}
	out.Selector, out.Titles = named.Selector(section), named.Titles(section)
	return out
}

// partBefore returns the part before the first section of a document that an index stands for.
func partBefore(doc *markdown.Document, section int) address.Node {
	if matter := doc.FrontMatter(); section == search.FrontMatter && matter >= 0 {
		return address.NodeOfBlock(doc, matter)
	}
	return address.NodeOfPreamble()
}

// standsAt notes where a part before the first section of a document stands, and its hash.
func (h *shown) standsAt(doc *markdown.Document, part address.Node) {
	lines := part.Lines(doc)
	h.Selector, h.StartLine, h.EndLine, h.Hash = address.SelectorOf(doc, part), lines.First, lines.Last, ""
	if doc.Holds(lines) {
		h.Hash = markdown.Hash(doc.Text(part.Span(doc)))
	}
}

// reserveContext reserves memory for lines that are shown beside so many.
func (s *searching) reserveContext(doc *markdown.Document, found int) error {
	if s.req.Context == 0 || found == 0 {
		return nil
	}
	lines := min(doc.LineCount, found*2*min(s.req.Context, doc.LineCount))
	return s.reserve(bytesOf(lines, min(len(doc.Source), lines*maxLine)))
}

// withContext returns lines with those that are to be shown beside them, each once.
func (s *searching) withContext(find finder, doc *markdown.Document, found []search.Line) []shownLine {
	var list []shownLine
	last := 0
	add := func(number int, line search.Line, context bool) {
		one := lineShown(find, doc, line, maxLine)
		one.Line, one.Context = number, context
		list = append(list, one)
		last = number
	}
	for i, line := range found {
		number := doc.LineAt(line.Start)
		for n := max(number-s.req.Context, last+1, 1); n < number; n++ {
			add(n, lineOf(doc, n), true)
		}
		add(number, line, false)
		end := number + s.req.Context
		if i+1 < len(found) {
			end = min(end, doc.LineAt(found[i+1].Start)-1)
		}
		for n := number + 1; n <= min(end, doc.LineCount); n++ {
			add(n, lineOf(doc, n), true)
		}
	}
	return list
}

// lineShown returns a line as a reply has it, with at most so many bytes of it.
func lineShown(find finder, doc *markdown.Document, line search.Line, most int) shownLine {
	part, before, after := find.clip(doc.Source, line, most)
	text := replies.SafeLines(strings.ToValidUTF8(string(doc.Source[part.Start:part.End]), "\ufffd"))
	if before {
		text = "…" + text
	}
	if after {
		text += "…"
	}
	return shownLine{Text: text, Cut: before || after}
}

// lineOf returns a line of a document without its line ending.
func lineOf(doc *markdown.Document, number int) search.Line {
	span := doc.LineSpan(markdown.Lines{First: number, Last: number})
	span.Start = max(span.Start, doc.Preamble().Start)
	for span.End > span.Start && (doc.Source[span.End-1] == '\n' || doc.Source[span.End-1] == '\r') {
		span.End--
	}
	return search.Line{Start: span.Start, End: span.End}
}

// head is the line above the lines of a section: its place, address, hash and titles.
func (h *shown) head() string {
	text := replies.Safe(h.Path) + ":" + replies.LineRange(markdown.Lines{First: h.StartLine, Last: h.EndLine}) + " " + h.Selector
	if h.Hash != "" {
		text += " " + replies.HashMark + h.Hash
	}
	if h.Titles != "" {
		text += " " + h.Titles
	}
	if h.IndexedAt != "" {
		text += " (as indexed at " + h.IndexedAt + ")"
	}
	return text + "\n"
}

// appendTo appends what a reply says of a section: its lines, and how many more there are. Each
// line of the document begins with its number, each of ours with the mark.
func (h *shown) appendTo(text []byte, mark replies.Mark) []byte {
	text = append(text, mark.Lines([]byte(h.head()))...)
	for _, l := range h.Lines {
		text = strconv.AppendInt(text, int64(l.Line), 10)
		if l.Context {
			text = append(text, "- "...)
		} else {
			text = append(text, ": "...)
		}
		text = append(append(text, l.Text...), '\n')
	}
	if h.left > 0 {
		text = append(text, mark.Lines([]byte(h.more()))...)
	}
	if len(h.Also) > 0 {
		text = append(text, mark.Lines([]byte("also at "+replies.Safe(strings.Join(h.Also, ", "))+"\n"))...)
	}
	return text
}

// more is the line that counts the lines of the section that there is no room for, and says how to
// go on with them.
func (h *shown) more() string {
	next := "; continue by reading lines " + replies.LineRange(h.leftAt)
	if h.IndexedAt != "" { // it can't be read
		next = "; ask more narrowly"
	}
	return replies.Plural(h.left, "more line") + next + "\n"
}

// forms returns the section from long to short, with fewer and fewer of its lines.
func (h *shown) forms() []shown {
	list := []shown{*h}
	if len(h.Lines) == 0 {
		return list
	}
	with := func(lines ...shownLine) {
		few, next := *h, 0
		few.Lines = lines
		for _, l := range h.Lines {
			if next < len(lines) && lines[next].Line == l.Line {
				next++
				continue
			}
			if few.left == h.left {
				few.leftAt.First = l.Line
			}
			few.left++
			few.leftAt.Last = max(l.Line, h.leftAt.Last)
		}
		list = append(list, few)
	}
	for n := len(h.Lines) / 2; n > 0; n /= 2 {
		with(h.Lines[:n]...)
	}
	if h.Short == nil {
		with()
	} else { // lines beside it may come first
		with(*h.Short)
	}
	return list
}

// fitting returns the first sections, as many as there is room for, each in the longest form for
// which there is. Size is the number of characters that one takes.
func fitting(room int, list []shown, size func(h *shown) int) []shown {
	forms, blocks := make([][]shown, len(list)), make([]replies.Block, len(list))
	for i := range list {
		forms[i] = list[i].forms()
		for f := range forms[i] {
			blocks[i] = append(blocks[i], size(&forms[i][f]))
		}
	}
	chosen, _ := replies.Fit(room, blocks, func(int) int { return 0 })
	fitted := make([]shown, len(chosen))
	for i, form := range chosen {
		fitted[i] = forms[i][form]
	}
	return fitted
}

// first is the first line of a reply.
func (f *found) first(s *searching, shownNow int) string {
	of := fmt.Sprintf(" of %s", replies.Plural(f.documents, "document"))
	if f.sections == 0 {
		return fmt.Sprintf("nothing found in %s\n", replies.Plural(f.documents, "document"))
	}
	text := fmt.Sprintf("%s in %d%s", replies.Plural(f.sections, "section"), f.matching, of)
	if f.lineCount > 0 {
		text = fmt.Sprintf("%s in %s, in %d%s", replies.Plural(f.lineCount, "line"), replies.Plural(f.sections, "section"), f.matching, of)
	}
	if shownNow < f.sections && shownNow > 0 && s.req.Cursor == "" {
		what := "first"
		if f.ranked {
			what = "best"
		}
		text += fmt.Sprintf("; the %s %d", what, shownNow)
	}
	return text + "\n"
}

// partFailed says which part of a reply may tell of documents that could not be searched: a
// quarter, but in the text always the first of them.
const partFailed = 4

// problems are the lines that name documents that could not be searched, and sections that were
// found without lines.
func (f *found) problems(s *searching) string {
	var b strings.Builder
	if !s.req.ErrorsApart {
		s.tell(&b, "not searched", "document", f.failed)
		s.tell(&b, "no lines shown", "section", f.unshown)
	}
	if f.backend != "" {
		b.WriteString("found by " + replies.Safe(f.backend) + "\n")
	}
	for _, note := range f.notes {
		b.WriteString(note + "\n")
	}
	return b.String()
}

// tell adds a line for each error, as far as there is room, and one that says how many others there are.
func (s *searching) tell(b *strings.Builder, problem, thing string, errs []*replies.Error) {
	const most = 5
	for i, e := range errs {
		line := fmt.Sprintf("%s: %s\n", problem, replies.Clip(replies.Safe(e.Error()), 2*replies.MaxShown))
		if i == most || b.Len() > 0 && s.req.MaxChars > 0 && chars(b.String()+line) > s.req.MaxChars/partFailed {
			more := ""
			if i > 0 {
				more = " more"
			}
			fmt.Fprintf(b, "%s: %s%s\n", problem, replies.Plural(len(errs)-i, thing), more)
			return
		}
		b.WriteString(line)
	}
}

func chars(text string) int { return utf8.RuneCountInString(text) }
