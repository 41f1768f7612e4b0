package comparing

import (
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sectiondiff"
)

// answer is the reply in JSON.
type answer struct {
	Old string `json:"old"`
	New string `json:"new"`
	sums
	// Forgotten is up to when the journal no longer has all changes, so that more may have changed since the
	// time that was asked for; Oldest is the oldest change that it has of the documents.
	Forgotten  time.Time        `json:"forgotten_until,omitzero"`
	Oldest     string           `json:"oldest_change,omitempty"`
	Changes    []changed        `json:"changes"`
	ByDocument []documentCounts `json:"by_document,omitzero"` // where documents alone are asked for
	NextCursor string           `json:"next_cursor,omitempty"`
	Failed     []*replies.Error `json:"failed,omitempty"`
	// FailedTotal is the number of documents that aren't compared, where not all are in Failed.
	FailedTotal int `json:"failed_total,omitempty"`
}

// documentCounts are what the changes of a document come to.
type documentCounts struct {
	Path string `json:"file_path"`
	counts
}

// changed is a change in JSON. Lines count from 1 and are inclusive.
type changed struct {
	What    []string `json:"what"`
	Old     *place   `json:"old,omitempty"`
	New     *place   `json:"new,omitempty"`
	Added   int      `json:"words_added"`
	Removed int      `json:"words_removed"`
	Below   int      `json:"sections_below,omitempty"`
	Diff    string   `json:"diff,omitempty"`
	// DiffLeftOut is the number of lines at the end of the difference that aren't in Diff.
	DiffLeftOut int `json:"diff_lines_left_out,omitempty"`
}

// place is a section in JSON; one without a title is what stands before the first.
type place struct {
	Path      string `json:"file_path"`
	Selector  string `json:"selector,omitempty"`
	Titles    string `json:"titles,omitempty"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Hash      string `json:"hash,omitempty"`
}

// inJSON returns a change for JSON.
func (c *comparing) inJSON(change *sectiondiff.Change) changed {
	out := changed{What: whatHappened(change), Added: change.Added, Removed: change.Removed, Below: change.Below}
	if change.Old != nil {
		out.Old = c.placeOf(change.Old, false)
	}
	if change.New != nil {
		out.New = c.placeOf(change.New, true)
	}
	if c.req.Patch {
		out.Diff = c.patch(change)
	}
	return out
}

// shorten leaves out the last lines of a difference for which there is no room.
func (ch *changed) shorten(room int) {
	n := charsInJSON(ch) + len(",")
	if n <= room {
		return
	}
	n += len(`,"diff_lines_left_out":1234567890`)
	lines := slices.Collect(strings.Lines(ch.Diff))
	kept := len(lines)
	for ; kept > 0 && n > room; kept-- {
		n -= charsInJSON(lines[kept-1]) - len(`""`)
	}
	ch.Diff, ch.DiffLeftOut = strings.Join(lines[:kept], ""), len(lines)-kept
}

// placeOf returns a section for JSON.
func (c *comparing) placeOf(p *sectiondiff.Place, now bool) *place {
	doc, path := c.pairs[p.Pair].Old, c.names[p.Pair].old
	if now {
		doc, path = c.pairs[p.Pair].New, c.names[p.Pair].now
	}
	if p.Index < 0 {
		return &place{Path: path, StartLine: 1, EndLine: doc.LineCount}
	}
	lines := doc.SectionLines(p.Index)
	return &place{
		Path: path, Titles: c.name(doc).Titles(p.Index), StartLine: lines.First, EndLine: lines.Last, Hash: doc.SectionHash(p.Index),
		Selector: c.name(doc).Selector(p.Index),
	}
}
