package reading

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A map is what a reader of a document looks at first: its sections with their
// addresses, lines and sizes. A short document comes instead of it.

// smallDocument is the number of characters up to which a document is answered by its
// text and not by its map.
const smallDocument = 4_000

// outline answers a request without a part: with the text of a short document, else with
// its map.
func (r *reading) outline() (*ReadReply, error) {
	all := markdown.Lines{First: 1, Last: r.doc.LineCount}
	p := &passage{span: r.doc.LineSpan(all), lines: all, structured: true}
	small := !r.req.Map && !r.doc.Abridged() && len(r.doc.Source) <= utf8.UTFMax*smallDocument && replies.Chars(r.doc.Source) <= smallDocument
	if r.req.JSON {
		return r.outlineJSON(p, small)
	}
	if small && all.Len() > 0 {
		if reply := r.whole(p); reply != nil {
			return reply, nil
		}
	}
	reply, err := r.mapOf(p)
	if err == nil && small && all.Len() == 0 { // the document is empty, and so is its text
		reply.texts = []markdown.Span{{Start: len(reply.Text), End: len(reply.Text)}}
	}
	return reply, err
}

// whole returns the text of the document below a line about it, nil if it doesn't fit.
func (r *reading) whole(p *passage) *ReadReply {
	f := newFitter(r.doc, p)
	p.keep(f, choice{lines: []markdown.Lines{p.lines}})
	r.mark, r.pathRoom = "", r.limit/4
	head := slices.Concat(r.mapHead(p.lines), r.ledger(p))
	if replies.AnyAnnouncing(head, p.text) {
		r.mark = r.spare
	}
	reply := &ReadReply{Mark: string(r.mark)}
	reply.Text = append([]byte(r.mark.Top()), r.mark.Lines(head)...)
	reply.unreadAt = len(reply.Text)
	if r.mark == "" {
		reply.Text = append(reply.Text, '\n')
	}
	reply.texts = []markdown.Span{p.textAt(len(reply.Text), true)}
	reply.Text = append(reply.Text, p.text...)
	reply.add(r.doc, p)
	if r.limit > 0 && replies.Chars(reply.Text) > r.limit {
		return nil // a map may be shorter
	}
	return reply
}

// mapHead returns the line that a map and a whole document begin with: where the lines
// are, the document's version, and its line endings if it has some that aren't LF.
func (r *reading) mapHead(l markdown.Lines) replies.Head {
	head := r.shownPath() + ":" + replies.LineRange(l)
	if v := r.doc.Version(); v != "" {
		head += " " + replies.HashMark + v
	}
	if e := r.doc.LineEnding(); e != markdown.LF && r.doc.LineCount > 1 {
		head += " " + e.String()
	}
	return replies.Head(head + "\n")
}

// mapOf returns the map of the document, or of the sections that the request asks for.
func (r *reading) mapOf(p *passage) (*ReadReply, error) {
	m, err := r.newSectionMap()
	if err != nil {
		return nil, err
	}
	p.keep(newFitter(r.doc, p), choice{})
	p.next = r.continuations(p)
	r.pathRoom = r.limit / 4
	top := r.mapHead(p.lines)
	if keys := r.frontMatterKeys(); len(keys) > 0 {
		top.Add("front_matter", replies.Clip(replies.Safe(strings.Join(keys, ", ")), 160))
	}
	reply := &ReadReply{unreadAt: len(top)}
	size := func(i int) int { return replies.Chars(m.line(r, i)) }
	room := r.limit - replies.Chars(top)
	for range maxChoices { // what the map ends with depends on what it shows
		m.choose(r, room, size)
		reply.Text = slices.Clone(top)
		for _, i := range m.shown {
			reply.Text = append(reply.Text, m.line(r, i)...)
		}
		reply.Text = append(reply.Text, m.end(r)...)
		if m.isStarved() {
			break
		}
		over := replies.Chars(reply.Text) - r.limit
		if r.limit == 0 || over <= 0 {
			reply.add(r.doc, p)
			return reply, nil
		}
		room = m.taken - over // less than they take
	}
	return nil, r.tooSmall(errTooSmall)
}

// maxChoices is how often the sections of a map are chosen before it is given up.
const maxChoices = 8

// sectionMap is the sections of a map.
type sectionMap struct {
	lines markdown.Lines // in which their headings are
	all   []int          // in the order of the document
	shown []int          // those of them that there is room for, in the same order
	// nextLine is where the first section stands that would have been shown next, if others
	// of its level are shown; else 0.
	nextLine int
	taken    int         // characters that those that are shown take
	sizes    map[int]int // what size has told choose
	words    []int       // those of SectionWords, nil if the text isn't there
	ordinals []int       // of each section of the document among those of its level, from 0
}

// newSectionMap returns the map that is asked for, with nothing shown.
func (r *reading) newSectionMap() (*sectionMap, error) {
	m := &sectionMap{lines: markdown.Lines{First: max(r.req.StartLine, 1), Last: r.doc.LineCount}, sizes: map[int]int{}}
	if !r.doc.Abridged() {
		m.words = SectionWords(r.doc)
	}
	if r.req.Heading != "" {
		p, err := r.resolve(r.req.Heading)
		if err != nil {
			return nil, err
		}
		m.lines = p.lines
	} else if r.req.EndLine > 0 {
		m.lines.Last = min(r.req.EndLine, m.lines.Last)
	}
	if m.lines.First > max(r.doc.LineCount, 1) {
		return nil, r.beyond(m.lines)
	}
	m.ordinals = replies.Ordinals(r.doc)
	for i := range r.doc.Sections {
		if first := int(r.doc.Blocks[r.doc.Sections[i].Heading].StartLine); m.lines.First <= first && first <= m.lines.Last {
			m.all = append(m.all, i)
		}
	}
	return m, nil
}

// choose chooses the sections that are shown in the room of a reply, those that size gives
// the characters of: by breadth, all of a level before any of the next one, and of the
// level for which there is too little room the first ones.
func (m *sectionMap) choose(r *reading, room int, size func(i int) int) {
	m.shown, m.nextLine, m.taken = m.shown[:0], 0, 0
	if r.limit == 0 {
		m.shown = append(m.shown, m.all...)
		return
	}
	before := 0 // the number of sections of the levels above
	for level := uint8(1); level <= 6 && m.nextLine == 0; level++ {
		before = len(m.shown)
		for _, i := range m.all {
			s := &r.doc.Sections[i]
			if s.Level != level {
				continue
			}
			chars, known := m.sizes[i]
			if !known {
				chars = size(i)
				m.sizes[i] = chars
			}
			if m.taken+chars > room {
				m.nextLine = int(r.doc.Blocks[s.Heading].StartLine)
				break
			}
			m.shown = append(m.shown, i)
			m.taken += chars
		}
	}
	if len(m.shown) == before { // none of the level: the reply that goes on would be the same
		m.nextLine = 0
	}
	slices.Sort(m.shown)
}

// isStarved reports whether there is room for none of the sections.
func (m *sectionMap) isStarved() bool { return len(m.all) > 0 && len(m.shown) == 0 }

// selector returns the selector of section i.
func (m *sectionMap) selector(r *reading, i int) string {
	return fmt.Sprintf("h%d.%d", r.doc.Sections[i].Level, m.ordinals[i])
}

// line renders a section, with its hash if the map was asked for.
func (m *sectionMap) line(r *reading, i int) []byte {
	facts := []string{m.selector(r, i), replies.LineRange(r.doc.SectionLines(i))}
	if m.words != nil {
		facts = append(facts, fmt.Sprintf("%dw", *m.count(r, i)))
	}
	if hash := m.hash(r, i); hash != "" {
		facts = append(facts, replies.HashMark+hash)
	}
	line := strings.Join(facts, " ") + " " + replies.Clip(replies.Safe(r.doc.SectionTitle(i)), 160)
	return []byte(strings.TrimRight(line, " ") + "\n")
}

// count returns the number of words of section i, nil if they aren't there.
func (m *sectionMap) count(r *reading, i int) *int {
	if m.words == nil {
		return nil
	}
	n := m.words[r.doc.Sections[i].Next] - m.words[i]
	return &n
}

// hash returns the hash of section i, if the map was asked for and the section is there.
func (m *sectionMap) hash(r *reading, i int) string {
	if !r.req.Map || r.doc.Abridged() {
		return ""
	}
	return r.doc.SectionHash(i)
}

// left returns the number of sections that are not shown.
func (m *sectionMap) left() int { return len(m.all) - len(m.shown) }

// deeper returns how many sections are not shown below those that are, up to nextLine if there is
// one, and the shown section that the last of them stands in.
func (m *sectionMap) deeper(r *reading) (n, in int) {
	before := 0 // the number of those that are shown before section i
	for _, i := range m.all {
		switch {
		case m.nextLine > 0 && int(r.doc.Blocks[r.doc.Sections[i].Heading].StartLine) >= m.nextLine:
			return n, in
		case before < len(m.shown) && m.shown[before] == i:
			before++
		default:
			n, in = n+1, m.shown[max(before-1, 0)]
		}
	}
	return n, in
}

// end renders how to go on after the map.
func (m *sectionMap) end(r *reading) []byte {
	next := Continuation{Path: r.source, MaxChars: r.next}
	last, deeper, in := len(m.shown)-1, 0, 0
	if last >= 0 {
		deeper, in = m.deeper(r)
	}
	var text []byte
	if m.nextLine > 0 {
		text = fmt.Appendf(nil, "%d more: %s\n", m.left()-deeper, r.req.Call(m.next(r)))
	}
	switch {
	case r.doc.LineCount == 0:
		return []byte("the document is empty\n")
	case len(r.doc.Sections) == 0:
		next.StartLine, next.EndLine = 1, r.doc.LineCount
		return fmt.Appendf(nil, "no headings; read lines: %s\n", r.req.Call(next))
	case len(m.all) == 0:
		return fmt.Appendf(nil, "no heading stands in lines %s\n", replies.LineRange(m.lines))
	case deeper > 0:
		next.Headings, next.Map = []string{m.selector(r, in)}, true
		return fmt.Appendf(text, "%d deeper ones are not shown; those in one of these: %s\n", deeper, r.req.Call(next))
	case m.nextLine > 0:
		return text
	case r.req.Map || last < 0 || r.req.coverage.Session != nil: // a model knows from the tool how to go on
		return nil
	default:
		next.Headings, next.MaxChars = []string{m.selector(r, m.shown[last])}, 0
		return fmt.Appendf(nil, "read some: %s\n", r.req.Call(next))
	}
}

// next returns the request for the sections from nextLine on.
func (m *sectionMap) next(r *reading) Continuation {
	return Continuation{Path: r.source, MaxChars: r.next, Map: true, StartLine: m.nextLine, EndLine: m.lines.Last}
}

// outlineJSON is outline in JSON.
func (r *reading) outlineJSON(p *passage, small bool) (*ReadReply, error) {
	m, err := r.newSectionMap()
	if err != nil {
		return nil, err
	}
	f := newFitter(r.doc, p)
	try := func(kept []markdown.Lines) (*ReadReply, error) {
		p.keep(f, choice{lines: kept})
		p.next = r.continuations(p)
		reply := &ReadReply{unreadAt: -1}
		reply.add(r.doc, p)
		reply.Text, err = r.mapJSON(reply, p, f, m)
		return reply, err
	}
	fits := func(reply *ReadReply) bool { return r.limit == 0 || replies.Chars(reply.Text) <= r.limit }
	room := r.limit
	size := func(i int) int { return replies.Chars(replies.JSON(m.entry(r, i))) + len(",") }
	m.choose(r, room, size)
	if small && p.lines.Len() > 0 {
		if reply, err := try([]markdown.Lines{p.lines}); err != nil || fits(reply) {
			return reply, err
		}
	}
	for range maxChoices {
		if m.isStarved() {
			break
		}
		reply, err := try(nil)
		if err != nil || fits(reply) {
			return reply, err
		}
		room = m.taken - (replies.Chars(reply.Text) - r.limit)
		m.choose(r, room, size)
	}
	return nil, r.tooSmall(errTooSmall)
}

// The number of keys of the front matter that a map names, and the number of bytes of a
// line in which one is looked for.
const (
	maxKeys    = 500
	maxKeyLine = 1000
)

// frontMatterKeys returns the keys at the top level of the front matter, the first ones
// and "…" if there are very many.
func (r *reading) frontMatterKeys() []string {
	fm := r.doc.FrontMatter()
	if fm < 0 {
		return nil
	}
	separator := ":"
	if r.doc.Blocks[fm].Marker == '+' {
		separator = "="
	}
	var keys []string
	for l := range r.doc.ContentLines(fm) {
		if len(keys) == maxKeys {
			return append(keys, "…")
		}
		text := r.doc.Text(l.Span)
		line := string(text[:min(maxKeyLine, len(text))])
		if separator == "=" && strings.HasPrefix(line, "[") {
			break // what follows are keys of a table
		}
		key, _, ok := strings.Cut(line, separator)
		key = strings.Trim(key, " \t\"'")
		if !ok || key == "" || strings.ContainsAny(line[:1], " \t#-[{}") {
			continue
		}
		keys = append(keys, key)
	}
	return keys
}

// receipt adds to the head what was delivered of a complete document.
func (r *reading) receipt(h *replies.Head) {
	h.Add("bytes", len(r.doc.Source))
	h.Add("line_ending", r.doc.LineEnding())
	titles := make([]string, len(r.doc.Sections))
	for i := range titles {
		titles[i] = replies.Safe(r.doc.SectionTitle(i))
	}
	h.Add("sections", fmt.Sprintf("%d: %s", len(titles), strings.Join(titles, "; ")))
	total, done := checkboxes(r.doc)
	h.Add("checkboxes", fmt.Sprintf("%d total, %d done, %d pending", total, done, total-done))
}

// checkboxes counts the items that begin with a checkbox: GFM's task items, and
// those of plan documents, which have a colon after the box. What looks like one
// in code is none, for it is no item.
func checkboxes(doc *markdown.Document) (total, done int) {
	for i := range doc.Blocks {
		if doc.Blocks[i].Kind != markdown.Item || i+1 == int(doc.Blocks[i].Next) {
			continue
		}
		first := &doc.Blocks[i+1]
		if first.Kind != markdown.Paragraph && first.Kind != markdown.LinkDefinition && first.Kind != markdown.Heading {
			continue
		}
		text := doc.Text(first.Span())
		if len(text) < 4 || text[0] != '[' || text[2] != ']' || !strings.ContainsRune(" \t:\r\n", rune(text[3])) {
			continue
		}
		switch text[1] {
		case 'x', 'X':
			total++
			done++
		case ' ':
			total++
		}
	}
	return total, done
}

// jsonSection is a section of a map in JSON.
type jsonSection struct {
	Heading   string `json:"heading"`
	Selector  string `json:"selector"`
	Level     int    `json:"level"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Words     *int   `json:"words,omitempty"` // of an abridged document nobody has counted them
	Hash      string `json:"hash,omitempty"`  // if the map was asked for
}

// entry is line in JSON.
func (m *sectionMap) entry(r *reading, i int) jsonSection {
	s, lines := &r.doc.Sections[i], r.doc.SectionLines(i)
	return jsonSection{HeadingOf(r.doc, i), m.selector(r, i), int(s.Level), lines.First, lines.Last, m.count(r, i), m.hash(r, i)}
}

// mapJSON renders a map in JSON.
func (r *reading) mapJSON(reply *ReadReply, p *passage, f *fitter, m *sectionMap) ([]byte, error) {
	out := struct {
		FilePath    string        `json:"file_path"`
		Lines       int           `json:"lines"`
		Bytes       int           `json:"bytes"`
		LineEnding  string        `json:"line_ending"`
		FrontMatter []string      `json:"front_matter,omitempty"`
		Version     string        `json:"version,omitempty"`
		Sections    []jsonSection `json:"sections"`
		NotShown    int           `json:"sections_not_shown,omitempty"`
		Warning     string        `json:"warning,omitempty"`
		Texts       []jsonLines   `json:"texts,omitempty"`
		LeftOut     [][2]int      `json:"left_out,omitempty"`
		Next        []jsonNext    `json:"next,omitempty"`
	}{
		FilePath: r.path, Lines: r.doc.LineCount, Bytes: int(r.doc.Size()), LineEnding: r.doc.LineEnding().String(),
		FrontMatter: r.frontMatterKeys(), Version: r.doc.Version(), Sections: []jsonSection{}, NotShown: m.left(),
	}
	for _, i := range m.shown {
		out.Sections = append(out.Sections, m.entry(r, i))
	}
	for _, n := range reply.Next {
		out.Next = append(out.Next, asJSONNext(n))
	}
	if m.nextLine > 0 {
		out.Next = append(out.Next, asJSONNext(m.next(r)))
	}
	out.Texts, out.Warning = p.jsonTexts(f), p.warning
	for _, l := range reply.LeftOut {
		out.LeftOut = append(out.LeftOut, [2]int{l.First, l.Last})
	}
	text, err := r.encoded.JSON(r.req.work, nil, out)
	if err != nil {
		err = replies.ErrorAbout(r.path, err)
	}
	return text, err
}
