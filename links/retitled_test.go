package links

import (
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// TestRetitled: a rename takes links to a section along that has another text, or had its text taken by
// one that has, and none where no section has another text; also where sections come or go beside them.
func TestRetitled(t *testing.T) {
	for _, c := range []struct {
		before, after string
		blocks        []int32 // the counterparts, nil for the same ones
		name          string
		takes         bool
	}{
		{"# A\n# B\n", "# A\n# C\n", nil, "b", true},
		{"# A\n# B\n", "# A\n# C\n# D\n", nil, "b", true},
		{"# A\n# B\n", "# A\n# C\n# D\n", []int32{0, -1}, "b", false},
		{"# A\n# B\n", "# A\n# C\n", []int32{0, -1}, "b", true},
		{"# A\n# B\n# C\n", "# A\n# C\n# D\n", []int32{0, -1, 1}, "b", false},
		{"# A\n# B\n", "# B\n# B\n", nil, "b", true},
		{"# A\n# A\n", "# B\n# A\n", nil, "a-1", true},
		{"# A\n# B\n", "> # B\n\n# C\n# B\n", []int32{2, 3}, "b", false},
		{"# A\n> # B\n", "# A\n> # C\n", nil, "b", false},
	} {
		r := &Renaming{Before: parse(t, c.before, markdown.GitHub), After: parse(t, c.after, markdown.GitHub), Heading: -1, Instead: -1, Blocks: c.blocks}
		place, _ := address.PlacesOf(r.Before).Find(c.name)
		if takes := r.Retitled().Takes(place); takes != c.takes {
			t.Errorf("%q, %q: %v", c.before, c.after, takes)
		}
	}
	r := &Renaming{Before: parse(t, "# A\n## B\n### C\n", markdown.Obsidian), After: parse(t, "# D\n## B\n### C\n", markdown.Obsidian), Heading: -1, Instead: -1}
	if place, _ := address.PlacesOf(r.Before).Find("A#C"); !r.Retitled().Takes(place) {
		t.Error("a path of headings isn't taken along")
	}
	if r = (&Renaming{Before: parse(t, "# A\n", markdown.GitHub)}); r.Retitled().Takes(&address.Place{}) || r.Retitled().Takes(nil) {
		t.Error("a document that is gone has been renamed in")
	}
}
