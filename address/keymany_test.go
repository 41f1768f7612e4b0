package address_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// TestMissingKeyOfMany looks for a key that isn't there in front matter that is too long to be kept:
// with the keys that may be meant that takes no more than to find one that is there.
func TestMissingKeyOfMany(t *testing.T) {
	b := &strings.Builder{}
	b.WriteString("+++\n")
	for i := range 4000 {
		fmt.Fprintf(b, "key%d = %d # so many\n", i, i)
	}
	b.WriteString("+++\n")
	doc, err := markdown.Parse([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	one := func(addr string, want int) uint64 {
		return uint64(testing.AllocsPerRun(2, func() {
			_, err := address.Resolver{Doc: doc}.Nth(addr, 0)
			e := &address.Error{}
			if want > 0 && (!errors.As(err, &e) || len(e.Candidates) != want || e.Candidates[0].Selector != "@frontmatter.key0") || want == 0 && err != nil {
				t.Errorf("%s: %v", addr, err)
			}
		}))
	}
	there, missing := one("@frontmatter.key7", 0), one("@frontmatter.new", 10)
	if missing > 2*there+1000 {
		t.Errorf("%d allocations for a key that isn't there, %d for one that is", missing, there)
	}
}
