package engine

import (
	"strings"
	"testing"
)

func TestIsIndexName(t *testing.T) {
	for name, want := range map[string]bool{
		"sectile": true, "0a_b.c-d": true, strings.Repeat("a", 100): true,
		"": false, "_a": false, "-a": false, ".a": false, "A": false, "a/b": false, "a,b": false, "a*": false, "ä": false, strings.Repeat("a", 101): false,
	} {
		if isIndexName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
