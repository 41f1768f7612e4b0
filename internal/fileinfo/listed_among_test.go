package fileinfo

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// folding is a file system that finds files by any form of their names, of which each has a file of
// another number; or one that tells them apart.
type folding struct {
	fstest.MapFS

	folds bool
}

func (f *folding) look(name string) (os.FileInfo, error) {
	for listed := range f.MapFS {
		if listed == name || f.folds && strings.EqualFold(listed, name) {
			return f.Stat(listed)
		}
	}
	return nil, fs.ErrNotExist
}

// TestNumberedAnew: where each form of a name has a file of another number, the listed one is the
// one that is a form of it, whatever the system still says of a file that has changed just now.
func TestNumberedAnew(t *testing.T) {
	disk := &folding{fstest.MapFS{
		"b.md": {Data: []byte("text")}, "a.md": {Data: []byte("text")}, "\u00e4.md": {Data: []byte("text")}, "Docs": {Mode: fs.ModeDir},
	}, true}
	before, err := (&folding{fstest.MapFS{"x": {Data: []byte("before"), ModTime: time.Unix(1, 0)}}, true}).look("x")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"b.md", "a.md", "\u00e4.md", "Docs"}
	for name, want := range map[string]string{"A.MD": "a.md", "A.md": "a.md", "a.md": "a.md", "\u00c4.md": "\u00e4.md", "DOCS": "Docs", "dOCS": "Docs"} {
		if got, folds := listedAmong(names, name, before, disk.look); got != want || !folds {
			t.Errorf("%s is listed as %s, want %s; it folds: %v", name, got, want, folds)
		}
	}
	// No spelling is left that proves it, so that they must be alike.
	disk = &folding{fstest.MapFS{"p": {Data: []byte("text")}}, true}
	like, err := disk.look("P")
	if err != nil {
		t.Fatal(err)
	}
	if got, folds := listedAmong([]string{"p"}, "P", like, disk.look); got != "p" || !folds {
		t.Errorf("P is listed as %s; it folds: %v", got, folds)
	}
	if got, _ := listedAmong([]string{"p"}, "P", before, disk.look); got != "P" {
		t.Errorf("another file P is listed as %s", got)
	}
}

// TestListingMisses: a folder that tells names apart may not list one that another program puts
// there at the same moment. It isn't called as its neighbour.
func TestListingMisses(t *testing.T) {
	disk := &folding{fstest.MapFS{"A.MD": {Data: []byte("text")}, "a.md": {Data: []byte("another")}}, false}
	info, err := disk.look("A.MD")
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{"a.md"}, {"a.md", "A.MD"}} {
		if got, folds := listedAmong(names, "A.MD", info, disk.look); got != "A.MD" || folds {
			t.Errorf("of %q it is listed as %s; it folds: %v", names, got, folds)
		}
	}
}
