package address

import (
	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// closest returns the sections of the intervals whose titles are nearest to the text
// without case and formatting, nearest first; with an empty text, the first ones. Of more
// than an error has they are those alone that may have been meant, if these are some.
func closest(doc *markdown.Document, text string, in []interval) []int {
	q := nearest.NewQuery(string(runes.AppendStripped(nil, text)))
	m := matcher{doc: doc}
	var best []int
	var ranks [maxCandidates]nearest.Rank
	all := 0
	for _, s := range in {
		all += s.end - s.first
		for i := s.first; i < s.end; i++ {
			rank := q.RankFolded(m.foldedTitle(i))
			at := len(best)
			for at > 0 && ranks[at-1].Compare(rank) > 0 {
				at--
			}
			if at == maxCandidates {
				continue
			}
			best = append(best[:min(len(best), maxCandidates-1)], 0)
			copy(best[at+1:], best[at:])
			copy(ranks[at+1:], ranks[at:])
			best[at], ranks[at] = i, rank
		}
	}
	near := 0
	for near < len(best) && ranks[near].IsNear() {
		near++
	}
	if all > maxCandidates && near >= enough {
		return best[:near]
	}
	return best
}

// enough is the number of sections that may have been meant from which on no others are
// named: one or two may be near by chance.
const enough = 3

// foldedTitle returns the folded title of section i, until the next call.
func (m *matcher) foldedTitle(i int) []byte {
	b := int(m.doc.Sections[i].Heading)
	var plain bool
	if m.folded, plain = runes.AppendPlain(m.folded[:0], anchors.HeadingText(m.doc, b)); !plain {
		m.stripped = runes.AppendStripped(m.stripped[:0], m.doc.Title(b))
		m.folded = runes.AppendFolded(m.folded[:0], m.stripped)
	}
	return m.folded
}
