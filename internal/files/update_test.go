package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
)

// updater is one of the two forms of Update.
type updater func(ctx context.Context, paths []string, change func(*Tx) error) error

// updaters returns both forms, and what path each has for a file in dir.
func updaters(t *testing.T, dir string) map[string]func() (updater, func(string) string) {
	t.Helper()
	return map[string]func() (updater, func(string) string){
		"host": func() (updater, func(string) string) {
			return func(ctx context.Context, paths []string, change func(*Tx) error) error {
				return Update(ctx, paths, UpdateOptions{}, change)
			}, func(name string) string { return filepath.Join(dir, name) }
		},
		"roots": func() (updater, func(string) string) {
			return openRoots(t, RootOptions{}, dir).Update, func(name string) string { return name }
		},
	}
}

// both runs a test with both forms of Update, each in a folder of its own.
func both(t *testing.T, test func(t *testing.T, dir string, update updater, path func(string) string)) {
	t.Helper()
	for _, name := range []string{"host", "roots"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			update, path := updaters(t, dir)[name]()
			test(t, dir, update, path)
		})
	}
}

// put returns a change that writes a text.
func put(path, text string) func(*Tx) error {
	return func(tx *Tx) error { return tx.Write(path, []byte(text)) }
}

// add returns a change that appends a text.
func add(path, text string) func(*Tx) error {
	return func(tx *Tx) error {
		old, err := tx.Read(path)
		if err != nil {
			return err
		}
		return tx.Write(path, append(old, text...))
	}
}

// expect checks what a folder holds, by names and texts; a name with a slash
// behind is a folder.
func expect(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.IsDir() {
			got[e.Name()+"/"] = ""
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			text = []byte(err.Error())
		}
		got[e.Name()] = string(text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", filepath.Base(dir), diff)
	}
}

func TestUpdate(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		write(t, filepath.Join(dir, "a.md"), "old\n")
		write(t, filepath.Join(dir, "d", "b.md"), "b")
		a, b, c := path("a.md"), path("d/b.md"), path("d/c.md")
		if err := update(t.Context(), []string{a}, add(a, "new\n")); err != nil {
			t.Fatal(err)
		}
		expect(t, dir, map[string]string{"a.md": "old\nnew\n", "d/": ""})
		// Several files, one of them new, in two folders.
		err := update(t.Context(), []string{b, a, c}, func(tx *Tx) error {
			text, err := tx.Read(a)
			if err != nil || string(text) != "old\nnew\n" {
				t.Errorf("read %q, %v", text, err)
			}
			clear(text) // it is the caller's
			if text, err := tx.Read(a); string(text) != "old\nnew\n" || err != nil {
				t.Errorf("read again %q, %v", text, err)
			}
			_, err = tx.Read(c)
			if codeOf(err) != fileerror.NotFound || !strings.Contains(err.Error(), c) {
				t.Errorf("what is not there: %v", err)
			}
			return errors.Join(tx.Write(a, []byte("1")), tx.Write(a, nil), tx.Write(b, []byte("2")), tx.Write(c, []byte("3")))
		})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, dir, map[string]string{"a.md": "", "d/": ""})
		expect(t, filepath.Join(dir, "d"), map[string]string{"b.md": "2", "c.md": "3"})
		// No file at all.
		called := 0
		if err := update(t.Context(), nil, func(*Tx) error { called++; return nil }); err != nil || called != 1 {
			t.Errorf("no files: %v, called %d times", err, called)
		}
	})
}

// TestUpdateRefuses has changes that must write nothing: neither the file nor
// another one of the same change nor a temporary one.
func TestUpdateRefuses(t *testing.T) {
	own := errors.New("own")
	for name, tt := range map[string]struct {
		file, path string // what is there, and what is asked for, if not a.md
		mode       fs.FileMode
		text       string
		want       fileerror.Code
		reason     string
	}{
		"write-protected":     {mode: 0o400, text: "new", want: fileerror.ReadOnly, reason: "make it writable"},
		"result too large":    {text: "123456789", want: fileerror.TooLarge, reason: "--max-bytes"},
		"result with NUL":     {text: "a\x00", want: fileerror.BinaryFile, reason: "offset 1"},
		"result not UTF-8":    {text: "\xE9", want: fileerror.EncodingError, reason: "UTF-8"},
		"file too large":      {file: "123456789", text: "new", want: fileerror.TooLarge, reason: "--max-bytes"},
		"file with NUL":       {file: "\x00", text: "new", want: fileerror.BinaryFile, reason: "NUL"},
		"file not UTF-8":      {file: "\xE9", text: "new", want: fileerror.EncodingError, reason: "UTF-8"},
		"a folder":            {path: "d.md", text: "new", want: fileerror.NotAFile, reason: "folder"},
		"no folder":           {path: "none/a.md", text: "new", want: fileerror.NotFound, reason: "no such file"},
		"in a file":           {path: "a.md/a.md", text: "new", want: fileerror.NotFound, reason: "no such file"},
		"a name with a slash": {path: "new.md/", text: "new", want: fileerror.NotFound, reason: "no such file"},
		"own error":           {text: "own", want: "own"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "a.md")
			write(t, file, tt.file)
			write(t, filepath.Join(dir, "b.md"), "b")
			if err := os.Mkdir(filepath.Join(dir, "d.md"), 0o750); err != nil {
				t.Fatal(err)
			}
			if tt.mode != 0 {
				if err := os.Chmod(file, tt.mode); err != nil {
					t.Fatal(err)
				}
			}
			path := tt.path
			if path == "" {
				path = "a.md"
			}
			change := func(a, b string) func(*Tx) error {
				return func(tx *Tx) error {
					if err := tx.Write(b, []byte("new")); err != nil {
						return err
					}
					err := tx.Write(a, []byte(tt.text))
					if tt.text == "own" {
						return own
					}
					return err
				}
			}
			r := openRoots(t, RootOptions{Limit: 8}, dir)
			err := r.Update(t.Context(), []string{"b.md", path}, change(path, "b.md"))
			if codeOf(err) != tt.want || !strings.Contains(reasonOf(err), tt.reason) || strings.Contains(err.Error(), dir) {
				t.Errorf("roots: %v, want %s and %q", err, tt.want, tt.reason)
			}
			host, b := dir+"/"+path, dir+"/b.md"
			err = Update(t.Context(), []string{b, host}, UpdateOptions{Limit: 8}, change(host, b))
			if codeOf(err) != tt.want || !strings.Contains(reasonOf(err), tt.reason) {
				t.Errorf("host: %v, want %s and %q", err, tt.want, tt.reason)
			}
			expect(t, dir, map[string]string{"a.md": tt.file, "b.md": "b", "d.md/": ""})
		})
	}
}

// TestUpdateOfOthers uses a transaction for what is not in it, or when it is over.
func TestUpdateOfOthers(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		write(t, filepath.Join(dir, "a.md"), "a")
		write(t, filepath.Join(dir, "b.md"), "b")
		var over *Tx
		err := update(t.Context(), []string{path("a.md")}, func(tx *Tx) error {
			over = tx
			_, err := tx.Read(path("b.md"))
			if codeOf(err) != fileerror.InvalidArgument || codeOf(tx.Write(path("b.md"), nil)) != fileerror.InvalidArgument {
				t.Errorf("a file that was not named: %v", err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := over.Write(path("a.md"), nil); codeOf(err) != fileerror.InvalidArgument {
			t.Errorf("a transaction that is over: %v", err)
		}
		expect(t, dir, map[string]string{"a.md": "a", "b.md": "b"})
	})
}

// TestUpdateSameBytes writes what is there: the file is left alone, even if it
// can't be written.
func TestUpdateSameBytes(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		file := write(t, filepath.Join(dir, "a.md"), "same")
		if err := os.Chmod(file, 0o400); err != nil {
			t.Fatal(err)
		}
		before, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := update(t.Context(), []string{path("a.md")}, put(path("a.md"), "same")); err != nil {
			t.Fatal(err)
		}
		after, err := os.Stat(file)
		if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
			t.Errorf("the file was written, or %v", err)
		}
	})
}

// TestUpdateKeepsMode gives a file each of some modes.
func TestUpdateKeepsMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		file := write(t, filepath.Join(dir, "a.md"), "old")
		for _, mode := range []fs.FileMode{0o600, 0o644, 0o664, 0o666, 0o640, 0o200 | 0o004 | 0o400, 0o755, 0o777} {
			if err := os.Chmod(file, mode); err != nil {
				t.Fatal(err)
			}
			if err := update(t.Context(), []string{path("a.md")}, add(path("a.md"), ".")); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(file); err != nil || info.Mode() != mode {
				t.Errorf("the mode is %v, want %v; %v", info.Mode(), mode, err)
			}
		}
		// A new file has what the umask leaves.
		if err := update(t.Context(), []string{path("b.md")}, put(path("b.md"), "new")); err != nil {
			t.Fatal(err)
		}
		model, err := os.OpenFile(filepath.Join(dir, "model"), os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		defer model.Close()
		want, err := model.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(filepath.Join(dir, "b.md")); err != nil || info.Mode() != want.Mode() {
			t.Errorf("the mode of a new file is %v, want %v; %v", info.Mode(), want.Mode(), err)
		}
	})
}

// TestUpdateOfOneByTwoPaths names a file twice: it is one file.
func TestUpdateOfOneByTwoPaths(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		tree(t, dir, map[string]string{"link.md": "a.md"}, "a.md", "d/x.md")
		one, two, three := path("a.md"), path("link.md"), path("d")+"/../a.md"
		err := update(t.Context(), []string{one, two, three, one}, func(tx *Tx) error {
			for _, path := range []string{one, two, three} {
				if text, err := tx.Read(path); string(text) != "a.md" || err != nil {
					t.Errorf("%s: %q, %v", path, text, err)
				}
			}
			return errors.Join(tx.Write(one, []byte("1")), tx.Write(two, []byte("2")))
		})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, dir, map[string]string{"a.md": "2", "link.md": "2", "d/": ""})
	})
}

// TestUpdateSweeps leaves temporary files as a killed process does, and files that
// only look like them.
func TestUpdateSweeps(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		random := strings.Repeat("A2", 26/2)
		keep := map[string]string{"a.md": "new", "d/": ""}
		for _, name := range []string{
			".sectile-.tmp", ".sectile-" + random + ".tmp~", ".sectile-" + random + "A.tmp", "x.sectile-" + random + ".tmp",
			".sectile-" + random[1:] + "_.tmp", random,
		} {
			write(t, filepath.Join(dir, name), name)
			keep[name] = name
		}
		folder := ".sectile-" + strings.Repeat("7", 26) + ".tmp"
		write(t, filepath.Join(dir, folder, "x"), "x")
		keep[folder+"/"] = ""
		write(t, filepath.Join(dir, "a.md"), "old")
		left := write(t, filepath.Join(dir, filenames.TempPrefix+random+".tmp"), "left")
		// As some file systems list it, whatever it was called.
		write(t, filepath.Join(dir, filenames.TempPrefix+strings.ToLower("B3"+random[2:])+".tmp"), "left")
		write(t, filepath.Join(dir, strings.ToLower(filenames.Held([]byte("was"), []byte("is"), "B.md"))), "is")
		elsewhere := write(t, filepath.Join(dir, "d", filepath.Base(left)), "left")
		if err := update(t.Context(), []string{path("a.md")}, put(path("a.md"), "new")); err != nil {
			t.Fatal(err)
		}
		expect(t, dir, keep)
		if _, err := os.Stat(elsewhere); err != nil {
			t.Errorf("another folder was swept: %v", err)
		}
		// What stands in the folder of a change that writes nothing stays.
		write(t, left, "left")
		if err := update(t.Context(), []string{path("a.md")}, put(path("a.md"), "new")); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(left); err != nil {
			t.Errorf("a change that writes nothing sweeps: %v", err)
		}
	})
}

// TestUpdateInSeveralRoots names what is missing in two roots: which is meant for a
// new file can't be told, and only then is that an error of its own.
func TestUpdateInSeveralRoots(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "one/a.md", "one/d/x.md", "two/b.md")
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	r := openRoots(t, RootOptions{}, one, two)
	err := r.Update(t.Context(), []string{"new.md"}, func(tx *Tx) error {
		_, err := tx.Read("new.md")
		if codeOf(err) != fileerror.NotFound {
			t.Errorf("reading gives %v", err)
		}
		return tx.Write("new.md", []byte("new"))
	})
	if codeOf(err) != fileerror.InvalidArgument || !strings.Contains(reasonOf(err), "absolute path") {
		t.Errorf("got %v", err)
	}
	// Only one has the file or its folder, or the path says which.
	for _, path := range []string{"a.md", "b.md", "d/new.md", two + "/new.md"} {
		if err := r.Update(t.Context(), []string{path}, put(path, "new")); err != nil {
			t.Error(err)
		}
	}
	expect(t, one, map[string]string{"a.md": "new", "d/": ""})
	expect(t, filepath.Join(one, "d"), map[string]string{"x.md": "one/d/x.md", "new.md": "new"})
	expect(t, two, map[string]string{"b.md": "new", "new.md": "new"})
	// A missing file names those that might have been meant.
	err = r.Update(t.Context(), []string{"d/xx.md"}, add("d/xx.md", ""))
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || !slices.Contains(e.Closest, "d/x.md") {
		t.Errorf("%v, want d/x.md as the closest", err)
	}
}

// TestUpdatePanics has a change panic: the lock is released.
func TestUpdatePanics(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		write(t, filepath.Join(dir, "a.md"), "old")
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is gone")
				}
			}()
			_ = update(t.Context(), []string{path("a.md")}, func(*Tx) error { panic("oh") })
		}()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := update(ctx, []string{path("a.md")}, put(path("a.md"), "new")); err != nil {
			t.Error(err)
		}
		expect(t, dir, map[string]string{"a.md": "new"})
	})
}

// BenchmarkUpdate changes a small file, synced to the disk, and reports what is
// left of a change that writes nothing.
func BenchmarkUpdate(b *testing.B) {
	dir := b.TempDir()
	path := filepath.Join(dir, "guide.md")
	if err := os.WriteFile(path, bytes.Repeat([]byte("# Guide\n\ntext\n"), 100), 0o600); err != nil {
		b.Fatal(err)
	}
	r := openRoots(b, RootOptions{}, dir)
	for _, same := range []bool{false, true} {
		n := 0
		change := func(tx *Tx) error {
			text, err := tx.Read("guide.md")
			if err != nil {
				return err
			}
			if n++; !same {
				text = fmt.Appendf(text[:1000], "%d\n", n)
			}
			return tx.Write("guide.md", text)
		}
		b.Run(map[bool]string{false: "written", true: "same"}[same], func(b *testing.B) {
			for b.Loop() {
				if err := r.Update(b.Context(), []string{"guide.md"}, change); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestMakeFoldersOfOddPaths: a dot in a path is no folder of its own.
func TestMakeFoldersOfOddPaths(t *testing.T) {
	dir := t.TempDir()
	r := openRoots(t, RootOptions{}, dir)
	for path, want := range map[string]int{"a/./b/././z.md": 2, "./c//z.md": 1, "./z.md": 0} {
		if made, _, err := r.MakeFolders(t.Context(), path, nil, false); made != want || err != nil {
			t.Errorf("%s: %d folders, %v", path, made, err)
		}
	}
	for _, path := range []string{"d/.", "d/./."} {
		if made, _, err := r.MakeFolders(t.Context(), path, nil, false); made > 0 || err == nil {
			t.Errorf("%s: %d folders, %v", path, made, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "a", "b")); err != nil {
		t.Error(err)
	}
}
