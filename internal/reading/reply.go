package reading

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// passageRoom is the number of characters that a passage must have at the least
// when several share a reply; those for which there is less are put off.
const passageRoom = 360

// reply renders the passages into one reply. Each has an equal share of the room
// that those before it have left.
func (r *reading) reply(passages []*passage) (*ReadReply, error) {
	r.mark = ""
	if len(passages) > 1 && !r.req.JSON {
		r.mark = r.spare
	}
	reply, err := r.replyMarked(passages)
	if err == nil && r.mark == "" && !r.req.JSON && (passages[0].hasGaps() || replies.AnyAnnouncing(passages[0].head, passages[0].text)) {
		r.mark = r.spare
		return r.replyMarked(passages)
	}
	return reply, err
}

// hasGaps reports whether lines of ours stand among those of the passage.
func (p *passage) hasGaps() bool { return len(p.spans) > 0 && len(p.left) > 0 }

// replyMarked renders the passages with the mark of the reply.
func (r *reading) replyMarked(passages []*passage) (*ReadReply, error) {
	n := len(passages)
	if r.limit > 0 && n > 1 {
		n = min(max(r.limit/passageRoom, 1), n)
	}
	r.pathRoom = r.limit / 4
	for {
		reply, err := r.replyWith(passages, n)
		switch {
		case err == nil || !errors.Is(err, errTooSmall):
			return reply, err
		case n > 1:
			n-- // long headings take more room
		case r.pathRoom > r.limit/10:
			r.pathRoom = r.limit / 10
		default:
			return nil, err
		}
	}
}

// maxNextPath is the number of characters of the path in the heads after the first one.
const maxNextPath = 80

// replyWith renders the first n passages and puts the others off.
func (r *reading) replyWith(passages []*passage, n int) (*ReadReply, error) {
	top := []byte(r.mark.Top())
	reply := &ReadReply{unreadAt: len(top), Mark: string(r.mark)}
	first := r.pathRoom
	defer func() { r.pathRoom = first }()
	read := passages[:n]
	tail := r.mark.Lines(r.putOff(reply, passages[n:]))
	room := r.limit - replies.Chars(top) - replies.Chars(tail)
	text := top
	for i, p := range read {
		if err := r.ended(); err != nil {
			return nil, err
		}
		if i > 0 {
			r.pathRoom = min(first, maxNextPath)
		}
		if i > 0 && r.mark == "" {
			text = append(text, '\n')
			room--
		}
		share := 0
		if r.limit > 0 {
			share = max(room/(len(read)-i), 1)
		}
		if err := r.passage(p, share); err != nil {
			return nil, r.tooSmall(err)
		}
		if len(passages) == 1 {
			reply.unreadAt = len(text) + p.facts
		}
		from := len(text)
		text = append(text, p.head...)
		switch {
		case len(p.text) > 0:
			if r.mark == "" {
				text = append(text, '\n')
			}
			reply.texts = append(reply.texts, p.textAt(len(text), len(passages) == 1))
			text = append(text, p.text...)
		case len(p.left) == 0: // the part is empty
			reply.texts = append(reply.texts, markdown.Span{Start: len(text), End: len(text)})
		}
		room -= replies.Chars(text[from:])
		reply.add(r.doc, p)
	}
	text = append(text, tail...)
	reply.Text = text
	if r.limit > 0 && replies.Chars(reply.Text) > r.limit {
		return nil, r.tooSmall(errTooSmall)
	}
	if r.req.JSON {
		var err error
		if reply.Text, err = r.json(reply, read); err != nil {
			return nil, replies.ErrorAbout(r.path, err)
		}
		reply.unreadAt, reply.texts = -1, nil
	}
	return reply, nil
}

// textAt returns where the text is in a reply that it is put into at an offset. Alone it is
// what the document has, without a line ending of ours.
func (p *passage) textAt(at int, alone bool) markdown.Span {
	text := markdown.Span{Start: at, End: at + len(p.text)}
	if alone && p.ended && len(p.left) == 0 {
		text.End--
	}
	return text
}

// tooSmall is the error for a limit that not even the heads fit into.
func (r *reading) tooSmall(err error) error {
	if !errors.Is(err, errTooSmall) {
		return err
	}
	return &replies.Error{Code: replies.CodeInvalidArgument, Err: err, Message: replies.Say(
		"%s %d is too small for this path and these addresses; raise it, or ask for less at once", replies.MaxChars, r.req.MaxChars)}
}

// passage renders a passage, or why it can't be read, into its share of the reply.
func (r *reading) passage(p *passage, share int) error {
	if p.err == nil {
		return r.render(p, share)
	}
	var h replies.Head
	h.Add(r.shownPath(), replies.Clip(replies.Safe(p.asked), 80))
	h.Add("error", p.err.Code+": "+replies.Safe(p.err.Message.String()))
	for _, line := range p.err.Lines() {
		if share > 0 && replies.Chars(r.mark.Lines(h))+r.mark.Chars()+replies.Chars([]byte(line))+len("  \n") > share {
			break
		}
		h = fmt.Appendf(h, "  %s\n", line)
	}
	p.head = r.mark.Lines(h)
	if share > 0 && replies.Chars(p.head) > share {
		p.head = append(replies.Head(replies.Clip(string(p.head), share-1)), '\n')
	}
	return nil
}

// add notes what the reply has of a passage.
func (r *ReadReply) add(doc *markdown.Document, p *passage) {
	if p.startChar <= 1 { // else it is a part of a line
		r.Delivered = append(r.Delivered, p.kept...)
	}
	r.spans = append(r.spans, p.spans...)
	r.Parts = append(r.Parts, p.parts(doc)...)
	r.LeftOut = append(r.LeftOut, p.left...)
	r.Next = append(r.Next, p.next...)
	if p.err != nil {
		r.Failed++
	}
}

// putOff notes the passages that the reply has no room for, and renders how to
// ask for them.
func (r *reading) putOff(reply *ReadReply, passages []*passage) []byte {
	if len(passages) == 0 {
		return nil
	}
	next := Continuation{Path: r.source, MaxChars: r.next}
	var ranges []string
	for _, p := range passages {
		next.Headings = append(next.Headings, p.asked)
		if p.err == nil {
			reply.LeftOut = append(reply.LeftOut, p.lines)
			ranges = append(ranges, replies.LineRange(p.lines))
		}
	}
	reply.Next = append(reply.Next, next)
	lines := ""
	if len(ranges) > 0 {
		lines = ": lines " + strings.Join(ranges, ", ")
	}
	tail := fmt.Appendf(nil, "\n%scontinue: %s\n", replies.PutOffHeadings(len(passages), lines), r.req.Call(next))
	if replies.Chars(tail) > r.limit/2 || r.pathRoom < r.limit/4 { // there must be room for the others
		tail = []byte("\n" + replies.PutOffHeadings(len(passages), "; ask for them again"))
	}
	return tail
}

// The JSON form of a reply.
type (
	jsonReply struct {
		FilePath json.RawMessage `json:"file_path"`
		Passages []jsonPassage   `json:"passages"`
		Next     []jsonNext      `json:"next,omitempty"`
	}
	jsonPassage struct {
		Asked      string         `json:"asked,omitempty"`
		Error      *replies.Error `json:"error,omitempty"`
		Heading    string         `json:"heading,omitempty"`
		Part       string         `json:"part,omitempty"`
		Selector   string         `json:"selector,omitempty"`
		Breadcrumb []string       `json:"breadcrumb,omitempty"`
		Tier       string         `json:"tier,omitempty"`
		StartLine  int            `json:"start_line,omitempty"`
		EndLine    int            `json:"end_line,omitempty"`
		TotalLines int            `json:"total_lines,omitempty"`
		Hash       string         `json:"hash,omitempty"`
		BodyHash   string         `json:"body_hash,omitempty"`
		StartChar  int            `json:"start_char,omitempty"`
		Omitted    *jsonOmitted   `json:"subsections_left_out,omitempty"`
		Warning    string         `json:"warning,omitempty"`
		Texts      []jsonLines    `json:"texts,omitempty"`
		LeftOut    [][2]int       `json:"left_out,omitempty"`
		Receipt    *jsonReceipt   `json:"receipt,omitempty"`
	}
	jsonReceipt struct {
		Lines      int      `json:"lines"`
		Bytes      int      `json:"bytes"`
		LineEnding string   `json:"line_ending"`
		Version    string   `json:"version"`
		Sections   []string `json:"sections"`
		Checkboxes struct {
			Total   int `json:"total"`
			Done    int `json:"done"`
			Pending int `json:"pending"`
		} `json:"checkboxes"`
	}
	jsonLines struct {
		StartLine int    `json:"start_line"`
		EndLine   int    `json:"end_line"`
		StartChar int    `json:"start_char,omitempty"` // of a part of a line
		EndChar   int    `json:"end_char,omitempty"`
		Text      string `json:"text"`
	}
	jsonNext struct {
		StartLine int      `json:"start_line,omitempty"`
		EndLine   int      `json:"end_line,omitempty"`
		StartChar int      `json:"start_char,omitempty"`
		Headings  []string `json:"headings,omitempty"`
		MaxChars  int      `json:"max_chars,omitempty"`
		Map       bool     `json:"map,omitempty"`
	}
)

// json renders the reply in JSON, with the same lines as in text.
func (r *reading) json(reply *ReadReply, passages []*passage) ([]byte, error) {
	out := jsonReply{FilePath: replies.JSON(r.path)}
	for _, p := range passages {
		j := jsonPassage{Asked: p.asked, Error: p.err}
		if p.err == nil {
			r.fillJSON(&j, p)
		}
		out.Passages = append(out.Passages, j)
	}
	for _, n := range reply.Next {
		out.Next = append(out.Next, asJSONNext(n))
	}
	text, err := r.encoded.VerbatimJSON(r.req.work, out)
	return append(text, '\n'), err
}

func (r *reading) fillJSON(j *jsonPassage, p *passage) {
	j.StartLine, j.EndLine = p.lines.First, p.lines.Last
	if p.res == nil {
		j.TotalLines = r.doc.LineCount
	} else {
		j.Selector, j.Breadcrumb, j.Tier = p.res.Selector, p.res.Breadcrumb, p.res.Tier.String()
		j.Hash, j.BodyHash = r.hashes(p)
		if p.res.Kind == address.SectionNode {
			j.Heading = HeadingOf(r.doc, p.res.Section)
		} else {
			j.Part = KindOf(r.doc, p.res.Node)
		}
	}
	if p.receipt {
		j.Receipt = r.jsonReceipt()
	}
	j.StartChar, j.Omitted, j.Warning = p.startChar, r.jsonOmitted(p), p.warning
	j.Texts = p.jsonTexts(newFitter(r.doc, p))
	for _, l := range p.left {
		j.LeftOut = append(j.LeftOut, [2]int{l.First, l.Last})
	}
}

func asJSONNext(c Continuation) jsonNext {
	return jsonNext{c.StartLine, c.EndLine, c.StartChar, c.Headings, c.MaxChars, c.Map}
}

// jsonTexts returns what is there of the passage.
func (p *passage) jsonTexts(f *fitter) []jsonLines {
	var texts []jsonLines
	for _, k := range p.kept {
		texts = append(texts, jsonLines{StartLine: k.First, EndLine: k.Last, Text: string(f.text(k))})
	}
	if p.startChar > 1 && len(p.kept) > 0 {
		texts[0].StartChar = p.startChar
	}
	if part := p.part; part.Line > 0 {
		text := f.doc.Text(p.spans[len(p.spans)-1])
		texts = append(texts, jsonLines{part.Line, part.Line, part.StartChar, part.EndChar, string(text)})
	}
	return texts
}

// jsonReceipt returns what was delivered of a complete document.
func (r *reading) jsonReceipt() *jsonReceipt {
	c := &jsonReceipt{
		Lines: r.doc.LineCount, Bytes: int(r.doc.Size()), LineEnding: r.doc.LineEnding().String(),
		Version: r.doc.Version(), Sections: []string{},
	}
	for i := range r.doc.Sections {
		c.Sections = append(c.Sections, r.doc.SectionTitle(i))
	}
	c.Checkboxes.Total, c.Checkboxes.Done = checkboxes(r.doc)
	c.Checkboxes.Pending = c.Checkboxes.Total - c.Checkboxes.Done
	return c
}
