package search

import (
	"cmp"
	"math"
	"slices"
)

// Weights say how sections are scored.
type Weights struct {
	Title  float64 // of words in the section's own heading
	Around float64 // in those of the sections that it stands in
	Path   float64 // in the document's path
	Body   float64 // in what stands below the heading

	K1          float64 // of BM25: how soon more of the same word count less
	B           float64 // of BM25: how much the size of a section counts, 0 to 1
	TitleB      float64 // the same for the size of the heading,
	TitleSize   float64 // compared with so many bytes
	Share       float64 // the power of the share of the words that a section has
	Beside      float64 // by how much more a section counts in which all words stand side by side
	Whole       float64 // by how much more a section counts whose heading has these words and no others
	First       float64 // by how much more a document's first section counts
	SectionSize float64 // bytes that a section has, where few are known
}

// DefaultWeights returns the weights that were found best (docs/benchmarks.md).
func DefaultWeights() Weights {
	return Weights{
		Title: 5, Around: 0.4, Path: 0.5, Body: 1,
		K1: 1.2, B: 0.5, TitleB: 0.75, TitleSize: 22,
		Share: 1.5, Beside: 0.5, Whole: 0.3, First: 0.2, SectionSize: 700,
	}
}

// Hit is a section that matches a query.
type Hit struct {
	Document int // the number that was given to Scan
	Section  int // index among the document's sections, or Preamble or FrontMatter
	Score    float64
}

// Ranking is the sections that match a query.
type Ranking struct {
	Hits     []Hit // the best first; equal ones in the order of documents
	Sections int   // all that match
	Matching int   // documents that have such a section
	Scanned  int   // documents that were looked at
	// Absent are the words that no document has where they are looked for.
	Absent []string
}

// Known is what is known of all documents where only some are scanned: those that an index
// names. Sections are scored as if all had been.
type Known struct {
	Bytes    int64 // of all documents
	Matching int   // sections that have a word of the query
	Sections []int // of each of Query.Words, so many sections have it in their title or body
}

// Rank returns the sections that scanners have found, from one on and at most so many. All
// scanners must be those of the query.
func (q *Query) Rank(from, most int, scanners ...*Scanner) Ranking {
	r := q.totals(scanners)
	from, most = max(from, 0), max(most, 0)
	best := q.best(scanners, from+most)
	r.Hits = slices.Clone(best[min(from, len(best)):])
	return r
}

// compareHits puts the better one first.
func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Document, b.Document), cmp.Compare(a.Section, b.Section))
}

// totals counts.
func (q *Query) totals(scanners []*Scanner) Ranking {
	var r Ranking
	has := make([]bool, len(q.terms))
	for _, s := range scanners {
		r.Scanned += s.documents
		r.Sections += len(s.candidates)
		for i, seen := range s.seen {
			has[i] = has[i] || seen
		}
		last := int32(-1)
		for i := range s.candidates {
			c := &s.candidates[i]
			if i == 0 || c.document != last {
				r.Matching++
				last = c.document
			}
		}
	}
	for i := range q.terms {
		if t := &q.terms[i]; !has[i] && !t.not && !t.hidden {
			r.Absent = append(r.Absent, t.word)
		}
	}
	return r
}

// rarity is what is known of all documents when a section is scored.
type rarity struct {
	weight  []float64 // of each word, by how rare it is
	average float64   // bytes of a section
}

// rarityOf returns how rare the words are. Sections that have none of them are not counted but
// estimated, by the size of all documents.
func (q *Query) rarityOf(scanners []*Scanner) rarity {
	var size int64
	sections := 0
	have := make([]int, len(q.terms))
	for _, s := range scanners {
		size += s.bytes
		sections += len(s.candidates)
		for i := range s.candidates {
			for k, c := range s.candidates[i].counts {
				if c.title+c.body > 0 {
					have[k]++
				}
			}
		}
	}
	if known := q.Known; known != nil {
		size, sections = known.Bytes, known.Matching
		word := 0
		for i := range q.terms {
			if t := &q.terms[i]; !t.not && !t.hidden {
				have[i] = known.Sections[word]
				word++
			}
		}
	}
	n := math.Max(float64(sections), float64(size)/q.Weights.SectionSize)
	r := rarity{average: float64(size) / math.Max(n, 1)}
	for _, h := range have {
		r.weight = append(r.weight, math.Log(1+(n-float64(h)+0.5)/(float64(h)+0.5)))
	}
	return r
}

// best returns the best sections, at most so many, the best first. Few of many are kept sorted
// as they come, for sorting all of them takes longer than finding them.
func (q *Query) best(scanners []*Scanner, most int) []Hit {
	r := q.rarityOf(scanners)
	var list []Hit
	full := false // the first of the list are the best so far, sorted
	for _, s := range scanners {
		for i := range s.candidates {
			c := &s.candidates[i]
			h := Hit{int(c.document), int(c.section), q.score(c, &r)}
			if full && compareHits(h, list[most-1]) >= 0 {
				continue
			}
			if list = append(list, h); len(list) > 2*most+64 {
				slices.SortFunc(list, compareHits)
				list, full = list[:most], most > 0
			}
		}
	}
	slices.SortFunc(list, compareHits)
	return list[:min(most, len(list))]
}

// score returns the score of a section.
func (q *Query) score(c *candidate, r *rarity) float64 {
	w := &q.Weights
	body := 1 - w.B + w.B*float64(c.size)/math.Max(r.average, 1)
	title := 1 - w.TitleB + w.TitleB*float64(c.title)/w.TitleSize
	bm25 := func(n uint16, size float64) float64 { return float64(n) * (w.K1 + 1) / (float64(n) + w.K1*size) }
	score, has, all := 0.0, 0, 0
	for i := range c.counts {
		t, n := &q.terms[i], &c.counts[i]
		if t.not || t.hidden {
			continue
		}
		all++
		if n.title+n.around+n.path+n.body == 0 {
			continue
		}
		has++
		score += r.weight[i] * (w.Title*bm25(n.title, title) + w.Around*bm25(n.around, 1) + w.Path*bm25(n.path, 1) + w.Body*bm25(n.body, body))
	}
	score *= math.Pow(float64(has)/float64(max(all, 1)), w.Share)
	if c.beside {
		score *= 1 + w.Beside
	}
	if c.whole {
		score *= 1 + w.Whole
	}
	if c.section == 0 {
		score *= 1 + w.First
	}
	return score
}
