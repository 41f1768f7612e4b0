package documents

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestPictureOfReplacedRoot: no picture is shown of a folder that has the name of a root now.
func TestPictureOfReplacedRoot(t *testing.T) {
	const picture = "\x89PNG\r\n\x1a\n"
	dir := filepath.Join(t.TempDir(), "root")
	put := func(text string) {
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "a.png"), []byte(picture+text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	put("mine")
	w, err := OpenWorkspace(Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, path := range []string{"a.png", filepath.Join(dir, "a.png")} {
		if data, _, err := w.Picture(nil, path, 1000); string(data) != picture+"mine" || err != nil {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if err := os.Rename(dir, dir+"2"); err != nil {
		t.Skip(err) // Windows keeps an open folder where it is
	}
	put("other")
	for _, path := range []string{"a.png", filepath.Join(dir, "a.png")} {
		if data, _, err := w.Picture(nil, path, 1000); err == nil || !strings.Contains(err.Error(), "removed or replaced") {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
}

// TestPictureIsReserved: a picture is in the budget until it is sent, and waits for those that aren't.
func TestPictureIsReserved(t *testing.T) {
	dir := t.TempDir()
	const size = 10 << 20
	if err := os.WriteFile(filepath.Join(dir, "a.png"), append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, size)...), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWorkspace(Options{Roots: []string{dir}, MaxMemory: MinMaxMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	get := func() (send func(), err error) {
		sent, send := context.WithCancel(t.Context())
		ctx, cancel := context.WithTimeout(WithAnswered(sent), 10*time.Millisecond)
		defer cancel()
		work := w.Begin(ctx, nil)
		defer work.End()
		_, _, err = w.Picture(work, "a.png", 2*size)
		return send, err
	}
	var sends []func()
	for range 10 {
		send, err := get()
		if err != nil {
			break
		}
		sends = append(sends, send)
	}
	if n := int64(len(sends)); n != 2 || w.memory.Reserved() < n*size {
		t.Errorf("%d pictures at once in %d bytes, of which %d are reserved", n, w.memory.limit, w.memory.Reserved())
	}
	for _, send := range sends {
		send()
	}
	for w.memory.Reserved() > 0 { // it is given back in a goroutine of its own
		runtime.Gosched()
	}
	if _, err := get(); err != nil {
		t.Error(err)
	}
}
