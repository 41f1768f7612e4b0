package repofiles

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestHeadOfGit reads what git writes, and takes nothing else for it.
func TestHeadOfGit(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	const untold = "untold"
	for _, tt := range []struct {
		want  string
		files map[string]string
	}{
		{a, map[string]string{"HEAD": a + "\n"}},
		{strings.Repeat("a", 64), map[string]string{"HEAD": strings.Repeat("a", 64) + "\n"}},
		{"", map[string]string{"HEAD": "ref: refs/heads/main\n"}},
		{"", map[string]string{"HEAD": "ref: refs/jj/root\n"}},
		{a, map[string]string{"HEAD": "ref: refs/heads/main\n", "refs/heads/main": a + "\n"}},
		{"", map[string]string{"HEAD": "ref: refs/heads/npm/@types/{id}\n"}},
		{a, map[string]string{"HEAD": "ref: refs/heads/f/x-1\n", "refs/heads/f/x-1": a + "\n", "packed-refs": b + " refs/heads/f/x-1\n"}},
		{b, map[string]string{"HEAD": "ref: refs/heads/main\n", "packed-refs": "# pack-refs with: peeled fully-peeled sorted \n" + a + " refs/heads/a\n" + b + " refs/heads/main\n" + a + " refs/tags/v1\n^" + b + "\n"}},
		{"", map[string]string{"HEAD": "ref: refs/heads/main\n", "packed-refs": a + " refs/heads/main2\n"}},

		{untold, map[string]string{}},
		{untold, map[string]string{"HEAD": a}},
		{untold, map[string]string{"HEAD": a + "\r\n"}},
		{untold, map[string]string{"HEAD": a + "\n\n"}},
		{untold, map[string]string{"HEAD": " " + a + "\n"}},
		{untold, map[string]string{"HEAD": strings.ToUpper(a) + "\n"}},
		{untold, map[string]string{"HEAD": a[1:] + "\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\nref: refs/heads/other\n"}},
		{untold, map[string]string{"HEAD": "ref:refs/heads/main\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main \n"}},
		{untold, map[string]string{"HEAD": "ref: ORIG_HEAD\n", "ORIG_HEAD": a + "\n"}},
		{untold, map[string]string{"HEAD": "ref: main-worktree/refs/heads/m\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/../x\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/\xe9\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/a\u202eb\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/a@{1}\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\n", "reftable/tables.list": ""}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\n", "refs/heads/main": "ref: refs/heads/other\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\n", "refs/heads/main/folder": ""}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\n", "packed-refs": a + " refs/heads/main\r\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\n", "packed-refs": a + " refs/heads/main\n" + b + " refs/heads/main\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\n", "packed-refs": a + " refs/heads/main"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\n", "packed-refs": a + " refs/heads/main\n^" + b + "\n"}},
		{untold, map[string]string{"HEAD": "ref: refs/heads/main\n", "packed-refs": "#\n" + a + " refs/heads/main\n"}},
	} {
		dir := testkit.Folder(t, tt.files)
		id, told := HeadOfGit(dir, dir)
		if !told {
			id = untold
		}
		if id != tt.want {
			t.Errorf("%q: %s", tt.files, id)
		}
	}
}

// TestHeadTakenUp reads what Jujutsu writes, of one workspace, and takes nothing else for it.
func TestHeadTakenUp(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("a", 20)
	target := func(id string) string { return field(3, field(2, field(1, id))) }
	own := func(name, id string) string { return field(13, field(1, name)+field(2, target(id))) }
	const untold = "untold"
	is := hex.EncodeToString([]byte(id))
	for _, tt := range []struct {
		view, name   string
		newer, older string
	}{
		{"", "default", "", ""},
		{field(1, id) + "\x60\x01", "default", "", ""},
		{field(9, target(id)), "default", is, is},
		{field(9, target(id)), "other", "", untold},
		{field(9, field(3, field(2, ""))), "default", "", ""},
		{field(9, target(id)) + own("default", id), "default", is, is},
		{field(9, target(id)) + own("default", id), "other", "", untold},
		{own("other", id), "other", is, untold},
		{field(9, target("b")) + own("default", id), "default", is, untold},
		{own("default", id) + own("default", id), "default", untold, untold},
		{field(9, target(id)) + field(9, target(id)), "default", untold, untold},
		{field(9, field(1, id)), "default", untold, untold},
		{field(9, field(3, field(1, "")+field(2, field(1, id)))), "default", untold, untold},
		{field(9, field(3, field(2, field(1, id))+field(2, field(1, id)))), "default", untold, untold},
		{field(9, field(3, field(2, field(1, id)+field(1, "b")))), "default", untold, untold},
		{field(9, target(id)) + field(7, id), "default", untold, untold},
		{field(9, target(id)) + field(14, id), "default", untold, untold},
		{field(9, target(id))[:9], "default", untold, untold},
		{"\x48\x01", "default", untold, untold},
	} {
		files := map[string]string{
			"repo/op_heads/heads/0a": "", "repo/op_heads/heads/lock": "", "repo/op_store/operations/0a": field(1, "\x0b") + field(2, "x"), "repo/op_store/views/0b": tt.view,
			"ws/.jj/working_copy/checkout": field(2, "\x0a") + field(3, tt.name),
		}
		dir := testkit.Folder(t, files)
		for isOlder, want := range map[bool]string{false: tt.newer, true: tt.older} {
			got, told := HeadTakenUp(filepath.Join(dir, "repo"), filepath.Join(dir, "ws"), isOlder)
			if !told {
				got = untold
			}
			if got != want {
				t.Errorf("%q, %s, older: %v: %s", tt.view, tt.name, isOlder, got)
			}
		}
	}
	for name, text := range map[string]string{
		"repo/op_heads/heads/0b":       "",
		"repo/op_heads/heads/0A":       "",
		"repo/op_store/operations/0a":  field(1, "\x0b") + field(1, "\x0b"),
		"ws/.jj/working_copy/checkout": field(3, "default") + field(3, "default"),
	} {
		dir := testkit.Folder(t, map[string]string{
			"repo/op_heads/heads/0a": "", "repo/op_store/operations/0a": field(1, "\x0b"), "repo/op_store/views/0b": "", "ws/.jj/working_copy/checkout": field(3, "default"),
		})
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, told := HeadTakenUp(filepath.Join(dir, "repo"), filepath.Join(dir, "ws"), false); told {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// ends is a reader that ends as one of a call does.
type ends struct{}

func (ends) Read([]byte) (int, error) { return 0, context.Canceled }

// TestStatesOfNothing: a file of zeros is no state, and a reading ends with its call.
func TestStatesOfNothing(t *testing.T) {
	t.Parallel()
	none := func(string) error { return nil }
	if err := TrackedFiles(zeros{}, none); err == nil {
		t.Error("zeros are a state")
	}
	if err := TrackedFiles(ends{}, none); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
