package config

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// place finds where a token is and goes behind it. The fault is what the lexer
// refuses, or what it took for something else than stands there.
func (s *scan) place(tk *token.Token) *fault {
	if tk.Type == token.InvalidType {
		return s.invalid(tk)
	}
	if s.head && tk.Type == token.StringType {
		s.head = false
		return s.block(tk)
	}
	behind := s.pos
	s.pos = len(s.plain) - len(strings.TrimLeft(s.plain[s.pos:], " \t\n"))
	before, start := s.key, s.pos
	if tk.Type != token.CommentType {
		s.key = start
	}
	message := unclear
	if s.pass(tk) {
		message = cmp.Or(s.judgeSign(tk, behind, before, start), s.decode(tk, start))
	} else if tk.Type == token.DoubleQuoteType {
		message = wrongEscape
	}
	if message != "" {
		return &fault{offset: s.offset(start), message: message}
	}
	s.spans = append(s.spans, span{s.offset(start), s.offset(s.pos)})
	return nil
}

// pass goes behind a token that starts here, and reports whether it does.
func (s *scan) pass(tk *token.Token) bool {
	switch tk.Type {
	case token.CommentType:
		line, _, _ := strings.Cut(s.plain[s.pos:], "\n")
		s.pos += len(line)
		return strings.HasPrefix(line, "#")
	case token.SingleQuoteType:
		return s.single()
	case token.DoubleQuoteType:
		return s.double()
	case token.LiteralType, token.FoldedType:
		s.head, s.sign = true, tk.Value
		return s.take(tk.Value) && isSign(tk.Value) && (s.pos == len(s.plain) || strings.IndexByte(" \t\n", s.plain[s.pos]) >= 0)
	}
	return s.word(tk)
}

// judgeSign tells what is wrong with a token where it stands, by the rules of YAML
// that the lexer doesn't know: behind is where the token before it ends, before
// where that starts.
func (s *scan) judgeSign(tk *token.Token, behind, before, start int) string {
	switch tk.Type {
	case token.MappingValueType:
		if s.flow == 0 {
			s.owner = s.indentAt(before)
		}
		return s.colon(behind, start)
	case token.SequenceEntryType:
		if s.flow > 0 {
			return unclear // it would be a list of its own
		}
		s.owner = s.indentAt(start)
	case token.LiteralType, token.FoldedType:
		if s.flow > 0 {
			return "a text behind " + tk.Value + " can't stand in brackets; write it in double quotes"
		}
	case token.CollectEntryType:
		if n := len(s.spans); n == 0 || s.list[n-1].Type == token.MappingStartType {
			return unclear
		}
	}
	if !s.isWhole(tk, start) {
		if text := s.meantAt(start); strings.ContainsAny(s.plain[start:start+1], "%@`&!") {
			return "its signs mean something in YAML; " + quoteAdvice(text)
		}
		return "put this in quotes if it is a text, for its signs mean something in YAML"
	}
	return ""
}

// indentAt returns how far from the start of its line a place of plain is. It goes
// on from the place that was asked for before, for lines may be long.
func (s *scan) indentAt(at int) int {
	switch {
	case at < s.begin:
		return at - strings.LastIndexByte(s.plain[:at], '\n') - 1
	case at > s.known:
		if n := strings.LastIndexByte(s.plain[s.known:at], '\n'); n >= 0 {
			s.begin = s.known + n + 1
		}
		s.known = at
	}
	return at - s.begin
}

// take goes behind a text if it is there.
func (s *scan) take(want string) bool {
	if !strings.HasPrefix(s.plain[s.pos:], want) {
		return false
	}
	s.pos += len(want)
	return true
}

// word goes behind a sign, or a plain scalar, whose lines are folded.
func (s *scan) word(tk *token.Token) bool {
	value, ok := tk.Value, tk.Value != ""
	for value != "" && ok {
		n := strings.IndexAny(value, " \t\n")
		switch {
		case n < 0:
			return s.take(value)
		case n > 0:
			ok = s.take(value[:n])
			value = value[n:]
		default:
			value = strings.TrimLeft(value, " \t\n")
			was := s.pos
			s.pos = len(s.plain) - len(strings.TrimLeft(s.plain[s.pos:], " \t\n"))
			ok = s.pos > was
		}
	}
	return ok
}

// colon tells what is wrong with a colon that starts there, behind a key that ends
// before.
func (s *scan) colon(behind, start int) string {
	next := s.plain[s.pos:]
	switch {
	case len(s.faults) > 0: // it may be what follows from them
		return ""
	case strings.Contains(s.plain[behind:start], "\n"):
		return "the colon must stand behind its key, on the same line"
	case next == "" || strings.ContainsAny(next[:1], " \t\n,[]{}") || start > 0 && strings.ContainsAny(s.plain[start-1:start], `'"`):
		return ""
	}
	return "write a blank behind the colon"
}

// isWhole reports whether what the lexer took for one token is one by the rules
// of YAML: it takes some texts that others read differently, or not at all.
func (s *scan) isWhole(tk *token.Token, start int) bool {
	text := s.plain[start:s.pos]
	switch tk.Type {
	case token.DocumentHeaderType, token.DocumentEndType:
		return s.pos == len(s.plain) || strings.IndexByte(" \t\n", s.plain[s.pos]) >= 0
	case token.StringType:
	default:
		return true
	}
	if n := len(s.spans); n > 0 && (s.list[n-1].Type == token.AliasType || s.list[n-1].Type == token.AnchorType) {
		return true // which is refused as such
	}
	signs := ",[]{}#&*!|>'\"%@`"
	if strings.IndexByte("-?:", text[0]) >= 0 && (len(text) == 1 || strings.IndexByte(" \n", text[1]) >= 0) {
		return false // a sign by itself
	}
	if strings.ContainsAny(text[:1], signs) || strings.HasSuffix(text, ":") || strings.Contains(text, "\t") ||
		strings.Contains(text, " #") || strings.Contains(text, ": ") {
		return false
	}
	return s.flow == 0 || text[0] != ':' && !strings.ContainsAny(text, ",[]{}")
}

// single goes behind a text in single quotes.
func (s *scan) single() bool {
	if !s.take("'") {
		return false
	}
	for {
		n := strings.IndexByte(s.plain[s.pos:], '\'')
		if n < 0 {
			return false
		}
		s.pos += n + 1
		if !s.take("'") {
			return true
		}
	}
}

// double goes behind a text in double quotes. Escapes that the lexer would take
// for characters that there are none of are no such text.
func (s *scan) double() bool {
	if !s.take(`"`) {
		return false
	}
	for {
		n := strings.IndexAny(s.plain[s.pos:], `"\`)
		if n < 0 {
			return false
		}
		s.pos += n + 1
		if s.plain[s.pos-1] == '"' {
			return true
		}
		if s.pos == len(s.plain) || !s.escape() {
			return false
		}
	}
}

// escape goes behind what follows a backslash.
func (s *scan) escape() bool {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s.plain[s.pos]]
	_, n := utf8.DecodeRuneInString(s.plain[s.pos:])
	s.pos += n
	if digits == 0 {
		return true
	}
	code, ok := s.hex(digits)
	if ok && digits == 4 && code >= 0xD800 && code < 0xDC00 { // the first half of a pair
		low := 0
		ok = s.take(`\u`)
		if ok {
			low, ok = s.hex(4)
		}
		return ok && low >= 0xDC00 && low < 0xE000
	}
	return ok && code <= utf8.MaxRune && (code < 0xD800 || code >= 0xE000)
}

// hex goes behind so many hexadecimal digits and returns what they say.
func (s *scan) hex(digits int) (code int, ok bool) {
	if len(s.plain)-s.pos < digits {
		return 0, false
	}
	for range digits {
		n := strings.IndexByte("0123456789abcdef", s.plain[s.pos]|0x20)
		if n < 0 || code > utf8.MaxRune {
			return 0, false
		}
		code = code<<4 | n
		s.pos++
	}
	return code, true
}

// block goes behind the content of a block scalar: the lines that are indented
// deeper than its first, which must say what the token does.
func (s *scan) block(tk *token.Token) *fault {
	head := strings.IndexByte(s.plain[s.pos:], '\n')
	if head < 0 {
		s.texts[tk] = ""
		s.spans = append(s.spans, span{s.offset(s.pos), s.offset(s.pos)})
		return nil
	}
	start := s.pos + head + 1
	c, ok := s.content(start)
	switch {
	case !ok:
		return &fault{offset: s.offset(start), message: "the blank lines before the text are indented deeper than it; write it in double quotes"}
	case strings.Trim(s.plain[s.pos:start], " \t\n") != "",
		strings.Join(strings.Fields(s.plain[start:c.end]), "") != strings.Join(strings.Fields(tk.Value), ""):
		return &fault{offset: s.offset(start), message: unclear}
	}
	s.texts[tk] = c.text(s.sign)
	if c.end > start {
		s.pos = c.end
		s.spans = append(s.spans, span{s.offset(start), s.offset(c.end)})
	} else {
		s.spans = append(s.spans, span{s.offset(s.pos), s.offset(s.pos)})
	}
	return nil
}

// invalid returns the fault that the lexer found, which is at the next token or
// behind it.
func (s *scan) invalid(tk *token.Token) *fault {
	at := s.pos
	if i := tk.Position.Line - 1; i >= 0 && i < len(s.lines) {
		at = max(at, s.lines[i].plain)
	}
	at = len(s.plain) - len(strings.TrimLeft(s.plain[at:], " \t\n"))
	f := fault{message: problemOf(tk.Error).message(tk.Error)}
	switch problemOf(tk.Error) {
	case openQuote:
		f.message = "the text that begins with " + quoted(s.meantAt(at)) + " has no quote at its end; close it"
	case reservedSign:
		f.message = s.plain[at:min(at+1, len(s.plain))] + " is reserved in YAML; " + s.inQuotes(at)
	case badTab:
		line := s.plain[at-s.indentAt(at) : at]
		at -= max(0, len(line)-strings.IndexByte(line+"\t", '\t'))
	case unknownProblem:
		f.vague = true
	case badEscape, misplacedValue, misplacedKey:
	}
	f.offset = s.offset(at)
	return &f
}
