package selecting

import (
	"bytes"
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Matches that are longer than their reply may be share its room: the short ones
// are whole, and of the others each has the same. A match is cut where a line
// ends, and a line in brackets tells which lines are left out and the selector
// that chooses just those (select_note.go). Matches for which there is no room at
// all are counted.

// piece is a match in a reply of limited length.
type piece struct {
	excerpt
	selector string // with its namespace
	head     string // the line before it, or empty
	note     int    // the largest number of characters of a note on what is left out
	from     *selected
	shown    int // bytes of the text that the reply has
}

// excerpt is the content of a match.
type excerpt struct {
	span  markdown.Span
	text  []byte
	after string // the line ending that is put after it, or empty
	lines markdown.Lines
	// size is the number of characters of the text and the line ending after it,
	// or more than a reply has.
	size int
}

// least returns the smallest number of characters that a piece takes.
func (p *piece) least() int { return utf8.RuneCountInString(p.head) + min(p.size, p.note) }

// needs returns the number of characters beyond those that the whole piece takes.
func (p *piece) needs() int { return max(p.size-p.note, 0) }

// fitted returns the reply in at most MaxChars characters. The error is that of the
// context.
func (s *selecting) fitted(ctx context.Context) ([]byte, error) {
	s.first = len(s.files)
	if s.More == nil {
		text, pieces, err := s.fittedWithout(ctx)
		s.deliver(pieces)
		return text, err
	}
	most := s.MaxChars
	for {
		files := s.first
		if s.more = s.More(files); s.more != "" {
			s.MaxChars = most - replies.Chars([]byte(s.more)) - replies.MaxMark
		}
		text, pieces, err := s.fittedWithout(ctx)
		s.MaxChars = most
		if err != nil || s.first == files {
			s.deliver(pieces)
			return append(text, s.mark.Lines([]byte(s.more))...), err
		}
		s.found = slices.DeleteFunc(s.found, func(d *selected) bool { return d.file >= s.first })
		s.failures = among(s.failures, s.first)
	}
}

// cut leaves files to the next page if there are pages, and room for so many failures alone.
func (s *selecting) cut(failures int) {
	if s.More != nil && failures < len(s.failures) {
		s.first = max(1, min(s.first, s.failures[failures].at))
	}
}

// cutAt is cut for matches, of which there is room for the first n. The first document that has
// some is told of in any case.
func (s *selecting) cutAt(n int) {
	if s.More == nil || n == s.matches() {
		return
	}
	at := 0
	for ; n >= s.found[at].count; at++ {
		n -= s.found[at].count
	}
	if at == 0 {
		s.first = min(s.first, s.found[0].file+1)
	} else {
		s.first = min(s.first, s.found[at].file)
	}
}

// fittedWithout is fitted without the line that tells how to go on.
func (s *selecting) fittedWithout(ctx context.Context) (text []byte, pieces []piece, err error) {
	s.mark = ""
	if len(s.found) == 0 {
		return s.fitErrors(min(s.MaxChars, maxNothing)), nil, nil
	}
	if pieces, err = s.pieces(ctx); err != nil {
		return nil, nil, err
	}
	if text, alone := s.alone(pieces); alone {
		return text, pieces, nil
	}
	if s.docs.Marks != nil {
		var sources [][]byte
		for i := range pieces {
			if i == 0 || pieces[i].from != pieces[i-1].from {
				sources = append(sources, pieces[i].from.doc.Source)
			}
		}
		s.mark = s.docs.Marks.Draw(sources...)
		if pieces, err = s.pieces(ctx); err != nil {
			return nil, nil, err
		}
	}
	for room := s.MaxChars; ; {
		text := append([]byte(s.mark.Top()), s.fit(pieces, room-len(s.mark.Top()))...)
		text = append(text, s.mark.Lines([]byte(s.warning(pieces)))...)
		over := replies.Chars(text) - s.MaxChars
		if over <= 0 {
			return text, pieces, nil
		}
		room -= over // for the warning
	}
}

// alone returns the reply that is one match and nothing else, and whether it is.
func (s *selecting) alone(pieces []piece) (text []byte, ok bool) {
	if len(pieces) != 1 || s.more != "" || s.matches() != 1 || len(s.failures) > 0 || pieces[0].size > s.MaxChars {
		return nil, false
	}
	p := &pieces[0]
	if s.docs.Marks != nil && (bytes.ContainsAny(bytes.TrimRight(p.text, "\r\n"), "\r\n") || replies.Announcing(p.text)) {
		return nil, false // its first line could be taken for one that names a mark
	}
	p.shown = len(p.text)
	return append(slices.Clone(p.text), p.after...), s.warning(pieces) == ""
}

// deliver notes what the reply has of the documents.
func (s *selecting) deliver(pieces []piece) {
	var spans []markdown.Span
	for i := range pieces {
		p := &pieces[i]
		spans = append(spans, markdown.Span{Start: p.span.Start, End: p.span.Start + p.shown})
		if i+1 == len(pieces) || pieces[i+1].from != p.from {
			coverage := s.docs.Coverage(p.from.path)
			coverage.Deliver(p.from.doc, spans...)
			spans = nil
		}
	}
}

// fit returns the matches and what failed in at most room characters.
func (s *selecting) fit(pieces []piece, room int) []byte {
	errs, _ := s.failed(room)
	if s.size(pieces)+replies.Chars(errs) > room {
		errs, _ = s.failed(room / 3)
	}
	text := s.share(pieces, room-replies.Chars(errs))
	errs, shown := s.failed(room - replies.Chars(text))
	s.cut(shown)
	return append(text, errs...)
}

// failed returns what failed in at most so many characters, if that is enough for
// anything; shown is how much of it.
func (s *selecting) failed(room int) (text []byte, shown int) {
	for most := room; ; {
		text, shown = fitFailures(s.failures, most)
		text = s.mark.Lines(text)
		over := replies.Chars(text) - room
		if over <= 0 || most <= 0 {
			return text, shown
		}
		most -= over
	}
}

// warning tells what can't be seen of the text that is shown of matches, if there
// is anything.
func (s *selecting) warning(pieces []piece) string {
	var u replies.Unseen
	for i := range pieces {
		p := &pieces[i]
		if u.Of = ""; s.many {
			u.Of = " of " + replies.Clip(replies.Safe(replies.DisplayPath(p.from.path)), shortFile)
		}
		u.Look(p.from.doc, markdown.Span{Start: p.span.Start, End: p.span.Start + p.shown})
	}
	switch text := u.Warning(); {
	case text == "":
		return ""
	case utf8.RuneCountInString(text) > s.MaxChars/5: // the content comes first
		return replies.WarningNote(u.Number())
	default:
		return replies.WarningNote(text)
	}
}

// pieces returns the matches, or at least as many as a reply can hold. The error is
// that of the context.
func (s *selecting) pieces(ctx context.Context) ([]piece, error) {
	var pieces []piece
	several := s.matches() > 1
	sum := 0
	for _, d := range s.found {
		if d.doc == nil {
			break
		}
		known := map[address.Node]excerpt{} // a match may be repeated
		for i := range d.kept() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if sum > s.MaxChars {
				return pieces, nil
			}
			n := d.matches.Node(i)
			e, ok := known[n]
			if !ok {
				e = s.excerpt(d.doc, n)
				known[n] = e
			}
			p := piece{excerpt: e, selector: replies.Safe(d.prefix + d.matches.Selector(i)), from: d}
			if several {
				p.head = string(s.mark) + p.selector + ":\n"
			}
			p.note = s.longestNote(&p)
			sum += p.least()
			pieces = append(pieces, p)
		}
	}
	return pieces, nil
}

// excerpt returns the content of a node.
func (s *selecting) excerpt(doc *markdown.Document, n address.Node) excerpt {
	span := s.part(doc, contentSpan(doc, n))
	e := excerpt{span: span, text: doc.Text(span)}
	e.lines = markdown.Lines{First: doc.LineAt(span.Start), Last: doc.LineAt(max(span.Start, span.End-1))}
	if n := len(e.text); n > 0 && (e.text[n-1] == '\n' || e.text[n-1] == '\r') {
		e.lines.Last++ // head ends with an empty line
	}
	e.size = replies.Chars(e.text[:min(len(e.text), utf8.UTFMax*(s.MaxChars+1))])
	e.after = endingAfter(doc, span)
	e.size += len(e.after)
	return e
}

// endingAfter returns the line ending to be put after a part of a document: the document's
// own, if it is CRLF, and none if the part ends with one.
func endingAfter(doc *markdown.Document, part markdown.Span) string {
	switch {
	case endsLine(doc.Text(part)):
		return ""
	case bytes.HasPrefix(doc.Source[part.End:], []byte("\r\n")):
		return "\r\n"
	}
	return "\n"
}

// endsLine reports whether nothing must stand between the text and a line of ours.
func endsLine(text []byte) bool { return len(text) > 0 && text[len(text)-1] == '\n' }

// size returns the number of characters of all matches, or more than a reply has.
func (s *selecting) size(pieces []piece) int {
	if len(pieces) < s.matches() {
		return math.MaxInt32
	}
	sum := 0
	for i := range pieces {
		sum += pieces[i].least() + pieces[i].needs()
	}
	return sum
}

// share returns the matches in at most room characters.
func (s *selecting) share(pieces []piece, room int) []byte {
	blocks := make([]replies.Block, len(pieces))
	for i := range pieces {
		blocks[i] = replies.Block{pieces[i].least()}
	}
	shown, spare := replies.Fit(room, blocks, func(n int) int { return replies.Chars(s.notShown(n)) })
	n := len(shown)
	s.cutAt(n)
	others := s.notShown(n)
	var (
		needs []int
		text  []byte
	)
	for i := range n {
		needs = append(needs, pieces[i].needs())
	}
	each := fairShare(needs, spare)
	for _, need := range needs {
		spare -= min(need, each)
	}
	for i := range pieces {
		pieces[i].shown = 0
	}
	for i := range n {
		p := &pieces[i]
		mine := p.least() + min(p.needs(), each)
		if p.needs() > each { // what others left of theirs
			mine, spare = mine+spare, 0
		}
		from := len(text)
		text = s.appendPiece(text, p, mine)
		spare += mine - replies.Chars(text[from:])
	}
	return append(text, others...)
}

// fairShare returns the largest number such that each may take so much, or what
// it needs, and all together have enough with room.
func fairShare(needs []int, room int) int {
	needs = slices.Sorted(slices.Values(needs))
	for i, need := range needs {
		if left := len(needs) - i; need > room/left {
			return room / left
		}
		room -= need
	}
	return math.MaxInt
}

// appendPiece appends a match in at most room characters.
func (s *selecting) appendPiece(dst []byte, p *piece, room int) []byte {
	dst = append(dst, p.head...)
	room -= utf8.RuneCountInString(p.head)
	if p.size <= room {
		p.shown = len(p.text)
		return append(append(dst, p.text...), p.after...)
	}
	spare := max(room-p.note-1, 0) // a line ending may have to be added
	lines, end := linesIn(p.text, spare)
	if lines > 0 {
		p.shown = end
		return append(appendLine(dst, p.text[:end]), s.marked(s.note(p, lines, 0))...)
	}
	if spare < leastPart {
		return append(dst, s.marked(s.note(p, 0, 0))...)
	}
	for range spare {
		_, n := utf8.DecodeRune(p.text[end:])
		end += n
	}
	p.shown = end
	return append(appendLine(dst, p.text[:end]), s.marked(s.note(p, 0, spare))...)
}

// marked returns a line of ours with the mark of the reply.
func (s *selecting) marked(line string) []byte { return s.mark.Lines([]byte(line)) }

// leastPart is the number of characters from which on a part of a line is worth
// showing.
const leastPart = 20

// appendLine appends text that a line of ours may follow.
func appendLine(dst, text []byte) []byte {
	dst = append(dst, text...)
	if !endsLine(text) {
		dst = append(dst, '\n')
	}
	return dst
}

// linesIn returns how many whole lines at the beginning of a text have at most
// room characters, line endings included, and where they end.
func linesIn(text []byte, room int) (lines, end int) {
	text = text[:min(len(text), utf8.UTFMax*(room+1))] // no more than that can fit
	for {
		i := bytes.IndexAny(text[end:], "\r\n")
		if i < 0 {
			return lines, end
		}
		next := end + i + endingLength(text[end+i:])
		if room -= replies.Chars(text[end:next]); room < 0 {
			return lines, end
		}
		lines, end = lines+1, next
	}
}
