package guide

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/files"
)

// A category is walked once for all patterns. In each folder the names are put in
// an order in which the paths come in that of their bytes, so that nothing is sorted
// at the end: a folder stands where its name with a slash would.

// candidate is a file that may match.
type candidate struct {
	path     string
	pattern  int32 // the first of the request that it matches, or undecided
	plain    kind  // what has this name: nothing, a file, a link, something else
	template kind  // what has it with the suffix of a template
}

// What stands for the pattern of a file that matches none, and of one for which that
// depends on what else there is.
const (
	none      = -1
	undecided = -2
)

// item is a name in a folder: that of a file, which a template may stand for, or of a
// folder.
type item struct {
	key             string // the name; of a folder with a slash after it
	plain, template kind
}

// walker collects what may match.
type walker struct {
	ctx      context.Context
	patterns []Pattern // those of the request, and the filter after them
	first    int       // number of those of the request
	maxDepth int
	skip     func(Skipped)

	found []candidate
	// exists tells for each pattern that is a bare name whether a file has it; of
	// links it is not known before they are looked at.
	exists []bool
	links  [][]string
}

// begin returns the places before any folder.
func (w *walker) begin() []place {
	var places []place
	for i, p := range w.patterns {
		places = p.begin(places, i)
	}
	return places
}

// walk collects the files in a folder and below. Prefix is its path with a slash
// after it, empty for the category's own. The error is that of the context, or
// of listing the folder.
func (w *walker) walk(d directory, prefix string, depth int, places []place) error {
	entries, err := d.entries(w.ctx)
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	for _, it := range arrange(entries) {
		name, isFolder := strings.CutSuffix(it.key, "/")
		if w.ctx.Err() != nil { // many patterns take their time at each name
			return w.ctx.Err()
		}
		if !isFolder {
			w.file(prefix, it, places)
			continue
		}
		if err := w.enter(d, prefix, name, depth, places); err != nil {
			return err
		}
	}
	return err
}

// enter walks the folder of this name, if there can be anything in it.
func (w *walker) enter(d directory, prefix, name string, depth int, places []place) error {
	var inside []place
	for _, at := range places {
		inside = w.patterns[at.pattern].enter(inside, at, name)
	}
	path := prefix + name
	switch {
	case !w.possible(inside):
		return nil
	case depth >= w.maxDepth:
		w.skip(Skipped{Path: path, Reason: SkipDepth, Detail: fmt.Sprintf("deeper than guide.max_depth (%d)", w.maxDepth)})
		return nil
	}
	next, err := d.enter(name)
	if err == nil {
		defer next.close()
		err = w.walk(next, path+"/", depth+1, inside)
	}
	if err == nil || w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	reason, detail := skippedBy(err)
	w.skip(Skipped{Path: path, Reason: reason, Detail: detail})
	return nil
}

// possible reports whether a file below a folder may match: a pattern and all of
// the filter go on there.
func (w *walker) possible(places []place) bool {
	if len(places) == 0 || int(places[0].pattern) >= w.first {
		return false
	}
	filters, last := 0, int32(w.first-1) //nolint:gosec // patterns are few
	for _, at := range places {
		if at.pattern > last {
			filters++
			last = at.pattern
		}
	}
	return filters == len(w.patterns)-w.first
}

// file keeps a file if it may match.
func (w *walker) file(prefix string, it item, places []place) {
	if pattern := w.judge(prefix, it, places); pattern != none {
		if len(w.found) == cap(w.found) {
			w.found = slices.Grow(w.found, max(len(w.found), 64)) // a quarter at a time costs twice as much
		}
		w.found = append(w.found, candidate{prefix + it.key, pattern, it.plain, it.template})
	}
}

// judge returns the first pattern of the request that a file matches, undecided or
// none.
func (w *walker) judge(prefix string, it item, places []place) int32 {
	first, filters, decided := int32(none), 0, true
	for i := 0; i < len(places); {
		n := places[i].pattern
		p := &w.patterns[n]
		how := different
		for ; i < len(places) && places[i].pattern == n; i++ {
			how = max(how, p.file(places[i], it.key))
		}
		if how == exact && p.bare {
			w.note(int(n), prefix, it)
		}
		switch {
		case how == different:
		case int(n) >= w.first:
			filters++
			decided = decided && how == exact
		case first == none:
			first = n
			decided = decided && how == exact
		}
	}
	switch {
	case first == none || filters < len(w.patterns)-w.first:
		return none
	case !decided:
		return undecided
	}
	return first
}

// note remembers that a file has the bare name of a pattern.
func (w *walker) note(n int, prefix string, it item) {
	if it.plain == link && it.template == nothing {
		w.links[n] = append(w.links[n], prefix+it.key)
		return
	}
	w.exists[n] = true
}

// decide sets the patterns of the candidates that depend on whether files have bare
// names, and drops those that match none after all.
func (w *walker) decide(isFile func(path string) bool) {
	if !slices.ContainsFunc(w.found, func(c candidate) bool { return c.pattern == undecided }) {
		return
	}
	for n, links := range w.links {
		w.exists[n] = w.exists[n] || slices.ContainsFunc(links, isFile)
	}
	w.found = slices.DeleteFunc(w.found, func(c candidate) bool { return w.judgeAgain(c) == none })
	for i := range w.found {
		w.found[i].pattern = w.judgeAgain(w.found[i])
	}
}

// judgeAgain is judge when it is known which bare names files have.
func (w *walker) judgeAgain(c candidate) int32 {
	if c.pattern != undecided {
		return c.pattern
	}
	is := func(n int) bool {
		how := w.patterns[n].match(c.path)
		return how == exact || how == extended && !w.exists[n]
	}
	for n := w.first; n < len(w.patterns); n++ {
		if !is(n) {
			return none
		}
	}
	for n := range w.first {
		if is(n) {
			return int32(n)
		}
	}
	return none
}

// arrange puts the names of a folder in order, those of a template and of what it
// stands for together.
func arrange(entries []files.Entry) []item {
	items := make([]item, 0, len(entries))
	for _, e := range entries {
		is := kindOf(e.Type)
		switch stem, isTemplate := strings.CutSuffix(e.Name, templateSuffix); {
		case is == nested:
			items = append(items, item{key: e.Name + "/"})
		case isTemplate && stem != "":
			items = append(items, item{key: stem, template: is})
		default:
			items = append(items, item{key: e.Name, plain: is})
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(b.plain, a.plain))
	})
	n := 0
	for _, it := range items {
		if n > 0 && items[n-1].key == it.key {
			items[n-1].template = it.template
			continue
		}
		items[n] = it
		n++
	}
	return items[:n]
}
