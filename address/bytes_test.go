package address_test

import (
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// TestBytes finds what an address with bytes that are not UTF-8 names by these bytes alone: nobody
// knows which letter was meant.
func TestBytes(t *testing.T) {
	doc, err := new(markdown.Parser).Parse([]byte("# Menu\n\n## Caf\n\n- [ ] Caf\n- [x] Café\n\n## Café\n\n## Th\xe9\n\n- [ ] Th\xe9\n"))
	if err != nil {
		t.Fatal(err)
	}
	for written, want := range map[string]string{
		"Caf\xe9": "", "Caf\xc3": "", "Menu > Caf\xe9": "", "## Caf\xe9": "", "task[\"Caf\xe9\"]": "", "th\xe9": "",
		"Café": "h2.1", "Caf": "h2.0", "Th\xe9": "h2.2", "## Th\xe9": "h2.2", "Menu > Th\xe9": "h2.2", "task[\"Th\xe9\"]": "h2.2/list.0/item.0", "task[\"Café\"]": "h2.0/list.0/item.1",
	} {
		res, err := address.Resolve(doc, written)
		got := ""
		if err == nil {
			got = address.SelectorOf(doc, res.Node)
		}
		if got != want {
			t.Errorf("%q: %q, %v, want %q", written, got, err, want)
		}
	}
}
