package planstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTextsThroughLinks has a link in the place of a folder lead to a file whose size and times are those
// that git's index has of a file in the commit: git compares commits with what it finds there,
// unless it has no index.
func TestTextsThroughLinks(t *testing.T) {
	t.Parallel()
	then := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		kind       Kind
		restricted bool
	}{{Git, false}, {Git, true}, {JJ, true}} {
		dir, jj := t.TempDir(), ""
		if c.kind == Git {
			initCommitted(t, dir)
		} else {
			jj = initBoth(t, dir)
		}
		save := func(path, text string) {
			write(t, path, text)
			if err := os.Chtimes(path, then, then); err != nil {
				t.Fatal(err)
			}
		}
		save(filepath.Join(dir, "d", "a.md"), "its own\n")
		write(t, filepath.Join(dir, ".env"), "old\n")
		run(t, dir, "git", "config", "core.checkStat", "minimal")
		run(t, dir, "git", "config", "core.trustCTime", "false")
		if c.kind == JJ {
			run(t, dir, jj, "status")
		}
		run(t, dir, "git", "add", "-f", "d/a.md", ".env")
		link, want := filepath.Join(dir, ".git", "d"), "+its own\n"
		if c.kind == Git {
			run(t, dir, "git", "commit", "-qm", "two")
			link, want = filepath.Join(dir, "d"), "-its own\n"
			if err := os.RemoveAll(link); err != nil {
				t.Fatal(err)
			}
			if c.restricted {
				write(t, filepath.Join(dir, ".env"), "new\n")
			}
		}
		save(filepath.Join(dir, ".aws", "a.md"), "SECRETS\n")
		if err := os.Symlink(filepath.Join(dir, ".aws"), link); err != nil {
			t.Skip(err)
		}
		o := Options{Root: dir, Kind: c.kind, JJ: jj, ReadOnly: true}
		if c.restricted {
			o.Shows = shown(func(path string) bool { return filepath.Base(path) != ".env" })
		}
		d, err := open(t, o).Diff(t.Context(), 1000)
		if err != nil || !strings.Contains(d.Text, want) || strings.Contains(d.Text, "SECRETS") || d.Cut {
			t.Errorf("%s, not all are shown %t: %+v, %v", c.kind, c.restricted, d, err)
		}
	}
}

// TestManyRemoved has more files be removed than git is asked for at once, beside one that may not be
// told of: all are in the difference, and one that ends earlier says so.
func TestManyRemoved(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	write(t, filepath.Join(dir, ".env"), "old\n")
	const many = 300
	for i := range many {
		write(t, filepath.Join(dir, "d", fmt.Sprintf("%0100d.md", i)), "text\n")
	}
	run(t, dir, "git", "add", "-f", ".")
	run(t, dir, "git", "commit", "-qm", "two")
	run(t, dir, "git", "rm", "-qr", "d", ".env")
	write(t, filepath.Join(dir, "a.txt"), "two\n")
	s := open(t, Options{Root: dir, Kind: Git, Shows: shown(func(path string) bool { return filepath.Base(path) != ".env" })})
	d, err := s.Diff(t.Context(), 1<<20)
	if err != nil || d.Cut || strings.Count(d.Text, "diff --git a/d/") != many || !strings.HasPrefix(d.Text, "diff --git a/a.txt") || strings.Contains(d.Text, ".env") {
		t.Errorf("%d parts, %t, %q, %v", strings.Count(d.Text, "diff --git"), d.Cut, d.Unknown, err)
	}
	if d, err = s.Diff(t.Context(), 5000); err != nil || !d.Cut || len(d.Text) > 5000 || len(d.Text) < 4000 {
		t.Errorf("%d bytes, %t, %q, %v", len(d.Text), d.Cut, d.Unknown, err)
	}
}

// TestMostRemoved asks git for so many removed files at once, and says that others were left out.
func TestMostRemoved(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	var entries strings.Builder
	commit := strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD"))
	for i := range maxRemovedRuns * maxPathspecs / 100 {
		fmt.Fprintf(&entries, "160000 %s 0\td/%0100d\n", commit, i)
	}
	runWith(t, dir, entries.String(), "git", "update-index", "--index-info")
	run(t, dir, "git", "commit", "-qm", "two")
	s := open(t, Options{Root: dir, Kind: Git})
	d, err := s.Diff(t.Context(), 1<<20)
	if n := strings.Count(d.Text, "deleted file"); err != nil || !d.Cut || n < 1000 || !strings.Contains(d.Unknown, "left out") {
		t.Errorf("%d, %t, %q, %v", n, d.Cut, d.Unknown, err)
	}
}
