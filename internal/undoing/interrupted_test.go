package undoing

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
)

// TestClearBesideUnread forgets all changes while the record of one that was interrupted can't be read:
// the error says what is left and names the record.
func TestClearBesideUnread(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "1\n", "b.md": "1\n"})
	killed := errors.New("killed")
	lines := 0
	ctx := filesystem.WithSteps(w.For(t.Context(), documents.Reader{}, "edit", nil), func(call, name string) error {
		if call == "write" && strings.Contains(filepath.ToSlash(name), "/open/") {
			lines++
		}
		if lines > 1 { // the record, and that it is done
			return killed
		}
		return nil
	})
	paths := []string{filepath.Join(w.dir, "a.md"), filepath.Join(w.dir, "b.md")}
	if err := files.Update(ctx, paths, files.UpdateOptions{}, func(tx *files.Tx) error {
		tx.Together()
		return errors.Join(tx.Write(paths[0], []byte("2\n")), tx.Write(paths[1], []byte("2\n")))
	}); !errors.Is(err, killed) {
		t.Fatal(err)
	}
	unread := filesystem.WithSteps(t.Context(), func(call, name string) error {
		if call == "open" && strings.HasPrefix(name, "open/") {
			return syscall.EIO
		}
		return nil
	})
	err := w.Clear(unread)
	if err == nil || !strings.Contains(err.Error(), "all else is forgotten, but not ") || !strings.Contains(err.Error(), "with the copies that it may need: the record of a change can't be read, or put away: open/") {
		t.Error(err)
	}
	if size, err := w.Size(t.Context()); err != nil || size.Changes > 1 {
		t.Errorf("%+v, %v", size, err)
	}
	told := ""
	w.History = Open(w.Dir(), func(sentence string) { told += sentence })
	if err := w.Clear(t.Context()); err != nil || !strings.HasSuffix(told, "is taken back") {
		t.Errorf("%v, told %q", err, told)
	}
	for _, path := range paths {
		if text, err := os.ReadFile(path); err != nil || string(text) != "1\n" {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// TestToldInPart tells of a change of which one file is put back and the other can't be yet.
func TestToldInPart(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "1\n", "b.md": "1\n"})
	var of *journal.Record
	if err := w.journal.List(t.Context(), func(r *journal.Record) bool {
		of = r
		return true
	}); err != nil || of == nil {
		t.Fatal(of, err)
	}
	path := filepath.Join(w.dir, "a.md")
	r := journal.Recovered{Record: of, Back: []string{path}, Rest: os.ErrDeadlineExceeded}
	back := &TakenBack{}
	back.add(r)
	if text := back.Text(w.docs.Workspace); !strings.HasPrefix(text, "taken back first: a change of 2 files ") || !strings.HasSuffix(text, "; these are again what they were before it: a.md; the rest of it can't be yet") {
		t.Error(text)
	}
	kept := filepath.Join(w.dir, "a.kept-1.md")
	r.Kept.Add(&r.Kept.Old, path, kept)
	back = &TakenBack{}
	back.add(r)
	if text := back.Text(w.docs.Workspace); !strings.HasSuffix(text, `; the rest of it can't be yet; what was in "a.md" before is kept as "a.kept-1.md"`) {
		t.Error(text)
	}
	r.Kept = fileerror.Kept{}
	if text := recovered(r); !strings.HasSuffix(text, " is taken back in part, and the rest can't be yet: i/o timeout; these are again what they were before it: "+path) {
		t.Error(text)
	}
}
