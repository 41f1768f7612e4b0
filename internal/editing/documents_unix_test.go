//go:build unix

package editing

import (
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestFolderIsNotMade: where the system makes no folder for a document, the error has the code of why.
func TestFolderIsNotMade(t *testing.T) {
	text := "# New\n"
	dir := testkit.Folder(t, map[string]string{"a.md": text})
	t.Chdir(dir)
	for why, want := range map[error]fileerror.Code{
		syscall.EROFS: fileerror.ReadOnly, syscall.ENOSPC: fileerror.NoSpace, fs.ErrPermission: fileerror.Permission, syscall.EIO: fileerror.IOError,
	} {
		ctx := filesystem.WithSteps(t.Context(), func(call, _ string) error {
			if call == "mkdir" {
				return why
			}
			return nil
		})
		for _, served := range []bool{false, true} {
			var docs documents.Set
			if served {
				docs.Workspace = roots(t, dir)
			}
			docs.Paths = []string{"sub/new.md"}
			if _, err := CreateDocument(ctx, docs, DocumentRequest{Content: &text}); err == nil || replies.AsError(err).Code != string(want) {
				t.Errorf("served: %t, %v: %v", served, why, err)
			}
		}
	}
}

// TestLinksBeside: a document that moves or goes leaves symbolic links to it behind, and the reply names them.
func TestLinksBeside(t *testing.T) {
	for _, served := range []bool{false, true} {
		dir := testkit.Folder(t, map[string]string{"sub/AGENTS.md": "# A\n", "sub/b.md": "# B\n"})
		t.Chdir(dir)
		for link, to := range map[string]string{"sub/CLAUDE.md": "AGENTS.md", "sub/G.md": "CLAUDE.md", "sub/other.md": "b.md", "sub/none.md": "x.md"} {
			if err := os.Symlink(to, link); err != nil {
				t.Fatal(err)
			}
		}
		docs := documents.Set{Paths: []string{"sub/AGENTS.md"}}
		if served {
			docs.Workspace = roots(t, dir)
		}
		moved, err := MoveDocument(t.Context(), docs, DocumentRequest{To: "AGENTS.md"})
		want := "warning: 2 symbolic links beside it lead nowhere without it, and stay as they are, such as sub/CLAUDE.md\n"
		if err != nil || !strings.Contains(string(moved.Head), want) {
			t.Errorf("served: %t, %v\n%s", served, err, moved.Head)
		}
		docs.Paths = []string{"AGENTS.md"}
		if gone, err := DeleteDocument(t.Context(), docs, DocumentRequest{}); err != nil || strings.Contains(string(gone.Head), "warning") {
			t.Errorf("served: %t, %v\n%s", served, err, gone.Head)
		}
		docs.Paths = []string{"sub/b.md"}
		want = "warning: 1 symbolic link beside it leads nowhere without it, and stays as it is: sub/other.md\n"
		if gone, err := DeleteDocument(t.Context(), docs, DocumentRequest{}); err != nil || !strings.Contains(string(gone.Head), want) {
			t.Errorf("served: %t, %v\n%s", served, err, gone.Head)
		}
	}
}
