//go:build unix

package guide

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDiscoverSpecialFiles finds what is no file beside what is: nothing waits for the
// other end of a pipe.
func TestDiscoverSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir, "a.md", "wins.md.mustache", "fifofolder/x.md")
	for _, name := range []string{"fifo.md", "tpl.md.mustache", "wins.md", "fifofolder/fifo"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	linkTo(t, dir, map[string]string{"tofifo.md": "fifo.md", "tofifo2.md": "fifofolder/fifo"})
	t.Chdir(dir) // the name of a socket must be short
	socket, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", "socket.md")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, content := range []bool{true, false} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			found, err := Discover(t.Context(), Request{Dir: dir, Patterns: patterns(t, "**"), Content: content})
			if err != nil {
				t.Error(err)
				return
			}
			if diff := cmp.Diff([]string{"a.md", "fifofolder/x.md", "wins.md (template)"}, pathsOf(found)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			want := "fifo.md: not_a_file fifofolder/fifo: not_a_file socket.md: not_a_file tofifo.md: not_a_file tofifo2.md: not_a_file tpl.md: not_a_file"
			if diff := cmp.Diff(want, strings.Join(skippedOf(found), " ")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatal("it waits")
		}
	}
	// A pipe in place of the category.
	if found, err := Discover(t.Context(), Request{Dir: filepath.Join(dir, "fifo.md"), Patterns: patterns(t, "**")}); err != nil || !found.NoFolder {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := Discover(t.Context(), Request{Dir: filepath.Join(dir, "fifo.md"), Within: dir, Patterns: patterns(t, "**")}); err != nil || !found.NoFolder {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestDiscoverPermission finds what may not be read.
func TestDiscoverPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is refused to this user")
	}
	dir := t.TempDir()
	shelve(t, dir, "a.md", "b.md", "closed/c.md", "listed/d.md", "blind/e.md")
	for name, mode := range map[string]os.FileMode{"a.md": 0, "closed": 0, "listed": 0o400, "blind": 0o100} {
		path := filepath.Join(dir, name)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
	}
	found, err := Discover(t.Context(), Request{Dir: dir, Patterns: patterns(t, "**"), Content: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b.md"}, pathsOf(found)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	want := "a.md: permission blind: permission closed: permission listed: permission"
	if diff := cmp.Diff(want, strings.Join(skippedOf(found), " ")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, within := range []string{"", dir} {
		_, err = Discover(t.Context(), Request{Dir: filepath.Join(dir, "closed"), Within: within, Patterns: patterns(t, "**")})
		if e, ok := err.(*Error); !ok || e.Type != IOError || strings.Contains(e.Message, dir) { //nolint:errorlint // it is the error itself
			t.Errorf("a closed category: %v", err)
		}
	}
}
