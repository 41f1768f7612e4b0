package guide

import (
	"fmt"
	"strings"
	"unicode"
)

// templateTag is a tag of a template other than a comment or a change of
// delimiters.
type templateTag struct {
	kind   byte // '#', '^', '/', '>', or '&' for a variable
	name   string
	path   string // of the file, for messages
	line   int    // 1-based
	indent string // the blanks before a partial that is alone on its line
	alone  bool   // nothing else is on its line, which vanishes
}

// String returns the tag as it is usually written.
func (t templateTag) String() string {
	if t.kind == '&' {
		return "{{" + oneLine(t.name) + "}}"
	}
	return "{{" + string(t.kind) + oneLine(t.name) + "}}"
}

// oneLine returns a text for an error: one line in which no character acts unseen,
// and not too long.
func oneLine(text string) string {
	return clip(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text), maxNamed)
}

// begin and end return the tags of a section of the name.
func (t templateTag) begin() templateTag { return templateTag{kind: '#', name: t.name} }
func (t templateTag) end() templateTag   { return templateTag{kind: '/', name: t.name} }

// place says where the tag is, seen from the template at path.
func (t templateTag) place(path string) string {
	if t.path == path {
		return fmt.Sprintf("line %d", t.line)
	}
	return fmt.Sprintf("line %d of %s", t.line, oneLine(t.path))
}

// fail returns an error at the tag.
func (t templateTag) fail(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %w", oneLine(t.path), t.line, fmt.Errorf(format, args...))
}

// scanner finds the tags of one file.
type scanner struct {
	path        string
	source      string
	pos         int
	line        int // of pos
	open, close string
}

func newScanner(path, source string) *scanner {
	return &scanner{path: path, source: source, line: 1, open: "{{", close: "}}"}
}

// next returns the text up to the next tag and that tag, which is nil at the end.
// Comments and changes of delimiters are tags of which only the text before them
// is told: their kind is '!'.
func (s *scanner) next() (text string, tag *templateTag, err error) {
	at := strings.Index(s.source[s.pos:], s.open)
	if at < 0 {
		text, s.pos = s.source[s.pos:], len(s.source)
		return text, nil, nil
	}
	start := s.pos + at
	tag = &templateTag{path: s.path, line: s.line + strings.Count(s.source[s.pos:start], "\n")}
	end, err := s.read(tag, start+len(s.open))
	if err != nil {
		return "", nil, err
	}
	from, to := start, end
	if tag.kind != '&' {
		if from, to, tag.alone = s.ownLine(start, end); !tag.alone {
			from, to = start, end
		}
	}
	text, tag.indent = s.source[s.pos:from], s.source[from:start]
	s.line = tag.line + strings.Count(s.source[start:to], "\n")
	s.pos = to
	return text, tag, nil
}

// read takes the inside of the tag, which begins at pos, and returns where the
// tag ends.
func (s *scanner) read(tag *templateTag, pos int) (end int, err error) {
	inside := strings.TrimLeft(s.source[pos:], " \t\r\n")
	pos = len(s.source) - len(inside)
	closing := s.close
	switch {
	case strings.HasPrefix(inside, "{"):
		closing = "}" + s.close
	case strings.HasPrefix(inside, "="):
		closing = "=" + s.close
		pos++ // so that {{=}} isn't closed by its own sign
	}
	length := strings.Index(s.source[pos:], closing)
	if length < 0 {
		return 0, tag.fail("the tag that begins with %s is not closed by %s", oneLine(s.open), oneLine(closing))
	}
	inside, end = s.source[pos:pos+length], pos+length+len(closing)
	if closing == "="+s.close {
		tag.kind = '!'
		return end, s.delimiters(tag, inside)
	}
	return end, tag.set(inside)
}

// set takes the kind and the name from the inside of the tag.
func (t *templateTag) set(inside string) error {
	t.kind = '&'
	if inside != "" && strings.IndexByte("{&#^/>!<$", inside[0]) >= 0 {
		t.kind, inside = inside[0], inside[1:]
	}
	t.name = strings.TrimSpace(inside)
	switch {
	case t.kind == '!':
		return nil
	case t.name == "":
		return t.fail("a tag has no name")
	case t.kind == '<' || t.kind == '$':
		return t.fail("%v is of the inheritance of templates, which is not supported; use a partial, {{> NAME}}", *t)
	case t.kind == '>' && t.name[0] == '*':
		return t.fail("%v takes the partial's name from a variable, which is not supported; write the name itself", *t)
	case t.kind == '{':
		t.kind = '&'
	}
	return nil
}

// delimiters takes other delimiters into use.
func (s *scanner) delimiters(tag *templateTag, inside string) error {
	pair := strings.Fields(inside)
	if len(pair) != 2 || strings.Contains(inside, "=") {
		return tag.fail("a tag that changes delimiters is written like {{=<%% %%>=}}: two texts without = and with a blank between them")
	}
	s.open, s.close = pair[0], pair[1]
	return nil
}

// ownLine returns the range of the line with its end if there are but blanks
// around the tag from start to end; from is where the blanks before it begin.
func (s *scanner) ownLine(start, end int) (from, to int, alone bool) {
	from = len(strings.TrimRight(s.source[:start], " \t"))
	if from > 0 && s.source[from-1] != '\n' {
		return 0, 0, false
	}
	rest := strings.TrimLeft(s.source[end:], " \t")
	to = len(s.source) - len(rest)
	switch {
	case rest == "":
		return from, to, true
	case rest[0] == '\n':
		return from, to + 1, true
	case strings.HasPrefix(rest, "\r\n"):
		return from, to + 2, true
	}
	return 0, 0, false
}
