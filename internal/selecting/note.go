package selecting

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// What a reply says of matches that it doesn't show, or not as a whole. A part
// that is left out always is the end of a match, and tail chooses it: going on
// needs nothing but selecting.

// note tells what is left out of a match behind so many lines; or if there are
// none, behind so many characters of its first one.
func (s *selecting) note(p *piece, lines, characters int) string {
	left := markdown.Lines{First: p.lines.First + lines, Last: p.lines.Last}
	switch {
	case lines > 0:
		return fmt.Sprintf("[left out: %s of %s; rest: %s]\n", named(left), replies.LineRange(p.lines), s.tail(p, left.Len()))
	case characters == 0:
		return fmt.Sprintf("[left out: %s; select %s alone]\n", named(left), s.tail(p, 0))
	}
	what := fmt.Sprintf("line %d behind %d characters", left.First, characters)
	if left.First++; left.Len() > 0 {
		what += " and " + named(left)
	}
	switch {
	case p.head != "":
		return fmt.Sprintf("[left out: %s; select %s alone]\n", what, s.tail(p, 0))
	case s.MaxChars < replies.FullChars:
		what += fmt.Sprintf("; rest: with max_chars=%d", replies.FullChars)
	default:
		rest := s.Offered.ReadLine(p.from.path, p.lines.First, p.charsBefore()+characters+1)
		if rest == "" {
			what += "; no reply can hold that line"
			break
		}
		what += fmt.Sprintf("; rest of line %d: %s", p.lines.First, rest)
	}
	if left.Len() > 0 {
		what += "; the lines behind it: " + s.tail(p, left.Len())
	}
	return "[left out: " + what + "]\n"
}

// charsBefore counts the characters of the piece's first line that stand before
// it.
func (p *piece) charsBefore() int {
	doc := p.from.doc
	start := doc.LineSpan(markdown.Lines{First: p.lines.First, Last: p.lines.First}).Start
	return replies.Chars(doc.Source[start:max(start, p.span.Start)])
}

// named names lines in a sentence.
func named(l markdown.Lines) string {
	if l.Len() == 1 {
		return "line " + replies.LineRange(l)
	}
	return "lines " + replies.LineRange(l)
}

// longestNote returns the largest number of characters of a note on the match.
func (s *selecting) longestNote(p *piece) int {
	longest := 0
	for _, note := range []string{s.note(p, 0, 0), s.note(p, 1, 0), s.note(p, 0, s.MaxChars)} {
		longest = max(longest, utf8.RuneCountInString(note))
	}
	return longest + s.mark.Chars() + len(strconv.Itoa(p.lines.Last)) // the first line may have more digits
}

// tail returns the selector of the last lines of a match, 0 for all of it.
func (s *selecting) tail(p *piece, lines int) string {
	var query []string
	add := func(name string, n int) {
		if n > 0 {
			query = append(query, fmt.Sprintf("%s=%d", name, n))
		}
	}
	if lines == 0 && !s.full() {
		lines = s.selector.Tail
	}
	if !s.full() {
		add("head", s.selector.Head)
	}
	add("tail", lines)
	text := p.selector
	if len(text) > maxNamed {
		text = "the selector of this match"
	}
	if len(query) > 0 {
		text += "?" + strings.Join(query, "&")
	}
	if s.full() && lines > 0 {
		text += " without full"
	}
	return text
}

// maxNames is the number of matches that a note names.
const maxNames = 3

// notShown tells which matches are not shown behind the first n, if there are
// any.
func (s *selecting) notShown(n int) []byte {
	all := s.matches()
	if n == all {
		return nil
	}
	var names []string
	skip := n
	for _, d := range s.found {
		for _, name := range d.selectors(skip, maxNames-len(names)) {
			names = append(names, replies.Safe(d.prefix+name))
		}
		skip = max(skip-d.count, 0)
	}
	text := fmt.Sprintf("[not shown: %d of %d matches", all-n, all)
	if list := strings.Join(names, ", "); len(list) <= maxNamed {
		text += ": " + list
		if all-n > len(names) {
			text += " and so on"
		}
	}
	if all-n > 1 {
		text += "; select fewer at a time"
	}
	return s.marked(text + "]\n")
}

// fitErrors returns what failed in at most room characters.
func (s *selecting) fitErrors(room int) []byte {
	failures := make([]failure, len(s.failures))
	for i := range s.failures {
		failures[i] = s.failures[i].echoed()
	}
	if !s.unresolved() {
		return fitFailures(failures, room)
	}
	echo := replies.ClipMiddle(s.Selector, maxEcho)
	text := fitFailures(failures, math.MaxInt)
	text = append(text, unresolvedText(echo, s.why(), s.suggestions())...)
	if replies.Chars(text) <= room {
		return text
	}
	var (
		suggestions []string
		spare       = room / 3
	)
	for _, suggestion := range s.suggestions() {
		if spare -= utf8.RuneCountInString(suggestion) + len(" ~"); spare >= 0 {
			suggestions = append(suggestions, suggestion)
		}
	}
	text = unresolvedText(replies.ClipMiddle(echo, room/5), replies.Clip(s.why(), room/4), suggestions)
	return append(fitFailures(failures, room-replies.Chars(text)), text...)
}
