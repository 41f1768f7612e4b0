package files

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
)

// What comes between the reading and the renaming: other programs, and the end of
// the context.

// TestUpdateStartsOver has another program come between the reading and the
// renaming, once, in each way that there is.
func TestUpdateStartsOver(t *testing.T) {
	for name, meddle := range map[string]func(file string) error{
		"written in place": func(file string) error { return os.WriteFile(file, []byte("foreign"), 0o600) },
		"same size": func(file string) error {
			return errors.Join(os.WriteFile(file, []byte("odd"), 0o600), os.Chtimes(file, time.Time{}, time.Unix(1, 0)))
		},
		"renamed over": func(file string) error {
			return errors.Join(os.WriteFile(file+"~", []byte("foreign"), 0o600), os.Rename(file+"~", file))
		},
		"renamed over, same size and time": func(file string) error {
			info, err := os.Stat(file)
			if err != nil {
				return err
			}
			return errors.Join(os.WriteFile(file+"~", []byte("odd"), 0o600),
				os.Chtimes(file+"~", time.Time{}, info.ModTime()), os.Rename(file+"~", file))
		},
		"mode": func(file string) error { return os.Chmod(file, 0o640) },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "mode" && runtime.GOOS == "windows" {
				t.Skip("files have no modes there")
			}
			both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
				file := write(t, filepath.Join(dir, "a.md"), "old")
				var reads []string
				err := update(t.Context(), []string{path("a.md")}, func(tx *Tx) error {
					text, err := tx.Read(path("a.md"))
					if err != nil {
						return err
					}
					if reads = append(reads, string(text)); len(reads) == 1 {
						if err := meddle(file); err != nil {
							t.Fatal(err)
						}
					}
					return tx.Write(path("a.md"), append(text, '!'))
				})
				if err != nil || len(reads) != 2 {
					t.Fatalf("read %q, %v", reads, err)
				}
				expect(t, dir, map[string]string{"a.md": reads[1] + "!"})
				if info, err := os.Stat(file); err != nil || name == "mode" && info.Mode() != 0o640 {
					t.Errorf("%v, %v", info, err)
				}
			})
		})
	}
}

// TestUpdateStartsOverForAll has another program change the last of several files:
// none is written before that is seen.
func TestUpdateStartsOverForAll(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		tree(t, dir, nil, "a.md", "b.md")
		calls := 0
		err := update(t.Context(), []string{path("a.md"), path("b.md")}, func(tx *Tx) error {
			err := errors.Join(add(path("a.md"), "!")(tx), add(path("b.md"), "!")(tx))
			if calls++; calls == 1 {
				write(t, filepath.Join(dir, "b.md"), "foreign")
			}
			return err
		})
		if err != nil || calls != 2 {
			t.Errorf("%v after %d calls", err, calls)
		}
		expect(t, dir, map[string]string{"a.md": "a.md!", "b.md": "foreign!"})
	})
}

// TestUpdateGivesUp has another program change a file whenever it is read: of several no one is told as that.
func TestUpdateGivesUp(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		for names, reason := range map[string]string{
			"a.md": "another program changed it again and again", "0.md a.md": "another program changed it, or one of the files that change with it, again and again",
		} {
			write(t, filepath.Join(dir, "0.md"), "")
			file := write(t, filepath.Join(dir, "a.md"), "")
			var paths []string
			for name := range strings.FieldsSeq(names) {
				paths = append(paths, path(name))
			}
			calls := 0
			err := update(t.Context(), paths, func(tx *Tx) error {
				calls++
				err := add(path("a.md"), "ours")(tx)
				return errors.Join(err, os.WriteFile(file, bytes.Repeat([]byte("x"), calls), 0o600))
			})
			if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != fileerror.Conflict || e.Path != paths[0] || e.Reason != reason || len(e.Written) > 0 || calls != attempts {
				t.Errorf("%v after %d calls", err, calls)
			}
			expect(t, dir, map[string]string{"0.md": "", "a.md": strings.Repeat("x", attempts)})
		}
	})
}

// TestUpdateOfWhatComesAndGoes has a file vanish, and one appear, while it is
// changed: the change is asked again.
func TestUpdateOfWhatComesAndGoes(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		gone := write(t, filepath.Join(dir, "gone.md"), "old")
		var codes []fileerror.Code
		err := update(t.Context(), []string{path("gone.md")}, func(tx *Tx) error {
			_, err := tx.Read(path("gone.md"))
			codes = append(codes, codeOf(err))
			if err != nil {
				return err
			}
			if err := os.Remove(gone); err != nil {
				t.Fatal(err)
			}
			return tx.Write(path("gone.md"), []byte("new"))
		})
		if diff := cmp.Diff([]fileerror.Code{"", fileerror.NotFound}, codes); diff != "" || codeOf(err) != fileerror.NotFound {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		expect(t, dir, map[string]string{})

		codes = nil
		err = update(t.Context(), []string{path("new.md")}, func(tx *Tx) error {
			text, err := tx.Read(path("new.md"))
			if codes = append(codes, codeOf(err)); len(codes) == 1 {
				write(t, filepath.Join(dir, "new.md"), "foreign")
			}
			return tx.Write(path("new.md"), append(text, '!'))
		})
		if diff := cmp.Diff([]fileerror.Code{fileerror.NotFound, ""}, codes); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		expect(t, dir, map[string]string{"new.md": "foreign!"})
	})
}

// TestUpdateContext ends the context before and during a change.
func TestUpdateContext(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		write(t, filepath.Join(dir, "a.md"), "old")
		ctx, cancel := context.WithCancel(t.Context())
		err := update(ctx, []string{path("a.md")}, func(tx *Tx) error {
			cancel()
			return tx.Write(path("a.md"), []byte("new"))
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("canceled by the change: %v", err)
		}
		err = update(ctx, []string{path("a.md")}, func(*Tx) error {
			t.Error("a change is made after the end")
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("canceled before: %v", err)
		}
		expect(t, dir, map[string]string{"a.md": "old"})
	})
}

// looks is a context that ends when it is looked at for a certain time.
type looks struct {
	context.Context
	left int
	look func() // is called each time
}

func (l *looks) Err() error {
	l.look()
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestUpdateLooksAtContext ends the context at each of the moments when it is
// looked at: nothing is written then. The last one is when all is ready.
func TestUpdateLooksAtContext(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		write(t, filepath.Join(dir, "a.md"), "old")
		temps := 0
		ctx := &looks{Context: t.Context(), look: func() {
			list, err := os.ReadDir(dir)
			if err != nil {
				t.Error(err)
			}
			temps = len(list) - 1
		}}
		for n := 0; ; n++ {
			ctx.left = n
			err := update(ctx, []string{path("a.md")}, put(path("a.md"), "new"))
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) || n > 100 {
				t.Fatalf("look %d: %v", n, err)
			}
			expect(t, dir, map[string]string{"a.md": "old"})
		}
		if temps != 1 {
			t.Errorf("%d temporary files when the context was last looked at, want 1", temps)
		}
		expect(t, dir, map[string]string{"a.md": "new"})
	})
}

// TestSweptBesideSeveral has another program clear away what lies beside the files of a change when
// one of them is in place, or removed: it is taken back from what was read of it.
func TestSweptBesideSeveral(t *testing.T) {
	exchanges(t)
	for name, change := range map[string]func(tx *Tx) error{
		"written": func(tx *Tx) error { return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2"))) },
		"removed": func(tx *Tx) error { return errors.Join(tx.Remove("a.md"), tx.Remove("b.md")) },
	} {
		for _, again := range []string{"", "foreign"} {
			t.Run(name+again, func(t *testing.T) {
				dir := t.TempDir()
				tree(t, dir, nil, "a.md", "b.md")
				tx, list := staged(t, openRoots(t, RootOptions{}, dir), change, "a.md", "b.md")
				if err := tx.put(list[0]); err != nil {
					t.Fatal(err)
				}
				sweeps(t, dir)
				want := map[string]string{"a.md": "a.md", "b.md": "b.md"}
				if again != "" { // and save it
					if err := errors.Join(os.WriteFile(filepath.Join(dir, "new"), []byte(again), 0o600), os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "a.md"))); err != nil {
						t.Fatal(err)
					}
					want["a.md"], want[filenames.Kept("a.md", 1)] = again, "a.md"
				}
				if err := tx.finish(list, list[1], errChanged); list[0].placed || again == "" && !errors.Is(err, errChanged) {
					t.Errorf("%v, want another try", err)
				}
				tx.discard(list)
				expect(t, dir, want)
			})
		}
	}
}
