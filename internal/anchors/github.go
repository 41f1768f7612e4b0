package anchors

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// GitHub, the usual dialect: the text content of the heading's element in lower case without
// anything but letters, digits, '_', '-' and spaces, each of which becomes '-'; and one
// that is taken gets the first number that makes it a new one.

// gitHubSlug appends the slug of heading b by the rule of GitHub.
func gitHubSlug(dst []byte, doc *markdown.Document, b int) []byte {
	text := doc.AppendTextContent(dst, b)
	slug := appendSlug(text, text[len(dst):])
	return append(dst, slug[len(text):]...)
}

// appendSlug appends the slug of a text.
func appendSlug(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r == ' ':
			dst = append(dst, '-')
		case r < utf8.RuneSelf:
			if c := slugByte(byte(r)); c != 0 {
				dst = append(dst, c)
			}
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic):
			dst = appendLower(dst, r)
		}
	}
	return dst
}

// slugByte returns what a byte of ASCII becomes in a slug, 0 for nothing.
func slugByte(c byte) byte {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '_', c == '-':
		return c
	case 'A' <= c && c <= 'Z':
		return c + ('a' - 'A')
	case c == ' ':
		return '-'
	}
	return 0
}

// numbered is the rule of GitHub for an anchor that is taken.
func (t taken) numbered(slug string) string {
	n, taken := t[slug]
	if !taken {
		t[slug] = 0
		return slug
	}
	for {
		n++
		numbered := slug + "-" + strconv.Itoa(n)
		if _, taken := t[numbered]; !taken {
			t[slug], t[numbered] = n, 0
			return numbered
		}
	}
}

// findGitHub returns where the heading is that has the anchor in the dialect of GitHub, or block
// -1, and whether others have the same slug.
func findGitHub(doc *markdown.Document, name string) (at Spot, repeated bool) {
	return newQuery(name).find(doc)
}

// query is an anchor that is looked for. Which number a heading gets depends only on the
// headings whose slugs are the same up to numbers at their ends, so no other one needs a title.
type query struct {
	want string
	root string // want without numbers at its end
}

func newQuery(name string) query {
	want := Lower(name)
	return query{want: want, root: withoutNumbers(want)}
}

// find returns where the heading is that has the anchor, or block -1, and whether
// others have the same slug.
func (q query) find(doc *markdown.Document) (found Spot, repeated bool) {
	given := taken{}
	found.Block = -1
	var own string
	times := map[string]int{}
	var slug []byte
	for at, h := range headings(doc) {
		var ok bool
		if h != nil {
			slug = h.slug(slug[:0])
			ok = q.fits(slug)
		} else {
			slug, ok = q.slug(slug[:0], doc, at.Block)
		}
		if !ok {
			continue
		}
		times[string(slug)]++
		if given.numbered(string(slug)) == q.want {
			found, own = at, string(slug)
		}
	}
	return found, times[own] > 1
}

// slug appends the slug of heading b, and reports whether it is the root with
// numbers or none after it.
func (q query) slug(dst []byte, doc *markdown.Document, b int) ([]byte, bool) {
	source := HeadingText(doc, b)
	plain := doc.Blocks[b].EndLine-doc.Blocks[b].StartLine <= 1 || !doc.Blocks[b].Setext()
	for _, c := range source {
		if runes.PlainFold[c] == 0 {
			plain = false
			break
		}
		if s := slugByte(c); s != 0 {
			if n := len(dst); n < len(q.root) && q.root[n] != s {
				break // and what follows doesn't matter
			}
			dst = append(dst, s)
		}
	}
	if !plain {
		if !q.maySlug(source) {
			return dst, false
		}
		dst = gitHubSlug(dst[:0], doc, b)
	}
	return dst, q.fits(dst)
}

// fits reports whether a slug is the root with numbers or none after it.
func (q query) fits(slug []byte) bool {
	return strings.HasPrefix(string(slug), q.root) && onlyNumbers(string(slug[len(q.root):]))
}

// maySlug reports whether the slug of a heading with this source may begin with
// the root: whether its bytes are among the source's in their order.
func (q query) maySlug(source []byte) bool {
	i := 0
	for _, c := range source {
		if i == len(q.root) || c == '&' || c == 0 || c >= utf8.RuneSelf {
			return true // the title may hold what is not in the source
		}
		if c == '\t' || c == '\n' || c == '\r' {
			c = ' '
		}
		if slugByte(c) == q.root[i] {
			i++
		}
	}
	return i == len(q.root)
}

// withoutNumbers returns s without "-1", "-2-1" and the like at its end.
func withoutNumbers(s string) string {
	for {
		t := strings.TrimRight(s, "0123456789")
		if len(t) == len(s) || !strings.HasSuffix(t, "-") {
			return s
		}
		s = t[:len(t)-1]
	}
}

// onlyNumbers reports whether s is "-1", "-2-1" and the like, or empty.
func onlyNumbers(s string) bool { return withoutNumbers(s) == "" }
