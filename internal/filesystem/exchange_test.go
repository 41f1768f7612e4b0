package filesystem

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"testing"
)

// folder is one in which names can't be removed.
type folder struct {
	files map[string]bool
	stays map[string]bool
}

func (f *folder) Link(_, to string) error {
	f.files[to] = true
	return nil
}

func (f *folder) Rename(string, string) error { return fs.ErrPermission }

func (f *folder) Lstat(string) (fs.FileInfo, error) { return nil, fs.ErrNotExist }

func (f *folder) Remove(name string) error {
	if f.stays[name] {
		return fs.ErrPermission
	}
	delete(f.files, name)
	return nil
}

// TestLinkNewWithoutRemoval: a file whose old name can't be removed has that alone afterwards, or else
// the error says that it has both.
func TestLinkNewWithoutRemoval(t *testing.T) {
	for name, test := range map[string]struct {
		stays map[string]bool
		want  []string
		both  bool
	}{
		"the old name stays": {map[string]bool{"old": true}, []string{"old"}, false},
		"both stay":          {map[string]bool{"old": true, "new": true}, []string{"new", "old"}, true},
	} {
		f := &folder{map[string]bool{"old": true}, test.stays}
		err := linkNew(f, "old", "new")
		if !errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrBothNames) != test.both {
			t.Errorf("%s: %v", name, err)
		}
		if got := slices.Sorted(maps.Keys(f.files)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
