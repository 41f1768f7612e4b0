//go:build unix

package journal_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/journal"
)

// What lies in the journal may be anything that somebody could put there: pipes and links, other texts,
// records that are cut off.

// oneChange returns a folder and a journal in which one document was changed.
func oneChange(t *testing.T) (r *files.Roots, dir string, j *journal.Journal) {
	t.Helper()
	dir, j = before.make(t), newJournal(t)
	r = openRoots(t, dir)
	put(t, r, j, "a.md", "changed")
	return r, dir, j
}

// put writes a document, and returns why it can't be undone.
func put(t *testing.T, r *files.Roots, j *journal.Journal, path, text string) (noUndo string) {
	t.Helper()
	var last *files.Tx
	err := r.Update(j.In(t.Context()), []string{path}, func(tx *files.Tx) error {
		last = tx
		return tx.Write(path, []byte(text))
	})
	if err != nil {
		t.Fatal(err)
	}
	return last.Undo().Not
}

// special are what is no file of a journal, and must not be waited for.
var special = map[string]func(path string) error{
	"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"folder": func(path string) error { return os.Mkdir(path, 0o700) },
	"link to a pipe": func(path string) error {
		to := path + ".pipe"
		return errors.Join(syscall.Mkfifo(to, 0o600), os.Symlink(filepath.Base(to), path))
	},
	"socket": func(path string) error {
		s, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer syscall.Close(s) // the name stays
		return syscall.Bind(s, &syscall.SockaddrUnix{Name: path})
	},
}

// TestSpecialFiles has what is no file stand wherever a file of the journal does. Nothing
// waits, documents stay as they are, and what it was is told.
func TestSpecialFiles(t *testing.T) {
	for what, place := range special {
		for _, in := range []string{"open", "done", "copies", "lock", "kept"} {
			t.Run(what+" in "+in, func(t *testing.T) {
				t.Chdir(t.TempDir()) // names of sockets must be short
				r, dir, j := oneChange(t)
				e := &records(t, j)[0].Entries[0]
				target := filepath.Join(j.Dir(), in)
				switch in {
				case "open", "done":
					target = filepath.Join(target, "00065aaaaaaaaaaa-pipepipe")
				case "copies":
					target = filepath.Join(target, e.After.Hash)
					fallthrough
				default:
					if err := os.Remove(target); err != nil {
						t.Fatal(err)
					}
				}
				if err := errors.Join(place("x"), os.Rename("x", target)); err != nil {
					t.Fatal(err)
				}
				if pipe := "x.pipe"; strings.HasPrefix(what, "link") {
					if err := os.Rename(pipe, filepath.Join(filepath.Dir(target), pipe)); err != nil {
						t.Fatal(err)
					}
				}
				_, _ = j.Pending(t.Context()), records(t, j)
				_, _, err := j.Texts(t.Context(), e)
				if in == "copies" && !journal.IsGone(err) || in != "copies" && err != nil {
					t.Errorf("texts: %v", err)
				}
				if _, err := j.TakeBack(t.Context()); err != nil {
					t.Errorf("recover: %v", err)
				}
				if list := records(t, j); in == "open" || in == "done" {
					if len(list) != 2 || list[1].Problem+list[0].Problem != "it is a link, folder, pipe, socket or device, and no file" {
						t.Errorf("%+v", list)
					}
				}
				noUndo := put(t, r, j, "other.md", "other")
				if (in == "lock") != strings.Contains(noUndo, "lock in it can't be opened: it is a link, folder, pipe") {
					t.Errorf("no undo: %q", noUndo)
				}
				if err := j.Clear(t.Context()); in != "lock" && what != "folder" && err != nil {
					t.Errorf("clear: %v", err)
				}
				if now := read(t, dir); now["a.md"] != "rw-r----- changed" {
					t.Errorf("a.md is %q", now["a.md"])
				}
			})
		}
	}
}

// TestSpecialShown has what is no file stand where it is noted what was shown. Nothing waits, and
// nothing is written by a link.
func TestSpecialShown(t *testing.T) {
	for what, place := range special {
		t.Run(what, func(t *testing.T) {
			t.Chdir(t.TempDir()) // names of sockets must be short
			j, now := newJournal(t), time.Now()
			shown := journal.Shown{Time: now, Path: filepath.Join(j.Dir(), "a.md"), Sections: []journal.ShownSection{{Selector: "h1.0", Hash: "a"}}}
			if err := j.Saw(t.Context(), shown); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(j.Dir(), "shown", now.UTC().Format("2006010215"))
			if err := errors.Join(os.Remove(file), place("x"), os.Rename("x", file)); err != nil {
				t.Fatal(err)
			}
			if pipe := "x.pipe"; strings.HasPrefix(what, "link") {
				if err := os.Rename(pipe, filepath.Join(filepath.Dir(file), pipe)); err != nil {
					t.Fatal(err)
				}
			}
			if err := j.Saw(t.Context(), shown); err == nil {
				t.Error("it is noted")
			}
			_, err := j.Shown(t.Context(), now.Add(-time.Hour), func(int64) bool { return true }, func(s *journal.Shown) bool {
				t.Errorf("%s was shown", s.Path)
				return true
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("link to a record", func(t *testing.T) {
		_, _, j := oneChange(t)
		list, err := filepath.Glob(filepath.Join(j.Dir(), "done", "*"))
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		old, err := os.ReadFile(list[0])
		now := time.Now()
		err = errors.Join(err, os.MkdirAll(filepath.Join(j.Dir(), "shown"), 0o700), os.Symlink(list[0], filepath.Join(j.Dir(), "shown", now.UTC().Format("2006010215"))))
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Saw(t.Context(), journal.Shown{Time: now, Path: list[0], Sections: []journal.ShownSection{{Selector: "h1.0", Hash: "a"}}}); err == nil {
			t.Error("it is noted")
		}
		if text, err := os.ReadFile(list[0]); err != nil || !bytes.Equal(text, old) {
			t.Errorf("the record is now %q, %v", text, err)
		}
	})
}

// TestDamagedCopies has a copy be damaged, with its size as it was, when a later change has
// the same text: the later one has its undo.
func TestDamagedCopies(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"zeros":      func(path string) error { return os.WriteFile(path, make([]byte, len("changed")), 0o600) },
		"longer":     func(path string) error { return os.WriteFile(path, []byte("changed and more"), 0o600) },
		"unreadable": func(path string) error { return os.Chmod(path, 0) },
		"a link": func(path string) error {
			return errors.Join(os.Rename(path, path+"x"), os.Symlink(filepath.Base(path)+"x", path))
		},
		"a pipe": func(path string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)) },
	} {
		for _, several := range []bool{false, true} {
			r, _, j := oneChange(t)
			after := records(t, j)[0].Entries[0].After
			if err := damage(filepath.Join(j.Dir(), "copies", after.Hash)); err != nil {
				t.Fatal(err)
			}
			paths := []string{"a.md", "b/b.md"}[:1]
			if several {
				paths = paths[:2]
			}
			if err := r.Update(j.In(t.Context()), paths, func(tx *files.Tx) error {
				var errs []error
				for _, path := range paths {
					errs = append(errs, tx.Write(path, []byte("later")))
				}
				return errors.Join(errs...)
			}); err != nil {
				t.Fatal(err)
			}
			for _, e := range records(t, j)[0].Entries {
				old, _, err := j.Texts(t.Context(), &e)
				if filepath.Base(e.Path) == "a.md" && (string(old) != "changed" || err != nil) {
					t.Errorf("%s, several %v: before it was %q, %v", name, several, old, err)
				}
			}
		}
	}
}

// TestUnreadableCopy: a copy that can't be read just now isn't gone, and the error says what
// to do.
func TestUnreadableCopy(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can read it")
	}
	_, _, j := oneChange(t)
	e := &records(t, j)[0].Entries[0]
	if err := os.Chmod(filepath.Join(j.Dir(), "copies", e.Before.Hash), 0); err != nil {
		t.Fatal(err)
	}
	_, _, err := j.Texts(t.Context(), e)
	if err == nil || journal.IsGone(err) || !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "openat") ||
		!strings.Contains(err.Error(), "permission denied; make the journal's file copies/"+e.Before.Hash+" readable") {
		t.Error(err)
	}
}

// TestJournalIsALink has the journal, which isn't there yet, be a link: nothing is made where
// it leads.
func TestJournalIsALink(t *testing.T) {
	for _, there := range []bool{true, false} {
		state, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
		if there {
			if err := os.Mkdir(elsewhere, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		j := journal.New(journal.Options{Dir: filepath.Join(state, "journal")})
		if err := os.Symlink(elsewhere, j.Dir()); err != nil {
			t.Fatal(err)
		}
		refused(t, j, openRoots(t, before.make(t)))
		if list, err := os.ReadDir(elsewhere); len(list) > 0 || there != (err == nil) {
			t.Errorf("behind the link there is %v, %v", list, err)
		}
	}
}

// TestFoldersAreLinks has a folder in the journal be a link, also to one in it: it is not believed,
// and nothing is written there.
func TestFoldersAreLinks(t *testing.T) {
	for _, name := range []string{"open", "done", "copies"} {
		for _, to := range []string{t.TempDir(), "elsewhere"} {
			r, _, j := oneChange(t)
			if err := errors.Join(os.Rename(filepath.Join(j.Dir(), name), filepath.Join(j.Dir(), "elsewhere")), os.Symlink(to, filepath.Join(j.Dir(), name))); err != nil {
				t.Fatal(err)
			}
			refused(t, j, r)
			if err := j.List(t.Context(), func(*journal.Record) bool { return true }); !errors.Is(err, journal.ErrUntrusted) {
				t.Errorf("%s to %s: %v", name, to, err)
			}
		}
	}
}

// TestEndIsMissing cuts the record of a change that is done: it is listed with its files and
// what is wrong, whatever is missing of its last line.
func TestEndIsMissing(t *testing.T) {
	_, dir, j := oneChange(t)
	found, err := filepath.Glob(filepath.Join(j.Dir(), "done", "*"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= len("committed\n"); n++ {
		if err := os.WriteFile(found[0], text[:len(text)-n], 0o600); err != nil {
			t.Fatal(err)
		}
		list := records(t, j)
		if len(list) != 1 || !strings.Contains(list[0].Problem, "the end of its record is missing") || len(list[0].Entries) != 1 || list[0].State == journal.Committed {
			t.Errorf("%d bytes less: %+v", n, list)
		}
	}
	want := maps.Clone(before)
	want["a.md"] = "rw-r----- changed"
	if diff := cmp.Diff(want, read(t, dir)); diff != "" {
		t.Error(diff)
	}
}
