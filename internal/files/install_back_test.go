package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// TestAnswerOfTakingBackIsLost has each call that takes back a change of several files fail when it is done: all is
// as it was, nothing is kept, and no other program is said to have come between.
func TestAnswerOfTakingBackIsLost(t *testing.T) {
	exchanges(t)
	for name, place := range map[string]func(*Tx, *target) error{"exchanged": (*Tx).put, "renamed over": (*Tx).renameOver} {
		for _, told := range []error{syscall.ENOENT, syscall.EEXIST, syscall.EIO, syscall.EACCES} {
			for at, reached := 1, true; reached; at++ {
				what := fmt.Sprintf("%s: %v for call %d", name, told, at)
				dir := t.TempDir()
				tree(t, dir, nil, "a.md", "b.md", "gone.md")
				tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
					return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")), tx.Write("made.md", []byte("3")), tx.Remove("gone.md"))
				}, "a.md", "b.md", "made.md", "gone.md")
				for _, f := range list {
					do := place
					if f.old == nil || f.removed {
						do = (*Tx).put
					}
					if err := do(tx, f); err != nil {
						t.Fatal(err)
					}
				}
				n := 0
				reached = false
				tx.steps = func(call, to string) error {
					if call == "exchange" && name != "exchanged" {
						return filesystem.ErrNoExchange
					}
					if call == "rename" || call == "exchange" {
						n++
					}
					if n != at || call != "rename" && call != "exchange" {
						return nil
					}
					reached, n = true, n+1
					return errors.Join(doRename(t, tx, list[0].place, dir, call, to), told)
				}
				if err := tx.takeBack(list, errChanged); !errors.Is(err, errChanged) || !tx.kept.None() {
					t.Errorf("%s: %v, kept: %v", what, err, tx.kept)
				}
				tx.discard(list)
				expect(t, dir, map[string]string{"a.md": "a.md", "b.md": "b.md", "gone.md": "gone.md"})
			}
		}
	}
}

// TestSaveBeforeALostAnswer: another program saves a document before it gets the name of a held one, and the
// answer to that is lost: its save gets the name back.
func TestSaveBeforeALostAnswer(t *testing.T) {
	for _, told := range []error{syscall.ENOENT, syscall.EIO} {
		for _, text := range []string{"gone.md", "another text"} {
			dir := t.TempDir()
			tree(t, dir, nil, "gone.md")
			tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error { return tx.Remove("gone.md") }, "gone.md")
			tx.steps = func(call, to string) error {
				if _, _, _, away := filenames.ParseHeld(to); call != "rename" || !away {
					return nil
				}
				saved := filepath.Join(dir, "saved")
				return errors.Join(os.WriteFile(saved, []byte(text), 0o600), os.Rename(saved, filepath.Join(dir, "gone.md")), doRename(t, tx, list[0].place, dir, call, to), told)
			}
			if err := tx.put(list[0]); !errors.Is(err, errChanged) {
				t.Errorf("%v, %q: %v", told, text, err)
			}
			tx.discard(list)
			expect(t, dir, map[string]string{"gone.md": text})
		}
	}
}

// doRename does what a step would that is a renaming or an exchange.
func doRename(t *testing.T, tx *Tx, p *place, dir, call, to string) error {
	t.Helper()
	from := filepath.Join(dir, to)
	_, _, of, away := filenames.ParseHeld(to)
	if temps, _ := filepath.Glob(filepath.Join(dir, ".sectile-*.tmp")); away && len(temps) > 0 {
		from = temps[0]
	} else if away {
		from = filepath.Join(dir, of)
	} else if held, _ := filepath.Glob(filepath.Join(dir, ".sectile-*-"+to+".held")); len(held) > 0 {
		from = held[0]
	} else if held, _ := filepath.Glob(filepath.Join(dir, ".sectile-*.held")); strings.Contains(to, ".kept-") {
		from = held[0]
	}
	if call == "exchange" {
		return filesystem.Exchange(tx.lockOf(p).File(), filepath.Base(from), to)
	}
	return os.Rename(from, filepath.Join(dir, to))
}
