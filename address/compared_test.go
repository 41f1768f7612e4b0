package address

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestCompared has the search for headings that may have been meant end with the number of titles that are
// compared for all addresses together: those of one call are many where a document has many headings.
func TestCompared(t *testing.T) {
	var text strings.Builder
	const headings = 20_000
	for i := range headings {
		fmt.Fprintf(&text, "# Head %d word\n", i)
	}
	doc, compared, named := parse(t, text.String()), 0, 0
	r := Resolver{Doc: doc, Compared: &compared}
	for i := range 100 {
		_, err := r.Nth(fmt.Sprintf("Heda %d wrod", i), 0)
		missing, ok := errors.AsType[*Error](err)
		if !ok || missing.Code != HeadingNotFound {
			t.Fatal(err)
		}
		if len(missing.Candidates) > 0 {
			named++
		}
		if strings.Contains(missing.Message, "one of these") != (len(missing.Candidates) > 0) {
			t.Errorf("%d candidates: %s", len(missing.Candidates), missing.Message)
		}
	}
	if most := MaxCompared/headings + 1; named != most || compared > MaxCompared+headings {
		t.Errorf("headings are named for %d addresses, want %d; %d titles were compared", named, most, compared)
	}
}
