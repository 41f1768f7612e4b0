// Package nearest ranks names by how likely each was meant by a name that doesn't exist.
package nearest

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Names returns at most n of the names that might have been meant, the likeliest first,
// equally likely names in the order of the list. Case doesn't count.
func Names(sought string, names []string, n int) []string {
	type candidate struct {
		name string
		rank Rank
	}
	var list []candidate
	q := NewQuery(sought)
	for _, name := range names {
		if rank := q.Rank(name); rank.IsNear() {
			list = append(list, candidate{name, rank})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.rank.Compare(b.rank) })
	var found []string
	for _, c := range list[:min(len(list), n)] {
		found = append(found, c.name)
	}
	return found
}

// Question asks for the name that might have been meant, with a blank after; "" if there is
// none. The sign stands before it, as -- before a flag.
func Question(sign, sought string, names []string) string {
	near := Names(sought, names, 1)
	if near == nil {
		return ""
	}
	return "did you mean " + sign + near[0] + "? "
}

// Ratio returns how much of the beginnings of two texts is equal: 1 for all of it, 0
// for nothing. Bytes that are no characters are all the same. It is for texts with a
// syntax, such as selectors, in which a word means nothing by itself.
func Ratio(a, b string) float64 {
	from, to := beginning([]byte(a)), beginning([]byte(b))
	longer := max(utf8.RuneCount(from), utf8.RuneCount(to))
	if longer == 0 {
		return 1
	}
	return 1 - float64(NewDistance(from).To(to))/float64(longer)
}

// Stem returns a file's name without its extension, and without dots and blanks at the end.
func Stem(name string) string {
	name = strings.TrimRight(name, ". ")
	if s := strings.TrimSuffix(name, filepath.Ext(name)); s != "" {
		return s
	}
	return name
}
