//go:build unix

package repoproof

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/fileinfo"
)

// TestNoFolder has a pipe, a file, a link, or a folder that may not be entered, by the name of a
// repository's folder: the error says what it is.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	file := func(path string) error { return os.WriteFile(path, []byte("gitdir: a\x00b"), 0o600) }
	link := func(path string) error { return os.Symlink("nowhere", path) }
	shut := func(path string) error { return os.Mkdir(path, 0) }
	for _, tt := range []struct {
		name string
		make func(path string) error
		want string
	}{
		{".git", pipe, "`.git` is a pipe, socket or device,"},
		{".git", link, "`.git` is a link,"},
		{".git", file, "it has a NUL"},
		{".git", shut, "the repository's folder can't be examined: permission denied"},
		{".jj", pipe, "`.jj` is a pipe, socket or device,"},
		{".jj", link, "`.jj` is a link,"},
		{".jj", file, "`.jj` is a file,"},
		{".jj/repo", pipe, "`.jj/repo` is a pipe, socket or device,"},
		{".jj/repo", link, "`.jj/repo` is a link,"},
	} {
		if strings.HasSuffix(tt.want, "permission denied") && os.Geteuid() == 0 {
			continue // whom no right keeps out
		}
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(tt.name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), tt.make(path)); err != nil {
			t.Fatal(err)
		}
		p := New(dir, &Trust{}, new(fileinfo.KnownFolders), t.Context().Err)
		_, err := p.Git(false, AskGit{})
		if tt.name != ".git" {
			_, err = p.JJ(AskJJ{})
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
