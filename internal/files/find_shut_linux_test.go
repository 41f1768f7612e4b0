package files

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/glob"
	"github.com/sectile/sectile/internal/testkit"
)

// TestFindShut: a folder that can't be listed is told of where it is named, or something in it may be
// meant, and nowhere else: on the command line and below roots alike.
func TestFindShut(t *testing.T) {
	runtime.LockOSThread() // for ever: this thread has no power over modes, though it be root's
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &make([]unix.CapUserData, 2)[0]); err != nil && os.Geteuid() == 0 {
		testkit.Missing(t, "root's power over modes can't be given up here: "+err.Error())
	}
	dir := testkit.Folder(t, map[string]string{"docs/a.md": "", "docs/sub/b.md": "", "only/way/c.md": "", "top.md": ""})
	t.Chdir(dir)
	for _, shut := range []string{"docs/sub", "only"} {
		if err := os.Chmod(shut, 0o311); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, shut), 0o700) })
	}
	const sub, only = "docs/sub: permission", "only: permission"
	r := openRoots(t, RootOptions{}, dir)
	for arg, want := range map[string][]string{
		".": {"docs/a.md", sub, only, "top.md"}, "docs": {"docs/a.md", sub}, "docs/sub": {sub}, "only/way": {"only/way/c.md"},
		"*.md": {"top.md"}, "**.md": {"top.md"}, "docs/*.md": {"docs/a.md"}, "{docs,.}/a.md": {"docs/a.md"},
		"*/a.md": {"docs/a.md", only}, "d*/*.md": {"docs/a.md"}, "**/*.md": {"docs/a.md", sub, only, "top.md"}, "docs/**": {"docs/a.md", sub},
		"docs/*/b.md": {sub}, "*/sub/b.md": {sub, only}, "{docs,x}/s*/b.md": {sub}, "docs/sub/*.md": {sub}, "only/way/*.md": {"only/way/c.md"}, "only/*/c.md": {only},
	} {
		if diff := cmp.Diff(want, sorted(WalkOptions{}, arg)); diff != "" {
			t.Errorf("%s, on the command line (-want +got):\n%s", arg, diff)
		}
		if strings.HasPrefix(arg, "only/way") {
			want = []string{only} // each folder on the way is opened, and that takes the right to list it
		}
		meant := glob.All(arg)
		if glob.HasMeta(arg) {
			meant, _ = ParseGlob(arg)
		}
		if diff := cmp.Diff(want, inOrder(r.FindMeant(t.Context(), meant))); diff != "" {
			t.Errorf("%s, below a root (-want +got):\n%s", arg, diff)
		}
	}
}
