package syntax

import (
	"bytes"
	"unicode/utf8"
)

// GFM makes links of addresses that stand in the text without any mark. Their
// text is what the source has, which would need no code at all, did it not say
// that nothing in them is markup: the underscores of https://host/_a_/ stay.
// Email addresses are looked for when emphasis is settled.

// AutolinkEnd returns the offset after the '>' of the autolink whose address
// begins at i (6.5), or 0, and whether it is an email address.
func AutolinkEnd(src []byte, i int) (end int, email bool) {
	if i == len(src) {
		return 0, false
	}
	end = uriEnd(src, i)
	if end == 0 {
		end, email = emailEnd(src, i), true
	}
	if end == 0 || end == len(src) || src[end] != '>' {
		return 0, false
	}
	return end + 1, email
}

// uriEnd returns the end of the absolute URI at i, or 0.
func uriEnd(src []byte, i int) int {
	if !IsLetter(src[i]) {
		return 0
	}
	end := i
	for end < len(src) && end-i <= 32 && (IsLetter(src[end]) || IsDigit(src[end]) || isOneOf(src[end], "+.-")) {
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
	for end < len(src) && (IsLetter(src[end]) || IsDigit(src[end]) || isOneOf(src[end], ".!#$%&'*+/=?^_`{|}~-")) {
		end++
	}
	if end == i || end == len(src) || src[end] != '@' {
		return 0
	}
	for {
		label := end + 1
		for end = label; end < len(src) && (IsLetter(src[end]) || IsDigit(src[end]) || src[end] == '-'); {
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

// A URLReader finds addresses in one text that stand there without any mark (GFM 6.9).
type URLReader struct {
	badHost int // no domain begins before this offset
}

// Range returns the range of the address of whose beginning the ':' or 'w' is at i, or an
// end of 0 and the offset from which to go on. Of src nothing before from counts. Calls
// go from left to right through the same src.
func (r *URLReader) Range(src []byte, from, i int) (start, end int) {
	start, host := i, i
	if src[i] == ':' {
		if !bytes.HasPrefix(src[i:], []byte("://")) {
			return i + 1, 0
		}
		n := schemeLen(src[from:i])
		if n == 0 {
			return i + 1, 0
		}
		start, host = i-n, i+len("://")
	} else if !bytes.HasPrefix(src[i:], []byte("www.")) || i > from && !isOneOf(src[i-1], " \t\n\r*_~(") {
		return i + 1, 0
	}
	if end = r.hostEnd(src, host); end == 0 {
		return i + 1, 0
	}
	for end < len(src) && !IsWhite(src[end]) && src[end] != '<' {
		end++
	}
	if n := trimURL(src[host:end]); n > 0 {
		return start, host + n
	}
	return host, 0
}

// schemeLen returns the length of the scheme at the end of s of which GFM makes links, or
// 0. The specification names what may stand before it; GitHub's parser takes anything
// but a letter.
func schemeLen(s []byte) int {
	for _, scheme := range []string{"https", "http", "ftp"} {
		n := len(s) - len(scheme)
		if n >= 0 && bytes.EqualFold(s[n:], []byte(scheme)) && (n == 0 || !IsLetter(s[n-1])) {
			return len(scheme)
		}
	}
	return 0
}

// hostEnd returns the end of the domain at i, or 0: labels of letters, digits,
// '-' and '_', no '_' in the last two. The specification wants a dot among them;
// its own parser doesn't, so that localhost is one too.
func (r *URLReader) hostEnd(src []byte, i int) int {
	if i < r.badHost || flankAfter(src, i) != flankText {
		return 0
	}
	end := i
	for end < len(src) {
		c, n := src[end], 1
		if c >= utf8.RuneSelf {
			_, n = utf8.DecodeRune(src[end:])
		}
		if c != '.' && c != '-' && c != '_' && flankAfter(src, end) != flankText {
			break
		}
		end += n
	}
	domain := src[i:end]
	dot := max(0, bytes.LastIndexByte(domain, '.'))
	lastTwo := bytes.LastIndexByte(domain[:dot], '.') + 1
	if n := bytes.LastIndexByte(domain[lastTwo:], '_'); n >= 0 {
		r.badHost = i + lastTwo + n + 1
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
	for i > 0 && (IsLetter(s[i-1]) || IsDigit(s[i-1])) {
		i--
	}
	if i > 0 && i < len(s) && s[i-1] == '&' {
		return i - 1
	}
	return len(s)
}

// EmailRange returns the range of the email address around the '@' at i (GFM 6.9), with
// "mailto:" or "xmpp:" before it, or an end of 0. Of src nothing before from counts.
func EmailRange(src []byte, from, i int) (start, end int) {
	start = i
	for start > from && (IsAlnum(src[start-1]) || isOneOf(src[start-1], ".+-_")) {
		start--
	}
	if start == i {
		return 0, 0
	}
	xmpp := false
	for _, scheme := range []string{"mailto:", "xmpp:"} {
		n := start - len(scheme)
		if n >= from && bytes.EqualFold(src[n:start], []byte(scheme)) && (n == from || !IsAlnum(src[n-1])) {
			start, xmpp = n, scheme == "xmpp:"
		}
	}
	dots := 0
	for end = i + 1; end < len(src); end++ {
		c := src[end]
		if c == '.' && end+1 < len(src) && IsAlnum(src[end+1]) {
			dots++
			continue
		}
		if !IsAlnum(c) && c != '-' && c != '_' {
			break
		}
	}
	if dots == 0 || !IsLetter(src[end-1]) || end < len(src) && src[end] == '@' {
		return 0, 0
	}
	if xmpp && end+1 < len(src) && src[end] == '/' && isResource(src[end+1]) {
		for end++; end < len(src) && isResource(src[end]); {
			end++
		}
		for src[end-1] == '.' { // of the sentence
			end--
		}
	}
	return start, end
}

// isResource reports whether c may stand in the resource at the end of an address of XMPP.
func isResource(c byte) bool { return IsAlnum(c) || c == '@' || c == '.' }
