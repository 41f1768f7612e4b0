package filesystem

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// folder is one in which the calls that remove or look at names may fail.
type folder struct {
	*os.Root
	stays   []string // names that can't be removed
	lost    []string // those that are removed, of which the answer is lost
	unknown []string // those that can't be looked at
	linked  error    // what is told of a file that has got a second name
}

func (f *folder) Link(from, to string) error { return errors.Join(f.Root.Link(from, to), f.linked) }

func (f *folder) Remove(name string) error {
	if slices.Contains(f.stays, name) {
		return fs.ErrPermission
	}
	err := f.Root.Remove(name)
	if err == nil && slices.Contains(f.lost, name) {
		return syscall.ENOENT
	}
	return err
}

func (f *folder) Lstat(name string) (fs.FileInfo, error) {
	if slices.Contains(f.unknown, name) {
		return nil, syscall.EIO
	}
	return f.Root.Lstat(name)
}

// TestRenameWithoutRemoval: a file whose old name can't be removed has that alone afterwards, or else
// the error says that it has both. Where the removal is done, whatever is answered, it has the new one.
func TestRenameWithoutRemoval(t *testing.T) {
	old, both := []string{"old"}, []string{"new", "old"}
	for name, test := range map[string]struct {
		folder
		want  []string
		fails error
	}{
		"the old name stays":           {folder{stays: old}, old, fs.ErrPermission},
		"both stay":                    {folder{stays: both}, both, ErrBothNames},
		"the answer is lost":           {folder{lost: old}, []string{"new"}, nil},
		"the link's answer is lost":    {folder{linked: syscall.ENOENT}, []string{"new"}, nil},
		"it was there, says the link":  {folder{linked: syscall.EEXIST}, []string{"new"}, nil},
		"the second answer is lost":    {folder{stays: old, lost: []string{"new"}}, old, fs.ErrPermission},
		"the old name is unknown":      {folder{stays: old, unknown: old}, both, ErrBothNames},
		"the new name is unknown":      {folder{stays: old, unknown: []string{"new"}}, both, ErrBothNames},
		"lost, and neither is known":   {folder{lost: old, unknown: both}, []string{"new"}, ErrBothNames},
		"lost, and the old is unknown": {folder{lost: old, unknown: old}, []string{"new"}, ErrBothNames},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "old"), []byte("text"), 0o600); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			f := test.folder
			f.Root = root
			if err := renameUnless(&f, false, "old", "new"); !errors.Is(err, test.fails) || errors.Is(err, ErrBothNames) != errors.Is(test.fails, ErrBothNames) {
				t.Errorf("%v, want %v", err, test.fails)
			}
			var got []string
			list, err := os.ReadDir(dir)
			for _, e := range list {
				got = append(got, e.Name())
			}
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// TestRenameWithoutLink: where each name of a file has a number of its own, a file is renamed with the number that
// it has, unless there is one by the new name, or that can't be told.
func TestRenameWithoutLink(t *testing.T) {
	for name, test := range map[string]struct {
		to      string
		unknown []string
		want    error
	}{
		"nothing is there": {"new", nil, nil},
		"a file is":        {"other", nil, fs.ErrExist},
		"it isn't known":   {"new", []string{"new"}, syscall.EIO},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"old", "other"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			f := &folder{Root: root, unknown: test.unknown, stays: []string{"old"}, linked: errors.ErrUnsupported}
			if err := renameUnless(f, true, "old", test.to); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
			at := test.to
			if test.want != nil {
				at = "old"
			}
			if text, err := os.ReadFile(filepath.Join(dir, at)); err != nil || string(text) != "old" {
				t.Errorf("%s holds %q, %v", at, text, err)
			}
			if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}
