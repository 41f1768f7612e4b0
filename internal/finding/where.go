package finding

import "github.com/sectile/sectile/search"

// maxWhere is the number of places that are told of a text.
const maxWhere = 200

// Where returns a function that says where a text has what a request looks for: offsets of the
// beginning and the end of each place, in their order. A request that can't be answered looks for
// nothing. The function must not be used by several goroutines at once.
func Where(req SearchRequest) func(text string) [][2]int {
	s := &searching{req: req}
	find, err := s.finder()
	if err != nil {
		return func(string) [][2]int { return nil }
	}
	var in func(text []byte) []search.Line
	switch f := find.(type) {
	case *lineFinder:
		in = func(text []byte) []search.Line { return f.Within(text, maxWhere) }
	case *wordFinder:
		in = f.query.Excerpts().Words
	}
	return func(text string) [][2]int {
		var list [][2]int
		for _, l := range in([]byte(text)) {
			list = append(list, [2]int{l.Start, l.End})
		}
		return list
	}
}
