package frontmatter

import (
	"runtime"
	"strings"
	"testing"
)

// TestReadAgain reads a text again, however long it is, without parsing it while somebody has it.
func TestReadAgain(t *testing.T) {
	for _, source := range []string{"a: 1\n", "a: " + strings.Repeat("x", 100_000) + "\n"} {
		one, err := Read(source, YAML)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		if again, err := Read(source, YAML); err != nil || again != one {
			t.Errorf("%d bytes: read twice, %v", len(source), err)
		}
		if other, err := Read(source, TOML); err == nil {
			t.Errorf("%d bytes: as TOML: %v", len(source), other)
		}
		runtime.KeepAlive(one)
	}
}
