package selecting

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/outline"
)

// decode decodes a reply, which must be one line of valid JSON that shows all of
// its characters.
func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %.200q", err, text)
	}
	line := strings.TrimSuffix(text, "\n")
	if string(outline.AppendSafe(nil, line)) != line {
		t.Fatalf("characters that act are in %.200q", text)
	}
}

// brokenWriter takes so many bytes.
type brokenWriter struct{ room int }

var errBroken = errors.New("the output is broken")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

// TestBrokenOutput ends a request whose output can't be written.
func TestBrokenOutput(t *testing.T) {
	src := []byte(strings.Repeat("# A\n\n"+strings.Repeat("word ", 20_000)+"\n\n", 20))
	var errs bytes.Buffer
	for _, asJSON := range []bool{false, true} {
		for _, room := range []int{0, 100_000, 1_000_000} {
			docs := documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
			if err := Select(t.Context(), docs, SelectRequest{Selector: "h1", JSON: asJSON}, &brokenWriter{room}, &errs); !errors.Is(err, errBroken) {
				t.Errorf("select with %d bytes of room: %v", room, err)
			}
		}
		docs := documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
		if err := Index(t.Context(), docs, IndexRequest{JSON: asJSON}, &brokenWriter{}, &errs); !errors.Is(err, errBroken) {
			t.Errorf("index: %v", err)
		}
	}
}

type countingWriter struct{ n int }

func (w *countingWriter) Write(p []byte) (int, error) { w.n += len(p); return len(p), nil }

// TestVisibleJSON escapes what acts, and nothing else.
func TestVisibleJSON(t *testing.T) {
	for _, s := range []string{
		"", "plain", `"\`, "é 漢字 👩‍👩‍👧", "\x00\x1b[31m\x7f\u0080\u009f", "\u202e\u2066\ufeff\u2028", "\U000E0041\U000E0100", "a\xffb", "<&>\t\r\n",
	} {
		text := string(appendQuoted(nil, s))
		var back string
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != strings.ToValidUTF8(s, "\uFFFD") {
			t.Errorf("%q is %s, which is read as %q, %v", s, text, back, err)
		}
		if replies.Safe(text) != text {
			t.Errorf("%q is %q, in which something acts", s, text)
		}
	}
	if got, want := string(appendQuoted(nil, "é👩‍👩‍👧")), `"é👩‍👩‍👧"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(appendQuoted(nil, "\U000E0041")), `"\udb40\udc41"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFileFailures spells what is wrong with files as mdsel does.
func TestFileFailures(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"nul.md": "a\x00", "latin1.md": "\xe9", "long.md": "12345678901"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, name := range []string{"nul.md", "latin1.md", "long.md", "missing.md", "."} {
		var out, errs bytes.Buffer
		docs := documents.Set{Paths: []string{filepath.Join(dir, name)}, MaxBytes: 10}
		if err := Index(t.Context(), docs, IndexRequest{Literal: true}, &out, &errs); !errors.Is(err, ErrIncomplete) {
			t.Errorf("%s: %v", name, err)
		}
		code, _, _ := strings.Cut(strings.TrimPrefix(errs.String(), "!"), ":")
		got = append(got, code)
	}
	want := []string{"BINARY_FILE", "ENCODING_ERROR", "FILE_TOO_LARGE", "FILE_NOT_FOUND", "FILE_READ_ERROR"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFormat(t *testing.T) {
	if _, err := Format(FormatRequest{Command: "tree"}); err == nil {
		t.Error("the format of tree is told")
	}
	for _, req := range []FormatRequest{{}, {Command: "index"}, {Command: "select", Example: true}} {
		text, err := Format(req)
		if err != nil || len(text) > 600 {
			t.Errorf("%+v: %d bytes, %v", req, len(text), err)
		}
		req.JSON = true
		text, err = Format(req)
		var reply struct{ Data map[string]string }
		decode(t, string(text), &reply)
		if err != nil || reply.Data["select"] == "" && reply.Data["index"] == "" {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// TestFitFailures names as many errors as there is room for before it tells more of one.
func TestFitFailures(t *testing.T) {
	var list []failure
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		list = append(list, failure{Type: "X", Message: strings.Repeat("m", 200), File: name})
	}
	for _, tt := range []struct{ room, named, whole int }{{700, 3, 3}, {500, 3, 1}, {330, 3, 0}, {200, 1, 0}, {40, 0, 0}} {
		shown, _ := fitFailures(list, tt.room)
		text := string(shown)
		named, whole := strings.Count(text, "file: "), strings.Count(text, list[0].Message)
		if named != tt.named || whole != tt.whole || len(text) > max(tt.room, 60) || strings.Contains(text, "[not shown: ") != (named < 3) {
			t.Errorf("in %d characters %d errors, %d whole; want %d, %d:\n%s", tt.room, named, whole, tt.named, tt.whole, text)
		}
	}
}
