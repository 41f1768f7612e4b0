package anchors

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/markdown"
)

// GitLab: https://docs.gitlab.com/user/markdown/#heading-ids-and-links. Of a heading's
// first 255 characters, in lower case, all that is no letter, mark, digit, '_', '-' or
// space is removed, each space becomes '-', several '-' become one, and digits alone get
// "anchor-" before them; a slug that comes again gets the number of times that it came
// before.

// gitLabSlug appends the slug of heading b by the rule of GitLab.
func gitLabSlug(dst []byte, doc *markdown.Document, b int) []byte {
	var room [128]byte
	text := doc.AppendTextContent(room[:0], b)
	start := len(dst)
	for _, r := range strings.Trim(string(clipped(text, 255)), " \t\n\v\f\r\x00") {
		switch {
		case r == ' ' || r == '-':
			if n := len(dst); n == start || dst[n-1] != '-' {
				dst = append(dst, '-')
			}
		case r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			dst = appendLower(dst, r)
		}
	}
	if slug := string(dst[start:]); slug != "" && strings.Trim(slug, "0123456789") == "" {
		dst = append(append(dst[:start], "anchor-"...), slug...)
	}
	return dst
}

// clipped returns the first so many characters of a text.
func clipped(text []byte, most int) []byte {
	end := 0
	for n := 0; n < most && end < len(text); n++ {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return text[:end]
}

// counted is the rule of GitLab for an anchor that is taken: it doesn't look whether a
// number makes the anchor of another heading.
func (t taken) counted(slug string) string {
	n, taken := t[slug]
	if !taken {
		t[slug] = 0
		return slug
	}
	t[slug] = n + 1
	return slug + "-" + strconv.Itoa(n+1)
}
