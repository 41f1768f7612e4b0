package filenames

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestKept: the name of a kept file fits, is another one for each number, and says of what kind the file is where
// there is room for that.
func TestKept(t *testing.T) {
	long := strings.Repeat("é", 130)
	for name, want := range map[string]string{
		"a.md":                          "a.kept-7.md",
		"a":                             "a.kept-7",
		".md":                           ".md.kept-7",
		long[:252] + ".md":              long[:244] + ".kept-7.md",
		"a." + strings.Repeat("x", 253): "a." + strings.Repeat("x", 246) + ".kept-7",
		"a." + strings.Repeat("x", 247): "a." + strings.Repeat("x", 246) + ".kept-7",
		"a." + strings.Repeat("x", 246): "a.kept-7." + strings.Repeat("x", 246),
	} {
		for _, n := range []int{7, 1000} {
			got := Kept(name, n)
			if n == 7 && got != want || len(got) > MaxName || filepath.Base(got) != got || got == Kept(name, n+1) {
				t.Errorf("%s: %s, %d bytes", name, got, len(got))
			}
		}
	}
}
