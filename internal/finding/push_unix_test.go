//go:build unix

package finding

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
)

// TestPushOfWhatCannotBeListed: a push whose folder, or the only one in it, may be entered and not listed tells
// that, and doesn't say that there is no document; it removes nothing.
func TestPushOfWhatCannotBeListed(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may list it")
	}
	for _, shut := range []string{"", "below"} {
		dir := testkit.Folder(t, map[string]string{"below/a.md": "# A\n"})
		path := filepath.Join(dir, shut)
		if err := os.Chmod(path, 0o311); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
		p := &pushing{ctx: t.Context(), root: config.SearchRoot{Name: "root", Dir: dir}, whole: true}
		err := p.find(make(chan string))
		if failed := p.done.Failed; err != nil || p.whole || len(failed) != 1 || failed[0].Code != string(fileerror.Permission) {
			t.Errorf("%q can't be listed: %v, %v, whole %v", shut, err, failed, p.whole)
		}
	}
}
