package textfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/sectile/sectile/internal/fileerror"
)

// write writes a file into a folder of the test's.
func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// codeOf returns the code of a *fileerror.Error, or what else err is.
func codeOf(err error) fileerror.Code {
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		return e.Code
	}
	if err != nil {
		return fileerror.Code(err.Error())
	}
	return ""
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name, text string
		limit      int64
		want       fileerror.Code
	}{
		{name: "text", text: "# A\n"},
		{name: "empty"},
		{name: "BOM", text: "\uFEFF# A"},
		{name: "not ASCII", text: "# Ä\u0085\U0001F600"},
		{name: "at the limit", text: "12345", limit: 5},
		{name: "beyond the limit", text: "123456", limit: 5, want: fileerror.TooLarge},
		{name: "NUL", text: "a\x00b", want: fileerror.BinaryFile},
		{name: "UTF-16", text: "\xFE\xFF\x00a", want: fileerror.BinaryFile},
		{name: "Latin-1", text: "caf\xE9", want: fileerror.EncodingError},
		{name: "cut character", text: "\xE2\x82", want: fileerror.EncodingError},
		{name: "replacement character", text: "\uFFFD"},
		{name: "larger than the buffer", text: strings.Repeat("line\n", 50_000)},
		{name: "NUL behind the buffer", text: strings.Repeat("line\n", 50_000) + "\x00", want: fileerror.BinaryFile},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, filepath.Join(dir, tt.name), tt.text)
			streams := map[string]io.Reader{
				"file":      nil,
				"stream":    strings.NewReader(tt.text),
				"one byte":  iotest.OneByteReader(strings.NewReader(tt.text)),
				"data, EOF": iotest.DataErrReader(strings.NewReader(tt.text)),
			}
			r := Reader{Limit: tt.limit}
			for kind, in := range streams {
				read := func() ([]byte, error) { return r.Read(path) }
				if in != nil {
					read = func() ([]byte, error) { return r.ReadStream("in", in) }
				}
				text, err := read()
				if got := codeOf(err); got != tt.want {
					t.Errorf("%s: error %q, want %q", kind, err, tt.want)
				}
				if tt.want == "" && string(text) != tt.text {
					t.Errorf("%s: got %.40q", kind, text)
				}
			}
		})
	}
}

// TestWideEncodings has texts of which each character has several bytes: the error names the encoding.
func TestWideEncodings(t *testing.T) {
	for text, want := range map[string]string{
		"\xFF\xFEa\x00": "it is UTF-16", "\xFE\xFF\x00a": "it is UTF-16",
		"\xFF\xFE\x00\x00a\x00\x00\x00": "it is UTF-32", "\x00\x00\xFE\xFF\x00\x00\x00a": "it is UTF-32",
		"a\x00": "NUL byte at offset 1",
	} {
		if err := CheckText("a.md", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "a.md"), "# A\n")
	for path, want := range map[string]fileerror.Code{
		filepath.Join(dir, "missing.md"):    fileerror.NotFound,
		dir:                                 fileerror.NotAFile,
		filepath.Join(file, "b.md"):         fileerror.NotFound,
		dir + "/a\x00b.md":                  fileerror.NotFound,
		strings.Repeat("long/", 2000) + "a": fileerror.NotFound,
		"":                                  fileerror.NotFound,
	} {
		_, err := new(Reader).Read(path)
		if got := codeOf(err); got != want {
			t.Errorf("%.40q: %v, want %s", path, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "syscall") || !strings.HasPrefix(err.Error(), string(want)+": ")) {
			t.Errorf("%.40q: message %q", path, err)
		}
	}
	if _, err := new(Reader).ReadStream("in", iotest.ErrReader(syscall.EIO)); codeOf(err) != fileerror.IOError || !errors.Is(err, syscall.EIO) {
		t.Errorf("a stream that fails: %v", err)
	}
	if err := fileerror.System("a", &os.PathError{Op: "open", Path: "a", Err: syscall.EACCES}); err.Code != fileerror.Permission {
		t.Errorf("no right: %v", err)
	}
}

// TestReadGrowing reads a file that is longer than the system said: all of it
// arrives, in one piece.
func TestReadGrowing(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 20_000)
	for _, size := range []int64{0, 1, 10, int64(len(text)) - 1, int64(len(text)), int64(len(text)) + 1000} {
		got, err := new(Reader).fill("a", streamSource{bytes.NewReader(text)}, size)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("size %d: %d bytes, %v", size, len(got), err)
		}
	}
}

// TestFirstTextIsSmall: the first text of a reader, which may be kept, takes about its own size.
func TestFirstTextIsSmall(t *testing.T) {
	text, err := new(Reader).Read(write(t, filepath.Join(t.TempDir(), "a.md"), "# A\n"))
	if err != nil || cap(text) > 1024 {
		t.Errorf("%d bytes of room for %q, %v", cap(text), text, err)
	}
}

// TestReadReuse reads different files into one buffer.
func TestReadReuse(t *testing.T) {
	dir := t.TempDir()
	var r Reader
	for _, text := range []string{"long " + strings.Repeat("x", 100_000), "short", "", "again"} {
		got, err := r.Read(write(t, filepath.Join(dir, "a.md"), text))
		if err != nil || string(got) != text {
			t.Errorf("got %.20q, %v, want %.20q", got, err, text)
		}
	}
}

func TestFormatBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1023: "1023 bytes", 1024: "1 KiB", 1025: "1025 bytes", 64 << 20: "64 MiB", 5 << 40: "5120 GiB",
	} {
		if got := formatBytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestReadKnown: a file that holds the known text is that text, and any other one is
// read as it is, whatever it has in common with it.
func TestReadKnown(t *testing.T) {
	known := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	changed := func(at int) []byte {
		text := bytes.Clone(known)
		text[at] = 'X'
		return text
	}
	path := filepath.Join(t.TempDir(), "a.md")
	refused := errors.New("refused")
	for name, text := range map[string][]byte{
		"same": known, "first": changed(0), "last": changed(len(known) - 1), "middle": changed(compared), "before": changed(compared - 1),
		"shorter": known[:len(known)-1], "longer": append(bytes.Clone(known), 'x'), "empty": {},
	} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var asked []int64
		r := Reader{Known: known, Admit: func(size int64) error { asked = append(asked, size); return nil }}
		got, err := r.Read(path)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes instead of %d: %v", name, len(got), len(text), err)
		}
		if isKnown := len(got) > 0 && &got[0] == &known[0]; isKnown != (name == "same") || isKnown != (len(asked) == 0) {
			t.Errorf("%s: the known text: %v, asked for %v", name, isKnown, asked)
		}
		r.Admit = func(int64) error { return refused }
		if _, err := r.Read(path); name != "same" && !errors.Is(err, refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReadOwned reads what is the user's, and nothing else.
func TestReadOwned(t *testing.T) {
	mine, others := func(fs.FileInfo) bool { return true }, func(fs.FileInfo) bool { return false }
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "a.yaml"), "a: 1\n")
	if text, err := new(Reader).ReadOwned(path, mine); err != nil || string(text) != "a: 1\n" {
		t.Errorf("%q, %v", text, err)
	}
	for _, tt := range []struct {
		path  string
		owned func(fs.FileInfo) bool
		limit int64
		want  fileerror.Code
	}{
		{path, others, 0, fileerror.NotOwned},
		{path, mine, 4, fileerror.TooLarge},
		{dir, mine, 0, fileerror.NotAFile},
		{path + ".none", mine, 0, fileerror.NotFound},
	} {
		if _, err := (&Reader{Limit: tt.limit}).ReadOwned(tt.path, tt.owned); codeOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", filepath.Base(tt.path), err, tt.want)
		}
	}
}

// TestReadLarger lends a file beyond the limit.
func TestReadLarger(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "a.md"), "12345")
	given := errors.New("of the one who read")
	r := &Reader{Limit: 4, Larger: func(f *os.File, size, limit int64) error {
		if text, err := io.ReadAll(f); err != nil || string(text) != "12345" || size != 5 || limit != 4 {
			t.Errorf("%q, %v, %d beyond %d", text, err, size, limit)
		}
		return given
	}}
	if _, err := r.Read(path); !errors.Is(err, given) {
		t.Error(err)
	}
	if err := UndividedTooLarge(path, 64<<20, 1<<20, false); codeOf(err) != fileerror.TooLarge {
		t.Error(err)
	}
	if err := PartTooLarge(path, 5, 4); codeOf(err) != fileerror.TooLarge {
		t.Error(err)
	}
}
