package guide

import (
	"path"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/nearest"
)

// Which of the names that exist might have been meant.

// likeliest returns the few names that are most like what was asked for, the most like it
// first. Of a path its last component counts by itself too, without the extension.
func likeliest(names []string, asked string) []string {
	type near struct {
		name string
		rank nearest.Rank
	}
	wanted := strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`*?[]{}\`, r) {
			return -1
		}
		return r
	}, asked), "/")
	whole, last := nearest.NewQuery(wanted), nearest.NewQuery(stem(path.Base(wanted)))
	list := make([]near, len(names))
	for i, name := range names {
		list[i] = near{name, last.Rank(stem(path.Base(name)))}
		if rank := whole.Rank(name); rank.Compare(list[i].rank) < 0 {
			list[i].rank = rank
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return a.rank.Compare(b.rank) })
	list = list[:min(len(list), maxNearest)]
	found := make([]string, len(list))
	for i := range list {
		found[i] = list[i].name
	}
	return found
}

// stem returns a name without its extension; what begins with a dot is none.
func stem(base string) string {
	if ext := path.Ext(base); ext != base {
		return strings.TrimSuffix(base, ext)
	}
	return base
}
