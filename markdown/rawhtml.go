package markdown

import "bytes"

// A tag or an autolink is recognised by where it ends: what begins like one and
// doesn't end is text. The forms that end with a fixed string may contain
// anything else, so that a search for their end that failed is remembered: it
// would fail from any later place too. Attributes need no such care, for a
// second tag can only begin inside a quoted value of the first, and at the
// next quotation mark one of the two is over.

// angle reads the '<' at i: an autolink (6.5) or raw HTML (6.6).
func (t *inlineText) angle(i int) int {
	if end := autolinkEnd(t.src, i+1); end > 0 {
		t.cut(i, i+1)
		t.cut(end-1, end)
		return end
	}
	if end := t.htmlEnd(i + 1); end > 0 {
		t.cut(i, end)
		return end
	}
	return i + 1
}

// autolinkEnd returns the offset after the '>' of the autolink whose address
// begins at i, or 0.
func autolinkEnd(src []byte, i int) int {
	if i == len(src) {
		return 0
	}
	end := uriEnd(src, i)
	if end == 0 {
		end = emailEnd(src, i)
	}
	if end == 0 || end == len(src) || src[end] != '>' {
		return 0
	}
	return end + 1
}

// uriEnd returns the end of the absolute URI at i, or 0.
func uriEnd(src []byte, i int) int {
	if !isLetter(src[i]) {
		return 0
	}
	end := i
	for end < len(src) && end-i <= 32 && (isLetter(src[end]) || isDigit(src[end]) || isOneOf(src[end], "+.-")) {
		end++
	}
	if n := end - i; n < 2 || n > 32 || end == len(src) || src[end] != ':' {
		return 0
	}
	for end < len(src) && !isControlOrSpace(src[end]) && src[end] != '<' && src[end] != '>' {
		end++
	}
	return end
}

// emailEnd returns the end of the email address at i, or 0, by the expression
// of HTML's email inputs.
func emailEnd(src []byte, i int) int {
	end := i
	for end < len(src) && (isLetter(src[end]) || isDigit(src[end]) || isOneOf(src[end], ".!#$%&'*+/=?^_`{|}~-")) {
		end++
	}
	if end == i || end == len(src) || src[end] != '@' {
		return 0
	}
	for {
		label := end + 1
		for end = label; end < len(src) && (isLetter(src[end]) || isDigit(src[end]) || src[end] == '-'); {
			end++
		}
		if n := end - label; n == 0 || n > 63 || src[label] == '-' || src[end-1] == '-' {
			return 0
		}
		if end == len(src) || src[end] != '.' {
			return end
		}
	}
}

func isOneOf(c byte, set string) bool {
	for i := range len(set) {
		if set[i] == c {
			return true
		}
	}
	return false
}

// The forms of HTML that end with a string of their own.
const (
	htmlComment = iota
	htmlInstruction
	htmlDeclaration
	htmlCDATA
	htmlForms
)

// htmlEnd returns the end of the HTML whose '<' stands before i, or 0.
func (t *inlineText) htmlEnd(i int) int {
	rest := t.src[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("!--")):
		i += len("!--")
		if bytes.HasPrefix(t.src[i:], []byte(">")) {
			return i + 1
		}
		if bytes.HasPrefix(t.src[i:], []byte("->")) {
			return i + 2
		}
		return t.endsWith(i, "-->", htmlComment)
	case bytes.HasPrefix(rest, []byte("?")):
		return t.endsWith(i+1, "?>", htmlInstruction)
	case bytes.HasPrefix(rest, []byte("![CDATA[")):
		return t.endsWith(i+len("![CDATA["), "]]>", htmlCDATA)
	case len(rest) > 1 && rest[0] == '!' && isLetter(rest[1]):
		return t.endsWith(i+2, ">", htmlDeclaration)
	case bytes.HasPrefix(rest, []byte("/")):
		return closingTagEnd(t.src, i+1)
	}
	return openingTagEnd(t.src, i)
}

// endsWith returns the offset after the next closing from i on, or 0.
func (t *inlineText) endsWith(i int, closing string, form int) int {
	if t.unclosed[form] {
		return 0
	}
	n := bytes.Index(t.src[i:], []byte(closing))
	if n < 0 {
		t.unclosed[form] = true
		return 0
	}
	return i + n + len(closing)
}

// closingTagEnd returns the end of the closing tag whose name begins at i, or 0.
func closingTagEnd(src []byte, i int) int {
	n := tagNameLen(src[i:])
	if n == 0 {
		return 0
	}
	i = skipWhite(src, i+n)
	if i == len(src) || src[i] != '>' {
		return 0
	}
	return i + 1
}

// openingTagEnd returns the end of the opening tag whose name begins at i, or 0.
func openingTagEnd(src []byte, i int) int {
	n := tagNameLen(src[i:])
	if n == 0 {
		return 0
	}
	for i += n; ; {
		next := skipWhite(src, i)
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
	if !isLetter(src[i]) && src[i] != '_' && src[i] != ':' {
		return 0
	}
	for i < len(src) && (isLetter(src[i]) || isDigit(src[i]) || isOneOf(src[i], "_.:-")) {
		i++
	}
	value := skipWhite(src, i)
	if value == len(src) || src[value] != '=' {
		return i
	}
	value = skipWhite(src, value+1)
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
	for end < len(src) && !isOneOf(src[end], " \t\n\"'=<>`") {
		end++
	}
	if end == value {
		return 0
	}
	return end
}
