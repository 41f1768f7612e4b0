//go:build unix

package files

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/textfile"
)

// TestRootsSpecialFiles reads what is no file: each is refused at once, and
// nobody at the other end of a pipe is heard.
func TestRootsSpecialFiles(t *testing.T) {
	base := stronghold(t)
	ws := filepath.Join(base, "ws")
	for _, name := range []string{"fifo.md", "fifo.txt", "docs/fifo", ".git/fifo"} {
		if err := syscall.Mkfifo(filepath.Join(ws, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"tofifo.md": "fifo.md", "null.md": "/dev/null"} {
		if err := os.Symlink(target, filepath.Join(ws, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(ws) // the name of a socket must be short
	socket, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", "socket.md")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	list := []attack{
		{"fifo.md", fileerror.NotAFile},
		{"fifo.md/", fileerror.NotFound},
		{"fifo.md/x.md", fileerror.NotFound},
		{"fifo.md/../guide.md", fileerror.NotFound},
		{"docs/fifo", fileerror.NotAFile},
		{"fifo.txt", fileerror.NotAFile},
		{"tofifo.md", fileerror.NotAFile},
		{"tofifo.md/x.md", fileerror.NotFound},
		{"socket.md", fileerror.NotAFile},
		{"socket.md/x.md", fileerror.NotFound},
		{"null.md", fileerror.PathOutsideRoot},
	}
	// Making a device needs rights that tests may not have.
	if err := syscall.Mknod("zero.md", syscall.S_IFCHR|0o600, 1<<8|5); err == nil {
		list = append(list, attack{"zero.md", fileerror.NotAFile}, attack{"zero.md/x.md", fileerror.NotFound})
	}
	for _, o := range []RootOptions{{}, {TextFiles: true}} {
		r := openRoots(t, o, ws)
		for _, a := range list {
			text, err := probe(t, r, a.path)
			if codeOf(err) != a.want || text != "" || leaks(err, base, a.path) != "" {
				t.Errorf("%s: %q, %v, want %s", a.path, text, err, a.want)
			}
		}
		for _, path := range foundBy(t.Context(), r) {
			if strings.Contains(path, "fifo") || strings.Contains(path, "socket") || strings.Contains(path, "zero") {
				t.Errorf("found %s", path)
			}
		}
	}
	if runtime.GOOS == "linux" {
		if r := openRoots(t, RootOptions{Broad: true, TextFiles: true}, "/"); got(r, "/dev/zero") != string(fileerror.NotAFile) {
			t.Error("/dev/zero is read")
		}
	}
	// What has become a pipe or a link since it was looked at.
	r := openRoots(t, RootOptions{}, ws)
	for _, name := range []string{"fifo.md", "tofifo.md", "null.md", "socket.md", "docs"} {
		done := make(chan error, 1)
		go func() {
			w := r.start(r.roots[0], name, name)
			w.name = name
			_, err := w.read(new(textfile.Reader))
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, errChanged) {
				t.Errorf("%s in place of a file: %v", name, err)
			}
		case <-time.After(patience):
			t.Fatalf("%s in place of a file blocks", name)
		}
	}
	// A root that is a pipe.
	if _, err := OpenRoots([]string{"fifo.md"}, RootOptions{}); codeOf(err) != fileerror.InvalidArgument {
		t.Errorf("a pipe for a root: %v", err)
	}
}

// TestRootsDeep goes deeper than a root is walked, and by more links than are
// followed.
func TestRootsDeep(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, strings.Repeat("d/", maxDepth)+"a.md"), "deepest")
	write(t, filepath.Join(dir, strings.Repeat("d/", maxDepth+1)+"b.md"), "too deep")
	for i := range maxLinks + 1 {
		target := "end.md"
		if i > 0 {
			target = "link" + string(rune('0'+i-1)) + ".md"
		}
		if err := os.Symlink(target, filepath.Join(dir, "link"+string(rune('0'+i))+".md")); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "end.md"), "end")
	long := strings.Repeat("x/../", 800)
	write(t, filepath.Join(dir, "x", "x.md"), "x")
	for _, name := range []string{"long0", "long1", "long2", "long3", "long4"} {
		if err := os.Symlink(long+".", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := openRoots(t, RootOptions{}, dir)
	for path, want := range map[string]string{
		strings.Repeat("d/", maxDepth) + "a.md":       "deepest",
		strings.Repeat("d/", maxDepth+1) + "b.md":     "file_not_found",
		strings.Repeat("d/", maxDepth) + "../d/a.md":  "deepest",
		"link" + string(rune('0'+maxLinks-1)) + ".md": "end",
		"link" + string(rune('0'+maxLinks)) + ".md":   "file_not_found",
		"long0/end.md":                         "end",
		"long0/long1/long2/long3/long4/end.md": "file_not_found",
	} {
		text, err := probe(t, r, path)
		if err != nil {
			text = string(codeOf(err))
		}
		if text != want {
			t.Errorf("%.40s: %q, want %q", path, text, want)
		}
	}
	n := 0
	for _, path := range foundBy(t.Context(), r) {
		n++
		if strings.HasSuffix(path, "b.md") {
			t.Errorf("found what is too deep: %.20s", path)
		}
	}
	if n != 3 {
		t.Errorf("found %d files, want 3", n)
	}
	var told []string
	for path, err := range r.Find(t.Context()) {
		if err != nil {
			told = append(told, path+": "+err.(*fileerror.Error).Reason) //nolint:errorlint // as it came
		}
	}
	if want := strings.Repeat("d/", maxDepth) + "d: " + reasonDeep; len(told) != 1 || told[0] != want {
		t.Errorf("told %q, want %q", told, want)
	}
}

// TestRootsHandles attacks many times: no handle stays open.
func TestRootsHandles(t *testing.T) {
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("open handles can't be counted here")
		}
		return len(list)
	}
	base := stronghold(t)
	r := openRoots(t, RootOptions{}, base+"/ws", base+"/out")
	before := count()
	for range 3 {
		for _, a := range append(attacks(base), linkAttacks...) {
			_, _ = probe(t, r, a.path)
		}
		for range foundBy(t.Context(), r) {
			break
		}
		for _, dirs := range [][]string{{base, base + "/missing"}, {base + "/ws/.git"}, {"/"}, {base, base}} {
			if roots, err := OpenRoots(dirs, RootOptions{}); err == nil {
				roots.Close()
			}
		}
	}
	if after := count(); after > before {
		t.Errorf("%d handles are open, %d were before", after, before)
	}
}

// TestRootsPermission reads what the system refuses.
func TestRootsPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is refused to this user")
	}
	dir := t.TempDir()
	tree(t, dir, nil, "a.md", "closed/b.md", "open/c.md")
	for name, mode := range map[string]os.FileMode{"a.md": 0, "closed": 0} {
		path := filepath.Join(dir, name)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
	}
	r := openRoots(t, RootOptions{}, dir)
	for path, want := range map[string]string{"a.md": "permission", "closed/b.md": "permission", "open/c.md": "open/c.md"} {
		if text := got(r, path); text != want {
			t.Errorf("%s: %q, want %q", path, text, want)
		}
	}
	if found := foundBy(t.Context(), r); strings.Join(found, " ") != "a.md open/c.md" {
		t.Errorf("found %q", found)
	}
}

// BenchmarkRootsRead reads a small file three folders deep.
func BenchmarkRootsRead(b *testing.B) {
	dir := b.TempDir()
	path := filepath.Join(dir, "a", "b", "c", "guide.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("# Guide\n\ntext\n"), 100), 0o600); err != nil {
		b.Fatal(err)
	}
	r, several := openRoots(b, RootOptions{}, dir), openRoots(b, RootOptions{}, dir, b.TempDir())
	var rd textfile.Reader
	for name, read := range map[string]func() ([]byte, error){
		"raw":      func() ([]byte, error) { return rd.Read(path) },
		"root":     func() ([]byte, error) { return r.Read(&rd, "a/b/c/guide.md") },
		"absolute": func() ([]byte, error) { return r.Read(&rd, path) },
		"several":  func() ([]byte, error) { return several.Read(&rd, "a/b/c/guide.md") },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRootsNamedTwice opens a folder by several names: absolute paths may begin with each
// of them, and it is one root.
func TestRootsNamedTwice(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree(t, base, map[string]string{"link": "real", "other": "link"}, "real/d/a.md", "elsewhere/a.md")
	name := func(dir string) string { return filepath.Join(base, dir) }
	for _, dirs := range [][]string{
		{name("real"), name("link"), name("other")},
		{name("link"), name("real"), name("other")},
		{name("other"), name("link"), name("link")},
	} {
		r := openRoots(t, RootOptions{}, dirs...)
		if len(r.Dirs()) != 1 {
			t.Errorf("%q are %d roots", dirs, len(r.Dirs()))
		}
		for _, dir := range dirs {
			path := dir + "/d/a.md"
			if text := got(r, path); text != "real/d/a.md" {
				t.Errorf("%q: %s gives %s", dirs, path, text)
			}
			if err := r.Update(t.Context(), []string{path}, add(path, "")); err != nil {
				t.Error(err)
			}
		}
		if text := got(r, name("elsewhere")+"/a.md"); !strings.HasPrefix(text, string(fileerror.PathOutsideRoot)) {
			t.Errorf("another folder: %s", text)
		}
	}
}
