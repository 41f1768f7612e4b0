package planstore

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// asFeeder is the value of asProcess for a process that runs a program with an input
// that fits into no pipe.
const asFeeder = "feed"

// fedText is that input.
func fedText() string { return strings.Repeat("a line of the plan\n", 50_000) }

// beFeeder runs the program in the folder.
func beFeeder(dir, path string) int {
	p := program{name: "program", path: path, dir: dir, env: os.Environ(), timeout: whole, log: slog.New(slog.DiscardHandler)}
	if _, err := p.try(context.Background(), &call{input: fedText()}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A program reads all that it was given, though who gave it is killed meanwhile: it
// would keep a part of a plan as the whole.
func TestInputSurvivesAKill(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script for a shell")
	}
	dir := t.TempDir()
	started, read := filepath.Join(dir, "started"), filepath.Join(dir, "read")
	path := script(t, filepath.Join(dir, "program"), "touch started; while [ -e started ]; do sleep 0.01; done; cat >partly; mv partly read")
	cmd := exec.CommandContext(t.Context(), os.Args[0], dir, path)
	cmd.Env = append(os.Environ(), asProcess+"="+asFeeder)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await := func(name string) {
		t.Helper()
		for end := time.Now().Add(whole); ; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(name); err == nil {
				return
			}
			if time.Now().After(end) {
				t.Fatal(name + " is not there")
			}
		}
	}
	await(started)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if err := os.Remove(started); err != nil {
		t.Fatal(err)
	}
	await(read)
	got, err := os.ReadFile(read)
	if err != nil || !bytes.Equal(got, []byte(fedText())) {
		t.Errorf("the program has read %d bytes of %d: %v", len(got), len(fedText()), err)
	}
}
