package yamltree

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/runes"
)

// Mistakes: what the parser stumbles over is often a pattern without quotes, or a
// colon without a blank after it. Where a line shows which, that is told, with what
// to write.

const maxMeant = 300 // bytes of a text that are looked at: a line may have a lot of them

// mistake is something that a line shows to be wrong.
type mistake struct {
	Fault
	fixed string // the text at its offset, with as many bytes and characters, but right
}

// overwrite returns a text without the mistake.
func (m *mistake) overwrite(source string) string {
	return source[:m.Offset] + m.fixed + source[m.Offset+len(m.fixed):]
}

// mistakes returns what is wrong in a line as far as it shows. Of the lines of a block
// scalar it may be wrong.
func (t *Text) mistakes(i int) []mistake {
	var found []mistake
	for _, p := range t.pieces(i) {
		written := t.Source[p.Start:p.End]
		m := mistake{Fault: Fault{p.Start, t.signAdvice(p.Start, written)}, fixed: withoutSigns(written)}
		switch written[0] {
		case '"':
			m.fixed, m.Message = fixEscapes(written)
		case '#':
			m.Message = "# begins a comment in YAML, so that the bracket is not closed; " + QuoteAdvice(written)
		case '[', '{':
			m.Message = bracketAdvice(written)
		case '?':
			if written == "?" || strings.HasPrefix(written, "? ") {
				m.Message = complexKey
			}
		case '|', '>':
			if p.inside {
				m.Message = "a text after " + written[:1] + " can't stand in brackets; write it in double quotes"
			}
		}
		if advice := t.ColonAdvice(written); advice != "" { // dir:docs is read as di: docs
			colon := strings.IndexByte(written, ':')
			m.Message, m.fixed = advice, written[:colon-1]+": "+written[colon+1:]
		}
		if m.Message != "" {
			found = append(found, m)
		}
	}
	return found
}

// withoutSigns returns a text with a letter for each sign that means something in YAML.
func withoutSigns(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]{},#&*!|>'\"%@`:-?", r) {
			return 'x'
		}
		return r
	}, s)
}

// fixEscapes returns a text in double quotes with a letter for each backslash that
// begins no escape, and what to do about it; no message if all are right.
func fixEscapes(s string) (fixed, message string) {
	made := []byte(s)
	for at := 0; at+1 < len(s); at++ {
		if s[at] != '\\' {
			continue
		}
		c := s[at+1]
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		code, err := strconv.ParseUint(s[at+2:min(at+2+digits, len(s))], 16, 32)
		switch {
		case digits == 0 && strings.IndexByte("0abt\t\r\nnvfre \"/\\N_LP", c) >= 0, err == nil && utf8.ValidRune(rune(code)): //nolint:gosec // at most 32 bits
			at++
			continue
		case err == nil && code>>11 == 0xd800>>11: // half of a character
			message = wrongPair
		default:
			message = wrongEscape
		}
		made[at] = 'x'
	}
	return string(made), message
}

const (
	wrongEscape = `a wrong escape in a text in double quotes; write \\ for a backslash, or put it in single quotes`
	wrongPair   = `\u is half of a character here; write the character itself, or all of it as in \U0001F600`
)

// piece is where a text begins in a line, and would end.
type piece struct {
	Span
	inside bool // of brackets that begin on the line
}

// pieces returns where texts begin in a line, and would end: keys, values, and items in
// brackets.
func (t *Text) pieces(i int) []piece {
	if t.pieced.line != i || t.pieced.list == nil {
		t.pieced.line, t.pieced.list = i, t.findPieces(i)
	}
	return t.pieced.list
}

// findPieces finds them.
func (t *Text) findPieces(i int) []piece {
	var found []piece
	line, depth := t.content(i), 0
	add := func(at, length int) {
		start := t.Lines[i].Start + at
		found = append(found, piece{Span{start, start + max(length, 1)}, depth > 0})
	}
	for at := 0; ; {
		at += len(line[at:]) - len(strings.TrimLeft(line[at:], " \t"))
		rest := line[at:]
		inner := rest
		if len(inner) > maxMeant {
			inner = strings.ToValidUTF8(rest[:maxMeant], "")
		}
		if depth > 0 {
			inner = inner[:itemLength(inner)]
		}
		length := len(beforeComment(inner))
		switch {
		case rest == "", rest[0] == '#' && (depth == 0 || !strings.ContainsAny(rest, "]}")):
			return found
		case rest[0] == '#':
			add(at, len(strings.TrimRight(rest, "]} ")))
			return found
		case depth == 0 && strings.HasPrefix(rest, "- "), strings.IndexByte(",:", rest[0]) >= 0:
			at++
			continue
		case strings.IndexByte("]}", rest[0]) >= 0:
			depth = max(0, depth-1)
			at++
			continue
		case strings.IndexByte("[{", rest[0]) >= 0 && bracketAdvice(rest[:length]) == "":
			add(at, length)
			depth++
			at++
			continue
		case strings.IndexByte(`"'`, rest[0]) >= 0:
			length = frontmatter.QuotedLength(rest)
		}
		add(at, length)
		if key := strings.Index(rest[:length], ": "); key >= 0 && strings.IndexByte(`"'`, rest[0]) < 0 {
			length = key
		}
		at += max(length, 1)
	}
}

// signs are what a text can't begin with, for they mean something in YAML.
const signs = "&*!%@`"

// intendedText returns the text that was meant to begin at an offset.
func (t *Text) intendedText(at int) string {
	for _, p := range t.pieces(t.lineAt(at)) {
		if p.Start == at {
			return t.Source[p.Start:p.End]
		}
	}
	return t.restOfLine(at)
}

// signAdvice tells what a sign means with which a text begins, and what to write;
// nothing if it means nothing.
func (t *Text) signAdvice(at int, meant string) string {
	sign := t.Source[at : at+1]
	if !strings.Contains(signs, sign) {
		return ""
	}
	switch sign {
	case "&":
		return "& begins an anchor in YAML, and there are none here; " + QuoteAdvice(meant)
	case "*":
		return "* begins an alias in YAML; put the pattern in quotes: " + InMessage(meant)
	case "!":
		return "! begins a tag in YAML, and there are none here; " + QuoteAdvice(meant)
	case "%":
		if t.column(at) > 0 {
			return "its signs mean something in YAML; " + QuoteAdvice(meant)
		}
		return "% begins a directive in YAML, and there are none here; take the line out, or " + QuoteAdvice(meant)
	}
	return sign + " is reserved in YAML; " + QuoteAdvice(meant)
}

// maxShown is how many characters of a text are quoted in a message.
const maxShown = 64

// InMessage returns a text for a message: as it would be written in brackets, and cut.
func InMessage(text string) string { return frontmatter.YAMLText(runes.Clip(text, maxShown), true) }

// QuoteAdvice says to put a text in quotes, and how that looks.
func QuoteAdvice(text string) string {
	if written := InMessage(text); written != "" && written[0] != text[0] {
		return "put the text in quotes: " + written
	}
	return "put the text in quotes"
}

// beforeComment returns a text without blanks around it and a comment after it.
func beforeComment(text string) string {
	text, _, _ = strings.Cut(text, " #")
	return strings.TrimSpace(text)
}

// itemLength returns where an item in brackets ends: at the comma or bracket after
// it, with brackets and quotes in it closed.
func itemLength(s string) int {
	depth := 0
	var quote byte
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" ,[{", s[i-1]) >= 0):
			quote = c
		case c == '[' || c == '{':
			depth++
		case (c == ',' || c == ']' || c == '}') && depth == 0:
			return i
		case c == ']' || c == '}':
			depth--
		}
	}
	return len(s)
}

// bracketAdvice tells of a text that begins with a bracket and goes on after it.
func bracketAdvice(text string) string {
	if text == "" || text[0] != '[' && text[0] != '{' {
		return ""
	}
	end := itemLength(text[1:]) + 2
	if end >= len(text) || strings.IndexByte(" ,]}#", text[end]) >= 0 {
		return ""
	}
	what := map[byte]string{'[': "[ begins a list in YAML; ", '{': "{ begins a mapping in YAML; "}[text[0]]
	return what + QuoteAdvice(text)
}

// ColonAdvice tells of a key without a blank after its colon.
func (t *Text) ColonAdvice(line string) string {
	key, value, ok := strings.Cut(beforeComment(line), ":")
	if !ok || !t.isKey(key) || value == "" || value[0] == ' ' || value[0] == '\t' {
		return ""
	}
	return "write a blank behind the colon: " + key + ": " + InMessage(value)
}
