package comparing

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sectiondiff"
	"github.com/sectile/sectile/markdown"
)

// sums are what the changes come to.
type sums struct {
	Documents int `json:"documents"`
	Differ    int `json:"documents_differ"`
	counts
}

// counts are the numbers of sections and words of changes.
type counts struct {
	Added       int `json:"sections_added"`
	Removed     int `json:"sections_removed"`
	Changed     int `json:"sections_changed"`
	Renamed     int `json:"sections_renamed"`
	Moved       int `json:"sections_moved"`
	WordsAdded  int `json:"words_added"`
	WordsRemove int `json:"words_removed"`
}

// sum counts the changes.
func (c *comparing) sum() sums {
	s := sums{Documents: len(c.pairs) + c.same, Differ: len(c.pairs)}
	for i := range c.changes {
		s.add(&c.changes[i])
	}
	return s
}

// add counts a change.
func (s *counts) add(change *sectiondiff.Change) {
	count := func(is bool, n *int) {
		if is {
			*n++
		}
	}
	switch {
	case change.Old == nil:
		s.Added += sectionsOf(change)
	case change.New == nil:
		s.Removed += sectionsOf(change)
	default:
		count(change.Changed, &s.Changed)
		count(change.Renamed, &s.Renamed)
		count(change.Moved || change.Level, &s.Moved)
	}
	s.WordsAdded += change.Added
	s.WordsRemove += change.Removed
}

// sectionsOf returns the number of sections that an addition or a removal is: what stands
// before the first section of a document is none.
func sectionsOf(change *sectiondiff.Change) int {
	place := change.New
	if place == nil {
		place = change.Old
	}
	if place.Index < 0 {
		return change.Below
	}
	return 1 + change.Below
}

// String is the first line of a reply without the states.
func (s counts) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{s.Added, "added"}, {s.Removed, "removed"}, {s.Changed, "changed"}, {s.Renamed, "renamed"}, {s.Moved, "moved"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	text := strings.Join(parts, ", ")
	if text == "" {
		text = "no section"
	} else {
		text = "sections: " + text
	}
	return text + words(s.WordsAdded, s.WordsRemove)
}

// words tells how many words are added and removed, after a comma; "" if none is.
func words(added, removed int) string {
	if added+removed == 0 {
		return ""
	}
	return fmt.Sprintf(", +%d -%d words", added, removed)
}

// head is the first line of the reply.
func (c *comparing) head() string {
	states := c.shownState(c.now) + " against " + c.shownState(c.old)
	s := c.sum()
	switch {
	case s.Differ == 0 && c.old.single:
		return states + ": no difference\n"
	case s.Differ == 0:
		return fmt.Sprintf("%s: no difference in %s\n", states, replies.Plural(s.Documents, "document"))
	case c.part && len(c.changes) == 0:
		but := ""
		if len(c.pairs) > 0 && sameButBlanks(c.oldPart.text(c.pairs[0].Old), c.newPart.text(c.pairs[0].New)) {
			but = " but blanks or line endings"
		}
		return fmt.Sprintf("%s: no difference in %s%s\n", states, replies.Clip(replies.Safe(c.req.Section), replies.MaxShown), but)
	case len(c.changes) == 0:
		return states + ": blanks, line endings or a byte order mark alone\n"
	case c.old.single:
		return states + ": " + s.String() + "\n"
	}
	return fmt.Sprintf("%s: %d of %s, %s\n", states, s.Differ, replies.Plural(s.Documents, "document"), s)
}

// sameButBlanks reports whether texts that differ have the same words.
func sameButBlanks(old, now []byte) bool {
	return !bytes.Equal(old, now) && slices.EqualFunc(bytes.Fields(old), bytes.Fields(now), bytes.Equal)
}

// line tells of a change in one line.
func (c *comparing) line(change *sectiondiff.Change) string {
	var facts []string
	if change.New != nil {
		facts = append(facts, c.located(change.New, true))
	} else {
		facts = append(facts, c.located(change.Old, false))
	}
	if change.Old != nil && change.New != nil {
		if was := c.before(change); was != "" {
			facts = append(facts, "was "+was)
		}
	}
	text := strings.Join(whatHappened(change), ", ") + " " + strings.Join(facts, ", ") + words(change.Added, change.Removed)
	if change.Below > 0 {
		text += ", " + replies.Plural(change.Below, "section") + " below"
	}
	return text
}

// whatHappened names what has become of a section.
func whatHappened(change *sectiondiff.Change) []string {
	switch {
	case change.Old == nil:
		return []string{"added"}
	case change.New == nil:
		return []string{"removed"}
	}
	var list []string
	for _, w := range []struct {
		is   bool
		name string
	}{{change.Moved, "moved"}, {change.Level, "another level"}, {change.Renamed, "renamed"}, {change.Changed, "changed"}} {
		if w.is {
			list = append(list, w.name)
		}
	}
	return list
}

// located names a section with its place, in the form that editors open; what is there now by
// its selector and hash, too.
func (c *comparing) located(p *sectiondiff.Place, now bool) string {
	doc, path := c.pairs[p.Pair].Old, c.names[p.Pair].old
	if now {
		doc, path = c.pairs[p.Pair].New, c.names[p.Pair].now
	}
	path = c.shownPath(path)
	if p.Index < 0 {
		return path + ":" + replies.LineRange(markdown.Lines{First: 1, Last: max(doc.LineCount, 1)})
	}
	place := path + ":" + replies.LineRange(doc.SectionLines(p.Index))
	if now {
		place += " " + c.name(doc).Selector(p.Index) + " " + replies.HashMark + doc.SectionHash(p.Index)
	}
	return place + " " + c.shownTitles(c.name(doc).Titles(p.Index))
}

// name returns what names the sections of a document.
func (c *comparing) name(doc *markdown.Document) *replies.Named {
	if c.named[doc] == nil {
		c.named[doc] = replies.NewNamed(doc)
	}
	return c.named[doc]
}

// maxTitles is the number of characters that titles are cut to.
const maxTitles = 300

// before tells where a section was, and what it was called, as far as that has changed.
func (c *comparing) before(change *sectiondiff.Change) string {
	old := c.pairs[change.Old.Pair].Old
	path := c.names[change.Old.Pair].old
	if change.Old.Index < 0 {
		if change.Moved {
			return c.shownPath(path)
		}
		return ""
	}
	switch {
	case change.Moved && change.Old.Pair != change.New.Pair:
		return c.located(change.Old, false)
	case change.Moved:
		return replies.LineRange(old.SectionLines(change.Old.Index)) + " " + c.shownTitles(c.name(old).Titles(change.Old.Index))
	case change.Renamed:
		return c.shownTitles(replies.Clip(replies.Safe(old.SectionTitle(change.Old.Index)), maxTitles))
	case change.Level:
		return fmt.Sprintf("H%d", old.Sections[change.Old.Index].Level)
	}
	return ""
}

// patch returns the lines of a section's own text that differ; of one that is added or removed
// with others below, of all of them.
func (c *comparing) patch(change *sectiondiff.Change) string {
	var before, after []byte
	beforeLine, afterLine := 1, 1
	if change.Old != nil {
		before, beforeLine = ownText(c.pairs[change.Old.Pair].Old, change.Old.Index, change.Below > 0)
	}
	if change.New != nil {
		after, afterLine = ownText(c.pairs[change.New.Pair].New, change.New.Index, change.Below > 0)
	}
	if change.Old == nil {
		beforeLine = afterLine
	}
	if change.New == nil {
		afterLine = beforeLine
	}
	return string(linediff.Hunks(before, after, beforeLine, afterLine))
}

// ownText returns the text of a section up to its first subsection, or all of it, and its first
// line. The blank lines at the end stay with what follows.
func ownText(doc *markdown.Document, section int, whole bool) (text []byte, first int) {
	span, first := doc.Preamble(), 1
	switch {
	case section < 0 && whole:
		span.End = len(doc.Source)
	case section >= 0 && whole:
		span, first = doc.SectionSpan(section), doc.SectionLines(section).First
	case section >= 0:
		span, first = doc.BodySpan(section), doc.BodyLines(section).First
	}
	return withoutBlankEnd(doc.Text(span)), first
}

// withoutBlankEnd returns a text without the blank lines at its end.
func withoutBlankEnd(text []byte) []byte {
	end := len(text)
	for i := len(text) - 1; i >= 0 && strings.IndexByte(" \t\r\n", text[i]) >= 0; i-- {
		if text[i] == '\n' {
			end = i + 1
		}
		if i == 0 {
			end = 0
		}
	}
	return text[:end]
}
