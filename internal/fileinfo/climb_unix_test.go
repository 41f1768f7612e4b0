//go:build unix

package fileinfo

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestLinkClimbedOver finds the link from behind which a path goes up again, as far as the path
// is there; where it finds none, the system comes to the same by the path's words.
func TestLinkClimbedOver(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(base+"/real/sub", 0o755), os.MkdirAll(filepath.Join(base, "in"), 0o755),
		os.Symlink("../real/sub", base+"/in/l"), os.Symlink("nowhere", filepath.Join(base, "gone")), os.WriteFile(filepath.Join(base, "a.md"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for path, link := range map[string]string{
		"": "", "a.md": "", "in/../a.md": "", "in/l": "", "in/l/.": "", "real/sub/../../a.md": "", "in/l/../../in/..": "in/l", "in/..": "", "none/../a.md": "",
		"in/l/..": "in/l", "in/l//./../a.md": "in/l", "in/./l/../a.md": "in/./l", "in/l/x/../y": "", "in/l/x/../../y": "in/l", "in/../in/l/../x": "in/../in/l", "gone/../a.md": "gone", "in/..l/../..a": "",
	} {
		if link != "" {
			link = base + "/" + link
		}
		path = base + "/" + path
		if got := LinkClimbedOver(path); got != link {
			t.Errorf("%q: %q, want %q", path, got, link)
		}
		there, err := filepath.EvalSymlinks(path)
		if words, _ := filepath.EvalSymlinks(filepath.Clean(path)); err == nil && link == "" && words != there {
			t.Errorf("%q: %q, and by its words %q", path, there, words)
		}
	}
	if got := LinkClimbedOver("../../internal/../go.mod"); got != "" {
		t.Error(got)
	}
}
