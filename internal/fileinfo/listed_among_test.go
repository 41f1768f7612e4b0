package fileinfo

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestNumberedAnew: where each form of a name has a file of another number, the listed one is the
// form that is like it. A folder that tells them apart lists both.
func TestNumberedAnew(t *testing.T) {
	disk := fstest.MapFS{
		"a.md":      {Data: []byte("text"), ModTime: time.Unix(1, 0)},
		"b.md":      {Data: []byte("text"), ModTime: time.Unix(1, 0)},
		"\u00e4.md": {Data: []byte("other"), ModTime: time.Unix(2, 0)},
	}
	look := func(name string) (os.FileInfo, error) { // any form finds it, and none is the same file
		for listed := range disk {
			if strings.EqualFold(listed, name) {
				return disk.Stat(listed)
			}
		}
		return nil, fs.ErrNotExist
	}
	names := []string{"b.md", "a.md", "\u00e4.md"}
	for name, want := range map[string]string{"A.MD": "a.md", "A.md": "a.md", "\u00c4.md": "\u00e4.md"} {
		info, err := look(name)
		if err != nil {
			t.Fatal(err)
		}
		if other := otherForm(name, info, look); other == "" {
			t.Errorf("%s has no other form", name)
		}
		if got := listedAmong(names, name, info, look); got != want {
			t.Errorf("%s is listed as %s, want %s", name, got, want)
		}
	}
	// Another file by the other form, as where another program puts one while the folder is listed.
	info, err := disk.Stat("\u00e4.md")
	if err != nil {
		t.Fatal(err)
	}
	if got := listedAmong(names, "A.md", info, disk.Stat); got != "A.md" {
		t.Errorf("a file that isn't like it is listed as %s", got)
	}
	if other := otherForm("a.md", info, look); other != "" {
		t.Errorf("%s is no form of another file", other)
	}
}
