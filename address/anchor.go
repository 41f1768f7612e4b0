package address

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// Anchors of headings are made by the rule of the document's dialect (dialect.go). That of
// GitHub, the usual one: the text content of the heading's element in lower case without
// anything but letters, digits, '_', '-' and spaces, each of which becomes '-'; and one
// that is taken gets the first number that makes it a new one. Headings in quotes and
// items take anchors too, so they count, although they open no section.

// anchors hands out anchors in the order in which headings come.
type anchors map[string]int // the last number tried for a slug that is taken

// take returns the anchor of the next heading with the slug.
func (a anchors) take(slug string) string {
	n, taken := a[slug]
	if !taken {
		a[slug] = 0
		return slug
	}
	for {
		n++
		numbered := slug + "-" + strconv.Itoa(n)
		if _, taken := a[numbered]; !taken {
			a[slug], a[numbered] = n, 0
			return numbered
		}
	}
}

// Anchors returns the anchor of each section of the document, by its index: the name
// that the document's dialect gives its heading, with the '#' before it, "#install", and
// for a second one "#install-1" on GitHub. It is empty for a heading that has nothing to
// make one of, as "## !?" hasn't on GitHub or one of the reader's own, and for one whose anchor
// leads elsewhere.
func Anchors(doc *markdown.Document) []string {
	all := make([]string, len(doc.Sections))
	written := writtenPlaces(doc, elementsOf(doc))
	twins := ruleOf(doc).twins
	given := map[string]bool{} // if there can be twins
	for b, anchor := range headingAnchors(doc) {
		leads := anchor != "" && !given[anchor]
		if twins {
			given[anchor] = true
		}
		if place, exact := written.Find(anchor); place != nil && exact {
			leads = leads && (place.Block == b || place.Node(doc) == NodeOfBlock(doc, b))
		}
		if doc.Blocks[b].Parent >= 0 {
			continue
		}
		if leads {
			all[NodeOfBlock(doc, b).Section] = "#" + fragmentOf(anchor)
		}
	}
	return all
}

// headingAnchors yields each heading's block with the anchor that the dialect gives it,
// without '#', empty for none.
func headingAnchors(doc *markdown.Document) iter.Seq2[int, string] {
	rule := ruleOf(doc)
	return func(yield func(int, string) bool) {
		taken := rule.taken(doc)
		slug := make([]byte, 0, 256)
		for b := range doc.Blocks {
			if !doc.Blocks[b].HasAnchor() {
				continue
			}
			slug = rule.slug(slug[:0], doc, b)
			if !yield(b, rule.take(taken, string(slug))) {
				return
			}
		}
	}
}

// fragmentOf returns an anchor as it stands behind '#': white space, which no address has,
// and '%' are percent-encoded.
func fragmentOf(anchor string) string {
	if !strings.ContainsFunc(anchor, func(r rune) bool { return r == '%' || unicode.IsSpace(r) }) {
		return anchor
	}
	var out []byte
	for _, r := range anchor {
		if r == '%' || unicode.IsSpace(r) {
			for _, c := range []byte(string(r)) {
				out = fmt.Appendf(out, "%%%02X", c)
			}
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// headingSlug appends the slug of heading b.
func headingSlug(dst []byte, doc *markdown.Document, b int) []byte {
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

// appendLower appends a letter in lower case. U+0130 is the only one that has two
// characters then, as SpecialCasing.txt of Unicode says.
func appendLower(dst []byte, r rune) []byte {
	if r == '\u0130' {
		return append(dst, "i\u0307"...)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// slugByte returns what a byte of ASCII becomes in a slug, 0 for nothing.
func slugByte(c byte) byte {
	switch {
	case 'a' <= c && c <= 'z', isDigit(c), c == '_', c == '-':
		return c
	case 'A' <= c && c <= 'Z':
		return c + ('a' - 'A')
	case c == ' ':
		return '-'
	}
	return 0
}

// anchorQuery is an anchor that is looked for. Which number a heading gets
// depends only on the headings whose slugs are the same up to numbers at their
// ends, so no other one needs a title.
type anchorQuery struct {
	want string
	root string // want without numbers at its end
}

func newAnchorQuery(name string) anchorQuery {
	var lower []byte
	for _, r := range name {
		lower = appendLower(lower, r)
	}
	want := string(lower)
	return anchorQuery{want: want, root: withoutNumbers(want)}
}

// find returns the block of the heading that has the anchor, or -1, and whether
// others have the same slug.
func (q anchorQuery) find(doc *markdown.Document) (found int, repeated bool) {
	given := anchors{}
	found = -1
	var own string
	times := map[string]int{}
	var slug []byte
	for b := range doc.Blocks {
		if !doc.Blocks[b].HasAnchor() {
			continue
		}
		var ok bool
		if slug, ok = q.slug(slug[:0], doc, b); !ok {
			continue
		}
		times[string(slug)]++
		if given.take(string(slug)) == q.want {
			found, own = b, string(slug)
		}
	}
	return found, times[own] > 1
}

// slug appends the slug of heading b, and reports whether it is the root with
// numbers or none after it.
func (q anchorQuery) slug(dst []byte, doc *markdown.Document, b int) ([]byte, bool) {
	source := headingText(doc, b)
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
		dst = headingSlug(dst[:0], doc, b)
	}
	return dst, strings.HasPrefix(string(dst), q.root) && onlyNumbers(string(dst[len(q.root):]))
}

// maySlug reports whether the slug of a heading with this source may begin with
// the root: whether its bytes are among the source's in their order.
func (q anchorQuery) maySlug(source []byte) bool {
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

// percentDecoded returns an anchor as it is copied from a browser without its
// percent encoding. What is none stays.
func percentDecoded(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// lookUpAnchor looks for the part of the document that has an anchor: a name that somebody
// has written down, or else the section that the dialect gives it.
func lookUpAnchor(doc *markdown.Document, s string) *lookup {
	name := percentDecoded(s[1:])
	if mayBeWritten(doc.Source, name) {
		if p, _ := writtenPlaces(doc, elementsOf(doc)).Find(name); p != nil {
			return &lookup{nodes: []Node{p.Node(doc)}, byPosition: p.Kind == ElementPlace}
		}
	}
	b, repeated := findAnchor(doc, name)
	if b >= 0 && doc.Blocks[b].Parent < 0 {
		return &lookup{nodes: []Node{NodeOfBlock(doc, b)}, byPosition: repeated}
	}
	l := &lookup{miss: "no heading has the anchor " + runes.Quoted(s)}
	l.closest = closestTo{strings.ReplaceAll(name, "-", " "), everywhere(doc)}
	if b >= 0 {
		l.miss = "the heading with the anchor " + runes.Quoted(s) + " stands in a quote, an item or a footnote and opens no section"
		if n := NodeOfBlock(doc, b); SelectorOf(doc, n) != "" {
			l.instead = []Candidate{CandidateOf(doc, n)}
		}
	}
	return l
}
