//go:build unix

package cli_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// TestEditTellsThatItWaits has a program of somebody else hold the lock: whoever edits
// meanwhile is told that it waits, and the edit is made when the lock is free.
func TestEditTellsThatItWaits(t *testing.T) {
	path := writeFile(t, "a.md", []byte("# A\n"))
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX); err != nil {
		t.Skip("no locks here: ", err)
	}
	cmd := exec.CommandContext(t.Context(), testkit.BuildProgram(t), "edit", path, "# A", "append", "--content", "text")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	said := bufio.NewReader(stderr)
	if line, err := said.ReadString('\n'); !strings.HasPrefix(line, "sectile: waiting for the lock on the folder, which ") {
		t.Errorf("%q, %v", line, err)
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(said)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, rest)
	}
	if text, err := os.ReadFile(path); string(text) != "# A\n\ntext\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
