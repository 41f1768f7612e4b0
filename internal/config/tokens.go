package config

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"github.com/sectile/sectile/internal/runes"
)

// The parser's own positions can't be relied on: tabs, escapes and block scalars
// shift them. So each token is looked for in the text, in order, and nothing but
// blanks may lie between two. What can't be accounted for in this way was not
// understood by the parser either, and is refused.

// Limits of a file. The parser takes quadratic time and memory for some of what
// they bound: brothers in a mapping, blank lines behind a block scalar, tabs
// between quotes.
const (
	maxSize     = 1 << 20 // bytes
	maxLines    = 20_000
	maxLine     = 1 << 16 // bytes of a line
	maxTabs     = 200     // in a line
	maxRun      = 100     // of < in a row
	maxBlank    = 50      // blank lines in a row
	maxTokens   = 50_000
	maxKeys     = 10_000
	maxSiblings = 2000 // keys of one mapping
	maxNesting  = 32   // of flow style, and of blocks
)

// span is a range of bytes of the source.
type span struct{ start, end int }

// tokens are the parts of a text.
type tokens struct {
	*text
	list  token.Tokens
	spans []span // of each
	at    map[*token.Token]int
	texts map[*token.Token]string // what the texts say
}

// fault is something wrong at a place.
type fault struct {
	offset  int // -1 for the file as a whole
	message string
	vague   bool // the parser alone knows what is wrong
}

// limits refuses a text that could keep the parser busy.
func (t *text) limits() *fault {
	if len(t.source) > maxSize {
		return &fault{offset: -1, message: fmt.Sprintf("it has more than %d bytes; make it shorter", maxSize)}
	}
	if i := strings.IndexByte(t.source, 0); i >= 0 {
		return &fault{offset: i, message: "it has a NUL byte; take it out"}
	}
	if !utf8.ValidString(t.source) {
		at := 0
		for at < len(t.source) {
			r, n := utf8.DecodeRuneInString(t.source[at:])
			if r == utf8.RuneError && n < 2 {
				break
			}
			at += n
		}
		return &fault{offset: at, message: "it is not UTF-8; convert the file to UTF-8"}
	}
	if len(t.lines) > maxLines {
		return &fault{offset: t.lines[maxLines].start, message: fmt.Sprintf("more than %d lines; make the file shorter", maxLines)}
	}
	blank := 0
	for i, l := range t.lines {
		s := t.content(i)
		switch {
		case len(s) > maxLine:
			return &fault{offset: l.start, message: fmt.Sprintf("the line has more than %d bytes; make it shorter", maxLine)}
		case strings.Count(s, "\t") > maxTabs:
			return &fault{offset: l.start, message: fmt.Sprintf("the line has more than %d tabs; write blanks", maxTabs)}
		case strings.Contains(s, strings.Repeat("<", maxRun)):
			return &fault{offset: l.start, message: fmt.Sprintf("the line has %d times < in a row; put the text in quotes, with fewer", maxRun)}
		}
		if blank++; !t.isBlank(i) {
			blank = 0
		}
		if blank > maxBlank {
			return &fault{offset: l.start, message: fmt.Sprintf("more than %d blank lines in a row; take some out", maxBlank)}
		}
	}
	return nil
}

// tokenize takes a text apart. The faults are all that is found before the parser
// is asked; without one, the parser can be.
func (t *text) tokenize() (*tokens, []fault) {
	if f := t.limits(); f != nil {
		return nil, []fault{*f}
	}
	all := &tokens{text: t, at: map[*token.Token]int{}, texts: map[*token.Token]string{}}
	all.list = lexer.Tokenize(t.plain)
	if len(all.list) > maxTokens {
		return nil, []fault{{offset: -1, message: fmt.Sprintf("it has more than %d words and signs; make it shorter", maxTokens)}}
	}
	s := scan{tokens: all}
	for i, tk := range all.list {
		all.at[tk] = i
		if f := s.place(tk); f != nil {
			return nil, append(s.faults, *f)
		}
		s.judge(tk)
	}
	s.pos = len(t.plain) - len(strings.TrimLeft(t.plain[s.pos:], " \t\n"))
	if s.pos < len(t.plain) && len(s.faults) == 0 {
		s.refuse(s.pos, unclear)
	}
	return all, s.faults
}

// unclear is the message for what the parser reads differently than it stands.
const unclear = "this can't be read with certainty; write it more simply, and text in quotes"

// scan goes through the tokens of a text.
type scan struct {
	*tokens
	pos    int // in plain, behind the last token
	faults []fault

	head      bool // the last tokens begin a block scalar
	owner     int  // the indentation of the key or dash before it
	sign      string
	begin     int // of the line of the place known, in plain
	known     int
	key       int // where the last token starts that is no comment, in plain
	keys      int
	flow      int
	nesting   []level // blocks that are open
	brackets  []int   // the keys of each that is open
	filled    bool    // there is more than comments
	ended     bool    // by ...
	directive bool
	deep      bool
}

// refuse adds a fault at a place of plain.
func (s *scan) refuse(at int, message string) {
	s.faults = append(s.faults, fault{offset: s.offset(at), message: message})
}

// judge refuses what a configuration has no use for, and what is nested too deep.
func (s *scan) judge(tk *token.Token) {
	at := s.key
	if s.ended && tk.Type != token.CommentType {
		s.refuse(at, "text behind the end of the document (...); take it out")
		s.ended = false
	}
	switch tk.Type {
	case token.AnchorType:
		s.refuse(at, "& begins an anchor in YAML, and there are none here; "+s.inQuotes(at))
	case token.AliasType:
		if i := s.at[tk]; i > 0 && s.list[i-1].Type == token.AliasType {
			break // of **, which was told
		}
		s.refuse(at, "* begins an alias in YAML; put the pattern in quotes: "+writeText(runes.Clip(s.meantAt(at), maxQuoted), true))
	case token.TagType:
		s.refuse(at, "! begins a tag in YAML, and there are none here; "+s.inQuotes(at))
	case token.MergeKeyType:
		s.refuse(at, "<< merges keys in YAML, which is not allowed here; write the keys out")
	case token.MappingKeyType:
		s.refuse(at, "? begins a key in YAML, which is not allowed here; write KEY: VALUE, and text in quotes")
	case token.DirectiveType:
		s.refuse(at, "% begins a directive in YAML, and there are none here; take the line out, or "+s.inQuotes(at))
		s.directive = true
	case token.DocumentHeaderType:
		if s.filled && !s.directive {
			s.refuse(at, "a second document begins here; take the --- out, for the file is one document")
		}
	case token.DocumentEndType:
		s.ended = true
	case token.SequenceStartType, token.MappingStartType:
		s.flow++
		s.brackets = append(s.brackets, 0)
	case token.SequenceEndType, token.MappingEndType:
		s.flow--
		s.brackets = s.brackets[:max(0, len(s.brackets)-1)]
	case token.MappingValueType:
		if s.keys++; s.keys == maxKeys+1 {
			s.refuse(at, fmt.Sprintf("more than %d keys; make the file shorter", maxKeys))
		}
	}
	s.filled = s.filled || tk.Type != token.CommentType
	s.nest(tk)
}

// level is a block that is open.
type level struct{ column, keys int }

// count counts a key, and refuses too many in one mapping.
func (s *scan) count() {
	keys := new(int)
	switch {
	case len(s.brackets) > 0:
		keys = &s.brackets[len(s.brackets)-1]
	case len(s.nesting) > 0:
		keys = &s.nesting[len(s.nesting)-1].keys
	}
	if *keys++; *keys == maxSiblings+1 {
		s.refuse(s.key, fmt.Sprintf("more than %d keys in one mapping; take some out", maxSiblings))
	}
}

// nest keeps count of what is open, and refuses what is too deep.
func (s *scan) nest(tk *token.Token) {
	isKey := tk.Type == token.MappingValueType
	if s.flow == 0 && (isKey || tk.Type == token.SequenceEntryType) {
		n := len(s.nesting)
		for n > 0 && s.nesting[n-1].column > s.owner {
			n--
		}
		s.nesting = s.nesting[:n]
		if n == 0 || s.nesting[n-1].column < s.owner {
			s.nesting = append(s.nesting, level{column: s.owner})
		}
	}
	if isKey {
		s.count()
	}
	if !s.deep && (s.flow > maxNesting || len(s.nesting) > maxNesting) {
		s.deep = true
		s.refuse(s.key, fmt.Sprintf("nested deeper than %d levels; make it flatter", maxNesting))
	}
}

// oneLine returns a text with its line breaks and runs of blanks as one blank.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
