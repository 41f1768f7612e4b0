// Package nearest finds what was probably meant by a name that doesn't exist.
package nearest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// maxCompared is how many characters of a text count: the time of a comparison grows
// with the product of the lengths.
const maxCompared = 64

// Names returns at most n of the names that might have been meant, the likeliest first,
// and the first in the list of those that are equally likely. Case doesn't count. A name
// is likely if it holds at least three characters of what was sought as a whole, or the
// other way round; if two characters (in a short name one) or a third are different; or
// if two neighbours have changed their places.
func Names(sought string, names []string, n int) []string {
	type candidate struct {
		name string
		cost int
	}
	var list []candidate
	sought = strings.ToLower(beginning(sought))
	for _, name := range names {
		if cost, near := likeness(sought, strings.ToLower(beginning(name))); near {
			list = append(list, candidate{name, cost})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	var found []string
	for _, c := range list[:min(len(list), n)] {
		found = append(found, c.name)
	}
	return found
}

// likeness returns how many changes make one text of the other, and whether these are
// few enough.
func likeness(a, b string) (cost int, near bool) {
	const enough = 3 // characters of a part that means something
	short, long := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if short > long {
		a, b, short, long = b, a, long, short
	}
	cost = levenshtein.ComputeDistance(a, b)
	if swapped(a, b) {
		cost = 1
	}
	part := short >= enough && strings.Contains(b, a)
	return cost, part || cost <= max(1, min(2, long/2), long/3) && cost < long
}

// swapped reports whether two texts differ in two neighbouring bytes that have
// changed their places.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// Ratio returns how much of the beginnings of two texts is equal: 1 for all of it, 0
// for nothing. Bytes that are no characters are all the same.
func Ratio(a, b string) float64 {
	a, b = beginning(a), beginning(b)
	longer := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if longer == 0 {
		return 1
	}
	return 1 - float64(levenshtein.ComputeDistance(a, b))/float64(longer)
}

// beginning returns what is compared of a text.
func beginning(s string) string {
	n := maxCompared
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
