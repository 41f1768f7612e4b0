package nearest

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for _, tt := range []struct{ sought, names, want string }{
		{"dri", "dir docs description", "dir"}, // neighbours that have changed their places
		{"dosc", "dir docs description", "docs"},
		{"xyz", "dir docs description", ""},
		{"DIR", "docs dir", "dir"},
		{"", "dir docs", ""},
		{"rw", "raw row x", "raw row"}, // in the order of the list
		{"a", "b c", ""},               // nothing of it is the same
		{"pa", "file_path", ""},
		{"pat", "file_path", "file_path"}, // a part
		{"the_file_path", "file_path", "file_path"},
		{"docks", "docks-2 dock socks x docs", "dock socks docs"}, // the fewest changes first
		{"grösse", "größe", "größe"},
		{"grosse", "größe", ""},
		{"gr\xff\xdfe", "größe", "größe"},
		{"x\xff\xfee", "größe", ""},
		{strings.Repeat("x", 55) + "file_path", "file_path", "file_path"},
		{strings.Repeat("x", 60) + "file_path", "file_path", ""}, // behind what is compared
		{strings.Repeat("ab", 500_000), strings.Repeat("ab", 500_000), strings.Repeat("ab", 500_000)},
	} {
		if got := strings.Join(Names(tt.sought, strings.Fields(tt.names), 3), " "); got != tt.want {
			t.Errorf("Names(%.80q, %.80q) = %.80q, want %.80q", tt.sought, tt.names, got, tt.want)
		}
	}
}

func TestRatio(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"", "", 1},
		{"a", "", 0},
		{"abc", "abc", 1},
		{"h2.9", "h2.0", 0.75},
		{"d00x", "d002", 0.75},
		{"äöüß", "äo", 0.25},
		{"kitten!!", "sitting!", 0.625},
		{"\xff\xfea\xc3", "\xfeb\xffa", 0.5}, // bytes that are no characters are all the same
		{strings.Repeat("é", 64) + "a", strings.Repeat("é", 64) + "b", 1},
		{strings.Repeat("ab", 500_000), strings.Repeat("b", 1_000_000), 0.5},
	} {
		if got := Ratio(tt.a, tt.b); got != tt.want || Ratio(tt.b, tt.a) != got {
			t.Errorf("Ratio(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
