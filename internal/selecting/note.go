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

// note tells what is left out of a match after so many lines; or if there are
// none, after so many characters of its first one.
func (s *selecting) note(p *piece, lines, characters int) string {
	left := markdown.Lines{First: p.lines.First + lines, Last: p.lines.Last}
	if lines > 0 {
		return replies.LeftOutEnd(left, p.lines, s.tail(p, left.Len()))
	}
	if characters == 0 || p.head != "" {
		return replies.LeftOutAfter(characters, left, "select "+s.tail(p, 0)+" alone")
	}
	way := "no reply can hold that line"
	if s.MaxChars < replies.FullChars {
		way = fmt.Sprintf("rest: with max_chars=%d", replies.FullChars)
	} else if rest := s.Offered.ReadLine(p.from.path, p.lines.First, p.charsBefore()+characters+1); rest != "" {
		way = fmt.Sprintf("rest of line %d: %s", p.lines.First, rest)
	}
	if left.Len() == 1 {
		return replies.LeftOutAfter(characters, left, way)
	}
	return replies.LeftOutAfter(characters, left, way, "the lines behind it: "+s.tail(p, left.Len()-1))
}

// charsBefore counts the characters of the piece's first line that stand before
// it.
func (p *piece) charsBefore() int {
	doc := p.from.doc
	start := doc.LineSpan(markdown.Lines{First: p.lines.First, Last: p.lines.First}).Start
	return replies.Chars(doc.Source[start:max(start, p.span.Start)])
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

// notShown tells which matches are not shown after the first n, if there are
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
	more := ""
	if list := strings.Join(names, ", "); len(list) <= maxNamed {
		more = ": " + list
		if all-n > len(names) {
			more += " and so on"
		}
	}
	if all-n > 1 {
		more += "; select fewer at a time"
	}
	return s.marked(replies.NotShownMatches(all-n, all, more))
}

// fitErrors returns what failed in at most room characters.
func (s *selecting) fitErrors(room int) []byte {
	failures := make([]failure, len(s.failures))
	for i := range s.failures {
		failures[i] = s.failures[i].echoed()
	}
	if !s.unresolved() || s.first < len(s.files) {
		text, shown := fitFailures(failures, room)
		s.cut(shown)
		return text
	}
	echo := replies.ClipMiddle(s.Selector, maxEcho)
	text, _ := fitFailures(failures, math.MaxInt)
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
	failed, shown := fitFailures(failures, room-replies.Chars(text))
	s.cut(shown)
	return append(failed, text...)
}
