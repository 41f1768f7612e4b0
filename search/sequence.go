package search

import "slices"

// A phrase is found in one pass over the words of a section, in a time that doesn't depend on what
// they are: of each word is kept which places of the phrase it may be at (Shift-And, Baeza-Yates
// and Gonnet, 1992). A word may be several of the query, and a phrase may begin like itself.

// sequence finds words of a query that stand side by side, in one order. It must not be used by
// several goroutines at once.
type sequence struct {
	length int
	places [][]uint64 // of each term, a bit for each place that it has in the order; nil for none
	runs   []run      // that the next word may go on with
}

// run is words that stand side by side, as the order begins.
type run struct {
	start, end int32    // of the last of them
	reached    []uint64 // the places that this may be at
}

// newSequence returns what finds terms, of which there are so many, in an order.
func newSequence(terms int, order []int) *sequence {
	s := &sequence{length: len(order), places: make([][]uint64, terms)}
	for at, term := range order {
		if s.places[term] == nil {
			s.places[term] = make([]uint64, (len(order)+63)/64)
		}
		s.places[term][at/64] |= 1 << (at % 64)
	}
	return s
}

// isIn reports whether the terms stand side by side among the words of a text that count.
func (s *sequence) isIn(src []byte, words []found, counts func(f *found) bool) bool {
	s.runs = s.runs[:0]
	start := int32(-1)
	for i := range words {
		f := &words[i]
		places := s.places[f.term]
		if places == nil || !counts(f) {
			continue
		}
		if f.start != start {
			start = f.start
			s.endRuns(src, start)
		}
		if len(s.runs) == 0 && places[0]&1 == 0 {
			continue
		}
		if s.follow(f, places) {
			return true
		}
	}
	return false
}

// endRuns ends the runs that a word which starts at an offset doesn't go on with.
func (s *sequence) endRuns(src []byte, start int32) {
	n := 0
	for i := range s.runs {
		if end := s.runs[i].end; end > start || isBeside(src, int(end), int(start)) { // pieces overlap
			s.runs[n], s.runs[i] = s.runs[i], s.runs[n]
			n++
		}
	}
	s.runs = s.runs[:n]
}

// follow has a word go on with the runs, or begin one, and reports whether it is at the last place.
func (s *sequence) follow(f *found, places []uint64) bool {
	reached := s.runOf(f)
	reached[0] |= places[0] & 1
	for i := range s.runs {
		r := &s.runs[i]
		if r.start == f.start {
			continue
		}
		carried := uint64(0)
		for k, bits := range r.reached {
			reached[k] |= (bits<<1 | carried) & places[k]
			carried = bits >> 63
		}
	}
	last := s.length - 1
	return reached[last/64]&(1<<(last%64)) != 0
}

// runOf returns the places of the run that ends with a word, which begins if there is none.
func (s *sequence) runOf(f *found) []uint64 {
	for i := range s.runs {
		if r := &s.runs[i]; r.start == f.start && r.end == f.end {
			return r.reached
		}
	}
	n := len(s.runs)
	s.runs = slices.Grow(s.runs, 1)[:n+1]
	r := &s.runs[n]
	r.start, r.end = f.start, f.end
	if r.reached == nil {
		r.reached = make([]uint64, (s.length+63)/64)
	}
	clear(r.reached)
	return r.reached
}
