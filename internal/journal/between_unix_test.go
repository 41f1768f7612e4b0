//go:build unix

package journal_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
)

// TestMovedLinesAreBetween kills a change that moves a line from one document to another one at each step,
// or what takes it back at each step; then another program saves the one that the line was in. Which of both gets longer, and
// comes first by its name, doesn't matter: the line is in one of them always.
func TestMovedLinesAreBetween(t *testing.T) {
	const line = "MOVED\n"
	long := strings.Repeat("long\n", 10)
	for name, was := range map[string][2]string{ // what else is in the two before
		"both get longer":                     {"", ""},
		"both get shorter":                    {long, long},
		"the line goes where it gets shorter": {"", long},
	} {
		for _, giver := range []string{"a.md", "z.md"} {
			t.Run(name+" "+giver, func(t *testing.T) {
				texts := map[string][2]string{giver: {was[0] + line, "come\n" + strings.Repeat("x", 10)}, "m.md": {was[1], line + "y\n"}}
				killEach(t, texts, giver)
			})
		}
	}
}

// killEach kills a change of texts, before and after it, and what takes it back.
func killEach(t *testing.T, texts map[string][2]string, giver string) {
	t.Helper()
	paths := slices.Sorted(maps.Keys(texts))
	for _, early := range []bool{true, false} {
		for at, isOver := 0, false; !isOver; at++ {
			d := documents{}
			for path, text := range texts {
				d[path] = "rw-r--r-- " + text[0]
			}
			dir, j := d.make(t), newJournal(t)
			change := func(ctx context.Context) error {
				return openRoots(t, dir).Update(ctx, paths, func(tx *files.Tx) error {
					tx.Together()
					var errs []error
					for _, path := range paths {
						errs = append(errs, tx.Write(path, []byte(texts[path][1])))
					}
					return errors.Join(errs...)
				})
			}
			touch := func(ctx context.Context) error {
				_, err := j.TakeBack(ctx)
				if errors.Is(err, fs.ErrNotExist) { // it was killed before that had its folders
					return nil
				}
				return err
			}
			n := 0
			upTo := filesystem.WithSteps(j.In(t.Context()), func(string, string) error {
				if n++; n > at {
					return errKilled
				}
				return nil
			})
			if early {
				isOver = change(upTo) == nil
			} else {
				if err := change(killing(j.In(t.Context()))); !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				_ = touch(upTo)
				isOver = n <= at
			}
			isThere(t, dir, j, at)
			now, err := os.ReadFile(filepath.Join(dir, giver))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, giver), append(now, "\nsaved\n"...), 0o600)
			}
			if err := errors.Join(err, touch(t.Context())); err != nil {
				t.Fatal(err)
			}
			isThere(t, dir, j, at)
		}
	}
}

// isThere has the line be in a document.
func isThere(t *testing.T, dir string, j *journal.Journal, at int) {
	t.Helper()
	now := read(t, dir)
	for name, text := range now {
		if strings.HasSuffix(name, ".md") && strings.Contains(text, "MOVED") {
			return
		}
	}
	t.Errorf("killed before step %d the line is in none: %q, %d changes wait", at+1, now, len(j.Pending(t.Context())))
}
