package address

import (
	"bytes"

	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// Matching a text goes over the headings once for the exact tier, which compares
// bytes of the source, and once more for all the others if that found nothing.
// Titles are made only of headings that have markup and all letters of the query
// in their order.

// interval is a range of sections, half-open.
type interval struct{ first, end int }

// matcher compares headings of a document, with the memory for it.
type matcher struct {
	doc *markdown.Document
	// enough is the number of hits after which find stops, 0 for never: whoever
	// asks whether a section is the only one needn't know all the others.
	enough int
	// whole is for whoever asks for whole texts alone, exact or stripped.
	whole            bool
	stripped, folded []byte
}

// done reports whether so many hits are enough.
func (m *matcher) done(hits []int) bool { return m.enough > 0 && len(hits) >= m.enough }

// find returns the sections of the intervals that match the query, of the first
// tier in which any does.
func (m *matcher) find(q *textQuery, in []interval) (Tier, []int) {
	var hits []int
	for _, s := range in {
		for i := s.first; i < s.end; i++ {
			if q.exact(m.doc, i) {
				if hits = append(hits, i); m.done(hits) {
					return TierExact, hits
				}
			}
		}
	}
	if hits != nil {
		return TierExact, hits
	}
	q.prepare()
	best := noMatch
	for _, s := range in {
		for i := s.first; i < s.end; i++ {
			switch c := m.compare(q, i); {
			case c < best:
				best, hits = c, append(hits[:0], i)
			case c == best && c != noMatch:
				hits = append(hits, i)
			}
			if best == sameCase && m.done(hits) {
				return best.tier(), hits
			}
		}
	}
	return best.tier(), hits
}

// closeness orders how a title can match: the tiers after the first, and the two
// halves of TierStripped apart.
type closeness uint8

const (
	sameCase closeness = iota
	anyCase
	prefix
	substring
	noMatch
)

func (c closeness) tier() Tier {
	return [...]Tier{TierStripped, TierStripped, TierPrefix, TierSubstring, TierNone}[c]
}

// compare returns how section i matches the prepared query.
func (m *matcher) compare(q *textQuery, i int) closeness {
	b := int(m.doc.Sections[i].Heading)
	if !q.fits(&m.doc.Blocks[b]) {
		return noMatch
	}
	source := anchors.HeadingText(m.doc, b)
	var plain bool
	if m.folded, plain = runes.AppendPlain(m.folded[:0], source); !plain {
		if !q.mayMatch(source) {
			return noMatch
		}
		m.stripped = runes.AppendStripped(m.stripped[:0], m.doc.Title(b))
		m.folded = runes.AppendFolded(m.folded[:0], m.stripped)
		source = m.stripped
	}
	best := noMatch
	for j, want := range q.folded {
		switch {
		case m.whole && len(want) != len(m.folded):
		case !bytes.HasPrefix(m.folded, want):
			if len(want) > 0 && best > substring && bytes.Contains(m.folded, want) {
				best = substring
			}
		case len(want) < len(m.folded):
			if len(want) > 0 {
				best = min(best, prefix)
			}
		case bytes.Equal(source, q.stripped[j]):
			return sameCase
		default:
			best = min(best, anyCase)
		}
	}
	return best
}

// mayMatch reports whether a heading with this source may match.
func (q *textQuery) mayMatch(source []byte) bool {
	for _, want := range q.folded {
		if runes.MayHold(source, want) {
			return true
		}
	}
	return false
}
