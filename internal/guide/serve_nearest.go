package guide

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/nearest"
)

// Which of the names that exist might have been meant.

// likeliest returns the few names that are most like what was asked for, the most
// like it first: those that have its last component, begin with it, hold it, and then
// those with the fewest other characters.
func likeliest(names []string, asked string) []string {
	type near struct {
		name  string
		rank  int
		ratio float64
	}
	wanted := strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`*?[]{}\`, r) {
			return -1
		}
		return r
	}, asked))
	list := make([]near, len(names))
	for i, name := range names {
		list[i] = near{name, rank(name, wanted), max(ratio(wanted, name), ratio(wanted, stem(path.Base(name))))}
	}
	slices.SortStableFunc(list, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.ratio, a.ratio))
	})
	list = list[:min(len(list), maxNearest)]
	found := make([]string, len(list))
	for i := range list {
		found[i] = list[i].name
	}
	return found
}

// rank returns how a name stands to what was asked for, in lower case; 0 is the
// nearest.
func rank(name, asked string) int {
	const few = 2 // characters of which everything has some
	name, asked = strings.ToLower(name), strings.Trim(asked, "/")
	base, wanted := path.Base(name), path.Base(asked)
	bare := stem(wanted)
	switch {
	case asked == "":
		return 4
	case base == wanted || stem(base) == wanted:
		return 0
	case stem(base) == bare: // with another extension
		return 1
	case utf8.RuneCountInString(bare) < few:
		return 4
	case strings.HasPrefix(base, bare) || strings.HasPrefix(name, asked):
		return 2
	case strings.Contains(name, bare):
		return 3
	}
	return 4
}

// stem returns a name without its extension; what begins with a dot is none.
func stem(base string) string {
	if ext := path.Ext(base); ext != base {
		return strings.TrimSuffix(base, ext)
	}
	return base
}

// ratio returns how much of a name is what was asked for, in lower case.
func ratio(wanted, name string) float64 { return nearest.Ratio(wanted, strings.ToLower(name)) }
