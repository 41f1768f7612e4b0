//go:build unix

package files

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
)

// TestTakenBackWithoutOpening has the answer to an exchange be lost, and no file be opened from then on. A change of two
// documents is taken back, and told as not made; a copy of ours that stays is told as that. What was read is kept as that
// where another program saves meanwhile.
func TestTakenBackWithoutOpening(t *testing.T) {
	if !testkit.Elsewhere(t, testBinary(t), "", nil) {
		return
	}
	exchanges(t)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"a.md", "b.md"} {
		for _, saved := range []bool{false, true} {
			dir, n := t.TempDir(), 0
			tree(t, dir, nil, "a.md", "b.md")
			tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
				return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")))
			}, "a.md", "b.md")
			tx.steps = func(call, name string) error {
				if call != "exchange" || name != at {
					return nil
				}
				switch n++; {
				case n == 1:
					err := doRename(t, tx, list[0].place, dir, call, name)
					none := unix.Rlimit{Max: limit.Max}
					return errors.Join(err, unix.Setrlimit(unix.RLIMIT_NOFILE, &none), syscall.EIO)
				case n == 2 && saved:
					more := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
					err := saves["renamed over"](filepath.Join(dir, at))
					none := unix.Rlimit{Max: limit.Max}
					return errors.Join(more, err, unix.Setrlimit(unix.RLIMIT_NOFILE, &none))
				}
				return nil
			}
			err := tx.install(list)
			if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
				t.Fatal(err)
			}
			e, ok := errors.AsType[*fileerror.Error](err)
			want := map[string]string{"a.md": "a.md", "b.md": "b.md"}
			var written, old []string
			if saved {
				kept := strings.TrimSuffix(at, ".md") + ".kept-1.md"
				written, old = []string{at}, []string{kept}
				want[at], want[kept] = "foreign", at
			}
			if !ok || strings.Contains(e.Reason, "can't be told") || !slices.Equal(e.Written, written) || len(tx.kept.Saved) > 0 || !slices.Equal(tx.kept.Old, old) {
				t.Errorf("%s, saved: %v: %v, kept: %+v", at, saved, err, tx.kept)
			}
			if ours := !saved || at == "b.md"; ours != (len(tx.stuck) > 0) {
				t.Errorf("%s, saved: %v: stuck: %q", at, saved, tx.stuck)
			}
			tx.discard(list)
			tx.sweeps, tx.sweepBytes = maxSwept, maxSweptBytes
			tx.sweep(list[0].place)
			expect(t, dir, want)
		}
	}
}
