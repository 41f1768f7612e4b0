//go:build unix

package journal_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/files"
)

// TestNoLineIsLost kills a change of several documents when all are in place, and another program saves
// some of them. No line that was in one before is in none after the next change, and what has
// nothing of those that are left is as it was.
func TestNoLineIsLost(t *testing.T) {
	type texts map[string]string
	for name, test := range map[string]struct {
		was, is texts
		saved   string
		back    []string // those that are as they were
	}{
		"one has a line of another one that has a line of a third": {
			texts{"a.md": "apples\n", "b.md": "bananas\n", "c.md": "", "d.md": "dates\n"},
			texts{"a.md": "x\n", "b.md": "apples\n", "c.md": "bananas\n", "d.md": "y\n"},
			"a.md",
			[]string{"d.md"},
		},
		"and that is taken back before the second": {
			texts{"a.md": "apples\n", "b.md": "bananas and more\n", "c.md": "cherries and more\n", "d.md": ""},
			texts{"a.md": "x\n", "b.md": "apples\nand very much more text\n", "c.md": "bananas and more\n", "d.md": "cherries and more\n"},
			"a.md", nil,
		},
		"text in the place of others": {
			texts{"a.md": "apples\n", "b.md": "bananas\n", "c.md": "cherries\n"},
			texts{"a.md": "x\n", "b.md": "y\n", "c.md": "z\n"},
			"a.md",
			[]string{"b.md", "c.md"},
		},
		"a text behind a sign of equality": {
			texts{"a.md": "secret = AAAA\n", "b.md": "b\n"}, texts{"a.md": "secret = moved\n", "b.md": "b\nsecret = AAAA\n"}, "a.md", nil,
		},
		"such a text with a link that leads elsewhere now": {
			texts{"a.md": "secret = AAAA [its](x.md)\n", "b.md": ""}, texts{"a.md": "secret = moved [its](x.md)\n", "b.md": "secret = AAAA [its](../x.md)\n"}, "a.md", nil,
		},
		"a link, and another one in its place": {
			texts{"a.md": "[its](x.md)\n", "b.md": ""}, texts{"a.md": "[its](y.md)\n", "b.md": "[its](x.md)\n"}, "a.md", nil,
		},
		"a footnote with a link that leads elsewhere now": {
			texts{"a.md": "[^1]: AAAA [its](x.md)\n", "b.md": ""}, texts{"a.md": "[^1]: moved [its](x.md)\n", "b.md": "[^1]: AAAA [its](../x.md)\n"}, "a.md", nil,
		},
		"the title of a definition that leads elsewhere now": {
			texts{"a.md": "[its]: x.md 'AAAA'\n", "b.md": ""}, texts{"a.md": "[its]: x.md 'moved'\n", "b.md": "[its]: ../x.md 'AAAA'\n"}, "a.md", nil,
		},
		"brackets that are no link, with one that leads elsewhere now": {
			texts{"a.md": "[its](x.md) if [[ AAAA\n", "b.md": ""}, texts{"a.md": "[its](x.md) if [[ moved\n", "b.md": "[its](../x.md) if [[ AAAA\n"}, "a.md", nil,
		},
		"a link behind blanks that leads elsewhere now": {
			texts{"a.md": "[its]( <x y.md> 'z') AAAA\n", "b.md": ""}, texts{"a.md": "[its]( <x y.md> 'z') moved\n", "b.md": "[its]( <../x%20y.md> 'z') AAAA\n"}, "a.md", nil,
		},
		"signs": {
			texts{"a.md": "+ - +\n", "b.md": ""}, texts{"a.md": "- - -\n", "b.md": "+ - +\n"}, "a.md", nil,
		},
		"the same words with links that lead elsewhere now": {
			texts{"a.md": "[its](x.md)\n", "b.md": "[its](x.md)\n", "c.md": "[its](x.md)\n"},
			texts{"a.md": "[its](y.md)\n", "b.md": "[its](y.md)\n", "c.md": "[its](y.md)\n"},
			"a.md",
			[]string{"b.md", "c.md"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, j := t.TempDir(), newJournal(t)
			for path, text := range test.was {
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			paths := slices.Sorted(maps.Keys(test.was))
			r := openRoots(t, dir)
			err := r.Update(killing(j.In(t.Context())), paths, func(tx *files.Tx) error {
				tx.Together()
				var errs []error
				for _, path := range paths {
					errs = append(errs, tx.Write(path, []byte(test.is[path])))
				}
				return errors.Join(errs...)
			})
			if !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, test.saved), []byte(test.is[test.saved]+"saved since\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			put(t, openRoots(t, before.make(t)), j, "a.md", "elsewhere")
			now, left := read(t, dir), records(t, j)[1].Left
			for _, path := range paths {
				isBack := now[path] == "rw------- "+test.was[path]
				if isBack != slices.Contains(test.back, path) || isBack == slices.Contains(left, filepath.Join(dir, path)) {
					t.Errorf("%s: %q, left %q", path, now[path], left)
				}
			}
			if len(test.back) == 0 && !strings.Contains(strings.Join(slices.Collect(maps.Values(now)), ""), "AAAA") && strings.Contains(test.was["a.md"], "AAAA") {
				t.Errorf("AAAA is in no file: %q", now)
			}
		})
	}
}
