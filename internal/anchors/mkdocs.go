package anchors

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/markdown"
)

// Python-Markdown 3: the functions slugify and unique of its extension toc, with '-'
// between words, and without Unicode. Accents are cut from letters, all else that isn't
// ASCII is dropped.

// mkDocsSlug appends the slug of heading b by the rule of Python-Markdown; its attributes
// if it has an id there.
func mkDocsSlug(dst []byte, doc *markdown.Document, b int) []byte {
	if id, ok := OwnID(doc, b); ok {
		return append(append(dst, ownID), doc.Text(id)...)
	}
	var room [128]byte
	text := doc.AppendTextContent(room[:0], b)
	start := len(dst)
	space := func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' || 0x1c <= c && c <= 0x1f }
	text = text[:len(WithoutAttributes(doc, b, string(text)))]
	kept := make([]byte, 0, len(text))
	for _, c := range norm.NFKD.Bytes(text) {
		if isAlphanumeric(c) || c == '_' || c == '-' || space(c) {
			kept = append(kept, c)
		}
	}
	for len(kept) > 0 && space(kept[0]) {
		kept = kept[1:]
	}
	for len(kept) > 0 && space(kept[len(kept)-1]) {
		kept = kept[:len(kept)-1]
	}
	for _, c := range kept {
		switch {
		case c == '-' || space(c):
			if n := len(dst); n == start || dst[n-1] != '-' {
				dst = append(dst, '-')
			}
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c+('a'-'A'))
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// What the extension attr_list of Python-Markdown takes for attributes behind a heading, which is
// read from the last element in it on, and for one of them.
var (
	attrList = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[ ]\{:?[ ]*[^} ].*\}$`) })
	attr     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:([^ =}]+)=(".*?"|'.*?'|[^ =}]+)|[^ =}]+|[ ])`)
	})
)

// mkDocsAttributes returns where the attributes of heading b stand, given its last line, and whether
// there are some. Words alone are none: an author who writes "Delete {name}" means a text.
func mkDocsAttributes(doc *markdown.Document, b int, line markdown.Span) (at markdown.Span, ok bool) {
	if !bytes.HasSuffix(doc.Text(line), []byte("}")) {
		return at, false
	}
	nodes := doc.Inlines(b).Nodes
	for i := 0; i < len(nodes); i = int(nodes[i].Next) {
		switch end := int(nodes[i].End); nodes[i].Kind {
		case markdown.InlineCode, markdown.InlineEmphasis, markdown.InlineStrong, markdown.InlineLink, markdown.InlineImage, markdown.InlineAutolink:
			line.Start = max(line.Start, end)
		case markdown.InlineEscape:
			if end == line.End {
				return at, false
			}
		}
	}
	m := attrList().FindIndex(untabbed(doc, line))
	if m == nil {
		return at, false
	}
	at = markdown.Span{Start: line.Start + m[0] + 1, End: line.End}
	_, ok = mkDocsID(doc, at)
	return at, ok
}

// mkDocsID returns where the id stands in what may be attributes, the last of several, empty for
// none, and whether they are attributes.
func mkDocsID(doc *markdown.Document, at markdown.Span) (id markdown.Span, ok bool) {
	text := untabbed(doc, at)
	for i := len("{"); i < len(text)-len("}"); {
		rest := text[i : len(text)-len("}")]
		m := attr().FindSubmatchIndex(rest)
		if m == nil { // what follows means nothing, but a brace
			return id, ok && bytes.IndexByte(rest, '}') < 0
		}
		begin, end, isID := 1, m[1], rest[0] == '#' // of the value
		switch {
		case m[2] >= 0: // it has a name
			isID, begin, ok = string(rest[:m[3]]) == "id", m[4], true
			if c := rest[begin]; end-begin > 1 && (c == '"' || c == '\'') && rest[end-1] == c {
				begin, end = begin+1, end-1
			}
		case isID, rest[0] == '.':
			ok = true
		}
		if isID {
			id = markdown.Span{Start: at.Start + i + begin, End: at.Start + i + end}
		}
		i += m[1]
	}
	return id, ok
}

// untabbed returns a part of a heading's line with a space for each tab.
func untabbed(doc *markdown.Document, at markdown.Span) []byte {
	return bytes.ReplaceAll(doc.Text(at), []byte("\t"), []byte(" "))
}

// ownID begins a slug that is an id of its own, which is taken already.
const ownID = '#'

// underscored is the rule of Python-Markdown for an anchor that is taken: a number behind '_'
// is counted up until the anchor is new, and a heading without a text has one too. Of an anchor
// that is taken there is the number to be tried next, so that no row is gone through twice.
func (t taken) underscored(slug string) string {
	if slug != "" && slug[0] == ownID {
		return slug[1:]
	}
	root, n := cutCount(slug)
	if _, taken := t[slug]; !taken && slug != "" {
		t[slug] = n + 1
		return slug
	}
	var passed []string
	for anchor := slug; ; {
		passed = append(passed, anchor)
		n = max(n+1, t[anchor])
		anchor = root + "_" + strconv.Itoa(n)
		if _, taken := t[anchor]; !taken {
			for _, p := range append(passed, anchor) {
				t[p] = n + 1
			}
			return anchor
		}
	}
}

// cutCount cuts '_' and a number off the end of an anchor; the number is 0 if there is none.
func cutCount(anchor string) (root string, n int) {
	i := strings.LastIndexByte(anchor, '_')
	if i < 0 || strings.Trim(anchor[i+1:], "0123456789") != "" {
		return anchor, 0
	}
	n, err := strconv.Atoi(anchor[i+1:])
	if err != nil || n > math.MaxInt/2 {
		return anchor, 0
	}
	return anchor[:i], n
}
