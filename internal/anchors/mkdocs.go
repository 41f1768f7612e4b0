package anchors

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/internal/runes"
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
	if _, ok := Attributes(doc, b); ok {
		text = text[:len(runes.CutAttributes(string(text)))]
	}
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
