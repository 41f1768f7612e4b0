//go:build unix

package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
)

// TestToldWhatIsPutBack has taking back a change fail at one call: whoever has put a document back is
// told of it then, once, and the error for a document of the change says whether it is put back.
func TestToldWhatIsPutBack(t *testing.T) {
	placing := []string{"exchange", "rename", "link"}
	for name, tt := range map[string]struct {
		calls  []string
		of     string // names in the path that the call is about
		err    error
		reason string // why another change of the documents waits, up to what the system says; empty if it doesn't
	}{
		"no room for a document":  {placing, "/long.md/", syscall.ENOSPC, "must be taken back first, and can't be: "},
		"no room for the other":   {placing, "/short.md/", syscall.ENOSPC, "must be taken back first, and can't be: "},
		"a document's disk fails": {placing, "/short.md/", syscall.EIO, "must be taken back first, and can't be: "},
		"a folder isn't synced":   {[]string{"sync"}, "/./", syscall.EIO, "must be taken back first, and can't be: one of its files is put back, but a crash of the system may undo that"},
		"the end isn't written":   {[]string{"write"}, "/open/", syscall.EIO, "is taken back, and that can't be written down: the journal of changes can't be written: "},
		"the end isn't synced":    {[]string{"sync"}, "/open/", syscall.EIO, "is taken back, and that can't be written down: the journal of changes can't be written: "},
		"it isn't put away":       {[]string{"rename"}, "/done/", syscall.EACCES, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			old := map[string]string{"long.md": strings.Repeat("long\n", 100), "short.md": "short\n"}
			for name, text := range old {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var told []journal.Recovered
			j := newJournal(t).Telling(func(r journal.Recovered) { told = append(told, r) })
			killedWriting(t, j, openRoots(t, dir), map[string]string{"long.md": "new\n", "short.md": "other\n"})
			isBack := func(path string) bool {
				text, err := os.ReadFile(path)
				return err == nil && string(text) == old[filepath.Base(path)]
			}
			paths := []string{filepath.Join(dir, "long.md"), filepath.Join(dir, "short.md")}
			var was []string // put back
			check := func(err error) {
				t.Helper()
				var now, said []string
				for _, path := range paths {
					if isBack(path) && !slices.Contains(was, path) {
						now = append(now, path)
					}
				}
				was = append(was, now...)
				for _, r := range told {
					said = append(said, r.Back...)
					if r.Rest == nil && len(was) < len(paths) || len(r.Left) > 0 {
						t.Errorf("%+v", r)
					}
				}
				slices.Sort(said)
				if !slices.Equal(said, now) {
					t.Errorf("put back %q, told %q: %v", now, said, err)
				}
				told = nil
			}
			failing := filesystem.WithSteps(t.Context(), func(call, name string) error {
				if slices.Contains(tt.calls, call) && strings.Contains("/"+name+"/", tt.of) {
					return tt.err
				}
				return nil
			})
			for range 2 {
				err := j.Recover(failing, []files.Site{{Path: paths[1]}})
				switch {
				case (err != nil) != (tt.reason != "") || err != nil && !strings.HasPrefix(err.Error(), tt.reason):
					t.Errorf("%v", err)
				case err != nil && !errors.Is(err, tt.err):
					t.Errorf("%v is not %v", err, tt.err)
				}
				check(err)
				if strings.HasSuffix(name, "synced") {
					break // the record has its end all the same
				}
			}
			stuck, err := j.TakeBack(t.Context())
			check(err)
			if err != nil || len(stuck) > 0 || len(was) != len(paths) {
				t.Errorf("%+v, %v; put back %q", stuck, err, was)
			}
		})
	}
}

// TestSealedRecord has the record of an interrupted change be one that can't be written.
func TestSealedRecord(t *testing.T) {
	skipModes(t)
	if os.Geteuid() == 0 {
		t.Skip("root may write it")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var told []journal.Recovered
	j := newJournal(t).Telling(func(r journal.Recovered) { told = append(told, r) })
	killedWriting(t, j, openRoots(t, dir), map[string]string{"a.md": "a\n", "b.md": "b\n"})
	list, err := filepath.Glob(filepath.Join(j.Dir(), "open", "*"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if err := os.Chmod(list[0], 0o400); err != nil {
		t.Fatal(err)
	}
	const want = "is taken back, and that can't be written down: the journal of changes can't be written: permission denied"
	for n := range 2 {
		if err := j.Recover(t.Context(), []files.Site{{Path: filepath.Join(dir, "a.md")}}); err == nil || err.Error() != want || len(told) != 1 || told[0].Rest != nil {
			t.Errorf("%d: %v, told %+v", n, err, told)
		}
	}
}
