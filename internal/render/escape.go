package render

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/syntax"
)

// appendEscaped appends text as it is written in HTML.
func appendEscaped(dst, text []byte) []byte {
	from := 0
	for i, c := range text {
		var s string
		switch c {
		case '&':
			s = "&amp;"
		case '<':
			s = "&lt;"
		case '>':
			s = "&gt;"
		case '"':
			s = "&quot;"
		case 0:
			s = string(utf8.RuneError)
		default:
			continue
		}
		dst = append(append(dst, text[from:i]...), s...)
		from = i + 1
	}
	return append(dst, text[from:]...)
}

const hexDigits = "0123456789ABCDEF"

// appendAddress appends an address as it is written in an attribute: percent-encoded
// where it must be, and what is encoded already left alone.
func appendAddress(dst, address []byte) []byte {
	for _, c := range address {
		switch {
		case c == '&':
			dst = append(dst, "&amp;"...)
		case c == '\'':
			dst = append(dst, "&#x27;"...)
		case syntax.IsAlnum(c), strings.IndexByte("-_.+!*(),%#@?=;:/$~", c) >= 0:
			dst = append(dst, c)
		default:
			dst = append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return dst
}

// isSafe reports whether a browser runs no code when the address is followed. Of images
// the data may stand in the address.
func isSafe(address []byte, image bool) bool {
	address = bytes.TrimLeftFunc(address, func(r rune) bool { return r <= ' ' })
	colon := bytes.IndexAny(address, ":/?#")
	if colon < 0 || address[colon] != ':' {
		return true
	}
	// Browsers leave out tabs and line endings in a scheme.
	scheme := bytes.ToLower(bytes.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, address[:colon]))
	switch string(scheme) {
	case "javascript", "vbscript", "file":
		return false
	case "data":
		if !image {
			return false
		}
		for _, kind := range []string{"image/png", "image/gif", "image/jpeg", "image/webp"} {
			if bytes.HasPrefix(bytes.ToLower(address[colon+1:min(len(address), colon+1+len("image/jpeg"))]), []byte(kind)) {
				return true
			}
		}
		return false
	}
	return true
}

// rawHTML writes HTML, without the tags that GFM disallows (6.11).
func (w *writer) rawHTML(text []byte) {
	from := 0
	for i := 0; w.gfm && !w.options.NoTagFilter && i < len(text); i++ {
		if text[i] == '<' && isDisallowed(text[i+1:]) {
			w.out = append(append(w.out, text[from:i]...), "&lt;"...)
			from = i + 1
		}
	}
	w.out = append(w.out, text[from:]...)
}

// isDisallowed reports whether what follows a '<' is a tag that GFM disallows.
func isDisallowed(s []byte) bool {
	if len(s) > 0 && s[0] == '/' {
		s = s[1:]
	}
	n := syntax.TagNameLen(s)
	switch string(bytes.ToLower(s[:min(n, len("plaintext"))])) {
	case "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext":
		return n <= len("plaintext") && n < len(s) && (syntax.IsWhite(s[n]) || s[n] == '>' || s[n] == '/')
	}
	return false
}
