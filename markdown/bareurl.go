package markdown

import (
	"bytes"
	"unicode/utf8"
)

// GFM makes links of addresses that stand in the text without any mark. Their
// text is what the source has, which would need no code at all, did it not say
// that nothing in them is markup: the underscores of https://host/_a_/ stay.
// Email addresses are left out, for GFM looks for them when emphasis is settled.

// bareURL reads the ':' or 'w' at i, which may stand in the start of an address
// (GFM 6.9), and returns the offset from which to go on.
func (t *inlineText) bareURL(i int) int {
	if len(t.brackets) > 0 { // in what may be a link there are no others
		return i + 1
	}
	host := i
	if t.src[i] == ':' {
		if !bytes.HasPrefix(t.src[i:], []byte("://")) || !endsWithScheme(t.src[:i]) {
			return i + 1
		}
		host += len("://")
	} else if !bytes.HasPrefix(t.src[i:], []byte("www.")) || i > 0 && !isOneOf(t.src[i-1], " \t\n*_~(") {
		return i + 1
	}
	end := t.hostEnd(host)
	if end == 0 {
		return i + 1
	}
	for end < len(t.src) && !isOneOf(t.src[end], " \t\n<") {
		end++
	}
	return host + trimURL(t.src[host:end])
}

// endsWithScheme reports whether the last word of s is a scheme of which GFM
// makes links. The specification names what may stand before it; GitHub's
// parser takes anything but a letter.
func endsWithScheme(s []byte) bool {
	for _, scheme := range []string{"https", "http", "ftp"} {
		n := len(s) - len(scheme)
		if n >= 0 && bytes.EqualFold(s[n:], []byte(scheme)) {
			return n == 0 || !isLetter(s[n-1])
		}
	}
	return false
}

// hostEnd returns the end of the domain at i, or 0: labels of letters, digits,
// '-' and '_', no '_' in the last two. The specification wants a dot among them;
// its own parser doesn't, so that localhost is one too.
func (t *inlineText) hostEnd(i int) int {
	if i < t.badHost || flankAfter(t.src, i) != flankText {
		return 0
	}
	end := i
	for end < len(t.src) {
		r, n := utf8.DecodeRune(t.src[end:])
		if r != '.' && r != '-' && r != '_' && flankOf(r) != flankText {
			break
		}
		end += n
	}
	domain := t.src[i:end]
	dot := max(0, bytes.LastIndexByte(domain, '.'))
	lastTwo := bytes.LastIndexByte(domain[:dot], '.') + 1
	if n := bytes.LastIndexByte(domain[lastTwo:], '_'); n >= 0 {
		t.badHost = i + lastTwo + n + 1
		return 0
	}
	return end
}

// trimURL returns the length of url without what GFM takes for the sentence's
// own: punctuation at the end, parentheses without an opening one, entities.
func trimURL(url []byte) int {
	opened := bytes.Count(url, []byte("("))
	closed := bytes.Count(url, []byte(")"))
	n := len(url)
	for n > 0 {
		switch c := url[n-1]; {
		case isOneOf(c, "?!.,:*_~'\""):
		case c == ')' && closed > opened:
			closed--
		case c == ';':
			n = entityStart(url[:n-1]) + 1
		default:
			return n
		}
		n--
	}
	return n
}

// entityStart returns the offset of the '&' of the name at the end of s, or the
// end of s.
func entityStart(s []byte) int {
	i := len(s)
	for i > 0 && (isLetter(s[i-1]) || isDigit(s[i-1])) {
		i--
	}
	if i > 0 && i < len(s) && s[i-1] == '&' {
		return i - 1
	}
	return len(s)
}
