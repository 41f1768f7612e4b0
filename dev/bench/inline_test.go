package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestParsePacked: what is packed is read to its end, and what isn't is refused.
func TestParsePacked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "packed")
	for text, good := range map[string]bool{
		string(packed([]document{{name: "a", source: []byte("# A\n\n*b*\n")}, {name: "b"}, {name: "c", source: []byte("---\nx: y\n---\n[c](d)\n")}})): true,
		"":             true,
		"no size\n":    false,
		"9\ntoo few\n": false,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{"inline", "blocks"} {
			if err := parsePacked(what, path); (err == nil) != good {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	if err := parsePacked("inline", path+"-none"); err == nil {
		t.Error("a file that isn't there is parsed")
	}
}
