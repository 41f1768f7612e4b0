package address

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// What differs between dialects of anchors is a row of one table, so that another one
// is another row.

// anchorRule is how a dialect makes the anchors of headings.
type anchorRule struct {
	// slug appends what the anchor of heading b is made of.
	slug func(dst []byte, doc *markdown.Document, b int) []byte
	// take returns the anchor of the next heading with the slug, empty for none.
	take func(a anchors, slug string) string
	// attributes says that "{#id}" behind a heading takes the place of its anchor.
	attributes bool
	// nested says that headings are named by their texts, one below the other, and that
	// blocks may have names.
	nested bool
	// twins says that two headings can get the same anchor, of which the first counts.
	twins bool
}

var anchorRules = [...]anchorRule{
	markdown.GitHub:   {slug: headingSlug, take: anchors.take},
	markdown.GitLab:   {slug: gitLabSlug, take: anchors.takeCounted, twins: true},
	markdown.MkDocs:   {slug: mkDocsSlug, take: anchors.takeUnderscored, attributes: true},
	markdown.Obsidian: {slug: obsidianSlug, take: anchors.takeFirst, nested: true},
}

// ruleOf returns the rule of the document's dialect.
func ruleOf(doc *markdown.Document) *anchorRule { return &anchorRules[doc.Options().Dialect] }

// taken returns the anchors that are taken before the first heading gets one.
func (r *anchorRule) taken(doc *markdown.Document) anchors {
	a := make(anchors, len(doc.Sections))
	if !r.attributes {
		return a
	}
	for b := range doc.Blocks {
		if id, ok := attributeID(doc, b); ok {
			_, n := cutCount(string(doc.Text(id)))
			a[string(doc.Text(id))] = n + 1
		}
	}
	return a
}

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

// takeCounted is take by the rule of GitLab, which doesn't look whether a number makes
// the anchor of another heading.
func (a anchors) takeCounted(slug string) string {
	n, taken := a[slug]
	if !taken {
		a[slug] = 0
		return slug
	}
	a[slug] = n + 1
	return slug + "-" + strconv.Itoa(n+1)
}

// Python-Markdown 3: the functions slugify and unique of its extension toc, with '-'
// between words, and without Unicode. Accents are cut from letters, all else that isn't
// ASCII is dropped.

// mkDocsSlug appends the slug of heading b by the rule of Python-Markdown; its attributes
// if it has an id there.
func mkDocsSlug(dst []byte, doc *markdown.Document, b int) []byte {
	if id, ok := attributeID(doc, b); ok {
		return append(append(dst, ownID), doc.Text(id)...)
	}
	var room [128]byte
	text := doc.AppendTextContent(room[:0], b)
	start := len(dst)
	space := func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' || 0x1c <= c && c <= 0x1f }
	kept := make([]byte, 0, len(text))
	for _, c := range norm.NFKD.Bytes([]byte(runes.CutAttributes(string(text)))) {
		if isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '-' || space(c) {
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

// takeUnderscored is take by the rule of Python-Markdown: a number behind '_' is counted
// up until the anchor is new, and a heading without a text has one too. Of an anchor that
// is taken there is the number to be tried next, so that no row is gone through twice.
func (a anchors) takeUnderscored(slug string) string {
	if slug != "" && slug[0] == ownID {
		return slug[1:]
	}
	root, n := cutCount(slug)
	if _, taken := a[slug]; !taken && slug != "" {
		a[slug] = n + 1
		return slug
	}
	var passed []string
	for anchor := slug; ; {
		passed = append(passed, anchor)
		n = max(n+1, a[anchor])
		anchor = root + "_" + strconv.Itoa(n)
		if _, taken := a[anchor]; !taken {
			for _, p := range append(passed, anchor) {
				a[p] = n + 1
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

// Obsidian: https://help.obsidian.md/links, and stripHeading of its API: a heading is named
// by its text as it is written, in any case, in which special characters are spaces and
// several spaces one; of twins the first is meant, unless a heading above it is named
// before it, "Install#Linux".

// obsidianSlug appends the name of heading b by the rule of Obsidian.
func obsidianSlug(dst []byte, doc *markdown.Document, b int) []byte {
	return appendNamed(dst, string(headingText(doc, b)))
}

// appendNamed appends a text without the characters that can't be in the name of a
// heading.
func appendNamed(dst []byte, text string) []byte {
	start, space := len(dst), false
	for _, r := range text {
		if unicode.IsSpace(r) || r == '\ufeff' || strings.ContainsRune("!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\", r) {
			space = true
			continue
		}
		if space && len(dst) > start {
			dst = append(dst, ' ')
		}
		space = false
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// takeFirst is take by the rule of Obsidian: of twins the first has the name.
func (a anchors) takeFirst(slug string) string {
	folded := folded(slug)
	if _, taken := a[folded]; taken {
		return ""
	}
	a[folded] = 0
	return slug
}

// folded returns an anchor without the difference of case and of normal forms.
func folded(anchor string) string {
	var lower []byte
	for _, r := range norm.NFC.String(anchor) {
		lower = appendLower(lower, r)
	}
	return string(lower)
}

// attributeID returns where the id of heading b stands that is written in attributes
// behind its text, "{#id}" or "{: .class #id }", and whether there is one.
func attributeID(doc *markdown.Document, b int) (id markdown.Span, ok bool) {
	if !doc.Blocks[b].HasAnchor() || bytes.IndexByte(doc.Text(doc.Blocks[b].Span()), '}') < 0 {
		return id, false
	}
	line := doc.Content(b)
	if n := doc.Blocks[b].Lines().Len(); n > 2 || n == 2 && !doc.Blocks[b].Setext() {
		for l := range doc.ContentLines(b) {
			line = l.Span
		}
	}
	if !bytes.HasSuffix(bytes.TrimRight(doc.Text(line), " \t"), []byte("}")) {
		return id, false
	}
	text := strings.TrimRight(string(doc.Text(line)), " \t")
	cut := runes.CutAttributes(text)
	if len(cut) == len(text) {
		return id, false
	}
	for i := len(cut); i < len(text); i++ {
		if text[i] != '#' {
			continue
		}
		if end := strings.IndexAny(text[i:], " \t}"); end > 1 {
			return markdown.Span{Start: line.Start + i + 1, End: line.Start + i + end}, true
		}
	}
	return id, false
}
