package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

const (
	maxNearest = 3  // names in a message
	maxQuoted  = 64 // characters of what is quoted in a message
)

// nearest returns the names that might have been meant, the likeliest first:
// those that are the same but for case, that hold the name or the other way
// round, or of which two characters or a third are different.
func nearest(name string, names []string) []string {
	const enough = 3 // characters of a part that means something
	type candidate struct {
		name string
		cost int
	}
	var list []candidate
	sought := strings.ToLower(cut(name, maxQuoted)) // cut, because time grows with the length
	for _, other := range names {
		short, long := sought, strings.ToLower(other)
		if utf8.RuneCountInString(short) > utf8.RuneCountInString(long) {
			short, long = long, short
		}
		cost := levenshtein.ComputeDistance(short, long)
		if swapped(short, long) {
			cost = 1
		}
		part := utf8.RuneCountInString(short) >= enough && strings.Contains(long, short)
		n := utf8.RuneCountInString(long)
		if part || cost <= max(1, min(2, n/2), n/3) && cost < n {
			list = append(list, candidate{other, cost})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	var found []string
	for _, c := range list[:min(len(list), maxNearest)] {
		found = append(found, c.name)
	}
	return found
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

// meant asks for the names that might have been meant: "did you mean a or b?", or
// nothing if there are none.
func meant(name string, names []string) string {
	near := nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	return "did you mean " + either(near) + "?"
}

// either joins names by commas and "or".
func either(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// quoted returns a text for a message: in quotes, on one line, and cut.
func quoted(s string) string { return strconv.Quote(cut(s, maxQuoted)) }

// cut returns at most n characters of a text, with an ellipsis for the rest.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
