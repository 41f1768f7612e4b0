package address_test

import (
	"errors"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// TestAddressOfOtherBytes: of an address with bytes that are no UTF-8 the rest isn't looked for.
func TestAddressOfOtherBytes(t *testing.T) {
	t.Parallel()
	doc, err := markdown.Parse([]byte("# Menu\n\n## Caf\n\n- [ ] Caf\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range []string{"Caf\xe9", "Menu > Caf\xe9", "task[\"Caf\xe9\"]", "task[\"Caf\"]\xff", "\xff"} {
		_, err := address.Resolve(doc, addr)
		var e *address.Error
		if !errors.As(err, &e) || e.Code != address.InvalidArgument {
			t.Errorf("%q: %v", addr, err)
		}
		if list, err := address.ResolveAll(doc, addr); err == nil {
			t.Errorf("%q: %v", addr, list)
		}
	}
}
