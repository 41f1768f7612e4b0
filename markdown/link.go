package markdown

import (
	"bytes"
	"unicode/utf8"
)

// Of a link or an image only the text between its brackets stays, so all that
// has to be known is whether it is one, and where it ends. The label of a
// reference is compared as the source has it, which is why brackets remember
// where they stand, and why code here reads the source where the rest of the
// package would have escapes and entities resolved.

// bracket is an opening bracket that waits for the one that closes it.
type bracket struct {
	start      int32 // of "[" or "!["
	text       int32 // of what follows it
	delimiters int32 // how many runs were open before it
	nested     bool  // another bracket opened after it, so its text is no label
}

func (b *bracket) image() bool { return b.text-b.start == 2 }

// openBracket reads the bracket at i. What it begins starts at start, with the
// '!' of an image, if there is one.
func (t *inlineText) openBracket(start, i int) int {
	if n := len(t.brackets); n > 0 {
		t.brackets[n-1].nested = true
	}
	if end, ok := t.footnote(i); ok && (start == i || !t.followedByTarget(end)) {
		t.cut(i, end)
		return end
	}
	if n := len(t.brackets); n > 0 && i > t.lastClosing() {
		return i + 1 // nothing closes it; that one is open is known
	}
	t.brackets = append(roomFor(t.brackets, i, len(t.src)), bracket{
		start: int32(start), text: int32(i + 1), delimiters: int32(len(t.delimiters)),
	})
	return i + 1
}

// lastClosing returns the offset of the last ']', or -1.
func (t *inlineText) lastClosing() int {
	if !t.closingKnown {
		t.closing, t.closingKnown = bytes.LastIndexByte(t.src, ']'), true
	}
	return t.closing
}

// footnote returns the end of the footnote reference at i. It goes before a
// link with the same text, but not before an image.
func (t *inlineText) footnote(i int) (end int, ok bool) {
	if t.refs.footnote == nil || i+1 == len(t.src) || t.src[i+1] != '^' {
		return 0, false
	}
	label, end := linkLabel(t.src, i)
	if len(label) < 2 || bytes.ContainsAny(label, " \t\n") {
		return 0, false
	}
	return end, t.refs.footnote(normalizeLabel(label[1:]))
}

// followedByTarget reports whether the source goes on at i as it does after
// the text of a link with a target or a label of its own.
func (t *inlineText) followedByTarget(i int) bool {
	if _, ok := inlineTarget(t.src, i); ok {
		return true
	}
	label, _ := linkLabel(t.src, i)
	return t.definesLink(label)
}

// closeBracket reads the bracket at i (6.3, 6.4).
func (t *inlineText) closeBracket(i int) int {
	last := len(t.brackets) - 1
	if last < 0 {
		return i + 1
	}
	b := t.brackets[last]
	t.brackets = t.brackets[:last]
	dead := last < t.deadLinks && !b.image()
	t.deadLinks = min(t.deadLinks, last)
	if dead {
		return i + 1
	}
	end, ok := t.target(&b, i)
	if !ok {
		return i + 1
	}
	t.emphasis(int(b.delimiters))
	t.cut(int(b.start), int(b.text))
	t.cut(i, end)
	if b.image() && t.exact {
		t.take(int(b.text), i)
	}
	if !b.image() {
		t.deadLinks = last
	}
	return end
}

// target returns the end of the link or image whose text the bracket at i
// closes, if it is one.
func (t *inlineText) target(b *bracket, i int) (end int, ok bool) {
	if end, ok = inlineTarget(t.src, i+1); ok {
		return end, true
	}
	end = i + 1
	if label, labelEnd := linkLabel(t.src, i+1); label != nil {
		return labelEnd, t.definesLink(label)
	}
	if bytes.HasPrefix(t.src[end:], []byte("[]")) {
		end += 2
	}
	return end, !b.nested && t.definesLink(t.src[b.text:i])
}

// definesLink reports whether the document has a definition for label.
func (t *inlineText) definesLink(label []byte) bool {
	if t.refs.link == nil || len(label) > maxLabelBytes || utf8.RuneCount(label) > maxLabel {
		return false
	}
	normalized := normalizeLabel(label)
	return normalized != "" && t.refs.link(normalized)
}

// maxLabelBytes is what maxLabel characters take at most.
const maxLabelBytes = maxLabel * utf8.UTFMax

// linkLabel returns the label in the brackets at i, and the offset after them.
// It is nil where there is no label, as in "[]" and "[ ]".
func linkLabel(src []byte, i int) (label []byte, end int) {
	if i >= len(src) || src[i] != '[' {
		return nil, i
	}
	start := i + 1
	limit := min(len(src), start+maxLabelBytes+1)
	for end = start; end < limit && src[end] != ']'; end++ {
		switch src[end] {
		case '[':
			return nil, i
		case '\\':
			if end+1 < limit && isPunctuation(int(src[end+1])) {
				end++
			}
		}
	}
	if end >= limit {
		return nil, i
	}
	label = src[start:end]
	if len(bytes.Trim(label, " \t\n")) == 0 || utf8.RuneCount(label) > maxLabel {
		return nil, i
	}
	return label, end + 1
}

// inlineTarget returns the end of the "(destination title)" at i.
func inlineTarget(src []byte, i int) (end int, ok bool) {
	if i >= len(src) || src[i] != '(' {
		return 0, false
	}
	i, ok = linkDestination(src, skipWhite(src, i+1))
	if !ok {
		return 0, false
	}
	end = skipWhite(src, i)
	if end > i {
		end = skipWhite(src, linkTitle(src, end))
	}
	if end == len(src) || src[end] != ')' {
		return 0, false
	}
	return end + 1, true
}

// skipWhite returns the offset of the first byte from i on that is no space,
// tab or line ending. Blank lines never get here, so there is no need to count
// the endings.
func skipWhite(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\n') {
		i++
	}
	return i
}

// maxParens is how deeply parentheses may be nested in a destination, lest
// every one of many "](" reads to the end. The specification asks for 3 at least;
// cmark has 32.
const maxParens = 32

// linkDestination returns the end of the destination at i, which may be empty.
func linkDestination(src []byte, i int) (end int, ok bool) {
	if i < len(src) && src[i] == '<' {
		return pointedDestination(src, i)
	}
	depth := 0
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && i+1 < len(src) && isPunctuation(int(src[i+1])):
			i++
		case c == '(':
			if depth++; depth > maxParens {
				return 0, false
			}
		case c == ')':
			if depth == 0 {
				return i, true
			}
			depth--
		case isControlOrSpace(c):
			return i, depth == 0
		}
	}
	return i, depth == 0
}

// pointedDestination returns the end of the destination in '<' and '>' at i.
func pointedDestination(src []byte, i int) (end int, ok bool) {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '>':
			return i + 1, true
		case '<', '\n':
			return 0, false
		case '\\':
			if i+1 < len(src) && isPunctuation(int(src[i+1])) {
				i++
			}
		}
	}
	return 0, false
}

// linkTitle returns the end of the title at i, or i if there is none.
func linkTitle(src []byte, i int) int {
	if i == len(src) {
		return i
	}
	closing := src[i]
	switch closing {
	case '(':
		closing = ')'
	case '"', '\'':
	default:
		return i
	}
	for end := i + 1; end < len(src); end++ {
		switch c := src[end]; {
		case c == closing:
			return end + 1
		case c == '(' && closing == ')':
			return i
		case c == '\\':
			end++
		}
	}
	return i
}

// isControlOrSpace reports whether c is an ASCII control character or a space.
// NUL is neither, for it stands for U+FFFD (2.3).
func isControlOrSpace(c byte) bool { return c <= ' ' && c != 0 || c == 0x7F }
