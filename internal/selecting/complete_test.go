package selecting

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompleteAddress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, []byte("# Guide\n\n## Install\n\n### On Linux\n\n## Use *it* & go\n\n# Notes\n\n## Install\n\n## \u202Ehidden\n\n## A > B\n\n### Under\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string][]string{
		"Note": {"Notes lines 9-17 false"},
		"h2.2": {"h2.2 Install false"},
		"zzz":  nil,
	} {
		var got []string
		for _, c := range CompleteAddress(path, typed) {
			got = append(got, strings.Join([]string{c.Selector, c.Description, fmt.Sprint(c.Open)}, " "))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", typed, diff)
		}
	}
	if got := CompleteAddress(path+"x", ""); got != nil {
		t.Errorf("a file that is not there: %v", got)
	}
}
