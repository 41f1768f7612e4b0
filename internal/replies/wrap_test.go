package replies

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBroken(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two", 0, []string{"one two"}},
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{"one two", 3, []string{"one", "two"}},
		{"  - indented text", 10, []string{"  -", "indented", "text"}},
		{"unbreakable", 4, []string{"unbr", "eaka", "ble"}},
		{"    unbreakable", 8, []string{"    unbr", "eakable"}},
		{"漢字漢字", 4, []string{"漢字", "漢字"}},
		{"漢", 1, []string{"漢"}},
		{"e\u0301e\u0301 x", 2, []string{"e\u0301e\u0301", "x"}},
		{"\x1b[1mone\x1b[0m two", 7, []string{"\x1b[1mone\x1b[0m two"}},
		{"👍👍👍", 4, []string{"👍👍", "👍"}},
	} {
		if diff := cmp.Diff(tt.want, Broken(tt.text, tt.width)); diff != "" {
			t.Errorf("%q, %d: -want +got:\n%s", tt.text, tt.width, diff)
		}
	}
}
