//go:build unix

package editing

import (
	"io/fs"
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
