//go:build unix

package files

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/textfile"
)

// swap is a name in a root that becomes other things, again and again.
type swap struct {
	name  string                    // what is swapped
	reads []string                  // what is read meanwhile
	real  func(path string) error   // makes what it is
	other []func(path string) error // make what it becomes
}

// TestSwaps swaps files and folders for links to what must not be read, for pipes
// and for other files, while others read and walk: what comes out is what may be
// read or an error, and no read blocks.
func TestSwaps(t *testing.T) {
	file := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	folder := func(path string) error {
		return errors.Join(os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "guide.md"), []byte("open"), 0o600))
	}
	link := func(target string) func(string) error {
		return func(path string) error { return os.Symlink(target, path) }
	}
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	gitFolder := func(path string) error {
		return errors.Join(os.Mkdir(path, 0o700), os.Symlink("../.git/readme.md", filepath.Join(path, "guide.md")))
	}
	for _, s := range []swap{
		{"x.md", []string{"x.md", "docs/../x.md"}, file("open"), []func(string) error{
			link("../secret.md"), link(".git/readme.md"), link(".env"), pipe, folder, link("circle.md"), file("open"),
		}},
		{"d", []string{"d/guide.md", "docs/../d/guide.md"}, folder, []func(string) error{
			link("../out/ws"), link(".git/sub"), link("docs/.git"), link("../ws-evil"), pipe, gitFolder, file("open"),
		}},
	} {
		for _, several := range []bool{false, true} {
			testSwap(t, s, several)
		}
	}
}

func testSwap(t *testing.T, s swap, several bool) {
	base := stronghold(t)
	ws := filepath.Join(base, "ws")
	dirs := []string{ws}
	if several {
		dirs = append(dirs, t.TempDir())
	}
	r := openRoots(t, RootOptions{TextFiles: true}, dirs...)
	if err := s.real(filepath.Join(ws, s.name)); err != nil {
		t.Fatal(err)
	}
	for i, other := range s.other {
		if err := other(filepath.Join(base, "other"+string(rune('0'+i)))); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var good, bad atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		var rd textfile.Reader
		for i := 0; ctx.Err() == nil; i++ {
			path := s.reads[i%len(s.reads)]
			text, err := r.Read(&rd, path)
			switch {
			case err != nil && leaks(err, base, path) != "":
				t.Errorf("%s tells too much: %v", path, err)
			case err != nil:
				bad.Add(1)
			case string(text) != "open":
				t.Errorf("%s gives %q", path, text)
			default:
				good.Add(1)
			}
			if i%50 != 0 {
				continue
			}
			for path, err := range r.Find(ctx) {
				if err != nil {
					continue
				}
				if strings.Contains(path, "secret") || strings.Contains(path, "readme") {
					t.Errorf("found %s", path)
				}
			}
		}
	}()
	// A reader that was held up has seen too little, and goes on.
	for i := 0; i < 2000 || i < 100_000 && (good.Load() == 0 || bad.Load() == 0); i++ {
		if err := replace(base, s.name, "other"+string(rune('0'+i%len(s.other)))); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("a read blocks")
	}
	if good.Load() == 0 || bad.Load() == 0 {
		t.Errorf("%s: %d reads went well and %d did not: it proves nothing", s.name, good.Load(), bad.Load())
	}
	t.Logf("%s: %d reads went well, %d did not", s.name, good.Load(), bad.Load())
}

// replace puts something else in the place of what is swapped, and then back what
// it was, each by renaming. Links may have been made elsewhere: where they lead is
// told by where they are.
func replace(base, name, other string) error {
	path, aside := filepath.Join(base, "ws", name), filepath.Join(base, "aside")
	other = filepath.Join(base, other)
	for _, step := range [][2]string{{path, aside}, {other, path}, {path, other}, {aside, path}} {
		if err := os.Rename(step[0], step[1]); err != nil {
			return err
		}
	}
	return nil
}

// TestSavesByRenaming reads a file that an editor saves again and again, by a new
// file that is renamed: each read gives one text or the other, whole.
func TestSavesByRenaming(t *testing.T) {
	dir := t.TempDir()
	texts := [2][]byte{bytes.Repeat([]byte("old\n"), 5000), bytes.Repeat([]byte("new\n"), 6000)}
	path := write(t, filepath.Join(dir, "d", "a.md"), string(texts[0]))
	r := openRoots(t, RootOptions{}, dir)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			err := errors.Join(os.WriteFile(path+"~", texts[i%2], 0o600), os.Rename(path+"~", path))
			if err != nil {
				t.Error(err)
			}
			time.Sleep(100 * time.Microsecond) // who replaces it without an end keeps all from reading
		}
	})
	var rd textfile.Reader
	for range 1000 {
		text, err := r.Read(&rd, "d/a.md")
		if err != nil || !bytes.Equal(text, texts[0]) && !bytes.Equal(text, texts[1]) {
			t.Errorf("%d bytes, %v", len(text), err)
			break
		}
	}
	cancel()
	all.Wait()
}

// TestEntriesOfAPipe lists what was a folder a moment ago.
func TestEntriesOfAPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "was"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	listed := make(chan int)
	go func() { listed <- len(entriesAt(root, "was")) }()
	select {
	case n := <-listed:
		if n != 0 {
			t.Errorf("%d entries", n)
		}
	case <-time.After(patience):
		t.Fatal("it waits for the other end")
	}
}
