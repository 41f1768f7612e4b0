package markdown_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/markdown"
)

func TestReparse(t *testing.T) {
	for _, src := range []string{"", "# A\n\ntext\n", "- a\n- b\n\n## B\n\n## C\n\n## D\n> q\n"} {
		doc, err := markdown.Parse([]byte("# A\n\ntext\n"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := markdown.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		got, err := doc.Reparse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Blocks, got.Blocks); diff != "" {
			t.Errorf("%q: blocks (-parsed +parsed again):\n%s", src, diff)
		}
		if diff := cmp.Diff(want.Sections, got.Sections); diff != "" {
			t.Errorf("%q: sections (-parsed +parsed again):\n%s", src, diff)
		}
		if len(doc.Blocks) != 2 || string(doc.Source) != "# A\n\ntext\n" {
			t.Error("the document has changed")
		}
	}
}
