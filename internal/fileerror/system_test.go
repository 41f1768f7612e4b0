package fileerror

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestSystemOfAnotherProject: where a file has another project id than its folder (XFS, ext4), no file of the folder gets its
// name, and to try again doesn't help.
func TestSystemOfAnotherProject(t *testing.T) {
	e := System("a.md", &os.LinkError{Op: "rename", Old: "a.md", New: "b.md", Err: syscall.EXDEV})
	if e.Code != IOError || !strings.Contains(e.Hint, "project") || strings.Contains(e.Sentence(), "try again") {
		t.Error(e.Sentence())
	}
}
