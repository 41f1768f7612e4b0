package filenames

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestAsHeld: where a file system has no name as long as that with the file's own in it, another one is tried without.
func TestAsHeld(t *testing.T) {
	var tried []string
	rename := func(held string) error {
		tried = append(tried, held)
		if strings.Contains(held, "name.md") {
			return &os.LinkError{Op: "rename", Err: syscall.ENAMETOOLONG}
		}
		return nil
	}
	held, err := AsHeld([]byte("a"), []byte("b"), "name.md", rename)
	if _, _, name, ok := ParseHeld(held); err != nil || !ok || name != "" || len(tried) != 2 || tried[1] != held {
		t.Errorf("%q, %v, tried %q", held, err, tried)
	}
	failed := errors.New("no")
	if _, err := AsHeld(nil, nil, "x.md", func(string) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("another failure: %v", err)
	}
	if held, err := AsHeld(nil, nil, "x.md", func(string) error { return nil }); err != nil || !strings.HasSuffix(held, "-x.md.held") {
		t.Errorf("%q, %v", held, err)
	}
}

// TestKept: what is kept beside a file has a name no longer than a file system has them that has the file's own.
func TestKept(t *testing.T) {
	for _, tt := range []struct {
		name string
		want int // bytes of the name of what is kept
	}{
		{"a.md", len("a.kept-1.md")},
		{strings.Repeat("x", 132) + ".md", 142},
		{strings.Repeat("x", 137) + ".md", 143},
		{strings.Repeat("x", 172) + ".md", 175},
		{strings.Repeat("x", 252) + ".md", 255},
		{"." + strings.Repeat("x", 254), 255},
	} {
		if kept := Kept(tt.name, 1); len(kept) != tt.want || !strings.Contains(kept, ".kept-1") || !strings.HasPrefix(kept, tt.name[:1]) {
			t.Errorf("%s is kept as %s, of %d bytes", tt.name, kept, len(kept))
		}
	}
}
