package outline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/outline"
)

func TestSafeNames(t *testing.T) {
	const src = "# a\u202E\u200Bb\U000E0041\n## 👩‍👩‍👧\t`c`\n"
	want := []string{"a\uFFFD\uFFFDb\uFFFD", "👩‍👩‍👧 c"}
	wantRaw := []string{"a\uFFFD\uFFFDb\uFFFD", "👩‍👩‍👧 `c`"}
	for _, raw := range []bool{false, true} {
		if raw {
			want = wantRaw
		}
		var names, inList []string
		tree := outline.NewTree(parse(t, src), outline.TreeOptions{Raw: raw, Safe: true})
		for n := range tree.Nodes() {
			names = append(names, n.Name)
		}
		for _, e := range list(t, src, outline.ListOptions{Raw: raw, Safe: true}).Sections {
			inList = append(inList, e.Name)
		}
		root := decode(t, tree.AppendJSON(nil, "\u202Ea.md"))
		first := (*root.Children)[0]
		inTree := []string{first.Name, (*first.Children)[0].Name}
		for _, got := range [][]string{names, inList, inTree} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("raw %v (-want +got)\n%s", raw, diff)
			}
		}
		if root.Name != "\uFFFDa.md" {
			t.Errorf("the root is %q", root.Name)
		}
	}
}
