package reading

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A map is what a reader of a document looks at first: its sections with their
// addresses, lines and sizes. A short document comes with it.

// smallDocument is the number of bytes up to which a map comes with the text.
const smallDocument = 8 << 10

// outline answers a request without anything but a path.
func (r *reading) outline() (*ReadReply, error) {
	all := markdown.Lines{First: 1, Last: r.doc.LineCount}
	p := &passage{span: r.doc.LineSpan(all), lines: all, structured: true}
	var top replies.Head
	top.Add("path", replies.Safe(r.path))
	r.facts(&top)
	if r.req.JSON {
		return r.outlineJSON(p)
	}
	words := SectionWords(r.doc)
	for level := r.deepest(minMapLine); ; level-- {
		text := r.mapTo(top, words, level)
		if r.limit > 0 && replies.Chars(text)+r.ledgerRoom(p) > r.limit && level > 0 {
			continue
		}
		reply, err := r.withText(p, text)
		if err == nil {
			reply.unreadAt = len(r.mark.Top()) + len(r.mark.Lines(top))
		}
		return reply, err
	}
}

// outlineJSON is outline in JSON: with the text if there is room for it, else with
// as many levels of headings as there is room for.
func (r *reading) outlineJSON(p *passage) (*ReadReply, error) {
	f, words := newFitter(r.doc, p), SectionWords(r.doc)
	try := func(kept []markdown.Lines) *ReadReply {
		p.keep(f, choice{lines: kept})
		p.next = r.continuations(p)
		reply := &ReadReply{}
		reply.add(r.doc, p)
		reply.Text = r.mapJSON(reply, p, f, words)
		return reply
	}
	fits := func(reply *ReadReply) bool { return r.limit == 0 || replies.Chars(reply.Text) <= r.limit }
	r.level = r.deepest(minMapEntry)
	if len(r.doc.Source) <= smallDocument && p.lines.Len() > 0 {
		if reply := try([]markdown.Lines{p.lines}); fits(reply) {
			return reply, nil
		}
	}
	for {
		if reply := try(nil); fits(reply) {
			return reply, nil
		}
		if r.level == 0 {
			return nil, r.tooSmall(errTooSmall)
		}
		r.level--
	}
}

// The least number of characters that a section takes in a map, as text and in JSON.
const (
	minMapLine  = len("h1.0 1 (1 words) #\n")
	minMapEntry = len(`{"heading":"#","selector":"h1.0","level":1,"start_line":1,"end_line":1,"words":1},`)
)

// deepest returns the deepest level down to which a map may have all sections, if one
// takes so many characters at the least: to make maps that can't fit takes long.
func (r *reading) deepest(least int) uint8 {
	var counts [7]int
	for i := range r.doc.Sections {
		counts[r.doc.Sections[i].Level]++
	}
	shown := len(r.doc.Sections)
	for level := uint8(6); level > 0; level-- {
		if r.limit == 0 || shown*least <= r.limit {
			return level
		}
		shown -= counts[level]
	}
	return 0
}

// facts adds what a map and a receipt say of the whole document.
func (r *reading) facts(h *replies.Head) {
	d := r.doc
	h.Add("lines", d.LineCount)
	h.Add("bytes", len(d.Source))
	h.Add("line_ending", d.LineEnding())
	if keys := r.frontMatterKeys(); len(keys) > 0 {
		h.Add("front_matter", replies.Clip(replies.Safe(strings.Join(keys, ", ")), 160))
	}
	h.Add("version", d.Version())
}

// mapTo appends to the head the sections with headings up to the level. The words are
// those of sectionWords.
func (r *reading) mapTo(top replies.Head, words []int, level uint8) []byte {
	h := append(replies.Head(nil), top...)
	shown := 0
	for i := range r.doc.Sections {
		if r.doc.Sections[i].Level <= level {
			shown++
		}
	}
	h.Add("sections", len(r.doc.Sections))
	if deeper := len(r.doc.Sections) - shown; deeper > 0 {
		note := fmt.Sprintf("%d sections are deeper than H%d", deeper, level)
		if shown == 0 {
			note = "all sections"
		}
		h.Add("not_shown", note+"; read the sections that they stand in")
	}
	if shown > 0 {
		h = append(h, '\n')
	}
	var counts [7]int // selectors count headings of a level
	for i := range r.doc.Sections {
		s := &r.doc.Sections[i]
		n := counts[s.Level]
		counts[s.Level]++
		if s.Level > level {
			continue
		}
		h = fmt.Appendf(h, "%sh%d.%d %s (%d words) %s\n", "      "[:s.Level-1], s.Level, n,
			replies.LineRange(r.doc.SectionLines(i)), words[s.Next]-words[i], replies.Clip(HeadingOf(r.doc, i), 160))
	}
	return h
}

// ledgerRoom is what saying that the text is left out takes.
func (r *reading) ledgerRoom(p *passage) int {
	p.keep(newFitter(r.doc, p), choice{})
	return replies.Chars(r.ledger(p))
}

// withText adds the text of a short document to its map, or says that it is left
// out.
func (r *reading) withText(p *passage, text []byte) (*ReadReply, error) {
	f := newFitter(r.doc, p)
	r.mark = ""
	if len(r.doc.Source) <= smallDocument {
		p.keep(f, choice{lines: []markdown.Lines{p.lines}})
		if replies.Announcing(p.text) {
			r.mark = r.spare
		}
	}
	whole := len(r.mark.Top()) + replies.Chars(r.mark.Lines(slices.Concat(text, r.ledger(p)))) + p.textChars()
	if len(p.text) == 0 || r.limit > 0 && whole > r.limit {
		r.mark = ""
		p.keep(f, choice{})
	}
	reply := &ReadReply{Text: text}
	if ledger := r.ledger(p); len(ledger) > 0 {
		// The head ends where the list of sections begins.
		facts, sections, found := bytes.Cut(text, []byte("\n\n"))
		facts = bytes.TrimSuffix(facts, []byte("\n"))
		reply.Text = slices.Concat(facts, []byte("\n"), ledger)
		if found {
			reply.Text = append(append(reply.Text, '\n'), sections...)
		}
		p.next = r.continuations(p)
	}
	switch {
	case r.mark != "":
		reply.Text, reply.Mark = append([]byte(r.mark.Top()), r.mark.Lines(reply.Text)...), string(r.mark)
	case len(p.text) > 0 && r.spare != "":
		// The first empty line is where the text of the document begins.
		reply.Text = bytes.Replace(reply.Text, []byte("\n\n"), []byte("\n"), 1)
	}
	if len(p.text) > 0 {
		if r.mark == "" {
			reply.Text = append(reply.Text, '\n')
		}
		reply.Text = append(reply.Text, p.text...)
	}
	reply.add(r.doc, p)
	if r.limit > 0 && replies.Chars(reply.Text) > r.limit {
		return nil, r.tooSmall(errTooSmall)
	}
	return reply, nil
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
	r.facts(h)
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

// mapJSON renders a map in JSON. The words are those of sectionWords.
func (r *reading) mapJSON(reply *ReadReply, p *passage, f *fitter, words []int) []byte {
	type section struct {
		Heading   string `json:"heading"`
		Selector  string `json:"selector"`
		Level     int    `json:"level"`
		StartLine int    `json:"start_line"`
		EndLine   int    `json:"end_line"`
		Words     int    `json:"words"`
	}
	out := struct {
		FilePath    string      `json:"file_path"`
		Lines       int         `json:"lines"`
		Bytes       int         `json:"bytes"`
		LineEnding  string      `json:"line_ending"`
		FrontMatter []string    `json:"front_matter,omitempty"`
		Version     string      `json:"version"`
		Sections    []section   `json:"sections"`
		NotShown    int         `json:"sections_not_shown,omitempty"`
		Warning     string      `json:"warning,omitempty"`
		Texts       []jsonLines `json:"texts,omitempty"`
		LeftOut     [][2]int    `json:"left_out,omitempty"`
		Next        []jsonNext  `json:"next,omitempty"`
	}{
		FilePath: r.path, Lines: r.doc.LineCount, Bytes: len(r.doc.Source), LineEnding: r.doc.LineEnding().String(),
		FrontMatter: r.frontMatterKeys(), Version: r.doc.Version(), Sections: []section{},
	}
	var counts [7]int
	for i := range r.doc.Sections {
		level := r.doc.Sections[i].Level
		counts[level]++
		if level > r.level {
			out.NotShown++
			continue
		}
		lines := r.doc.SectionLines(i)
		out.Sections = append(out.Sections, section{
			HeadingOf(r.doc, i), fmt.Sprintf("h%d.%d", level, counts[level]-1), int(level), lines.First, lines.Last,
			words[r.doc.Sections[i].Next] - words[i],
		})
	}
	for _, n := range reply.Next {
		out.Next = append(out.Next, asJSONNext(n))
	}
	out.Texts, out.Warning = p.jsonTexts(f), p.warning
	for _, l := range reply.LeftOut {
		out.LeftOut = append(out.LeftOut, [2]int{l.First, l.Last})
	}
	return replies.AppendJSON(nil, out)
}
