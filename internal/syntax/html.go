package syntax

import "bytes"

// A tag or an autolink is recognised by where it ends: what begins like one and
// doesn't end is text. The forms that end with a fixed string may contain
// anything else, so that a search for their end that failed is remembered: it
// would fail from any later place too. Attributes need no such care, for a
// second tag can only begin inside a quoted value of the first, and at the
// next quotation mark one of the two is over.

// The forms of HTML that end with a string of their own.
const (
	htmlComment = iota
	htmlInstruction
	htmlDeclaration
	htmlCDATA
	htmlForms
)

// HTMLReader finds raw HTML in one text (6.6), or the tags of one block of HTML.
type HTMLReader struct{ unclosed [htmlForms]bool }

// End returns the end of the HTML whose '<' stands in src before i, or 0. Calls go from
// left to right through the same src.
func (r *HTMLReader) End(src []byte, i int) int {
	if form, begins, closing := htmlForm(src[i:]); begins > 0 {
		return r.endsWith(src, i+begins, closing, form)
	}
	if bytes.HasPrefix(src[i:], []byte("/")) {
		return ClosingTagEnd(src, i+1)
	}
	return OpeningTagEnd(src, i)
}

// htmlForm returns which form the HTML has that begins with '<' and rest, how many bytes of rest
// stand before the place where its end may begin, and the string that it ends with; begins is 0 for a
// tag and for text.
func htmlForm(rest []byte) (form, begins int, closing string) {
	switch {
	case bytes.HasPrefix(rest, []byte("!--")):
		return htmlComment, len("!"), "-->" // "<!-->" and "<!--->" are whole
	case bytes.HasPrefix(rest, []byte("?")):
		return htmlInstruction, len("?"), "?>"
	case bytes.HasPrefix(rest, []byte("![CDATA[")):
		return htmlCDATA, len("![CDATA["), "]]>"
	case len(rest) > 1 && rest[0] == '!' && IsLetter(rest[1]):
		return htmlDeclaration, len("!A"), ">"
	}
	return 0, 0, ""
}

// endsWith returns the offset after the next closing from i on, or 0.
func (r *HTMLReader) endsWith(src []byte, i int, closing string, form int) int {
	if r.unclosed[form] {
		return 0
	}
	n := bytes.Index(src[i:], []byte(closing))
	if n < 0 {
		r.unclosed[form] = true
		return 0
	}
	return i + n + len(closing)
}

// ClosingTagEnd returns the end of the closing tag whose name begins at i, or 0.
func ClosingTagEnd(src []byte, i int) int {
	n := TagNameLen(src[i:])
	if n == 0 {
		return 0
	}
	i = SkipWhite(src, i+n)
	if i == len(src) || src[i] != '>' {
		return 0
	}
	return i + 1
}

// OpeningTagEnd returns the end of the opening tag whose name begins at i, or 0.
func OpeningTagEnd(src []byte, i int) int {
	n := TagNameLen(src[i:])
	if n == 0 {
		return 0
	}
	for i += n; ; {
		next := SkipWhite(src, i)
		switch {
		case next == len(src):
			return 0
		case src[next] == '>':
			return next + 1
		case src[next] == '/':
			if next+1 == len(src) || src[next+1] != '>' {
				return 0
			}
			return next + 2
		case next == i:
			return 0
		}
		if i = attributeEnd(src, next); i == 0 {
			return 0
		}
	}
}

// attributeEnd returns the end of the attribute at i, or 0.
func attributeEnd(src []byte, i int) int {
	if !IsLetter(src[i]) && src[i] != '_' && src[i] != ':' {
		return 0
	}
	for i < len(src) && (IsLetter(src[i]) || IsDigit(src[i]) || isOneOf(src[i], "_.:-")) {
		i++
	}
	value := SkipWhite(src, i)
	if value == len(src) || src[value] != '=' {
		return i
	}
	value = SkipWhite(src, value+1)
	if value == len(src) {
		return 0
	}
	if quote := src[value]; quote == '"' || quote == '\'' {
		n := bytes.IndexByte(src[value+1:], quote)
		if n < 0 {
			return 0
		}
		return value + 1 + n + 1
	}
	end := value
	for end < len(src) && !isOneOf(src[end], " \t\n\r\"'=<>`") {
		end++
	}
	if end == value {
		return 0
	}
	return end
}

// TagNameLen returns the length of the tag name at the start of s, or 0.
func TagNameLen(s []byte) int {
	if len(s) == 0 || !IsLetter(s[0]) {
		return 0
	}
	n := 1
	for n < len(s) && (IsAlnum(s[n]) || s[n] == '-') {
		n++
	}
	return n
}

// NextTag returns where the next opening tag from i on begins in a block of HTML, where to go on
// behind it, and whether there is one. Tags are read as a browser does. What stands in comments,
// instructions, declarations, CDATA and scripts is none. A comment without an end has all that
// follows; an instruction or CDATA without one ends with the next '>', as to a browser. Calls go
// from left to right through the same src.
func (r *HTMLReader) NextTag(src []byte, i int) (tag, next int, ok bool) {
	for {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			return 0, 0, false
		}
		i += n + 1
		if form, begins, closing := htmlForm(src[i:]); begins > 0 {
			end := r.endsWith(src, i+begins, closing, form)
			if end == 0 && form != htmlComment {
				end = r.endsWith(src, i+begins, ">", htmlDeclaration)
			}
			if end == 0 {
				return 0, 0, false
			}
			i = end
			continue
		}
		if n := TagNameLen(src[i:]); n > 0 {
			return i - 1, RawTextEnd(src, endOfTag(src, i+n), src[i:i+n]), true
		}
	}
}

// An Attribute is a part of a tag: the ranges of its name and value, the value without
// quotation marks.
type Attribute struct{ NameStart, NameEnd, ValueStart, ValueEnd int }

// NextAttribute reads the next attribute with a value from i on, which is behind the
// name of a tag or an attribute of it. It returns the offset from which to go on, and
// whether there was one; else the offset of the tag's '>', or the end of src. It takes
// whatever a browser does.
func NextAttribute(src []byte, i int) (a Attribute, next int, ok bool) {
	for {
		for i < len(src) && (IsWhite(src[i]) || src[i] == '/') {
			i++
		}
		if i == len(src) || src[i] == '>' {
			return Attribute{}, i, false
		}
		a.NameStart = i
		for i++; i < len(src) && !IsWhite(src[i]) && !isOneOf(src[i], "/>="); {
			i++
		}
		a.NameEnd = i
		value := SkipWhite(src, i)
		if value == len(src) || src[value] != '=' {
			continue
		}
		value = SkipWhite(src, value+1)
		if value == len(src) {
			return Attribute{}, value, false
		}
		if quote := src[value]; quote == '"' || quote == '\'' {
			n := bytes.IndexByte(src[value+1:], quote)
			if n < 0 {
				return Attribute{}, len(src), false
			}
			a.ValueStart, a.ValueEnd = value+1, value+1+n
			return a, a.ValueEnd + 1, true
		}
		a.ValueStart = value
		for value < len(src) && !IsWhite(src[value]) && src[value] != '>' {
			value++
		}
		a.ValueEnd = value
		return a, value, true
	}
}

// HeadingTags returns how many opening tags of headings may be in a source, at most so many.
func HeadingTags(src []byte, most int) (n int) {
	for i := 0; n < most; i++ {
		next := bytes.IndexByte(src[i:], '<')
		if next < 0 {
			break
		}
		if i += next; IsHeadingTag(src[i+1:]) {
			n++
		}
	}
	return n
}

// IsHeadingTag reports whether the name of a heading's element is at the beginning of a text.
func IsHeadingTag(name []byte) bool {
	return len(name) > 2 && name[0]|0x20 == 'h' && '1' <= name[1] && name[1] <= '6' && (name[2] == '>' || name[2] == '/' || IsWhite(name[2]))
}
