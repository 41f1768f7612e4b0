package address

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sectile/sectile/markdown"
)

// TestPlacesOfElements: names in HTML are found however they are written, also by those who
// don't ask for the links of the document.
func TestPlacesOfElements(t *testing.T) {
	for _, src := range []string{
		"<a id=x></a>", "<p iD='x'>\n", "a <b ID = \"x\">", "<a\nid\n= x>", "> <a nAmE\n> ='x'>", "<p id\t=x>", "<!-- <a> --> <i id=x>",
	} {
		doc, err := markdown.Parse([]byte("# x\n\n" + src + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		with := PlacesWith(doc, doc.Links())
		if diff := cmp.Diff(with.All(), PlacesOf(doc).All(), cmpopts.IgnoreUnexported(Place{})); diff != "" {
			t.Errorf("%q (-with +of):\n%s", src, diff)
		}
		if place, _ := with.Find("x"); place == nil || place.Kind != ElementPlace {
			t.Errorf("%q: %+v", src, place)
		}
	}
}
