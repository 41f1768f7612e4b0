package filenames

import "testing"

// TestAliases judges names by what Windows would make of them.
func TestAliases(t *testing.T) {
	for name, want := range map[string]bool{
		"a.md": false, "a~b.md": false, "a~.md": false, "~": false, "a.~1": false, "v1.md": false, ".env": false,
		"env~1": true, "ENV~1": true, "abcdef~12.md": true, "a.md.": true, "a.md" + " ": true, "a.md:x": true,
		".env::$DATA": true, "a?": true, `a\b`: true,
	} {
		if got := IsAlias(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
