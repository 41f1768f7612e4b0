package syntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Labels match when their case foldings do, and the specification means the
// full folding, which has characters become several ("ẞ" is "ss"). The standard
// library only knows the simple one. golang.org/x/text/cases knows both, but
// costs every start of a program 0.08 ms of tables, and there are only 104 such
// characters, most of them regular.

// AppendLabel appends the form in which labels are compared (4.7): case folded, without
// white space around it, with one space for any inside it.
func AppendLabel(dst, label []byte) []byte {
	dst = slices.Grow(dst, len(label))
	start := len(dst)
	space := false
	for i := 0; i < len(label); {
		c := label[i]
		if IsWhite(c) {
			space = len(dst) > start
			i++
			continue
		}
		if space {
			dst = append(dst, ' ')
			space = false
		}
		r, n := utf8.DecodeRune(label[i:])
		switch {
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case c == 0: // 2.3
			dst = utf8.AppendRune(dst, utf8.RuneError)
		case n == 1: // the rest of ASCII, and bytes that are no UTF-8
			dst = append(dst, c)
		default:
			dst = appendFolded(dst, r)
		}
		i += n
	}
	return dst
}

// appendFolded appends the full case folding of r.
func appendFolded(dst []byte, r rune) []byte {
	if full := foldedToMany(r); full != "" {
		return append(dst, full...)
	}
	if base, ok := foldedToIota(r); ok {
		return utf8.AppendRune(utf8.AppendRune(dst, base), 'ι')
	}
	if r != 'ı' { // its upper case is that of i, with which it is not to match
		r = unicode.ToLower(unicode.ToUpper(r))
	}
	return utf8.AppendRune(dst, r)
}

// foldedToIota returns the letter before the iota to which r, a Greek letter
// with an iota below or beside it, is folded.
func foldedToIota(r rune) (base rune, ok bool) {
	switch {
	case r >= 0x1F80 && r <= 0x1FAF: // 8 small ones and 8 capitals of each of 3 letters
		return [...]rune{0x1F00, 0x1F20, 0x1F60}[(r-0x1F80)/16] + r%8, true
	case r == 0x1FB3 || r == 0x1FBC:
		return 'α', true
	case r == 0x1FC3 || r == 0x1FCC:
		return 'η', true
	case r == 0x1FF3 || r == 0x1FFC:
		return 'ω', true
	}
	i := strings.IndexRune("\u1FB2\u1FC2\u1FF2\u1FB4\u1FC4\u1FF4", r)
	if i < 0 {
		return 0, false
	}
	return [...]rune{0x1F70, 0x1F74, 0x1F7C, 'ά', 'ή', 'ώ'}[i/len("\u1FB2")], true
}

// foldedToMany returns the folding of every other character that is folded to
// several, or "".
func foldedToMany(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'İ':
		return "i\u0307"
	case 'ŉ':
		return "\u02BCn"
	case 'ǰ':
		return "j\u030C"
	case 'և':
		return "\u0565\u0582"
	case 0x1E96:
		return "h\u0331"
	case 0x1E97:
		return "t\u0308"
	case 0x1E98:
		return "w\u030A"
	case 0x1E99:
		return "y\u030A"
	case 0x1E9A:
		return "a\u02BE"
	case 0xFB00:
		return "ff"
	case 0xFB01:
		return "fi"
	case 0xFB02:
		return "fl"
	case 0xFB03:
		return "ffi"
	case 0xFB04:
		return "ffl"
	case 0xFB05, 0xFB06:
		return "st"
	case 0xFB13:
		return "\u0574\u0576"
	case 0xFB14:
		return "\u0574\u0565"
	case 0xFB15:
		return "\u0574\u056B"
	case 0xFB16:
		return "\u057E\u0576"
	case 0xFB17:
		return "\u0574\u056D"
	}
	return foldedGreek(r)
}

// foldedGreek returns the folding of the Greek letters with marks that no
// single capital has, or "".
func foldedGreek(r rune) string {
	switch r {
	case 0x0390, 0x1FD3:
		return "ι\u0308\u0301"
	case 0x03B0, 0x1FE3:
		return "υ\u0308\u0301"
	case 0x1F50:
		return "υ\u0313"
	case 0x1F52:
		return "υ\u0313\u0300"
	case 0x1F54:
		return "υ\u0313\u0301"
	case 0x1F56:
		return "υ\u0313\u0342"
	case 0x1FB6:
		return "α\u0342"
	case 0x1FB7:
		return "α\u0342ι"
	case 0x1FC6:
		return "η\u0342"
	case 0x1FC7:
		return "η\u0342ι"
	case 0x1FD2:
		return "ι\u0308\u0300"
	case 0x1FD6:
		return "ι\u0342"
	case 0x1FD7:
		return "ι\u0308\u0342"
	case 0x1FE2:
		return "υ\u0308\u0300"
	case 0x1FE4:
		return "ρ\u0313"
	case 0x1FE6:
		return "υ\u0342"
	case 0x1FE7:
		return "υ\u0308\u0342"
	case 0x1FF6:
		return "ω\u0342"
	case 0x1FF7:
		return "ω\u0342ι"
	}
	return ""
}
