package sent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// host makes a file and returns the documents of a request for it.
func host(t *testing.T, name, text string) documents.Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testkit.WriteFile(t, path, text)
	return documents.Set{Paths: []string{path}}
}

// The text of a request comes from a file or from standard input.
func TestReadText(t *testing.T) {
	docs := host(t, "a.txt", "text\n")
	for _, d := range []documents.Set{docs, {Paths: []string{"-"}, Stdin: strings.NewReader("text\n")}} {
		if text, err := ReadText(d); text != "text\n" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
	}
	docs.MaxBytes = 2
	for code, d := range map[string]documents.Set{
		"file_too_large": docs, "not_a_file": {Paths: []string{t.TempDir()}}, "invalid_argument": {}, "file_not_found": {Paths: []string{"missing"}},
		"binary_file": {Paths: []string{"-"}, Stdin: strings.NewReader("\x00")},
	} {
		if _, err := ReadText(d); err == nil || replies.AsError(err).Code != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
}

// TestReadPipe reads a text out of what is no file and ends, such as a pipe of a shell.
func TestReadPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if !isStream(path) {
		t.Skip("there is no /dev/fd")
	}
	if _, err := w.WriteString("a,b\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if rows, err := ReadRows(documents.Set{Paths: []string{path}}); err != nil || len(rows) != 1 || len(rows[0]) != 2 {
		t.Errorf("%q, %v", rows, err)
	}
	if text, err := ReadText(documents.Set{Paths: []string{path}}); err != nil || text != "" {
		t.Errorf("what was read is read again: %q, %v", text, err)
	}
}
