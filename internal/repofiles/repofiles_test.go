package repofiles

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/fileinfo"
)

func TestReadPointer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pointer")
	for _, tt := range []struct {
		text string
		cut  bool
		want string // "" for an error
	}{
		{"gitdir: ../x\n", true, "gitdir: ../x"},
		{"gitdir: ../x\r\n\n", true, "gitdir: ../x"},
		{"../x", false, "../x"},
		{"../x\n", false, ""},
		{"a\nb", true, ""},
		{"a\x00b", true, ""},
		{strings.Repeat("a", maxPointer), false, strings.Repeat("a", maxPointer)},
		{strings.Repeat("a", maxPointer+1), false, ""},
	} {
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadPointer(path, tt.cut); (err == nil) != (tt.want != "") || err == nil && got != tt.want {
			t.Errorf("%.40q: %.40q, %v", tt.text, got, err)
		}
	}
	for _, path := range []string{filepath.Dir(path), path + ".none"} {
		if got, err := ReadPointer(path, true); err == nil {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// packIndex returns a multi-pack-index with a chunk of another name and one with the names.
func packIndex(names ...string) []byte {
	text := []byte("MIDX\x01\x01\x02\x00")
	text = binary.BigEndian.AppendUint32(text, uint32(len(names)))
	for i, chunk := range []string{"OIDF", "PNAM"} {
		text = append(text, chunk...)
		text = binary.BigEndian.AppendUint64(text, uint64(12+3*12+4*i))
	}
	text = append(text, make([]byte, 12+4)...) // the end of the table, and OIDF
	for _, name := range names {
		text = append(text, name+"\x00"...)
	}
	return text
}

func TestPackNames(t *testing.T) {
	t.Parallel()
	whole := packIndex("pack-a.idx", "../pack-b.idx")
	got, err := PackNames(bytes.NewReader(whole))
	if want := "pack-a.idx\x00../pack-b.idx\x00"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	for n := range whole { // what is cut off anywhere is none
		if got, err := PackNames(bytes.NewReader(whole[:n])); err == nil {
			t.Errorf("the first %d bytes: %q", n, got)
		}
	}
	many := packIndex("a")
	binary.BigEndian.PutUint32(many[8:], 1<<31)
	if got, err := PackNames(bytes.NewReader(many)); err == nil {
		t.Errorf("more packs than names: %q", got)
	}
	twice := packIndex("a")
	copy(twice[12:], "PNAM")
	copy(twice[16:24], twice[28:36])
	if got, err := PackNames(bytes.NewReader(twice)); err == nil {
		t.Errorf("two lists of names: %q", got)
	}
}

// field returns a field of a message of protocol buffers that has a length.
func field(number byte, value string) string {
	return string([]byte{number<<3 | 2, byte(len(value))}) + value
}

func TestWorkspaces(t *testing.T) {
	t.Parallel()
	repo := t.TempDir()
	index := filepath.Join(repo, "workspace_store", "index")
	if err := os.Mkdir(filepath.Dir(index), 0o700); err != nil {
		t.Fatal(err)
	}
	whole := field(1, field(1, "default")+field(2, "../..")) + field(1, field(2, "/else/where")) + field(3, "unknown")
	for n := range len(whole) + 1 {
		if err := os.WriteFile(index, []byte(whole[:n]), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Workspaces(repo)
		if n < len(whole) && len(got) < 2 || err != nil {
			continue // a part of it
		}
		if want := []string{fileinfo.From(repo, "../.."), fileinfo.From(repo, "/else/where")}; !slices.Equal(got, want) {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
	for _, text := range []string{"\x08\x01", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x0a\x05a", strings.Repeat(field(1, ""), 1<<20)} {
		if err := os.WriteFile(index, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Workspaces(repo); err == nil {
			t.Errorf("%.20q: %q", text, got)
		}
	}
	if err := os.RemoveAll(index); err != nil {
		t.Fatal(err)
	}
	if got, err := Workspaces(repo); err == nil {
		t.Errorf("without a list: %q", got)
	}
}

func TestSparsePatterns(t *testing.T) {
	t.Parallel()
	file := field(2, field(1, "a.md")+field(2, "\x08\x01"))
	for _, tt := range []struct {
		state string
		want  []string // nil for an error
	}{
		{file + field(3, field(1, "docs")+field(1, "q\n.\n")) + "\x30\x01", []string{"docs", "q\n.\n"}},
		{file + field(3, field(1, "")) + field(5, "tree"), []string{""}},
		{field(3, "") + file, []string{}},
		{file + "\x30\x01", []string{""}},
		{"", []string{""}},
		{file[:9], nil},
		{field(3, field(1, "docs"))[:6], nil},
		{"\x1a\xff\xff\xff\xff\x01", nil},
		{"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", nil},
		{"\x31\x01", nil},
		{"\x1a\x02\x08\x01", nil},
	} {
		if got, err := SparsePatterns(strings.NewReader(tt.state)); !slices.Equal(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%q: %q, %v", tt.state, got, err)
		}
	}
}

// TestHeads lists operations, among files that are none.
func TestHeads(t *testing.T) {
	t.Parallel()
	repo := t.TempDir()
	if _, err := Heads(repo); err == nil {
		t.Error("there are heads where there is no folder of them")
	}
	folder := filepath.Join(repo, "op_heads", "heads")
	for _, dir := range []string{filepath.Join(folder, "dd"), filepath.Join(repo, "index", "op_links", "0a")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Heads(repo); err == nil {
		t.Error("there are heads where there is none")
	}
	for _, name := range []string{"lock", "b1", "0a"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Heads(repo); err != nil || !slices.Equal(got, []string{"0a", "b1"}) {
		t.Errorf("%q, %v", got, err)
	}
	if !IsIndexed(repo, "0a") || IsIndexed(repo, "b1") {
		t.Error("what is indexed is the first alone")
	}
}

// TestTrackedFiles reads the files of a state, and refuses one that has more behind what is read.
func TestTrackedFiles(t *testing.T) {
	t.Parallel()
	field := func(number uint64, value string) string {
		return string(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3|2), uint64(len(value)))) + value
	}
	state := field(5, "tree") + field(2, field(1, "a/b.md")+field(2, "state")) + "\x30\x01" + field(3, field(1, "a")) + field(2, field(1, "c.md"))
	var got []string
	err := TrackedFiles(strings.NewReader(state), func(path string) error { got = append(got, path); return nil })
	if err != nil || !slices.Equal(got, []string{"a/b.md", "c.md"}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, broken := range []string{state[:len(state)-1], field(2, "\x08\x01"), field(2, strings.Repeat("a", maxTracked+1))} {
		if err := TrackedFiles(strings.NewReader(broken), func(string) error { return nil }); err == nil {
			t.Errorf("%.30q is a state", broken)
		}
	}
	long := io.MultiReader(strings.NewReader(string(binary.AppendUvarint([]byte("\x7a"), maxTreeState-6))), io.LimitReader(zeros{}, maxTreeState-6), strings.NewReader(state))
	if err := TrackedFiles(long, func(string) error { return nil }); err == nil {
		t.Error("what is behind the limit is taken for nothing")
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
