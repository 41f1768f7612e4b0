package editing

import (
	"bytes"
	"fmt"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Some documents name a heading on the line directly above it, by a line that the program which
// renders them knows: (target)= in MyST, r[rule.name] in mdBook's of Rust's reference, a comment, an element with an id.
// To Markdown such a line belongs to the section before.

// linkTarget is such a line and the heading below it.
type linkTarget struct {
	text, title string
}

// linkTargets returns those of documents: a top-level comment, or a paragraph of one line without
// a space, or of nothing but tags, with no blank line before the heading.
func linkTargets(docs ...*markdown.Document) []linkTarget {
	var all []linkTarget
	for _, doc := range docs {
		for i := range doc.Sections {
			at := int(doc.Sections[i].Heading)
			if at == 0 || doc.Blocks[at-1].EndLine+1 != doc.Blocks[at].StartLine {
				continue
			}
			if text := targetLine(doc, at-1); text != "" {
				all = append(all, linkTarget{text, doc.SectionTitle(i)})
			}
		}
	}
	return all
}

// targetLine is the text of a block that may name a heading, "" of others.
func targetLine(doc *markdown.Document, block int) string {
	b := &doc.Blocks[block]
	if b.StartLine != b.EndLine || b.Parent >= 0 {
		return ""
	}
	text := bytes.TrimSpace(doc.Source[b.Start:b.End])
	if b.Kind == markdown.HTMLBlock && bytes.HasPrefix(text, []byte("<!--")) ||
		b.Kind == markdown.Paragraph && (bytes.IndexByte(text, ' ') < 0 && isMark(text) || isElement(text)) {
		return string(text)
	}
	return ""
}

// isMark reports whether a word has more than letters, digits and a full stop: a(b), r[c], {#d}.
func isMark(word []byte) bool { return bytes.ContainsAny(word, "()[]{}<>") }

// isElement reports whether a line is an element with a name and nothing in it: <a id="b"></a>.
func isElement(line []byte) bool {
	tag, rest, ok := bytes.Cut(line, []byte(">"))
	return ok && bytes.HasPrefix(tag, []byte("<")) && bytes.HasPrefix(rest, []byte("</")) && bytes.IndexByte(rest, '>') == len(rest)-1 &&
		(bytes.Contains(tag, []byte(" id=")) || bytes.Contains(tag, []byte(" name=")))
}

// targetsSeparated says which of these lines a change has separated from the heading below, "" if
// none. A heading that is replaced keeps its line, and who replaces a line by another knows.
func targetsSeparated(before, after []*markdown.Document) string {
	was := linkTargets(before...)
	if len(was) == 0 {
		return ""
	}
	known := map[string]bool{}
	for _, t := range was {
		known[t.text] = true
	}
	is, titleBelow, lines := map[linkTarget]bool{}, map[string]string{}, map[string]bool{}
	replaced := map[string]bool{} // titles below a line that was not there
	for _, t := range linkTargets(after...) {
		is[t], titleBelow[t.text] = true, t.title
		replaced[t.title] = replaced[t.title] || !known[t.text]
	}
	for _, doc := range after {
		for block := range doc.Blocks {
			lines[targetLine(doc, block)] = true
		}
	}
	old, left := titleCounts(before), titleCounts(after)
	var separated []linkTarget
	for _, t := range was {
		title, above := titleBelow[t.text]
		stays := left[t.title] >= old[t.title] // the heading is still there
		switch {
		case is[t]:
		case above && (stays || old[title] > 0),
			!above && stays && !replaced[t.title],
			!above && !stays && lines[t.text]:
			separated = append(separated, t)
		}
	}
	if len(separated) == 0 {
		return ""
	}
	more := ""
	if n := len(separated) - 1; n > 0 {
		more = fmt.Sprintf(", and so for %d more", n)
	}
	return fmt.Sprintf("the line %q stood directly above the heading %q, which it may name, and doesn't now%s",
		replies.Clip(replies.Safe(separated[0].text), replies.MaxShown), replies.Clip(replies.Safe(separated[0].title), replies.MaxShown), more)
}

// titleCounts says how many sections of documents have a title.
func titleCounts(docs []*markdown.Document) map[string]int {
	all := map[string]int{}
	for _, doc := range docs {
		for i := range doc.Sections {
			all[doc.SectionTitle(i)]++
		}
	}
	return all
}
